# SPDX-License-Identifier: GPL-2.0-or-later
"""What a process may learn: functions run in a child that has less of something."""

import ctypes
import os

import genl

CLONE_NEWPID = 0x20000000


def _child(prepare, function):
    """What function(genl.Module()) returned in a child after prepare(), or "errno N"."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        prepare()
        inner = os.fork()	# the first that is in a new pid namespace
        if inner:
            os._exit(os.waitpid(inner, 0)[1] >> 8)
        try:
            text = str(function(genl.Module()))
        except genl.Refused as refused:
            text = "errno %d" % refused.errno
        os.write(writer, text.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as file:
        text = file.read()
    os.waitpid(pid, 0)
    return text


def unprivileged(function):
    """As a user without privileges."""
    def drop():
        os.setgid(65534)
        os.setuid(65534)
    return _child(drop, function)


def in_pid_namespace(function):
    """As root in a pid namespace of its own."""
    def enter():
        if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWPID):
            raise OSError(ctypes.get_errno(), "unshare")
    return _child(enter, function)
