#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Latencies of devices that are known to take a certain time: never less than that, never more
# than the program that did the I/O has waited, and as many as there were operations. No upper
# bound is set in seconds: the host's own load would break it.
#
# vm: --disk sata,latency=3000000
# cost: 25

import json

import genl
import nullblk
from fsbtest import blockstats, delta, disk, diskstats, done, equal, note, ok, run, settle

SATA_NS = 3000000
NULLBLK = ((200000, 200), (2000000, 100), (50000000, 20))	# nominal ns, operations


class Watch:
    """What a program, the kernel and the module say of one run of rawio on an idle disk."""

    def __init__(self, device, mode, count):
        settle(device)
        module = genl.Module()
        module.add(device)
        before = diskstats(device)
        self.program = json.loads(run(["rawio", device, mode, str(count)]).stdout)
        settle(device)
        self.kernel = delta(diskstats(device), before)
        self.snap = module.snapshot(device)
        module.delete(device)
        module.close()

    def hist(self, cls, kind):
        """The one histogram that counts this; the others of its class and kind are empty."""
        key = genl.C["FSBSTAT_CLASS_" + cls], genl.C["FSBSTAT_HIST_" + kind]
        found = [queue["hists"][key] for queue in self.snap["queues"] if key in queue["hists"]]
        return found[0] if len(found) == 1 else {"count": 0, "sum": 0, "min": 0, "max": 0,
                                                 "buckets": {}}

    def ios(self, cls):
        return genl.total(self.snap, "ios", cls)


def check(watch, name, cls, count, nominal, operation):
    """The device's latency against its nominal one and the program's time per operation."""
    device, queue = watch.hist(cls, "DEVICE"), watch.hist(cls, "QUEUE")
    times = watch.program[operation]
    note("%s: device min %d mean %d ns, program min %d mean %d ns" % (
        name, device["min"], device["sum"] // max(1, device["count"]),
        times["min"], times["sum"] // times["count"]))
    equal((watch.ios(cls), device["count"], queue["count"], sum(device["buckets"].values())),
          (count,) * 4, "%s: each is counted once, in every place" % name)
    ok(device["min"] >= nominal, "%s: none is faster than the device" % name,
       "%d < %d ns" % (device["min"], nominal))
    ok(device["min"] <= times["min"], "%s: the fastest is no slower than the program's" % name)
    ok(device["sum"] + queue["sum"] <= times["sum"],
       "%s: queue and device together are within what the program has waited" % name,
       "%d + %d > %d ns" % (device["sum"], queue["sum"], times["sum"]))


def on_nullblk(nominal, count):
    for mode, cls in (("read", "READ"), ("write", "WRITE")):
        name = "null_blk %g ms %s" % (nominal / 1e6, mode)
        with nullblk.disk("nlat", irqmode=nullblk.TIMER, completion_nsec=nominal) as device:
            watch = Watch(device, mode, count)
        check(watch, name, cls, count, nominal, mode)
        equal(watch.kernel[mode + "s"], count, "%s: so says diskstats" % name)


def on_nullblk_with_cache(nominal, count):
    """FUA, which AHCI has not: the flush that follows finds its own latency."""
    name = "null_blk with a cache"
    with nullblk.disk("nlat", irqmode=nullblk.TIMER, completion_nsec=nominal,
                      memory_backed=1, cache_size=16) as device:
        watch = Watch(device, "dsync", count)
    equal((watch.ios("FUA_WRITE"), watch.ios("FLUSH"), watch.ios("WRITE")), (count, count, 0),
          "%s: an O_DSYNC write is a FUA write and a flush" % name)
    for cls in "FUA_WRITE", "FLUSH":
        ok(watch.hist(cls, "DEVICE")["min"] >= nominal, "%s: no %s is faster than the device"
           % (name, cls))
    equal((watch.kernel["writes"], watch.kernel["flushes"]), (2 * count, count),
          "%s: so says diskstats, which counts an empty flush as a write" % name)


def sata_counts(watch, emulator, name, reads, writes, flushes):
    equal((watch.ios("READ"), watch.ios("WRITE"), watch.ios("FLUSH")), (reads, writes, flushes),
          "%s: counts" % name)
    equal((emulator["rd_operations"], emulator["wr_operations"], emulator["flush_operations"]),
          (reads, writes, flushes), "%s: so says QEMU" % name)
    empty = genl.total(watch.snap, "sequence_end_empty")
    equal((watch.kernel["reads"], watch.kernel["writes"], watch.kernel["flushes"]),
          (reads, writes + empty, flushes), "%s: so says diskstats" % name)


def on_sata(count):
    device = disk(0)
    runs = {}
    for mode in "read", "write", "pair", "dsync":
        before = blockstats(device)
        runs[mode] = Watch(device, mode, count)
        # an O_DSYNC write becomes a write and a flush where there is no FUA, then the fsync's
        flushes = {"pair": count, "dsync": 2 * count}.get(mode, 0)
        writes = 0 if mode == "read" else count
        sata_counts(runs[mode], delta(blockstats(device), before), "sata " + mode,
                    count - writes, writes, flushes)
    check(runs["read"], "sata read", "READ", count, SATA_NS, "read")
    check(runs["write"], "sata write", "WRITE", count, SATA_NS, "write")
    check(runs["pair"], "sata write before fdatasync", "WRITE", count, SATA_NS, "write")
    check(runs["pair"], "sata fdatasync", "FLUSH", count, SATA_NS, "sync")
    durable(runs, count)


def durable(runs, count):
    """Until data is safe takes the write and the flush behind it; plain writes promise nothing."""
    hist = runs["dsync"].hist("WRITE", "DURABLE")
    equal(hist["count"], count, "sata dsync: each write has a durable latency")
    ok(hist["min"] >= 2 * SATA_NS, "sata dsync: it holds the write and the flush",
       "%d < %d ns" % (hist["min"], 2 * SATA_NS))
    ok(hist["sum"] <= runs["dsync"].program["write"]["sum"],
       "sata dsync: it is within what the program has waited")
    equal([runs[mode].hist("WRITE", "DURABLE")["count"] for mode in ("write", "pair")], [0, 0],
          "sata: writes outside a flush sequence have none")


for latency in NULLBLK:
    on_nullblk(*latency)
on_nullblk_with_cache(2000000, 50)
on_sata(100)
done()
