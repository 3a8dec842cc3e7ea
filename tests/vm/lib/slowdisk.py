# SPDX-License-Identifier: GPL-2.0-or-later
"""A dm device on a disk whose flushes take a known time, for the tests in tests/vm/t.

Only flushes are slow, so a filesystem is made on it in no time, and delay() can be changed
while the filesystem is mounted.
"""

import contextlib

from fsbtest import run

NAME = "fsbslow"
DEVICE = "/dev/mapper/" + NAME


def _table(device, flush_ms):
    sectors = int(run(["blockdev", "--getsz", device]).stdout)
    return "0 %d delay %s 0 0 %s 0 0 %s 0 %d" % (sectors, device, device, device, flush_ms)


def _change(table):
    run(["dmsetup", "reload", NAME, "--table", table])
    run(["dmsetup", "suspend", "--nolockfs", NAME])
    run(["dmsetup", "resume", NAME])


def delay(device, flush_ms):
    """From now on each flush takes that much longer."""
    _change(_table(device, flush_ms))


def fail(device):
    """From now on everything fails, until delay() is called."""
    _change("0 %s error" % _table(device, 0).split()[1])


@contextlib.contextmanager
def disk(device, flush_ms=0):
    """The dm device on a disk for as long as the block lasts; its node."""
    run(["modprobe", "dm-delay"])
    run(["dmsetup", "create", NAME, "--table", _table(device, flush_ms)])
    try:
        yield DEVICE
    finally:
        run(["dmsetup", "remove", "--retry", NAME])


def name():
    """The kernel's name of the device, like dm-0."""
    return run(["dmsetup", "info", "-c", "--noheadings", "-o", "blkdevname", NAME]).stdout.strip()
