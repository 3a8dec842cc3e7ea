# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=1G
# kernels: bullseye bookworm-rt trixie forky
# cost: 40
"""Calls of fsync on every kernel that the module is for: how functions are probed differs there."""

import os
import subprocess
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
from filesystems import MKFS, check_calls, make, row  # noqa: E402
from fsbtest import disk, done, equal, note, ok, run, settle  # noqa: E402
from watched import check_nothing_left  # noqa: E402

DISK = disk(0)
MOUNT = "/tmp/mount"
CALLS = 4


def unloaded_asleep(module):
    """The module goes while many sleep in a probed fsync."""
    make("ext4", DISK, MOUNT)
    storm = ["fsync_storm", MOUNT, "16", "256"]
    for _ in range(3):
        with subprocess.Popen(storm + ["40"]) as busy:
            time.sleep(0.5)
            run(["rmmod", "fsbstat"])
            ok(busy.poll() is None, "the module went while they slept")
            run(["insmod", os.environ["FSB_MODULE"]])
            module.close()
            module = genl.Module()
            module.add(DISK)
            time.sleep(0.5)
            module.delete(DISK)
            module.add(DISK)
            equal(busy.wait(), 0, "all calls return")
    before = row(module, "ext4", MOUNT)
    run(storm + ["2"])
    everything, after = module.filesystems()[0], row(module, "ext4", MOUNT)
    equal((after["fsyncs"] - before["fsyncs"],
           after["latency"]["count"] - before["latency"]["count"], everything["missed"]),
          (512, 512, 0), "256 threads in fsync at once: none is lost")
    run(["umount", MOUNT])
    return module


def main():
    os.makedirs(MOUNT)
    note(os.uname().release)
    run(["modprobe", "-a", "xfs", "btrfs", "f2fs"])
    settle(DISK)
    module = genl.Module()
    module.add(DISK)
    note("memory: %d bytes" % (module.module()["memory"] - module.disks()[0]["memory"]))
    for fstype in MKFS:
        make(fstype, DISK, MOUNT)
        own, mine = check_calls(module, fstype, MOUNT, CALLS)
        ok(own["ns"] / 2 <= mine <= own["ns"], "%s: latencies are below the program's own" % fstype,
           (own, mine))
        run(["umount", MOUNT])
    module = unloaded_asleep(module)
    module.delete(DISK)
    check_nothing_left(module, "in the end")
    done()


main()
