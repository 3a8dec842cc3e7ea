# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=1G --disk virtio,size=512M
# cost: 50
"""What fsbctl makes of calls of fsync: whose disk they went to, and how it is shown."""

import csv
import io
import json
import os
import re
import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
from filesystems import MKFS, make, row  # noqa: E402
from fsbtest import (disk, done, equal, fsbctl, name_of, note, ok, record, run,  # noqa: E402
                     settle)

DISK, OTHER = disk(0), disk(1)
MOUNT, ELSEWHERE = "/tmp/mount", "/tmp/elsewhere"
CALLS = 3
PROGRAM = "fsync_calls %s %d > /tmp/own"


def own():
    with open("/tmp/own") as file:
        return json.load(file)


def each_type():
    """On a partition, and beside a busy filesystem on another disk."""
    run("printf ';\\n' | sfdisk -q %s" % DISK)
    part = run("lsblk -nrpo NAME,TYPE %s" % DISK).stdout.split()[2]
    make("ext4", OTHER, ELSEWHERE)
    module = genl.Module()
    module.add(DISK)
    for fstype in MKFS:
        make(fstype, part, MOUNT)
        settle(DISK)
        before = row(module, fstype, MOUNT)
        document = record(DISK, (PROGRAM + " && fsync_calls %s 2") % (MOUNT, CALLS, ELSEWHERE))
        after, fs = row(module, fstype, MOUNT), document["fs"]
        equal((fs["fsync"]["calls"], fs["fsync"]["errors"], fs["fsync"]["latency"]["count"]),
              (own()["calls"], 0, own()["calls"]), "%s: the calls of this disk alone" % fstype)
        equal(fs["fsync"]["latency"]["sum_ns"], after["latency"]["sum"] - before["latency"]["sum"],
              "%s: their latency" % fstype)
        equal((fs["commits"], "fs.commits" in document["source_reason"]),
              (after["commits"] - before["commits"], False) if fstype == "ext4" else (None, True),
              "%s: its commits" % fstype)
        equal(sum(owner["fsync"] for owner in document["owners"]
                  if owner["comm"] == "fsync_calls"), own()["calls"],
              "%s: who called is told, elsewhere left out" % fstype)
        equal((document["quality"]["nmissed"], document["quality"]["fsync_lost"]), (0, 0),
              "%s: none is missed" % fstype)
        run(["umount", MOUNT])
    module.close()


def several_disks():
    """Of a filesystem on two disks everything is in each."""
    run(["umount", ELSEWHERE])
    run("mkfs.btrfs -q -f -d raid1 -m raid1 %s %s && btrfs device scan >/dev/null && "
        "mount %s %s" % (DISK, OTHER, DISK, MOUNT))
    for device in (DISK, OTHER):
        equal(record(device, PROGRAM % (MOUNT, CALLS))["fs"]["fsync"]["calls"], own()["calls"],
              "btrfs on two disks: %s" % name_of(device))
    run(["umount", MOUNT])


def mounted_meanwhile():
    document = record(DISK, "wipefs -qa %s; %s %s && mount %s %s && %s && umount %s" % (
        DISK, MKFS["ext4"], DISK, DISK, MOUNT, PROGRAM % (MOUNT, CALLS), MOUNT))
    equal(document["fs"]["fsync"]["calls"], own()["calls"],
          "mounted and unmounted while recording: counted")
    ok(document["fs"]["commits"] >= CALLS, "its commits too", document["fs"]["commits"])


def nothing_there():
    document = record(OTHER, "true")
    equal((document["fs"], document["source_reason"]["fs"]),
          (None, "no filesystem of a counted type is on it (ext2 to ext4, xfs, btrfs, f2fs)"),
          "no filesystem: null with the reason")
    text = fsbctl("record", OTHER, "--", "true").stderr
    ok(re.search(r"fsync calls +n/a +no filesystem of a counted type", text),
       "and the text says so", text)


def shown():
    run("mount %s %s" % (DISK, MOUNT))
    settle(DISK)
    document = record(DISK, "true")
    equal((document["fs"]["fsync"]["calls"], document["fs"]["commits"]), (0, 0),
          "mounted and left alone: 0, not null")
    result = fsbctl("record", DISK, "-I", "1", "--", "sh", "-c", PROGRAM % (MOUNT, 25))
    text = result.stderr
    note(text)
    ladder = text[text.index("from fsync to the disk"):].split("\n\n")[0]
    ok(all(len(line) <= 80 for line in text.splitlines()), "the report fits 80 columns", text)
    steps = dict(re.findall(r"^  ([a-zA-Z ]+?)  +([0-9 ]+?)  ", ladder, flags=re.M))
    equal(int(steps["fsync calls"].replace(" ", "")), own()["calls"], "the ladder: calls")
    for step in ("journal commits", "flushes asked for", "flushes sent",
                 "flushes that drained NCQ"):
        ok(step in steps, "the ladder: " + step, ladder)
    ok(re.search(r"per fsync [0-9.]+ flushes, [0-9.]+ kB written, [0-9.]+ ms of the disk",
                 re.sub(r"\s+", " ", ladder)), "the ladder: per fsync", ladder)
    rows = list(csv.DictReader(io.StringIO(fsbctl(
        "record", DISK, "--csv", "-o", "-", "--", "sh", "-c",
        PROGRAM % (MOUNT, CALLS)).stdout)))
    owners = [row for row in rows if row["row"] == "owner"]
    rows = [row for row in rows if row["row"] != "owner"]
    equal({(row["fsync_calls"], row["fsync_count"]) for row in rows},
          {(str(own()["calls"]),) * 2}, "CSV: the disk's, in each row")
    ok(int(rows[0]["journal_commits"]) >= CALLS, "CSV: commits", rows[0])
    equal([row["owner_fsync"] for row in owners if row["owner_comm"] == "fsync_calls"],
          [str(own()["calls"])], "CSV: who called")
    run(["umount", MOUNT])


def hooks():
    run(["modprobe", "-r", "xfs", "f2fs"])
    text = fsbctl("check").stdout
    for name, words in (("ext4_sync_file", "^ok .*found; attached"),
                        ("jbd2_end_commit", "^ok .*found; attached"),
                        ("xfs_dir_fsync", "^n/a .*xfs is not loaded; attached when it comes")):
        line = next(line for line in text.splitlines() if name in line)
        ok(re.search(words, line), "check: %s" % name, line)
    text = fsbctl("list").stdout
    ok(re.search(r"missing +3 of filesystems that are not loaded; attached when they come", text),
       "list: so it says", text)


def main():
    os.makedirs(MOUNT)
    os.makedirs(ELSEWHERE)
    run(["modprobe", "-a", "xfs", "btrfs", "f2fs"])
    settle(DISK)
    each_type()
    several_disks()
    mounted_meanwhile()
    run(["wipefs", "-qa", OTHER])
    nothing_there()
    shown()
    hooks()
    done()


main()
