# SPDX-License-Identifier: GPL-2.0-or-later
"""How a disk is set, told without fsbctl, for the tests of `fsbctl set` and `restore`."""

import glob
import os
import re

from fsbtest import name_of, read, run


def drive_cache(device):
    """What the drive itself says of its write cache, "on" or "off"; None if nobody knows."""
    name = name_of(device)
    folder = os.path.realpath("/sys/block/" + name)
    if "/nvme" in folder:
        return run(["nvme_cache", device]).stdout.strip()
    if "/ata" in folder:
        said = run(["hdparm", "-W", device]).stdout
        return {"0": "off", "1": "on"}[re.search(r"write-caching = *([01])", said).group(1)]
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
                        values[os.path.relpath(path, folder)] = file.read()
                except OSError:	# some files cannot be read on some disks
                    pass
    return values


def difference(before, after):
    """What differs between two results of knobs(), as text; "" if nothing does."""
    return "; ".join("%s: %r -> %r" % (key, before.get(key), after.get(key))
                     for key in sorted(set(before) | set(after))
                     if before.get(key) != after.get(key))
