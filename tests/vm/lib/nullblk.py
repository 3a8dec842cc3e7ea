# SPDX-License-Identifier: GPL-2.0-or-later
"""null_blk disks made by configfs, for the tests in tests/vm/t.

    with nullblk.disk("n0", completion_nsec=2000000, irqmode=2) as device: ...

The attributes are those of the configfs directory; the ones not named have null_blk's defaults,
except that the disk has one submission queue, no polling queue and 1 GiB.
"""

import contextlib
import os

import fsbtest

CONFIG = "/sys/kernel/config"
NONE, SOFTIRQ, TIMER = 0, 1, 2		# irqmode

_folders = {}	# of the disks, by node


def _load():
    if not os.path.isdir("/sys/module/null_blk"):
        fsbtest.run(["modprobe", "null_blk", "nr_devices=0"])
    if not os.path.ismount(CONFIG):
        fsbtest.run(["mount", "-t", "configfs", "config", CONFIG])


def _node(folder):
    """The disk's node: named like the folder, up to 5.10 by its index."""
    node = "/dev/" + os.path.basename(folder)
    return node if os.path.exists(node) else \
        "/dev/nullb" + fsbtest.read(os.path.join(folder, "index"))


def create(name, **attributes):
    """Make and switch on the disk; returns its node."""
    _load()
    folder = os.path.join(CONFIG, "nullb", name)
    os.mkdir(folder)
    values = {"size": 1024, "submit_queues": 1}
    if os.path.exists(os.path.join(folder, "poll_queues")):	# since 5.16
        values["poll_queues"] = 0
    values.update(attributes)
    for key, value in values.items():
        fsbtest.write(os.path.join(folder, key), value)
    fsbtest.write(os.path.join(folder, "power"), 1)
    device = _node(folder)
    _folders[device] = folder
    return device


def remove(device):
    """Switch the disk off and take it away."""
    folder = _folders.pop(device)
    fsbtest.write(os.path.join(folder, "power"), 0)
    os.rmdir(folder)


@contextlib.contextmanager
def disk(name, **attributes):
    """A disk for as long as the block lasts."""
    device = create(name, **attributes)
    try:
        yield device
    finally:
        remove(device)
