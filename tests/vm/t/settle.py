#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A disk that is added while it is busy: the requests from before are not counted, never make the
# depth negative or leave it standing, and are reported as untracked; new ones among them are
# counted exactly. And at rest the depth is 0.
#
# The requests are reads by threads of this process, one each, held long enough by a device of
# known latency to be still there when the disk has been added.
#
# vm: --disk sata,latency=2000000000
# cost: 60

import mmap
import os
import subprocess
import threading
import time

import genl
import nullblk
from fsbtest import (PATIENCE, delta, disk, diskstats, done, equal, name_of, note, ok, read,
                     settle, write)
from watched import until


class Reads:
    """Direct reads, all at once, each by a thread of its own at a place of its own."""

    def __init__(self, device, count, first=0):
        self.device = device
        self.errors = []
        self.threads = [threading.Thread(target=self._one, args=((first + i) << 20,))
                        for i in range(count)]
        for thread in self.threads:
            thread.start()

    def _one(self, place):
        try:
            file = os.open(self.device, os.O_RDONLY | os.O_DIRECT)
            try:
                os.preadv(file, [mmap.mmap(-1, 4096)], place)
            finally:
                os.close(file)
        except OSError as error:
            self.errors.append(error)

    def join(self):
        for thread in self.threads:
            thread.join()
        if self.errors:
            raise self.errors[0]


def inflight(device):
    """Requests the driver has, as the kernel itself counts them."""
    return sum(map(int, read("/sys/block/%s/inflight" % name_of(device)).split()))


def use_scheduler(device, scheduler):
    write("/sys/block/%s/queue/scheduler" % name_of(device), scheduler)


def faults(snap, most):
    """What no snapshot may show; depth is unsigned, so that a negative one would be huge."""
    wrong = []
    for queue in snap["queues"]:
        if not queue["inflight"] <= queue["depth_max"] <= most:
            wrong.append("%d in flight, %d at most" % (queue["inflight"], queue["depth_max"]))
        if sum(queue["depth_ns"]) != queue["time"] - queue["start"]:
            wrong.append("time")
        if sum(i * ns for i, ns in enumerate(queue["depth_ns"])) != (
                queue["device_ns"] + queue["requeued_ns"] + queue["inflight_age_ns"]):
            wrong.append("depth x time")
    return wrong


def watch_until_settled(module, device, most):
    """Snapshots until nothing old is left: (settling in each, faults, the last snapshot)."""
    settling, wrong = [], []
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        snap = module.snapshot(device)
        settling.append(snap["disk"]["settling"])
        wrong += faults(snap, most)
        if not settling[-1] and not inflight(device):
            break
        time.sleep(0.02)
    return settling, wrong, module.snapshot(device)


def in_time(attempt):
    """What attempt() gives as soon as it gives something. It gives nothing when this machine was so
    busy that the device had ended a request before all that must come earlier was done."""
    return until(attempt, "this machine is slower than the device")


def add_under(device, old, new, seconds):
    """Adds the disk under reads, which take so long; None if the first may have ended before the
    first snapshot. Else the module, what it says twice, both loads and how many were in flight."""
    settle(device)
    began = time.monotonic()
    before = Reads(device, old)
    while inflight(device) != old and time.monotonic() - began < seconds:
        time.sleep(0.002)
    module = genl.Module()
    added = module.add(device)
    held = inflight(device)
    after = Reads(device, new, old)
    said = added["settling"], module.snapshot(device)["disk"]["settling"]
    if time.monotonic() - began < seconds:
        return module, said, before, after, held
    before.join()
    after.join()
    module.close()
    note("not in time")
    return None


def added_while_busy(name, device, old, new, seconds):
    """old requests are at the device when it is added, new ones come right after."""
    module, said, before, after, held = in_time(lambda: add_under(device, old, new, seconds))
    settling, wrong, snap = watch_until_settled(module, device, new)
    before.join()
    after.join()
    equal(held, old, "%s: %d requests were in flight when the disk had been added" % (name, old))
    equal((*said, settling[-1]), (1, 1, 0),
          "%s: it says that they are, until they are gone" % name)
    ok(settling == sorted(settling, reverse=True), "%s: and does not change its mind" % name)
    note("%s: %d snapshots" % (name, len(settling)))
    equal(wrong[:5], [], "%s: depth is that of the new requests alone in every snapshot" % name)
    equal(genl.total(snap, "inflight"), 0, "%s: depth ends at 0" % name)
    equal((genl.total(snap, "untracked"), genl.total(snap, "unmatched")), (old, 0),
          "%s: the old ones are untracked, none is unmatched" % name)
    equal(genl.total(snap, "ios", "READ"), new, "%s: the new ones are counted" % name)
    then_counts_all(name, module, device)
    module.close()


def then_counts_all(name, module, device):
    """Once settled, nothing of the beginning is left."""
    before = module.snapshot(device)
    Reads(device, 4).join()
    settle(device)
    after = module.snapshot(device)
    equal([genl.total(after, key) - genl.total(before, key) for key in ("untracked", "unmatched")]
          + [genl.total(after, "ios", "READ") - genl.total(before, "ios", "READ")], [0, 0, 4],
          "%s: later requests are counted, and nothing else" % name)


def add_under_flush(device, seconds):
    """Adds the disk while it flushes, after a write; None if the flush may have ended before. Else
    the module, the answer and the program."""
    settle(device)
    before = diskstats(device)
    pair = subprocess.Popen(["rawio", device, "pair", "1"], stdout=subprocess.DEVNULL)
    writing = time.monotonic()
    while delta(diskstats(device), before)["writes"] < 1:
        writing = time.monotonic()
        time.sleep(0.01)
    time.sleep(0.1)		# the write has ended; now it flushes
    module = genl.Module()
    added = module.add(device)
    module.snapshot(device)
    if time.monotonic() - writing < seconds:
        return module, added, pair
    pair.wait()
    module.close()
    note("not in time")
    return None


def added_while_flushing():
    """The flush request is not one of the queue's own and carries no bytes."""
    name = "null_blk with a cache"
    with nullblk.disk("nflush", irqmode=nullblk.TIMER, completion_nsec=1000000000,
                      memory_backed=1, cache_size=16) as device:
        module, added, pair = in_time(lambda: add_under_flush(device, 1))
        settling, wrong, _ = watch_until_settled(module, device, 1)
        equal(pair.wait(), 0, "%s: the program ends well" % name)
        settle(device)
        snap = module.snapshot(device)
        module.close()
    equal((added["settling"], settling[-1], wrong[:5]), (1, 0, []),
          "%s: a flush in flight unsettles" % name)
    equal((genl.total(snap, "untracked"), genl.total(snap, "unmatched"),
           genl.total(snap, "ios", "FLUSH"), genl.total(snap, "sequence_end_empty"),
           genl.total(snap, "inflight")), (1, 0, 0, 1, 0),
          "%s: it is untracked, the end of what it was for is seen" % name)


def at_rest(name, device):
    """After I/O has ended, all time goes to depth 0."""
    settle(device)
    module = genl.Module()
    module.add(device)
    Reads(device, 8).join()
    settle(device)
    first = module.snapshot(device)
    time.sleep(1)
    last = module.snapshot(device)
    module.close()
    for a, b in zip(first["queues"], last["queues"]):
        grown = [now - then for now, then in zip(b["depth_ns"], a["depth_ns"])]
        equal((b["inflight"], b["inflight_age_ns"], grown[0], sum(grown[1:])),
              (0, 0, b["time"] - a["time"], 0), "%s: depth is 0 at rest" % name)
    equal(genl.total(last, "ios", "READ"), 8, "%s: there had been I/O" % name)


def main():
    sata = disk(0)
    for scheduler in "none", "mq-deadline":
        use_scheduler(sata, scheduler)
        added_while_busy("sata, %s, all 32 tags" % scheduler, sata, 32, 0, 2)
        added_while_busy("sata, %s, new among old" % scheduler, sata, 20, 12, 2)
    at_rest("sata", sata)
    for scheduler in "none", "mq-deadline":
        with nullblk.disk("nheld", irqmode=nullblk.TIMER, completion_nsec=1000000000,
                          submit_queues=2) as device:
            use_scheduler(device, scheduler)
            added_while_busy("null_blk, %s" % scheduler, device, 32, 32, 1)
    added_while_flushing()


main()
done()
