# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=64M --mem 2048 --qemu "-smp 2,maxcpus=96"
# cost: 20
"""Memory of a watched disk: within its bound, reported as it is, refused beyond 32 MiB."""

import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
import nullblk  # noqa: E402
from filesystems import KIB, memory_bound  # noqa: E402
from fsbtest import disk, done, equal, fsbctl, ok, read  # noqa: E402


def owners(cpus):
    """Room for 128 to 512 owners: 88 bytes each on each CPU, and 64 to find it."""
    room = min(max(8192 // cpus, 128), 512)
    return 64 * room + cpus * (88 * (room + 2) + 16) + 8 * cpus


def bound(one):
    """112 KiB and 8 bytes a tag for each queue, its slots; 35 KiB for the disk as a whole, its
    owners, and bits for each CPU."""
    cpus = int(read("/sys/devices/system/cpu/possible").split("-")[-1]) + 1
    slots = 56 * one["depth_limit"] + 48 * KIB
    return (one["shards"] * (112 * KIB + 8 * one["depth_limit"] + slots) + owners(cpus) +
            35 * KIB + 256 * cpus)


def within(module, device, queues, depth):
    one = module.add(device)
    equal((one["queues"], one["depth_limit"]), (queues, depth), "%d queues of %d tags" %
          (queues, depth))
    ok(100 * KIB * one["shards"] < one["memory"] <= bound(one), "%d queues of %d: %d KiB are within the bound" %
       (queues, depth, one["memory"] // KIB), (one, bound(one)))
    state = module.module()
    shared = state["memory"] - one["memory"]
    ok(200 * KIB < shared <= memory_bound(state["hooks"]),
       "%d KiB for filesystems are within theirs" % (shared // KIB),
       (shared, memory_bound(state["hooks"])))
    ok("%d KiB" % (one["memory"] // KIB) in fsbctl("list").stdout or
       "%d KiB" % (-(-one["memory"] // KIB)) in fsbctl("list").stdout, "fsbctl list shows it",
       fsbctl("list").stdout)
    module.delete(device)
    equal(module.module()["memory"], 0, "all is given back")


def main():
    module = genl.Module()
    within(module, disk(0), 1, 32)
    with nullblk.disk("fsbdeep", size=64, hw_queue_depth=1023, submit_queues=2) as device:
        within(module, device, 2, 1023)
    with nullblk.disk("fsbhuge", size=64, hw_queue_depth=6144, submit_queues=96) as device:
        try:
            module.add(device)
            ok(False, "more than 32 MiB is refused")
        except genl.Refused as refused:
            equal(refused.errno, 7, "more than 32 MiB is refused (E2BIG)")
            ok("96 queues of 6144 tags need" in refused.text and "32768 KiB" in refused.text,
               "with the size it would take", refused.text)
        equal(module.disks(), [], "and nothing is watched")
        result = fsbctl("record", device, "--", "true")
        ok(result.returncode == 125 and "96 queues" in result.stderr, "fsbctl says it too",
           result.stderr)
    done()


main()
