#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the other tests rely on: disks found by serial number, QEMU's counters within reach and
# equal to the kernel's, the module's and the project's place. What the host sees of a run is
# tested by tests/vm/rig-selftest.
#
# vm: --no-module --disk sata,size=256M --disk virtio,size=128M --disk nvme,size=64M
# vm: --disk scsi,dpofua,size=32M --disk sata,wce=off,size=16M --disk sata,latency=5000000
# vm: --disk sata,size=8M,read=1ms,flush=30ms
# vm-debug: --mem 1536 --timeout 900
# cost: 20

import mmap
import os
import time

from fsbtest import (blockstats, delta, disk, diskstats, done, equal, name_of, ok, qmp, read, run,
                     settle)

MIB = 1 << 20


def sizes_tell_the_disks_apart():
    for number, size in enumerate((256, 128, 64, 32, 16, 1024, 8)):
        sectors = int(read("/sys/block/%s/size" % name_of(disk(number))))
        equal(sectors * 512, size * MIB, "disk %d is the one asked for as such" % number)


def queue(number, attribute):
    return read("/sys/block/%s/queue/%s" % (name_of(disk(number)), attribute))


def disks_are_as_asked_for():
    equal(queue(0, "write_cache"), "write back", "sata has a write cache")
    equal(queue(4, "write_cache"), "write through", "sata,wce=off has none")
    equal(queue(0, "fua"), "0", "sata has no FUA")
    equal(queue(3, "fua"), "1", "scsi,dpofua has FUA")
    equal(queue(2, "fua"), "1", "nvme has FUA")
    equal(read("/sys/block/%s/device/queue_depth" % name_of(disk(0))), "32",
          "sata queues 32 commands")


def load(device, direct):
    """12 reads; 7 writes with one fsync each. dd's fsync flushes once."""
    run(["dd", "if=" + device, "of=/dev/null", "bs=4096", "count=12", "iflag=direct"])
    for number in range(7):
        run(["dd", "if=/dev/zero", "of=" + device, "bs=4096", "count=1", "seek=%d" % number,
             "conv=fsync,notrunc"] + (["oflag=direct"] if direct else []))


def counters_agree(number, transport):
    device = disk(number)
    settle(device)
    kernel, emulator = diskstats(device), blockstats(device)
    load(device, direct=True)
    settle(device)
    kernel, emulator = delta(diskstats(device), kernel), delta(blockstats(device), emulator)
    equal(emulator["rd_operations"], 12, "%s: QEMU counts the reads" % transport)
    equal(emulator["wr_operations"], 7, "%s: QEMU counts the writes" % transport)
    equal(emulator["flush_operations"], 7, "%s: QEMU counts the flushes" % transport)
    equal(kernel["reads"], emulator["rd_operations"], "%s: reads agree" % transport)
    # the kernel counts the empty bio that asks for a flush as a write too
    equal(kernel["writes"], emulator["wr_operations"] + emulator["flush_operations"],
          "%s: writes agree" % transport)
    equal(kernel["flushes"], emulator["flush_operations"], "%s: flushes agree" % transport)
    equal(kernel["sectors_read"] * 512, emulator["rd_bytes"], "%s: bytes read agree" % transport)
    equal(kernel["sectors_written"] * 512, emulator["wr_bytes"],
          "%s: bytes written agree" % transport)


def latency_is_as_asked_for():
    before = time.monotonic()
    run(["dd", "if=" + disk(5), "of=/dev/null", "bs=4096", "count=40", "iflag=direct"])
    took = time.monotonic() - before
    ok(took >= 40 * 0.005, "sata,latency: 40 reads take 40 times as long", "%.3f s" % took)


def times_of(call, count):
    """Seconds that each of `count` calls took."""
    stamps = [time.monotonic()]
    for number in range(count):
        call(number)
        stamps.append(time.monotonic())
    return [later - earlier for earlier, later in zip(stamps, stamps[1:])]


def times_are_as_asked_for():
    """A busy host makes a request longer, never shorter: the floor holds for each of them, and
    that kinds have times of their own shows in the fastest one."""
    node = os.open(disk(6), os.O_RDWR | os.O_DIRECT)
    page = mmap.mmap(-1, 4096)

    def flush(number):
        os.pwritev(node, [page], 4096 * number)
        os.fsync(node)

    flushes = times_of(flush, 10)
    reads = times_of(lambda number: os.preadv(node, [page], 4096 * number), 40)
    writes = times_of(lambda number: os.pwritev(node, [page], 4096 * number), 40)
    os.close(node)
    ok(min(flushes) >= 0.030, "sata,flush: no flush is faster", flushes)
    ok(0.001 <= min(reads) < 0.030, "sata,read: no read is faster; reads do not take a flush's time",
       reads)
    ok(min(writes) < 0.030, "a kind without a time does not wait", writes)


def surroundings():
    equal(os.getcwd(), "/fsb", "the command starts in the project's tree")
    result = run("touch /fsb/x", check=False)
    ok(result.returncode and "Read-only" in result.stderr, "the project's tree is read-only")
    ok(not os.path.exists("/sys/module/fsbstat"), "--no-module loads no module")
    equal(qmp("query-status")["status"], "running", "QMP answers")
    result = run(["qmp", '{"execute": "no-such-command"}'], check=False)
    ok(result.returncode == 1 and "CommandNotFound" in result.stderr, "QMP's refusals come through")


sizes_tell_the_disks_apart()
disks_are_as_asked_for()
counters_agree(0, "sata")
counters_agree(1, "virtio")
latency_is_as_asked_for()
times_are_as_asked_for()
surroundings()
done()
