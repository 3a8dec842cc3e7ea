# SPDX-License-Identifier: GPL-2.0-or-later
"""The NBD servers behind disks whose requests take known times: nbdkit with rig/timed_disk.py.

Used by tests/vm/run. A server ends with this process, however that ends.
"""

import os
import subprocess
import time

PLUGIN = os.path.join(os.path.dirname(os.path.realpath(__file__)), "timed_disk.py")
THREADS = 64		# more than the 32 commands that a SATA disk takes


class ServerError(Exception):
    """A server that did not start; its own words are in the file for errors."""


def _start(disk, folder, errors):
    ready = disk.socket(folder) + ".pid"
    server = subprocess.Popen(
        ["nbdkit", "--exit-with-parent", "--foreground", "--threads", str(THREADS),
         "--unix", disk.socket(folder), "--pidfile", ready, "python", PLUGIN,
         "file=" + disk.image(folder)] +
        ["%s=%.9f" % (kind, seconds) for kind, seconds in disk.times.items()],
        stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)
    while not os.path.exists(ready):	# written once it listens
        if server.poll() is not None:
            raise ServerError("nbdkit ended with status %d" % server.returncode)
        time.sleep(0.01)
    return server


def start(disks, folder, errors):
    """Start a server for each of the disks that needs one; what they say goes to `errors`."""
    return [_start(disk, folder, errors) for disk in disks if disk.times]


def end(servers):
    """End the servers and wait until they are gone."""
    for server in servers:
        server.kill()
        server.wait()
