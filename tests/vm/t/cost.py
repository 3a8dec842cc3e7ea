#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What watching costs, in instructions of the guest: under -icount a nanosecond of the guest is
# an instruction, and the same work takes the same number of them in every run. Idle time does
# not count, and neither do caches and contended locks, which no emulator shows.
#
# 4 KiB direct reads at random places of a null_blk disk that answers at once, and O_DSYNC writes
# on one with a cache (each a FUA write and a flush), in four states: the module not loaded,
# loaded with nothing watched, another disk watched, this disk watched. And by layer, on disks that
# take 20 us, as real ones take longer than the least that histograms tell apart.
#
# vm: --icount --no-module
# cost: 25

import json
import os
import time

import genl
import nullblk
from fsbtest import done, equal, note, ok, run, write

READS, WRITES, ROUNDS = 20000, 3000, 2

# Instructions on Debian's 6.1: what watching may cost. docs/performance.md has what it does.
LAYER_MAX = 410		# a read of a watched disk: bio and request layer, who asked
OTHER_MAX = 66		# a read while another disk is watched; the mean, which varies by one
DSYNC_MAX = 1150	# an O_DSYNC write of a watched disk, with its flush, p50

# Of a disk that takes 20 us, p50.
REQUEST_MAX = 330	# layer REQUEST alone
ALL_MAX = 410		# all layers
ELEVATOR_MAX = 430	# all layers, mq-deadline
OTHER_REQUEST_MAX = 42	# another disk is watched, layer REQUEST alone
OTHER_ALL_MAX = 62	# all layers
SLOW_READS = 4000

STATES = ("absent", "loaded", "other", "watched", "left")


class Load:
    """One kind of I/O on a disk: p50 and mean of an operation, by state and round."""

    def __init__(self, device, mode, count):
        self.device, self.mode, self.count = device, mode, count
        self.p50, self.mean = {}, {}

    def measure(self, state):
        result = json.loads(run(["rawio", self.device, self.mode, str(self.count)]).stdout)
        operation = result["read" if self.mode == "read" else "write"]
        self.p50.setdefault(state, []).append(operation["p50"])
        self.mean.setdefault(state, []).append(result["elapsed"] / self.count)

    def extra(self, state):
        """Mean cost of an operation in this state above that without the module."""
        return (sum(self.mean[state]) - sum(self.mean["absent"])) / ROUNDS

    def show(self):
        for state in STATES:
            note("%s %-8s p50 %s mean %s" % (self.mode, state, self.p50[state], " ".join(
                "%.2f" % mean for mean in self.mean[state])))


def make(name, mode=nullblk.NONE, **attributes):
    device = nullblk.create(name, irqmode=mode, **attributes)
    # as with a queue per CPU; one that has a scheduler hands requests to another thread
    write("/sys/block/%s/queue/scheduler" % name, "none")
    return device


def idle_hooks(module):
    return genl.C["FSBSTAT_HOOK_ATTACHED"] not in module.module()["hooks"].values()


def counted(module, load):
    """Whether the module saw each operation of the load, once."""
    snap = module.snapshot(load.device)
    classes = ("READ",) if load.mode == "read" else ("FUA_WRITE", "FLUSH")
    return [genl.total(snap, "ios", cls) for cls in classes] == [load.count] * len(classes)


def one_round(load, other):
    load.measure("absent")
    run(["insmod", os.environ["FSB_MODULE"]])
    load.measure("loaded")
    module = genl.Module()
    module.add(other)
    load.measure("other")
    module.add(load.device)
    module.delete(other)
    load.measure("watched")
    seen = counted(module, load)
    module.delete(load.device)
    idle = idle_hooks(module)
    load.measure("left")
    module.close()
    time.sleep(0.1)
    run(["rmmod", "fsbstat"])
    return seen, idle


def judge(load):
    load.show()
    for state, text in (("loaded", "nothing is watched"), ("left", "nothing is watched any more")):
        # the lower of the rounds: p50 can lie between two paths of the kernel
        equal(min(load.p50[state]), min(load.p50["absent"]), "%s: no instruction more while %s"
              % (load.mode, text))


def p50(device):
    return json.loads(run(["rawio", device, "read", str(SLOW_READS)]).stdout)["read"]["p50"]


def by_layer(other):
    """Added instructions of a read, by what is watched of which disk."""
    plain = make("nslow", mode=nullblk.TIMER, completion_nsec=20000)
    elevator = make("nelev", mode=nullblk.TIMER, completion_nsec=20000)
    write("/sys/block/nelev/queue/scheduler", "mq-deadline")
    base = {device: min(p50(device) for _ in range(2)) for device in (plain, elevator)}
    run(["insmod", os.environ["FSB_MODULE"]])

    def cost(watched, layers, device):
        module = genl.Module()
        module.add(watched, layers=layers)
        taken = p50(device)
        reads = None
        if watched == device:
            reads = genl.total(module.snapshot(device), "ios", "READ")
        module.close()
        time.sleep(0.1)
        ok(reads in (None, SLOW_READS), "what was paid for was counted")
        return taken - base[device]

    for watched, layers, device, most, text in (
            (plain, ("REQUEST",), plain, REQUEST_MAX, "requests alone"),
            (plain, None, plain, ALL_MAX, "all layers"),
            (elevator, None, elevator, ELEVATOR_MAX, "all layers with mq-deadline"),
            (other, ("REQUEST",), plain, OTHER_REQUEST_MAX, "requests of another disk"),
            (other, None, plain, OTHER_ALL_MAX, "all layers of another disk")):
        extra = cost(watched, layers, device)
        ok(0 < extra <= most, "20 us: counting %s costs a read %d instructions, at most %d" % (
            text, extra, most))
    run(["rmmod", "fsbstat"])
    nullblk.remove(plain)
    nullblk.remove(elevator)


def main():
    read = Load(make("nread"), "read", READS)
    dsync = Load(make("nsync", memory_backed=1, cache_size=64), "dsync", WRITES)
    other = make("nother")
    for load in read, dsync:
        run(["rawio", load.device, load.mode, str(load.count)])	# memory behind the disk
        rounds = [one_round(load, other) for _ in range(ROUNDS)]
        ok(all(seen for seen, _ in rounds), "%s: what was paid for was counted" % load.mode)
        ok(all(idle for _, idle in rounds), "%s: all hooks are detached after the last disk"
           % load.mode)
        judge(load)
    layer, away = read.extra("watched"), read.extra("other")
    ok(layer <= LAYER_MAX, "a watched read costs %.1f instructions more, at most %d"
       % (layer, LAYER_MAX))
    ok(away <= OTHER_MAX, "a read costs %.1f instructions more while another disk is watched, "
       "at most %d" % (away, OTHER_MAX))
    ok(layer > 0 and away > 0, "neither is free, so both were measured")
    synced = min(dsync.p50["watched"]) - min(dsync.p50["absent"])
    ok(0 < synced <= DSYNC_MAX, "a watched O_DSYNC write costs %d instructions more, at most %d"
       % (synced, DSYNC_MAX))
    by_layer(other)
    for load in read, dsync:
        nullblk.remove(load.device)
    nullblk.remove(other)


main()
done()
