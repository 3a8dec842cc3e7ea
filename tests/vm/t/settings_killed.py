# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=256M --disk nvme,size=256M --disk scsi,size=256M
# cost: 200
"""kill -9 at each step of `fsbctl set` and of `restore`: restore then puts every byte back.

A library that is preloaded (prog/die_at.c) kills fsbctl just before its Nth call that could leave
something behind, for each N until it comes through.
"""

import glob
import os
import signal
import subprocess
import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
from fsbtest import disk, done, equal, fsbctl, name_of, note, ok, read, run, write  # noqa: E402
from knobs import difference, knobs  # noqa: E402

SATA, NVME, SCSI = disk(0), disk(1), disk(2)
PRELOAD = os.environ["FSB_OUT"] + "/prog/die_at"
AT_MOST = 300


def killed_at(number, *words):
    """Status of fsbctl that is killed before the call of this number; -9 if it came that far."""
    env = dict(os.environ, LD_PRELOAD=PRELOAD, DIE_AT=str(number))
    return subprocess.run(["fsbctl"] + list(words), env=env, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode


def states():
    return glob.glob("/run/fsbctl/*.json")


def each_step(what, device, killed, prepare=(), status=0, changes=True):
    """Kills a command at every step and restores; all differences are one case."""
    before = knobs(device)
    wrong = touched = 0
    for number in range(1, AT_MOST):
        for words in prepare:
            run(["fsbctl"] + list(words))
        code = killed_at(number, *killed)
        touched += bool(difference(before, knobs(device)))
        result = fsbctl("restore", device)
        left = difference(before, knobs(device))
        if result.returncode or left or states():
            note("%s, killed at %d: restore %d, %s\n%s%s" % (
                what, number, result.returncode, left, result.stdout, result.stderr))
            wrong += 1
            fsbctl("restore", "--force", device)
        if code != -signal.SIGKILL:
            break
    equal(code, status, "%s: comes through at last" % what)
    ok(number > 10, "%s: %d steps" % (what, number - 1))
    ok(not changes or touched > 3, "%s: in %d of them the disk had been changed" % (what, touched))
    equal(wrong, 0, "%s: restored byte for byte from each" % what)


def kept_after_kill():
    """Killed after its first setting; somebody changes that one: theirs is kept."""
    before = knobs(SATA)
    path = "/sys/block/%s/device/queue_depth" % name_of(SATA)
    number = 1
    while read(path) == "32" and number < AT_MOST:
        fsbctl("restore", SATA)
        killed_at(number, "set", SATA, "ncq=1", "scheduler=none")
        number += 1
    equal(read(path), "1", "killed when ncq had been set")
    write(path, 8)
    result = fsbctl("restore", SATA)
    equal((result.returncode, read(path)), (3, "8"), "restore keeps what somebody else set")
    equal(fsbctl("restore", "--force", SATA).returncode, 0, "--force")
    equal(difference(before, knobs(SATA)), "", "and then all is back")


def main():
    every = ["write_cache=off", "ncq=1", "scheduler=none", "nr_requests=16"]
    each_step("sata: set", SATA, ["set", SATA] + every)
    each_step("sata: restore", SATA, ["restore", SATA], [["set", SATA] + every])
    each_step("sata: a set that fails", SATA,
              ["set", SATA, "ncq=1", "scheduler=none", "nr_requests=100000"], status=125)
    each_step("nvme: set", NVME, ["set", NVME, "write_cache=off", "scheduler=mq-deadline"])
    each_step("scsi: set over an earlier one", SCSI, ["set", SCSI, "write_cache=on", "ncq=4"],
              [["set", SCSI, "write_cache=off", "scheduler=none"]])
    kept_after_kill()
    done()


main()
