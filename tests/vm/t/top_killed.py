# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=256M
# cost: 200
"""kill -9 at each step of `fsbctl top --control`: restore then puts everything back.

All keys that change something are typed at once, and q behind them. A library that is preloaded
(prog/die_at.c) kills fsbctl just before its Nth call that could leave something behind, for each
N until it comes through.
"""

import glob
import os
import signal
import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
from fsbtest import disk, done, equal, fsbctl, name_of, note, ok, read, run  # noqa: E402
from knobs import difference, knobs  # noqa: E402
from terminal import Terminal  # noqa: E402

DISK, MOUNT = disk(0), "/tmp/m"
PRELOAD = os.environ["FSB_OUT"] + "/prog/die_at"
AT_MOST = 300
KEYS = (b"M", b"C", b"N", b"S")


def state():
    """Every setting of the disk, and how it is mounted."""
    values = knobs(DISK)
    for line in read("/proc/self/mounts").splitlines():
        if line.split()[1] == MOUNT:
            values["mount"] = line
    return values


def killed_at(number):
    """Status of the view that is killed before the call of this number."""
    terminal = Terminal("--control", DISK, LD_PRELOAD=PRELOAD, DIE_AT=str(number))
    os.write(terminal.master, b"".join(key + b"y" for key in KEYS) + b"q")
    status = terminal.status()
    terminal.close()
    return status


def each_step():
    before = state()
    wrong, touched = 0, set()
    for number in range(1, AT_MOST):
        status = killed_at(number)
        after = state()
        touched |= {key for key in before if before[key] != after.get(key)}
        result = fsbctl("restore", DISK)
        left = difference(before, state())
        if result.returncode or left or glob.glob("/run/fsbctl/*.json"):
            note("killed at %d: restore %d, %s\n%s%s" % (number, result.returncode, left,
                                                         result.stdout, result.stderr))
            wrong += 1
            fsbctl("restore", "--force", DISK)
        if status != -signal.SIGKILL:
            break
    equal(status, 0, "comes through at last")
    ok(number > 40, "%d steps" % (number - 1))
    ok({"mount", "drive", "device/queue_depth", "queue/scheduler"} <= touched,
       "in some of them each setting had been changed", touched)
    equal(wrong, 0, "everything is back after each")


def mount_that_changes():
    """What was remounted by somebody else, or unmounted, is left alone."""
    def leave_nobarrier():
        terminal = Terminal("--control", DISK)
        terminal.watch(3)
        terminal.type(b"M")
        terminal.type(b"y")
        terminal.process.kill()
        terminal.process.wait()
        terminal.close()

    leave_nobarrier()
    ok("nobarrier" in state()["mount"], "M and y, then kill -9: nobarrier")
    told = fsbctl("list").stderr
    ok("settings of %s wait" % name_of(DISK) in told, "every command says that it waits", told)
    run("mount -o remount,barrier " + MOUNT)
    result = fsbctl("restore", DISK)
    ok(result.returncode == 0 and "barrier already" in result.stdout, "somebody has put it back",
       result.stdout)
    leave_nobarrier()
    run("umount " + MOUNT)
    result = fsbctl("restore", DISK)
    ok(result.returncode == 0 and "not mounted any more" in result.stdout,
       "of what is unmounted nothing is put back", result.stdout)
    run(["mount", DISK, MOUNT])
    ok("nobarrier" not in state()["mount"], "mounted again it is as ever")
    leave_nobarrier()
    run("fsbctl set %s ncq=4" % DISK)
    result = fsbctl("restore", "--json", DISK)
    ok(result.returncode == 0 and "nobarrier" not in state()["mount"] and
       read("/sys/block/%s/device/queue_depth" % name_of(DISK)) == "32",
       "a set on top of it: restore puts both back", result.stdout)


def main():
    run("mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 " + DISK)
    os.makedirs(MOUNT)
    run(["mount", DISK, MOUNT])
    each_step()
    mount_that_changes()
    done()


main()
