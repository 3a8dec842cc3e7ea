# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=256M
# cost: 60
"""Sources: module and diskstats agree, a recording tells the same again; `fsbctl stat`."""

import csv
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
import nullblk  # noqa: E402
from fsbtest import (PATIENCE, disk, done, equal, fsbctl, name_of, ok, run, settle,  # noqa: E402
                     unload)
from watched import lines_of, ready, until  # noqa: E402

DISK = disk(0)
NAME = name_of(DISK)
LOAD = ("dd if=/dev/zero of=%s bs=4k count=60 oflag=direct,dsync 2>/dev/null; "
        "dd if=%s of=/dev/null bs=16k count=40 iflag=direct 2>/dev/null" % (DISK, DISK))
MIXED = ("mkfs.ext4 -q -F %s && mkdir -p /tmp/m && mount %s /tmp/m && cd /tmp/m && "
         "%s/prog/fsync_storm . 4 8 5 && cd / && umount /tmp/m" % (DISK, DISK,
                                                                  os.environ["FSB_OUT"]))


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def as_diskstats(request):
    """The counts of a document's or row's request, as /proc/diskstats would have them."""
    ios = {name: (one["ios"] or 0) for name, one in request.items()}
    size = {name: (one["bytes"] or 0) for name, one in request.items()}
    return {"reads": ios["read"], "read bytes": size["read"],
            "writes": ios["write"] + ios["fua_write"] + ios["write_zeroes"],
            "written": size["write"] + size["fua_write"] + size["write_zeroes"],
            "flushes": ios["flush"], "discards": ios["discard"], "discarded": size["discard"]}


def sources_agree(name, command):
    settle(DISK)
    result = fsbctl("record", DISK, "--source", "module", "--json", "-o", "/tmp/module.json", "--",
                    "fsbctl", "record", DISK, "--source", "diskstats", "--json", "-o",
                    "/tmp/diskstats.json", "--", "sh", "-c", command + "; sync; sleep 0.5")
    equal(result.returncode, 0, "%s: both record" % name)
    module, stats = load("/tmp/module.json"), load("/tmp/diskstats.json")
    equal((module["source"], stats["source"], stats["module"]["version"]),
          ("module", "diskstats", None), "%s: each says what it is" % name)
    mine = as_diskstats(module["request"])
    mine["writes"] += module["quality"]["sequence_end_empty"] + module["quality"]["other_writes"]
    equal(mine, as_diskstats(stats["request"]), "%s: the two count the same" % name)
    equal((stats["request"]["fua_write"]["ios"], stats["request"]["write"]["errors"],
           stats["request"]["read"]["device"], stats["bio"], stats["depth"]["max"]),
          (None,) * 5, "%s: what diskstats cannot tell is null" % name)
    reasons = stats["source_reason"]
    ok(all(reasons.get(key) for key in ("request.fua_write", "request.*.errors", "bio", "ata",
                                        "request.*.device", "depth.max")),
       "%s: with a reason" % name, reasons)
    read, write = stats["request"]["read"], stats["request"]["write"]
    ok(write["total_ns"] > 0 and stats["depth"]["mean"] > 0, "%s: times and depth" % name,
       (read, write, stats["depth"]))
    ok(all(one["ios"] is not None and one["merges"] is not None for one in (read, write)),
       "%s: and merges" % name, (read, write))


def stat_agrees():
    """Rows of both sources over the same load, begun before it and ended after."""
    settle(DISK)
    children = []
    for source in ("module", "diskstats"):
        out = open("/tmp/stat.%s" % source, "w", encoding="utf-8")
        children.append(subprocess.Popen(["fsbctl", "stat", DISK, "0.4", "--jsonl", "--source",
                                          source], stdout=out, stderr=subprocess.PIPE))
    files = ["/tmp/stat.module", "/tmp/stat.diskstats"]
    for path in files:
        lines_of(path, 2)
    run(MIXED)
    settle(DISK)
    for path in files:
        lines_of(path, max(lines_of(path, 1) + 2, 8))
    for child in children:
        child.send_signal(signal.SIGINT)
        equal((child.wait(), child.stderr.read()), (0, b""), "Ctrl-C is the normal end")
    sums = {}
    for source in ("module", "diskstats"):
        with open("/tmp/stat.%s" % source, encoding="utf-8") as file:
            head, *rows = [json.loads(line) for line in file]
        equal((head["kind"], head["source"], {row["kind"] for row in rows}),
              ("stat", source, {"stat_row"}), "%s: a head and rows" % source)
        ok(len(rows) > 5 and len({row["time"] for row in rows}) == len(rows),
           "%s: each row has its time" % source, len(rows))
        total = {}
        for row in rows:
            for key, value in as_diskstats(row["request"]).items():
                total[key] = total.get(key, 0) + value
        sums[source] = total
    ok(sums["module"]["flushes"] > 5, "the load flushed", sums)
    # The rows say nothing of empty flushes, which diskstats has among the writes.
    less = sums["diskstats"].pop("writes") - sums["module"].pop("writes")
    ok(0 <= less <= 8 * 5 * 4 + 20, "writes differ by empty flushes at most", less)
    equal(sums["module"], sums["diskstats"], "all else is the same")


def without_source(document):
    for one in document.get("members", [document]):
        one.pop("source")
    return document


def replay(source):
    options = ["--source", source, "-I", "300ms", "-r", "2", "--sync", "--snapshots", "/tmp/r"]
    settle(DISK)
    result = fsbctl("record", DISK, *options, "--json", "-o", "/tmp/live.json", "--", "sh", "-c",
                    "sleep 0.7; " + LOAD + "; exit 3")
    equal(result.returncode, 3, "%s: the command's status" % source)
    again = fsbctl("record", "--from", "/tmp/r", "--json")
    equal(again.returncode, 0, "%s: a replay ends with 0" % source)
    document, live = json.loads(again.stdout), load("/tmp/live.json")
    equal(document["source"], "file", "%s: its source is the file" % source)
    ok(live["intervals"] and len(live["runs"]) == 2, "%s: rows and runs" % source)
    differing = [key for key in live if live[key] != document.get(key) and key != "source"]
    equal((differing, set(live) ^ set(document)), ([], set()),
          "%s: the replay's JSON is the live one's" % source)
    for form in ([], ["--csv"]):
        fsbctl("record", DISK, *options, *form, "-o", "/tmp/live.txt", "--", "sh", "-c", LOAD)
        fsbctl("record", "--from", "/tmp/r", *form, "-o", "/tmp/again.txt")
        with open("/tmp/live.txt", encoding="utf-8") as one, \
                open("/tmp/again.txt", encoding="utf-8") as two:
            equal(two.read(), one.read(), "%s: and its %s" % (source, form or "text"))
    rows = list(csv.DictReader(io.StringIO(fsbctl("stat", "--from", "/tmp/r", "--csv").stdout)))
    document = json.loads(fsbctl("record", "--from", "/tmp/r", "--json").stdout)
    equal([int(row["elapsed_ns"]) for row in rows],
          [row["elapsed_ns"] for row in document["intervals"]],
          "%s: stat plays the same intervals" % source)
    if source == "module":
        equal([row["write_mean_ns"] for row in rows],
              ["" if mean is None else "%d" % (mean + 0.5) for mean in
               (row["request"]["write"]["device"]["mean_ns"] for row in document["intervals"])],
              "module: the mean of writes is that of the device latency")


def one_second_rows():
    """Without -I the recording still has a second's resolution, and the report no rows."""
    fsbctl("record", DISK, "--snapshots", "/tmp/r", "--json", "-o", "/tmp/live.json", "-w", "3.5")
    equal(load("/tmp/live.json")["intervals"], [], "no rows were asked for")
    equal(without_source(json.loads(fsbctl("record", "--from", "/tmp/r", "--json").stdout)),
          without_source(load("/tmp/live.json")), "and the replay has none")
    rows = fsbctl("stat", "--from", "/tmp/r", "--csv").stdout.splitlines()
    ok(len(rows) >= 4, "but stat has them", rows)


def broken_off():
    child = subprocess.Popen(["fsbctl", "record", DISK, "-I", "200ms", "--snapshots", "/tmp/k",
                              "--json"], stdout=subprocess.DEVNULL)
    lines_of("/tmp/k", 12)
    child.kill()
    child.wait()
    result = fsbctl("record", "--from", "/tmp/k", "--json")
    document = json.loads(result.stdout)
    equal((result.returncode, document["quality"]["complete"]), (0, False),
          "kill -9: what is whole is replayed, and not complete")
    ok(document["elapsed_ns"] > 1e9 and any("breaks off" in line for line in
                                            document["quality"]["warnings"]),
       "and says so", document["quality"])
    with open("/tmp/k", "rb") as file:
        whole = file.read()
    for cut in (0, 1, 100, len(whole) // 3, len(whole) // 2, len(whole) - 2):
        with open("/tmp/c", "wb") as file:
            file.write(whole[:cut])
        for command in (["record", "--from", "/tmp/c"], ["stat", "--from", "/tmp/c"]):
            result = fsbctl(*command)
            said = [line for line in result.stderr.splitlines() if line.startswith("fsbctl: ")]
            ok(result.returncode in (0, 125) and (said or result.returncode == 0),
               "%s of %d bytes: a result or a clear line" % (command[0], cut),
               (result.returncode, result.stderr))
    text = fsbctl("stat", "--from", "/tmp/c").stderr
    ok("breaks off after line" in text, "stat says that it breaks off", text)


def forms():
    lines = fsbctl("stat", DISK, "0.2", "3").stdout.splitlines()
    ok(all(len(line) <= 80 for line in lines), "80 columns are enough", lines)
    header = next(line for line in lines if "read/s" in line)
    ok("fl+dr%" in header and "FUA/s" not in header,
       "NCQ is shown, FUA is not: this disk has the one and not the other", header)
    equal(len(lines) - lines.index(header), 1 + 3, "COUNT rows")
    wide = fsbctl("stat", DISK, "0.2", "1", env=dict(os.environ, COLUMNS="150")).stdout
    ok(max(map(len, wide.splitlines())) > 100, "more when it is wider", wide)
    lines = fsbctl("stat", DISK, "0.2", "1", "-t", "--columns", "flush/s,FUA/s").stdout
    ok(lines.splitlines()[-1].split()[1:] == ["0.0", "n/a"], "--columns", lines)
    rows = fsbctl("stat", DISK, "0.05", "45").stdout
    equal(rows.count("read/s"), 3, "the header comes again")
    document = json.loads(fsbctl("stat", DISK, "0.2", "3", "--json").stdout)
    equal((document["kind"], len(document["rows"]), document["complete"]), ("stat", 3, True),
          "--json is one document")
    equal(document["disks"][0]["name"], NAME, "it names the disk")
    for form, parse in (("--json", json.loads), ("--csv", lambda text: text)):
        child = subprocess.Popen(["fsbctl", "stat", DISK, "0.2", form], stdout=subprocess.PIPE)
        ready(child, signal.SIGTERM)
        time.sleep(1)
        child.send_signal(signal.SIGTERM)
        text = child.communicate()[0].decode()
        equal(child.returncode, 0, "%s: SIGTERM ends it well" % form)
        ok(parse(text), "%s: and what it wrote is whole" % form, text)
    with nullblk.disk("fsbtwo", size=64) as two:
        rows = fsbctl("stat", DISK, two, "0.2", "2").stdout.splitlines()
        equal([row.split()[0] for row in rows[-4:]], [NAME, name_of(two)] * 2, "two disks")
    child = subprocess.Popen("fsbctl stat %s 0.1 | head -n 4" % DISK, shell=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = child.communicate(timeout=PATIENCE)
    equal((len(out.splitlines()), err), (4, b""), "a reader that goes away is no error")


def stat_in_rows(*arguments):
    """`fsbctl stat` that has printed two rows."""
    with open("/tmp/rows", "wb") as out:
        child = subprocess.Popen(["fsbctl", "stat", *arguments, "0.2"], stdout=out,
                                 stderr=subprocess.PIPE)
    lines_of("/tmp/rows", 3)
    return child


def disk_goes():
    with nullblk.disk("fsbgone", size=64):
        child = subprocess.Popen(["fsbctl", "stat", "fsbgone", "0.2", "--json"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        until(lambda: genl.Module().disks(), "it is not watched")
    out, err = child.communicate(timeout=PATIENCE)
    equal((child.returncode, json.loads(out)["complete"]), (125, False),
          "a disk that goes ends it, and the document is whole")
    ok(b"the device is gone" in err, "and it says why", err)
    with nullblk.disk("fsbgone", size=64):
        child = stat_in_rows("fsbgone", "--source", "diskstats")
    err = child.communicate(timeout=PATIENCE)[1]
    ok(child.returncode == 125 and b"the device is gone" in err, "from diskstats as well", err)
    run(["rmmod", "null_blk"])


def which_source():
    equal(json.loads(fsbctl("stat", DISK, "0.2", "1", "--json").stdout)["source"], "module",
          "auto is the module where it is loaded")
    result = fsbctl("stat", DISK, "0.2", "1", user=65534, group=65534)
    ok(result.returncode == 0 and "CAP_PERFMON" in result.stderr,
       "without the right to ask it diskstats do, and it says why", result.stderr)
    child = stat_in_rows(DISK)
    unload()
    err = child.communicate(timeout=PATIENCE)[1]
    ok(child.returncode == 125 and b"module" in err, "unloading the module ends it", err)
    result = fsbctl("record", DISK, "-w", "0.5", "--json")
    equal((result.returncode, json.loads(result.stdout)["source"]), (0, "diskstats"),
          "without it auto is diskstats")
    lines = result.stderr.splitlines()
    ok("fsbstat is not installed" in lines[0] and len(lines) <= 3, "which is said once", lines)
    text = fsbctl("record", DISK, "-w", "0.5").stdout
    ok("mean" in text and "p99" not in text and
       all(len(line) <= 80 for line in text.splitlines()), "the report has what there is", text)
    result = fsbctl("stat", DISK, "0.2", "1", "--source", "module")
    ok(result.returncode == 125 and "not installed" in result.stderr,
       "--source module makes it an error", result.stderr)
    folder = "/lib/modules/%s/updates" % os.uname().release
    os.makedirs(folder, exist_ok=True)
    shutil.copy(os.environ["FSB_MODULE"], folder + "/fsbstat.ko")
    run(["depmod"])
    result = fsbctl("stat", DISK, "0.2", "1", user=65534, group=65534)
    ok(result.returncode == 0 and "not loaded" in result.stderr, "installed, but no right to load",
       result.stderr)
    result = fsbctl("stat", DISK, "0.2", "1", "--json")
    equal((result.returncode, result.stderr, json.loads(result.stdout)["source"]),
          (0, "", "module"), "installed: it is loaded")


def main():
    sources_agree("raw", LOAD)
    sources_agree("fsyncs", MIXED)
    stat_agrees()
    replay("module")
    replay("diskstats")
    one_second_rows()
    broken_off()
    forms()
    disk_goes()
    which_source()
    done()


main()
