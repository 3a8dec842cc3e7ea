# SPDX-License-Identifier: GPL-2.0-or-later
#
# genl: a reader of the module that shares no code with fsbctl: a netlink socket, attributes
# taken apart by hand, numbers of include/uapi/fsbstat*.h read from the headers themselves. Tests use it
# to look at single counters and to send what fsbctl never would.

import glob
import os
import re
import socket
import struct

HEADERS = os.path.join(os.environ.get("FSB_UAPI", "/fsb/include/uapi"), "fsbstat*.h")

NLM_F_REQUEST, NLM_F_ACK, NLM_F_DUMP = 1, 4, 0x300
NLMSG_ERROR, NLMSG_DONE = 2, 3
NLMSGERR_ATTR_MSG = 1
NETLINK_GENERIC, SOL_NETLINK, NETLINK_EXT_ACK = 16, 270, 11
GENL_ID_CTRL, CTRL_CMD_GETFAMILY = 16, 3
CTRL_ATTR_FAMILY_ID, CTRL_ATTR_FAMILY_NAME, CTRL_ATTR_MCAST_GROUPS = 1, 2, 7


def _constants():
    """Values of the enums and plain defines of the headers, by name."""
    text = re.sub(r"/\*.*?\*/", "", "".join(open(path).read() for path in glob.glob(HEADERS)),
                  flags=re.S)
    values = {}
    for name, number in re.findall(r"#define (FSBSTAT_\w+)\s+(\d+)U?\b", text):
        values[name] = int(number)
    for body in re.findall(r"enum \w+ \{(.*?)\}", text, flags=re.S):
        names = [n.strip() for n in body.split(",") if n.strip() and "=" not in n]
        values.update({name: i for i, name in enumerate(names)})
    return values


C = _constants()


class Refused(OSError):
    """The module answered with an error; .text is its extended ack."""

    def __init__(self, number, text):
        super().__init__(number, "%s (%s)" % (os.strerror(number), text))
        self.text = text


def attribute(kind, payload=b""):
    """One encoded attribute."""
    if isinstance(payload, int):
        payload = struct.pack("=I", payload)
    length = 4 + len(payload)
    return struct.pack("=HH", length, kind) + payload + b"\0" * (-length % 4)


def attributes(data):
    """(type, payload) of each attribute in data."""
    at = 0
    while at + 4 <= len(data):
        length, kind = struct.unpack_from("=HH", data, at)
        if length < 4:
            raise ValueError("attribute of %d bytes" % length)
        yield kind & 0x3FFF, data[at + 4:at + length]
        at += length + (-length % 4)


def u64s(payload):
    return list(struct.unpack("=%dQ" % (len(payload) // 8), payload))


def number(payload):
    return int.from_bytes(payload, "little")


def layer_bits(names):
    return sum(C["FSBSTAT_LAYER_" + name] for name in names)


class Module:
    """One socket to the module; references taken with add() end with close()."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC)
        self.socket.setsockopt(SOL_NETLINK, NETLINK_EXT_ACK, 1)
        self.socket.bind((0, 0))
        self.sequence = 0
        self.said = ""	# the extended ack of the last request, successful or not
        name = attribute(CTRL_ATTR_FAMILY_NAME, b"fsbstat\0")
        reply = self._exchange(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, name, NLM_F_ACK)
        found = dict(attributes(reply[0]))
        self.family = number(found[CTRL_ATTR_FAMILY_ID][:2])
        self.groups = {}
        for _, group in attributes(found.get(CTRL_ATTR_MCAST_GROUPS, b"")):
            parts = dict(attributes(group))
            self.groups[parts[1].rstrip(b"\0").decode()] = number(parts[2])

    def close(self):
        self.socket.close()

    def _send(self, family, command, payload, flags):
        self.sequence += 1
        body = struct.pack("=BBH", command, 1, 0) + payload
        head = struct.pack("=IHHII", 16 + len(body), family, NLM_F_REQUEST | flags,
                           self.sequence, 0)
        self.socket.send(head + body)

    def send(self, command, payload=b"", dump=False):
        """Sends FSBSTAT_CMD_<command> and reads no answer: the receive buffer fills."""
        head = attribute(C["FSBSTAT_A_ABI"], C["FSBSTAT_ABI"])
        self._send(self.family, C["FSBSTAT_CMD_" + command], head + payload,
                   NLM_F_DUMP if dump else 0)

    def _exchange(self, family, command, payload, flags):
        self._send(family, command, payload, flags)
        replies = []
        while True:
            data = self.socket.recv(1 << 18)
            at = 0
            while at + 16 <= len(data):
                length, kind, bits, sequence, _ = struct.unpack_from("=IHHII", data, at)
                message = data[at + 16:at + length]
                at += length + (-length % 4)
                if sequence != self.sequence:
                    continue
                if kind in (NLMSG_ERROR, NLMSG_DONE):
                    self._check(kind, bits, message)
                    return replies
                replies.append(message[4:])

    def _check(self, kind, bits, message):
        error = -struct.unpack_from("=i", message)[0]
        self.said = ""
        skip = 4
        if kind == NLMSG_ERROR:
            original = struct.unpack_from("=I", message, 4)[0]
            skip = 4 + (16 if bits & 0x100 or not error else original + (-original % 4))
        for which, payload in attributes(message[skip:]):
            if which == NLMSGERR_ATTR_MSG:
                self.said = payload.rstrip(b"\0").decode()
        if error:
            raise Refused(error, self.said)

    def call(self, command, payload=None, dump=False, abi=None):
        """Sends FSBSTAT_CMD_<command>; returns the replies' attributes undecoded."""
        head = attribute(C["FSBSTAT_A_ABI"], C["FSBSTAT_ABI"] if abi is None else abi)
        return self._exchange(self.family, C["FSBSTAT_CMD_" + command],
                              head + (payload or b""), NLM_F_DUMP if dump else NLM_F_ACK)

    @staticmethod
    def opened(descriptor, permanent=False, layers=None):
        """Attributes that hand an open disk over; layers by name, None: all."""
        return attribute(C["FSBSTAT_A_FD"], descriptor) + \
            (attribute(C["FSBSTAT_A_PERMANENT"]) if permanent else b"") + \
            (b"" if layers is None else attribute(C["FSBSTAT_A_LAYERS"], layer_bits(layers)))

    @staticmethod
    def where(dev, permanent=False):
        """Attributes that name a disk; dev is a path, (major, minor) or a number."""
        if isinstance(dev, str):
            dev = os.stat(dev).st_rdev
        if isinstance(dev, int):
            dev = (os.major(dev), os.minor(dev))
        payload = attribute(C["FSBSTAT_A_MAJOR"], dev[0]) + attribute(C["FSBSTAT_A_MINOR"], dev[1])
        return payload + (attribute(C["FSBSTAT_A_PERMANENT"]) if permanent else b"")

    @staticmethod
    def _nest(payload, prefix, strings=(), lists=()):
        """Attributes of a nest as {name in lower case: number or string}."""
        names = {v: k[len(prefix):].lower() for k, v in C.items()
                 if k.startswith(prefix) and not k.endswith(("_PAD", "_UNSPEC")) and
                 not (prefix == "FSBSTAT_A_FS_" and k.startswith("FSBSTAT_A_FS_ALL")) and
                 not (prefix == "FSBSTAT_A_ATA_" and k.startswith(("FSBSTAT_A_ATA_KIND_",
                                                                   "FSBSTAT_A_ATA_HIST")))}
        values = {}
        for kind, data in attributes(payload):
            name = names.get(kind)
            if name is None:
                continue
            if name in strings:
                values[name] = data.rstrip(b"\0").decode()
            elif name in lists:
                values.setdefault(name, []).append(data)
            else:
                values[name] = number(data)
        return values

    @classmethod
    def disk(cls, payload):
        return cls._nest(payload, "FSBSTAT_A_DISK_", strings=("name",))

    def add(self, path, permanent=False, layers=None):
        """Watches the disk of a node; layers: REQUEST, BIO, DRIVE, FS, None for all."""
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            reply = self.call("DISK_ADD", self.opened(descriptor, permanent, layers))
        finally:
            os.close(descriptor)
        return self.disk(dict(attributes(reply[0]))[C["FSBSTAT_A_DISK"]])

    def delete(self, dev, permanent=False):
        self.call("DISK_DEL", self.where(dev, permanent))

    def set(self, dev, write_cache):
        """Tells the state of the drive's cache: UNKNOWN, ON or OFF."""
        value = struct.pack("=B", C["FSBSTAT_WRITE_CACHE_" + write_cache])
        self.call("DISK_SET", self.where(dev) + attribute(C["FSBSTAT_A_WRITE_CACHE"], value))

    def disks(self):
        return [self.disk(dict(attributes(reply))[C["FSBSTAT_A_DISK"]])
                for reply in self.call("DISK_GET", dump=True)]

    def module(self):
        reply = dict(attributes(self.call("MODULE_GET")[0]))[C["FSBSTAT_A_MODULE"]]
        info = self._nest(reply, "FSBSTAT_A_MODULE_", strings=("version",), lists=("hook",))
        info["hooks"] = {}
        for hook in info.pop("hook", []):
            parts = self._nest(hook, "FSBSTAT_A_HOOK_", strings=("name",))
            info["hooks"][parts["name"]] = parts["state"]
        return info

    def snapshot(self, dev):
        """{disk, bio, queues: [{..., classes: {id: {...}}, depth_ns: [...], hists: {...}}],
        ata: None or {..., time_ns: [...], kinds: {id: {...}}, hists: {kind: {...}}},
        unflushed: {..., hists: {kind: {...}}}}"""
        snap = {"disk": None, "bio": None, "queues": {}, "ata": None, "unflushed": None}
        for reply in self.call("SNAPSHOT_GET", self.where(dev), dump=True):
            for kind, payload in attributes(reply):
                self._put(snap, kind, payload)
        snap["queues"] = [snap["queues"][i] for i in sorted(snap["queues"])]
        return snap

    def owners(self, dev):
        """(sum, other, {(tgid or None, comm, "major:minor"): bio counts}) of a disk's bios."""
        total, other, rows = None, None, {}
        for reply in self.call("OWNERS_GET", self.where(dev), dump=True):
            for kind, payload in attributes(reply):
                if kind == C["FSBSTAT_A_BIO"]:
                    total = self._nest(payload, "FSBSTAT_A_BIO_")
                if kind != C["FSBSTAT_A_OWNER"]:
                    continue
                owner = self._nest(payload, "FSBSTAT_A_OWNER_", ("comm",), ("bio",))
                bio = self._nest(owner["bio"][0], "FSBSTAT_A_BIO_")
                if "other" in owner:
                    other = bio
                    continue
                key = (owner.get("tgid"), owner["comm"], "%(major)d:%(minor)d" % owner)
                if key in rows:
                    raise ValueError("owner twice: %r" % (key,))
                rows[key] = bio
        return total, other, rows

    def callers(self):
        """(sum, other, {(tgid or None, comm, "major:minor"): calls of fsync})"""
        total, other, rows = None, None, {}
        for reply in self.call("CALLERS_GET", dump=True):
            for kind, payload in attributes(reply):
                if kind != C["FSBSTAT_A_OWNER"]:
                    continue
                owner = self._nest(payload, "FSBSTAT_A_OWNER_", ("comm",))
                if "other" in owner:
                    other = owner["fsyncs"]
                elif "comm" not in owner:
                    total = owner["fsyncs"]
                else:
                    key = (owner.get("tgid"), owner["comm"], "%(major)d:%(minor)d" % owner)
                    if key in rows:
                        raise ValueError("caller twice: %r" % (key,))
                    rows[key] = owner["fsyncs"]
        return total, other, rows

    def filesystems(self):
        """({missed, lost}, {("major:minor", type): {fsyncs, errors, commits, latency}})"""
        everything, rows = None, {}
        for reply in self.call("FS_GET", dump=True):
            for kind, payload in attributes(reply):
                if kind == C["FSBSTAT_A_FS_ALL"]:
                    everything = self._nest(payload, "FSBSTAT_A_FS_ALL_")
                elif kind == C["FSBSTAT_A_FS"]:
                    row = self._nest(payload, "FSBSTAT_A_FS_", ("type",), ("latency",))
                    row["latency"] = self._hist(row["latency"][0])
                    key = "%d:%d" % (row.pop("major"), row.pop("minor")), row.pop("type")
                    if key in rows:
                        raise ValueError("filesystem twice: %r" % (key,))
                    rows[key] = row
        return everything, rows

    def _put(self, snap, kind, payload):
        if kind == C["FSBSTAT_A_DISK"]:
            snap["disk"] = self.disk(payload)
        elif kind == C["FSBSTAT_A_BIO"]:
            snap["bio"] = self._nest(payload, "FSBSTAT_A_BIO_")
        elif kind == C["FSBSTAT_A_QUEUE"]:
            queue = self._nest(payload, "FSBSTAT_A_QUEUE_", lists=("class",))
            queue["classes"] = {}
            for nest in queue.pop("class"):
                counts = self._nest(nest, "FSBSTAT_A_CLASS_")
                queue["classes"][counts["class"]] = counts
            queue.update(depth_ns=[], hists={})
            snap["queues"][queue["index"]] = queue
        elif kind == C["FSBSTAT_A_DEPTH"]:
            parts = dict(attributes(payload))
            queue = snap["queues"][number(parts[C["FSBSTAT_A_DEPTH_QUEUE"]])]
            if number(parts[C["FSBSTAT_A_DEPTH_FIRST"]]) != len(queue["depth_ns"]):
                raise ValueError("depth values out of order")
            queue["depth_ns"] += u64s(parts[C["FSBSTAT_A_DEPTH_VALUES"]])
        elif kind == C["FSBSTAT_A_HIST"]:
            hist = self._hist(payload)
            snap["queues"][hist["queue"]]["hists"][hist["class"], hist["kind"]] = hist
        elif kind == C["FSBSTAT_A_ATA"]:
            snap["ata"] = self._ata(payload)
        elif kind == C["FSBSTAT_A_ATA_HIST"]:
            hist = self._hist(payload)
            snap["ata"]["hists"][hist["kind"]] = hist
        elif kind == C["FSBSTAT_A_UNFLUSHED"]:
            snap["unflushed"] = dict(self._nest(payload, "FSBSTAT_A_UNFLUSHED_"), hists={})
        elif kind == C["FSBSTAT_A_UNFLUSHED_HIST"]:
            hist = self._hist(payload)
            snap["unflushed"]["hists"][hist["kind"]] = hist

    def _ata(self, payload):
        ata = self._nest(payload, "FSBSTAT_A_ATA_", lists=("kind", "time_ns"))
        ata["time_ns"] = u64s(ata["time_ns"][0])
        ata["hists"], ata["kinds"] = {}, {}
        for nest in ata.pop("kind"):
            counts = self._nest(nest, "FSBSTAT_A_ATA_KIND_")
            ata["kinds"][counts["kind"]] = counts
        return ata

    def _hist(self, payload):
        hist = self._nest(payload, "FSBSTAT_A_HIST_", lists=("run",))
        buckets = {}
        for run in hist.pop("run", []):
            parts = dict(attributes(run))
            first = number(parts[C["FSBSTAT_A_RUN_FIRST"]])
            for i, value in enumerate(u64s(parts[C["FSBSTAT_A_RUN_VALUES"]])):
                buckets[first + i] = value
        hist["buckets"] = buckets
        return hist


def total(snap, name, cls=None):
    """Sum over the queues of a scalar, or of a class's when cls (READ, ...) is named."""
    if cls is None:
        return sum(queue[name] for queue in snap["queues"])
    return sum(queue["classes"][C["FSBSTAT_CLASS_" + cls]][name] for queue in snap["queues"])
