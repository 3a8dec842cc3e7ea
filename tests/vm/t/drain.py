# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,latency=200000000
# kernels: bookworm bullseye forky
# cost: 60
"""Flushes among reads: each waits for the queue, then has the disk alone, on either kind of kernel.

libata keeps a flush back itself, or gives it back to the block layer to be issued again; its
drain and its time alone are the same on both.
"""

import mmap
import os
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
from atalink import ALONE, DRAIN, KIND, REFILL, check_time, kinds  # noqa: E402
from fsbtest import disk, done, equal, name_of, note, ok, settle, write  # noqa: E402
from watched import Load, until  # noqa: E402

DISK = disk(0)
NOMINAL = 200000000		# ns, what every command takes
FLUSHES = 8
REQUEUES = {"bookworm": False, "bullseye": True}.get(os.environ["FSB_KERNEL"])


def fsyncs(count, pause, reads=0):
    """Direct writes with a flush behind each, and so many reads before each."""
    fd, page = os.open(DISK, os.O_RDWR | os.O_DIRECT), mmap.mmap(-1, 4096)
    for i in range(count):
        for number in range(reads):
            os.preadv(fd, [page], (1000 + i * reads + number) << 12)
        os.pwritev(fd, [page], (3000 + i) << 12)
        os.fsync(fd)
        time.sleep(pause)
    os.close(fd)


class Watching:
    """The disk's counters from 0; end() settles and says what they are."""

    def __init__(self):
        self.module = genl.Module()
        settle(DISK)
        self.module.add(DISK)

    def ata(self):
        return self.module.snapshot(DISK)["ata"]

    def end(self, name):
        settle(DISK)
        snap = self.module.snapshot(DISK)
        self.module.close()
        check_time(snap["ata"], name)
        equal(kinds(None, snap["ata"])["FLUSH"], genl.total(snap, "ios", "FLUSH"),
              name + ": a FLUSH CACHE command for each flush request")
        return snap


def median_low(hist):
    """Lower edge of the bucket the median lies in (include/uapi/fsbstat_hist.h), ns."""
    seen = 0
    for index in sorted(hist["buckets"]):
        seen += hist["buckets"][index]
        if 2 * seen >= hist["count"]:
            octave, part = divmod(index - 1, 32)
            return (1 << (10 + octave)) + (part << (5 + octave))
    raise ValueError("an empty histogram")


def drains():
    """31 readers; a flush now and then."""
    name = "flushes among reads"
    watching = Watching()
    with Load(DISK, "-r", "-t", 31):
        until(lambda: (watching.ata() or {"tags": 0})["tags"] > 16, "no reads began")
        fsyncs(FLUSHES, 0.2)
    snap = watching.end(name)
    ata, hists = snap["ata"], snap["ata"]["hists"]
    flushes = genl.total(snap, "ios", "FLUSH")
    requeues = genl.total(snap, "requeues", "FLUSH")
    equal(flushes, FLUSHES, name + ": a flush for each fsync")
    if REQUEUES is not None:
        ok((requeues > 0) == REQUEUES, "%s: flushes are %s" % (
            name, "given back to the block layer" if REQUEUES else "kept back by libata"),
           requeues)
    ok(0 < ata["drains"] <= flushes, name + ": they waited for the queue", ata["drains"])
    equal((hists[DRAIN]["count"], hists[DRAIN]["sum"]),
          (ata["drains"], ata["wait_ns"] + ata["turnaround_ns"]),
          name + ": wait and turnaround are the drain")
    ok(hists[DRAIN]["max"] >= NOMINAL / 2, name + ": for reads to end that take 200 ms",
       hists[DRAIN])
    ok(ata["drain_ns"] >= hists[DRAIN]["sum"] > 0, name + ": that is in the disk's time", ata)
    check_alone(name, ata, flushes)
    check_refill(name, ata, flushes)
    note({key: ata[key] for key in ata if key.endswith("_ns") and key != "time_ns"})


def check_alone(name, ata, flushes):
    alone = ata["hists"][ALONE]
    equal(alone["count"], flushes, name + ": each flush had the disk alone once")
    ok(NOMINAL <= alone["min"] <= median_low(alone) * 33 / 32 <= 1.05 * NOMINAL * 33 / 32,
       name + ": for the time a flush takes: median within 5 %% of %d ms" % (NOMINAL // 10**6),
       alone)
    equal((ata["kinds"][KIND["FLUSH"]]["busy_ns"], ata["alone_ns"]), (alone["sum"],) * 2,
          name + ": which is their busy time, and all the time that anything was alone")


def check_refill(name, ata, flushes):
    refills = ata["hists"].get(REFILL, {"count": 0})["count"]
    equal(refills, ata["refills"], name + ": a sample for each refill")
    # Also after a flush that found the queue empty for a moment, hence not only after drains.
    ok(0 < refills + ata["refills_censored"] <= flushes, name + ": depth came back after them",
       (refills, ata["refills_censored"], flushes))
    ok(ata["tag_time_lost_ns"] > 0, name + ": tag time was lost")


def none(name, load, flushes):
    """What drains nothing, whatever is waited for."""
    watching = Watching()
    load()
    snap = watching.end(name)
    ata = snap["ata"]
    equal((kinds(None, ata)["FLUSH"], ata["drains"], ata["drain_ns"], ata["wait_ns"],
           ata["turnaround_ns"], ata["refills"], ata["refills_censored"]),
          (flushes, 0, 0, 0, 0, 0, 0), name + ": flushed, and nothing was drained")
    return ata


def no_queue():
    """NCQ off: readers as before, but nothing of theirs is ever queued at the disk."""
    def load():
        with Load(DISK, "-r", "-t", 8):
            fsyncs(4, 0.1)

    path = "/sys/block/%s/device/queue_depth" % name_of(DISK)
    write(path, 1)
    ata = none("queue depth 1", load, 4)
    ok(kinds(None, ata)["OTHER"] > 4 and ata["tags_max"] == 0, "queue depth 1: there were reads",
       kinds(None, ata))
    write(path, 32)


def main():
    drains()
    none("flushes alone", lambda: fsyncs(5, 0), 5)
    ata = none("one at a time", lambda: fsyncs(4, 0, reads=2), 4)
    equal((kinds(None, ata)["NCQ_READ"], kinds(None, ata)["NCQ_WRITE"], ata["tags_max"]),
          (8, 4, 1), "one at a time: reads and writes between them")
    no_queue()
    done()


main()
