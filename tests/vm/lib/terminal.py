# SPDX-License-Identifier: GPL-2.0-or-later
"""fsbctl on a terminal of its own, with keys typed."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

from fsbtest import PATIENCE

LEAVE = b"\x1b[?1049l"	# what makes xterm show what was there before


class Terminal:
    """`fsbctl top ARGUMENTS` on a terminal of 80x24."""

    def __init__(self, *arguments, **environment):
        self.master, slave = pty.openpty()
        self.slave, self.before = slave, termios.tcgetattr(slave)
        self.resize(24, 80)
        self.seen = b""
        self.process = subprocess.Popen(
            ["fsbctl", "top"] + [str(word) for word in arguments], stdin=slave, stdout=slave,
            stderr=slave, start_new_session=True,
            env=dict(dict(os.environ, TERM="xterm"), **environment),
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def resize(self, rows, cols):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def watch(self, seconds):
        """What it writes in so many seconds."""
        until, part = time.monotonic() + seconds, b""
        while time.monotonic() < until:
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    part += os.read(self.master, 65536)
                except OSError:
                    break
        self.seen += part
        return part

    def type(self, keys, seconds=1.5):
        os.write(self.master, keys)
        return self.watch(seconds)

    def status(self, seconds=PATIENCE):
        """Its status, taking what it writes until it has ended."""
        until = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < until:
            self.watch(0.1)
        return self.process.wait(timeout=1)

    def ended(self):
        """Its status; whether the terminal is as it was."""
        status = self.status()
        self.watch(0.5)
        return status, termios.tcgetattr(self.slave) == self.before and LEAVE in self.seen

    def close(self):
        os.close(self.master)
        os.close(self.slave)
