# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=320M --timeout 900
# cost: 150
"""`fsbctl run` cut off, in trouble and disturbed: nothing stored is lost or made twice, all is put
back, and what spoils a trial is said.

FSB_KILLS=N: so many kills at random instants (6 at chosen steps otherwise).
"""

import glob
import os
import random
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import experiments  # noqa: E402
from experiments import (Running, cells, clean, latest, matrix, query, resume,  # noqa: E402
                         trials, words)
from fsbtest import disk, done, equal, fsbctl, name_of, note, ok, run  # noqa: E402
from knobs import difference, knobs, states  # noqa: E402

SATA, SERIAL = disk(0), "fsb0"
NAME = name_of(SATA)
TARGET = "target: {size: 256MiB}"
FAILED, REFUSED, CANNOT = 1, 3, 77
MKFS, RUN = {"event": "phase", "phase": "mkfs"}, {"event": "phase", "phase": "run"}
BOTH = "[{name: on, fs: ext4}, {name: off, fs: ext4, barrier: off, write_cache: off, ncq: 1}]"


def prepare():
    load = experiments.workload
    load("nap", "dd if=/dev/zero of=f bs=64k count=16 2> /dev/null; sleep 0.5")
    load("sleeps", "sleep 6")
    load("fill", "dd if=/dev/zero of=big bs=1M")
    load("mute", "true", result="^files: ([0-9]+)$")
    load("hang", "sleep 1000 & wait", timeout="2")
    load("lacks", "nosuchtool", tools=["nosuchtool"], packages=["nosuchpackage"])
    load("sets", "sleep 0.3; echo 7 > /sys/block/%s/device/queue_depth" % NAME)
    load("remounts", "sleep 0.3; mount -o remount,noatime $(dirname $PWD)")
    load("rereads", "i=0; while [ $i -lt 20 ]; do cat f; i=$((i + 1)); done > /dev/null",
         prepare="dd if=/dev/zero of=f bs=1M count=4")
    load("stays", "setsid sleep 1000 > /dev/null 2>&1 < /dev/null &")


class Before:
    """How things are; is_back() is a case of its own."""

    def __init__(self):
        self.knobs, self.mounts = knobs(SATA), self.mounted()

    @staticmethod
    def mounted():
        return [line for line in open("/proc/mounts", encoding="ascii") if "fsbctl" in line], \
            sorted(glob.glob("/sys/block/%s/%s?*" % (NAME, NAME)))

    def is_back(self, what):
        equal((difference(self.knobs, knobs(SATA)), self.mounted(), states()),
              ("", self.mounts, []), what + ": settings, mounts and partitions as before")


def interrupted(before):
    matrix("nap", BOTH, more=TARGET)
    for number in (signal.SIGINT, signal.SIGTERM):
        going = Running(*words(SATA, SERIAL, "-q"))
        going.wait_for(RUN, 2)
        status = going.end(number)
        name = latest()[1]
        what = signal.Signals(number).name
        equal((status, going.err.splitlines()[-1].strip()),
              (128 + number, "fsbctl run --resume %s goes on with it" % name),
              what + ": ends, and says how to go on")
        equal((len(trials()), query("SELECT state FROM run WHERE name = ?", name)),
              (1, [("stopped",)]), what + ": the trial before is kept, the one it hit is not")
        before.is_back(what)
    going = Running(*words(SATA, SERIAL, "-q"))
    going.wait_for(RUN)
    going.process.send_signal(signal.SIGHUP)
    equal((going.end(), len(trials())), (0, 4), "SIGHUP: goes on")
    before.is_back("SIGHUP")


def kill_points():
    count = int(os.environ.get("FSB_KILLS", "0"))
    if count:
        rng = random.Random(count)
        return [("", rng.uniform(0, 5)) for _ in range(count)]
    return [(step, 0) for step in ("mkfs", "mount", "cold", "run", "sync", "unmount")]


def killed(before):
    """One experiment, killed again and again, then left alone."""
    matrix("nap", BOTH, more=TARGET)
    command, alive = words(SATA, SERIAL, "-q", "--seed", "3"), 0
    for step, seconds in kill_points():
        going = Running(*command)
        if step:
            going.wait_for({"event": "phase", "phase": step})
        time.sleep(seconds)
        alive += going.end(signal.SIGKILL) == -signal.SIGKILL
        if going.err and "fsbctl: " in going.err and going.process.returncode >= 0:
            note(going.err)
        if query("SELECT count(*) FROM sqlite_master")[0][0] and latest()[1] != NAME:
            command = ("run", "--resume", "--destroy", SERIAL, "--db", experiments.STORE, "-q")
    ok(alive, "kill -9: %d times" % alive)
    if query("SELECT state FROM run WHERE id = ?", latest()[0]) != [("complete",)]:
        ok(clean(resume(SERIAL, "-q")), "kill -9: --resume goes on to the end")
    before.is_back("kill -9")
    made = trials()
    equal(sorted((t.cell, t.block, t.state) for t in made),
          sorted((cell, block, "ok") for cell in ("on/nap", "off/nap") for block in (1, 2)),
          "kill -9: no trial is lost, none was made twice")
    equal([(t.block, t.place) for t in made], [(1, 1), (1, 2), (2, 1), (2, 2)],
          "kill -9: in the order of the blocks")
    equal({row[2] for row in cells()} & {"", "user"}, set(), "kill -9: every cell has its reason")


def other_machine():
    """A run goes on where all is the same only."""
    matrix("nap", BOTH, more=TARGET)
    going = Running(*words(SATA, SERIAL, "-q"))
    going.wait_for({"event": "trial_end"})
    going.end(signal.SIGINT)
    for column, value in (("kernel", "5.4.0"), ("firmware", "old"), ("tools", '{"nap": "9.9"}')):
        old = query("SELECT %s FROM run WHERE id = ?" % column, latest()[0])[0][0]
        query("UPDATE run SET %s = ? WHERE id = ?" % column, value, latest()[0])
        result = resume(SERIAL)
        ok(result.returncode == REFUSED and "another one" in result.stderr.splitlines()[0],
           "--resume: refused with another " + column, result.stderr)
        query("UPDATE run SET %s = ? WHERE id = ?" % column, old, latest()[0])
    result = fsbctl("run", "--resume", "--db", experiments.STORE)
    ok(result.returncode == REFUSED and result.stderr.splitlines()[1].strip() ==
       "fsbctl run --resume --db %s --destroy %s" % (experiments.STORE, SERIAL),
       "--resume: asks for consent again", result.stderr)
    ok(clean(resume(SERIAL, "-q")), "--resume: goes on")
    result = fsbctl("run", "--resume", latest()[1], "--destroy", SERIAL, "--db", experiments.STORE)
    ok(result.returncode == REFUSED and "complete" in result.stderr, "--resume: not twice",
       result.stderr)


def failures(before):
    matrix("nap, lacks", more=TARGET)
    result = fsbctl(*words(SATA, SERIAL))
    ok(result.returncode == CANNOT and "apt-get install nosuchpackage" in result.stderr,
       "a tool is missing: says how to get it", result.stderr)
    matrix("nap, lacks, fill, mute, hang, stays", more=TARGET)
    result = fsbctl(*words(SATA, SERIAL, "--skip-missing", "-q"))
    equal(result.returncode, FAILED, "failures: status")
    ok("3 of 6 cells failed" in result.stderr, "failures: how many", result.stderr)
    stops = {name: stop for name, _, stop in cells()}
    equal([name for name, stop in stops.items() if stop == "failed"],
          ["plain/fill", "plain/mute", "plain/hang"], "failures: which cells are given up")
    made = trials()
    for cell, state, pattern in (("nap", "ok", "^$"), ("fill", "failed", "No space left|exit"),
                                 ("mute", "failed", "no result"), ("stays", "ok", "^$"),
                                 ("hang", "failed", "still running after 2 s")):
        rows = [t for t in made if t.cell == "plain/" + cell]
        ok(len(rows) == 2 and all(t.state == state and re.search(pattern, t.reason)
                                  for t in rows),
           "failures: %s is %s, twice, and the others go on" % (cell, state),
           [(t.state, t.reason) for t in rows])
    equal([row[1] for row in cells() if row[0] == "plain/lacks"], ["needs nosuchtool, which is not in PATH"],
          "failures: --skip-missing says what is not there")
    before.is_back("failures")


def disturbed(before):
    """What spoils a trial is seen and said."""
    matrix("sets, remounts, rereads, sleeps", repeat="{min: 1, max: 1}")
    going = Running(*words(SATA, SERIAL, "-q"))
    for event in iter(lambda: going.events()[-1:], None):
        if event and event[0].get("cell") == "plain/sleeps" and \
                event[0].get("phase") == "run":
            break
        if going.process.poll() is not None:
            break
        time.sleep(0.05)
    reader = subprocess.Popen(["python3", "-c", """
import os, mmap, time
fd = os.open("%s", os.O_RDONLY | os.O_DIRECT)
buffer = mmap.mmap(-1, 1 << 20)
for i in range(32):
    os.preadv(fd, [buffer], i << 20)
time.sleep(30)""" % SATA])
    status = going.end()
    reader.kill()
    reader.wait()
    run("echo 32 > /sys/block/%s/device/queue_depth" % NAME)
    made = {}
    for t in trials():
        made.setdefault(t.cell.split("/")[1], t)
    for cell, state, pattern in (("sets", "invalid", "^ncq changed meanwhile: 32 -> 7$"),
                                 ("remounts", "invalid", "^mount options changed meanwhile: .*"),
                                 ("rereads", "noisy", "^reads came from memory: "),
                                 ("sleeps", "noisy", "of the disk's I/O were others': python3")):
        t = made[cell]
        ok(t.state == state and re.search(pattern, t.reason), "disturbed: %s is %s, %s"
           % (cell, state, pattern), (t.state, t.reason))
    ok(status == FAILED, "disturbed: cells without a trial that counts have failed", going.err)
    before.is_back("disturbed")


def overhead():
    """fsbctl's own share of a trial of 6 s, as it would be of 30 s."""
    matrix("sleeps", repeat="{min: 1, max: 1}", more=TARGET)
    ok(clean(fsbctl(*words(SATA, SERIAL, "-q"))), "overhead: runs")
    phases = trials()[0].phases
    own = (phases["set"] + phases["collect"]) / phases["run"] * 6 / 30
    ok(own < 0.02, "overhead: own share under 2 % of a trial of 30 s", "%g: %s" % (own, phases))


def unplugged():
    matrix("nap", BOTH, more=TARGET)
    going = Running(*words(SATA, SERIAL, "-q"))
    going.wait_for(RUN, 2)
    host = os.path.realpath("/sys/block/%s/device" % NAME).split("/target")[0]
    scan = glob.glob(host + "/scsi_host/host*/scan")[0]
    with open("/sys/block/%s/device/delete" % NAME, "w", encoding="ascii") as file:
        file.write("1")
    status = going.end()
    lines = going.err.splitlines()
    ok(status == FAILED and "no longer there" in going.err and
       lines[-1].strip() == "when it is there again: fsbctl run --resume " + latest()[1],
       "unplugged: ends, says why and how to go on", (status, going.err))
    equal(len(trials()), 1, "unplugged: what was done before is kept, what it hit is not")
    run("echo '- - -' > " + scan)
    end = time.monotonic() + 30
    while not os.path.exists(SATA) and time.monotonic() < end:
        time.sleep(0.1)
    ok(clean(resume(SERIAL, "-q")), "unplugged: --resume when it is back")
    equal((len(trials()), states()), (4, []), "unplugged: complete, nothing waits")


def main():
    prepare()
    before = Before()
    interrupted(before)
    killed(before)
    other_machine()
    failures(before)
    disturbed(before)
    overhead()
    unplugged()
    done()


main()
