# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=1G --disk virtio,size=128M --disk virtio,size=128M
# cost: 190
"""`fsbctl top`: option sets under load, what comes and goes, what it costs, the terminal."""

import os
import re
import resource
import signal
import subprocess
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
from fsbtest import (PATIENCE, blockstats, disk, done, equal, fsbctl, name_of, note, ok, qmp,  # noqa: E402
                     read, run, settle, unload, write)
from terminal import Terminal  # noqa: E402

DISK, IDLE, PULLED = disk(0), disk(1), disk(2)
MOUNT, FRAMES = "/tmp/m", "/tmp/frames"
PHASE = 6	# seconds: 1 to settle, some to count in


def frames(text):
    """The frames of --batch; each begins with its name."""
    return ["fsbctl top" + part for part in text.split("fsbctl top")[1:]]


def batch(*arguments):
    """Begins; a file takes the frames, for a pipe holds but a few."""
    with open(FRAMES, "w", encoding="utf-8") as file:
        return subprocess.Popen(["fsbctl", "top", "--batch"] + [str(word) for word in arguments],
                                stdout=file)


def end(process):
    """Ends it like Ctrl-C; its frames."""
    process.send_signal(signal.SIGINT)
    process.wait(timeout=PATIENCE)
    with open(FRAMES, encoding="utf-8") as file:
        return frames(file.read())


def set_rows(frame):
    """Rows of the table of option sets: number -> (name, cells)."""
    rows = {}
    for line in frame.splitlines():
        match = re.match(r"[▶> ][b ](\d) (.*?) +(\d\S*[smh]) +(\d.*)$", line)
        if match:
            cells = re.sub("(one|load) (epoch|changed)", r"\1-\2", match.group(4))
            rows[int(match.group(1))] = (match.group(2), cells.split())
    return rows


def epoch_times(frame):
    """When epochs began, in seconds of the day."""
    return [int(h) * 3600 + int(m) * 60 + int(s) for h, m, s in
            re.findall(r"^ +\d+  (\d\d):(\d\d):(\d\d) +\S+ +\d  ", frame, re.M)]


def longest_step(shown):
    """Between frames, in seconds: how late a view is that shares a busy machine."""
    clock = [int(h) * 3600 + int(m) * 60 + int(s) for h, m, s in
             re.findall(r"^fsbctl top .* (\d\d):(\d\d):(\d\d)$", "\n".join(shown), re.M)]
    return max(after - before for before, after in zip(clock, clock[1:]))


def day_seconds():
    now = time.localtime()
    return now.tm_hour * 3600 + now.tm_min * 60 + now.tm_sec + time.time() % 1


def why():
    """From fsync to the disk, under load and with barriers."""
    last = frames(fsbctl("top", "--batch", "-n", "4", "-I", "2s", DISK).stdout)[-1]
    note(last)
    steps = re.search("^why +fsync (.*?) → commit (.*?) → asked (.*?) → sent (.*?) ", last, re.M)
    ok(steps and all(float(step) > 0 for step in steps.groups()), "calls, commits, flushes", last)
    each = re.search(r"^each fsync +([\d.]+) flushes +\S+ kB +\S+ [mu]s of flush and drain$", last,
                     re.M)
    ok(each and float(each.group(1)) > 0, "what each call cost", last)
    ok(re.search(r"^at risk +now .* worst [\d.]+ [kM]B +longest ", last, re.M),
       "what is not flushed", last)
    owner = re.search(r"^asked by +(jbd2/\S+) ([\d.]+)/s", last, re.M)
    ok(owner and steps and float(owner.group(2)) <= float(steps.group(3)) * 1.1 + 1,
       "the journal asks for most flushes, and for no more than were asked for", last)


def four_sets():
    run("mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 %s" % DISK)
    os.makedirs(MOUNT, exist_ok=True)
    os.makedirs("/tmp/bind", exist_ok=True)
    run(["mount", DISK, MOUNT])
    load = subprocess.Popen(["dbench", "-c", "/fsb/tests/vm/load/short.dbench", "-t", "100", "4"],
                            cwd=MOUNT, stdout=subprocess.DEVNULL)
    top = batch(DISK, "--settle", "1s", "--view", "sets", "--size", "160x43")
    time.sleep(2)
    why()
    run("mount --bind %s /tmp/bind" % MOUNT)
    run("unshare -m sh -c 'mount -t tmpfs x /tmp/bind; mount %s /tmp/bind'" % DISK)
    run("umount /tmp/bind")
    time.sleep(PHASE)
    times = []
    for command in ("mount -o remount,nobarrier %s" % MOUNT, "hdparm -W0 %s" % DISK,
                    "echo 1 > /sys/block/%s/device/queue_depth" % name_of(DISK)):
        began = day_seconds()
        run(command)
        times.append((began, day_seconds()))
        time.sleep(PHASE)
    shown = end(top)
    last = shown[-1]
    load.terminate()
    load.wait()
    note(last)
    rows = set_rows(last)
    equal([rows[i][0].split("  ")[0] for i in sorted(rows)],
          ["barrier", "nobarrier", "=2, drive cache off", "=3, NCQ 1"],
          "four option sets, what differs is named")
    ok("cache on, NCQ 32" in rows[1][0] and "cache off, NCQ 1," in rows[4][0], "and all of each",
       rows)
    fsyncs = [rows[i][1][1] for i in sorted(rows)]	# write MB/s, fsync /s, change, flush /s, flush+drain %, NCQ ...
    flushes = [rows[i][1][3] for i in sorted(rows)]
    ok(all(float(fsync) > 0 for fsync in fsyncs), "dbench calls fsync in all of them", rows)
    ok(float(flushes[0]) > 0 and flushes[1:] == ["0", "0", "0"],
       "flushes with barriers, none without", rows)
    equal(rows[4][1][5], "off", "NCQ is off in the last one")
    ok(re.search("^[▶>] 4 ", last, re.M), "the set that holds now is marked")
    began = epoch_times(last)
    equal(len(began), 4, "four epochs: a bind mount and another namespace end none")
    # a second to settle, seen at the frame after that; the table has whole seconds
    late = longest_step(shown)
    for (before, after), epoch in zip(times, began[1:]):
        ok(before + 1 - 1.1 <= epoch <= after + 1 + 1 + max(1.5, late),
           "an epoch begins when the change has settled", (before, after, epoch, late))
    ok("barrier -> nobarrier" in last and "NCQ depth: 32 -> 1" in last, "what ended each")


def overview():
    reads = subprocess.Popen(["sh", "-c", "while :; do dd if=%s of=/dev/null bs=4k count=64 "
                              "iflag=direct 2>/dev/null; done" % DISK])
    text = fsbctl("top", "--batch", "-n", "2", DISK).stdout
    reads.kill()
    reads.wait()
    ok(text.count("fsbctl top") == 2, "-n ends it", text)
    ok(all(len(line) <= 80 for line in text.splitlines()), "frames have 80 columns", text)
    ok("NCQ depth    off" in text and "disk time" in text, "the overview of a disk behind libata",
       text)
    run(["umount", MOUNT])


def costs_nothing():
    """The disk sees no command because of top, and its own cost is small."""
    settle(IDLE)
    before = blockstats(IDLE)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    result = fsbctl("top", "--batch", "-n", "11", IDLE)
    seconds = time.monotonic() - began
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    share = (now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime) / seconds
    note("top: %.4f of a processor, emulated" % share)
    equal(len(frames(result.stdout)), 11, "eleven frames")
    after = blockstats(IDLE)
    equal({key: after[key] - before[key] for key in
           ("rd_operations", "wr_operations", "flush_operations")},
          {"rd_operations": 0, "wr_operations": 0, "flush_operations": 0},
          "the disk sees not one command")


def module_goes_and_comes():
    top = batch(IDLE)
    time.sleep(3)
    unload()
    time.sleep(3)
    run("insmod " + os.environ["FSB_MODULE"])
    time.sleep(4)
    states = [frame.splitlines()[0] for frame in end(top)]
    note(states)
    at = [i for i, state in enumerate(states) if "not counted" in state]
    ok(at and "live" in states[at[0] - 1], "unloaded: it is said", states)
    ok("live" in states[-1], "loaded again: it counts again", states)


def disk_goes():
    top = batch(PULLED)
    time.sleep(3)
    qmp("device_del", id="dev-fsb2")
    time.sleep(6)
    last = end(top)[-1]
    ok("device gone" in last.splitlines()[0], "a disk that is gone", last)


def on_terminal():
    terminal = Terminal(IDLE)
    ok(b"fsbctl top" in terminal.watch(4), "the screen is drawn", terminal.seen)
    ok(b"draining" in terminal.type(b"h"), "h: help")
    terminal.type(b"h")
    ok(b"kind" in terminal.type(b"\t"), "Tab: the next view")
    ok(b"option sets" in terminal.type(b"3"), "3: option sets")
    terminal.resize(20, 70)
    ok(b"too small" in terminal.watch(2), "a small terminal")
    terminal.resize(24, 80)
    ok(b"option sets" in terminal.watch(2), "and back")
    terminal.process.send_signal(signal.SIGSTOP)
    terminal.watch(1)
    terminal.process.send_signal(signal.SIGCONT)
    ok(b"fsbctl top" in terminal.watch(2), "stopped and continued: drawn anew")
    os.write(terminal.master, b"q")
    equal(terminal.ended(), (0, True), "q: status 0, the terminal is as it was")
    terminal.close()
    for number, status in ((signal.SIGTERM, 143), (signal.SIGINT, 0), (signal.SIGSEGV, -11),
                           (signal.SIGABRT, -6)):
        terminal = Terminal(IDLE)
        terminal.watch(3)
        terminal.process.send_signal(number)
        equal(terminal.ended(), (status, True), "signal %d: the terminal is as it was" % number)
        terminal.close()
    terminal = Terminal()
    ok(b"Enter opens and starts measuring" in terminal.watch(3), "several candidates: the list",
       terminal.seen)
    equal(fsbctl("list", "--json").stdout.count('"watch": {'), 0, "which measures nothing")
    ok(b"cache drive" in terminal.type(b"\r", 3), "Enter opens a disk", terminal.seen)
    equal(fsbctl("list", "--json").stdout.count('"watch": {'), 1, "and measures that one")
    ok(b"Enter opens" in terminal.type(b"\x1b", 3), "Esc: back to the list")
    equal(fsbctl("list", "--json").stdout.count('"watch": {'), 0, "which measures nothing again")
    os.write(terminal.master, b"q")
    equal(terminal.ended(), (0, True), "q leaves the list as well")
    terminal.close()
    terminal = Terminal(IDLE)
    terminal.watch(3)
    terminal.close()
    equal(terminal.process.wait(timeout=PATIENCE), 128 + signal.SIGHUP,
          "the terminal is gone: the end")


def controls():
    """Each key asks, changes, and at the end everything is as it was."""
    def settings():
        return [read("/sys/block/%s/%s" % (name_of(DISK), path)) for path in
                ("device/queue_depth", "queue/scheduler", "queue/write_cache")] + [
                    line.split()[3:] for line in run("cat /proc/self/mounts").stdout.splitlines()
                    if line.split()[1] == MOUNT]

    run(["mount", DISK, MOUNT])
    before = settings()
    terminal = Terminal("--control", DISK)
    terminal.watch(4)
    ok(b"ncq 32 -> 1?" in terminal.type(b"N"), "N asks", terminal.seen[-2000:])
    terminal.type(b"n")
    equal(settings(), before, "no is no")
    terminal.type(b"N")
    terminal.type(b"y")
    equal(settings()[0], "1", "N and y: NCQ is off")
    terminal.type(b"M")
    terminal.type(b"y")
    ok("nobarrier" in settings()[3][0], "M and y: nobarrier", settings())
    terminal.type(b"C")
    terminal.type(b"y", 4)
    for _ in range(10):	# a busy machine takes longer
        if settings()[2] == "write through":
            break
        terminal.watch(2)
    equal(settings()[2], "write through", "C and y: the drive's cache is off")
    os.write(terminal.master, b"q")
    terminal.watch(4)
    equal(terminal.ended()[0], 0, "q")
    equal(settings(), before, "everything is as it was")
    terminal.close()
    terminal = Terminal("--control", DISK)
    terminal.watch(4)
    terminal.type(b"N")
    terminal.type(b"y")
    equal(settings()[0], "1", "NCQ is off again")
    terminal.process.kill()
    terminal.process.wait()
    terminal.close()
    run(["fsbctl", "restore", DISK])
    equal(settings(), before, "kill -9, then restore: everything is as it was")
    run(["umount", MOUNT])


def bad_input():
    result = fsbctl("top", IDLE)
    equal((result.returncode, "not a terminal" in result.stderr), (125, True), "no terminal")
    result = fsbctl("top", "-n", "1", IDLE)
    equal((result.returncode, "--batch" in result.stderr), (2, True), "-n without --batch")
    result = fsbctl("top", "--batch", "--from", "/etc/passwd")
    equal((result.returncode, result.stdout), (125, ""), "what is no recording")
    note(result.stderr)
    result = fsbctl("top", "--batch", "--size", "20x5", IDLE)
    equal(result.returncode, 2, "a size that is too small")
    result = run("su nobody -s /bin/sh -c 'fsbctl top --batch --source module -n 1 %s'" % IDLE,
                 check=False)
    ok(result.returncode and result.stderr.startswith("fsbctl: "), "who may not", result.stderr)


def main():
    four_sets()
    overview()
    write("/sys/block/%s/device/queue_depth" % name_of(DISK), 32)
    run("hdparm -W1 %s" % DISK)
    costs_nothing()
    on_terminal()
    controls()
    bad_input()
    module_goes_and_comes()
    disk_goes()
    done()


main()
