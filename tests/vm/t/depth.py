#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Depth: the two identities of docs/measures.md hold to the nanosecond in every snapshot taken
# while I/O runs, whatever the shape of the queues; the mean depth is that of QEMU's accounting;
# and what a program waits before there is a request is in no latency.
#
# Little's law needs a slow disk: what the guest adds to a request (its interrupt comes late when
# the host is busy) must be small beside what the device takes, half a second and more. A disk
# that lets requests pass one by one keeps the guest from getting many interrupts at once.
#
# vm: --disk sata,iops=50 --disk sata,size=64M --disk nvme,latency=20000000
# vm: --disk sata,latency=50000000
# cost: 75

import json
import os
import subprocess
import tempfile
import time

import genl
import nullblk
from fsbtest import (blockstats, delta, disk, done, equal, name_of, note, ok, qmp, read, run,
                     serial_of, settle, write)
from watched import OVERLAP, overlap

READ = genl.C["FSBSTAT_CLASS_READ"]
QUEUE, DEVICE = genl.C["FSBSTAT_HIST_QUEUE"], genl.C["FSBSTAT_HIST_DEVICE"]
COMMON = ["--name=x", "--direct=1", "--bs=4k", "--ioengine=libaio", "--group_reporting=1",
          "--output-format=json"]


def area(queue):
    """Depth x time, ns."""
    return sum(depth * ns for depth, ns in enumerate(queue["depth_ns"]))


def faults(snap):
    """What is wrong with a snapshot, as a list of words."""
    wrong = []
    for queue in snap["queues"]:
        elapsed = sum(queue["depth_ns"]) - (queue["time"] - queue["start"])
        work = area(queue) - (queue["device_ns"] + queue["requeued_ns"] +
                              queue["inflight_age_ns"])
        if elapsed or work:
            wrong.append("queue %d: time off by %d ns, depth x time by %d ns"
                         % (queue["index"], elapsed, work))
        if not queue["inflight"] <= queue["depth_max"] <= snap["disk"]["depth_limit"]:
            wrong.append("queue %d: %d in flight, %d at most" % (
                queue["index"], queue["inflight"], queue["depth_max"]))
    return wrong


class Observed:
    """A run of fio on an idle disk, with a snapshot every few ms until it ends."""

    def __init__(self, name, device, *arguments, pause=0.02):
        settle(device)
        self.name, self.device = name, device
        self.taken, self.busy, self.wrong, self.ended = 0, 0, [], 0
        lates = []
        module = genl.Module()
        module.add(device)
        self.begin = module.snapshot(device)
        with tempfile.TemporaryFile("w+") as words:
            fio = subprocess.Popen(["fio", "--filename=" + device, *COMMON, *arguments],
                                   stdout=words)
            while fio.poll() is None:
                self.look(module.snapshot(device))
                asleep = time.monotonic()
                time.sleep(pause)
                lates.append(time.monotonic() - asleep - pause)
            words.seek(0)
            text = words.read()
        if fio.returncode:
            raise RuntimeError("%s: fio: status %d\n%s" % (name, fio.returncode, text))
        # ns that an interrupt and a wake-up took here, on average: what a busy host adds
        self.late = 1e9 * sum(lates) / len(lates)
        self.fio = json.loads(text)["jobs"][0]
        settle(device)
        self.end = module.snapshot(device)
        self.taken += 1
        self.wrong += faults(self.end)
        module.close()

    def look(self, snap):
        """I/O runs if something is in flight, or has ended since the last snapshot."""
        ended = sum(genl.total(snap, "ios", cls) for cls in ("READ", "WRITE", "FLUSH"))
        self.taken += 1
        self.busy += ended != self.ended or any(queue["inflight"] for queue in snap["queues"])
        self.ended = ended
        self.wrong += faults(snap)

    def judge(self):
        note("%s: %d snapshots, %d while I/O ran, max depth %s, requeued %d times, %d ns" % (
            self.name, self.taken, self.busy, [q["depth_max"] for q in self.end["queues"]],
            sum(genl.total(self.end, "requeues", cls) for cls in ("READ", "WRITE", "FLUSH")),
            genl.total(self.end, "requeued_ns")))
        ok(self.busy >= 5, "%s: snapshots were taken while I/O ran" % self.name,
           "%d of %d" % (self.busy, self.taken))
        equal(self.wrong[:5], [], "%s: time and depth x time are exact in every one" % self.name)
        equal(genl.total(self.end, "inflight"), 0, "%s: nothing is in flight at the end"
              % self.name)

    def mean(self, kind):
        """Mean of the reads' latencies of this kind, ns."""
        hist = self.end["queues"][0]["hists"][READ, kind]
        return hist["sum"] / hist["count"]


def slow_down(device, iops):
    """From now on QEMU lets so many requests a second pass, evenly spaced."""
    limits = dict.fromkeys(("bps", "bps_rd", "bps_wr", "iops_rd", "iops_wr"), 0)
    qmp("block_set_io_throttle", id="dev-" + serial_of(device), iops=iops, **limits)


def littles_law():
    device = disk(0)
    for depth, pattern, iops, ios in ((1, "randread", 2, 9), (8, "randwrite", 16, 80),
                                      (31, "randread", 50, 250), (31, "randwrite", 50, 250)):
        name = "sata %s iodepth %d" % (pattern, depth)
        slow_down(device, iops)
        before = blockstats(device)
        seen = Observed(name, device, "--rw=" + pattern, "--iodepth=%d" % depth,
                        "--number_ios=%d" % ios, pause=0.1)
        emulator = delta(blockstats(device), before)
        seen.judge()
        first, last = seen.begin["queues"][0], seen.end["queues"][0]
        elapsed = last["time"] - first["time"]
        ours = (area(last) - area(first)) / elapsed
        theirs = sum(emulator[word + "_total_time_ns"] for word in ("rd", "wr", "flush")) / elapsed
        # Each request ends in the guest later than in QEMU by an interrupt that waits for a CPU.
        late = ios * seen.late / elapsed
        note("%s: mean device latency %d ms, interrupts late by %.1f ms" % (
            name, last["device_ns"] / ios / 1e6, seen.late / 1e6))
        equal(last["depth_max"], depth, "%s: so many were in flight at most" % name)
        ok(-0.05 * theirs <= ours - theirs <= 0.05 * theirs + late,
           "%s: mean depth %.3f is within 5 %% of QEMU's %.3f" % (name, ours, theirs), late)


def flushes():
    """Writes and the flushes between them, which the driver cannot run at once."""
    seen = Observed("sata fsync", disk(1), "--rw=randwrite", "--fsync=1", "--numjobs=8",
                    "--number_ios=60", "--size=60M", pause=0.005)
    seen.judge()
    equal(genl.total(seen.end, "ios", "WRITE") + seen.end["bio"]["write_merges"], 480,
          "sata fsync: all writes are counted")


def several_queues(name, device, ios):
    """One job on each CPU, so that each queue has its own."""
    seen = Observed(name, device, "--rw=randread", "--iodepth=8", "--numjobs=2",
                    "--cpus_allowed=0,1", "--cpus_allowed_policy=split", "--number_ios=%d" % ios)
    seen.judge()
    requeued = genl.total(seen.end, "requeued_ns")
    counts = [queue["classes"][READ]["ios"] for queue in seen.end["queues"]]
    equal(sum(counts) + seen.end["bio"]["read_merges"], 2 * ios, "%s: all reads are counted" % name)
    return counts, [queue["depth_max"] for queue in seen.end["queues"]], requeued


def queues_of_their_own():
    with nullblk.disk("ndepth", irqmode=nullblk.TIMER, completion_nsec=10000000,
                      submit_queues=2) as device:
        counts, depths, _ = several_queues("null_blk", device, 800)
        equal((counts, depths), ([800, 800], [8, 8]),
              "null_blk: each queue has its own share and depth")
    counts, depths, _ = several_queues("nvme", disk(2), 400)
    ok(len(counts) >= 2, "nvme: each hardware queue has its clock")
    equal(sorted(depths)[-2:], [8, 8], "nvme: two were used, each 8 deep")


def scsi_debug_disk():
    """Its node, once it is there: the disk is probed while modprobe returns."""
    for _ in range(200):
        for name in os.listdir("/sys/block"):
            model = "/sys/block/%s/device/model" % name
            if name.startswith("sd") and read(model) == "scsi_debug":
                return "/dev/" + name
        time.sleep(0.05)
    raise RuntimeError("scsi_debug: no disk appeared")


def shared_tags():
    """One clock for both queues; each seventh command finds the host busy and comes again."""
    run(["modprobe", "scsi_debug", "submit_queues=2", "host_max_queue=16", "ndelay=10000000",
         "dev_size_mb=16", "every_nth=7", "opts=0x8000"])
    device = scsi_debug_disk()
    counts, depths, requeued = several_queues("shared tags", device, 400)
    ok(requeued > 0, "shared tags: time until a requeue is part of the sum")
    hardware = len(os.listdir("/sys/block/%s/mq" % name_of(device)))
    equal((hardware, len(counts)), (2, 1), "shared tags: two hardware queues, one clock")
    # Each job has 8; how many of the 16 tags are taken at once depends on what comes again.
    ok(8 < depths[0] <= 16, "shared tags: it saw both queues together", depths)
    run(["rmmod", "scsi_debug"])


def jobs_waiting():
    """Thirty-one programs, each with one read: fio's latency is what each has waited."""
    return ["--rw=randread", "--ioengine=psync", "--numjobs=31", "--thread=1", "--number_ios=3"]


def before_there_is_a_request():
    device = disk(3)
    queue = "/sys/block/%s/queue/" % name_of(device)
    write(queue + "scheduler", "none")
    limit = "/sys/block/%s/device/queue_depth" % name_of(device)
    write(limit, 1)
    name = "device queue depth 1"
    seen = Observed(name, device, *jobs_waiting())
    write(limit, 32)
    seen.judge()
    program, ours = seen.fio["read"]["clat_ns"]["mean"], seen.mean(QUEUE) + seen.mean(DEVICE)
    over = overlap(seen.end["queues"][0]["depth_ns"], 1)
    ok(over <= OVERLAP, "%s: never more than one, but for the moment in which one ends" % name, over)
    # What fio waits for a CPU after the end is its own, and as much as this process had to wait.
    ok(0.95 * program - seen.late <= ours <= program, "%s: queue + device, %.0f ms, are all that fio waits, "
       "%.0f ms" % (name, ours / 1e6, program / 1e6))
    name = "four tags"
    write(queue + "nr_requests", 4)
    seen = Observed(name, device, *jobs_waiting())
    seen.judge()
    program, ours = seen.fio["read"]["clat_ns"]["mean"], seen.mean(QUEUE) + seen.mean(DEVICE)
    equal(seen.end["queues"][0]["depth_max"], 4, "%s: never more than four" % name)
    ok(2 * ours <= program, "%s: the wait for a tag is in fio's %.0f ms and not in queue + "
       "device, %.0f ms" % (name, program / 1e6, ours / 1e6))


littles_law()
flushes()
queues_of_their_own()
shared_tags()
before_there_is_a_request()
done()
