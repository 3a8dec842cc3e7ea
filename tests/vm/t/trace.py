# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,latency=3000000,size=256M --disk sata,size=64M
# kernels: bookworm bullseye forky
# cost: 60
"""Trace events: one for each request and each drain that is counted, with the same numbers.

tracefs and perf listen at once. What the events say is summed and compared with the module's
counters, by disk and by class, exactly; also of requests that were given back, came in parts or
failed. At last the module is unloaded with somebody listening.
"""

import os
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
import nullblk  # noqa: E402
import scsidebug  # noqa: E402
from events import EVENTS, Perf, Tracefs  # noqa: E402
from fsbtest import disk, done, equal, name_of, note, ok, run, settle, write  # noqa: E402
from identity import CLASSES  # noqa: E402
from scsidebug import BUSY, MEDIUM, MEDIUM_SECTOR, SHORT  # noqa: E402
from watched import Load, until  # noqa: E402

QUEUE, DEVICE = genl.C["FSBSTAT_HIST_QUEUE"], genl.C["FSBSTAT_HIST_DEVICE"]
MOUNT = "/tmp/mount"
NOTHING = {"sum": 0}


class Listening:
    """Disks that are watched while tracefs and perf listen; each starts at 0."""

    def __init__(self, *devices):
        self.devices = devices
        for device in devices:
            settle(device)
        self.module = genl.Module()
        self.tracefs = Tracefs()
        self.perf = {event: Perf(event) for event in EVENTS}
        for device in devices:
            self.module.add(device)

    def end(self, name):
        """Compares; returns the snapshots and the events of each disk."""
        for device in self.devices:
            settle(device)
        snaps = [self.module.snapshot(device) for device in self.devices]
        seen = self.tracefs.read()
        equal(self.tracefs.lost(), 0, name + ": no event was lost")
        for event, counter in self.perf.items():
            equal(counter.count(), sum(entry[0] == event for entry in seen),
                  "%s: perf counts as many events %s as tracefs shows" % (name, event))
            counter.close()
        self.tracefs.stop()
        self.module.close()
        result = []
        for device, snap in zip(self.devices, snaps):
            number = os.stat(device).st_rdev
            mine = [entry for entry in seen if entry[1] == (os.major(number), os.minor(number))]
            result.append((snap, mine))
            compare("%s, %s" % (name, name_of(device)), snap, mine)
        equal(sum(len(mine) for _, mine in result), len(seen),
              name + ": every event is of a watched disk")
        return result


def requests_of(snap):
    """What the module has counted, by class: (ios, bytes, errors, queue ns, device ns)."""
    found = {}
    for number, cls in enumerate(CLASSES):
        hists = [[queue["hists"].get((number, kind), NOTHING)["sum"] for queue in snap["queues"]]
                 for kind in (QUEUE, DEVICE)]
        found[cls] = tuple(genl.total(snap, name, cls) for name in ("ios", "bytes", "errors")) + \
            tuple(map(sum, hists))
    return found


def requests_in(entries):
    """The same, of the events."""
    found = {cls: (0,) * 5 for cls in CLASSES}
    for event, _, cls, fields in entries:
        if event != "request":
            continue
        one = (1, fields["bytes"], fields["error"], fields["queue_ns"], fields["device_ns"])
        found[cls.upper()] = tuple(map(sum, zip(found[cls.upper()], one)))
    return found


def compare(name, snap, entries):
    expected, got = requests_of(snap), requests_in(entries)
    for cls in CLASSES:
        if expected[cls][0] or got[cls][0]:
            equal(got[cls], expected[cls],
                  "%s, %s: events, bytes, errors, queue and device time are those counted"
                  % (name, cls.lower()))
    requests = [fields for event, _, _, fields in entries if event == "request"]
    ok(len(requests) > 0, name + ": there were requests")
    most = max(queue["depth_max"] for queue in snap["queues"])
    ok(all(fields["depth"] < most and fields["tag"] < snap["disk"]["depth_limit"] and
           fields["hw_queue"] < len(snap["queues"]) for fields in requests),
       name + ": depth, tag and hardware queue can be")
    deepest = max(fields["depth"] for fields in requests) + 1
    # The driver may have given back the very request that made it deepest: that is no end.
    ok(deepest == most or deepest < most and genl.total(snap, "requeued_ns") > 0,
       name + ": the deepest that one ended at was the deepest", (deepest, most))
    compare_drains(name, snap["ata"], entries)


def compare_drains(name, ata, entries):
    drains = [(kind, fields) for event, _, kind, fields in entries if event == "drain"]
    sums = [sum(fields[key] for _, fields in drains) for key in ("wait_ns", "turnaround_ns")]
    counted = (ata["drains"], ata["wait_ns"], ata["turnaround_ns"]) if ata else (0, 0, 0)
    equal((len(drains), *sums), counted, name + ": drains, wait and turnaround are those counted")
    alone = [fields["alone_ns"] for kind, fields in drains if kind == "flush"]
    busy = ata["kinds"][genl.C["FSBSTAT_ATA_FLUSH"]]["busy_ns"] if ata else 0
    ok(sum(alone) <= busy, name + ": flushes that drained took no longer than all", (alone, busy))


def enough(snap):
    """Whether what busy_disks() looks for can have happened."""
    return snap["ata"] and snap["ata"]["drains"] > 50 and genl.total(snap, "ios", "READ") > 400


def busy_disks(scheduler):
    """Two disks at once: flushes among reads and writes of 16 threads, commits on ext4."""
    slow, other = disk(0), disk(1)
    for device in (slow, other):
        write("/sys/block/%s/queue/scheduler" % name_of(device), scheduler)
    name = "two disks, %s" % scheduler
    run("mkfs.ext4 -q -F %s && mount %s %s" % (other, other, MOUNT))
    listening = Listening(slow, other)
    with Load(slow, "-t", 16):
        run(["fsync_storm", MOUNT, "4", "8", "10"])
        until(lambda: enough(listening.module.snapshot(slow)), "no drains, no reads")
    run(["umount", MOUNT])	# or it would write now and then
    (snap, entries), _ = listening.end(name)
    note({cls: genl.total(snap, "requeues", cls) for cls in CLASSES})
    drains = [fields for event, _, kind, fields in entries if event == "drain"]
    ok(len(drains) > 10, name + ": the queue was drained", len(drains))
    ok(any(fields["before"] >= 2 for fields in drains),
       name + ": at a depth that the events name", drains[:5])
    ok(all(fields["before"] <= 32 for fields in drains), name + ": which is one of NCQ")
    sectors = {fields["sector"] for event, _, cls, fields in entries
               if event == "request" and cls == "read"}
    ok(len(sectors) > 50 and max(sectors) < 256 << 11, name + ": reads name their sectors")


def fua_disk():
    """Classes that a SATA disk has not got, and known sectors."""
    with nullblk.disk("fsbfua", size=64, memory_backed=1, cache_size=16, discard=1,
                      irqmode=nullblk.TIMER, completion_nsec=100000) as device:
        listening = Listening(device)
        run("dd if=/dev/zero of=%s bs=4k seek=5 count=20 oflag=direct,dsync" % device)
        run("blkdiscard -o 1M -l 1M %s" % device)
        (snap, entries), = listening.end("null_blk")
    writes = [fields["sector"] for event, _, cls, fields in entries
              if event == "request" and cls == "fua_write"]
    equal(writes, [8 * (5 + i) for i in range(20)], "null_blk: FUA writes where they went")
    ok(genl.total(snap, "ios", "DISCARD") > 0 and genl.total(snap, "ios", "FLUSH") > 0,
       "null_blk: discards and flushes too")


def odd_ends(scheduler):
    """Requests that come back, come in parts or fail."""
    name = "scsi_debug, %s" % scheduler
    with scsidebug.disk() as device:
        write("/sys/block/%s/queue/scheduler" % name_of(device), scheduler)
        listening = Listening(device)
        skip = (MEDIUM_SECTOR - 100) >> 7
        for opts in (BUSY, SHORT, MEDIUM, SHORT | MEDIUM):
            with scsidebug.every(2, opts):
                for i in range(4):
                    run("dd if=%s of=/dev/null bs=64k count=1 skip=%d iflag=direct"
                        % (device, skip + i % 2), check=False)
        (snap, entries), = listening.end(name)
    ok(genl.total(snap, "partial") > 0 and genl.total(snap, "requeues", "READ") > 0 and
       genl.total(snap, "errors", "READ") > 0, name + ": all of that happened")
    equal({fields["sector"] for event, _, cls, fields in entries
           if event == "request" and cls == "read" and fields["bytes"] == 65536},
          {skip << 7, (skip + 1) << 7}, name + ": the first sector, also of one that came in parts")


def unload():
    """tracefs is told when the module goes; perf holds it."""
    device = disk(1)
    with Load(device, "-t", 4):
        module = genl.Module()
        module.add(device)
        tracefs, perf = Tracefs(), Perf("request")
        until(lambda: perf.count() > 100, "no events")
        result = run(["rmmod", "fsbstat"], check=False)
        ok(result.returncode and "in use" in result.stderr,
           "while perf has an event open the module stays", result.stderr)
        perf.close()
        run(["rmmod", "fsbstat"])
        ok(not os.path.exists(tracefs.place + "/events/fsbstat"),
           "with events enabled in tracefs it goes, and they with it")
        time.sleep(0.5)
        os.rmdir(tracefs.place)
        module.close()
    run(["insmod", os.environ["FSB_MODULE"]])
    listening = Listening(device)
    run("dd if=%s of=/dev/null bs=4k count=20 iflag=direct" % device)
    listening.end("loaded again")


def main():
    os.makedirs(MOUNT)
    for scheduler in ("none", "mq-deadline"):
        busy_disks(scheduler)
    fua_disk()
    for scheduler in ("none", "mq-deadline"):
        odd_ends(scheduler)
    unload()
    done()


main()
