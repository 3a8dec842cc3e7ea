# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,latency=200000000 --disk sata,size=256M,discard
# cost: 80
"""The ATA layer: NCQ tags, commands by kind, whose time it was. Flushes among reads: drain.py."""

import glob
import os
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
from atalink import check_time, kinds  # noqa: E402
from fsbtest import (blockstats, delta, disk, diskstats, done, equal, name_of, note,  # noqa: E402
                     ok, run, settle, write)
from identity import CLASSES  # noqa: E402
from watched import until  # noqa: E402

SLOW, DISK = disk(0), disk(1)
NOMINAL = 200000000		# ns, what every command of the slow one takes


def reads(device, depth, seconds):
    """Direct random reads by so many threads for a while."""
    run("fio --name=r --filename=%s --direct=1 --rw=randread --bs=4k --numjobs=%d --thread "
        "--ioengine=psync --runtime=%d --time_based --size=64M --output-format=terse"
        % (device, depth, seconds))


def occupancy():
    """At each depth the tags in use are what the block layer has issued, and no more."""
    for depth in (1, 8, 31):
        module = genl.Module()
        settle(SLOW)
        module.add(SLOW)
        reads(SLOW, depth, 3)
        settle(SLOW)
        snap = module.snapshot(SLOW)
        ata, queue = snap["ata"], snap["queues"][0]
        name = "depth %d" % depth
        check_time(ata, name)
        equal(ata["tags_max"], depth, "%s: that many tags at once" % name)
        equal(kinds(None, ata)["NCQ_READ"], genl.total(snap, "ios", "READ"),
              "%s: an NCQ command a read" % name)
        mine = sum(i * t for i, t in enumerate(ata["time_ns"]))
        block = sum(i * t for i, t in enumerate(queue["depth_ns"]))
        least = genl.total(snap, "ios", "READ") * NOMINAL
        ok(least <= mine <= block,
           "%s: tag time is what the disk takes at least, at most the block layer's" % name,
           (least, mine, block))
        equal((ata["drains"], ata["drain_ns"]), (0, 0), "%s: reads alone drain nothing" % name)
        module.close()


def fsyncs(device, count, pause):
    fd = os.open(device, os.O_WRONLY)
    for i in range(count):
        os.pwrite(fd, bytes(4096), (200 + i) << 12)
        os.fsync(fd)
        time.sleep(pause)
    os.close(fd)


def flush_counts():
    """ATA flush commands == flush requests == diskstats == QEMU."""
    module = genl.Module()
    settle(DISK)
    before, qemu = diskstats(DISK), blockstats(DISK)
    module.add(DISK)
    run("dd if=/dev/zero of=%s bs=4k count=100 oflag=direct,dsync" % DISK)
    settle(DISK)
    snap = module.snapshot(DISK)
    flushes = kinds(None, snap["ata"])["FLUSH"]
    equal((flushes, genl.total(snap, "ios", "FLUSH")), (200, 200), "200 flushes, as commands too")
    equal((delta(diskstats(DISK), before)["flushes"],
           delta(blockstats(DISK), qemu)["flush_operations"]), (200, 200),
          "as diskstats and QEMU have them")
    equal(kinds(None, snap["ata"])["NCQ_WRITE"], 100, "100 queued writes")
    other(module)
    module.close()


def moved(before, after):
    """Kinds of commands, classes of requests and counters of bios of which there are more."""
    names = {name for name, count in kinds(before["ata"], after["ata"]).items() if count}
    names |= {"class " + name for name in CLASSES
              if genl.total(after, "ios", name) > genl.total(before, "ios", name)}
    return names | {"bio " + name for name, count in after["bio"].items()
                    if count > before["bio"][name]}


def other(module):
    """What is no filesystem's moves its own rows and nothing else."""
    passthrough = {"OTHER", "class OTHER"}
    discard = {"TRIM", "class DISCARD", "bio discard_ios", "bio discard_bytes"}
    for command, rows in ((["hdparm", "-W", DISK], passthrough),
                          (["hdparm", "-I", DISK], passthrough),
                          (["smartctl", "-a", DISK], passthrough),
                          (["blkdiscard", "-f", "-o", "1048576", "-l", "1048576", DISK], discard)):
        name = " ".join(command[:2])
        settle(DISK)
        before = module.snapshot(DISK)
        # smartctl's status says what it thinks of the disk
        text = run(command, check=command[0] != "smartctl").stdout
        settle(DISK)
        after = module.snapshot(DISK)
        equal(moved(before, after), rows, "%s: nothing moves but %s" % (name, sorted(rows)))
        equal(after["ata"]["drains"], before["ata"]["drains"],
              "%s: and drains nothing on an idle disk" % name)
        check_time(after["ata"], name)
        note(text[:300])


def ncq_off():
    """With a queue depth of 1 libata uses commands that are not queued."""
    path = "/sys/block/%s/device/queue_depth" % name_of(DISK)
    write(path, 1)
    module = genl.Module()
    settle(DISK)
    module.add(DISK)
    run("dd if=%s of=/dev/null bs=4k count=50 iflag=direct" % DISK)
    fsyncs(DISK, 5, 0)
    settle(DISK)
    snap = module.snapshot(DISK)
    by_kind = kinds(None, snap["ata"])
    equal({name for name in by_kind if by_kind[name]}, {"OTHER", "FLUSH"},
          "NCQ off: no queued command")
    equal(by_kind["OTHER"], genl.total(snap, "ios", "READ") + genl.total(snap, "ios", "WRITE"),
          "NCQ off: one command a request")
    equal((snap["ata"]["tags_max"], snap["ata"]["drains"], sum(snap["ata"]["time_ns"][1:])),
          (0, 0, 0), "NCQ off: no tag, no drain")
    check_time(snap["ata"], "NCQ off")
    module.close()
    write(path, 32)


def sata_again():
    """The node of a disk once the drivers are back."""
    until(lambda: len(glob.glob("/sys/block/sd*")) == 2, "the disks do not come back")
    return "/dev/" + sorted(os.path.basename(p) for p in glob.glob("/sys/block/sd*"))[0]


def remove_libata():
    run(["modprobe", "-r", "ahci"])
    run("modprobe -r sd_mod; modprobe -r libahci libata 2>/dev/null; true")


def without_ncq():
    """A disk that libata takes for one without NCQ."""
    module = genl.Module()
    remove_libata()
    run("modprobe libata force=noncq && modprobe ahci && modprobe sd_mod")
    device = sata_again()
    settle(device)
    module.add(device)
    run("dd if=%s of=/dev/null bs=4k count=30 iflag=direct" % device)
    fsyncs(device, 3, 0)
    settle(device)
    snap = module.snapshot(device)
    by_kind = kinds(None, snap["ata"])
    equal((by_kind["OTHER"], by_kind["FLUSH"], sum(by_kind.values())),
          (genl.total(snap, "ios", "READ") + genl.total(snap, "ios", "WRITE"),
           genl.total(snap, "ios", "FLUSH"), sum(genl.total(snap, "ios", key) for key in CLASSES)),
          "no NCQ: no command is queued")
    equal((snap["ata"]["tags_max"], snap["ata"]["drains"], sum(snap["ata"]["time_ns"][1:])),
          (0, 0, 0), "no NCQ: no tag, no drain")
    check_time(snap["ata"], "no NCQ")
    module.close()


def load_order():
    """libata goes and comes while a disk elsewhere is watched; the module may come first."""
    root = os.path.realpath("/sys/class/block/vda")
    module = genl.Module()
    module.add("/dev/" + os.path.basename(root))
    states = genl.C["FSBSTAT_HOOK_ATTACHED"], genl.C["FSBSTAT_HOOK_MISSING"]
    hook = lambda: module.module()["hooks"]["ata_qc_issue"]  # noqa: E731
    equal(hook(), states[0], "attached while a disk is watched")
    remove_libata()
    equal((hook(), os.path.exists("/sys/module/libata")), (states[1], False),
          "libata can be unloaded, its hooks are gone")
    run("modprobe ahci && modprobe sd_mod")
    equal(hook(), states[0], "attached again when it comes back")
    device = sata_again()
    module.add(device)
    run("dd if=%s of=/dev/null bs=4k count=3 iflag=direct" % device)
    settle(device)
    equal(kinds(None, module.snapshot(device)["ata"])["NCQ_READ"], 3, "and counts again")
    module.close()


def main():
    occupancy()
    flush_counts()
    ncq_off()
    load_order()
    without_ncq()
    done()


main()
