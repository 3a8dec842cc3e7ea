# SPDX-License-Identifier: GPL-2.0-or-later
#
# demo: runs in the guest. dbench with 12 clients on ext4 with barriers, without, and with barriers
# but the disk's own write cache off; each under `fsbctl record`. Prints the three side by side.
# Then the preset "barrier" by `fsbctl run`, small: the same question with repetitions.

import glob
import json
import os
import re
import subprocess
import sys

DISK = os.environ["FSB_DISK0"]
TARGET = "/tmp/demo"
# dbench's own load begins with minutes of large writes here; this one is short and has fsyncs.
LOAD = "/fsb/tests/vm/load/short.dbench"
SECONDS = 10
CLASSES = ("read", "write", "fua_write", "flush")


def set_drive_cache(on):
    """Through sd's cache_type: a MODE SELECT that libata turns into SET FEATURES."""
    name = os.path.basename(DISK)
    path, = glob.glob("/sys/block/%s/device/scsi_disk/*/cache_type" % name)
    word = "write back" if on else "write through"
    with open(path, "w") as file:
        file.write(word)
    with open(path) as file:
        if file.read().strip() != word:
            sys.exit("demo: %s: the drive's write cache did not change" % path)


def run(options, cache):
    set_drive_cache(cache)
    subprocess.run(["mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", DISK],
                   check=True)
    subprocess.run(["mount", "-o", options, DISK, TARGET], check=True)
    report = "/tmp/demo.json"
    try:
        done = subprocess.run(["fsbctl", "record", "--json", "-o", report, DISK, "--",
                               "dbench", "-c", LOAD, "-t", str(SECONDS), "12"],
                              cwd=TARGET, capture_output=True, text=True)
    finally:
        subprocess.run(["umount", TARGET], check=True)
    score = re.search(r"^Throughput ([0-9.]+) MB/sec", done.stdout, re.M)
    if done.returncode or not score:
        sys.exit("demo: dbench failed (%d):\n%s%s" % (done.returncode, done.stdout, done.stderr))
    with open(report) as file:
        return float(score.group(1)), json.load(file)


def milliseconds(ns):
    return "-" if ns is None else "%.3f" % (ns / 1e6)


def device_time(document, name):
    device = document["request"][name]["device"]
    return device["sum_ns"] / 1e9 if device else 0


def table(results):
    requests = [document["request"] for _, document in results]
    seconds = [document["elapsed_ns"] / 1e9 for _, document in results]
    yield "dbench MB/s", ["%.1f" % score for score, _ in results]
    yield "flushes", [str(r["flush"]["ios"]) for r in requests]
    yield "flushes /s", ["%.1f" % (r["flush"]["ios"] / s) for r, s in zip(requests, seconds)]
    yield "FUA writes", [str(r["fua_write"]["ios"]) for r in requests]
    p99 = [r["flush"]["device"]["percentile"]["99"] if r["flush"]["device"] else None
           for r in requests]
    yield "flush p99, ms", [milliseconds(ns) for ns in p99]
    yield "queue depth, mean", ["%.2f" % d["depth"]["mean"] for _, d in results]
    yield "device time, s", []
    for name in CLASSES:
        yield "  " + name.replace("_", " "), ["%.2f" % device_time(d, name) for _, d in results]


    yield "disk's time, %", []
    for part, label in (("idle_ns", "idle"), ("queued_ns", "queued commands"),
                        ("drain_ns", "draining for a flush"), ("alone_ns", "a flush alone")):
        yield "  " + label, ["%.1f" % (100 * d["ata"]["time"][part] / d["elapsed_ns"])
                             for _, d in results]


def serial():
    """What agrees to losing the disk's data."""
    document = subprocess.run(["fsbctl", "record", "--json", "-w", "0.1s", DISK],
                              capture_output=True, text=True, check=True).stdout
    return json.loads(document)["device"]["serial"]


def run_preset():
    command = ["fsbctl", "run", "--scale", "small", "--size", "1GiB", "--max-runs", "2",
               "--settle", "1s", "--destroy", serial(), "barrier", DISK]
    print("\n\n%s\n" % " ".join(command), flush=True)
    sys.exit(subprocess.run(command).returncode)


def main():
    os.makedirs(TARGET, exist_ok=True)
    results, names = [], []
    for name, options, cache in (("barrier", "barrier", True), ("nobarrier", "nobarrier", True),
                                 ("cache off", "barrier", False)):
        print("running dbench, 12 clients, ext4 %s, drive cache %s ..." %
              (options, "on" if cache else "off"), flush=True)
        results.append(run(options, cache))
        names.append(name)
    set_drive_cache(True)
    print("\ndbench, 12 clients, %d s, ext4, on an emulated SATA NCQ disk\n" % SECONDS)
    print("%-24s" % "" + "".join("%14s" % name for name in names))
    for label, cells in table(results):
        print(("%-24s" % label + "".join("%14s" % cell for cell in cells)).rstrip())
    print("\nbarrier: a flush before and after each journal commit.  nobarrier: none, and a power cut"
          "\ncan lose what the drive caches.  cache off: none needed, every write goes to the medium.", flush=True)
    run_preset()


main()
