# SPDX-License-Identifier: GPL-2.0-or-later
"""One QEMU with one guest in it: started, listened to, ended.

Used by tests/vm/run. QEMU connects to sockets in the run's folder, one a virtio-serial port of
the guest (stdout, stderr, status, qmp) and one for its own monitor; between the guest's qmp port
and the monitor this process carries the words.
"""

import ctypes
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time

PORTS = ("stdout", "stderr", "status", "qmp")
PR_SET_PDEATHSIG = 1
BOOT_LIMIT = 600	# seconds until the command has begun
AFTER_STATUS = 10	# seconds in which QEMU must have ended


def processor_time(pid):
    """Seconds of processor time, user and system, that a process has used so far."""
    with open("/proc/%d/stat" % pid, encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _die_with_parent():
    # A new process group keeps a Ctrl-C of the terminal from reaching QEMU before us.
    os.setpgid(0, 0)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


class Machine:
    """QEMU and what came out of it: .status (int or None), .faults, .up and .up_used (s until the
    command began, and of processor time until then)."""

    def __init__(self, folder):
        self.folder = folder
        self.status = None
        self.faults = []
        self.up = self.up_used = None
        self.qemu = None
        self.events = selectors.DefaultSelector()
        self.listeners = {}
        self.streams = {}
        self.lines = {"status": b"", "qmp": b"", "monitor": b""}
        for name in PORTS + ("monitor",):
            self._listen(name)

    def _path(self, name):
        return os.path.join(self.folder, name)

    def _listen(self, name):
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(self._path(name))
        listener.listen(1)
        self.listeners[name] = listener

    def arguments(self):
        """QEMU's arguments for the ports and the monitor."""
        words = ["-device", "virtio-serial-pci"]
        for name in PORTS:
            words += ["-chardev", "socket,id=%s,path=%s" % (name, self._path(name)),
                      "-device", "virtserialport,chardev=%s,name=%s" % (name, name)]
        return words + ["-chardev", "socket,id=monitor,path=" + self._path("monitor"),
                        "-mon", "chardev=monitor,mode=control"]

    def start(self, command, errors):
        """Start QEMU, its own words going to the file `errors`. True once all its files are open
        and it is about to run the guest; False if it gave up before."""
        self.began = time.monotonic()
        self.qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=errors,
                                     stderr=errors, preexec_fn=_die_with_parent)
        for name, listener in self.listeners.items():
            listener.settimeout(0.2)
            while name not in self.streams:
                try:
                    self.streams[name] = listener.accept()[0]
                except socket.timeout:
                    if self.qemu.poll() is not None:
                        return False
            listener.close()
            os.unlink(self._path(name))
            self.events.register(self.streams[name], selectors.EVENT_READ, name)
        try:
            self._negotiate()
        except ConnectionError:
            return False
        return True

    def _negotiate(self):
        # answered by QEMU's main loop, which runs when all devices are made
        self.streams["monitor"].sendall(b'{"execute": "qmp_capabilities"}\n')
        words = b""
        while b'"return"' not in words:
            part = self.streams["monitor"].recv(65536)
            if not part:
                raise ConnectionError("QEMU gave up")
            words += part

    def follow(self, silence, overall):
        """Carry words until QEMU is gone. None, or why the guest is to be ended before that: it did
        not come up, then had no word for us for `silence` s, or took `overall` s in all. What it
        says is its progress, so that a machine busy with other things ends no test that goes on."""
        spoke = self.began
        while self.events.get_map():
            if self.status is not None:
                end, why = self.status_at + AFTER_STATUS, None
            elif self.up is None:
                end, why = self.began + BOOT_LIMIT, "not up after %g s" % BOOT_LIMIT
            else:
                end, why = min((spoke + silence, "no output for %g s (--timeout)" % silence),
                               (self.began + self.up + overall,
                                "still at work after %g s (--overall)" % overall))
            left = end - time.monotonic()
            if left <= 0:
                return why
            for key, _ in self.events.select(left):
                try:
                    data = key.fileobj.recv(65536)
                except ConnectionError:
                    data = b""
                if not data:
                    self.events.unregister(key.fileobj)
                    continue
                if key.data != "monitor":	# what QEMU says unasked is no progress of the guest's
                    spoke = time.monotonic()
                self._take(key.data, data)
        return None

    def _take(self, name, data):
        if name in ("stdout", "stderr"):
            stream = getattr(sys, name).buffer
            stream.write(data)
            stream.flush()
            return
        *lines, self.lines[name] = (self.lines[name] + data).split(b"\n")
        for line in lines:
            {"status": self._status, "qmp": self._to_monitor, "monitor": self._to_guest}[name](line)

    def _status(self, line):
        word, _, rest = line.decode(errors="replace").partition(" ")
        if word == "up":
            self.up = time.monotonic() - self.began
            self.up_used = processor_time(self.qemu.pid)
        elif word == "fault":
            self.faults.append(rest)
        elif word == "status" and rest.isdigit():
            self.status = int(rest)
            self.status_at = time.monotonic()
            self._to_monitor(b'{"execute": "quit"}')	# sooner than the guest switches itself off
        else:
            self.faults.append("the guest reported nonsense: %r" % line)

    def _to_monitor(self, line):
        try:
            self.streams["monitor"].sendall(line + b"\n")
        except ConnectionError:
            pass	# QEMU is going; follow() will see it

    def _to_guest(self, line):
        # events would fill the port while nobody in the guest reads
        if "id" in json.loads(line):
            try:
                self.streams["qmp"].sendall(line + b"\n")
            except ConnectionError:
                pass	# as above

    def end(self):
        """Make sure that QEMU is gone; return its exit status."""
        if self.qemu is None:
            return None
        if self.qemu.poll() is None:
            self.qemu.kill()
        return self.qemu.wait()
