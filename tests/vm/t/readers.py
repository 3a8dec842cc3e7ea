# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=256M
# vm-debug:
# cost: 20
"""Several readers at once see the same truth; none blinds another; the last one leaves nothing."""

import errno
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
from fsbtest import DEBUG_KERNEL, PATIENCE, disk, done, equal, fsbctl, ok, run, settle  # noqa: E402
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
    layers()
    layers_come_and_go()


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


HOOKS_OF = {
    "REQUEST": ("block_rq_issue", "block_rq_requeue", "block_rq_complete"),
    "BIO": ("block_bio_queue", "block_bio_backmerge", "block_bio_frontmerge", "block_rq_merge"),
    "DRIVE": ("scsi_dispatch_cmd_done", "ata_qc_issue", "ata_qc_complete_done"),
    "FS": ("ext4_sync_file",),
}


def listening(module):
    """The layers whose hooks are attached, as far as they are there; none may be so in part."""
    state, found = module.module()["hooks"], set()
    for layer, names in HOOKS_OF.items():
        states = {state.get(name) for name in names} - {genl.C["FSBSTAT_HOOK_MISSING"], None}
        if states == {ATTACHED}:
            found.add(layer)
        elif len(states) > 1:
            found.add(layer + " in part")
    return found


def layers():
    """What no reader asks for is not counted, not paid for and not shown."""
    few, more = genl.Module(), genl.Module()
    disk_of_few = few.add(DISK, layers=("REQUEST",))
    bits = genl.layer_bits
    equal(disk_of_few["layers"], bits(("REQUEST",)), "the reply says what is counted")
    equal(listening(few), {"REQUEST"}, "only the hooks of that layer are attached")
    traffic()
    snap = few.snapshot(DISK)
    ok(genl.total(snap, "ios", "WRITE") == 150 and not snap["bio"] and not snap["ata"],
       "requests are counted, and nothing else is in the snapshot", snap["bio"])
    equal(refused(lambda: few.owners(DISK)), (61, True), "owners are refused with the reason")
    equal(few.filesystems()[0]["since"], 0, "filesystems are said not to be counted")
    both = more.add(DISK, layers=("BIO", "FS"))
    equal(both["layers"], bits(("REQUEST", "BIO", "FS")), "a second reader adds its layers")
    ok(both["bio_since"] > both["added"], "bios are counted since it asked")
    equal(both["id"], disk_of_few["id"], "on the same watch")
    equal(listening(few), {"REQUEST", "BIO", "FS"}, "their hooks are attached")
    ok(both["memory"] > disk_of_few["memory"], "their memory is taken")
    equal(more.snapshot(DISK)["bio"]["write_ios"], 0, "they begin at 0")
    traffic()
    snap = more.snapshot(DISK)
    equal((snap["bio"]["write_ios"], snap["bio"]["read_ios"]), (150, 150), "and count from then on")
    equal(genl.total(snap, "ios", "WRITE"), 300, "while requests go on")
    total, other, rows = more.owners(DISK)
    equal({key: other[key] + sum(row[key] for row in rows.values()) for key in total}, total,
          "rows and others are the sum")
    more.close()
    wait_for(lambda: listening(few) == {"REQUEST"}, "its layers go with it")
    now = few.disks()[0]
    equal((now["layers"], now["memory"]), (disk_of_few["layers"], disk_of_few["memory"]),
          "and their memory")
    more = genl.Module()
    more.add(DISK, layers=("DRIVE",))
    traffic()
    snap = more.snapshot(DISK)
    ok(snap["ata"] and sum(snap["ata"]["time_ns"]) + snap["ata"]["error_ns"] ==
       snap["ata"]["time"] - snap["ata"]["start"], "time of the link adds up from its start")
    ok(not snap["bio"], "bios are gone")
    equal(refused(lambda: more.call("DISK_ADD", more.opened(0) +
                                    genl.attribute(genl.C["FSBSTAT_A_LAYERS"], 16))), (22, True),
          "a layer that does not exist is refused")
    more.close()
    few.close()
    module = genl.Module()
    wait_for(lambda: (listening(module), module.module()["memory"]) == (set(), 0),
             "and nothing is left")
    module.close()


def layers_come_and_go():
    """Sockets that ask for layers and go, in random order and under load."""
    load = subprocess.Popen("while :; do dd if=/dev/zero of=%s bs=4k count=50 oflag=direct,dsync; "
                            "done" % DISK, shell=True, stderr=subprocess.DEVNULL,
                            start_new_session=True)
    numbers, held = random.Random(11), []
    for _ in range(20 if DEBUG_KERNEL else 80):
        if held and numbers.random() < 0.45:
            held.pop(numbers.randrange(len(held))).close()
            continue
        reader = genl.Module()
        wanted = [name for name in HOOKS_OF if numbers.random() < 0.5]
        reader.add(DISK, layers=wanted)
        held.append(reader)
        snap = reader.snapshot(DISK)
        if ("BIO" in wanted) > bool(snap["bio"]):
            ok(False, "a layer that was asked for is there", wanted)
    os.killpg(load.pid, signal.SIGKILL)
    load.wait()
    snap = held[-1].snapshot(DISK) if held else None
    ok(not snap or genl.total(snap, "unmatched") == 0, "what they counted is matched")
    for reader in held:
        reader.close()
    module = genl.Module()
    wait_for(lambda: (listening(module), module.module()["memory"]) == (set(), 0),
             "after many readers nothing is attached and no memory is taken")
    module.close()


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
    equal(told.readline(), "(16, True)\n", "what a user keeps unread is limited")
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
