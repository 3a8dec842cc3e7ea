# SPDX-License-Identifier: GPL-2.0-or-later
"""A watched disk that may vanish or change, for the tests in tests/vm/t.

What holds for its counters whatever becomes of it, and what is left of the module's
when the last disk goes. identity.py compares with other sources, where those remain.
"""

import json
import os
import re
import signal
import subprocess
import time

import genl
from fsbtest import PATIENCE, equal, ok, read

OVERLAP = 0.05	# an end takes microseconds, unless its CPU is held up; a request milliseconds
LIVE, GONE = genl.C["FSBSTAT_DISK_LIVE"], genl.C["FSBSTAT_DISK_GONE"]
ATTACHED = genl.C["FSBSTAT_HOOK_ATTACHED"]


class Load:
    """load_disk on a device or file for as long as the block lasts; .counts afterwards."""

    def __init__(self, path, *options):
        self.command = ["load_disk", *map(str, options), path]
        self.counts = self.process = None

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE)
        return self

    def stop(self):
        """Ends it early; counts are there."""
        if self.counts is None:
            self.process.send_signal(signal.SIGTERM)
            self.counts = json.loads(self.process.communicate()[0])

    def __exit__(self, *_):
        self.stop()


def until(condition, what, seconds=PATIENCE):
    """Wait for something that must come true; its value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise RuntimeError("%s: not after %d s" % (what, seconds))
        time.sleep(0.05)


def ready(process, number=signal.SIGINT):
    """Wait until a process has set up what it does when this signal comes."""
    def own():
        status = read("/proc/%d/status" % process.pid)
        masks = re.findall(r"^Sig(?:Blk|Cgt):\s*(\w+)", status, re.M)
        return any(int(mask, 16) >> (number - 1) & 1 for mask in masks)
    until(own, "%r does not wait for signal %d" % (process.args, number))


def lines_of(path, count):
    """Wait until a file that is written to has so many lines; how many it has."""
    def lines():
        if not os.path.exists(path):
            return 0
        with open(path, "rb") as file:
            return file.read().count(b"\n")
    return until(lambda: lines() >= count and lines(), "%s: fewer than %d lines" % (path, count))


def entry(module, number):
    """What the module says of the watch with this number; None if it is not there."""
    return next((disk for disk in module.disks() if disk["id"] == number), None)


def overlap(depth_ns, limit):
    """Share of the time with requests in flight that was deeper than the device's limit: the kernel
    gives a request's place back before it reports the end (docs/measures.md, Depth)."""
    return sum(depth_ns[limit + 1:]) / sum(depth_ns[1:])


def wait_gone(module, number):
    """Until the module has seen that the disk of this watch has vanished."""
    until(lambda: entry(module, number)["state"] == GONE, "the watch is not marked gone")


def check_at_rest(snap, name):
    """Nothing in flight, nothing lost, every nanosecond and every request accounted for."""
    queues = snap["queues"]
    equal([queue["inflight"] for queue in queues], [0] * len(queues),
          "%s: nothing is left in flight" % name)
    check_sums(snap, name)
    ok(all(hist["count"] == queue["classes"][cls]["ios"] for queue in queues
           for (cls, kind), hist in queue["hists"].items()
           if kind == genl.C["FSBSTAT_HIST_DEVICE"]), "%s: a device latency a request" % name)


def check_sums(snap, name):
    """What holds at any time: clocks, depth, histograms, and that nothing was lost."""
    queues = snap["queues"]
    for counter in ("unmatched", "clock_anomalies"):
        equal(genl.total(snap, counter), 0, "%s: %s is 0" % (name, counter))
    ok(all(sum(queue["depth_ns"]) == queue["time"] - queue["start"] for queue in queues),
       "%s: the time at each depth sums to the time" % name)
    ok(all(sum(depth * ns for depth, ns in enumerate(queue["depth_ns"])) ==
           queue["device_ns"] + queue["requeued_ns"] + queue["inflight_age_ns"]
           for queue in queues), "%s: depth x time is the sum of the latencies" % name)
    for queue in queues:
        for (cls, kind), hist in queue["hists"].items():
            # A histogram may be some microseconds younger than the scalars (fsbstat.h).
            early = kind == genl.C["FSBSTAT_HIST_DEVICE"] and \
                hist["count"] < queue["classes"][cls]["ios"]
            if early or hist["count"] != sum(hist["buckets"].values()):
                ok(False, "%s: a histogram of class %d" % (name, cls), hist)


def check_nothing_left(module, name):
    """No disk, no hook, no memory after the last reference."""
    state = module.module()
    equal((state["disks"], state["memory"]), (0, 0), "%s: no disk, no memory is left" % name)
    ok(ATTACHED not in state["hooks"].values(), "%s: nothing is attached" % name, state["hooks"])


def users(driver):
    """Use count of a kernel module."""
    return int(read("/sys/module/%s/refcnt" % driver))
