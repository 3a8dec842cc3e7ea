# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --no-module --disk sata,size=128M --disk scsi,size=64M
# vm-debug: --timeout 1500 --kmemleak
# cost: 200
"""The module is loaded, watches, and is unloaded again and again under I/O; nothing is left.

FSB_CYCLES: how often (120, under the debug kernel 10).
"""

import contextlib
import ctypes
import glob
import os
import re
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
from fsbtest import (DEBUG_KERNEL, disk, done, equal, name_of, note, ok, read, run,  # noqa: E402
                     settle, skip, write)
from watched import Load, until  # noqa: E402

CYCLES = int(os.environ.get("FSB_CYCLES") or (10 if DEBUG_KERNEL else 120))
LEAKS_FROM = 100	# cycles in which one object each stands out from the rest of the system
WARM_UP = 10
LOOKS = 10
ADDS = 3		# for each cycle
MODULE = "/run/cycles.ko"
MOUNT = "/tmp/mount"
KIB = 1024
LIBC = ctypes.CDLL(None, use_errno=True)
SYS_DELETE_MODULE, SYS_FINIT_MODULE = 176, 313		# x86-64


@contextlib.contextmanager
def traffic():
    """Raw I/O on one disk, fsync on a file system on the other, with room to breathe."""
    with Load(disk(1), "-t", 4, "-b", 16), Load(MOUNT + "/file", "-t", 4, "-b", 16):
        yield


def load(parameters):
    """insmod without a process of its own, which takes longer than the loading."""
    file = os.open(MODULE, os.O_RDONLY)
    try:
        if LIBC.syscall(SYS_FINIT_MODULE, file, parameters.encode(), 0):
            raise OSError(ctypes.get_errno(), "the module cannot be loaded")
    finally:
        os.close(file)


def unload():
    if LIBC.syscall(SYS_DELETE_MODULE, b"fsbstat", os.O_NONBLOCK):
        raise OSError(ctypes.get_errno(), "the module cannot be unloaded")


def counted(module, device):
    snap = module.snapshot(device)
    return genl.total(snap, "ios", "READ") + genl.total(snap, "ios", "WRITE") > 0


def watch(cycle):
    """Watches both disks until it has counted requests of each. In one cycle of three the
    references are given back, in one they are the socket's and in one those of disks=."""
    module = genl.Module()
    for device in (disk(0), disk(1)):
        if cycle % 3:
            module.add(device)
    for device in (disk(0), disk(1)):
        until(lambda d=device: counted(module, d), "nothing is counted on %s" % device)
        if cycle % 3 == 1:
            module.delete(device)
    return module


def cycles(count):
    named = "disks=%s,%s" % (name_of(disk(0)), name_of(disk(1)))
    for cycle in range(count):
        if cycle % 20 == 19:
            note("cycle %d of %d" % (cycle + 1, count))
        load("" if cycle % 3 else named)
        module = watch(cycle)
        unload()
        module.close()


def adds(count):
    """One disk comes and goes beside another that stays, which is quick enough to do it often:
    memory of each processor is counted in pages, so that a leak of it shows late."""
    load("disks=" + name_of(disk(0)))
    module = genl.Module()
    for _ in range(count):
        module.add(disk(1))
        module.delete(disk(1))
    module.close()
    unload()


def slabs():
    """Objects in use by cache. The kernel takes all objects of a slab that a processor holds for
    used; shrinking takes the slabs away from the processors until one allocates again: the least
    of several looks is the truth. Files are opened before, and the cache that writing to sysfs
    allocates from comes last, so that looking changes nothing."""
    names = [name for name in os.listdir("/sys/kernel/slab") if name.startswith("kmalloc-")]
    names.sort(key=lambda name: name == "kmalloc-8")
    with contextlib.ExitStack() as stack:
        table = stack.enter_context(open("/proc/slabinfo", "rb", buffering=0))
        files = [stack.enter_context(open("/sys/kernel/slab/%s/shrink" % name, "wb", buffering=0))
                 for name in names]
        least = {}
        for _ in range(LOOKS):
            for file in files:
                os.pwrite(file.fileno(), b"1", 0)
            table.seek(0)
            text = b"".join(iter(lambda: table.read(1 << 16), b""))
            for name, active in re.findall(rb"^(kmalloc-\S+) +(\d+)", text, re.M):
                least[name.decode()] = min(int(active), least.get(name.decode(), int(active)))
    return least


def memory(key):
    """A line of /proc/meminfo, in bytes."""
    return int(re.search(r"^%s: +(\d+) kB" % key, read("/proc/meminfo"), re.M).group(1)) * KIB


def usage():
    for device in (disk(0), disk(1)):
        settle(device)
    write("/proc/sys/vm/drop_caches", 3)
    time.sleep(1)		# what is freed after a grace period
    found = slabs()
    return {"slabs": found, "SUnreclaim": memory("SUnreclaim"), "Percpu": memory("Percpu"),
            "VmallocUsed": memory("VmallocUsed"),
            "areas": len(read("/proc/vmallocinfo").splitlines())}


def check_leaks(before, after):
    """Less than an object for every other cycle: one for each would be twice as much."""
    more = {name: after["slabs"][name] - count for name, count in before["slabs"].items()}
    note("more objects: %r" % {name: count for name, count in more.items() if count > 0})
    equal({name: count for name, count in more.items() if count > CYCLES // 2}, {},
          "no slab has an object more for each cycle")
    for key, limit in (("SUnreclaim", 64 * KIB), ("VmallocUsed", 8 * KIB), ("Percpu", 100)):
        grown = after[key] - before[key]
        note("%s: %d bytes more" % (key, grown))
        ok(grown < CYCLES // 2 * limit, "%s has not grown by as much a cycle" % key)
    ok(after["areas"] - before["areas"] < CYCLES // 2, "no area of vmalloc is left for each cycle",
       "%(areas)d" % after)


def main():
    os.makedirs(MOUNT, exist_ok=True)
    run("rmmod fsbstat 2>/dev/null; cp %s %s && strip -g %s"
        % (os.environ["FSB_MODULE"], MODULE, MODULE), check=False)
    for device, scheduler in ((disk(0), "mq-deadline"), (disk(1), "none")):
        write("/sys/block/%s/queue/scheduler" % name_of(device), scheduler)
    run("mkfs.ext4 -q -F %s && mount %s %s && fallocate -l 8M %s/file"
        % (disk(0), disk(0), MOUNT, MOUNT))
    with traffic():
        cycles(min(WARM_UP, CYCLES))
    before = usage()
    with traffic():
        began = time.monotonic()
        cycles(CYCLES)
        note("%d cycles in %.0f s" % (CYCLES, time.monotonic() - began))
    began = time.monotonic()
    adds(ADDS * CYCLES)
    note("%d times added and deleted in %.0f s" % (ADDS * CYCLES, time.monotonic() - began))
    ok(True, "%d times loaded, counting on both disks, unloaded" % CYCLES)
    equal(run(["grep", "-c", "fsb", "/proc/vmallocinfo"], check=False).stdout.strip(), "0",
          "no memory of the module is mapped")
    if CYCLES >= LEAKS_FROM:
        check_leaks(before, usage())
    else:
        skip("leaks", "%d cycles do not stand out from noise; kmemleak looks" % CYCLES)
    run(["umount", MOUNT])
    done()


main()
