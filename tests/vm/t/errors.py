# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,latency=1,size=64M
# vm-debug: --timeout 1200
# cost: 70
"""Errors, partial completions, requeues and refusals: each moves its own counters, no other.

Every case says all counters it expects to move; any further one that moves fails it. The
devices that misbehave on command are scsi_debug, null_blk's bad blocks, and the SATA disk, whose
storage QEMU replaces by one that fails.
"""

import contextlib
import errno
import mmap
import os
import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
import nullblk  # noqa: E402
import storage  # noqa: E402
from fsbtest import disk, done, equal, name_of, ok, qmp, read, run, write  # noqa: E402
from identity import Window  # noqa: E402
import scsidebug  # noqa: E402
from scsidebug import (BUSY, MEDIUM, MEDIUM_SECTOR, RECOVERED, SHORT, TIMEOUT,  # noqa: E402
                       TRANSPORT, every)

PAGE, LARGE = 4096, 65536
BLOCKED = 6			# tries that SCSI refuses after the host was busy once
TRIES = 5			# repetitions of what fails, before SCSI gives up
FLUSHED = {"flush_ios": 1, "hist_flush_0": 1, "hist_flush_1": 1}


class Raw:
    """A device opened for direct I/O; each call says how it ended: 0 or an errno."""

    def __init__(self, device, flags=0):
        self.fd = os.open(device, os.O_RDWR | os.O_DIRECT | flags)
        self.buffer = mmap.mmap(-1, LARGE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.fd)

    @staticmethod
    def _outcome(call, *arguments):
        try:
            call(*arguments)
            return 0
        except OSError as error:
            return error.errno

    def read(self, sector, size=PAGE):
        return self._outcome(os.preadv, self.fd, [memoryview(self.buffer)[:size]], sector * 512)

    def write(self, sector, size=PAGE):
        return self._outcome(os.pwritev, self.fd, [memoryview(self.buffer)[:size]], sector * 512)

    def sync(self):
        return self._outcome(os.fsync, self.fd)


def ended(cls, count, size, **others):
    """The counters that `count` requests of `size` bytes move, and those of the class given."""
    moved = {"%s_ios" % cls: count, "%s_bytes" % cls: count * size, "hist_%s_0" % cls: count,
             "hist_%s_1" % cls: count}
    moved.update(("%s_%s" % (cls, name), value) for name, value in others.items())
    return moved


def asked(cls, count, size):
    return {"bio_%s_ios" % cls: count, "bio_%s_bytes" % cls: count * size}


@contextlib.contextmanager
def expecting(name, device, *parts, qemu=False, **others):
    """What happens to the device inside moves exactly the counters given."""
    window = Window(device, qemu=qemu)
    yield window
    moved = {key: value for key, value in window.end().items() if value}
    expected = dict(others)
    for part in parts:
        expected.update(part)
    equal(moved, {key: value for key, value in expected.items() if value}, name)
    window.check_diskstats(name)


# --- scsi_debug


def injected(name, device, opts, size, sector=0, outcome=0, **counters):
    """Two reads, the second with what `opts` say."""
    own = {key: counters.pop(key) for key in ("partial",) if key in counters}
    with Raw(device) as raw:
        with every(0, RECOVERED):	# uses up what may be left of the last injection
            raw.read(0)
        with expecting(name, device, ended("read", 2, size, **counters), asked("read", 2, size),
                       **own), every(2, opts):
            equal((raw.read(0, size), raw.read(sector, size)), (0, outcome),
                  "%s: the reads end as they should" % name)


def scsi_cases(device, scheduler):
    write("/sys/block/%s/queue/scheduler" % name_of(device), scheduler)
    write("/sys/block/%s/device/timeout" % name_of(device), 1)
    place = "scsi_debug, %s: " % scheduler
    injected(place + "nothing injected", device, 0, LARGE)
    injected(place + "recovered error", device, RECOVERED, LARGE)
    injected(place + "short transfer, rest read again", device, SHORT, LARGE, partial=1,
             requeues=1)
    injected(place + "transport error, tried again", device, TRANSPORT, LARGE, requeues=1)
    injected(place + "timeout, aborted and tried again", device, TIMEOUT, LARGE, requeues=1)
    injected(place + "host busy", device, BUSY, LARGE, requeues=1, busy=BLOCKED)
    injected(place + "medium error", device, MEDIUM, LARGE, MEDIUM_SECTOR, errno.ENODATA,
             errors=1)
    injected(place + "half read, then a medium error", device, SHORT | MEDIUM, LARGE,
             MEDIUM_SECTOR - 100, errno.ENODATA, partial=1, requeues=1, errors=1)
    offline(place, device)


@contextlib.contextmanager
def back_again(device):
    """However it is left, the device takes requests afterwards (and is asked what it is)."""
    try:
        yield
    finally:
        write("/sys/block/%s/device/state" % name_of(device), "running\n")


def offline(place, device):
    """The disk is there and takes nothing: requests end without having been at it."""
    state = "/sys/block/%s/device/state" % name_of(device)
    with Raw(device) as raw:
        with back_again(device), \
                expecting(place + "offline, reads", device, asked("read", 3, LARGE),
                          read_not_sent=3, read_not_sent_bytes=3 * LARGE):
            write(state, "offline\n")
            equal([raw.read(0, LARGE) for _ in range(3)], [errno.EIO] * 3,
                  place + "offline: reads fail")
        with back_again(device), \
                expecting(place + "offline, write and fsync", device, asked("write", 1, PAGE),
                          write_not_sent=1, write_not_sent_bytes=PAGE, bio_empty_flush=1,
                          flush_not_sent=1, sequence_end_empty=1, sequence_end_errors=1):
            write(state, "offline\n")
            equal((raw.write(0), raw.sync()), (errno.EIO, errno.EIO),
                  place + "offline: write and fsync fail")


# --- null_blk


def null_blk(scheduler):
    with nullblk.disk("bad", size=64, memory_backed=1, cache_size=8, badblocks="+800-807",
                      irqmode=nullblk.TIMER, completion_nsec=100000) as device:
        write("/sys/block/%s/queue/scheduler" % name_of(device), scheduler)
        place = "null_blk, %s: " % scheduler
        good, bad = range(0, 80, 8), [800] * 3
        with Raw(device) as raw, \
                expecting(place + "3 of 13 reads fail", device,
                          ended("read", 13, PAGE, errors=3), asked("read", 13, PAGE)):
            equal([raw.read(sector) for sector in (*good, *bad)], [0] * 10 + [errno.EIO] * 3,
                  place + "reads of the bad block fail")
        with Raw(device) as raw, \
                expecting(place + "3 of 13 writes fail", device,
                          ended("write", 13, PAGE, errors=3), asked("write", 13, PAGE)):
            equal([raw.write(sector) for sector in (*good, *bad)], [0] * 10 + [errno.EIO] * 3,
                  place + "writes of the bad block fail")
        with Raw(device, os.O_DSYNC) as raw, \
                expecting(place + "a FUA write fails", device,
                          ended("fua_write", 1, PAGE, errors=1), asked("write", 1, PAGE),
                          bio_fua=1):
            equal(raw.write(800), errno.EIO, place + "the FUA write of the bad block fails")


# --- the SATA disk over storage that fails


def without_rescan(counts):
    """libata's error handling looks at the disk anew: passthrough, in class other only.

    A request that comes while it does so may be refused (busy), which is a matter of timing.
    """
    return {key: value for key, value in counts.items()
            if value and not key.startswith(("other_", "hist_other_")) and
            not key.endswith("_busy")}


def attempts(counts, cls):
    return counts[cls + "_ios"] + counts[cls + "_requeues"]


def mixing(device, place):
    """NCQ and flushes exclude each other: requests come back from the driver, which is no harm."""
    threads, operations = 8, 100
    window = Window(device)
    run(["load_disk", "-t", str(threads), "-n", str(operations), device])
    counts = window.end()
    ok(counts["read_requeues"] + counts["write_requeues"] > 0,
       place + "requests beside flushes are requeued", counts)
    equal((counts["read_bytes"], counts["write_bytes"]), (threads * operations // 2 * PAGE,) * 2,
          place + "each byte counts once all the same")
    equal([key for key, value in counts.items() if value and key.endswith(
        ("_errors", "_busy", "_not_sent", "partial"))], [], place + "nothing else is moved")
    window.check_diskstats(place + "requeues")
    window.check_qemu(place + "requeues")
    window.check_quality(place + "requeues")


def check_ata(window, name):
    """The failed attempts and the time libata spent on them."""
    window.check_ata(name)
    ok(window.ata["errors"] >= TRIES and window.ata["error_ns"] > 0,
       name + ": failed commands and the time of their handling are counted", window.ata)


def flush_fails(device, place):
    with storage.failing(iotype="flush", once=True), Raw(device) as raw:
        window = Window(device)
        equal((raw.write(0), raw.sync()), (0, 0), place + "a flush that fails once is repeated")
        counts = window.end()
    equal(without_rescan(counts),
          {**ended("write", 1, PAGE), **asked("write", 1, PAGE), **FLUSHED, "flush_requeues": 1,
           "bio_empty_flush": 1, "sequence_end_empty": 1},
          place + "its repetition is a requeue, no error")
    with storage.failing(iotype="flush"), Raw(device, os.O_DSYNC) as raw:
        window = Window(device)
        equal(raw.write(0), errno.EIO, place + "an O_DSYNC write whose flush fails, fails")
        counts = window.end()
    equal(without_rescan(counts),
          {**ended("write", 1, PAGE), **asked("write", 1, PAGE), **FLUSHED,
           "flush_requeues": TRIES, "flush_errors": 1, "bio_fua": 1, "sequence_end": 1,
           "sequence_end_errors": 1, "hist_write_2": 1},
          place + "the flush is the error, the write itself is none")
    check_ata(window, place + "flush error")
    window.check_diskstats(place + "flush error")
    equal(attempts(counts, "flush"),
          window.disk_qemu["flush_operations"] + window.disk_qemu["failed_flush_operations"],
          place + "QEMU saw every attempt to flush")


def write_fails(device, place):
    with storage.failing(iotype="write", sector=800), Raw(device) as raw:
        window = Window(device)
        equal([raw.write(sector) for sector in (0, 8, 16, 800, 24)], [0, 0, 0, errno.EIO, 0],
              place + "the write of the bad sector fails")
        counts = window.end()
    equal(without_rescan(counts),
          {**ended("write", 5, PAGE, errors=1, requeues=TRIES), **asked("write", 5, PAGE)},
          place + "it is one error, its repetitions are requeues")
    check_ata(window, place + "write error")
    window.check_diskstats(place + "write error")
    equal(attempts(counts, "write"),
          window.disk_qemu["wr_operations"] + window.disk_qemu["failed_wr_operations"],
          place + "QEMU saw every attempt to write")


@contextlib.contextmanager
def stuck():
    """The SATA disk takes longer for a command than SCSI waits for it."""
    qmp("blockdev-add", driver="null-co", size=64 << 20,
        **{"node-name": "stuck", "latency-ns": 3 * 10**9})
    storage.below("stuck")
    try:
        yield
    finally:
        storage.below("good")
        qmp("blockdev-del", **{"node-name": "stuck"})


def read_times_out(device, place):
    """Commands that end without a trace: the tags do not stick, the time is one of errors."""
    patience = "/sys/block/%s/device/timeout" % name_of(device)
    usual = read(patience)
    write(patience, 1)
    with Raw(device) as raw:
        window = Window(device)
        with stuck():
            equal(raw.read(0), errno.EIO, place + "a read that always times out fails")
        write(patience, usual)
        equal(raw.read(0), 0, place + "the disk works afterwards")
        counts = window.end()
    equal(without_rescan(counts),
          {**ended("read", 2, PAGE, errors=1, requeues=TRIES), **asked("read", 2, PAGE)},
          place + "time-outs are requeues, and one error")
    window.check_ata(place + "time-outs")
    ok(window.ata["error_ns"] > 0 and window.ata["queued_ns"] > 0,
       place + "time-outs: until error handling the command was at the disk, then it is errors",
       window.ata)
    window.check_diskstats(place + "time-outs")


def sata(device, scheduler):
    write("/sys/block/%s/queue/scheduler" % name_of(device), scheduler)
    place = "sata, %s: " % scheduler
    flush_fails(device, place)
    write_fails(device, place)	# libata gives NCQ up after this


def main():
    device = disk(0)
    storage.make(64 << 20)
    for scheduler in ("none", "mq-deadline"):
        write("/sys/block/%s/queue/scheduler" % name_of(device), scheduler)
        mixing(device, "sata, %s: " % scheduler)
    read_times_out(device, "sata: ")
    for scheduler in ("none", "mq-deadline"):
        sata(device, scheduler)
    with scsidebug.disk() as device:
        for scheduler in ("none", "mq-deadline"):
            scsi_cases(device, scheduler)
    for scheduler in ("none", "mq-deadline"):
        null_blk(scheduler)
    done()


main()
