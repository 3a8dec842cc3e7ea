# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=64M --disk nvme,size=64M
# cost: 30
"""What fsbctl says of written data that no flush covers: a figure only where it means something."""

import glob
import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
import nullblk  # noqa: E402
from fsbtest import (disk, done, equal, fsbctl, name_of, ok, record, run, settle,  # noqa: E402
                     write)

SATA, NVME = disk(0), disk(1)
CACHE = {genl.C["FSBSTAT_WRITE_CACHE_" + state]: state for state in ("UNKNOWN", "ON", "OFF")}
MIB = 1 << 20
WRITE = "dd if=/dev/zero of=%s bs=64k count=%d oflag=direct conv=notrunc 2>/dev/null"


def writes(device, size, flush):
    """A command that writes so much in one go, and flushes or not."""
    return WRITE % (device, size >> 16) + ("; hdparm -F %s >/dev/null" % device if flush else "")


def recorded(device, command, *options):
    settle(device)
    document = record(device, command, options)
    return document["unflushed"], document["source_reason"], document


def text(device, command):
    settle(device)
    result = fsbctl("record", device, "--", "sh", "-c", command)
    equal(result.returncode, 0, "record ends well")
    line = [line for line in result.stderr.splitlines() if line.startswith("not yet safe")]
    return line[0] if line else result.stderr


def a_drive_that_caches():
    got, why, document = recorded(SATA, writes(SATA, 8 * MIB, True) + "; sleep 1; " +
                                  writes(SATA, MIB, False))
    equal((got["bytes_max"], got["at_end_bytes"], got["flushes_in_window"], got["exact"]),
          (8 * MIB, MIB, 1, True), "the most, what is left and the flush between")
    ok(0 < got["bytes_mean"] < got["bytes_max"] and 0 < got["seconds_max"] <
       document["elapsed_ns"] / 1e9, "a mean and an age that can be", got)
    ok("unflushed" not in why, "and no reason, since nothing is missing", why)
    line = text(SATA, writes(SATA, 2 * MIB, True))
    ok("worst" in line and "at the end 0 B" in line, "the text has them", line)
    got = recorded(SATA, "dd if=%s of=/dev/null bs=64k count=9 iflag=direct" % SATA)[0]
    equal([got[key] for key in ("bytes_max", "bytes_mean", "seconds_max", "at_end_bytes")],
          [0, 0, 0, 0], "reads hold nothing")


def told():
    """record says what it saw of the drive, to all readers."""
    module = genl.Module()
    module.add(SATA)
    equal(CACHE[module.snapshot(SATA)["disk"]["write_cache"]], "UNKNOWN", "nobody has told")
    record(SATA, "true")
    equal(CACHE[module.snapshot(SATA)["disk"]["write_cache"]], "ON", "record tells the module")
    module.close()


def no_flush():
    """Without a flush in the window a figure would claim too much."""
    got, why, _ = recorded(SATA, writes(SATA, 3 * MIB, False))
    equal([got[key] for key in ("bytes_max", "bytes_mean", "seconds_max", "exact")], [None] * 4,
          "no flush: no figure")
    equal((got["at_end_bytes"], got["flushes_in_window"]), (3 * MIB, 0), "only what was written")
    ok("no flush" in why["unflushed.*"], "with the reason", why)
    line = text(SATA, writes(SATA, 3 * MIB, False))
    ok("no flush: 3.1 MB written" in line, "the text says so", line)


def kernel_view():
    """What the kernel takes the drive for does not matter."""
    view = "/sys/block/%s/queue/write_cache" % name_of(SATA)
    write(view, "write through")
    got, _, document = recorded(SATA, "dd if=/dev/zero of=%s bs=64k count=16 oflag=direct "
                                "conv=fsync,notrunc" % SATA)
    equal((document["device"]["write_cache"], document["device"]["write_cache_kernel"]),
          ("on", "write through"), "kernel view write through, the drive caches")
    equal((got["at_end_bytes"], got["flushes_in_window"]), (MIB, 0), "all is held")
    write(view, "write back")


def cache_off():
    """Off: safe when it ends; on again: not."""
    path, = glob.glob("/sys/block/%s/device/scsi_disk/*/cache_type" % name_of(SATA))
    write(path, "write through")
    got, why, _ = recorded(SATA, writes(SATA, MIB, False))
    equal((got["bytes_max"], got["bytes_mean"], got["seconds_max"], got["at_end_bytes"]),
          (0, 0, 0, 0), "drive cache off: nothing is at risk")
    ok("off" in why["unflushed"], "with the reason", why)
    line = text(SATA, writes(SATA, MIB, False))
    ok("0 B: the drive's write cache is off" in line, "the text says so", line)
    got, why, document = recorded(SATA, "%s; echo write back > %s" %
                                  (writes(SATA, MIB, False), path), "-I", "0.2")
    ok(got is None and "switched" in why["unflushed"], "switched on meanwhile: n/a", why)
    epochs = document["epochs"] + [document["unsettled"] or {"changed": []}]
    changed = [change["what"] for epoch in epochs for change in epoch["changed"]]
    ok("write_cache" in changed, "which is told among what changed", changed)
    got, why, _ = recorded(SATA, "echo write through > %s; %s; echo write back > %s" %
                           (path, writes(SATA, MIB, True), path))
    ok(got["flushes_in_window"] >= 1 and got["bytes_max"] == MIB,
       "off and on again: an upper bound all the same", got)
    write(path, "write through")
    got, why, _ = recorded(SATA, "echo write back > %s; %s; echo write through > %s" %
                           (path, writes(SATA, MIB, False), path))
    ok(got is None and "settings" in why["unflushed"], "on and off again: n/a, not 0", (got, why))
    write(path, "write back")


def unknown():
    """Who does not know the drive's cache has no figure, until somebody tells."""
    got, why, _ = recorded(NVME, WRITE % (NVME, 16))
    ok(got is None and "not known" in why["unflushed"], "nvme: not known", why)
    line = text(NVME, "true")
    ok("n/a" in line and "not known" in line, "nvme: the text says so", line)
    module = genl.Module()
    module.add(NVME)
    module.set(NVME, "ON")
    equal(recorded(NVME, WRITE % (NVME, 16))[0]["at_end_bytes"] % MIB, 0,
          "nvme: known once somebody has told")
    module.set(NVME, "OFF")
    equal(recorded(NVME, WRITE % (NVME, 16))[0]["at_end_bytes"], 0, "nvme: told that it is off")
    module.close()


def rows():
    """Runs and intervals have their own."""
    _, _, document = recorded(SATA, writes(SATA, MIB, True), "-r", "2")
    equal([one["unflushed"]["bytes_max"] for one in document["runs"]], [MIB, MIB], "each run")
    equal(document["unflushed"]["flushes_in_window"], 2, "flushes of both")
    _, _, document = recorded(SATA, "sleep 0.5; %s; sleep 0.5" % writes(SATA, MIB, True),
                              "-I", "0.2")
    equal(sum(row["unflushed"]["flushes_in_window"] for row in document["intervals"]), 1,
          "each flush is in one interval")
    equal(max(row["unflushed"]["bytes_max"] or 0 for row in document["intervals"]), MIB,
          "and the most in the one it came in")
    lines = run("fsbctl record %s -I 0.3 --csv -o - -- sh -c 'sleep 0.5; %s; sleep 0.4'" %
                (SATA, writes(SATA, MIB, True))).stdout.splitlines()
    head = lines[0].split(",")
    table = [dict(zip(head, line.split(","))) for line in lines[1:] if line]
    total = [row for row in table if row["row"] == "total" and row["class"] == "read"][0]
    equal((total["unflushed_bytes_max"], total["unflushed_flushes"],
           total["unflushed_at_end_bytes"], total["unflushed_exact"]), (str(MIB), "1", "0", "1"),
          "the columns of CSV")
    ok(all(row["unflushed_flushes"] for row in table if row["row"] == "interval"),
       "also while it goes on", table[:2])


def inexact():
    """An older maximum hides a later one."""
    module = genl.Module()
    module.add(SATA)
    run(writes(SATA, 16 * MIB, True))
    got = recorded(SATA, writes(SATA, 3 * MIB, True))[0]
    ok(not got["exact"] and 3 * MIB <= got["bytes_max"] <= 3 * MIB * 33 / 32,
       "within 1/32 when counting had begun before", got)
    module.close()


def several_queues():
    with nullblk.disk("queues", size=64, memory_backed=1, cache_size=16, submit_queues=2,
                      irqmode=nullblk.TIMER, completion_nsec=100000) as device:
        module = genl.Module()
        module.add(device)
        module.set(device, "ON")
        got = recorded(device, "taskset 1 %s; taskset 2 %s" % ((WRITE % (device, 16),) * 2))[0]
        equal(got["at_end_bytes"], 2 * MIB, "writes of two queues")
        module.close()


def main():
    a_drive_that_caches()
    told()
    no_flush()
    kernel_view()
    cache_off()
    unknown()
    rows()
    inexact()
    several_queues()
    done()


main()
