#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a frame of `fsbctl top` costs, in instructions of the guest and of memory. Under -icount a
# nanosecond of processor time is an instruction, the kernel's own for top among them, whatever
# the host does meanwhile; idle time costs nothing.
#
# A frame a second on one busy disk is to cost less than 1 % of a core, the list of 100 disks less
# than 5 %: of one that does 10^9 instructions a second, which is less than any disk of today has
# beside it, that is 10 and 50 million. The bounds are nearer to what was measured.
#
# vm: --icount
# cost: 75

import os
import re
import resource
import signal
import subprocess
import sys
import time

import nullblk
from fsbtest import done, equal, note, ok, run

MOUNT, FRAMES = "/tmp/m", "/tmp/frames"
PRELOAD = os.environ["FSB_OUT"] + "/prog/heap_live"
BUSY_MAX = 5.0		# million instructions a frame; measured 3.7
LIST_MAX = 16.0		# the same, of 100 disks; measured 11.2

# Writes of several sizes with fsync, the same in each interval: what is held does not vary either.
LOAD = """
import os, sys, time
file = os.open(sys.argv[1] + "/file", os.O_RDWR | os.O_CREAT)
n = 0
while True:
    for _ in range(8):
        os.pwrite(file, b"x" * 4096 * (1 + n % 8), n % 100 * 4096)
        os.fsync(file)
        n += 1
    time.sleep(0.05)
"""


def top(frames, *arguments):
    """What it took, in millions of instructions, and its output."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = run(["fsbctl", "top", "--batch", "-n", str(frames)] + list(arguments)).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000, text


def frame_costs(few, many, *arguments):
    """Of one frame more, without what it takes to begin and to end."""
    short, _ = top(few, *arguments)
    long, text = top(many, *arguments)
    equal(len(re.findall("^fsbctl top", text, re.M)), many, "%d frames" % many)
    return (long - short) / (many - few)


def busy_disk(device):
    for view in "overview", "latency", "sets":
        cost = frame_costs(12, 32, "--view", view, device)
        ok(0 < cost <= BUSY_MAX, "%s of a busy disk: %.2f million instructions a frame, at most %g"
           % (view, cost, BUSY_MAX))


def live(process, path):
    """Bytes that it has allocated and not freed, and the size of its process in KiB."""
    process.send_signal(signal.SIGUSR1)
    time.sleep(0.5)
    with open("/proc/%d/status" % process.pid, encoding="ascii") as file:
        size = int(re.search(r"RssAnon:\s+(\d+)", file.read()).group(1))
    with open(path, encoding="ascii") as file:
        return int(file.read().split()[-1]), size


def memory(device):
    """
    Once as many intervals are kept as ever are (64), nothing piles up over 1000 frames. The
    process itself may grow by what the C library keeps of small chunks, some 200 KiB in all, and
    by a step or two of its heap.
    """
    taken, path = [], "/tmp/live"
    with open(FRAMES, "w", encoding="utf-8") as file:
        process = subprocess.Popen(
            ["fsbctl", "top", "--batch", "-I", "100ms", device], stdout=file,
            env=dict(os.environ, LD_PRELOAD=PRELOAD, HEAP_LIVE=path))
    for number in 200, 1200:
        seen = 0
        while seen < number and process.poll() is None:
            time.sleep(2)
            with open(FRAMES, encoding="utf-8") as file:
                seen = file.read().count("fsbctl top")
        taken.append(live(process, path))
        note("frame %d: %d bytes, %d KiB" % ((seen,) + taken[-1]))
    process.terminate()
    process.wait()
    # the smallest chunk there is, forgotten once a frame, would be 24 kB
    ok(200000 < taken[1][0] <= taken[0][0] + 12000, "1000 frames more keep no memory", taken)
    ok(taken[1][1] <= taken[0][1] + 512, "nor does the process grow for long", taken)


def main():
    busy = nullblk.create("nbusy", memory_backed=1, cache_size=64, irqmode=nullblk.NONE)
    run("mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 %s" % busy)
    os.makedirs(MOUNT)
    run(["mount", busy, MOUNT])
    load = subprocess.Popen([sys.executable, "-c", LOAD, MOUNT])
    busy_disk(busy)
    memory(busy)
    load.kill()
    load.wait()
    run(["umount", MOUNT])
    for i in range(99):
        nullblk.create("n%02d" % i, size=16)
    cost = frame_costs(11, 31)
    _, text = top(1, "--size", "80x120")
    equal(len(re.findall(r"^n(?:busy|\d\d) ", text, re.M)), 100, "all of them are in the list")
    ok(0 < cost <= LIST_MAX, "100 disks: %.2f million instructions a frame, at most %g"
       % (cost, LIST_MAX))


main()
done()
