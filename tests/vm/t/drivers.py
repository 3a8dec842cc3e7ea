# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=64M --disk sata,size=64M --disk nvme,size=64M
# cost: 90
"""The disk's drivers and the module go and come in every order, under load; nothing is said of it.

ahci (with libata), sd_mod and fsbstat: each order of going, with another order of coming back.
Whatever is there at a time is used: disks that exist are read and written, and while the module
is loaded it watches them, so that hooks come and go while they are in use. That the kernel's log
holds no complaint is looked at by the rig. (Not under 5.10: an open of a node without a disk
oopses there in kobj_lookup() once sd_mod has been unloaded.)
"""

import glob
import itertools
import os
import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
from fsbtest import done, equal, name_of, ok, run, settle, write  # noqa: E402
from watched import Load, check_sums, until  # noqa: E402

PARTS = ("fsbstat", "ahci", "sd_mod")
OTHER = os.environ["FSB_DISK2"]
HOOKS = {name: genl.C["FSBSTAT_HOOK_" + name] for name in ("MISSING", "ATTACHED")}


def loaded(part):
    return os.path.isdir("/sys/module/" + part)


def sata_disks():
    """Those that exist and can be opened."""
    return [path for path in sorted("/dev/" + os.path.basename(place)
                                    for place in glob.glob("/sys/block/sd*"))
            if os.path.exists(path)]


class Machine:
    """What is loaded, and the loads on what there is."""

    def __init__(self):
        self.module = None
        self.loads = {}
        self.libata = set()	# whether it was loaded, each time the module was looked at

    def use(self):
        """Loads run on every disk; the module, if it is there, watches all of them."""
        expected = loaded("ahci") and loaded("sd_mod")
        disks = until(lambda: (len(sata_disks()) == 2 * expected) and sata_disks() + [OTHER],
                      "disks do not come or go")
        for device in disks:
            if device not in self.loads:
                self.loads[device] = Load(device, "-t", 3, "-b", 8)
                self.loads[device].__enter__()
        if loaded("fsbstat") and not self.module:
            self.module = genl.Module()
        watched = {(disk["major"], disk["minor"]) for disk in self.module.disks()
                   if disk["state"] == genl.C["FSBSTAT_DISK_LIVE"]} if self.module else ()
        for device in disks if self.module else ():
            number = os.stat(device).st_rdev
            if (os.major(number), os.minor(number)) not in watched:
                self.module.add(device)

    def check(self, name):
        """Hooks are where they should be and every watched disk is counted."""
        if not self.module:
            return
        states = {hook: state for hook, state in self.module.module()["hooks"].items()
                  if hook.startswith("ata_qc_")}
        self.libata.add(loaded("libata"))
        equal(set(states.values()), {HOOKS["ATTACHED" if loaded("libata") else "MISSING"]},
              name + ": libata's hooks are there if it is")
        for device in sata_disks() + [OTHER]:
            before = genl.total(self.module.snapshot(device), "ios", "READ")
            until(lambda: genl.total(self.module.snapshot(device), "ios", "READ") > before,
                  "%s: %s is not counted" % (name, device))
        for device in sata_disks():
            ok(sum(kind["ios"] for kind in self.module.snapshot(device)["ata"]["kinds"].values()),
               "%s: %s, its ATA commands too" % (name, name_of(device)))
        check_sums(self.module.snapshot(OTHER), name)

    def remove(self, part):
        getattr(self, "remove_" + part)()
        ok(not loaded(part), "%s has gone" % part)

    def remove_fsbstat(self):
        run(["rmmod", "fsbstat"])
        self.module.close()
        self.module = None

    def remove_ahci(self):
        """Pulled from under its users, who notice and close."""
        for place in glob.glob("/sys/bus/pci/drivers/ahci/0000:*"):
            write("/sys/bus/pci/drivers/ahci/unbind", os.path.basename(place))
        self.disks_gone()
        until(lambda: run(["modprobe", "-r", "ahci"], check=False).returncode == 0, "ahci stays")
        run("modprobe -r libahci libata 2>/dev/null", check=False)

    def remove_sd_mod(self):
        for place in glob.glob("/sys/bus/scsi/drivers/sd/*:*"):
            write("/sys/bus/scsi/drivers/sd/unbind", os.path.basename(place))
        self.disks_gone()
        until(lambda: run(["modprobe", "-r", "sd_mod"], check=False).returncode == 0,
              "sd_mod stays")

    def disks_gone(self):
        for device in [device for device in self.loads if device != OTHER]:
            self.loads.pop(device).stop()

    @staticmethod
    def insert(part):
        if part == "fsbstat":
            run(["insmod", os.environ["FSB_MODULE"]])
        else:
            run(["modprobe", part])

    def stop(self):
        for load in self.loads.values():
            load.stop()


def main():
    machine, orders = Machine(), list(itertools.permutations(PARTS))
    machine.use()
    for number, going in enumerate(orders):
        coming = orders[(5 * number + 2) % len(orders)]
        for part in going:
            machine.remove(part)
            machine.use()
            machine.check("without " + part)
        for part in coming:
            machine.insert(part)
            machine.use()
            machine.check("with " + part)
    equal(machine.libata, {True, False}, "the module was there with libata and without")
    machine.stop()
    for device in sata_disks() + [OTHER]:
        settle(device)
        check_sums(machine.module.snapshot(device), name_of(device))
    done()


main()
