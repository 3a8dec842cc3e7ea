# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=64M --disk nvme,size=64M --smp 4
# cost: 60
"""Watched disks change their shape under load: elevator, tags, hardware queues, CPUs.

Whatever is switched, it works as if unwatched, and the counts stay exact; where the hardware
queues are others, the counters begin anew and say so.
"""

import glob
import os
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
import nullblk  # noqa: E402
from fsbtest import disk, done, equal, name_of, ok, run, settle, write  # noqa: E402
from identity import Window  # noqa: E402
from watched import Load, check_at_rest, check_nothing_left, check_sums, entry, until  # noqa: E402

SECONDS = 2
ELEVATORS = ("mq-deadline", "none", "bfq", "kyber")


def queue(device, attribute):
    return "/sys/block/%s/%s" % (name_of(device), attribute)


def switch(path, values):
    """Writes the values in turn, as fast as the kernel takes them; what it said to each."""
    said, end = {}, time.monotonic() + SECONDS
    while time.monotonic() < end:
        for value in values:
            try:
                write(path, value)
                said[value] = "taken"
            except OSError as error:
                said[value] = os.strerror(error.errno)
    return said


def switching(name, device, path, values, qemu="exact"):
    """The values are switched under load, without and with a window on the disk."""
    outcomes = []
    for watched in (False, True):
        window = Window(device) if watched else None
        with Load(device, "-t", 8):
            outcomes.append(switch(path, values))
    counts = window.end()
    equal(outcomes[1], outcomes[0], "%s: as if unwatched" % name)
    equal(outcomes[0], dict.fromkeys(values, "taken"), "%s: everything is taken" % name)
    ok(counts["read_ios"] > 0 < counts["write_ios"], "%s: there was load" % name, counts)
    equal(counts["inflight"], 0, "%s: nothing is left in flight" % name)
    window.check_diskstats(name)
    window.check_qemu(name, flushes=qemu)
    window.check_quality(name)


def requests(scheduler, device, values):
    """With an elevator these are its tags, more or fewer than the drive's; else the drive's."""
    write(queue(device, "queue/scheduler"), scheduler)
    switching("nr_requests, %s" % scheduler, device, queue(device, "queue/nr_requests"), values)


def processors(device):
    """A processor goes and comes while its hardware queue is busy."""
    path = "/sys/devices/system/cpu/cpu3/online"
    try:
        switching("processor off and on", device, path, (0, 1), qemu="uncounted")
    finally:
        write(path, 1)


def read_exactly(module, device, name):
    """The counters that began anew count."""
    settle(device)
    before = module.snapshot(device)
    run(["dd", "if=" + device, "of=/dev/null", "bs=4096", "count=50", "iflag=direct"])
    settle(device)
    after = module.snapshot(device)
    equal(genl.total(after, "ios", "READ") - genl.total(before, "ios", "READ"), 50,
          "%s: 50 reads are 50" % name)
    check_at_rest(after, name)


def hardware_queues():
    """null_blk changes its hardware queues while it is switched on."""
    device = nullblk.create("shape", submit_queues=1, irqmode=nullblk.TIMER,
                            completion_nsec=500000, size=64)
    path = "/sys/kernel/config/nullb/shape/submit_queues"
    module, name = genl.Module(), "hardware queues"
    watch = module.add(device)
    with Load(device, "-t", 8):
        for count in (4, 2, 3, 1):
            restarts = entry(module, watch["id"])["restarts"]
            write(path, count)
            until(lambda: entry(module, watch["id"])["restarts"] > restarts,
                  "%d hardware queues are not noticed" % count)
            place = "%s, %d" % (name, count)
            snap = module.snapshot(device)
            equal((snap["disk"]["id"], snap["disk"]["queues"], len(snap["queues"])),
                  (watch["id"], count, count), "%s: the watch goes on with as many" % place)
            check_sums(snap, place)
        restarts = entry(module, watch["id"])["restarts"]
        write(path, 4)		# and back before the module has looked
        time.sleep(0.2)
        write(path, 1)
        until(lambda: entry(module, watch["id"])["restarts"] > restarts,
              "requests on queues that came and went are not noticed")
        ok(True, "%s, there and back: the counters say that they began anew" % name)
    settle(device)
    until(lambda: not entry(module, watch["id"])["settling"], "it does not settle")
    read_exactly(module, device, name)
    with Load(device, "-t", 8):
        said = switch(path, (1, 2, 4))
    equal(said, dict.fromkeys((1, 2, 4), "taken"), "%s, in a loop: everything is taken" % name)
    time.sleep(2)		# the module looks once a second
    read_exactly(module, device, "%s, after the loop" % name)
    module.delete(device)
    check_nothing_left(module, name)
    nullblk.remove(device)


def main():
    for elevator in ("bfq", "kyber-iosched"):
        run(["modprobe", elevator])
    sata, nvme = disk(0), disk(1)
    switching("elevator", sata, queue(sata, "queue/scheduler"), ELEVATORS)
    requests("mq-deadline", sata, (4, 64, 1024, 16))
    requests("none", sata, (4, 31, 8, 16))
    switching("queue depth", sata, queue(sata, "device/queue_depth"), (1, 32, 2, 31))
    switching("elevator, several queues", nvme, queue(nvme, "queue/scheduler"), ELEVATORS,
              qemu="uncounted")
    processors(nvme)
    hardware_queues()
    equal(genl.Module().module()["memory"], 0, "no memory is left")
    done()


main()
