# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=256M --disk scsi,dpofua,size=256M --disk nvme,size=256M
# vm-debug:
# cost: 25
"""FUA writes: counted as such where the disk has FUA, as a write and a flush where it has not."""

import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
import nullblk  # noqa: E402
from fsbtest import disk, done, equal, name_of, read, run, write  # noqa: E402
from identity import Window  # noqa: E402

WRITES = 60


def dsync_writes(device, name, fua, qemu=None):
    """WRITES direct O_DSYNC writes of 4 KiB: each is a bio with REQ_FUA."""
    equal(read("/sys/block/%s/queue/write_cache" % name_of(device)), "write back",
          "%s: the kernel sees a volatile cache" % name)
    equal(read("/sys/block/%s/queue/fua" % name_of(device)), "1" if fua else "0",
          "%s: FUA is %s" % (name, "there" if fua else "not there"))
    window = Window(device, qemu=qemu is not None)
    run("dd if=/dev/zero of=%s bs=4k count=%d oflag=direct,dsync" % (device, WRITES))
    counts = window.end()
    window.check_diskstats(name)
    window.check_quality(name)
    if qemu:
        window.check_qemu(name, flushes=qemu)
    equal(counts["bio_fua"], WRITES, "%s: FUA bios as asked" % name)
    equal((counts["fua_write_ios"], counts["write_ios"]), (WRITES, 0) if fua else (0, WRITES),
          "%s: class %s" % (name, "fua_write" if fua else "write"))
    equal(counts["fua_write_bytes" if fua else "write_bytes"], WRITES * 4096,
          "%s: their bytes" % name)
    # The page cache's sync after each O_DSYNC write adds an empty flush; a write without
    # FUA has a flush of its own after it, which may not be shared: one writer.
    empty = counts["sequence_end_empty"]
    equal(counts["flush_ios"], empty if fua else WRITES + empty,
          "%s: %s" % (name, "no flush for FUA" if fua else "a flush after each write"))
    equal(counts["sequence_end"], 0 if fua else WRITES, "%s: flush sequences" % name)


def main():
    dsync_writes(disk(0), "sata", fua=False, qemu="exact")
    dsync_writes(disk(1), "scsi dpofua", fua=True, qemu="plus fua")
    dsync_writes(disk(2), "nvme", fua=True, qemu="uncounted")
    with nullblk.disk("fsbnull", size=64, memory_backed=1, cache_size=16, irqmode=nullblk.TIMER,
                      completion_nsec=100000) as device:
        for scheduler in ("none", "mq-deadline"):
            write("/sys/block/%s/queue/scheduler" % name_of(device), scheduler)
            dsync_writes(device, "null_blk %s" % scheduler, fua=True)
    done()


main()
