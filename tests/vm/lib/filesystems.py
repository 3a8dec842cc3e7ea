# SPDX-License-Identifier: GPL-2.0-or-later
"""Filesystems whose calls of fsync the module counts, for the tests in tests/vm/t."""

import json

import genl
from fsbtest import equal, ok, read, run

MKFS = {"ext4": "mkfs.ext4 -q -F", "xfs": "mkfs.xfs -q -f", "btrfs": "mkfs.btrfs -q -f",
        "f2fs": "mkfs.f2fs -q -f"}
KIB = 1024
# What is probed in each.
HOOKS = {"ext4": ["ext4_sync_file"], "xfs": ["xfs_file_fsync", "xfs_dir_fsync"],
         "btrfs": ["btrfs_sync_file"], "f2fs": ["f2fs_sync_file"]}
MISSING, IDLE, ATTACHED = (genl.C["FSBSTAT_HOOK_" + state]
                           for state in ("MISSING", "IDLE", "ATTACHED"))
NOTHING = {"fsyncs": 0, "errors": 0, "commits": 0,
           "latency": {"count": 0, "sum": 0, "max": 0, "buckets": {}}}


def make(fstype, device, target):
    """A new filesystem, mounted."""
    run("%s %s && mount -t %s %s %s" % (MKFS[fstype], device, fstype, device, target))


def number_of(target):
    """"major:minor" of the filesystem mounted there, as mountinfo has it."""
    for line in read("/proc/self/mountinfo").splitlines():
        words = line.split()
        if words[4] == target:
            return words[2]
    raise KeyError(target)


def row(module, fstype, target):
    """The module's counters of the filesystem that is mounted there."""
    return module.filesystems()[1].get((number_of(target), fstype), NOTHING)


def states(module):
    """States of the hooks in functions, by name."""
    hooks = module.module()["hooks"]
    return {name: hooks[name] for names in HOOKS.values() for name in names}


def memory_bound(hooks):
    """Most that the module takes beside its disks, whatever their number: 32 superblocks, callers
    of fsync, and the instances of the functions that are probed."""
    cpus = int(read("/sys/devices/system/cpu/possible").split("-")[-1]) + 1
    room = min(max(8192 // cpus, 128), 512)
    callers = 64 * room + cpus * (8 * (room + 2) + 16) + 8 * cpus
    probed = sum(hooks[name] == ATTACHED for names in HOOKS.values() for name in names)
    return 214 * KIB + callers + 96 * 4096 * probed


def check_calls(module, fstype, target, number):
    """A program's own count of calls is the module's; returns (its count and time, our time)."""
    before = row(module, fstype, target)
    own = json.loads(run(["fsync_calls", target, str(number)]).stdout)
    after = row(module, fstype, target)
    mine = {name: after[name] - before[name] for name in ("fsyncs", "errors", "commits")}
    equal((mine["fsyncs"], mine["errors"]), (own["calls"], 0),
          "%s: fsync, fdatasync, O_SYNC, msync and fsync of a directory are counted" % fstype)
    equal((after["latency"]["count"] - before["latency"]["count"],
           sum(after["latency"]["buckets"].values())), (own["calls"], after["latency"]["count"]),
          "%s: each has a latency, in a bucket" % fstype)
    ok(mine["commits"] >= number if fstype == "ext4" else mine["commits"] == 0,
       "%s: commits of jbd2" % fstype, mine)
    return own, after["latency"]["sum"] - before["latency"]["sum"]
