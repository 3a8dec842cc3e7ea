# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=512M --smp 4
# vm-debug: --timeout 900
# cost: 60
"""Who submitted a disk's bios: names, partitions and numbers, exact in every dump."""

import csv
import io
import mmap
import multiprocessing
import os
import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
from fsbtest import (DEBUG_KERNEL, disk, done, equal, fsbctl, note, ok, read,  # noqa: E402
                     record, run, settle, write)
from privilege import in_pid_namespace, unprivileged  # noqa: E402
from watched import until  # noqa: E402

DISK = disk(0)
BLOCK = 4096
SIZE = 8 << 20
ROOM = 512			# rows on a machine of up to 16 CPUs
COMMS = 1000 if DEBUG_KERNEL else 3000
DUMPS = 40 if DEBUG_KERNEL else 200
COUNTED = ("read_ios", "read_bytes", "write_ios", "write_bytes", "discard_ios", "discard_bytes",
           "other_ios", "other_bytes", "preflush", "fua", "empty_flush")


def number(device):
    rdev = os.stat(device).st_rdev
    return "%d:%d" % (os.major(rdev), os.minor(rdev))


def set_name(name):
    with open("/proc/thread-self/comm", "w", encoding="ascii") as file:
        file.write(name)


def buffer():
    """Memory that O_DIRECT takes."""
    return mmap.mmap(-1, BLOCK)


def program(name, path, writes, fsyncs, pid):
    """Direct writes over what is there, and fsyncs spread among them."""
    set_name(name)
    pid.value = os.getpid()
    fd = os.open(path, os.O_WRONLY | os.O_DIRECT)
    block = buffer()
    for i in range(writes):
        os.pwritev(fd, [block], i * BLOCK % SIZE)
        if (i + 1) % (writes // fsyncs) == 0:
            os.fsync(fd)
    os.close(fd)


def start(function, *arguments):
    pid = multiprocessing.Value("i", 0)
    process = multiprocessing.Process(target=function, args=(*arguments, pid))
    process.start()
    return process, pid


def wrong_sums(dump):
    """Counters whose rows and the rest are not the sum."""
    total, other, rows = dump
    return [name for name in COUNTED
            if other[name] + sum(row[name] for row in rows.values()) != total[name]]


def check_sum(dump, name):
    equal(wrong_sums(dump), [], "%s: rows and the rest are the sum" % name)


def partitions():
    """Two ext4 filesystems, each with a file that is written through."""
    run("printf 'size=200M\\nsize=200M\\n' | sfdisk -q " + DISK)
    places = []
    for part in (1, 2):
        device, mount = DISK + str(part), "/mnt/%d" % part
        until(lambda: os.path.exists(device), "no node of the partition")
        run("mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 %s && mkdir -p %s && "
            "mount -o noatime %s %s" % (device, mount, device, mount))
        path = mount + "/file"
        run("dd if=/dev/zero of=%s bs=1M count=%d" % (path, SIZE >> 20))
        places.append((device, path))
    settle(DISK)
    return places


def commits(device):
    """Commits of the filesystem's journal, by its own count."""
    info = read("/proc/fs/jbd2/%s-8/info" % os.path.basename(device))
    return int(info.split()[0])


def journals(rows, device):
    name = "jbd2/%s-8" % os.path.basename(device)
    return [key for key in rows if key[1] == name and key[2] == number(device)]


def programs(places):
    """Each program's row has what it did, on its partition, and the journals are named."""
    module = genl.Module()
    before = [commits(device) for device, _ in places]
    module.add(DISK)
    work = [("alpha", 400, 20), ("beta beta", 300, 30)]
    running = [start(program, name, path, writes, fsyncs)
               for (name, writes, fsyncs), (_, path) in zip(work, places)]
    for process, _ in running:
        process.join()
    settle(DISK)
    dump = module.owners(DISK)
    total, other, rows = dump
    note(rows)
    for (name, writes, _), (device, _), (_, pid) in zip(work, places, running):
        row = rows.get((pid.value, name, number(device)), {})
        equal((row.get("write_ios"), row.get("write_bytes")), (writes, writes * BLOCK),
              "%s: its process, its name, its partition, its writes" % name)
        equal([key for key in rows if key[1] == name], [(pid.value, name, number(device))],
              "%s: it has no other row" % name)
    for (device, _), old in zip(places, before):
        found = journals(rows, device)
        new = commits(device) - old
        ok(len(found) == 1 and rows[found[0]]["fua"] >= new > 0,
           "the journal of %s is named, with a FUA write for each of %d commits" % (device, new),
           found)
    check_sum(dump, "two programs")
    equal(other, dict.fromkeys(other, 0), "all had room")
    bio = module.snapshot(DISK)["bio"]
    equal({name: total[name] for name in COUNTED}, {name: bio[name] for name in COUNTED},
          "the sum is what a snapshot has")
    module.close()


def reported(places):
    """What fsbctl makes of it: processes of one name are one, each with its partition."""
    device, path = places[0]
    part, journal = os.path.basename(device), "jbd2/%s-8" % os.path.basename(device)
    dd = "dd if=/dev/zero of=%s bs=4k count=%d oflag=direct conv=notrunc,fsync seek=%d 2>/dev/null"
    both = "%s & %s; wait" % (dd % (path, 200, 0), dd % (path, 150, 1000))
    settle(DISK)
    document = record(DISK, both, options=("--sync",))
    found = {(row["comm"], row["device"]): row for row in document["owners"]}
    equal({key: found.get(("dd", part), {}).get(key) for key in ("tasks", "write_ios", "write_bytes")},
          {"tasks": 2, "write_ios": 350, "write_bytes": 350 * BLOCK}, "JSON: two dd are one row")
    equal({row["comm"]: row["fsync"] for row in document["owners"] if row["fsync"]}, {"dd": 2},
          "JSON: each of them has called fsync once, and nobody else has")
    row = found.get((journal, part), {"fua": 0, "preflush": 0})
    ok(row["fua"] > 0 and row["preflush"] > 0, "JSON: the journal asked for flushes", found)
    asked = [row["preflush"] + row["fua"] + row["empty_flush"] for row in document["owners"]]
    flush = document["flush"]["asked"]
    equal(sum(asked), flush["pre"] + flush["empty"] + flush["post"],
          "JSON: what they asked for is what was asked for")
    equal(asked, sorted(asked, reverse=True), "JSON: who asked for most comes first")
    bio = document["bio"]
    equal(sum(row["write_bytes"] for row in document["owners"]), bio["write"]["bytes"],
          "JSON: what they wrote is what was written")
    text = fsbctl("record", DISK, "--sync", "--", "sh", "-c", both).stderr
    ok("asked by " + journal in " ".join(text.split()), "text: asked by the journal", text)
    text = fsbctl("record", DISK, "--", "dd", "if=" + DISK, "of=/dev/null", "count=1").stderr
    ok("asked by" not in text and "wrote" not in text, "text: nobody asked or wrote", text)
    rows = csv.DictReader(io.StringIO(fsbctl("record", DISK, "--csv", "-o", "-", "--", "sh", "-c",
                                             both).stdout))
    equal([row["owner_write_ios"] for row in rows if row["owner_comm"] == "dd"], ["350"],
          "CSV: the same")


def hammer(wrong, name, pid):
    """Reads dumps under load; counts those that do not add up or go back."""
    set_name(name)
    pid.value = os.getpid()
    module = genl.Module()
    last = {}
    for _ in range(DUMPS):
        dump = module.owners(DISK)
        shrunk = [key for key in last if dump[2].get(key, {"read_ios": -1})["read_ios"] < last[key]]
        if wrong_sums(dump) or shrunk:
            with wrong.get_lock():
                wrong.value += 1
        last = {key: row["read_ios"] for key, row in dump[2].items()}
    module.close()


def reads(stop, name, pid):
    set_name(name)
    pid.value = os.getpid()
    fd = os.open(DISK, os.O_RDONLY | os.O_DIRECT)
    block, i = buffer(), 0
    while not stop.value:
        os.preadv(fd, [block], i % 1000 * BLOCK)
        i += 1
    os.close(fd)


def under_load(places):
    module = genl.Module()
    module.add(DISK)
    stop, wrong = multiprocessing.Value("i", 0), multiprocessing.Value("i", 0)
    load = [start(reads, stop, "load%d" % i) for i in range(4)]
    load.append(start(program, "gamma", places[0][1], 600, 60))
    readers = [start(hammer, wrong, "reader%d" % i) for i in range(3)]
    for process, _ in readers:
        process.join()
    stop.value = 1
    for process, _ in load:
        process.join()
    settle(DISK)
    dump = module.owners(DISK)
    equal(wrong.value, 0, "%d dumps under load: each adds up, no row goes back" % (3 * DUMPS))
    check_sum(dump, "after the load")
    ok(all(any(key[1] == "load%d" % i and row["read_ios"] for key, row in dump[2].items())
           for i in range(4)), "each reader of the disk has its row")
    equal(dump[0]["read_ios"], module.snapshot(DISK)["bio"]["read_ios"],
          "and the sum is that of the snapshot")
    module.close()


def many(again, pid):
    """One read under each of many names; then some under the first and the last again."""
    pid.value = os.getpid()
    fd = os.open(DISK, os.O_RDONLY | os.O_DIRECT)
    block = buffer()
    for i in list(range(COMMS)) + again:
        set_name("n%d" % i)
        os.preadv(fd, [block], i * BLOCK)
    os.close(fd)


def overflow():
    module = genl.Module()
    module.add(DISK)
    process, pid = start(many, [0] * 5 + [COMMS - 1] * 7)
    process.join()
    dump = total, other, rows = module.owners(DISK)
    mine = {key[1]: row["read_ios"] for key, row in rows.items() if key[0] == pid.value}
    equal(len(rows), ROOM, "%d names: there is room for %d owners" % (COMMS, ROOM))
    check_sum(dump, "more owners than room")
    equal(sum(mine.values()) + other["read_ios"], COMMS + 12, "no read is lost")
    equal(mine.get("n0"), 6, "one that has a row keeps it")
    ok("n%d" % (COMMS - 1) not in mine and other["read_ios"] >= COMMS - ROOM + 7,
       "one that found no room never gets one", other)
    equal({name for name, ios in mine.items() if ios != 1}, {"n0"}, "rows are exact")
    equal(total["read_ios"], module.snapshot(DISK)["bio"]["read_ios"], "so is the sum")
    module.close()


def who_may():
    module = genl.Module()
    module.add(DISK)
    run("dd if=%s of=/dev/null bs=4k count=1 iflag=direct" % DISK)
    tgids = lambda m: sorted({key[0] is not None for key in m.owners(DISK)[2]})  # noqa: E731
    equal(str(tgids(module)), "[True]", "root reads owners with their process numbers")
    equal(in_pid_namespace(tgids), "[False]", "in another pid namespace without them")
    equal(unprivileged(tgids), "errno 1", "others are refused")
    parameter = "/sys/module/fsbstat/parameters/unprivileged_read"
    write(parameter, 1)
    equal(unprivileged(lambda m: bool(m.snapshot(DISK))), "True", "unprivileged_read=1 opens counters")
    equal(unprivileged(tgids), "errno 1", "and never the owners")
    write(parameter, 0)
    try:
        module.owners((259, 77))
        ok(False, "a disk that is not watched is refused")
    except genl.Refused as refused:
        equal((refused.errno, bool(refused.text)), (2, True),
              "a disk that is not watched is refused with the reason")
    module.close()


def main():
    places = partitions()
    programs(places)
    reported(places)
    under_load(places)
    for device, _ in places:
        run(["umount", device])
    overflow()
    who_may()
    done()


main()
