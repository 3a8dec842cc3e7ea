# SPDX-License-Identifier: GPL-2.0-or-later
"""Small experiments for `fsbctl run`: workloads of a second, matrices of a few cells, and what is
in the store afterwards. All files lie in a folder that is thrown away with the guest.
"""

import collections
import glob
import json
import os
import sqlite3
import subprocess
import time

from fsbtest import PATIENCE, equal, fsbctl, name_of, note
from knobs import difference, knobs, states

HOME = "/tmp/experiments"
STORE = HOME + "/runs.db"
MATRIX = HOME + "/matrix.yaml"
QUIET = ("--settle", "0.1s")
EVENTS = HOME + "/events"

os.makedirs(HOME + "/fsbctl/workloads", exist_ok=True)
os.environ["XDG_CONFIG_HOME"] = HOME

Trial = collections.namedtuple(
    "Trial", "cell block place state reason score seconds sync_seconds mount_options device phases")


def workload(name, command, **keys):
    """Makes a workload; without a `result` its score is the wall time."""
    lines = ["schema: fsbstat-workload/1", "name: " + name, "title: " + name,
             "unit: " + keys.pop("unit", "s"), "better: " + keys.pop("better", "less"),
             "seconds: 1", "command: " + json.dumps(command)]
    lines += ["%s: %s" % (key, json.dumps(value)) for key, value in keys.items()]
    with open("%s/fsbctl/workloads/%s.yaml" % (HOME, name), "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


def matrix(workloads, configurations="[{name: plain, fs: ext4}]", repeat="{min: 2, max: 2}",
           more=""):
    """Writes the matrix; its parts are YAML."""
    with open(MATRIX, "w", encoding="ascii") as file:
        file.write("schema: fsbstat-matrix/1\nname: test\nconfigurations: %s\nworkloads: [%s]\n"
                   "repeat: %s\n%s\n" % (configurations, workloads, repeat, more))


def words(device, serial, *more):
    return ("run", MATRIX, device, "--destroy", serial, "--db", STORE) + QUIET + more


def run(device, serial, *more):
    """A whole experiment; the CompletedProcess."""
    return fsbctl(*words(device, serial, *more))


def resume(serial, *more):
    return fsbctl("run", "--resume", "--destroy", serial, "--db", STORE, *more)


class Running:
    """An experiment on its way, whose events are followed."""

    def __init__(self, *command):
        if os.path.exists(EVENTS):
            os.unlink(EVENTS)
        self.process = subprocess.Popen(
            ("fsbctl",) + command + ("--jsonl", EVENTS), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.out = self.err = None

    def events(self):
        if not os.path.exists(EVENTS):
            return []
        with open(EVENTS, encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.endswith("\n")]

    def wait_for(self, wanted, count=1, seconds=PATIENCE):
        """Until there were `count` events like it (a dict of what they must have)."""
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            if sum(wanted.items() <= event.items() for event in self.events()) >= count:
                return True
            time.sleep(0.01)
        return False

    def end(self, signal=None):
        """Its exit status; `out` and `err` are what it said."""
        if signal is not None:
            self.process.send_signal(signal)
        self.out, self.err = self.process.communicate()
        return self.process.returncode


def query(text, *values):
    with sqlite3.connect(STORE) as store:
        return store.execute(text, values).fetchall()


def latest():
    """Number and name of the latest run in the store."""
    return query("SELECT id, name FROM run ORDER BY id DESC LIMIT 1")[0]


def trials(number=None):
    """All trials of a run (of the latest one), in the order they were made."""
    rows = query(
        "SELECT c.configuration || '/' || c.workload, t.block, t.place, t.state, t.reason, "
        "t.score, t.seconds, t.sync_seconds, t.mount_options, t.device, t.phases "
        "FROM trial t JOIN cell c ON t.cell = c.id WHERE c.run = ? ORDER BY t.id",
        number or latest()[0])
    return [Trial(*row[:9], json.loads(row[9]) if row[9] else None, json.loads(row[10]))
            for row in rows]


def cells(number=None):
    """(name, unsupported, stop) of all cells of a run."""
    return query("SELECT configuration || '/' || workload, unsupported, stop FROM cell "
                 "WHERE run = ? ORDER BY id", number or latest()[0])


def clean(result):
    """It ended with status 0; says what it said if not."""
    if result.returncode:
        note("status %d\n%s\n%s" % (result.returncode, result.stdout, result.stderr))
    return result.returncode == 0


class Before:
    """How a disk and its mounts are; is_back() is a case."""

    def __init__(self, device):
        self.device = device
        self.knobs, self.mounts = knobs(device), self.mounted()

    def mounted(self):
        name = name_of(self.device)
        with open("/proc/mounts", encoding="ascii") as file:
            ours = [line for line in file if "fsbctl" in line]
        return ours, sorted(glob.glob("/sys/block/%s/%s?*" % (name, name)))

    def is_back(self, what):
        equal((difference(self.knobs, knobs(self.device)), self.mounted(), states()),
              ("", self.mounts, []), what + ": settings, mounts and partitions as before")
