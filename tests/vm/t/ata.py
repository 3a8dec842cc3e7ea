# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,latency=200000000 --disk sata,size=256M --timeout 400
# cost: 80
"""The ATA layer: NCQ tags, commands by kind, drain and refill around flushes, whose time it was."""

import glob
import os
import sys
import threading
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
from fsbtest import (blockstats, delta, disk, diskstats, done, equal, name_of, note,  # noqa: E402
                     ok, run, settle, write)
from watched import until  # noqa: E402

SLOW, DISK = disk(0), disk(1)
NOMINAL = 200000000		# ns, what every command of the slow one takes
KIND = {name[len("FSBSTAT_ATA_"):]: value for name, value in genl.C.items()
        if name.startswith(("FSBSTAT_ATA_NCQ", "FSBSTAT_ATA_FLUSH", "FSBSTAT_ATA_TRIM",
                            "FSBSTAT_ATA_FUA", "FSBSTAT_ATA_OTHER"))}
PARTS = ("idle_ns", "queued_ns", "drain_ns", "alone_ns", "error_ns")
DRAIN, ALONE, REFILL = 0, 1, 2


def kinds(before, after):
    """Commands by kind between two snapshots; before may have none."""
    old = before["kinds"] if before else {}
    return {name: after["kinds"][kind]["ios"] - (old[kind]["ios"] if old else 0)
            for name, kind in KIND.items()}


def check_time(ata, name):
    elapsed = ata["time"] - ata["start"]
    equal(sum(ata["time_ns"]) + ata["error_ns"], elapsed,
          "%s: time at each tag count and error time are all the time, to the nanosecond" % name)
    equal(sum(ata[part] for part in PARTS), elapsed,
          "%s: idle, queued, draining, alone and error are all the time" % name)
    equal(ata["tags"], 0, "%s: no tag is left in use" % name)


def reads(device, depth, seconds):
    """Direct random reads by so many threads for a while."""
    run("fio --name=r --filename=%s --direct=1 --rw=randread --bs=4k --numjobs=%d --thread "
        "--ioengine=psync --runtime=%d --time_based --size=64M --output-format=terse"
        % (device, depth, seconds))


def occupancy():
    """At each depth the tags in use are what the block layer has issued, and no more."""
    for depth in (1, 8, 31):
        module = genl.Module()
        settle(SLOW)
        module.add(SLOW)
        reads(SLOW, depth, 3)
        settle(SLOW)
        snap = module.snapshot(SLOW)
        ata, queue = snap["ata"], snap["queues"][0]
        name = "depth %d" % depth
        check_time(ata, name)
        equal(ata["tags_max"], depth, "%s: that many tags at once" % name)
        equal(kinds(None, ata)["NCQ_READ"], genl.total(snap, "ios", "READ"),
              "%s: an NCQ command a read" % name)
        mine = sum(i * t for i, t in enumerate(ata["time_ns"]))
        block = sum(i * t for i, t in enumerate(queue["depth_ns"]))
        ok(0.9 * block <= mine <= block, "%s: tag time is within the block layer's" % name,
           (mine, block))
        ok(mine >= genl.total(snap, "ios", "READ") * NOMINAL, "%s: and at least the nominal" % name)
        equal((ata["drains"], ata["drain_ns"]), (0, 0), "%s: reads alone drain nothing" % name)
        module.close()


def fsyncs(device, count, pause):
    fd = os.open(device, os.O_WRONLY)
    for i in range(count):
        os.pwrite(fd, bytes(4096), (200 + i) << 12)
        os.fsync(fd)
        time.sleep(pause)
    os.close(fd)


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
    """Flushes among reads: each waits for the queue, then has the disk to itself."""
    count = 8
    module = genl.Module()
    settle(SLOW)
    module.add(SLOW)
    load = threading.Thread(target=reads, args=(SLOW, 31, 8))
    load.start()
    until(lambda: (module.snapshot(SLOW)["ata"] or {"tags": 0})["tags"] > 16, "no reads began")
    fsyncs(SLOW, count, 0.2)
    load.join()
    settle(SLOW)
    snap = module.snapshot(SLOW)
    ata, hists = snap["ata"], snap["ata"]["hists"]
    check_time(ata, "flushes among reads")
    flushes = genl.total(snap, "ios", "FLUSH")
    equal(kinds(None, ata)["FLUSH"], flushes, "a FLUSH CACHE command for each flush request")
    ok(0 < ata["drains"] <= flushes, "flushes waited for the queue", (ata["drains"], flushes))
    equal(ata["wait_ns"] + ata["turnaround_ns"], hists[DRAIN]["sum"],
          "wait and turnaround are the drain")
    ok(ata["drain_ns"] >= hists[DRAIN]["sum"] > 0, "and are in the disk's time", ata)
    equal(hists[ALONE]["count"], flushes, "each flush had the disk alone once")
    ok(NOMINAL <= hists[ALONE]["min"] <= median_low(hists[ALONE]) * 33 / 32 <=
       1.05 * NOMINAL * 33 / 32, "for the time a flush takes: median within 5 %% of %d ms"
       % (NOMINAL // 10**6), hists[ALONE])
    equal(ata["kinds"][KIND["FLUSH"]]["busy_ns"], hists[ALONE]["sum"], "which is its busy time")
    equal(ata["kinds"][KIND["FLUSH"]]["busy_ns"], ata["alone_ns"], "and all the time alone")
    refills = hists.get(REFILL, {"count": 0})["count"]
    equal(refills, ata["refills"], "a sample for each refill")
    # Also after a flush that found the queue empty for a moment, hence not only after drains.
    ok(0 < refills + ata["refills_censored"] <= flushes, "depth came back after them",
       (refills, ata["refills_censored"], flushes))
    ok(ata["tag_time_lost_ns"] > 0, "tag time was lost")
    note({key: ata[key] for key in ata if key.endswith("_ns") and key != "time_ns"})
    module.close()


def no_drain():
    """The same flushes with no reads beside them."""
    module = genl.Module()
    settle(SLOW)
    module.add(SLOW)
    fsyncs(SLOW, 5, 0)
    settle(SLOW)
    ata = module.snapshot(SLOW)["ata"]
    check_time(ata, "flushes alone")
    equal((ata["drains"], ata["drain_ns"], ata["refills"]), (0, 0, 0),
          "without reads nothing is drained")
    module.close()


def flush_counts():
    """ATA flush commands == flush requests == diskstats == QEMU."""
    module = genl.Module()
    settle(DISK)
    before, qemu = diskstats(DISK), blockstats(DISK)
    module.add(DISK)
    run("dd if=/dev/zero of=%s bs=4k count=100 oflag=direct,dsync" % DISK)
    settle(DISK)
    snap = module.snapshot(DISK)
    flushes = kinds(None, snap["ata"])["FLUSH"]
    equal((flushes, genl.total(snap, "ios", "FLUSH")), (200, 200), "200 flushes, as commands too")
    equal((delta(diskstats(DISK), before)["flushes"],
           delta(blockstats(DISK), qemu)["flush_operations"]), (200, 200),
          "as diskstats and QEMU have them")
    equal(kinds(None, snap["ata"])["NCQ_WRITE"], 100, "100 queued writes")
    other(module)
    module.close()


def other(module):
    """Passthrough moves its own row only."""
    before = module.snapshot(DISK)["ata"]
    run(["hdparm", "-W", DISK])
    after = module.snapshot(DISK)["ata"]
    moved = {name for name, count in kinds(before, after).items() if count}
    equal(moved, {"OTHER"}, "hdparm's IDENTIFY is counted as other")
    equal(after["drains"], before["drains"], "and drains nothing on an idle disk")
    check_time(after, "hdparm")


def ncq_off():
    """With a queue depth of 1 libata uses commands that are not queued."""
    path = "/sys/block/%s/device/queue_depth" % name_of(DISK)
    write(path, 1)
    module = genl.Module()
    settle(DISK)
    module.add(DISK)
    run("dd if=%s of=/dev/null bs=4k count=50 iflag=direct" % DISK)
    fsyncs(DISK, 5, 0)
    settle(DISK)
    snap = module.snapshot(DISK)
    by_kind = kinds(None, snap["ata"])
    equal({name for name in by_kind if by_kind[name]}, {"OTHER", "FLUSH"},
          "NCQ off: no queued command")
    equal(by_kind["OTHER"], genl.total(snap, "ios", "READ") + genl.total(snap, "ios", "WRITE"),
          "NCQ off: one command a request")
    equal((snap["ata"]["tags_max"], snap["ata"]["drains"], sum(snap["ata"]["time_ns"][1:])),
          (0, 0, 0), "NCQ off: no tag, no drain")
    check_time(snap["ata"], "NCQ off")
    module.close()
    write(path, 32)


def load_order():
    """libata goes and comes while a disk elsewhere is watched; the module may come first."""
    root = os.path.realpath("/sys/class/block/vda")
    module = genl.Module()
    module.add("/dev/" + os.path.basename(root))
    states = genl.C["FSBSTAT_HOOK_ATTACHED"], genl.C["FSBSTAT_HOOK_MISSING"]
    hook = lambda: module.module()["hooks"]["ata_qc_issue"]  # noqa: E731
    equal(hook(), states[0], "attached while a disk is watched")
    run(["modprobe", "-r", "ahci"])
    run("modprobe -r sd_mod; modprobe -r libahci libata 2>/dev/null; true")
    equal((hook(), os.path.exists("/sys/module/libata")), (states[1], False),
          "libata can be unloaded, its hooks are gone")
    run("modprobe ahci && modprobe sd_mod")
    equal(hook(), states[0], "attached again when it comes back")
    end = time.monotonic() + 30
    while len(glob.glob("/sys/block/sd*")) < 2 and time.monotonic() < end:
        time.sleep(0.2)
    device = "/dev/" + sorted(os.path.basename(p) for p in glob.glob("/sys/block/sd*"))[0]
    module.add(device)
    run("dd if=%s of=/dev/null bs=4k count=3 iflag=direct" % device)
    settle(device)
    equal(kinds(None, module.snapshot(device)["ata"])["NCQ_READ"], 3, "and counts again")
    module.close()


def main():
    occupancy()
    drains()
    no_drain()
    flush_counts()
    ncq_off()
    load_order()
    done()


main()
