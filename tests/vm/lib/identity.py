# SPDX-License-Identifier: GPL-2.0-or-later
"""The identities of docs/measures.md: three sources that count the same requests.

A Window reads the module, /proc/diskstats and, for disks of the rig, QEMU's accounting at two
moments with nothing in flight, and compares what each saw in between, exactly.
"""

import genl
from atalink import check_time
from fsbtest import blockstats, delta, diskstats, equal, ok, settle

CLASSES = ("READ", "WRITE", "FUA_WRITE", "FLUSH", "DISCARD", "WRITE_ZEROES", "OTHER")
SCALARS = ("unmatched", "untracked", "displaced", "partial", "sequence_end",
           "sequence_end_empty", "sequence_end_errors", "clock_anomalies", "other_writes",
           "inflight")


def counts(snap):
    """All counters of a snapshot in one flat dict: read_ios, flush_requeues, unmatched, ..."""
    flat = {name: genl.total(snap, name) for name in SCALARS}
    for cls in CLASSES:
        for name in ("ios", "bytes", "errors", "requeues", "busy", "not_sent", "not_sent_bytes"):
            flat["%s_%s" % (cls.lower(), name)] = genl.total(snap, name, cls)
    for queue in snap["queues"]:
        for (cls, kind), hist in queue["hists"].items():
            key = "hist_%s_%d" % (CLASSES[cls].lower(), kind)
            flat[key] = flat.get(key, 0) + hist["count"]
    flat.update({"bio_" + name: value for name, value in snap["bio"].items()})
    return flat


class Window:
    """Counts of one disk between its making and end(); holds a reference on the disk."""

    def __init__(self, device, module=None, qemu=True):
        self.device = device
        self.module = module or genl.Module()
        self.qemu = qemu
        settle(device)
        self.module.add(device)
        self.ata = None		# the ATA layer at the end, if the disk has one
        self.begin = self._read()
        self.module_counts = self.stats = self.disk_qemu = None

    def _read(self):
        settle(self.device)
        snap = self.module.snapshot(self.device)
        self.ata = snap["ata"]
        return (counts(snap), diskstats(self.device),
                blockstats(self.device) if self.qemu else {})

    def end(self):
        """Waits until nothing is in flight, reads all sources and keeps the differences."""
        after = self._read()
        # A histogram that was empty at the beginning is absent there.
        begin = {**{key: 0 for key in after[0]}, **self.begin[0]}
        self.module_counts = delta(after[0], begin)
        self.stats, self.disk_qemu = delta(after[1], self.begin[1]), delta(after[2], self.begin[2])
        self.module.delete(self.device)
        return self.module_counts

    def check_diskstats(self, name):
        """Requests, sectors and merges as /proc/diskstats has them."""
        mine, stats = self.module_counts, self.stats
        equal(mine["read_ios"] + mine["read_not_sent"], stats["reads"],
              "%s: reads == diskstats" % name)
        equal(mine["write_ios"] + mine["fua_write_ios"] + mine["write_zeroes_ios"] +
              mine["other_writes"] + mine["write_not_sent"] + mine["fua_write_not_sent"] +
              mine["sequence_end_empty"], stats["writes"],
              "%s: writes + empty flushes == diskstats" % name)
        equal(mine["flush_ios"] + mine["flush_not_sent"], stats["flushes"],
              "%s: flushes == diskstats" % name)
        equal(mine["discard_ios"], stats["discards"], "%s: discards == diskstats" % name)
        equal(mine["read_bytes"] + mine["read_not_sent_bytes"], stats["sectors_read"] * 512,
              "%s: bytes read == diskstats sectors" % name)
        equal(mine["write_bytes"] + mine["fua_write_bytes"] + mine["write_zeroes_bytes"] +
              mine["write_not_sent_bytes"] + mine["fua_write_not_sent_bytes"],
              stats["sectors_written"] * 512, "%s: bytes written == diskstats sectors" % name)
        equal((mine["bio_read_merges"], mine["bio_write_merges"]),
              (stats["reads_merged"], stats["writes_merged"]), "%s: merges == diskstats" % name)

    def check_qemu(self, name, flushes="exact"):
        """Requests and bytes as the virtual disk has them.

        flushes: "exact", "plus fua" (scsi-hd counts a FUA write as a write and a flush) or
        "uncounted" (QEMU's NVMe does not account flushes).
        """
        mine, disk = self.module_counts, self.disk_qemu
        equal(mine["read_ios"], disk["rd_operations"], "%s: reads == QEMU" % name)
        equal(mine["write_ios"] + mine["fua_write_ios"], disk["wr_operations"],
              "%s: write + fua_write == QEMU" % name)
        equal((mine["read_bytes"], mine["write_bytes"] + mine["fua_write_bytes"]),
              (disk["rd_bytes"], disk["wr_bytes"]), "%s: bytes == QEMU" % name)
        expected = {"exact": mine["flush_ios"], "uncounted": 0,
                    "plus fua": mine["flush_ios"] + mine["fua_write_ios"]}[flushes]
        equal(disk["flush_operations"], expected,
              "%s: flushes == QEMU (%s)" % (name, flushes))

    def check_ata(self, name):
        """Where the disk's time went, by the link's own clock."""
        check_time(self.ata, name)

    def check_quality(self, name):
        """Nothing lost, nothing doubled: each request once in its histograms too."""
        mine = self.module_counts
        if self.ata:
            self.check_ata(name)
        for counter in ("unmatched", "untracked", "clock_anomalies", "sequence_end_errors"):
            equal(mine[counter], 0, "%s: %s is 0" % (name, counter))
        ok(all(mine.get("hist_%s_1" % cls.lower(), 0) == mine["%s_ios" % cls.lower()]
               for cls in CLASSES), "%s: one device latency per request" % name, mine)
        ok(all(mine.get("hist_%s_0" % cls.lower(), 0) == mine["%s_ios" % cls.lower()]
               for cls in CLASSES if cls != "OTHER"),
           "%s: one queue latency per request, requeued ones too" % name, mine)
        equal(mine.get("hist_write_2", 0) + mine.get("hist_fua_write_2", 0),
              mine["sequence_end"], "%s: one durable latency per flush sequence" % name)
