# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=1G
# vm-debug: --disk sata,size=1G --timeout 2400
# cost: 50
"""Calls of fsync and commits, by filesystem: counted exactly, whatever comes and goes meanwhile."""

import os
import re
import subprocess
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
import slowdisk  # noqa: E402
from filesystems import (ATTACHED, HOOKS, IDLE, MISSING, MKFS, check_calls, make,  # noqa: E402
                         number_of, row, states)
from fsbtest import DEBUG_KERNEL, disk, done, equal, note, ok, read, run, settle  # noqa: E402
from watched import check_nothing_left  # noqa: E402

DISK = disk(0)
MOUNT = "/tmp/mount"
FLUSH_MS = 50
CALLS = 6
# Those that the kernel has as modules, or at all.
TYPES = ["ext4", "xfs"] if DEBUG_KERNEL else list(MKFS)
OTHERS = TYPES[1:]
FOUND = {name for fstype in TYPES for name in HOOKS[fstype]}


def found(module):
    """States of the hooks of these filesystems."""
    return {name: state for name, state in states(module).items() if name in FOUND}


def commits_of_kernel():
    text = read("/proc/fs/jbd2/%s-8/info" % slowdisk.name())
    return int(re.match(r"(\d+) transactions", text).group(1))


def calls(fstype, module):
    """A program's own count and timing on a disk whose flushes are slow."""
    make(fstype, slowdisk.DEVICE, MOUNT)
    run(["sync"])
    slowdisk.delay(DISK, FLUSH_MS)
    before, commits = row(module, fstype, MOUNT), fstype == "ext4" and commits_of_kernel()
    own, mine = check_calls(module, fstype, MOUNT, CALLS)
    ok((0.9 if DEBUG_KERNEL else 0.98) * own["ns"] <= mine <= own["ns"],
       "%s: the latencies are the program's own, within 2 %%" % fstype, (mine, own["ns"]))
    note("%s: %.4f of the program's own %.3f s" % (fstype, mine / own["ns"], own["ns"] / 1e9))
    if fstype == "ext4":
        ours = row(module, fstype, MOUNT)["commits"] - before["commits"]
        # One may have ended between the two reads of a pair.
        ok(abs(ours - (commits_of_kernel() - commits)) <= 1,
           "ext4: as many commits as the journal says", (ours, commits))
    slowdisk.delay(DISK, 0)
    run(["umount", MOUNT])


def errors(module):
    """The device fails: so do the calls, and they are counted as errors."""
    make("ext4", slowdisk.DEVICE, MOUNT)
    run(["fsync_calls", MOUNT, "1"])
    before = row(module, "ext4", MOUNT)
    slowdisk.fail(DISK)
    failed = run(["fsync_calls", MOUNT, "1"], check=False)
    after = row(module, "ext4", MOUNT)
    slowdisk.delay(DISK, 0)
    ok(failed.returncode == 1, "fsync on a device that fails says so", failed.stderr)
    equal((after["fsyncs"] - before["fsyncs"], after["errors"] - before["errors"]), (1, 1),
          "and is counted as an error")
    run(["umount", MOUNT])


def crowd(module):
    """Many sleep in fsync at once: none is lost."""
    threads, rounds = 256, 1 if DEBUG_KERNEL else 3
    make("ext4", slowdisk.DEVICE, MOUNT)
    slowdisk.delay(DISK, FLUSH_MS)
    before = row(module, "ext4", MOUNT)
    run(["fsync_storm", MOUNT, "16", str(threads), str(rounds)])
    everything, rows = module.filesystems()
    after = rows[number_of(MOUNT), "ext4"]
    equal((after["fsyncs"] - before["fsyncs"],
           after["latency"]["count"] - before["latency"]["count"], everything["missed"]),
          (threads * rounds,) * 2 + (0,), "%d threads in fsync at once: none is lost" % threads)
    ok(after["latency"]["max"] >= FLUSH_MS * 1000000, "and they did wait", after["latency"]["max"])


def unloaded_asleep(module):
    """The watch ends, then the module goes, while hundreds sleep in a probed fsync."""
    command = ["fsync_storm", MOUNT, "16", "256", "40" if DEBUG_KERNEL else "30"]
    with subprocess.Popen(command) as storm:
        time.sleep(1)
        for _ in range(3):
            module.delete(DISK)
            module.add(DISK)
            time.sleep(0.2)
        run(["rmmod", "fsbstat"])
        ok(storm.poll() is None, "the module went while they slept")
        run(["insmod", os.environ["FSB_MODULE"]])
        again = genl.Module()
        again.add(DISK)
        equal(storm.wait(), 0, "calls under way when the module went all return")
    before = row(again, "ext4", MOUNT)
    run(["fsync_storm", MOUNT, "1", "1", "5"])
    equal(row(again, "ext4", MOUNT)["fsyncs"] - before["fsyncs"], 5, "and it counts again")
    slowdisk.delay(DISK, 0)
    run(["umount", MOUNT])
    module.close()
    return again


def come_and_go(module):
    """Modules of filesystems before, during and after, while another one is busy."""
    make("ext4", slowdisk.DEVICE, MOUNT)
    with subprocess.Popen(["fsync_storm", MOUNT, "4", "8", "4000"]) as storm:
        for fstype in OTHERS * 2:
            run(["modprobe", "-r", fstype])
            now = states(module)
            equal(({now[name] for name in HOOKS[fstype]}, now["ext4_sync_file"]),
                  ({MISSING}, ATTACHED), "%s is gone, ext4's hook is none the worse" % fstype)
            run(["modprobe", fstype])
            equal({states(module)[name] for name in HOOKS[fstype]}, {ATTACHED},
                  "%s comes and is attached" % fstype)
        ok(storm.poll() is None, "all that under load")
        storm.kill()
    run(["umount", MOUNT])
    make(OTHERS[0], slowdisk.DEVICE, MOUNT)
    check_calls(module, OTHERS[0], MOUNT, 2)
    run(["umount", MOUNT])
    for fstype in OTHERS:
        run(["modprobe", "-r", fstype])
    module.delete(DISK)
    equal({name: state for name, state in found(module).items() if state != MISSING},
          {"ext4_sync_file": IDLE}, "no disk: only what is there, and nothing attached")
    run(["modprobe", OTHERS[0]])
    equal({states(module)[name] for name in HOOKS[OTHERS[0]]}, {IDLE}, "what comes then is found")
    module.add(DISK)
    equal({states(module)[name] for name in HOOKS[OTHERS[0]]}, {ATTACHED},
          "and attached with the next disk")


def no_room(module):
    """More superblocks than there is room for: what they do is counted as lost."""
    room, places = 32, []
    known, lost = module.filesystems()[1], module.filesystems()[0]["lost"]
    total = module.callers()[0]
    for number in range(room - len(known) + 2):
        image, place = "/tmp/image%d" % number, "/tmp/place%d" % number
        os.makedirs(place)
        run("truncate -s 2M %s && mkfs.ext4 -q -F -O ^has_journal %s && mount -o loop %s %s" %
            (image, image, image, place))
        places.append(place)
        run(["fsync_calls", place, "1"])
    everything, rows = module.filesystems()
    equal((len(rows), everything["lost"] - lost), (room, 2 * 5),
          "two superblocks too many: their calls are lost, and counted as such")
    equal({row["fsyncs"] for key, row in rows.items() if key not in known}, {5},
          "those that found room have theirs")
    equal(module.callers()[0] - total, 5 * len(places), "callers are known of all of them")
    run(["umount"] + places)


def permissions(module):
    """Who may read: as with the counters of disks."""
    script = ("import sys; sys.path.insert(0, '/fsb/tests/vm/lib'); import genl, os; "
              "os.setuid(65534); m = genl.Module(); print(m.filesystems()[0])")
    for value, status in (("N", 1), ("Y", 0), ("N", 1)):
        with open("/sys/module/fsbstat/parameters/unprivileged_read", "w") as file:
            file.write(value)
        result = run([sys.executable, "-c", script], check=False)
        equal(result.returncode, status, "unprivileged_read=%s: FS_GET is %s" %
              (value, "refused" if status else "answered"))
    try:
        module.call("FS_GET", dump=True, abi=77)
        text = ""
    except genl.Refused as refused:
        text = refused.text
    ok(text.startswith("the module speaks"), "another ABI is refused with the reason", text)


def main():
    os.makedirs(MOUNT)
    run(["modprobe", "-a", "dm-delay", "loop"] + OTHERS)
    settle(DISK)
    module = genl.Module()
    equal(set(found(module).values()), {IDLE}, "all functions are found, none is probed")
    equal(module.filesystems(), ({"missed": 0, "lost": 0, "since": 0}, {}),
          "no disk: nothing is counted")
    module.add(DISK)
    note("memory: %d bytes of %d" % (module.module()["memory"] - module.disks()[0]["memory"],
                                     module.module()["memory"]))
    equal(set(found(module).values()), {ATTACHED}, "with a disk all are")
    with slowdisk.disk(DISK):
        for fstype in TYPES:
            calls(fstype, module)
        errors(module)
        crowd(module)
        module = unloaded_asleep(module)
        come_and_go(module)
    no_room(module)
    permissions(module)
    module.delete(DISK)
    check_nothing_left(module, "in the end")
    done()


main()
