#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The median of a histogram against the median the program has timed for itself, under -icount:
# the guest's clock counts its instructions and jumps to the next timer when there is nothing to
# do, so that the host's load does not reach it. (Disks of QEMU take the host's time and are no
# use here: the guest's clock runs wild while it waits for them.)
#
# The program's time holds the system call besides the device: at most some 20 000 instructions,
# which are 20 us here. Beside 2 ms that is below 1/64; the middle of a bucket is within 1/64 of
# any value in it; so the two medians differ by 1/32 at most, if the module is right.
#
# vm: --icount
# cost: 20

import json

import genl
import nullblk
from fsbtest import done, equal, note, ok, run, settle

BOUND = 1 / 32
NULLBLK = ((2000000, 300), (50000000, 100))	# nominal ns, operations


def edges(index):
    """Lowest value of a bucket and of the next: 32 an octave, the first begins at 2^10."""
    def low(index):
        octave, part = divmod(index - 1, 32)
        return (32 + part) << 5 + octave
    return low(index), low(index + 1)


def median(hist):
    """Middle of the bucket that holds the median sample."""
    rank = (hist["count"] + 1) // 2
    for index in sorted(hist["buckets"]):
        rank -= hist["buckets"][index]
        if rank <= 0:
            return sum(edges(index)) / 2
    raise ValueError("an empty histogram")


def one(snap, cls, kind):
    key = genl.C["FSBSTAT_CLASS_" + cls], genl.C["FSBSTAT_HIST_" + kind]
    found = [queue["hists"][key] for queue in snap["queues"] if key in queue["hists"]]
    if len(found) != 1:
        raise ValueError("%s %s: %d histograms" % (cls, kind, len(found)))
    return found[0]


def near(got, expected):
    return abs(got - expected) <= expected * BOUND


def check(name, snap, cls, count, times):
    device, queue = one(snap, cls, "DEVICE"), one(snap, cls, "QUEUE")
    p50 = median(device)
    note("%s: p50 of the device %d ns, of the program %d ns; mean queue %d + device %d, program %d"
         % (name, p50, times["p50"], queue["sum"] // count, device["sum"] // count,
            times["sum"] // count))
    equal(device["count"], count, "%s: each is counted" % name)
    ok(near(p50, times["p50"]), "%s: p50 is within 1/32 of the program's" % name,
       "%d, %d ns" % (p50, times["p50"]))
    both = queue["sum"] + device["sum"]
    ok(times["sum"] * (1 - BOUND / 2) <= both <= times["sum"],
       "%s: queue + device is the program's time without its system calls" % name,
       "%d, %d ns" % (both, times["sum"]))
    return p50


def watched(device, mode, count):
    settle(device)
    module = genl.Module()
    module.add(device)
    program = json.loads(run(["rawio", device, mode, str(count)]).stdout)
    settle(device)
    snap = module.snapshot(device)
    module.close()
    return snap, program


def on_nullblk(nominal, count):
    for mode, cls in (("read", "READ"), ("write", "WRITE")):
        name = "null_blk %d ms %s" % (nominal // 1000000, mode)
        with nullblk.disk("nlat", irqmode=nullblk.TIMER, completion_nsec=nominal) as device:
            snap, program = watched(device, mode, count)
        p50 = check(name, snap, cls, count, program[mode])
        ok(near(p50, nominal), "%s: and of the time the device was told to take" % name)


def on_nullblk_with_cache(nominal, count):
    """A write and an fdatasync, timed apart; the disk gets a write and a flush."""
    with nullblk.disk("nlat", irqmode=nullblk.TIMER, completion_nsec=nominal,
                      memory_backed=1, cache_size=16) as device:
        snap, program = watched(device, "pair", count)
    name = "null_blk with a cache, "
    check(name + "write", snap, "WRITE", count, program["write"])
    check(name + "fdatasync", snap, "FLUSH", count, program["sync"])


for latency in NULLBLK:
    on_nullblk(*latency)
on_nullblk_with_cache(5000000, 100)
done()
