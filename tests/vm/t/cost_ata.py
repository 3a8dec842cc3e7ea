#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the ATA layer costs a command, in instructions of the guest: reads of a watched AHCI disk
# with the module as it is, and with a copy of it that listens for libata's tracepoints under
# names which no kernel has. (cost.py has the rest, and says what -icount is good for.)
#
# The guest waits for a disk of QEMU in the host's time: a thread counts whenever there is nothing
# else to do, and what it took is taken off each read. Of five medians with each module the middle
# one counts: which of two paths of the kernel the median is on depends on the host.
#
# vm: --icount --no-module --disk sata,latency=200000
# cost: 60

import json
import os
import time

import genl
from fsbtest import disk, done, equal, name_of, note, ok, run, settle, write

DISK = disk(0)
READS, ROUNDS = 1500, 5
COMMAND_MAX = 333	# instructions a command, issue and completion: 317 measured, and 5 %

DEAF = "/tmp/fsbstat-deaf.ko"


def ata_hooks(module):
    return {name: state for name, state in module.module()["hooks"].items()
            if name.startswith(("ata_", "xta_"))}


def make_deaf():
    """The module with the first letter of the names of libata's tracepoints changed."""
    run(["insmod", os.environ["FSB_MODULE"]])
    module = genl.Module()
    names = ata_hooks(module)
    module.close()
    run(["rmmod", "fsbstat"])
    with open(os.environ["FSB_MODULE"], "rb") as file:
        code = file.read()
    for name in names:
        code = code.replace(b"\0%s\0" % name.encode(), b"\0x%s\0" % name[1:].encode())
    with open(DEAF, "wb") as file:
        file.write(code)


def measure(path):
    """Instructions of the median read, what the module counted at the link, states of its ATA hooks."""
    run(["insmod", path])
    module = genl.Module()
    module.add(DISK)
    settle(DISK)
    before = module.snapshot(DISK)["ata"]
    result = json.loads(run(["busy_reads", DISK, str(READS)]).stdout)
    after = module.snapshot(DISK)["ata"]
    hooks = ata_hooks(module)
    module.close()
    time.sleep(0.1)
    run(["rmmod", "fsbstat"])
    kind = genl.C["FSBSTAT_ATA_NCQ_READ"]
    seen = after["kinds"][kind]["ios"] - (before["kinds"][kind]["ios"] if before else 0) \
        if after else None
    note("%s: %s" % (path, result))
    return result["p50"], seen, set(hooks.values())


def main():
    make_deaf()
    write("/sys/block/%s/queue/scheduler" % name_of(DISK), "none")
    run(["busy_reads", DISK, "200"])
    costs = {DEAF: [], os.environ["FSB_MODULE"]: []}
    for _ in range(ROUNDS):
        for path, list_of in costs.items():
            cost, seen, states = measure(path)
            list_of.append(cost)
            deaf = path == DEAF
            if seen != (None if deaf else READS) or states != {genl.C[
                    "FSBSTAT_HOOK_MISSING" if deaf else "FSBSTAT_HOOK_ATTACHED"]}:
                ok(False, "what was to be measured was", (path, seen, states))
    without, with_it = (sorted(list_of)[ROUNDS // 2] for list_of in costs.values())
    equal(len(costs[DEAF]), ROUNDS, "a module that hears nothing of libata, and one that counts")
    ok(0 < with_it - without <= COMMAND_MAX,
       "the ATA layer costs a command %d instructions, at most %d" % (
           with_it - without, COMMAND_MAX))
    done()


main()
