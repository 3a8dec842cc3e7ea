# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=256M --disk scsi,size=256M --disk nvme,size=256M --disk virtio,size=256M
# vm: --disk sata,size=256M --timeout 600
# cost: 120
"""`fsbctl set` and `restore`: drives really change, and every byte comes back."""

import glob
import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import nullblk  # noqa: E402
from fsbtest import disk, done, equal, fsbctl, name_of, note, ok, read, run, write  # noqa: E402
from knobs import difference, drive_cache, knobs  # noqa: E402

SATA, SCSI, NVME, VIRTIO, SATA2 = (disk(number) for number in range(5))
STATE = "/run/fsbctl"
REFUSED, FSBCTL, USAGE = 3, 125, 2


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


def main():
    for device, what in ((SATA, "sata"), (SCSI, "scsi"), (NVME, "nvme"), (VIRTIO, "virtio")):
        cache(device, what)
    everything(SATA, "sata", "write_cache=off", "ncq=1", "scheduler=none", "nr_requests=16")
    everything(SCSI, "scsi", "write_cache=off", "ncq=2", "scheduler=none", "nr_requests=16")
    everything(NVME, "nvme", "write_cache=off", "scheduler=mq-deadline", "nr_requests=64")
    everything(VIRTIO, "virtio", "write_cache=off", "scheduler=none", "nr_requests=16")
    done()


main()
