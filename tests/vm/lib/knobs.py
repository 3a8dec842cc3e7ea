# SPDX-License-Identifier: GPL-2.0-or-later
"""How a disk is set, told without fsbctl, and what `fsbctl set` and `restore` must do to it."""

import glob
import os
import re
import shutil
import time

from fsbtest import blockstats, equal, fsbctl, name_of, note, ok, read, run, write

STATE = "/run/fsbctl"


def drive_cache(device):
    """What the drive itself says of its write cache, "on" or "off"; None if nobody knows."""
    name = name_of(device)
    folder = os.path.realpath("/sys/block/" + name)
    if "/nvme" in folder or ("/ata" in folder and not shutil.which("hdparm")):
        return run(["drive_cache", device]).stdout.strip()
    if "/ata" in folder:
        said = run(["hdparm", "-W", device]).stdout
        return {"0": "off", "1": "on"}[re.search(r"write-caching = *([01])", said).group(1)]
    if glob.glob(folder + "/device/scsi_disk") and not shutil.which("sdparm"):
        write(folder + "/device/rescan", 1)
        said = read(glob.glob(folder + "/device/scsi_disk/*/cache_type")[0])
        return "on" if said.startswith("write back") else "off"
    if glob.glob(folder + "/device/scsi_disk"):
        # its status is not 0 where the drive has no saved values to go with the current one
        said = run(["sdparm", "--quiet", "--get=WCE", device], check=False).stdout
        return {"0": "off", "1": "on"}[re.search(r"WCE +([01])", said).group(1)]
    if os.path.exists(folder + "/cache_type"):
        return "on" if read(folder + "/cache_type") == "write back" else "off"
    return None


def knobs(device):
    """Every file of the disk in sysfs that says how it is set, with its bytes, and its drive."""
    folder = "/sys/block/" + name_of(device)
    values = {"drive": drive_cache(device)}
    for pattern in ("queue/*", "queue/iosched/*", "device/queue_depth",
                    "device/scsi_disk/*/cache_type", "cache_type"):
        for path in glob.glob(os.path.join(folder, pattern)):
            if os.path.isfile(path):
                try:
                    with open(path, "rb") as file:
                        value = file.read()
                    if path.endswith("/scheduler"):	# the list grows with what is loaded
                        value = value.split(b"[")[1].split(b"]")[0]
                    values[os.path.relpath(path, folder)] = value
                except OSError:	# some files cannot be read on some disks
                    pass
    return values


def difference(before, after):
    """What differs between two results of knobs(), as text; "" if nothing does."""
    return "; ".join("%s: %r -> %r" % (key, before.get(key), after.get(key))
                     for key in sorted(set(before) | set(after))
                     if before.get(key) != after.get(key))


def view(device):
    return read("/sys/block/%s/queue/write_cache" % name_of(device))


def depth(device):
    return read("/sys/block/%s/device/queue_depth" % name_of(device))


def scheduler(device):
    text = read("/sys/block/%s/queue/scheduler" % name_of(device))
    return text.split("[")[1].split("]")[0]


def states():
    return glob.glob(STATE + "/*.json")


def works(*words):
    result = fsbctl(*words)
    if result.returncode:
        note("fsbctl %s: %d\n%s" % (" ".join(map(str, words)), result.returncode, result.stderr))
    return result.returncode == 0


def same(before, device, text):
    what = difference(before, knobs(device))
    return ok(not what, text, what)


def cache(device, what):
    """Off and on again, seen by somebody else; then restore."""
    before = knobs(device)
    equal((drive_cache(device), view(device)), ("on", "write back"), what + ": begins cached")
    ok(works("set", device, "write_cache=off"), what + ": write_cache=off")
    equal((drive_cache(device), view(device)), ("off", "write through"),
          what + ": the drive's cache is off and the kernel sends no flush")
    time.sleep(1)
    equal((drive_cache(device), view(device)), ("off", "write through"), what + ": it stays so")
    equal(len(states()), 1, what + ": the old values are saved")
    ok(works("set", device, "write_cache=on"), what + ": write_cache=on")
    equal((drive_cache(device), view(device)), ("on", "write back"), what + ": it is on again")
    equal(states(), [], what + ": as it was, so nothing is left to restore")
    same(before, device, what + ": every file has its old bytes")
    ok(works("set", device, "write_cache=off"), what + ": off once more")
    ok(works("restore", device), what + ": restore")
    same(before, device, what + ": restored byte for byte")
    equal(states(), [], what + ": nothing is saved any more")


def flushed(device, what, expected):
    """How many flushes there are when the drive's cache is turned on.

    One where the kernel learns of the cache only then, for what was written in between; none
    where it could be told before.
    """
    ok(works("set", device, "write_cache=off"), what + ": cache off")
    before = blockstats(device)["flush_operations"]
    ok(works("set", device, "write_cache=on"), what + ": cache on")
    equal(blockstats(device)["flush_operations"] - before, expected,
          "%s: flushes when the cache is turned on" % what)


def everything(device, what, *words):
    before = knobs(device)
    ok(works("set", device, *words), "%s: set %s" % (what, " ".join(words)))
    after = knobs(device)
    for word in words:
        key, _, value = word.partition("=")
        got = {"write_cache": drive_cache, "write_cache_kernel": view, "ncq": depth,
               "scheduler": scheduler,
               "nr_requests": lambda d: read("/sys/block/%s/queue/nr_requests" % name_of(d))
               }[key](device)
        equal(got, value, "%s: %s took" % (what, key))
    ok(difference(before, after), what + ": things changed")
    ok(works("restore", device), what + ": restore of all that")
    same(before, device, what + ": every byte is back")
