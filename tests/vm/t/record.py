# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=256M --disk virtio,size=256M
# cost: 50
"""`fsbctl record` as a person uses it: output, status, windows, signals, forms of DISK."""

import csv
import io
import json
import os
import signal
import subprocess
import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
import nullblk  # noqa: E402
from filesystems import KIB, memory_bound  # noqa: E402
from fsbtest import (disk, diskstats, done, equal, fsbctl, name_of, ok, record, run,  # noqa: E402
                     settle, write)
from watched import ready, until  # noqa: E402

DISK, OTHER = disk(0), disk(1)
NAME = name_of(DISK)
DD = "dd if=/dev/zero of=%s bs=4k count=%d oflag=direct,dsync 2>/dev/null"
KEYS = {"schema", "kind", "tool", "module", "host", "source", "source_reason", "device", "mounts",
        "command", "elapsed_ns", "bio", "request", "inflight", "depth", "ata", "flush",
        "unflushed", "fs", "owners", "dirty_bytes_end", "epochs", "intervals", "runs", "summary",
        "quality"}


def writes(document):
    return document["request"]["write"]["ios"]


def output_and_status():
    result = fsbctl("record", DISK, "--", "sh", "-c", "printf 'a\\0b'; echo err >&2; exit 7")
    equal((result.returncode, result.stdout), (7, "a\0b"), "status and stdout are the command's")
    ok("err\n" in result.stderr and "record: sh" in result.stderr, "stderr: its own, then the report")
    equal(fsbctl("record", DISK, "--", "sh", "-c", "kill -TERM $$").returncode, 128 + 15,
          "a command killed by a signal")
    result = subprocess.run(["fsbctl", "record", "-q", DISK, "--", "cat"], input=b"in",
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    equal(result.stdout, b"in", "stdin is passed on")
    lines = fsbctl("record", DISK, "--", "true").stderr.splitlines()
    ok(all(len(line) <= 80 for line in lines), "the report fits 80 columns", "\n".join(lines))


def documents():
    document = record(DISK, DD % (DISK, 50))
    equal(set(document) & KEYS, KEYS, "every key of the schema is there")
    equal((document["schema"], document["kind"], document["source"]),
          ("fsbstat/1", "disk", "module"), "schema, kind, source")
    ok(all(document[key] is not None or key in document["source_reason"] for key in KEYS),
       "what is null has a reason", document["source_reason"])
    equal(writes(document), 50, "the command's writes and no others")
    equal((document["quality"]["complete"], document["command"]["exit"]["code"]), (True, 0),
          "complete, exit code kept")
    equal(document["device"]["name"], NAME, "the device")
    result = fsbctl("record", DISK, "--csv", "-o", "-", "--", "sh", "-c", DD % (DISK, 50))
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    equal([row["ios"] for row in rows if row["class"] == "write"], ["50"], "CSV has the same count")
    equal(fsbctl("record", DISK, "-w", "300ms", "--json").returncode, 0, "-w without a command")


def windows():
    command = DD % (DISK, 20)
    document = record(DISK, command, ["-r", "3", "--prepare", DD % (DISK, 70), "--cleanup",
                                      DD % (DISK, 30)])
    equal([writes(one) for one in document["runs"]], [20, 20, 20],
          "-r: prepare and cleanup lie outside the window")
    ok(document["summary"] is not None, "a summary of the runs")
    document = record(DISK, "sleep 1.2; " + command, ["-I", "300ms"])
    ok(len(document["intervals"]) >= 4, "-I gives rows", len(document["intervals"]))
    equal(sum(writes(row) for row in document["intervals"]), 20, "they sum to the whole")
    settle(DISK)
    os.makedirs("/tmp/m", exist_ok=True)
    run("mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 %s && mount %s /tmp/m"
        % (DISK, DISK))
    settle(DISK)
    dirty = record("/tmp/m", "dd if=/dev/zero of=/tmp/m/f bs=1M count=8 2>/dev/null")
    # The kernel's own figure is a sum of per-CPU counters that may lag by some dozen pages.
    ok(dirty["dirty_bytes_end"] + dirty["request"]["write"]["bytes"] >= 7 << 20,
       "dirty data at the end is told",
       (dirty["dirty_bytes_end"], dirty["request"]["write"]["bytes"]))
    synced = record("/tmp/m", "dd if=/dev/zero of=/tmp/m/g bs=1M count=8 2>/dev/null", ["--sync"])
    ok(synced["request"]["write"]["bytes"] >= 8 << 20, "--sync: it is written inside the window",
       synced["request"]["write"])


def signals():
    for number, name in ((signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM")):
        child = subprocess.Popen(["fsbctl", "record", DISK, "--json", "-o", "/tmp/s.json", "--",
                                  "sleep", "600"], stderr=subprocess.DEVNULL)
        until(lambda: run(["pgrep", "-f", "^sleep 600"], check=False).stdout,
              "the command does not run")
        child.send_signal(number)
        child.wait()
        document = json.load(open("/tmp/s.json"))
        equal(document["quality"]["complete"], False, "%s: valid JSON, not complete" % name)
        ok(child.returncode != 0, "%s: a status that tells" % name, child.returncode)
    child = subprocess.Popen(["fsbctl", "record", DISK, "--json"], stdout=subprocess.PIPE)
    ready(child)
    child.send_signal(signal.SIGINT)
    text = child.communicate()[0]
    equal((child.returncode, json.loads(text)["quality"]["complete"]), (0, True),
          "without a command Ctrl-C is the normal end")


def sleepers():
    return run(["pgrep", "-f", "^sleep 60[0-9]$"], check=False).stdout.split()


def commands_end():
    """Nothing of a command goes on, into the next run or after fsbctl was killed."""
    quiet = ("n() { awk '{ print $1, $5 }' /sys/block/%s/stat; }; ! pgrep -x dd && a=$(n); "
             "sleep 0.2; test \"$(n)\" = \"$a\"" % NAME)
    writers = ("(setsid dd if=/dev/zero of=%s bs=4k oflag=direct &) ; "
               "dd if=/dev/zero of=%s bs=4k seek=4096 oflag=direct; true" % (DISK, DISK))
    result = fsbctl("record", DISK, "-r", "3", "-w", "1s", "--prepare", quiet, "--cleanup", quiet,
                    "--json", "-o", "/tmp/w.json", "--", "sh", "-c", writers)
    counts = [writes(one) for one in json.load(open("/tmp/w.json"))["runs"]]
    ok(len(counts) == 3 and min(counts) > 0, "-r, -w: no run's writers go on into the next",
       (counts, result.stderr))
    for words in (["--", "sh", "-c", "sleep 601 & setsid sleep 602 & (setsid sleep 603 &); wait"],
                  ["--prepare", "sleep 601 & setsid sleep 602 & (setsid sleep 603 &); wait", "--",
                   "true"]):
        child = subprocess.Popen(["fsbctl", "record", "-q", DISK] + words)
        until(lambda: len(sleepers()) == 3, "the command does not run")
        child.kill()
        child.wait()
        until(lambda: not sleepers(), "what a killed fsbctl ran goes on")
    ok(True, "kill -9: what ran is killed too, orphans in sessions of their own as well")


def not_counted():
    path = "/sys/block/%s/queue/iostats" % NAME
    write(path, "0")
    result = fsbctl("record", DISK, "--source", "diskstats", "--json", "-o", "/tmp/i.json", "--",
                    "sh", "-c", DD % (DISK, 20))
    text = fsbctl("stat", DISK, "200ms", "1", "--source", "diskstats").stdout
    write(path, "1")
    document = json.load(open("/tmp/i.json"))
    equal((document["request"], document["source_reason"]["request"],
           document["quality"]["complete"]), (None, "queue/iostats was off", False),
          "queue/iostats off: n/a with the reason, not complete")
    ok("iostats" in result.stderr and "n/a" in text, "said by record, n/a in stat",
       (result.stderr, text))
    # without dsync, of which the kernel counts the write and the end of its flush
    again = "dd if=/dev/zero of=%s bs=4k count=20 oflag=direct 2>/dev/null" % DISK
    equal(writes(record(DISK, again, ["--source", "diskstats"])), 20,
          "on again: counted again")


def covered():
    """Another filesystem is mounted over the one that is to be synced."""
    settle(DISK)
    run("dd if=/dev/zero of=/tmp/m/h bs=1M count=8 2>/dev/null && mount -t tmpfs none /tmp/m")
    document = record(DISK, "true", ["--sync"])
    run("umount /tmp/m")
    ok(document["request"]["write"]["bytes"] >= 8 << 20, "--sync: 8 MiB below another mount",
       document["request"]["write"])
    ok(any("all were synced" in line for line in document["quality"]["warnings"]),
       "and it is said that all filesystems were synced", document["quality"]["warnings"])


def two_filesystems():
    """Each has its own calls of fsync, wherever on the disk it is."""
    parts = [OTHER + "1", OTHER + "2"]
    for i, part in enumerate(parts):
        until(lambda: os.path.exists(part), "no partition")
        os.makedirs("/tmp/p%d" % i, exist_ok=True)
        run("mkfs.ext4 -q -F %s && mount %s /tmp/p%d" % (part, part, i))
    document = record("/tmp/p0", "for i in 1 2 3; do dd if=/dev/zero of=/tmp/p0/f bs=4k count=1 "
                      "conv=fsync; done; for i in 1 2 3 4 5; do dd if=/dev/zero of=/tmp/p1/f bs=4k "
                      "count=1 conv=fsync; done")
    calls = {name_of("/dev/" + one["device"]) if one["device"] else None: one["fsync"]["calls"]
             for one in document["fs"]["filesystems"]}
    equal((document["fs"]["fsync"]["calls"], [calls.get(name_of(part)) for part in parts]),
          (8, [3, 5]), "two filesystems on a disk: the disk's calls of fsync, and each one's own")
    run("umount /tmp/p0 /tmp/p1")


def added_below():
    table = "0 32768 linear %s 0" % (OTHER + "1")
    run("dmsetup create fsbdm --table '%s'; dmsetup mknodes" % table)
    document = record("/dev/mapper/fsbdm", "printf '%s\n32768 32768 linear %s 0\n' | "
                      "dmsetup load fsbdm; dmsetup resume fsbdm" % (table, DISK))
    run("dmsetup remove fsbdm")
    equal(document["quality"]["complete"], False, "dm: a disk that comes below: not complete")
    ok(any(NAME + " was added below" in line for line in document["quality"]["warnings"]),
       "and it is named", document["quality"]["warnings"])


def names():
    settle(DISK)
    numbers = "%d:%d" % (os.major(os.stat(DISK).st_rdev), os.minor(os.stat(DISK).st_rdev))
    os.makedirs("/tmp/links", exist_ok=True)
    os.symlink(DISK, "/tmp/links/by-id")
    for name in (DISK, NAME, numbers, "/tmp/links/by-id", "/tmp/m", "/tmp/m/f"):
        equal(record(name, "true")["device"]["name"], NAME, "DISK as %s" % name)
    covered()
    run("umount /tmp/m")
    run("printf 'label: dos\\n,64M\\n,64M\\n' | sfdisk -q %s" % OTHER)
    part = OTHER + "1"
    until(lambda: os.path.exists(part), "no partition")
    equal(record(part, "true")["device"]["name"], name_of(OTHER), "a partition is its disk")
    ok(name_of(part) in fsbctl("record", part, "--", "true").stderr, "and the report says so")
    run("dmsetup create fsbdm --table '0 32768 linear %s 0'" % part)
    run("dmsetup mknodes")
    equal(record("/dev/mapper/fsbdm", DD % ("/dev/mapper/fsbdm", 10))["request"]["write"]["ios"],
          10, "dm: the disk below is counted")
    run("dmsetup remove fsbdm")
    added_below()
    two_filesystems()


def elsewhere():
    result = fsbctl("record", DISK, "--", "true", cwd="/tmp")
    ok("warning" in result.stderr, "warns when the command ran elsewhere and the disk idled")


def disk_goes():
    with nullblk.disk("fsbgone", size=64, memory_backed=1):
        child = subprocess.Popen(["fsbctl", "record", "fsbgone", "--json", "-o", "/tmp/g.json",
                                  "--", "sh", "-c", DD % ("/dev/fsbgone", 10) + "; sleep 3"],
                                 stderr=subprocess.PIPE)
        until(lambda: diskstats("/dev/fsbgone")["writes"] >= 10, "the command does not write")
    child.communicate()
    document = json.load(open("/tmp/g.json"))
    equal((writes(document), document["quality"]["complete"]), (10, False),
          "a disk that goes: its last counts, marked incomplete")
    run(["rmmod", "null_blk"])


def load_time():
    run("rmmod fsbstat; insmod $FSB_MODULE disks=%s,nosuch,%s" % (NAME, name_of(OTHER)))
    module = genl.Module()
    equal([(one["name"], one["permanent"]) for one in module.disks()],
          [(NAME, 1), (name_of(OTHER), 1)], "insmod disks= watches what it can")
    state, one, other = module.module(), *module.disks()
    shared = state["memory"] - one["memory"] - other["memory"]
    ok(200 * KIB < shared <= memory_bound(state["hooks"]),
       "memory is that of the disks, and what all share: filesystems, callers of fsync",
       (state, one, other))
    ok("KiB" in fsbctl("list").stdout, "fsbctl list shows the memory")
    module.delete(OTHER, permanent=True)
    equal(module.module()["memory"], shared + one["memory"],
          "a disk gives back its own, to the byte; what all share stays")
    module.delete(DISK, permanent=True)
    equal(module.module()["memory"], 0, "the last one gives back what all share")
    module.close()


def main():
    output_and_status()
    documents()
    commands_end()
    not_counted()
    windows()
    signals()
    names()
    elsewhere()
    disk_goes()
    load_time()
    done()


main()
