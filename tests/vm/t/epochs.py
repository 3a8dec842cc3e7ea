# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=2G --disk sata,size=256M
# cost: 90
"""Option sets and epochs of `fsbctl record`: what held when, and what changes nothing.

The recorded command is this file again (`epochs.py load FILE`): it changes settings while dbench
runs and notes when, from the moment its process began, which is the window's beginning.
"""

import json
import os
import subprocess
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
from fsbtest import disk, done, equal, fsbctl, name_of, ok, run, write  # noqa: E402
from watched import OVERLAP  # noqa: E402

DISK, OTHER = disk(0), disk(1)
MOUNT, OUT = "/tmp/m", "/tmp/out.json"
DEPTH = "/sys/block/%s/device/queue_depth"
SLACK = 0.6	# between this clock and the window's: a fork and a few reads; lateness() adds to it
PHASE = 7	# seconds: 2 to settle, and some to count in


def age():
    """Seconds since this process began."""
    with open("/proc/self/stat", encoding="ascii") as file:
        began = int(file.read().rsplit(")", 1)[1].split()[19]) / os.sysconf("SC_CLK_TCK")
    return time.clock_gettime(time.CLOCK_BOOTTIME) - began


def change(command):
    """Runs it; from when to when it was changing things."""
    begin = age()
    run(command)
    return begin, age()


def load(path):
    """Four option sets under dbench; before the first change, what must change nothing."""
    with subprocess.Popen(["dbench", "-c", "/fsb/tests/vm/load/short.dbench", "-t",
                           str(5 * PHASE), "4"], cwd=MOUNT, stdout=subprocess.DEVNULL) as dbench:
        time.sleep(2)
        os.makedirs("/tmp/bind", exist_ok=True)
        run("mount --bind %s /tmp/bind && mount -o remount,bind,ro /tmp/bind" % MOUNT)
        run("unshare -m sh -c 'mount -t tmpfs x /tmp/bind && mount %s /tmp/bind && sleep 2'" % DISK)
        run("umount /tmp/bind")
        time.sleep(PHASE)
        times, late = [], 0
        for command in ("mount -o remount,nobarrier %s" % MOUNT, "hdparm -W0 %s" % DISK,
                        "echo 1 > " + DEPTH % name_of(DISK)):
            times.append(change(command))
            asleep = time.monotonic()
            time.sleep(PHASE)
            late = max(late, time.monotonic() - asleep - PHASE)
        dbench.terminate()
    with open(path, "w", encoding="ascii") as file:
        json.dump({"times": times, "late": late}, file)


def document(*arguments):
    result = fsbctl("record", *arguments)
    if result.returncode:
        raise RuntimeError(result.stderr)
    with open(OUT, encoding="utf-8") as file:
        return json.load(file)


def changes_of(epoch):
    return [(c["what"], c["from"], c["to"]) for c in epoch["changed"]]


def lateness(report, loaded):
    """Seconds that this machine, busy as it was, may have put between two clocks that agree: what
    the window has around the command, and how late a process was woken at most."""
    return (report["elapsed_ns"] - report["command"]["wall_ns"]) / 1e9 + loaded["late"]


def within(times, epoch, slack, text):
    """The change lies where the epoch says that it does, at most an interval before it was seen."""
    first = epoch["changed"][0]
    at, error = first["at_ns"] / 1e9, first["error_ns"] / 1e9
    ok(at - error - slack <= times[1] and at + slack >= times[0], text + ": it is where it says",
       (times, first))
    ok((first["seen"] == "notified") == (error == 0) and error < 1.9 + slack, text + ": its error", first)
    ok(at >= times[0] - slack and at <= times[1] + 1 + slack + max(0, error - 1),
       text + ": the boundary is within one interval", (times, first))
    ok(epoch["began_ns"] / 1e9 >= at + 2 - 1e-9, text + ": the settling time is left out", epoch)


def four_sets():
    run("mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 %s && mount %s %s"
        % (DISK, DISK, MOUNT))
    report = document(DISK, "-q", "--json", "-o", OUT, "--snapshots", "/tmp/rec", "--",
                      sys.executable, __file__, "load", "/tmp/times")
    with open("/tmp/times", encoding="ascii") as file:
        loaded = json.load(file)
    times, slack = loaded["times"], SLACK + lateness(report, loaded)
    epochs, sets = report["epochs"], report["option_sets"]
    equal([epoch["set"] for epoch in epochs], [1, 2, 3, 4], "four epochs of four option sets")
    equal([one["name"] for one in sets],
          ["barrier", "nobarrier", "=2, drive cache off", "=3, NCQ 1"], "their names")
    equal(changes_of(epochs[0]), [], "nothing came before; bind mounts and namespaces are nothing")
    equal(changes_of(epochs[1]), [("mount", "barrier", "nobarrier")], "the remount")
    equal(epochs[1]["changed"][0]["seen"], "notified", "the remount was heard of")
    equal(sorted(changes_of(epochs[2])), [("write_cache", "on", "off"),
                                          ("write_cache_kernel", "write back", "write through")],
          "the drive's cache, and the kernel's view of it")
    heard, = [c for c in epochs[2]["changed"] if c["what"] == "write_cache"]
    equal((heard["seen"], heard["error_ns"]), ("notified", 0), "the drive's cache was heard of")
    equal(changes_of(epochs[3]), [("ncq", "32", "1")], "the NCQ depth")
    for i, text in enumerate(("remount", "drive cache", "NCQ depth")):
        within(times[i], epochs[i + 1], slack, text)
    flushes = [epoch["request"]["flush"]["ios"] for epoch in epochs]
    ok(flushes[0] > 0 and flushes[1:] == [0, 0, 0], "flushes with barriers, none without", flushes)
    ok(all(epoch["request"]["write"]["ios"] > 0 for epoch in epochs), "writes in each")
    ok(epochs[3]["depth"]["mean"] <= 1 + OVERLAP,
       "with NCQ 1 one at a time, but for the moment in which one ends", epochs[3]["depth"])
    ok(epochs[0]["depth"]["max"] > 1, "more before that", epochs[0]["depth"])
    equal(sets[2]["options"]["write_cache"], "off", "the settings of a set")
    ok("nobarrier" in sets[3]["options"]["mounts"][0]["options"], "the mounts of a set", sets[3])
    held = sum(epoch["held_ns"] for epoch in epochs)
    ok(held + 3 * 2e9 <= report["elapsed_ns"], "settling times belong to none",
       (held, report["elapsed_ns"]))
    equal(sets[1]["rates"]["write_per_s"]["why_no_change"] in
          ("not comparable (one epoch)", "load changed"), True, "one epoch is no sample")
    replay = document("--from", "/tmp/rec", "-q", "--json", "-o", OUT)
    equal((replay["epochs"], replay["option_sets"]), (epochs, sets), "the replay has the same")
    text = fsbctl("record", "--from", "/tmp/rec").stdout
    ok("sda1" not in text and "barrier -> nobarrier (seen at once)" in text, "as text", text)
    ok("drive cache: on -> off (seen at once)" in text, "the drive's cache, as text", text)
    ok(all(len(line) <= 80 for line in text.splitlines()), "80 columns", text)
    # A superblock that somebody remounts elsewhere is the same superblock.
    report = document(DISK, "-q", "--json", "-o", OUT, "--", "sh", "-c",
                      "sleep 3; unshare -m mount -o remount,barrier %s; sleep 6" % MOUNT)
    equal([changes_of(epoch) for epoch in report["epochs"]],
          [[], [("mount", "nobarrier", "barrier")]], "a remount in another namespace")
    equal(report["epochs"][1]["changed"][0]["seen"], "polled", "was found by looking")
    run(["umount", MOUNT])


def pooled():
    """One depth, another, the first, the other: two sets of two epochs."""
    path = DEPTH % name_of(OTHER)
    steps = "".join("echo %d > %s; sleep 5; " % (depth, path) for depth in (1, 32, 1))
    report = document(OTHER, "-q", "--json", "-o", OUT, "--settle", "1s", "--", "sh", "-c",
                      "(while :; do dd if=/dev/zero of=%s bs=4k count=64 oflag=direct,dsync; done"
                      " 2>/dev/null) & sleep 4; %skill $!" % (OTHER, steps))
    equal([epoch["set"] for epoch in report["epochs"]], [1, 2, 1, 2], "A, B, A, B")
    sets = report["option_sets"]
    equal([(one["name"], one["epochs"]) for one in sets], [("no filesystem", 2), ("NCQ 1", 2)],
          "two sets of two epochs")
    for one in sets:
        mine = [epoch for epoch in report["epochs"] if epoch["set"] == one["set"]]
        equal(sum(epoch["held_ns"] for epoch in mine), one["held_ns"], "all their time")
        rate = sum(epoch["request"]["write"]["ios"] for epoch in mine) * 1e9 / one["held_ns"]
        ok(abs(one["rates"]["write_per_s"]["mean"] - rate) < 1e-6 * rate, "all their writes")
        ok(one["rates"]["write_per_s"]["half_95"] is not None, "an interval")
    change_ = sets[1]["rates"]["write_per_s"]
    ok(change_["change"] is not None or change_["why_no_change"], "compared, or why not", change_)
    write(path, 32)


def throughout():
    """Nothing changes: one epoch, and it holds every request of the window."""
    run("printf 'label: dos\\n,64M,83\\n,64M,83\\n' | sfdisk -q %s" % OTHER)
    for number, kind in ((1, "ext4"), (2, "ext2")):
        os.makedirs("/tmp/p%d" % number, exist_ok=True)
        run("mkfs.%s -q -F %s%d && mount %s%d /tmp/p%d"
            % (kind, OTHER, number, OTHER, number, number))
    run("mkdir -p /tmp/again && mount %s1 /tmp/again" % OTHER)
    report = document(OTHER, "-q", "-I", "300ms", "--json", "-o", OUT, "--", "sh", "-c",
                      "for i in 1 2 3 4; do dd if=/dev/zero of=/tmp/p1/x bs=64k count=16 "
                      "conv=fsync 2>/dev/null; sleep 1; done")
    epoch, = report["epochs"]
    equal((epoch["changed"], report["unsettled"]), ([], None), "held throughout")
    equal(epoch["held_ns"], report["elapsed_ns"], "all the time")
    equal({name: epoch["request"][name]["ios"] for name in epoch["request"]},
          {name: report["request"][name]["ios"] for name in report["request"]}, "all the requests")
    mounts = report["option_sets"][0]["options"]["mounts"]
    equal([(m["source"], m["fstype"]) for m in mounts],
          [(name_of(OTHER) + "1", "ext4"), (name_of(OTHER) + "2", "ext2")],
          "two filesystems, each once")
    text = fsbctl("record", OTHER, "-w", "1s").stdout
    ok("held throughout" in text and "epochs" not in text, "as text", text)
    report = document(OTHER, "-q", "--json", "-o", OUT, "--", "umount", "/tmp/p2")
    equal([c["what"] for c in report["unsettled"]["changed"]], ["mount"], "too late for an epoch")
    run("umount /tmp/again /tmp/p1")


def main():
    os.makedirs(MOUNT, exist_ok=True)
    four_sets()
    pooled()
    throughout()
    done()


if sys.argv[1:2] == ["load"]:
    load(sys.argv[2])
else:
    main()
