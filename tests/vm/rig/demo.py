# SPDX-License-Identifier: GPL-2.0-or-later
#
# demo: runs in the guest, on a disk whose flush takes 8 ms. First dbench under `fsbctl record`, then
# the matrix demo.yaml by `fsbctl run`: barriers, no barriers, and barriers with the drive's write
# cache off, again and again. Prints its report, the three side by side, and what can be said of
# them: nothing is said that the figures do not show.

import json
import os
import subprocess
import sys

DISK = os.environ["FSB_DISK0"]
MOUNT = "/tmp/demo"
STORE = "/tmp/demo.db"
FOLDER = "/fsb/tests/vm/"
WHY = {
    "nobarrier": "No flush before and after each journal commit. A power cut can lose what the\n"
                 "drive caches.",
    "cache-off": "No flush is needed, for every write goes to the medium before it ends.",
}


def show(*command, **options):
    print("\n$ " + " ".join(command), flush=True)
    return subprocess.run(command, check=False, **options).returncode


def record():
    """What one run looks like. The first one also warms the emulator up."""
    subprocess.run(["mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", DISK,
                    "512M"], check=True)
    os.makedirs(MOUNT, exist_ok=True)
    subprocess.run(["mount", DISK, MOUNT], check=True)
    try:
        status = show("fsbctl", "record", DISK, "--", "dbench", "-t", "4", "-c",
                      FOLDER + "load/short.dbench", "-D", MOUNT, "2", stdout=subprocess.DEVNULL)
    finally:
        subprocess.run(["umount", MOUNT], check=True)
    if status:
        sys.exit("demo: dbench failed")


def serial():
    """What agrees to losing the disk's data."""
    document = subprocess.run(["fsbctl", "record", "--json", "-w", "0.1s", DISK],
                              capture_output=True, text=True, check=True).stdout
    return json.loads(document)["device"]["serial"]


def cells():
    """The report's cells by the name of their configuration, the baseline first."""
    text = subprocess.run(["fsbctl", "report", "--db", STORE, "--format", "json"],
                          capture_output=True, text=True, check=True).stdout
    return {cell["configuration"]: cell for cell in json.loads(text)["cells"]}


def percent(fraction):
    return "%+.0f %%" % (100 * fraction)


def interval(change):
    return "[%+.0f, %+.0f]" % (100 * change["low"], 100 * change["high"])


def table(found):
    stats, devices = ([cell[key] for cell in found.values()] for key in ("stats", "device"))
    changes = [cell["change"] for cell in found.values()]
    yield "dbench MB/s, mean", ["%.2f" % s["mean"] for s in stats]
    yield "  95 % interval", ["[%.2f, %.2f]" % (s["low"], s["high"]) for s in stats]
    yield "  runs", [str(s["n"]) for s in stats]
    yield "against barrier", ["" if c is None else percent(c["change"]) for c in changes]
    yield "  95 % interval, %", ["" if c is None else interval(c) for c in changes]
    yield "flushes /s", ["%.1f" % d["flush_per_s"] for d in devices]
    yield "time for flushes, %", ["%.0f" % (100 * d["flush_drain_share"]) for d in devices]
    yield "NCQ tags, mean", ["%.2f" % d["ncq_mean"] for d in devices]
    yield "write p99, ms", ["-" if d["write_p99_ns"] is None else "%.1f" % (d["write_p99_ns"] / 1e6)
                            for d in devices]


def verdict(name, change):
    if change is None:
        return "%s: not comparable." % name
    if change["low"] <= 0 <= change["high"]:
        return "%s: these runs do not tell it from barrier, %s %%." % (name, interval(change))
    word = "more" if change["change"] > 0 else "less"
    return "%s: %.0f %% %s MB/s than barrier, %s %%." % (name, abs(100 * change["change"]), word,
                                                         interval(change))


def main():
    record()
    status = show("fsbctl", "run", "--settle", "0.5s", "--destroy", serial(), "--db", STORE,
                  FOLDER + "rig/demo.yaml", DISK)
    if status:
        sys.exit("demo: the run failed")
    found = cells()
    print("\ndbench, 2 clients, ext4, on an emulated SATA NCQ disk whose flush takes 8 ms\n")
    print("%-22s" % "" + "".join("%16s" % name for name in found))
    for label, values in table(found):
        print(("%-22s" % label + "".join("%16s" % value for value in values)).rstrip())
    for name, why in WHY.items():
        print("\n%s\n%s" % (verdict(name, found[name]["change"]), why))
    share = found["barrier"]["device"]["flush_drain_share"]
    print("\nWith barriers the disk spends %.0f %% of the time on flushes and on draining its queue for\n"
          "them." % (100 * share), flush=True)


main()
