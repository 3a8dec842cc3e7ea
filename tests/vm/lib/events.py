# SPDX-License-Identifier: GPL-2.0-or-later
"""The module's trace events, for the tests in tests/vm/t: by tracefs, and counted by perf.

Both are listeners of their own: what one sees says nothing of the other.
"""

import ctypes
import glob
import os
import re
import struct

import fsbtest

TRACEFS = "/sys/kernel/tracing"
EVENTS = ("request", "drain")
# "  dd-77 [001] d..1. 12.345678: request: 8,0 read sector 0 bytes 4096 ..."
LINE = re.compile(r": (request|drain): (\d+),(\d+) (\w+) (.*)")
PERF_TYPE_TRACEPOINT = 2
SYS_PERF_EVENT_OPEN = 298	# x86-64


def mount():
    """Makes tracefs visible."""
    if not os.path.ismount(TRACEFS):
        fsbtest.run(["mount", "-t", "tracefs", "tracefs", TRACEFS])


class Tracefs:
    """Both events in a trace of its own, from the making until stop()."""

    def __init__(self, kilobytes=16384):
        mount()
        self.place = TRACEFS + "/instances/fsb"
        os.mkdir(self.place)
        fsbtest.write(self.place + "/buffer_size_kb", kilobytes)
        self.enable(1)

    def enable(self, on):
        fsbtest.write(self.place + "/events/fsbstat/enable", on)

    def read(self):
        """[(event, (major, minor), kind, {field: number})], in the order they came."""
        with open(self.place + "/trace", encoding="ascii") as file:
            found = [LINE.search(line) for line in file if not line.startswith("#")]
        if None in found:
            raise ValueError("a line that is no event of the module")
        return [(match[1], (int(match[2]), int(match[3])), match[4], self._fields(match[5]))
                for match in found]

    @staticmethod
    def _fields(text):
        words = text.split()
        return {key: float(value) if "." in value else int(value)
                for key, value in zip(words[::2], words[1::2])}

    def lost(self):
        """Events that the buffers had no room for."""
        return sum(int(number) for path in glob.glob(self.place + "/per_cpu/cpu*/stats")
                   for number in re.findall(r"(?:overrun|dropped events): (\d+)",
                                            fsbtest.read(path)))

    def clear(self):
        fsbtest.write(self.place + "/trace", "")

    def stop(self):
        self.enable(0)
        os.rmdir(self.place)


class Perf:
    """Counts one event by perf, on all CPUs, until close()."""

    def __init__(self, event):
        mount()
        number = int(fsbtest.read("%s/events/fsbstat/%s/id" % (TRACEFS, event)))
        attribute = struct.pack("=IIQ", PERF_TYPE_TRACEPOINT, 128, number).ljust(128, b"\0")
        libc = ctypes.CDLL(None, use_errno=True)
        self.counters = []
        for cpu in range(os.cpu_count()):
            counter = libc.syscall(SYS_PERF_EVENT_OPEN, attribute, -1, cpu, -1, 0)
            if counter < 0:
                raise OSError(ctypes.get_errno(), "perf_event_open")
            self.counters.append(counter)

    def count(self):
        return sum(struct.unpack("=Q", os.read(counter, 8))[0] for counter in self.counters)

    def close(self):
        for counter in self.counters:
            os.close(counter)
