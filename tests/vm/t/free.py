# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=128M --disk scsi,size=128M
# cost: 60
"""Nothing watched is pinned: drivers unload, arrays stop and file systems go as if unwatched.

Each case runs twice, without and with the module watching, and has to come out the same.
"""

import contextlib
import errno
import glob
import os
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
from fsbtest import (blockstats, delta, disk, done, equal, name_of, ok, read, run,  # noqa: E402
                     settle, write)
from identity import Window  # noqa: E402
from watched import Load, check_at_rest, check_nothing_left, until, users, wait_gone  # noqa: E402

MOUNT = "/tmp/mount"
TRIES = 400


def status(command):
    return run(command, check=False).returncode


def windows(devices):
    """The devices watched, and compared with diskstats and QEMU at the end."""
    return [Window(device, qemu=device.startswith("/dev/sd")) for device in devices]


def close(opened, name):
    for window in opened:
        window.end()
        place = "%s, %s" % (name, name_of(window.device))
        window.check_diskstats(place)
        window.check_quality(place)
        if window.qemu:
            window.check_qemu(place)
    check_nothing_left(genl.Module(), name)


def as_unwatched(name, case, *devices):
    """case() ends with the same outcome whether the devices are watched or not."""
    without = case()
    opened = windows(devices)
    equal(case(), without, "%s: as if unwatched" % name)
    close(opened, name)


def refused(device, name):
    """What has no requests of its own cannot be watched and says so."""
    module = genl.Module()
    try:
        module.add(device)
        ok(False, "%s: cannot be watched" % name)
    except genl.Refused as error:
        equal((error.errno, error.text),
              (errno.EOPNOTSUPP, "the device has no requests; name the disks below it"),
              "%s: cannot be watched, with the reason" % name)
    module.close()


def file_system(device):
    """Makes and mounts one."""
    return status("mkfs.ext4 -q -F %s && mount %s %s" % (device, device, MOUNT))


def umount():
    """A mounted file system under load is busy; when its own load ends, it goes at once."""
    device = disk(0)
    outcome = [file_system(device)]
    run(["truncate", "-s", "8M", MOUNT + "/file"])
    with Load(device, "-r", "-t", 2):
        with Load(MOUNT + "/file", "-t", 4):
            time.sleep(1)
            outcome.append(status(["umount", MOUNT]))
        outcome.append(status(["umount", MOUNT]))
    return outcome


def array():
    """A mirror of both disks; its members are read beside it."""
    members = [disk(0), disk(1)]
    outcome = [status(["mdadm", "--create", "/dev/md0", "--run", "--level=1", "--raid-devices=2",
                       "--assume-clean", "--metadata=1.2", *members])]
    refused("/dev/md0", "md")
    with Load(members[0], "-r", "-t", 2), Load(members[1], "-r", "-t", 2):
        with Load("/dev/md0", "-t", 4):
            time.sleep(1)
            outcome.append(status(["mdadm", "--stop", "/dev/md0"]))
        outcome.append(status(["mdadm", "--stop", "/dev/md0"]))
    outcome.append(os.path.exists("/sys/block/md0/md/array_state"))
    outcome.append(status(["mdadm", "--zero-superblock", *members]))
    return outcome


def mapping():
    device = disk(0)
    outcome = [status("echo 0 131072 linear %s 0 | dmsetup create --noudevsync --noudevrules flat"
                      % device)]
    node = "/dev/" + os.path.basename(glob.glob("/sys/block/dm-*")[0])
    refused(node, "dm")
    with Load(device, "-r", "-t", 2):
        with Load(node, "-t", 4):
            time.sleep(1)
            outcome.append(status(["dmsetup", "remove", "--noudevsync", "flat"]))
        outcome.append(status(["dmsetup", "remove", "--noudevsync", "flat"]))
    outcome.append(glob.glob("/sys/block/dm-*"))
    return outcome


def loop():
    """Taken off under load: the kernel waits for the last to close it."""
    with Load("/dev/loop0", "-t", 4):
        time.sleep(1)
        outcome = [status(["losetup", "-d", "/dev/loop0"]),
                   os.path.isdir("/sys/block/loop0/loop")]
    until(lambda: not os.path.isdir("/sys/block/loop0/loop"), "the loop device does not go")
    return outcome


def loops():
    """The file below a watched loop device is free as soon as the device is."""
    run("modprobe loop; mount -t tmpfs none %s; truncate -s 32M %s/loop.img" % (MOUNT, MOUNT))
    outcomes = []
    for watched in (False, True):
        run("losetup /dev/loop0 %s/loop.img" % MOUNT)
        opened = windows(["/dev/loop0"]) if watched else []
        outcomes.append(loop())
    equal(outcomes[1], outcomes[0], "losetup -d: as if unwatched")
    equal(status(["umount", MOUNT]), 0, "losetup -d: the file's file system goes")
    close(opened, "losetup -d")


def no_users(driver):
    """Tries to unload it while somebody opens the disk again and again; says how it went."""
    for _ in range(TRIES):
        if status(["rmmod", driver]) == 0:
            return "unloaded"
        time.sleep(0.01)
    return "in use"


@contextlib.contextmanager
def unloaded_again(driver):
    """The driver is there again afterwards, with the disk."""
    yield
    run(["modprobe", driver])
    until(lambda: os.path.exists(disk(0)), "the disk does not come back")
    settle(disk(0))


def unload(pull):
    """The SATA disk's driver goes; what was watched keeps its counters. Twice, see above."""
    outcomes = []
    for watched in (False, True):
        settle(disk(0))
        before, module = blockstats(0), genl.Module()
        watch = module.add(disk(0)) if watched else None
        number = os.stat(disk(0)).st_rdev
        with unloaded_again("ahci"):
            outcomes.append(pull())
            if watched:
                wait_gone(module, watch["id"])
                stats, snap = delta(blockstats(0), before), module.snapshot(number)
    name = "rmmod ahci, " + pull.__name__.replace("_", " ")
    equal(outcomes[1], outcomes[0], "%s: as if unwatched" % name)
    check_at_rest(snap, name)
    equal((genl.total(snap, "ios", "READ"), genl.total(snap, "ios", "WRITE")),
          (stats["rd_operations"], stats["wr_operations"]),
          "%s: the last counters are those of QEMU" % name)
    ok(genl.total(snap, "ios", "READ") > 0 < genl.total(snap, "ios", "WRITE"),
       "%s: there was something to count" % name)
    again = module.add(disk(0))
    ok(again["id"] != watch["id"], "%s: the disk comes back as a new one" % name)
    module.close()
    until(lambda: not genl.Module().disks(), "references do not go with the socket")
    check_nothing_left(genl.Module(), name)


def between_opens():
    """Refused while a file system is mounted, and done in a moment when nobody has it open."""
    outcome = [users("ahci"), file_system(disk(0)), users("ahci"), status(["rmmod", "ahci"]),
               status(["umount", MOUNT]), users("ahci")]
    with Load(disk(0), "-t", 1, "-b", 1):
        time.sleep(1)
        outcome.append(no_users("ahci"))
    return outcome


def controller_taken():
    """The controller is taken from under eight threads; the driver goes when they let go."""
    slot = os.path.basename(glob.glob("/sys/bus/pci/drivers/ahci/0000:*")[0])
    with Load(disk(0), "-t", 8):
        time.sleep(1)
        write("/sys/bus/pci/drivers/ahci/unbind", slot)
        outcome = [os.path.exists("/sys/block/" + name_of(disk(0)))]
        outcome.append(no_users("ahci"))
    return outcome


def main():
    os.makedirs(MOUNT, exist_ok=True)
    as_unwatched("umount", umount, disk(0))
    as_unwatched("mdadm --stop", array, disk(0), disk(1))
    as_unwatched("dmsetup remove", mapping, disk(0))
    loops()
    unload(between_opens)
    unload(controller_taken)
    done()


main()
