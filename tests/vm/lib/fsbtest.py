# SPDX-License-Identifier: GPL-2.0-or-later
"""For the tests in tests/vm/t that are written in Python; they run in the guest.

A test prints one line a case through ok() and skip() and ends with done().
"""

import json
import os
import subprocess
import sys
import tempfile
import time

import monitor

# The fields of /sys/block/DISK/stat in their order (5.5 and later).
STAT_FIELDS = ("reads", "reads_merged", "sectors_read", "read_ms",
               "writes", "writes_merged", "sectors_written", "write_ms",
               "in_flight", "io_ms", "weighted_ms",
               "discards", "discards_merged", "sectors_discarded", "discard_ms",
               "flushes", "flush_ms")

# Seconds to wait for what must come. No measure of anything: it only decides when a test says what
# it has waited for in vain, sooner than tests/vm/run ends a silent guest (--timeout).
PATIENCE = 300
DEBUG_KERNEL = os.environ.get("FSB_KERNEL") == "debug"	# some ten times slower: scale loads down

_lines = []
_failed = []


def _say(line):
    _lines.append(line)
    print(line.replace("\n", " "), flush=True)


def note(text):
    """Say something that is shown if the test fails."""
    print("# " + str(text).replace("\n", "\n# "), flush=True)


def ok(condition, text, detail=None):
    """One case; `detail` is shown when it fails. Returns the condition as a bool."""
    if not condition:
        _failed.append(text)
        if detail is not None:
            note(detail)
    _say(("ok - " if condition else "not ok - ") + text)
    return bool(condition)


def equal(got, expected, text):
    """One case: two values are the same; a failure shows both."""
    return ok(got == expected, text, "got %r, expected %r" % (got, expected))


def skip(text, reason):
    """One case that cannot be tested here."""
    _say("skip - %s: %s" % (text, reason))


def done():
    """The end of the test; without it the test has failed."""
    print("1..%d" % len(_lines), flush=True)
    sys.exit(1 if _failed else 0)


def run(command, check=True, **options):
    """Run a command (a list, or a string for the shell) and return its CompletedProcess.

    Output is captured as text. With `check` a status other than 0 ends the test, output shown.
    """
    result = subprocess.run(command, shell=isinstance(command, str), stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            universal_newlines=True, check=False, **options)
    if check and result.returncode:
        raise RuntimeError("%s: status %d\n%s%s" % (command, result.returncode, result.stdout,
                                                    result.stderr))
    return result


def unload(module="fsbstat"):
    """Unload a module that a process may be asking at this moment: it is in use while it answers.

    A reader leaves pauses in which the module is idle; one of them comes, on a busy machine later.
    """
    end = time.monotonic() + PATIENCE
    while True:
        result = run(["rmmod", module], check=False)
        if not result.returncode:
            return
        if "in use" not in result.stderr or time.monotonic() > end:
            raise RuntimeError("rmmod %s: %s" % (module, result.stderr))
        time.sleep(0.01)


def write(path, text):
    """Write to a file of sysfs or procfs."""
    with open(path, "w", encoding="ascii") as file:
        file.write(str(text))


def read(path):
    """Read a file of sysfs or procfs, without white space at its ends."""
    with open(path, encoding="ascii") as file:
        return file.read().strip()


def disk(number):
    """The node of the disk of the number-th --disk, like /dev/sda."""
    return os.environ["FSB_DISK%d" % number]


def name_of(device):
    """Kernel name of a disk: /dev/sda -> sda."""
    return os.path.basename(os.path.realpath(device))


def diskstats(device):
    """The kernel's counters of the disk, by the names of STAT_FIELDS."""
    values = read("/sys/block/%s/stat" % name_of(device)).split()
    return dict(zip(STAT_FIELDS, map(int, values)))


def qmp(command, **arguments):
    """Send a QMP command, like qmp("block_set_io_throttle", id="dev-fsb0", ...)."""
    words = {"execute": command}
    if arguments:
        words["arguments"] = arguments
    return monitor.execute(words)


def serial_of(device):
    """Serial number, which is QEMU's name too, of a disk of the rig: its number, name or node."""
    if isinstance(device, int):
        return "fsb%d" % device
    if device.startswith("fsb"):
        return device
    number = 0
    while "FSB_DISK%d" % number in os.environ:
        if name_of(disk(number)) == name_of(device):
            return "fsb%d" % number
        number += 1
    raise KeyError("%s: not a disk of the rig" % device)


def blockstats(device):
    """QEMU's own accounting of the disk: rd_operations, wr_bytes, flush_operations, ..."""
    serial = serial_of(device)
    for entry in qmp("query-blockstats"):
        if entry.get("device") == serial:
            return entry["stats"]
    raise KeyError("%s: QEMU has no such disk" % serial)


def delta(after, before):
    """Difference of two dicts of counters, for the keys that are numbers in both."""
    return {key: after[key] - before[key] for key in before
            if isinstance(before[key], int) and key in after}


def settle(device, seconds=PATIENCE):
    """Write what is dirty and wait until the disk has had nothing to do twice in a row."""
    os.sync()
    name = name_of(device)
    quiet = 0
    end = time.monotonic() + seconds
    while quiet < 2:
        if time.monotonic() > end:
            raise RuntimeError("%s: still busy after %d s" % (name, seconds))
        idle = read("/sys/block/%s/inflight" % name).split() == ["0", "0"]
        quiet = quiet + 1 if idle else 0
        time.sleep(0.05)


def fsbctl(*arguments, **options):
    """Run fsbctl; the arguments may be numbers. Returns the CompletedProcess, never raises."""
    return run(["fsbctl"] + [str(word) for word in arguments], check=False, **options)


def record(device, command=None, options=()):
    """`fsbctl record DEVICE OPTIONS --json -o FILE -- COMMAND`, as the parsed document.

    A string as command is run by a shell. A status other than 0 ends the test.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "record.json")
        words = ["record", device, *options, "--json", "-o", path]
        if command is not None:
            words += ["--"] + (["sh", "-c", command] if isinstance(command, str)
                               else list(command))
        result = fsbctl(*words)
        if result.returncode:
            raise RuntimeError("fsbctl %s: status %d\n%s%s" % (
                " ".join(map(str, words)), result.returncode, result.stdout, result.stderr))
        with open(path, encoding="utf-8") as file:
            return json.load(file)
