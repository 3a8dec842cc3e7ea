# SPDX-License-Identifier: GPL-2.0-or-later
"""The ATA layer of a snapshot: its kinds of commands, and what holds for its clock at rest."""

import genl
from fsbtest import equal

KIND = {name[len("FSBSTAT_ATA_"):]: value for name, value in genl.C.items()
        if name.startswith(("FSBSTAT_ATA_NCQ", "FSBSTAT_ATA_FLUSH", "FSBSTAT_ATA_TRIM",
                            "FSBSTAT_ATA_FUA", "FSBSTAT_ATA_OTHER"))}
PARTS = ("idle_ns", "queued_ns", "drain_ns", "alone_ns", "error_ns")
DRAIN, ALONE, REFILL = (genl.C["FSBSTAT_ATA_HIST_" + name] for name in ("DRAIN", "ALONE", "REFILL"))


def kinds(before, after):
    """Commands by kind between two snapshots; before may have none."""
    old = before["kinds"] if before else {}
    return {name: after["kinds"][kind]["ios"] - (old[kind]["ios"] if old else 0)
            for name, kind in KIND.items()}


def check_time(ata, name):
    """Where the time went, to the nanosecond, with nothing left at the link."""
    elapsed = ata["time"] - ata["start"]
    equal(sum(ata["time_ns"]) + ata["error_ns"], elapsed,
          "%s: time at each tag count and error time are all the time, to the nanosecond" % name)
    equal(sum(ata[part] for part in PARTS), elapsed,
          "%s: idle, queued, draining, alone and error are all the time" % name)
    equal(ata["tags"], 0, "%s: no tag is left in use" % name)
