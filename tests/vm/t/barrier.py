# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=2G
# cost: 30
"""What an option does to the disk: ext4 barrier, nobarrier, and the drive's write cache off."""

import glob
import os
import re
import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
from fsbtest import disk, done, equal, name_of, ok, read, run, write  # noqa: E402
from identity import Window  # noqa: E402

DISK = disk(0)
MOUNT = "/tmp/m"


def drive_cache():
    """What the drive itself says (IDENTIFY DEVICE word 85)."""
    return re.search(r"write-caching =\s+(\d)", run(["hdparm", "-W", DISK]).stdout).group(1)


def set_drive_cache(on):
    path, = glob.glob("/sys/block/%s/device/scsi_disk/*/cache_type" % name_of(DISK))
    write(path, "write back" if on else "write through")
    equal(drive_cache(), "1" if on else "0",
          "the drive itself says its cache is %s" % ("on" if on else "off"))


def dbench(name, options):
    # ext4's lazy initialisation sends a flush of its own, barriers or not.
    run("mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 %s && mount -o %s %s %s"
        % (DISK, options, DISK, MOUNT))
    window = Window(DISK)
    run(["dbench", "-c", "/fsb/tests/vm/load/short.dbench", "-t", "4", "12"], cwd=MOUNT)
    counts = window.end()
    window.check_diskstats(name)
    window.check_qemu(name)
    window.check_quality(name)
    run(["umount", MOUNT])
    return counts


def main():
    os.makedirs(MOUNT, exist_ok=True)
    set_drive_cache(True)
    barrier = dbench("barrier", "barrier")
    ok(barrier["flush_ios"] > 10, "barrier: flushes are sent", barrier)
    ok(barrier["bio_preflush"] > 0 and barrier["bio_fua"] > 0, "barrier: they were asked for",
       barrier)

    nobarrier = dbench("nobarrier", "nobarrier")
    equal(nobarrier["flush_ios"], 0, "nobarrier: no flush")
    equal((nobarrier["bio_preflush"], nobarrier["bio_fua"], nobarrier["bio_empty_flush"]),
          (0, 0, 0), "nobarrier: none asked for")

    set_drive_cache(False)
    equal(read("/sys/block/%s/queue/write_cache" % name_of(DISK)), "write through",
          "the kernel's view followed")
    off = dbench("cache off", "barrier")
    equal(off["flush_ios"], 0, "cache off: no flush, barriers or not")
    equal((off["bio_preflush"], off["bio_empty_flush"], off["sequence_end"]), (0, 0, 0),
          "cache off: the kernel drops the wish before any hook")
    set_drive_cache(True)
    done()


main()
