# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=320M
# cost: 120
"""`fsbctl run` with workloads that fail and others that are disturbed, rules, consent on a terminal:
what spoils a trial is said, the matrix goes on, all is put back.
"""

import os
import pty
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import experiments  # noqa: E402
from experiments import (Before, Running, cells, clean, latest, matrix, query,  # noqa: E402
                         resume, trials, words)
from fsbtest import disk, done, equal, fsbctl, name_of, ok, run  # noqa: E402

SATA, SERIAL = disk(0), "fsb0"
NAME = name_of(SATA)
TARGET = "target: {size: 256MiB}"
FAILED, REFUSED, CANNOT = 1, 3, 77
BOTH = "[{name: on, fs: ext4}, {name: off, fs: ext4, barrier: off, write_cache: off, ncq: 1}]"


def prepare():
    load = experiments.workload
    load("nap", "dd if=/dev/zero of=f bs=64k count=16 2> /dev/null; sleep 0.5")
    load("sleeps", "sleep 6")
    load("fill", "dd if=/dev/zero of=big bs=1M")
    load("mute", "true", result="^files: ([0-9]+)$")
    load("mute2", "true")
    load("hang", "sleep 1000 & wait", timeout="2")
    load("lacks", "nosuchtool", tools=["nosuchtool"], packages=["nosuchpackage"])
    load("sets", "sleep 0.3; echo 7 > /sys/block/%s/device/queue_depth" % NAME)
    load("remounts", "sleep 0.3; mount -o remount,noatime $(dirname $PWD)")
    load("rereads", "i=0; while [ $i -lt 20 ]; do cat f; i=$((i + 1)); done > /dev/null",
         prepare="dd if=/dev/zero of=f bs=1M count=4")
    load("stays", "setsid sleep 1000 > /dev/null 2>&1 < /dev/null &")


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


def rules(before):
    """The time is over: whole blocks; a filesystem that is kept: one mkfs."""
    matrix("nap", BOTH, "{min: 3, max: 5}", TARGET)
    ok(clean(fsbctl(*words(SATA, SERIAL, "-q", "--max-time", "1s"))), "--max-time: status")
    equal(([(t.block, t.place) for t in trials()], [row[2] for row in cells()]),
          ([(1, 1), (1, 2)], ["time", "time"]), "--max-time: one whole block, and the reason")
    matrix("nap, mute2", BOTH, "{min: 1, max: 1}", TARGET + "\nkeep_fs: yes")
    ok(clean(fsbctl(*words(SATA, SERIAL, "-q"))), "keep_fs: status")
    made = trials()
    equal([t.phases["mkfs"] > 0 for t in made], [True, False, True, False],
          "keep_fs: mkfs when the configuration changes")
    equal([row[0] != "" for row in query("SELECT mkfs_output FROM trial JOIN cell ON "
                                         "trial.cell = cell.id WHERE run = ? ORDER BY "
                                         "trial.id", latest()[0])],
          [True, False, True, False], "keep_fs: and its output is kept")
    before.is_back("rules")


def typed(text):
    """fsbctl run on a terminal, where this is typed when it asks: status and all that is seen."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm"
        os.execvp("fsbctl", ["fsbctl", "run", experiments.MATRIX, SATA, "--db", experiments.STORE,
                             *experiments.QUIET])
    seen = b""
    while True:
        try:
            got = os.read(terminal, 4096)
        except OSError:
            break
        if not got:
            break
        if b"Enter to stop" not in seen and b"Enter to stop" in seen + got:
            os.write(terminal, text)
        seen += got
    os.close(terminal)
    return os.WEXITSTATUS(os.waitpid(pid, 0)[1]), seen.decode(errors="replace")


def asked():
    matrix("nap", "[{name: plain, fs: ext4}]", "{min: 1, max: 1}", TARGET)
    count = len(query("SELECT id FROM run"))
    for text, what in ((b"\n", "Enter"), (b"fsb1\n", "another word"), (b"\x04", "end of input")):
        status, seen = typed(text)
        ok(status == REFUSED and "nothing was written" in seen and
           len(query("SELECT id FROM run")) == count, "asked: %s stops" % what, (status, seen))
    status, seen = typed(SERIAL.encode() + b"\n")
    ok(status == 0 and "Type the serial number to overwrite the first 256 MiB of " + NAME in seen,
       "asked: the serial number runs it", (status, seen))
    ok("\x1b[3A\r\x1b[J" in seen and ">RUN<" in seen, "asked: progress is drawn in place",
       repr(seen))


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
    going.wait_for({"event": "phase", "phase": "run", "cell": "plain/sleeps"})
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


def main():
    prepare()
    before = Before(SATA)
    other_machine()
    rules(before)
    asked()
    failures(before)
    disturbed(before)
    overhead()
    done()


main()
