# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=512M
# cost: 30
"""Who called fsync: by process, name and filesystem, exactly, and for nobody else to read."""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
import privilege  # noqa: E402
from filesystems import make, number_of  # noqa: E402
from fsbtest import disk, done, equal, ok, run, settle  # noqa: E402

DISK = disk(0)
PLACES = ("/tmp/one", "/tmp/two")
EPERM = "errno 1"


def partitions():
    run("printf 'size=300M\\n;\\n' | sfdisk -q %s" % DISK)
    return run("lsblk -nrpo NAME,TYPE %s" % DISK).stdout.split()[2::2]


def check_sum(module, name):
    total, other, rows = module.callers()
    equal(sum(rows.values()) + other, total, "%s: rows and others are the sum" % name)
    everything, filesystems = module.filesystems()
    equal(sum(row["fsyncs"] for row in filesystems.values()) + everything["lost"], total,
          "%s: which is what the filesystems were asked" % name)
    return rows


def programs(module):
    """Two programs on two filesystems of one disk, at once; and one of many threads."""
    shutil.copy(shutil.which("fsync_calls"), "/tmp/alpha")
    shutil.copy(shutil.which("fsync_calls"), "/tmp/beta")
    alpha = subprocess.Popen(["/tmp/alpha", PLACES[0], "7"], stdout=subprocess.DEVNULL)
    beta = subprocess.Popen(["/tmp/beta", PLACES[1], "4"], stdout=subprocess.DEVNULL)
    equal((alpha.wait(), beta.wait()), (0, 0), "two programs on two filesystems")
    storm = subprocess.Popen(["fsync_storm", PLACES[0], "4", "16", "5"])
    equal(storm.wait(), 0, "one of 16 threads")
    rows = check_sum(module, "programs")
    one, two = map(number_of, PLACES)
    expected = {(alpha.pid, "alpha", one): 35, (beta.pid, "beta", two): 20,
                (storm.pid, "fsync_storm", one): 80}
    equal({key: rows.get(key) for key in expected}, expected,
          "each has its calls, and the filesystem it called")


def one_call(fd):
    pid = os.fork()
    if pid == 0:
        os.fsync(fd)
        os._exit(0)
    os.waitpid(pid, 0)


def overflow(module):
    """More callers than there is room for."""
    fd = os.open(PLACES[1] + "/file", os.O_CREAT | os.O_RDWR, 0o600)
    for _ in range(600):
        one_call(fd)
    os.close(fd)
    rows = check_sum(module, "overflow")
    _, other, _ = module.callers()
    ok(other > 0, "others are counted together", other)
    one = number_of(PLACES[0])
    equal([calls for key, calls in rows.items() if key[1:] == ("alpha", one)], [35],
          "who was known before still is")


def who_may(module):
    with open("/sys/module/fsbstat/parameters/unprivileged_read", "w") as file:
        file.write("Y")
    equal(privilege.unprivileged(lambda m: m.callers()[0]), EPERM,
          "callers are for the privileged, whatever unprivileged_read says")
    with open("/sys/module/fsbstat/parameters/unprivileged_read", "w") as file:
        file.write("N")
    total = module.callers()[0]
    equal(privilege.in_pid_namespace(
        lambda m: (m.callers()[0], {key[0] for key in m.callers()[2]})), str((total, {None})),
          "in a pid namespace there are no process numbers")


def main():
    for place in PLACES:
        os.makedirs(place)
    for device, place in zip(partitions(), PLACES):
        make("ext4", device, place)
    settle(DISK)
    module = genl.Module()
    equal(module.callers(), (0, 0, {}), "no disk: nobody called")
    module.add(DISK)
    programs(module)
    who_may(module)
    overflow(module)
    done()


main()
