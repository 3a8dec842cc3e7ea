# SPDX-License-Identifier: GPL-2.0-or-later
"""QEMU's monitor as seen from inside the guest.

Used by tests/vm/bin/qmp and by fsbtest. tests/vm/run answers at the other end of the port: it has
negotiated already and lets only answers through, no events.
"""

import fcntl
import json
import os

PORT = "/dev/virtio-ports/qmp"
LOCK = "/run/qmp.lock"


class Refused(Exception):
    """QEMU answered with an error."""


def _read_line(port):
    line = b""
    while not line.endswith(b"\n"):
        part = os.read(port, 65536)
        if not part:
            raise OSError("the monitor's port was closed")
        line += part
    return line


def execute(command):
    """Send the command, a dict as QMP wants it, and return what QEMU returns."""
    # the port can be open only once; the identity tells a late answer to somebody killed
    with open(LOCK, "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        identity = "%d-%s" % (os.getpid(), os.urandom(4).hex())
        port = os.open(PORT, os.O_RDWR)
        try:
            words = json.dumps(dict(command, id=identity)).encode() + b"\n"
            while words:
                words = words[os.write(port, words):]
            while True:
                for line in _read_line(port).splitlines():
                    answer = json.loads(line)
                    if answer.get("id") != identity:
                        continue
                    if "error" in answer:
                        raise Refused("%(class)s: %(desc)s" % answer["error"])
                    return answer["return"]
        finally:
            os.close(port)
