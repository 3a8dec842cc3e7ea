# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=512M
# cost: 120
"""`fsbctl run`: two filesystems with and without barrier and drive cache, two workloads, to the end.

Every cell has scores, their error and what the disk did, which is what `record` says of the same
commands; a cell that cannot be had says so; settings and mounts are as before.
"""

import json
import os
import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
import experiments  # noqa: E402
from experiments import STORE, clean, latest, trials, words  # noqa: E402
from fsbtest import disk, done, equal, fsbctl, note, ok, record, run  # noqa: E402
from knobs import difference, knobs  # noqa: E402

SATA, SERIAL = disk(0), "fsb0"
APPENDS = 20
APPEND = "appends %d" % APPENDS
FILES = "i=0; while [ $i -lt 50 ]; do echo $i > f$i; i=$((i + 1)); done; echo files: $i; rm f*"
REFUSED, USAGE, CANNOT = 3, 2, 77


def prepare():
    experiments.workload("append", APPEND, tools=["appends"], space="1000000")
    experiments.workload("files", FILES, result="^files: ([0-9]+)$", unit="files", better="more")
    with open(experiments.MATRIX, "w", encoding="ascii") as file:
        file.write("""
schema: fsbstat-matrix/1
name: test
all: {mount: relatime}
axes:
  - {fs: [ext4, btrfs, xfs]}
  - {barrier: [on, off]}
  - {write_cache: [on, off]}
workloads: [append, files]
exclude: [{configuration: xfs-barrier-*}, {configuration: xfs-nobarrier-nocache}]
repeat: {min: 2, max: 2}
""")


def plan(*more):
    result = fsbctl("run", "--plan", "--json", experiments.MATRIX, SATA, "--db", STORE, *more)
    if result.returncode:
        raise RuntimeError("--plan: %d %s" % (result.returncode, result.stderr))
    return json.loads(result.stdout)


def order():
    first, again, other = (plan("--seed", seed)["order"] for seed in ("7", "7", "8"))
    equal(first, again, "plan: one seed, one order")
    ok(first != other and sorted(first) == sorted(other), "plan: another seed, another order",
       (first, other))
    only = plan("--only", "btrfs-*/append")["order"]
    ok(len(only) == 4 and all(name.startswith("btrfs-") for name in only), "plan: --only", only)
    cells = {cell["name"]: cell for cell in plan()["cells"]}
    equal(len(cells), 18, "plan: cells")
    ok("removed" in (cells["xfs-nobarrier-cache/append"]["unsupported"] or ""),
       "plan: xfs has no nobarrier any more", cells["xfs-nobarrier-cache/append"])
    equal([name for name, cell in cells.items() if cell["unsupported"]],
          ["xfs-nobarrier-cache/append", "xfs-nobarrier-cache/files"], "plan: all else can be had")
    return first


def consent():
    with open(SATA, "rb") as file:
        before = file.read(1 << 20)
    for more, what in (((), "nobody has agreed"), (("--destroy", "fsb1"), "names something else"),
                       (("--destroy", os.path.basename(SATA)), "names something else")):
        result = fsbctl("run", experiments.MATRIX, SATA, "--db", STORE, *more)
        lines = result.stderr.splitlines()
        ok(result.returncode == REFUSED and len(lines) == 2 and what in lines[0] and
           lines[1].strip() == "fsbctl run %s %s --db %s --destroy %s"
           % (experiments.MATRIX, SATA, STORE, SERIAL),
           "no consent (%s): refused, with the line to paste" % (" ".join(more) or "no word"),
           result.stderr)
    with open(SATA, "rb") as file:
        equal(file.read(1 << 20), before, "no consent: nothing was written")
    ok(not os.path.exists(STORE), "no consent: nothing was stored")


def mistakes():
    for status, what, arguments in (
            (USAGE, "no disk named", (experiments.MATRIX,)),
            (USAGE, "no matrix named", ()),
            (USAGE, "neither a preset nor a file", ("nosuch", SATA)),
            (USAGE, "no cell is called", (experiments.MATRIX, SATA, "--only", "zfs*")),
            (USAGE, "is no size", (experiments.MATRIX, "--file", "/tmp/x", "--size", "4k")),
            (USAGE, "is no length of time", (experiments.MATRIX, SATA, "--max-time", "x")),
            (USAGE, "no run was stopped or interrupted", ("--resume",)),
            (REFUSED, "a directory", (experiments.MATRIX, "/tmp"))):
        result = fsbctl("run", "--db", "/tmp/none.db", *arguments)
        ok(result.returncode == status and what in result.stderr.splitlines()[0],
           "run %s: status %d, %s" % (" ".join(arguments), status, what),
           "%d %s" % (result.returncode, result.stderr))


def expected_order(first, second):
    """Places as stored, for the first two blocks; cells that cannot be had leave gaps."""
    rows = []
    for block, names in ((1, first), (2, second)):
        rows += [(name, block, place) for place, name in enumerate(names, 1)
                 if not name.startswith("xfs")]
    return rows


def whole(first):
    before, mounts = knobs(SATA), run(["cat", "/proc/mounts"]).stdout
    result = fsbctl(*words(SATA, SERIAL, "--seed", "7"))
    ok(clean(result), "the matrix runs to the end")
    equal(difference(before, knobs(SATA)), "", "every byte of the settings is back")
    equal(run(["cat", "/proc/mounts"]).stdout, mounts, "nothing is left mounted")
    made = trials()
    equal([(t.cell, t.block, t.place) for t in made if t.block == 1],
          [row for row in expected_order(first, []) if row[1] == 1],
          "trials were made in the order of the plan")
    ok([t.cell for t in made if t.block == 1] != [t.cell for t in made if t.block == 2],
       "the second block has an order of its own")
    equal(sorted((t.cell, t.block) for t in made),
          sorted((name, block) for name in first if not name.startswith("xfs")
                 for block in (1, 2)), "every cell was run twice")
    bad = [(t.cell, t.state, t.reason) for t in made if t.state != "ok"]
    equal(bad, [], "all trials are well")
    equal([t.score for t in made if t.cell.endswith("/files")], [50.0] * 16, "scores of files")
    ok(all(0 < t.score == t.seconds for t in made if t.cell.endswith("/append")),
       "without a pattern the score is the time")
    return made, result


def shown(made):
    name = latest()[1]
    results = json.loads(fsbctl("report", name, "--format", "json", "--db", STORE).stdout)
    text = json.dumps(results)
    ok(all(t.cell.split("/")[0] in text for t in made), "report: every configuration is there")
    note(fsbctl("report", name, "--db", STORE).stdout)
    row = run(["python3", "-c", "import sqlite3; print(sqlite3.connect('%s').execute("
               "'select seed, state, module, baseline from run').fetchall())" % STORE]).stdout
    ok(row.startswith("[('7', 'complete', '"), "the store has seed and state", row)


def device(made):
    """What was asked for is what the disk saw."""
    for t in made:
        cell, doc = t.cell.split("/"), t.device
        settings = doc["device"]
        wanted = "off" if "nocache" in cell[0] else "on"
        if (settings["write_cache"], settings["write_cache_kernel"]) != (
                wanted, "write through" if wanted == "off" else "write back"):
            return ok(False, "device: the drive's cache was as wanted", (t.cell, settings))
        if ("nobarrier" in cell[0]) != ("nobarrier" in t.mount_options.split(",")):
            return ok(False, "device: barrier was as wanted", (t.cell, t.mount_options))
    ok(True, "device: cache and barrier were as wanted")
    ok(all(t.device["fs"]["fsync"]["calls"] == APPENDS for t in made
           if t.cell.endswith("/append")), "device: each fsync is counted, none of others",
       [t.device["fs"]["fsync"]["calls"] for t in made if t.cell.endswith("/append")])
    flushes = {t.cell: t.device["request"]["flush"]["ios"] for t in made}
    ok(all((count >= APPENDS) == ("-barrier-cache/append" in name)
           for name, count in flushes.items()), "device: flushes with a barrier alone", flushes)
    ok(all(t.device["sync"]["wall_ns"] > 0 for t in made), "device: the window has the sync")
    return None


def by_hand():
    """One cell's steps without fsbctl run, its command under record."""
    run(["mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", SATA])
    os.makedirs("/tmp/mnt", exist_ok=True)
    mount = ["mount", "-o", "relatime,barrier=1", SATA, "/tmp/mnt"]
    run(mount)
    os.makedirs("/tmp/mnt/w")
    run(["sync"])
    run(["umount", "/tmp/mnt"])
    run(mount)
    run("echo 3 > /proc/sys/vm/drop_caches")
    doc = record(SATA, "cd /tmp/mnt/w && exec sh -e -c '%s'" % APPEND, options=["--sync"])
    run(["umount", "/tmp/mnt"])
    return doc


def as_record(made):
    theirs = [t.device for t in made if t.cell == "ext4-barrier-cache/append"]
    ours = by_hand()
    for key, get in (("flushes", lambda doc: doc["request"]["flush"]["ios"]),
                     ("calls of fsync", lambda doc: doc["fs"]["fsync"]["calls"]),
                     ("commits", lambda doc: doc["fs"]["commits"]),
                     ("flushes asked for", lambda doc: doc["flush"]["asked"])):
        equal([get(doc) for doc in theirs], [get(ours)] * 2, "as record by hand: " + key)


def image():
    """A first try without a disk, and without the module."""
    experiments.matrix("append", "[{name: plain, fs: ext4, write_cache: on}, "
                       "{name: off, fs: ext4, write_cache: off}, {name: ram, fs: tmpfs}]",
                       "{min: 1, max: 1}")
    file = "/tmp/image"
    result = fsbctl("run", experiments.MATRIX, "--file", file, "--size", "64MiB", "--db", STORE,
                    "--source", "diskstats", *experiments.QUIET)
    ok(clean(result), "an image: runs")
    made = {t.cell: t for t in trials()}
    equal(sorted(made), ["plain/append", "ram/append"], "an image: it has no drive to set")
    equal((made["plain/append"].device["source"], made["ram/append"].device),
          ("diskstats", None), "an image: counted without the module; in memory there is no disk")
    equal(os.path.getsize(file), 64 << 20, "an image: it stays")
    ok(not run("losetup -j " + file).stdout, "an image: its loop device does not")
    result = fsbctl("run", experiments.MATRIX, "--file", file, "--db", STORE)
    ok(result.returncode == REFUSED and "there is such a file" in result.stderr,
       "an image: never one that exists", result.stderr)


def main():
    prepare()
    first = order()
    mistakes()
    consent()
    made, _ = whole(first)
    shown(made)
    device(made)
    as_record(made)
    image()
    done()


main()
