# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=64M --disk scsi,size=64M --disk nvme,size=64M
# cost: 60
"""Watched disks vanish under load: the last counters stay readable, and are right and complete.

And come back under the same device number: the new disk is another one to the module.
"""

import fcntl
import glob
import os
import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
import nullblk  # noqa: E402
from fsbtest import (blockstats, delta, disk, done, equal, name_of, ok, qmp, run,  # noqa: E402
                     settle, write)
from watched import (GONE, LIVE, Load, check_at_rest, check_nothing_left, entry,  # noqa: E402
                     until, wait_gone)

PAGE = 4096
LOOP_CTL_ADD, LOOP_CTL_REMOVE = 0x4C80, 0x4C81


def check_load(snap, counts, name):
    """What the load had done is in the last counters, and nothing that it had not asked for."""
    for cls, count in (("READ", counts["reads"]), ("WRITE", counts["writes"])):
        more = genl.total(snap, "bytes", cls) - count * PAGE
        ok(0 <= more <= counts["failed"] * PAGE, "%s: every %s of the load is there"
           % (name, cls.lower()), "%d bytes more; %r" % (more, counts))
    ok(genl.total(snap, "ios", "FLUSH") > 0, "%s: so are flushes" % name)


def check_qemu(snap, stats, name):
    """Reads and writes as QEMU counted them; what libata held back never came to it."""
    for cls, key in (("READ", "rd"), ("WRITE", "wr")):
        equal(genl.total(snap, "ios", cls),
              stats[key + "_operations"] + stats["failed_%s_operations" % key],
              "%s: %ss == QEMU" % (name, cls.lower()))


def under_way(module, device):
    """Some of all that the load does has been done."""
    snap = module.snapshot(device)
    return all(genl.total(snap, "ios", cls) for cls in ("READ", "WRITE", "FLUSH"))


def unplug(device, name, pull, qemu=None):
    """Pulls a watched disk under load and looks at what remains; the module and the watch."""
    module = genl.Module()
    settle(device)
    before = blockstats(qemu) if qemu is not None else None
    number, watch = os.stat(device).st_rdev, module.add(device)
    with Load(device, "-t", 8) as load:
        until(lambda: under_way(module, device), "no load")
        pull()
        wait_gone(module, watch["id"])
        until(lambda: not os.path.exists("/sys/block/" + name_of(device)), "it is still there")
    snap = module.snapshot(number)
    equal((snap["disk"]["id"], snap["disk"]["state"]), (watch["id"], GONE),
          "%s: the last counters can be read" % name)
    check_at_rest(snap, name)
    check_load(snap, load.counts, name)
    if qemu is not None:
        check_qemu(snap, delta(blockstats(qemu), before), name)
    return module, watch


def removed(module, watch, name):
    module.delete((watch["major"], watch["minor"]))
    equal(entry(module, watch["id"]), None, "%s: gone for good without a reference" % name)
    check_nothing_left(module, name)
    module.close()


def sata_deleted():
    """The SCSI device goes and is found again, as the kernel likes under the same number or not."""
    device, name = disk(0), "sata deleted"
    host = os.path.realpath("/sys/block/%s/device" % name_of(device)).split("/target")[0]
    scan = glob.glob(host + "/scsi_host/host*/scan")[0]
    module, watch = unplug(device, name, lambda: write(
        "/sys/block/%s/device/delete" % name_of(device), 1), qemu=0)
    write(scan, "- - -")
    until(lambda: os.path.exists(device), "the disk is not found again")
    settle(device)
    again = module.add(device)
    ok(again["id"] != watch["id"] and again["state"] == LIVE, "%s: found again, a new watch" % name)
    module.delete(device)
    module.delete(device)
    check_nothing_left(module, name)
    module.close()


def slow_disk():
    """Requests take longer than the module's period: they were issued, so they are counted."""
    name, requests = "requests in flight", 8
    module = genl.Module()
    device = nullblk.create("slow", irqmode=nullblk.TIMER, completion_nsec=3000000000)
    number, watch = os.stat(device).st_rdev, module.add(device)
    with Load(device, "-t", requests, "-n", 1) as load:
        until(lambda: genl.total(module.snapshot(number), "inflight") == requests, "no load")
        nullblk.remove(device)
    wait_gone(module, watch["id"])
    snap = module.snapshot(number)
    check_at_rest(snap, name)
    equal((genl.total(snap, "ios", "READ"), genl.total(snap, "ios", "WRITE")),
          (load.counts["reads"], load.counts["writes"]), "%s: all have ended" % name)
    equal(load.counts["failed"], 0, "%s: well" % name)
    removed(module, watch, name)


def leaked_request():
    """A request that has ended without a trace: the disk is gone all the same, and its number free.

    The slot is never given back, so that the depth does not tell.
    """
    name = "leaked request"
    old, new = genl.Module(), genl.Module()
    device = nullblk.create("leak")
    write("/sys/block/%s/queue/scheduler" % name_of(device), "none")	# the request has a tag at once
    number, watch = os.stat(device).st_rdev, old.add(device)
    with open(device, "rb") as opened:
        run(["insmod", os.path.join(os.environ["FSB_OUT"], "faulty.ko"), "fault=request",
             "fd=%d" % opened.fileno()], pass_fds=(opened.fileno(),))
    run(["rmmod", "faulty"])
    settle(device)
    equal(genl.total(old.snapshot(number), "inflight"), 1, "%s: it is in flight for ever" % name)
    nullblk.remove(device)
    again = nullblk.create("leak")
    equal(os.stat(again).st_rdev, number, "%s: the next disk has its number" % name)
    second = new.add(again)
    equal((second["id"] != watch["id"], second["state"]), (True, LIVE), "%s: a new watch" % name)
    read_some(again, 5)
    settle(again)
    snap = new.snapshot(number)
    equal((snap["disk"]["id"], genl.total(snap, "ios", "READ")), (second["id"], 5),
          "%s: readers see the new disk" % name)
    wait_gone(old, watch["id"])
    ok(True, "%s: the old one is gone" % name)
    new.delete(number)
    new.close()
    nullblk.remove(again)
    removed(old, watch, name)


def loop_device(number):
    control = os.open("/dev/loop-control", os.O_RDWR)
    try:
        fcntl.ioctl(control, LOOP_CTL_ADD, number)
    finally:
        os.close(control)
    return until(lambda: os.path.exists("/dev/loop%d" % number) and "/dev/loop%d" % number,
                 "no loop device")


def remove_loop_device(number):
    control = os.open("/dev/loop-control", os.O_RDWR)
    try:
        fcntl.ioctl(control, LOOP_CTL_REMOVE, number)
    finally:
        os.close(control)


def read_some(device, count):
    run(["dd", "if=" + device, "of=/dev/null", "bs=4096", "count=%d" % count, "iflag=direct"])


def same_number():
    """Two disks, one after the other, under one number; each keeps its own counters."""
    name = "same number"
    run("modprobe loop max_loop=0; truncate -s 16M /tmp/loop.img")
    old, new = genl.Module(), genl.Module()
    counts = []
    for module, reads in ((old, 11), (new, 7)):
        device = loop_device(70)
        run(["losetup", device, "/tmp/loop.img"])
        settle(device)
        watch = module.add(device)
        read_some(device, reads)
        settle(device)
        number = os.stat(device).st_rdev
        counts.append((watch["id"], number, genl.total(module.snapshot(number), "ios", "READ")))
        if module is old:
            run(["losetup", "-d", device])
            until(lambda: not os.path.exists("/sys/block/loop70/loop"), "losetup -d")
            remove_loop_device(70)
            equal(len(new.disks()), 1, "%s: the first is still there" % name)
    equal(counts[0][1], counts[1][1], "%s: it is the same" % name)
    ok(counts[0][0] != counts[1][0], "%s: but not the same watch" % name, counts)
    equal((counts[0][2], counts[1][2]), (11, 7), "%s: each counts its own" % name)
    equal((entry(old, counts[0][0])["state"], entry(old, counts[1][0])["state"]), (GONE, LIVE),
          "%s: one is gone, one is live" % name)
    new.delete(number)
    snap = old.snapshot(number)
    equal((snap["disk"]["id"], genl.total(snap, "ios", "READ")), (counts[0][0], 11),
          "%s: the first one's counters outlive the second" % name)
    old.close()
    check_nothing_left(new, name)
    run(["losetup", "-d", "/dev/loop70"])


def bound_anew():
    """The driver lets the disk go and takes it again, on the queue that it had."""
    name, device = "sd bound anew", disk(0)
    module, folder = genl.Module(), os.path.realpath("/sys/block/%s/device" % name_of(device))
    first = module.add(device)
    for action in ("unbind", "bind"):
        write("/sys/bus/scsi/drivers/sd/" + action, os.path.basename(folder))
    found = until(lambda: os.path.isdir(folder + "/block") and os.listdir(folder + "/block"),
                  "no disk after binding")[0]
    number = until(lambda: os.path.exists("/dev/" + found) and os.stat("/dev/" + found).st_rdev,
                   "no node")
    second = module.add("/dev/" + found)
    equal(entry(module, second["id"])["state"], LIVE, "%s: it is watched" % name)
    module.delete((first["major"], first["minor"]))
    settle("/dev/" + found)
    before = genl.total(module.snapshot(number), "ios", "READ")
    read_some("/dev/" + found, 9)
    equal(genl.total(module.snapshot(number), "ios", "READ") - before, 9,
          "%s: and counted when the first reference is gone" % name)
    module.delete(number)
    check_nothing_left(module, name)
    module.close()


def pulled(number, what):
    device = disk(number)
    module, watch = unplug(device, what, lambda: qmp("device_del", id="dev-fsb%d" % number))
    removed(module, watch, what)


def main():
    slow_disk()
    leaked_request()
    same_number()
    sata_deleted()
    pulled(1, "scsi pulled")
    pulled(2, "nvme pulled")
    bound_anew()
    done()


main()
