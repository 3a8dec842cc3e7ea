# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=256M
# vm-debug:
# cost: 20
"""Several readers at once see the same truth; none blinds another; the last one leaves nothing."""

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
from fsbtest import PATIENCE, disk, done, equal, fsbctl, ok, run, settle  # noqa: E402
from identity import counts  # noqa: E402
from privilege import unprivileged  # noqa: E402

DISK = disk(0)
STOP = "/tmp/stop"
FIELDS = ("ios", "bytes", "errors", "requeues")
IDLE, ATTACHED = (genl.C["FSBSTAT_HOOK_" + state] for state in ("IDLE", "ATTACHED"))


def start_record(path, *options):
    command = ["fsbctl", "record", DISK, *options, "--json", "-o", path, "--",
               "sh", "-c", "while [ ! -e %s ]; do sleep 0.1; done" % STOP]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def wait_for(condition, what, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return ok(False, what)
        time.sleep(0.05)
    return ok(True, what)


def references(module):
    found = module.disks()
    return (found[0]["references"], found[0]["permanent"]) if found else None


def traffic():
    run("dd if=/dev/zero of=%s bs=4k count=150 oflag=direct,dsync" % DISK)
    run("dd if=%s of=/dev/null bs=16k count=150 iflag=direct" % DISK)
    settle(DISK)


def requests(document):
    return {cls: tuple(document["request"][cls][field] for field in FIELDS)
            for cls in document["request"]}


def attached(module):
    """Of the hooks that are there: not every filesystem is loaded."""
    return set(module.module()["hooks"].values()) - {genl.C["FSBSTAT_HOOK_MISSING"]}


def main():
    module = genl.Module()
    equal(attached(module), {IDLE}, "nobody watches: nothing is attached")
    equal(fsbctl("watch", DISK).returncode, 0, "fsbctl watch")
    settle(DISK)
    before = counts(module.snapshot(DISK))
    first, second = start_record("/tmp/a", "-I", "200ms"), start_record("/tmp/b")
    killed = start_record("/tmp/c")
    wait_for(lambda: references(module) == (3, 1), "three sockets and the watch hold the disk")
    time.sleep(1)
    traffic()
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    wait_for(lambda: references(module) == (2, 1), "kill -9 gives its reference back")
    equal(attached(module), {ATTACHED}, "the others still count")
    traffic()
    open(STOP, "w").close()
    equal((first.wait(), second.wait()), (0, 0), "the others end well")
    after = counts(module.snapshot(DISK))
    documents = [json.load(open(path)) for path in ("/tmp/a", "/tmp/b")]
    truth = {cls: tuple(after["%s_%s" % (cls, f)] - before["%s_%s" % (cls, f)] for f in FIELDS)
             for cls in documents[0]["request"]}
    equal(requests(documents[0]), truth, "record -I saw what the module counted")
    equal(requests(documents[1]), truth, "record saw the same")
    ok(truth["write"][0] == 300 and truth["read"][0] == 300, "which is what was done", truth)
    rows = documents[0]["intervals"]
    equal({cls: sum(row["request"][cls]["ios"] for row in rows) for cls in truth},
          {cls: truth[cls][0] for cls in truth}, "its intervals sum to the whole")
    equal(references(module), (0, 1), "only the watch is left")
    equal(fsbctl("watch", DISK).returncode, 0, "watching twice is one reference")
    equal(fsbctl("unwatch", DISK).returncode, 0, "fsbctl unwatch")
    equal(module.disks(), [], "the last reference takes the disk with it")
    equal((attached(module), module.module()["memory"]), ({IDLE}, 0), "and nothing is left")
    permissions()
    done()


def permissions():
    module = genl.Module()
    module.add(DISK)
    equal(module.said, "", "adding a disk is acknowledged without a complaint")
    reads = {"MODULE_GET": lambda m: bool(m.module()), "DISK_GET": lambda m: bool(m.disks()),
             "SNAPSHOT_GET": lambda m: bool(m.snapshot(DISK))}
    changes = {"DISK_ADD": lambda m: m.call("DISK_ADD", m.opened(0)),
               "DISK_DEL": lambda m: m.delete(DISK)}
    for name, function in {**reads, **changes}.items():
        equal(unprivileged(function), "errno 1", "%s is refused to other users" % name)
    with open("/sys/module/fsbstat/parameters/unprivileged_read", "w") as file:
        file.write("1")
    for name, function in reads.items():
        equal(unprivileged(function), "True", "unprivileged_read=1 opens %s" % name)
    for name, function in changes.items():
        equal(unprivileged(function), "errno 1", "but not %s" % name)
    with open("/sys/module/fsbstat/parameters/unprivileged_read", "w") as file:
        file.write("0")
    protocol(module)
    deaf_reader(module)
    greedy_reader(module)
    module.close()


def drain(module):
    """How many answers wait in its receive buffer."""
    module.socket.setblocking(False)
    answers = 0
    while True:
        try:
            answers += bool(module.socket.recv(1 << 18))
        except BlockingIOError:
            return answers
        except OSError as error:
            if error.errno != errno.ENOBUFS:	# said once when some were lost
                raise


def deaf_reader(module):
    """A reader that does not read asks for the permanent watch that another one has."""
    deaf, before = genl.Module(), module.add(DISK, permanent=True)
    deaf.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 0)
    for _ in range(200):
        deaf.send("DISK_GET", deaf.where(DISK))
    with open(DISK, "rb") as opened:
        deaf.send("DISK_ADD", deaf.opened(opened.fileno(), permanent=True))
    ok(drain(deaf) < 200, "its receive buffer was full")
    after = next((disk for disk in module.disks() if disk["id"] == before["id"]), None)
    ok(after and after["permanent"], "the first one's watch stays", after)
    deaf.close()
    module.delete(DISK, permanent=True)


def greedy_reader(module):
    """A user who begins to read and never reads on takes no room from others."""
    hoarders = []

    def hoard(_):
        while len(hoarders) < 900:
            hoarders.append(genl.Module())
            hoarders[-1].send("SNAPSHOT_GET", module.where(DISK), dump=True)
        full = refused(lambda: genl.Module().snapshot(DISK))
        tell.write("%s\n" % (full,))
        tell.flush()
        let_go.readline()

    def open_to_all(value):
        with open("/sys/module/fsbstat/parameters/unprivileged_read", "w") as file:
            file.write(value)

    (told, tell), (let_go, let) = ([os.fdopen(end, mode) for end, mode in zip(os.pipe(), "rw")]
                                   for _ in range(2))
    open_to_all("1")
    if not os.fork():
        told.close()
        let.close()
        unprivileged(hoard)
        os._exit(0)
    equal(told.readline(), "(16, True)\n", "a user may not keep as many unread snapshots as he likes")
    ok(module.snapshot(DISK)["disk"], "another reader has room meanwhile")
    let.close()
    os.wait()
    open_to_all("0")


def refused(function):
    try:
        function()
    except genl.Refused as error:
        return error.errno, bool(error.text)
    return None


def protocol(module):
    """What fsbctl never sends."""
    where, attribute, c = module.where, genl.attribute, genl.C
    for abi in (0, c["FSBSTAT_ABI"] + 1):
        equal(refused(lambda: module.call("DISK_GET", where(DISK), abi=abi)), (71, True),
              "ABI %d is refused with a reason" % abi)
        equal(refused(lambda: module.call("SNAPSHOT_GET", where(DISK), dump=True, abi=abi)),
              (71, True), "and for a dump")
    equal(refused(lambda: module.call("DISK_GET")), (22, True), "no disk named")
    equal(refused(lambda: module.call("DISK_GET", where(DISK) + attribute(99, 1))), (22, True),
          "an unknown attribute")
    equal(refused(lambda: module.call("DISK_GET", where(DISK, permanent=True))), (22, True),
          "an attribute of another command")
    equal(refused(lambda: module.call("DISK_GET", where((4096, 0)))), (34, True),
          "a major number out of range")
    equal(refused(lambda: module.call("DISK_ADD", where((259, 77)))), (22, True),
          "a disk to be added is not named by its number: the module opens nothing")
    equal(refused(lambda: module.call("DISK_ADD", module.opened(999))), (9, True),
          "a descriptor that is not open")
    equal(refused(lambda: module.call("DISK_ADD", module.opened(1 << 31))), (34, True),
          "one out of range")
    for path in ("/dev/null", "/etc/passwd", "/proc"):
        equal(refused(lambda: module.add(path)), (15, True), "%s is no block device" % path)
    equal(refused(lambda: module.delete((259, 77))), (2, True), "nothing to give back")
    equal(refused(lambda: module.delete(DISK, permanent=True)), (2, True), "no permanent watch")
    equal(refused(lambda: module.snapshot((259, 77))), (2, True), "not watched")


main()
