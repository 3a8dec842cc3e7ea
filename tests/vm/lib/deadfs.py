# SPDX-License-Identifier: GPL-2.0-or-later
"""A file on a FUSE filesystem whose server answers no more once the file is open."""

import contextlib
import ctypes
import os
import signal
import struct

INIT, OPEN, ENOSYS = 26, 14, 38
FLAGS = "fd=%d,rootmode=0100000,user_id=0,group_id=0"


def _serve(device):
    """INIT is answered, and OPEN with "not needed"; then it only holds the device."""
    while True:
        request = os.read(device, 1 << 17)
        what, unique = struct.unpack("=IQ", request[4:16])
        if what == INIT:
            body = struct.pack("5I", 7, 12, 0, 0, 0) + struct.pack("I", 4096)
            os.write(device, struct.pack("IiQ", 16 + len(body), 0, unique) + body)
            continue
        os.write(device, struct.pack("IiQ", 16, -ENOSYS, unique))
        if what == OPEN:
            while True:
                signal.pause()


def _hold(path, ready):
    """The file stays open; closing it, and so starting a program, would wait for the server."""
    file = os.open(path, os.O_RDWR)
    os.write(ready, str(file).encode())
    while True:
        signal.pause()


@contextlib.contextmanager
def open_file(path):
    """A process that has the file open for writing, whose descriptor; its link leads to waiting."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open(path, "w", encoding="ascii"):
        pass
    device = os.open("/dev/fuse", os.O_RDWR)
    if libc.mount(b"dead", path.encode(), b"fuse", 0, (FLAGS % device).encode()):
        raise OSError(ctypes.get_errno(), "mount of FUSE")
    server = os.fork()
    if not server:
        _serve(device)
    os.close(device)
    told, ready = os.pipe()
    holder = os.fork()
    if not holder:
        _hold(path, ready)
    os.close(ready)
    try:
        yield holder, int(os.read(told, 16))
    finally:
        # The end of the server is an answer to all that wait.
        for process in server, holder:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        os.close(told)
        libc.umount2(path.encode(), 2)
        os.unlink(path)
