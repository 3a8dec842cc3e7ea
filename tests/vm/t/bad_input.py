# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=256M
# cost: 15
"""Bad input: one clear line and perhaps a hint, the right status, nothing changed or run."""

import os
import re
import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
from fsbtest import disk, done, equal, fsbctl, name_of, ok, run  # noqa: E402

DISK = disk(0)
RAN = "/tmp/ran"
TOUCH = ["--", "touch", RAN]
USAGE, FSBCTL, NOT_EXECUTABLE, NOT_FOUND = 2, 125, 126, 127


def refused(arguments, status, pattern, **options):
    """fsbctl ends with the status and says one line that matches, and at most a hint below it."""
    text = "fsbctl " + " ".join(arguments)
    result = fsbctl(*arguments, **options)
    lines = result.stderr.splitlines()
    ok(result.returncode == status and lines and re.match("fsbctl: .*(?:%s)" % pattern, lines[0]) and
       len([line for line in lines if line.startswith("fsbctl: ")]) == 1 and
       len(lines) <= 4, "%s: status %d, %s" % (text, status, pattern),
       "status %d\n%s" % (result.returncode, result.stderr))
    ok(not result.stdout, "%s: stdout is empty" % text, result.stdout)
    ok(not os.path.exists(RAN), "%s: the command was not run" % text)


def disks():
    open("/tmp/plain", "w").close()
    for name, pattern in (("nosuch", "no such disk"), ("/dev/nosuch", "no such|No such"),
                          ("/dev/null", "not a block device"), ("1:3", "no block device has"),
                          ("999:999", "no block device has"), ("/proc", "no disk"),
                          ("/tmp/missing", "no such disk"), ("", "empty"),
                          ("sda/../../x", "no such|No such")):
        refused(["record", name] + TOUCH, FSBCTL, pattern)
    refused(["watch", "nosuch"], FSBCTL, "no such disk")
    refused(["unwatch", name_of(DISK)], FSBCTL, "not being watched")


def options():
    refused(["record"], USAGE, "no disk named")
    refused(["record", DISK, "sdb"] + TOUCH, USAGE, "one disk only")
    refused(["record", DISK, "--"], USAGE, "no command")
    for option in ("-w", "-I"):
        for value in ("0", "-1", "abc", "1x", "", "nan", "inf", "1e99"):
            refused(["record", DISK, option, value] + TOUCH, USAGE, "is not a time")
    for value in ("0", "-3", "x", "", "1.5"):
        refused(["record", DISK, "-r", value] + TOUCH, USAGE, "is no number")
    refused(["record", DISK, "--jsno"] + TOUCH, USAGE, "--jsno")
    ok("--json" in fsbctl("record", DISK, "--jsno", *TOUCH).stderr, "the nearest option is named")
    ok("record" in fsbctl("recrod").stderr, "the nearest command is named")
    refused(["recrod"], USAGE, "unknown command")
    refused(["record", DISK, "--json"] + TOUCH, USAGE, "need -o")
    refused(["record", DISK, "--json", "--csv", "-o", "-"] + TOUCH, USAGE, "exclude each other")
    refused(["record", DISK, "-o", "/nonexistent/x"] + TOUCH, FSBCTL, "No such file")
    refused(["record", DISK, "-o", "/tmp"] + TOUCH, FSBCTL, "directory")


def rows():
    refused(["stat"], USAGE, "no disk named")
    for value in ("0", "1x", "1e99", "+1"):
        refused(["stat", DISK, value], USAGE, "is no interval")
    for value in ("0", "3x", "1.5"):
        refused(["stat", DISK, "1", value], USAGE, "is no number of rows")
    refused(["stat", DISK, "1", "1", "1"], USAGE, "nothing comes after")
    refused(["stat", DISK, "--columns", "flsh/s"], USAGE, "no such column")
    refused(["stat", DISK, "--json", "--csv"], USAGE, "exclude each other")
    refused(["stat", DISK, "--source", "modul"], USAGE, "is no source")
    refused(["stat", "nosuch", "1"], FSBCTL, "no such disk")


def recordings():
    """Files that are none, and options that go with none."""
    with open("/tmp/later", "w", encoding="ascii") as file:
        file.write('{"schema":"fsbstat-recording/2"}\n')
    with open("/tmp/bytes", "wb") as file:
        file.write(b"\x1b[31m\0\xff\n" * 9)
    for path, pattern in (("/tmp/plain", "no recording"), ("/tmp/bytes", "no recording"),
                          ("/tmp/later", "later fsbctl"), ("/tmp/missing", "No such file"),
                          ("/tmp", "directory"), ("/bin/ls", "no recording")):
        refused(["stat", "--from", path], FSBCTL, pattern)
        refused(["record", "--from", path], FSBCTL, pattern)
    refused(["record", "--from", "/tmp/plain", "-w", "1"], USAGE, "--from goes with")
    refused(["record", "--from", "/tmp/plain", DISK], USAGE, "--from goes with")
    refused(["stat", "--from", "/tmp/plain", "--source", "module"], USAGE, "--from is a source")
    refused(["record", DISK, "--snapshots", "/nonexistent/x"] + TOUCH, FSBCTL, "No such file")


def commands():
    os.close(os.open("/tmp/notexec", os.O_CREAT | os.O_WRONLY, 0o644))
    refused(["record", DISK, "--", "/tmp/nosuchcommand"], NOT_FOUND, "not found")
    refused(["record", DISK, "--", "nosuchcommand"], NOT_FOUND, "not found")
    refused(["record", DISK, "--", "/tmp/notexec"], NOT_EXECUTABLE, "Permission denied")
    refused(["record", DISK, "--", "/tmp"], NOT_EXECUTABLE, "Permission denied")
    refused(["record", DISK, "--prepare", "exit 3"] + TOUCH, FSBCTL, "status 3")


def not_root():
    refused(["record", DISK, "--source", "module"] + TOUCH, FSBCTL, "fsbstat: .*CAP_PERFMON",
            user=65534, group=65534)
    refused(["watch", DISK], FSBCTL, "fsbstat: .*CAP_PERFMON", user=65534, group=65534)
    equal(fsbctl("list", user=65534, group=65534).returncode, 0, "list works without root")


def abi_mismatch():
    """A libnl in front of the real one that reads another ABI out of the module's answer."""
    abi = genl.C["FSBSTAT_ABI"]
    env = dict(os.environ, LD_PRELOAD=os.environ["FSB_OUT"] + "/prog/other_abi")
    refused(["record", DISK, "--source", "module"] + TOUCH, FSBCTL,
            "fsbstat: .*ABI %d, this fsbctl %d" % (abi + 1, abi), env=env)


def no_module():
    run(["rmmod", "fsbstat"])
    refused(["record", DISK, "--source", "module"] + TOUCH, FSBCTL, "fsbstat is not installed")
    refused(["watch", DISK], FSBCTL, "fsbstat is not loaded")
    equal(fsbctl("list").returncode, 0, "list works without the module")
    equal(fsbctl("check").returncode, 77, "check says it cannot run here")


def main():
    module = genl.Module()
    disks()
    options()
    rows()
    recordings()
    commands()
    not_root()
    abi_mismatch()
    equal(module.disks(), [], "no disk was left being watched")
    module.close()
    no_module()
    done()


main()
