# SPDX-License-Identifier: GPL-2.0-or-later
"""Disks of a guest: from `--disk SPEC` to QEMU's arguments.

Used by tests/vm/run. A SPEC is TRANSPORT[,KEY=VALUE|KEY]...; the disk of the N-th --disk has the
serial number fsbN, which is also its block backend's name in QMP; its device is called dev-fsbN.
"""

import os
import re

TRANSPORTS = ("sata", "nvme", "scsi", "virtio")
SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
SUFFIX = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
SATA_PORTS = 6		# of the AHCI controller that is part of the q35 board


class BadSpec(Exception):
    """A SPEC that makes no sense, with the reason."""


class Disk:
    """One disk as asked for; the values are checked."""

    def __init__(self, spec, number):
        self.serial = "fsb%d" % number
        self.number = number
        self.spec = spec
        self.size = 1 << 30
        self.iops = None
        self.write_cache = True
        self.latency_ns = None
        self.blkdebug = None
        self.discard = False
        self.dpofua = False
        self.times = {}		# seconds each read, write and flush takes at least
        words = spec.split(",")
        self.transport = words[0]
        if self.transport not in TRANSPORTS:
            raise BadSpec("%s: transport is one of %s" % (spec, ", ".join(TRANSPORTS)))
        for word in words[1:]:
            self._set(*word.partition("=")[::2])
        self._check()

    def _set(self, key, value):
        if key == "size":
            self.size = self._bytes(value)
        elif key in ("iops", "latency"):
            if not re.fullmatch("[1-9][0-9]*", value):
                raise BadSpec("%s: %s takes a whole number" % (self.spec, key))
            setattr(self, "iops" if key == "iops" else "latency_ns", int(value))
        elif key in ("read", "write", "flush"):
            self.times[key] = self._seconds(value)
        elif key == "wce" and value in ("on", "off"):
            self.write_cache = value == "on"
        elif key == "blkdebug" and value:
            self.blkdebug = os.path.abspath(value)
        elif key in ("discard", "dpofua") and not value:
            setattr(self, key, True)
        else:
            raise BadSpec("%s: %s: not known, or a wrong value" % (self.spec, key))

    def _bytes(self, value):
        match = re.fullmatch("([1-9][0-9]*)([KMGT]?)", value)
        if not match:
            raise BadSpec("%s: size is a number with K, M, G or T" % self.spec)
        return int(match.group(1)) * SUFFIX[match.group(2)]

    def _seconds(self, value):
        match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(us|ms|s)", value)
        if not match:
            raise BadSpec("%s: a time is a number with us, ms or s" % self.spec)
        return float(match.group(1)) * SECONDS[match.group(2)]

    def _check(self):
        if self.latency_ns and self.blkdebug:
            raise BadSpec("%s: latency has no storage that blkdebug could sit on" % self.spec)
        if self.latency_ns and self.times:
            raise BadSpec("%s: latency is the time of every request already" % self.spec)
        if self.times and self.discard:
            raise BadSpec("%s: a disk with times of its own has no discard" % self.spec)
        if self.dpofua and self.transport != "scsi":
            raise BadSpec("%s: dpofua is for scsi" % self.spec)
        if not self.write_cache and self.transport == "nvme":
            raise BadSpec("%s: QEMU's nvme cannot start with its cache off" % self.spec)
        if self.blkdebug and not os.access(self.blkdebug, os.R_OK):
            raise BadSpec("%s: %s: cannot be read" % (self.spec, self.blkdebug))

    def image(self, folder):
        """Path of the file behind the disk."""
        return os.path.join(folder, self.serial + ".img")

    def socket(self, folder):
        """Path of the socket of the disk's server, if it has one (rig/server.py)."""
        return os.path.join(folder, self.serial + ".nbd")

    def make_image(self, folder):
        """Make the sparse file behind the disk; return its path, None if it has none."""
        if self.latency_ns:
            return None
        with open(self.image(folder), "wb") as image:
            image.truncate(self.size)
        return self.image(folder)

    def _storage(self, node, folder):
        """QEMU's words for what the bytes lie in; `node` is the place of it in -drive."""
        if self.times:
            return [node + ".driver=nbd", node + ".server.type=unix",
                    node + ".server.path=" + self.socket(folder)]
        return [node + ".driver=file", node + ".filename=" + self.image(folder)]

    def drive(self, folder):
        """The value of QEMU's -drive."""
        words = ["if=none", "id=" + self.serial, "driver=raw", "werror=report", "rerror=report",
                 "cache=writeback", "discard=" + ("unmap" if self.discard else "ignore")]
        if self.latency_ns:
            words += ["file.driver=null-co", "file.read-zeroes=on", "file.size=%d" % self.size,
                      "file.latency-ns=%d" % self.latency_ns]
        elif self.blkdebug:
            words += ["file.driver=blkdebug", "file.config=" + self.blkdebug]
            words += self._storage("file.image", folder)
        else:
            words += self._storage("file", folder)
        if self.iops:
            words.append("throttling.iops-total=%d" % self.iops)
        return ",".join(words)

    def device(self):
        """The values of QEMU's -device that make the disk, controllers of its own first."""
        own = "id=dev-%s,drive=%s,serial=%s" % (self.serial, self.serial, self.serial)
        cache = "" if self.write_cache else ",write-cache=off"
        port = "pcie-root-port,id=port%d,chassis=%d,slot=%d" % ((self.number,) * 3)
        if self.transport == "sata":
            return ["ide-hd,bus=ide.%d,%s%s" % (self.port, own, cache)]
        if self.transport == "scsi":
            fua = ",dpofua=on" if self.dpofua else ""
            return ["scsi-hd,bus=scsi.0,%s%s%s" % (own, cache, fua)]
        name = {"nvme": "nvme", "virtio": "virtio-blk-pci"}[self.transport]
        return [port, "%s,bus=port%d,%s%s" % (name, self.number, own, cache)]


def parse(specs):
    """All --disk arguments, in order, as disks."""
    disks = [Disk(spec, number) for number, spec in enumerate(specs)]
    sata = [disk for disk in disks if disk.transport == "sata"]
    if len(sata) > SATA_PORTS:
        raise BadSpec("%d sata disks: the board has %d ports" % (len(sata), SATA_PORTS))
    for port, disk in enumerate(sata):
        disk.port = port
    return disks


def modules(disks):
    """Names of the kernel modules that the guest needs to see the disks."""
    need = {"sata": ["ahci", "sd_mod"], "scsi": ["virtio_scsi", "sd_mod"], "nvme": ["nvme"],
            "virtio": ["virtio_blk"]}
    return sorted({name for disk in disks for name in need[disk.transport]})


def arguments(disks, folder):
    """QEMU's arguments for the disks, and the image files made in the folder."""
    words, images = [], []
    if any(disk.transport == "scsi" for disk in disks):
        words += ["-device", "virtio-scsi-pci,id=scsi"]
    for disk in disks:
        path = disk.make_image(folder)
        if path:
            images.append(path)
        words += ["-drive", disk.drive(folder)]
        for device in disk.device():
            words += ["-device", device]
    return words, images
