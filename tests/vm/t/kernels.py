# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=256M
# kernels: bullseye bookworm-rt trixie forky
# cost: 80
"""On every kernel that the module is for: loaded, counted exactly, unloaded; and the tool reads it.

What is tested here is what differs between kernels: the tracepoints and when they fire, the fields
of requests, how a disk is opened and when it is gone, generic netlink. What does not differ is
tested under one kernel only.
"""

import fcntl
import os
import re
import struct
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
import nullblk  # noqa: E402
from fsbtest import (disk, done, equal, fsbctl, name_of, note, ok, read, record, run,  # noqa: E402
                     settle, write)
from identity import Window  # noqa: E402
from watched import (Load, check_at_rest, check_nothing_left, check_sums, entry,  # noqa: E402
                     until, wait_gone)

KERNEL = os.environ["FSB_KERNEL"]
HOOKS = {"block_rq_complete", "block_rq_requeue", "block_rq_issue", "block_bio_queue",
         "block_bio_backmerge", "block_bio_frontmerge", "block_rq_merge",
         "ata_qc_issue", "ata_qc_complete_done", "ata_qc_complete_failed",
         "ata_qc_complete_internal", "ata_eh_link_autopsy", "ata_eh_link_autopsy_qc",
         "ata_std_sched_eh", "ata_port_freeze", "jbd2_end_commit", "scsi_dispatch_cmd_done",
         "ext4_sync_file", "xfs_file_fsync", "xfs_dir_fsync", "btrfs_sync_file", "f2fs_sync_file"}
# What a kernel has not got; the rest of the layer works without.
MISSING = {"bullseye": {"ata_std_sched_eh", "ata_port_freeze"}}.get(os.environ["FSB_KERNEL"], set())
IDLE, ATTACHED = genl.C["FSBSTAT_HOOK_IDLE"], genl.C["FSBSTAT_HOOK_ATTACHED"]
SCHEDULERS = ("none", "mq-deadline")
BLKRRPART = 0x125f
MOUNT = "/tmp/mount"
REQUESTS = 60


def hooks(state):
    """All hooks in this state, those that the kernel has not got as missing."""
    return {name: genl.C["FSBSTAT_HOOK_MISSING"] if name in MISSING else state for name in HOOKS}


def checked(device, name, command, qemu=True):
    """Runs the command; all sources agree on what it did. Returns the module's counts."""
    window = Window(device, qemu=qemu)
    run(command)
    counts = window.end()
    window.check_diskstats(name)
    window.check_quality(name)
    if qemu:
        window.check_qemu(name)
    return counts


def direct(device, name, fua, qemu=True):
    """Known numbers of known requests: O_DSYNC writes of 4 KiB and reads of 64 KiB."""
    counts = checked(device, name + ", O_DSYNC writes", "dd if=/dev/zero of=%s bs=4k count=%d "
                     "oflag=direct,dsync" % (device, REQUESTS), qemu)
    empty = counts["sequence_end_empty"]
    equal((counts["write_ios"], counts["fua_write_ios"], counts["bio_fua"]),
          (0, REQUESTS, REQUESTS) if fua else (REQUESTS, 0, REQUESTS),
          "%s: each is a %s" % (name, "FUA write" if fua else "write"))
    equal((counts["flush_ios"], counts["sequence_end"], counts["bio_empty_flush"]),
          (empty, 0, empty) if fua else (REQUESTS + empty, REQUESTS, empty),
          "%s: %s" % (name, "no flush for FUA" if fua else "a flush after each"))
    counts = checked(device, name + ", direct reads", "dd if=%s of=/dev/null bs=64k count=%d "
                     "iflag=direct" % (device, REQUESTS), qemu)
    equal((counts["read_ios"], counts["read_bytes"], counts["write_ios"], counts["flush_ios"]),
          (REQUESTS, REQUESTS << 16, 0, 0), "%s: reads and nothing else" % name)


def storm(device, name):
    """16 threads of fsync on ext4: requeues, merges, flushes for several writers at once."""
    counts = checked(device, name + ", fsync on ext4",
                     "mkfs.ext4 -q -F %s && mount %s %s && fsync_storm %s 4 16 10 && umount %s"
                     % (device, device, MOUNT, MOUNT, MOUNT))
    ok(counts["sequence_end"] > 0 and counts["flush_ios"] > 10 and counts["write_ios"] > 100,
       "%s: commits are flush sequences" % name, counts)
    note("%s: %s" % (name, {key: value for key, value in counts.items() if value and
                           ("requeues" in key or key in ("displaced", "flush_ios", "write_ios",
                                                         "read_busy", "write_busy"))}))


def sata(module):
    device = disk(0)
    watch = module.add(device)
    equal(module.module()["hooks"], hooks(ATTACHED), "every hook is attached")
    for scheduler in SCHEDULERS:
        write("/sys/block/%s/queue/scheduler" % name_of(device), scheduler)
        direct(device, "sata " + scheduler, fua=False)
        storm(device, "sata " + scheduler)
    settle(device)
    snap = module.snapshot(device)
    check_at_rest(snap, "sata")
    equal((snap["disk"]["id"], snap["disk"]["restarts"], snap["disk"]["settling"]),
          (watch["id"], 0, 0), "sata: one watch all the time")
    module.delete(device)
    check_nothing_left(module, "sata")


def partition(device):
    """One partition of 64 MiB from 1 MiB on; no tool for that is in these guests."""
    table = bytearray(512)
    table[446:462] = struct.pack("<B3sB3sII", 0, b"", 0x83, b"", 2048, 131072)
    table[510:] = b"\x55\xaa"
    with open(device, "r+b", buffering=0) as file:
        file.write(table)
        fcntl.ioctl(file, BLKRRPART)
    until(lambda: os.path.exists(device + "1"), "no node of the partition")
    return device + "1"


def owners(module):
    """Who submitted bios to which partition; 5.10 has forgotten the partition by then."""
    device = disk(0)
    part = partition(device)
    settle(device)
    module.add(device)
    run("dd if=/dev/zero of=%s bs=4k count=%d oflag=direct" % (part, REQUESTS))
    settle(device)
    total, other, rows = module.owners(device)
    found = [(key[2], row["write_ios"]) for key, row in rows.items() if key[1] == "dd"]
    rdev = os.stat(device if KERNEL == "bullseye" else part).st_rdev
    equal(found, [("%d:%d" % (os.major(rdev), os.minor(rdev)), REQUESTS)],
          "owners: dd, its partition, its writes")
    equal([name for name in total if total[name] != other[name] + sum(row[name] for row in
                                                                      rows.values())], [],
          "owners: rows and the rest are the sum")
    module.delete(device)


def fua_disk():
    with nullblk.disk("fsbnull", size=64, memory_backed=1, cache_size=16, irqmode=nullblk.TIMER,
                      completion_nsec=100000) as device:
        for scheduler in SCHEDULERS:
            write("/sys/block/%s/queue/scheduler" % name_of(device), scheduler)
            direct(device, "null_blk " + scheduler, fua=True, qemu=False)


def held(module, device, name):
    """What is written is held until a flush, and no longer."""
    def bytes_held():
        now = module.snapshot(device)["unflushed"]
        return now["written"] - now["covered"], bool(now["since"]), now["flushes"]

    module.add(device)
    run("dd if=/dev/zero of=%s bs=64k count=10 oflag=direct conv=notrunc" % device)
    equal(bytes_held(), (10 << 16, True, 0), "%s: what is written is held" % name)
    run("dd if=/dev/zero of=%s bs=64k count=1 oflag=direct conv=notrunc,fsync" % device)
    size, since, flushes = bytes_held()
    equal((size, since), (0, False), "%s: until a flush" % name)
    ok(flushes >= 1, "%s: which is counted" % name, flushes)
    module.delete(device)


def contention():
    """Two processors in the probes of one queue: a lock that sleeps there is seen on PREEMPT_RT."""
    name, module = "two processors at once", genl.Module()
    with nullblk.disk("fsbfast", irqmode=nullblk.NONE) as device:
        module.add(device)
        with Load(device, "-r", "-t", 4) as load:
            time.sleep(4)
        settle(device)
        snap = module.snapshot(device)
        module.delete(device)
    check_at_rest(snap, name)
    # neighbours of two threads may meet in the scheduler
    equal(genl.total(snap, "ios", "READ") + snap["bio"]["read_merges"], load.counts["reads"],
          "%s: every read is counted, or merged into one that is" % name)
    note("%s: %d reads" % (name, load.counts["reads"]))


def refusals(module):
    """The kernel's own words and the module's arrive, for requests and for dumps."""
    for command, dump in (("DISK_GET", False), ("SNAPSHOT_GET", True)):
        for what, call, error, text in (
                ("another ABI", lambda: module.call(command, module.where((1, 1)), dump, abi=77),
                 71, "the module speaks (ABI %d, the request ABI 77|another ABI than the request)"
                 % genl.C["FSBSTAT_ABI"]),
                ("no disk named", lambda: module.call(command, b"", dump),
                 22, "MAJOR and MINOR of a disk are needed")):
            try:
                call()
                got = (0, "")
            except genl.Refused as refused:
                got = (refused.errno, refused.text)
            ok(got[0] == error and re.fullmatch(text, got[1]),
               "%s, %s: refused with the reason" % (command, what), got)


def gone():
    """A disk that goes under load while watched, and its driver with it."""
    name, module = "null_blk removed", genl.Module()
    device = nullblk.create("fsbgone", irqmode=nullblk.TIMER, completion_nsec=1000000)
    number, watch = os.stat(device).st_rdev, module.add(device)
    with Load(device, "-t", 4):
        until(lambda: genl.total(module.snapshot(number), "ios", "READ") > 20, "no load")
        nullblk.remove(device)
        wait_gone(module, watch["id"])
    check_sums(module.snapshot(number), name)
    ok(run(["rmmod", "null_blk"], check=False).returncode == 0, "%s: the driver unloads" % name)
    module.close()
    until(lambda: not genl.Module().disks(), "references do not go with the socket")


def under_load():
    """Added to a busy disk, it settles; and the module goes while the disk is busy and watched."""
    device, module = disk(0), genl.Module()
    with Load(device, "-t", 8):
        for _ in range(3):
            watch = module.add(device)
            until(lambda: not entry(module, watch["id"])["settling"], "it does not settle")
            until(lambda: genl.total(module.snapshot(device), "ios", "READ") > 20, "no load")
            queue = module.snapshot(device)["queues"][0]
            equal((queue["unmatched"], queue["clock_anomalies"]), (0, 0),
                  "added under load: all completions are matched")
            equal((sum(queue["depth_ns"]),
                   sum(depth * ns for depth, ns in enumerate(queue["depth_ns"]))),
                  (queue["time"] - queue["start"],
                   queue["device_ns"] + queue["requeued_ns"] + queue["inflight_age_ns"]),
                  "added under load: depth is exact to the nanosecond")
            module.delete(device)
        module.add(device)
        run(["rmmod", "fsbstat"])
        module.close()
        run(["insmod", os.environ["FSB_MODULE"], "disks=" + name_of(device)])
        module = genl.Module()
        until(lambda: genl.total(module.snapshot(device), "ios", "READ"), "nothing is counted")
        equal([(known["name"], known["permanent"]) for known in module.disks()],
              [(name_of(device), 1)], "disks= watches from load on")
    settle(device)
    check_at_rest(module.snapshot(device), "disks= under load")
    module.delete(device, permanent=True)


def tool():
    """fsbctl, built with the compiler and libraries of this guest."""
    result = fsbctl("check")
    equal(result.returncode, 0, "fsbctl check finds nothing missing")
    note(result.stdout + result.stderr)
    seen = record(disk(0), "dd if=/dev/zero of=%s bs=4k count=%d oflag=direct,dsync"
                  % (disk(0), REQUESTS))
    equal((seen["source"], seen["request"]["write"]["ios"], seen["quality"]["unmatched"]),
          ("module", REQUESTS, 0), "fsbctl record has counted the writes")


def main():
    os.makedirs(MOUNT)
    note(os.uname().release)
    run(["modprobe", "-a", "xfs", "btrfs", "f2fs"])
    module = genl.Module()
    equal(module.module()["hooks"], hooks(IDLE), "every hook is found, none is used")
    if KERNEL == "bookworm-rt":
        equal(read("/sys/kernel/realtime"), "1", "this is a PREEMPT_RT kernel")
    sata(module)
    owners(module)
    held(module, disk(0), "sata")
    fua_disk()
    contention()
    refusals(module)
    gone()
    tool()
    under_load()
    done()


main()
