# SPDX-License-Identifier: GPL-2.0-or-later
"""An nbdkit plugin: a file whose reads, writes and flushes each take at least a known time.

Started by rig/server.py as `nbdkit python timed_disk.py file=PATH [read=SEC] [write=SEC]
[flush=SEC]`. Requests wait beside each other, as many as nbdkit has threads: a time is that of one
request, not a limit of how many there are in a second. What is written stays in the host's page
cache; the image goes with the run.
"""

import os
import time

API_VERSION = 2
DELAYS = {"read": 0.0, "write": 0.0, "flush": 0.0}
IMAGE = {}


def config(key, value):
    if key == "file":
        IMAGE["fd"] = os.open(value, os.O_RDWR)
    elif key in DELAYS:
        DELAYS[key] = float(value)
    else:
        raise RuntimeError("%s: not known" % key)


def config_complete():
    if "fd" not in IMAGE:
        raise RuntimeError("file=PATH is missing")


def thread_model():
    import nbdkit	# there is such a module only inside nbdkit
    return nbdkit.THREAD_MODEL_PARALLEL


def open(_readonly):
    return IMAGE["fd"]


def get_size(image):
    return os.fstat(image).st_size


def can_write(_image):
    return True


def can_flush(_image):
    return True


def can_multi_conn(_image):
    return True


def pread(image, buf, offset, _flags):
    time.sleep(DELAYS["read"])
    data = os.pread(image, len(buf), offset)
    buf[:len(data)] = data


def pwrite(image, buf, offset, _flags):
    time.sleep(DELAYS["write"])
    os.pwrite(image, buf, offset)


def flush(_image, _flags):
    time.sleep(DELAYS["flush"])
