# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,latency=1,size=64M --disk scsi,dpofua,size=64M --disk nvme,size=64M
# vm-debug: --timeout 900
# cost: 40
"""What is written and not flushed: counted to the byte, covered by what was flushed, no more."""

import contextlib
import errno
import glob
import mmap
import os
import sys
import threading
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
import nullblk  # noqa: E402
import storage  # noqa: E402
from announced import CACHE, cache_of, events, heard  # noqa: E402
from fsbtest import (DEBUG_KERNEL, disk, done, equal, name_of, ok, run,  # noqa: E402
                     settle, skip, write)
from watched import until  # noqa: E402

SATA, SCSI, NVME = disk(0), disk(1), disk(2)
PAGE = 4096
BYTES, AGE = (genl.C["FSBSTAT_UNFLUSHED_HIST_" + kind] for kind in ("BYTES", "AGE"))
UNIT = 512 * 1024		# bytes x ns in one of the integral's units


class Disk:
    """A disk watched and opened for direct I/O as long as the block lasts."""

    def __init__(self, device):
        self.device = device
        self.buffer = mmap.mmap(-1, 1 << 20)
        self.module = self.fd = None

    def __enter__(self):
        settle(self.device)
        self.module = genl.Module()
        self.module.add(self.device)
        self.fd = os.open(self.device, os.O_RDWR | os.O_DIRECT)
        return self

    def __exit__(self, *_):
        os.close(self.fd)
        self.module.close()

    def write(self, page, size=PAGE):
        os.pwritev(self.fd, [memoryview(self.buffer)[:size]], page * PAGE)

    def flush(self):
        os.fsync(self.fd)

    def look(self):
        return self.module.snapshot(self.device)["unflushed"]

    def held(self):
        now = self.look()
        return now["written"] - now["covered"]


def samples(now, kind):
    return now["hists"].get(kind, {"count": 0, "sum": 0})


def to_the_byte(device, name):
    """Writes without a flush are held, all of them; a flush lets them go."""
    with Disk(device) as one:
        equal((one.held(), one.look()["since"]), (0, 0), name + ": nothing is held at first")
        before = time.monotonic_ns()
        one.write(1)
        after = time.monotonic_ns()
        for page, size in ((100, 65536), (1, PAGE), (300, 1 << 20)):
            one.write(page, size)
        total = 2 * PAGE + 65536 + (1 << 20)
        now = one.look()
        equal((now["written"], now["covered"], now["flushes"]), (total, 0, 0),
              name + ": what is written is held, overwritten data too")
        ok(before < now["since"] <= after, name + ": since the first of them",
           (before, now, after))
        one.flush()
        now = one.look()
        equal((now["written"], now["covered"], now["since"], now["flushes"]), (total, total, 0, 1),
              name + ": a flush covers it")
        bytes_, age = samples(now, BYTES), samples(now, AGE)
        equal((bytes_["count"], bytes_["sum"], bytes_["max"]), (1, total, total),
              name + ": how far it had come is a sample")
        ok(age["count"] == 1 and 0 < age["sum"] < time.monotonic_ns() - before,
           name + ": so is how long", age)
        one.flush()
        now = one.look()
        equal((now["flushes"], samples(now, BYTES)["count"], samples(now, BYTES)["min"],
               samples(now, AGE)["count"]), (2, 2, 0, 1),
              name + ": a flush of nothing is a sample of 0 bytes and of no age")


def fua(device, name):
    """FUA writes are safe when they end."""
    with Disk(device) as one:
        run("dd if=/dev/zero of=%s bs=4k count=20 oflag=direct,dsync" % device)
        settle(device)
        now = one.look()
        equal((genl.total(one.module.snapshot(device), "ios", "FUA_WRITE"), now["written"]),
              (20, 0), name + ": FUA writes hold nothing")
        one.write(7)
        equal(one.held(), PAGE, name + ": one without FUA does")


def write_through_view():
    """The kernel's view drops flushes; the drive caches all the same, and is counted so."""
    view = "/sys/block/%s/queue/write_cache" % name_of(SATA)
    write(view, "write through")
    with Disk(SATA) as one:
        one.write(1)
        one.flush()
        equal((one.held(), one.look()["flushes"]), (PAGE, 0),
              "kernel view write through: a flush that was never sent covers nothing")
        passthrough(one)
    write(view, "write back")


def passthrough(one):
    """A flush that nobody but the drive and libata sees."""
    flushes = one.look()["flushes"]
    run(["hdparm", "-F", one.device])
    now = one.look()
    equal((now["written"] - now["covered"], now["flushes"] - flushes), (0, 1),
          "a passthrough flush covers what was written")
    run(["hdparm", "-I", one.device])
    equal(one.look()["flushes"] - flushes, 1, "no other passthrough command is a flush")


def while_it_runs():
    """A write that is under way when the flush is issued is not covered by it."""
    took = 4 if DEBUG_KERNEL else 0.4
    with nullblk.disk("slow", size=64, memory_backed=1, cache_size=16, irqmode=nullblk.TIMER,
                      completion_nsec=int(took * 1e9)) as device:
        write("/sys/block/%s/queue/scheduler" % name_of(device), "none")
        with Disk(device) as one:
            one.write(1)
            late = threading.Thread(target=one.write, args=(50, 65536))
            late.start()
            until(lambda: genl.total(one.module.snapshot(device), "inflight") == 1, "no write")
            time.sleep(took / 4)
            start = time.monotonic_ns()
            one.flush()
            late.join()
            now = one.look()
            equal((now["written"] - now["covered"], now["covered"], now["flushes"]),
                  (65536, PAGE, 1), "what completes while a flush runs is still held")
            ok(start < now["since"] < time.monotonic_ns(), "since it completed", (start, now))
            equal(samples(now, BYTES)["sum"], PAGE + 65536,
                  "just before the flush ended both were held")
            one.flush()
            equal(one.held(), 0, "the next flush covers it")


def fails(one):
    """A flush that does not succeed. (QEMU only flushes storage that was written to.)"""
    try:
        one.flush()
    except OSError as error:
        return error.errno == errno.EIO
    return False


def failing():
    """A flush that fails covers nothing; when it is repeated, only the one that succeeds."""
    storage.make(64 << 20)
    with Disk(SATA) as one:
        with storage.failing(iotype="flush"):
            one.write(1)
            ok(fails(one), "the flush fails")
            now = one.look()
            equal((now["covered"], now["flushes"], samples(now, BYTES)["count"]), (0, 0, 0),
                  "and covers nothing")
        settle(SATA)
        with storage.failing(iotype="flush", once=True):
            one.write(1)
            one.flush()
            now = one.look()
            equal((now["covered"], now["flushes"], samples(now, BYTES)["count"]),
                  (2 * PAGE, 1, 1), "one that is repeated counts once")
        many_failed(one)


def many_failed(one):
    """However many flushes fail, the time of the first write is kept."""
    with storage.failing(iotype="flush"):
        before = time.monotonic_ns()
        one.write(1)
        after = time.monotonic_ns()
        for page in range(2):
            ok(fails(one), "another flush fails, six times over")
            one.write(page)
        now = one.look()
        ok(before < now["since"] < after, "the first write is remembered while flushes fail",
           (before, now, after))
        equal(now["written"] - now["covered"], 3 * PAGE, "and all bytes are held")
    settle(SATA)
    one.flush()
    equal((one.held(), one.look()["since"]), (0, 0), "until one succeeds")


def several_queues():
    """Writes on any queue are held by the disk; a flush on one covers those of all."""
    if os.cpu_count() < 2:
        skip("several queues", "one processor")
        return
    with nullblk.disk("queues", size=64, memory_backed=1, cache_size=16, submit_queues=2,
                      irqmode=nullblk.TIMER, completion_nsec=100000) as device:
        with Disk(device) as one:
            for cpu in (0, 1):
                os.sched_setaffinity(0, {cpu})
                for page in range(10):
                    one.write(page)
            snap = one.module.snapshot(device)
            equal([queue["classes"][genl.C["FSBSTAT_CLASS_WRITE"]]["ios"]
                   for queue in snap["queues"]], [10, 10], "two queues had ten writes each")
            equal(one.held(), 20 * PAGE, "which are held together")
            one.flush()
            equal((one.held(), one.look()["flushes"]), (0, 1), "a flush on one covers both")
            os.sched_setaffinity(0, range(os.cpu_count()))


class Bounds:
    """Bytes x ns that must at least and can at most have been held, by the test's own clock."""

    def __init__(self):
        self.written = []	# bytes, no sooner than, no later than
        self.least = self.most = 0

    def write(self, one, page, size):
        before = time.monotonic_ns()
        one.write(page, size)
        self.written.append((size, before, time.monotonic_ns()))

    def until(self, soonest, latest):
        for size, before, after in self.written:
            self.least += size * (soonest - after)
            self.most += size * (latest - before)
        self.written = []


def mean():
    """The integral of what is held against one that is kept here."""
    bounds = Bounds()
    with Disk(SATA) as one:
        begin = one.look()
        for turn in range(3):
            for page in range(4):
                bounds.write(one, 256 * page, (turn + 1) << 16)
                time.sleep(0.1)
            before = time.monotonic_ns()
            one.flush()
            bounds.until(before, time.monotonic_ns())
        bounds.write(one, 1, PAGE)
        time.sleep(0.3)
        before = time.monotonic_ns()
        end = one.look()
        bounds.until(before, time.monotonic_ns())
    integral = (end["integral"] - begin["integral"]) % (1 << 64) * UNIT
    ok(0.995 * bounds.least <= integral <= 1.005 * bounds.most,
       "the mean is that of a program that keeps its own",
       (bounds.least, integral, bounds.most))
    ok(bounds.most < 1.5 * bounds.least, "whose bounds are near each other",
       (bounds.least, bounds.most))
    ok(before <= end["time"] <= time.monotonic_ns(), "read when it says it was")


# --- settings


def refused(module, error, text, *arguments):
    try:
        module.set(*arguments)
        equal(0, error, text)
    except genl.Refused as refusal:
        equal(refusal.errno, error, text)


def bad_requests():
    """What makes no sense is refused, and says why."""
    module = genl.Module()
    module.add(SATA)
    where = module.where(SATA)
    value = lambda number: genl.attribute(genl.C["FSBSTAT_A_WRITE_CACHE"], bytes([number]))  # noqa: E731
    for text, payload, error in (("no state", where, errno.EINVAL),
                                 ("a state there is not", where + value(3), errno.ERANGE),
                                 ("no disk", value(1), errno.EINVAL)):
        try:
            module.call("DISK_SET", payload)
            got = 0
        except genl.Refused as refusal:
            got = refusal.errno if refusal.text else "no reason given"
        equal(got, error, "DISK_SET with %s" % text)
    equal(cache_of(module, SATA), ("UNKNOWN", 0), "and changes nothing")
    module.close()


def changes(device, name, command, others=()):
    """A command that changes settings is noticed: the cache's state is no longer known."""
    module = genl.Module()
    refused(module, errno.ENOENT, name + ": a disk that is not watched", device, "ON")
    module.add(device)
    equal(cache_of(module, device), ("UNKNOWN", 0), name + ": nobody has told")
    module.set(device, "ON")
    equal(cache_of(genl.Module(), device), ("ON", 0), name + ": told to all readers")
    for other in others:
        run(other)
    equal(cache_of(module, device), ("ON", 0), name + ": other commands change nothing")
    with contextlib.closing(events(module)) as listener:
        generation = module.module()["generation"]
        run(command)
        event, told = heard(listener)
        equal((event, told["settings"], CACHE[told["write_cache"]]),
              ("DISK_SETTINGS", 1, "UNKNOWN"), name + ": a change is announced")
        equal(module.module()["generation"], generation, name + ": no disk came or went")
    equal(cache_of(module, device), ("UNKNOWN", 1), name + ": and the state is unknown")
    module.set(device, "OFF")
    equal(cache_of(module, device), ("OFF", 1), name + ": until told anew")
    module.close()


def main():
    to_the_byte(SATA, "sata")
    to_the_byte(SCSI, "scsi")
    to_the_byte(NVME, "nvme")
    fua(SCSI, "scsi")
    fua(NVME, "nvme")
    with nullblk.disk("fua", size=64, memory_backed=1, cache_size=16, irqmode=nullblk.TIMER,
                      completion_nsec=100000) as device:
        fua(device, "null_blk")
        to_the_byte(device, "null_blk")
    write_through_view()
    while_it_runs()
    several_queues()
    mean()
    bad_requests()
    changes(SATA, "sata", ["hdparm", "-W0", SATA], (["hdparm", "-I", SATA], ["hdparm", "-F", SATA]))
    run(["hdparm", "-W1", SATA])
    caching, = glob.glob("/sys/block/%s/device/scsi_disk/*/cache_type" % name_of(SCSI))
    changes(SCSI, "scsi", "echo write through > " + caching,	# sd sends a MODE SELECT
            ("sdparm --get=WCE %s || test $? = 5" % SCSI,))
    failing()
    done()


main()
