# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=320M
# cost: 180
"""`fsbctl run` cut off by signals, kill -9, a full store and a pulled disk: nothing stored is lost or
made twice, all is put back, and --resume goes on.

FSB_KILLS=N: so many kills at random instants (14, and 6 at chosen steps, otherwise).
"""

import glob
import json
import os
import random
import signal
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import experiments  # noqa: E402
from experiments import (Before, Running, cells, clean, latest, matrix, query,  # noqa: E402
                         resume, trials, words)
from fsbtest import disk, done, equal, fsbctl, name_of, note, ok, run  # noqa: E402
from knobs import states  # noqa: E402

SATA, SERIAL = disk(0), "fsb0"
NAME = name_of(SATA)
TARGET = "target: {size: 256MiB}"
FAILED, REFUSED, FSBCTL = 1, 3, 125
RUN = {"event": "phase", "phase": "run"}
BOTH = "[{name: on, fs: ext4}, {name: off, fs: ext4, barrier: off, write_cache: off, ncq: 1}]"


def interrupted(before):
    matrix("nap", BOTH, more=TARGET)
    for number in (signal.SIGINT, signal.SIGTERM):
        going = Running(*words(SATA, SERIAL, "-q"))
        going.wait_for(RUN, 2)
        if number == signal.SIGINT:
            second = fsbctl(*words(SATA, SERIAL))
            ok(second.returncode == REFUSED and "another fsbctl run" in second.stderr,
               "two at a time on one disk: refused", second.stderr)
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
    rng = random.Random(count)
    points = [("", rng.uniform(0, 4)) for _ in range(count or 14)]
    if not count:
        points += [(step, 0) for step in ("mkfs", "mount", "cold", "run", "sync", "unmount")]
        rng.shuffle(points)
    return points


def killed(before):
    """One experiment, killed again and again, then left alone."""
    points = kill_points()
    blocks = max(2, len(points) * 2 // 5)	# enough to do for all of them
    matrix("nap", BOTH, "{min: %d, max: %d}" % (blocks, blocks), TARGET)
    command, alive = words(SATA, SERIAL, "-q", "--seed", "3"), 0
    for step, seconds in points:
        going = Running(*command)
        if step:
            going.wait_for({"event": "phase", "phase": step})
        time.sleep(seconds)
        alive += going.end(signal.SIGKILL) == -signal.SIGKILL
        if going.err and "fsbctl: " in going.err and going.process.returncode >= 0:
            note(going.err)
        if query("SELECT count(*) FROM sqlite_master")[0][0] and latest()[1] != NAME:
            command = ("run", "--resume", "--destroy", SERIAL, "--db", experiments.STORE, "-q")
    ok(alive >= len(points) * 3 // 4, "kill -9: at most steps, and in between", (alive, points))
    note("%d kills" % alive)
    if query("SELECT state FROM run WHERE id = ?", latest()[0]) != [("complete",)]:
        ok(clean(resume(SERIAL, "-q")), "kill -9: --resume goes on to the end")
    before.is_back("kill -9")
    made = trials()
    equal(sorted((t.cell, t.block, t.state) for t in made),
          sorted((cell, block, "ok") for cell in ("on/nap", "off/nap")
                 for block in range(1, blocks + 1)),
          "kill -9: no trial is lost, none was made twice")
    equal([(t.block, t.place) for t in made],
          [(block, place) for block in range(1, blocks + 1) for place in (1, 2)],
          "kill -9: in the order of the blocks")
    equal({row[2] for row in cells()} & {"", "user"}, set(), "kill -9: every cell has its reason")


def state():
    rows = json.loads(fsbctl("runs", "--json", "--db", experiments.STORE).stdout)["runs"]
    return rows[-1]["state"]


def left_behind(before):
    """What is said of a run that is in progress, and of one that was killed, and how to go on."""
    experiments.workload("held", "while [ ! -e %s/go ]; do sleep 0.1; done" % experiments.HOME)
    matrix("held", BOTH, "{min: 1, max: 1}", TARGET)
    plan = ("run", experiments.MATRIX, SATA, "--plan", "--db", experiments.STORE)
    going = Running(*words(SATA, SERIAL, "-q", "--seed", "4"))
    # With this seed it is the first one: it stays in this phase until it is killed.
    going.wait_for({"event": "phase", "phase": "run", "cell": "off/held"})
    name = latest()[1]
    refused = "another fsbctl run is at work on it: " + name
    equal(state(), "running", "a run in progress: runs says so")
    result = fsbctl(*plan)
    ok(result.returncode == REFUSED and refused in result.stderr,
       "a run in progress: the plan says which", result)
    going.end(signal.SIGKILL)
    equal(state(), "interrupted", "killed: runs says so")
    ok("interrupted" in fsbctl("report", "--db", experiments.STORE).stdout,
       "killed: report says so")
    result = fsbctl(*plan)
    left = " ".join(result.stdout.split())
    ok(result.returncode == 0 and "run %s on this disk was interrupted: fsbctl run --resume "
       "%s --db %s goes on with it" % (name, name, experiments.STORE) in left
       and "/run/fsbctl/mnt-%s is still mounted" % NAME in left and
       "settings of the disk wait to be put back" in left,
       "killed: the plan says by which run, and how to go on", result)
    result = fsbctl("run", "--resume", "--plan", "--db", experiments.STORE)
    ok(result.returncode == 0 and "will be unmounted" in result.stdout,
       "killed: --resume --plan looks past what it left", result)
    result = fsbctl(*words(SATA, SERIAL, "-q"))
    ok(result.returncode == REFUSED and "run %s, which changed them, was interrupted" % name in
       result.stderr and "run --resume %s" % name in result.stderr,
       "killed: another run does not lose the settings it found", result)
    with open(experiments.HOME + "/go", "w", encoding="ascii"):
        pass
    ok(clean(resume(SERIAL, "-q")) and state() == "complete", "killed: --resume goes on")
    before.is_back("killed and resumed")
    ok("left " not in fsbctl(*plan).stdout, "resumed: the plan has nothing to say of it")
    result = fsbctl("runs", "--delete", name, "--yes", "--db", experiments.STORE)
    ok(result.returncode == 0 and latest()[1] != name, "runs --delete: it is gone", result)


def store_full(before):
    """The store's own disk is full in the middle: nothing is lost, and there is a way on."""
    matrix("nap", BOTH, "{min: 8, max: 8}", TARGET)
    place = "/tmp/small"
    os.makedirs(place, exist_ok=True)
    run(["mount", "-t", "tmpfs", "-o", "size=160k", "small", place])
    old, experiments.STORE = experiments.STORE, place + "/runs.db"
    result = fsbctl(*words(SATA, SERIAL, "-q"))
    kept = len(trials())
    lines = result.stderr.splitlines()
    ok(result.returncode == FSBCTL and experiments.STORE in lines[0] and
       lines[-1].strip() == "fsbctl run --resume %s goes on with it" % latest()[1],
       "store full: ends, says why and how to go on", (result.returncode, result.stderr))
    ok(0 < kept < 16, "store full: what is stored stays (%d trials)" % kept)
    before.is_back("store full")
    run(["mount", "-o", "remount,size=8M", place])
    ok(clean(resume(SERIAL, "-q")), "store full: with room again --resume goes on")
    equal(sorted((t.cell, t.block) for t in trials()),
          sorted((cell, block) for cell in ("on/nap", "off/nap") for block in range(1, 9)),
          "store full: every trial was made, none twice")
    experiments.STORE = old
    run(["umount", place])


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
    experiments.workload("nap", "dd if=/dev/zero of=f bs=64k count=16 2> /dev/null; sleep 0.5")
    before = Before(SATA)
    interrupted(before)
    killed(before)
    left_behind(before)
    store_full(before)
    unplugged()
    done()


main()
