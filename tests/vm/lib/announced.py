# SPDX-License-Identifier: GPL-2.0-or-later
"""What the module announces, and the state of a drive's cache as readers are told it."""

import socket
import struct

import genl
from fsbtest import PATIENCE

CACHE = {genl.C["FSBSTAT_WRITE_CACHE_" + state]: state for state in ("UNKNOWN", "ON", "OFF")}


def events(module):
    """A socket that hears what the module announces."""
    listener = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, genl.NETLINK_GENERIC)
    listener.bind((0, 0))
    listener.setsockopt(genl.SOL_NETLINK, 1, module.groups["events"])
    listener.settimeout(PATIENCE)
    return listener


def heard(listener):
    """The next event: its name and what it says of the disk."""
    data = listener.recv(1 << 16)
    command = struct.unpack_from("=B", data, 16)[0]
    names = {value: name for name, value in genl.C.items() if name.startswith("FSBSTAT_CMD_DISK_")}
    nest = dict(genl.attributes(data[20:]))[genl.C["FSBSTAT_A_DISK"]]
    return names[command][len("FSBSTAT_CMD_"):], genl.Module.disk(nest)


def cache_of(module, device):
    """State of the drive's cache, and how many commands have changed settings."""
    entry = module.snapshot(device)["disk"]
    return CACHE[entry["write_cache"]], entry["settings"]
