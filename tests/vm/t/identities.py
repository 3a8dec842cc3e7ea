# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=2G
# vm-debug: --timeout 900 --kmemleak
# cost: 60
"""Module == diskstats == QEMU over dbench, raw loads and an fsync storm on a SATA NCQ disk."""

import os
import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
from fsbtest import DEBUG_KERNEL, disk, done, equal, name_of, ok, run, write  # noqa: E402
from identity import Window  # noqa: E402

DISK = disk(0)
PROG = os.environ["FSB_OUT"] + "/prog/"
MOUNT = "/tmp/m"
LOAD = "/fsb/tests/vm/load/short.dbench"


def checked(name, command, scheduler):
    write("/sys/block/%s/queue/scheduler" % name_of(DISK), scheduler)
    name = "%s, %s" % (name, scheduler)
    window = Window(DISK)
    run(command)
    counts = window.end()
    window.check_diskstats(name)
    window.check_qemu(name)
    window.check_quality(name)
    return name, counts


def mounted(options, command):
    return ("mkfs.ext4 -q -F %s && mount -o %s %s %s && cd %s && %s && cd / && umount %s"
            % (DISK, options, DISK, MOUNT, MOUNT, command, MOUNT))


def dbench(scheduler):
    name, counts = checked("dbench 12 on ext4", mounted("barrier", "dbench -c %s -t 5 12" % LOAD), scheduler)
    ok(counts["flush_ios"] > 0 and counts["write_ios"] > 100, "%s: did something" % name, counts)
    equal(counts["fua_write_ios"], 0, "%s: no FUA writes on a disk without FUA" % name)
    ok(counts["sequence_end"] > 0, "%s: journal commits are flush sequences" % name, counts)


def storm(scheduler):
    """64 threads of write + fsync on one set of 8 files."""
    threads, rounds = 64, 2 if DEBUG_KERNEL else 10
    name, counts = checked("64 threads of fsync",
                           mounted("barrier", "%sfsync_storm . 8 %d %d" % (PROG, threads, rounds)),
                           scheduler)
    ok(counts["flush_ios"] >= rounds, "%s: flushes seen" % name, counts)
    equal(counts["flush_bytes"], 0, "%s: no flush carries bytes" % name)
    equal(counts["other_ios"], 0, "%s: nothing in class other" % name)


def raw(scheduler):
    """Known numbers of known requests: also compared with what the program did."""
    name, counts = checked("200 O_DSYNC writes", "dd if=/dev/zero of=%s bs=4k count=200 "
                           "oflag=direct,dsync" % DISK, scheduler)
    equal((counts["write_ios"], counts["bio_fua"], counts["sequence_end"]), (200, 200, 200),
          "%s: each FUA bio is a write and a flush sequence" % name)
    equal(counts["bio_empty_flush"], counts["sequence_end_empty"],
          "%s: every empty flush asked for ended" % name)
    name, counts = checked("100 direct reads of 64 KiB", "dd if=%s of=/dev/null bs=64k count=100 "
                           "iflag=direct" % DISK, scheduler)
    equal((counts["read_ios"], counts["read_bytes"], counts["write_ios"], counts["flush_ios"]),
          (100, 100 << 16, 0, 0), "%s: exactly those" % name)


def main():
    os.makedirs(MOUNT, exist_ok=True)
    for scheduler in ("mq-deadline", "none"):
        raw(scheduler)
        dbench(scheduler)
        storm(scheduler)
    done()


main()
