# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=64M --timeout 900
# vm-debug: --timeout 6000 --kmemleak
# cost: 45
"""Wrong and damaged requests by the hundred thousand, while disks come and go: nothing is left.

What the messages are is in prog/netlink_storm.c. FSB_MESSAGES says how many.
"""

import contextlib
import json
import os
import subprocess
import sys
import threading

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
import nullblk  # noqa: E402
import scsidebug  # noqa: E402
from fsbtest import DEBUG_KERNEL, disk, done, equal, note, ok, read, run, write  # noqa: E402
from watched import check_nothing_left, until  # noqa: E402

C = genl.C
MESSAGES = int(os.environ.get("FSB_MESSAGES") or (1000000 if DEBUG_KERNEL else 200000))
SEED = os.environ.get("FSB_SEED", "1")
# What the header says a request may be answered with, and what netlink itself says.
REFUSALS = {"ENOENT": 2, "EBADF": 9, "ENOTBLK": 15, "EINVAL": 22, "EPERM": 1, "EPROTO": 71,
            "EOPNOTSUPP": 95, "EBUSY": 16, "ERANGE": 34}


class Churn(threading.Thread):
    """Disks that come and go until the block ends; .rounds says how often."""

    def __init__(self):
        super().__init__()
        self.stop, self.rounds, self.error = threading.Event(), 0, None

    def run(self):
        try:
            while not self.stop.is_set():
                self.once()
                self.rounds += 1
                self.stop.wait(0.2)
        except Exception as error:  # what goes wrong here is the test's failure
            self.error = error

    def once(self):
        name = "n%d" % (self.rounds % 3)
        device = nullblk.create(name, size=16, submit_queues=1 + self.rounds % 2,
                                completion_nsec=100000, irqmode=nullblk.TIMER)
        with contextlib.suppress(OSError), open(device, "rb") as file:
            file.read(65536)
        write(scsidebug.PLACE + "add_host", "1" if self.rounds % 2 else "-1")
        nullblk.remove(device)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.join()


def storm():
    """What netlink_storm says it did, and the disks' rounds."""
    run(["modprobe", "scsi_debug", "dev_size_mb=8", "max_queue=4", "add_host=2"])
    with nullblk.disk("anchor", size=16), Churn() as churn:
        result = subprocess.run(["netlink_storm", str(MESSAGES), SEED], stdout=subprocess.PIPE,
                                check=False)
    equal(result.returncode, 0, "every sender sent what it was to send")
    equal(churn.error, None, "disks came and went meanwhile")
    return json.loads(result.stdout), churn.rounds


def check_reached(said):
    """The messages were wrong in ways that led somewhere: nearly every answer there is came."""
    for name, number in REFUSALS.items():
        ok(said["errors"].get(str(number)), "%s was an answer" % name)
    for command in ("MODULE_GET", "DISK_ADD", "DISK_GET", "SNAPSHOT_GET", "FS_GET", "OWNERS_GET",
                    "CALLERS_GET"):
        ok(said["done"].get(str(C["FSBSTAT_CMD_" + command])), "%s did well too" % command)


def give_back(module):
    """The permanent references that the storm has left."""
    for watch in module.disks():
        if watch["permanent"]:
            module.delete((watch["major"], watch["minor"]), permanent=True)


def main():
    module = genl.Module()
    module.add(disk(0))
    said, rounds = storm()
    note("%r, disks came and went %d times" % (said, rounds))
    ok(said["sent"] >= MESSAGES and rounds > 2, "%d messages, disks came and went" % MESSAGES)
    check_reached(said)
    give_back(module)
    module.delete(disk(0))
    until(lambda: not module.disks(), "disks are still watched")
    check_nothing_left(module, "after the storm")
    module.close()
    run(["modprobe", "-r", "scsi_debug"])
    run(["modprobe", "-r", "null_blk"])
    run(["rmmod", "fsbstat"])
    equal(os.path.isdir("/sys/module/fsbstat"), False, "the module unloads")
    run(["insmod", os.environ["FSB_MODULE"]])
    ok(read("/sys/module/fsbstat/initstate") == "live", "and loads again")
    done()


main()
