# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,latency=20000000 --disk virtio,size=64M
# cost: 35
"""What fsbctl makes of the ATA layer, against a reader of the module that shares no code with it."""

import csv
import io
import re
import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
from fsbtest import disk, done, equal, fsbctl, name_of, ok, record, run, settle, write  # noqa: E402

DISK, OTHER = disk(0), disk(1)
KINDS = {"NCQ_READ": ("ncq", "read"), "NCQ_WRITE": ("ncq", "write"),
         "NCQ_FUA_WRITE": ("ncq", "fua_write"), "NCQ_OTHER": ("ncq", "other"),
         "FLUSH": ("non_ncq", "flush"), "TRIM": ("non_ncq", "trim"),
         "FUA_WRITE": ("non_ncq", "fua"), "OTHER": ("non_ncq", "other")}
HISTS = {"DRAIN": ("drain",), "ALONE": ("non_ncq", "flush"), "REFILL": ("refill",)}
# Reads at depth 31, and once they are under way a write with its flush four times.
LOAD = ("fio --name=r --filename=%s --direct=1 --rw=randread --bs=4k --iodepth=31 "
        "--ioengine=libaio --runtime=4 --time_based --size=64M >/dev/null & "
        "while read reading rest < /sys/block/%s/inflight && [ $reading -lt 20 ]; do "
        "sleep 0.1; done; for i in 1 2 3 4; do dd if=/dev/zero of=%s bs=4k seek=20000 count=1 conv=fsync "
        "2>/dev/null; sleep 0.2; done; wait" % (DISK, name_of(DISK), DISK))


def at(document, path):
    for key in path:
        document = document[key]
    return document


def identities(document, name):
    ata = document["ata"]
    equal(sum(ata["time"].values()), ata["elapsed_ns"], "%s: the parts sum to the whole" % name)
    equal(sum(ata["ncq"]["time_ns"]) + ata["time"]["error_ns"], ata["elapsed_ns"],
          "%s: so do the times at each number of tags" % name)
    ok(abs(ata["elapsed_ns"] - document["elapsed_ns"]) < 20e6,
       "%s: which is the window" % name, (ata["elapsed_ns"], document["elapsed_ns"]))
    equal(ata["non_ncq"]["flush"]["ios"], document["request"]["flush"]["ios"],
          "%s: a command for each flush request" % name)


def against_reader():
    module = genl.Module()
    module.add(DISK)
    run("dd if=%s of=/dev/null bs=4k count=1 iflag=direct" % DISK)
    settle(DISK)
    before = module.snapshot(DISK)["ata"]
    document = record(DISK, LOAD)
    settle(DISK)
    after, ata = module.snapshot(DISK)["ata"], document["ata"]
    identities(document, "reads and flushes")
    for kind, path in KINDS.items():
        number = genl.C["FSBSTAT_ATA_" + kind]
        moved = after["kinds"][number]["ios"] - before["kinds"][number]["ios"]
        equal(at(ata, path)["ios"], moved, "%s commands" % kind)
    for name, path in (("drains", ("drain", "count")), ("wait_ns", ("drain", "wait", "sum_ns")),
                       ("turnaround_ns", ("drain", "turnaround", "sum_ns")),
                       ("refills", ("refill", "count")), ("errors", ("errors",)),
                       ("refills_censored", ("refill", "censored")),
                       ("tag_time_lost_ns", ("tag_time_lost_ns",)),
                       ("queued_ns", ("time", "queued_ns")), ("drain_ns", ("time", "drain_ns")),
                       ("alone_ns", ("time", "alone_ns"))):
        equal(at(ata, path), after[name] - before[name], name)
    for hist, path in HISTS.items():
        number = genl.C["FSBSTAT_ATA_HIST_" + hist]
        empty = {"count": 0, "sum": 0}
        old, new = (snap["hists"].get(number, empty) for snap in (before, after))
        mine = at(ata, path)["histogram"]
        equal((mine["count"], mine["sum_ns"]),
              (new["count"] - old["count"], new["sum"] - old["sum"]), "histogram %s" % hist)
        equal(sum(bucket[1] for bucket in mine["buckets"]), mine["count"],
              "histogram %s: its buckets" % hist)
    ok(ata["drain"]["count"] > 0, "flushes had to wait", ata["drain"]["count"])
    equal(ata["deferral"], "requeue" if document["request"]["flush"]["requeues"] else "libata",
          "who kept them back")
    module.close()


def texts():
    text = fsbctl("record", DISK, "--", "sh", "-c", LOAD).stderr
    block = text[text.index("where the disk's time went"):].split("\n\n")[0]
    ok(all(len(line) <= 80 for line in text.splitlines()), "the report fits 80 columns", text)
    shares = [round(10 * float(share)) for share in
              re.findall(r"^  [a-z][a-z ]* +[0-9.]+ +([0-9.]+)(?:  |$)", block, flags=re.M)]
    equal((len(shares), sum(shares)), (4, 1000), "four shares, 100.0 %")
    ok("flush" in block and "waited" in block, "it tells who waited", block)
    rows = list(csv.DictReader(io.StringIO(
        fsbctl("record", DISK, "--csv", "-o", "-", "--", "dd", "if=" + DISK, "of=/dev/null",
               "bs=4k", "count=9", "iflag=direct").stdout)))
    equal({row["ata_ncq_read_ios"] for row in rows if row["row"] == "total"}, {"9"},
          "CSV: the disk's, in each row of a class")


def unknown():
    document = record(OTHER, "true")
    equal((document["ata"], document["source_reason"]["ata"]), (None, "not behind libata"),
          "null with the reason for a disk elsewhere")
    document = record(DISK, "true")
    equal((document["ata"], document["source_reason"]["ata"]), (None, "no ATA command seen yet"),
          "and before the first command")


def ncq_off():
    path = "/sys/block/%s/device/queue_depth" % name_of(DISK)
    write(path, 1)
    document = record(DISK, "dd if=%s of=/dev/null bs=4k count=20 iflag=direct" % DISK)
    identities(document, "NCQ off")
    ata = document["ata"]
    equal((ata["ncq"]["ios"], ata["non_ncq"]["other"]["ios"], ata["ncq"]["max"],
           ata["time"]["queued_ns"], ata["drain"]["count"]), (0, 20, 0, 0, 0),
          "NCQ off: 20 reads, none queued")
    text = fsbctl("record", DISK, "--", "dd", "if=" + DISK, "of=/dev/null", "bs=4k", "count=1",
                  "iflag=direct").stderr
    ok("NCQ is off (queue depth 1)" in text, "the report says so", text)
    write(path, 32)


def libata_gone():
    """Its hooks are no complaint while it is not there."""
    run("modprobe -r ahci; modprobe -r sd_mod; modprobe -r libahci libata 2>/dev/null; true")
    text = fsbctl("list").stdout
    ok(re.search(r"^missing +8 of libata, which is not loaded", text, flags=re.M),
       "list: libata's hooks wait for it", text)
    text = fsbctl("check", OTHER).stdout
    equal(len(re.findall("^n/a +ata_.*attached when it", text, flags=re.M)), 8,
          "check: so they do there")
    run("modprobe ahci && modprobe sd_mod")


def main():
    settle(DISK)
    against_reader()
    texts()
    unknown()
    ncq_off()
    libata_gone()
    done()


main()
