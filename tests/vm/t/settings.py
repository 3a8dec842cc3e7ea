# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=256M --disk scsi,size=256M --disk nvme,size=256M --disk virtio,size=256M
# vm: --disk sata,size=256M
# vm: --qemu "-device nvme,id=many,serial=many"
# vm: --qemu "-drive if=none,id=many1,driver=null-co,size=64M"
# vm: --qemu "-drive if=none,id=many2,driver=null-co,size=64M"
# vm: --qemu "-device nvme-ns,drive=many1,bus=many,nsid=1"
# vm: --qemu "-device nvme-ns,drive=many2,bus=many,nsid=2"
# cost: 120
"""`fsbctl set` and `restore`: drives really change, and every byte comes back."""

import contextlib
import fcntl
import glob
import json
import os
import re
import subprocess
import sys
import time

sys.path.insert(0, "/fsb/tests/vm/lib")
import genl  # noqa: E402
import nullblk  # noqa: E402
import scsidebug  # noqa: E402
from announced import CACHE, cache_of, events, heard  # noqa: E402
from fsbtest import disk, done, equal, fsbctl, name_of, note, ok, read, run, write  # noqa: E402
from knobs import (STATE, cache, depth, difference, drive_cache, everything, flushed,  # noqa: E402
                   knobs, same, scheduler, states, view, works)

SATA, SCSI, NVME, VIRTIO, SATA2 = (disk(number) for number in range(5))
REFUSED, FSBCTL, USAGE = 3, 125, 2


def refused(status, pattern, *words, **options):
    """fsbctl ends with the status and one line that matches."""
    result = fsbctl(*words, **options)
    lines = result.stderr.splitlines()
    ok(result.returncode == status and lines and
       re.match("fsbctl: .*(?:%s)" % pattern, lines[0]) and
       len([line for line in lines if line.startswith("fsbctl: ")]) == 1 and not result.stdout,
       "fsbctl %s: status %d, %s" % (" ".join(map(str, words)), status, pattern),
       "status %d\n%s%s" % (result.returncode, result.stdout, result.stderr))


def words_and_devices():
    for words in (["set"], ["set", SATA]):
        refused(USAGE, "no disk named|nothing to set", *words)
    for word in ("ncq", "ncq=", "ncq=0", "ncq=x", "ncq=-1", "ncq=1e9", "nr_requests=1.5",
                 "write_cache=yes", "write_cache=", "write_cache_kernel=on", "speed=fast",
                 "scheduler=", "scheduler=a/b", "=on"):
        refused(USAGE, "takes no value|no such setting|KEY=VALUE", "set", SATA, word)
    refused(USAGE, "given twice", "set", SATA, "ncq=1", "ncq=2")
    refused(FSBCTL, "no such disk", "set", "nosuch", "ncq=1")
    refused(FSBCTL, "no block device", "set", "250:99", "ncq=1")
    refused(REFUSED, "a directory or mount point", "set", "/", "ncq=1")
    refused(REFUSED, "a file", "set", "/etc/passwd", "ncq=1")
    refused(REFUSED, "a character device", "set", "/dev/null", "ncq=1")
    refused(REFUSED, "has no device/queue_depth", "set", NVME, "ncq=1")
    refused(FSBCTL, "32 commands at most", "set", SATA, "ncq=33")
    with nullblk.disk("n0") as device:
        refused(REFUSED, "no known way to the cache", "set", device, "write_cache=off")
        refused(REFUSED, "no device/queue_depth", "set", device, "ncq=1")
        before = knobs(device)
        ok(works("set", device, "scheduler=none", "nr_requests=8"), "null_blk: scheduler")
        ok(works("restore", device), "null_blk: restore")
        same(before, device, "null_blk: every byte is back")
    run(["dmsetup", "create", "fsbdm", "--table", "0 8192 linear %s 0" % SATA])
    refused(REFUSED, "stands on " + name_of(SATA), "set", "/dev/mapper/fsbdm", "ncq=1")
    run(["dmsetup", "remove", "fsbdm"])
    equal(states(), [], "nothing was saved by what was refused")


def namespaces():
    """The cache of an NVMe controller is that of all its namespaces."""
    folder = [path for path in glob.glob("/sys/class/nvme/nvme*")
              if read(path + "/serial") == "many"][0]
    first, second = ["/dev/" + name for name in sorted(os.listdir(folder))
                     if re.fullmatch("nvme[0-9]+n[12]", name)]
    before = knobs(first), knobs(second)
    refused(REFUSED, "the controller's, and %s is on it too" % name_of(second), "set", first,
            "write_cache=off")
    ok(works("set", first, "nr_requests=64"), "namespaces: what is not shared can be set")
    ok(works("set", first, "--unsafe", "write_cache=off"), "namespaces: --unsafe")
    equal((drive_cache(first), drive_cache(second), view(first), view(second)),
          ("off", "off", "write through", "write back"), "namespaces: off for both")
    ok(works("restore"), "namespaces: restore")
    same(before[0], first, "namespaces: every byte of the first is back")
    same(before[1], second, "namespaces: and of the second")


def unit_attention():
    """A drive that reports what has happened, instead of answering, is asked again."""
    with scsidebug.disk() as device:
        before = knobs(device)

        def something_happened(size):
            # another one of the bus has: new luns, and a capacity that has changed
            write(scsidebug.PLACE + "max_luns", size)
            write(scsidebug.PLACE + "virtual_gb", size)

        something_happened(2)
        ok(works("set", device, "write_cache=off", "ncq=2"), "unit attention: set")
        equal(drive_cache(device), "off", "unit attention: the cache is off")
        something_happened(3)
        result = fsbctl("restore", device)
        equal((result.returncode, result.stderr), (0, ""), "unit attention: restore")
        equal((drive_cache(device), states()), ("on", []), "unit attention: the cache is back")
        equal(difference(before, knobs(device)), "", "unit attention: and every byte")


def failures():
    """What fails half-way leaves all as it was."""
    before = knobs(SATA)
    refused(FSBCTL, "no scheduler nosuch here", "set", SATA, "write_cache=off", "ncq=4",
            "scheduler=nosuch")
    same(before, SATA, "an unknown scheduler: the cache and ncq are back")
    refused(FSBCTL, "nr_requests=100000", "set", SATA, "ncq=4", "nr_requests=100000")
    same(before, SATA, "nr_requests too large: ncq is back")
    equal(states(), [], "nothing is left to restore")
    folder = glob.glob("/sys/block/%s/device/scsi_disk/*" % name_of(SCSI))[0]
    write(folder + "/cache_type", "temporary write through")
    refused(FSBCTL, "the kernel's cache_type says", "set", SCSI, "write_cache=on")
    equal(drive_cache(SCSI), "on", "overridden cache_type: the drive is as it was")
    write(folder + "/cache_type", "write back")
    fsbctl("restore", "--all")
    equal((states(), view(SCSI)), ([], "write back"), "and nothing is left to restore")


def unsafe():
    """A filesystem on a drive that caches is not left without flushes unless told so."""
    before = knobs(SATA)
    run("printf '2048,65536\\n67584,65536\\n' | sfdisk -q " + SATA)
    first, second = (name_of(SATA) + str(number) for number in (1, 2))
    run(["mkfs.ext4", "-q", "/dev/" + second])
    os.makedirs("/tmp/mnt", exist_ok=True)
    ok(works("set", first, "nr_requests=16"), "a partition, the other one not in use")
    ok(works("restore", first), "restore by the partition")
    run(["mount", "/dev/" + second, "/tmp/mnt"])
    refused(REFUSED, "%s is mounted on /tmp/mnt" % second, "set", first, "nr_requests=16")
    ok(works("set", second, "nr_requests=16"), "the partition that is in use itself")
    refused(REFUSED, "no flush would reach it", "set", SATA, "write_cache_kernel=write through")
    refused(REFUSED, "no flush would reach it", "set", SATA, "write_cache=on",
            "write_cache_kernel=write-through")
    ok(works("set", SATA, "--unsafe", "write_cache_kernel=write through"), "--unsafe")
    equal((drive_cache(SATA), view(SATA)), ("on", "write through"), "--unsafe: it is so")
    ok(works("set", SATA, "write_cache=off", "write_cache_kernel=write through"),
       "without a cache there is nothing to refuse")
    ok(works("restore"), "restore of all disks")
    run(["umount", "/tmp/mnt"])
    run(["wipefs", "-qa", SATA])
    run(["blockdev", "--rereadpt", SATA], check=False)
    same(before, SATA, "every byte is back")


def others():
    """What somebody else has changed since stays; any command says that something waits."""
    before = knobs(SATA)
    ok(works("set", SATA, "ncq=1", "nr_requests=16"), "others: set")
    said = fsbctl("list").stderr
    equal(said, "fsbctl: settings of %s wait to be put back: fsbctl restore --all\n" %
          name_of(SATA), "list says in one line that settings wait")
    write("/sys/block/%s/device/queue_depth" % name_of(SATA), 8)
    result = fsbctl("restore", SATA)
    ok(result.returncode == REFUSED and "somebody" in result.stderr and
       re.search("ncq.* 8 stays", result.stdout), "restore says what it left alone",
       result.stdout + result.stderr)
    equal((depth(SATA), read("/sys/block/%s/queue/nr_requests" % name_of(SATA))), ("8", "64"),
          "nr_requests is back, ncq is somebody else's")
    ok(works("restore", "--force", SATA), "restore --force")
    same(before, SATA, "now that too")
    equal(fsbctl("list").stderr, "", "list says nothing any more")

    ok(works("set", SATA, "scheduler=none"), "scheduler=none")
    write("/sys/block/%s/queue/nr_requests" % name_of(SATA), 9)
    result = fsbctl("restore")
    equal((result.returncode, scheduler(SATA),
           read("/sys/block/%s/queue/nr_requests" % name_of(SATA))), (REFUSED, "mq-deadline", "9"),
          "the scheduler is back, somebody else's nr_requests outlives that")
    ok(works("restore", "--forget", SATA), "--forget")
    equal(states(), [], "nothing is remembered")
    write("/sys/block/%s/queue/nr_requests" % name_of(SATA), 64)
    write("/sys/block/%s/queue/iosched/fifo_batch" % name_of(SATA), 7)
    before = knobs(SATA)
    ok(works("set", SATA, "scheduler=none"), "scheduler=none over a tuned scheduler")
    ok(works("set", SATA, "scheduler=kyber", "nr_requests=11"), "and another one")
    ok(works("restore"), "restore")
    same(before, SATA, "the scheduler's tuning is back too")


def documents():
    before = knobs(SATA)
    plan = json.loads(fsbctl("set", SATA, "-n", "--json", "write_cache=off", "ncq=max").stdout)
    same(before, SATA, "--dry-run changes nothing")
    equal(states(), [], "--dry-run saves nothing")
    equal((plan["schema"], plan["kind"], plan["dry_run"]), ("fsbstat/1", "settings", True),
          "--json --dry-run: the document")
    equal([(item["name"], item["was"], item["is"], item["asked"])
           for item in plan["disks"][0]["changes"]],
          [("write_cache", "on", "off", True),
           ("write_cache_kernel", "write back", "write through", False),
           ("ncq", "32", "32", True)], "--dry-run tells all that would change")
    done_ = json.loads(fsbctl("set", SATA, "--json", "write_cache=off").stdout)["disks"][0]
    equal((done_["device"]["serial"], done_["device"]["write_cache"], done_["state_file"]),
          ("fsb0", "off", states()[0]), "--json: the disk and where its old values are")
    back = json.loads(fsbctl("restore", "--json").stdout)["disks"][0]["returned"]
    equal({item["name"]: (item["old"], item["fate"]) for item in back
           if "/" not in item["name"]},
          {"write_cache": ("on", "put back"), "write_cache_kernel": ("write back", "put back")},
          "restore --json")


def told():
    """The module hears from fsbctl what it did to a drive's cache, and forgets it when others do."""
    module = genl.Module()
    for device, what in ((SATA, "sata"), (SCSI, "scsi"), (NVME, "nvme"), (VIRTIO, "virtio")):
        module.add(device)
        known = lambda: cache_of(module, device)[0]  # noqa: E731
        equal(known(), "UNKNOWN", what + ": nobody has told the module")
        for words, state in ((["set", device, "write_cache=off"], "OFF"),
                             (["restore", device], "ON"),
                             (["set", device, "write_cache=off", "nr_requests=16"], "OFF"),
                             (["set", device, "nr_requests=17"], "OFF"),
                             (["set", device, "write_cache=on"], "ON"),
                             (["restore"], "ON")):
            ok(works(*words), "%s: %s" % (what, words[0]))
            equal(known(), state, "%s: after %s the module knows: %s" % (
                what, " ".join(words[:1] + words[2:]), state))
        refused(FSBCTL, "no scheduler nosuch here", "set", device, "write_cache=off",
                "scheduler=nosuch")
        equal(known(), "ON", what + ": and what was put back when a set failed")
    for command, off in (("hdparm -W0 " + SATA, True), ("hdparm -W1 " + SATA, False)):
        with contextlib.closing(events(module)) as listener:
            run(command)
            event, entry = heard(listener)
            equal((event, CACHE[entry["write_cache"]]), ("DISK_SETTINGS", "UNKNOWN"),
                  "%s is announced, and the state unknown" % command)
        equal(cache_of(module, SATA)[0], "UNKNOWN", "to all who ask")
        ok(works("set", SATA, "write_cache=" + ("off" if off else "on")), "set to what it is")
        equal(cache_of(module, SATA)[0], "OFF" if off else "ON", "tells the module anew")
    module.close()
    for text in ("not watched", "no module"):
        for words in (("set", SATA, "write_cache=off"), ("restore", SATA)):
            result = fsbctl(*words)
            equal((result.returncode, result.stderr), (0, ""), "%s: %s says nothing of it" %
                  (text, words[0]))
        run(["rmmod", "fsbstat"], check=text == "not watched")
    run("insmod $FSB_MODULE")


def recorded():
    """A recording hears of it as it happens, and of what somebody else does too."""
    with open("/tmp/steps", "w", encoding="ascii") as file:
        file.write("sleep 3.5\nfsbctl set %s write_cache=off >&2\nsleep 5\n"
                   "hdparm -qW1 %s\nsleep 5\n" % (SATA, SATA))
    result = fsbctl("record", SATA, "-q", "--json", "-o", "/tmp/r.json", "--", "sh", "-e",
                    "/tmp/steps")
    equal(result.returncode, 0, "recorded: the command's status")
    with open("/tmp/r.json", encoding="utf-8") as file:
        epochs = json.load(file)["epochs"]
    note([(epoch["changed"], epoch["began_ns"]) for epoch in epochs])
    equal([[(c["what"], c["from"], c["to"]) for c in epoch["changed"]
            if c["what"] == "write_cache"] for epoch in epochs],
          [[], [("write_cache", "on", "off")], [("write_cache", "off", "on")]],
          "recorded: off by fsbctl, on by hand")
    equal([epoch["changed"][0]["seen"] for epoch in epochs[1:]], ["notified", "notified"],
          "recorded: each was heard of")
    ok(works("restore"), "recorded: restore")


def at_once():
    """Processes at once on one disk: none is lost, and one that waits too long says so."""
    before = knobs(SATA)
    words = ("ncq=3", "nr_requests=17", "scheduler=none", "write_cache=off")
    running = [subprocess.Popen(["fsbctl", "set", SATA, word], stdout=subprocess.DEVNULL)
               for word in words]
    equal([process.wait() for process in running], [0] * len(words), "four at once")
    equal((depth(SATA), scheduler(SATA), drive_cache(SATA)), ("3", "none", "off"),
          "all four took")
    with open(states()[0] + ".lock", "rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        refused(FSBCTL, "another fsbctl is changing", "set", SATA, "ncq=5")
        refused(FSBCTL, "another fsbctl is changing", "restore", SATA)
    ok(works("restore"), "restore after all four")
    same(before, SATA, "every byte is back")


def no_place():
    """Nowhere to save: nothing is changed. /run read-only: the user's state directory."""
    before = knobs(SATA)
    os.makedirs(STATE, exist_ok=True)
    run(["mount", "-t", "tmpfs", "-o", "ro", "none", STATE])
    refused(FSBCTL, "nowhere to save", "set", SATA, "ncq=1",
            env=dict(os.environ, XDG_STATE_HOME=STATE))
    same(before, SATA, "nowhere to save: nothing was changed")
    env = dict(os.environ, XDG_STATE_HOME="/tmp/state")
    equal(fsbctl("set", SATA, "ncq=1", env=env).returncode, 0, "the user's state directory")
    equal(len(glob.glob("/tmp/state/fsbctl/*.json")), 1, "the old values are there")
    equal(fsbctl("restore", env=env).returncode, 0, "restore from there")
    same(before, SATA, "every byte is back")
    run(["umount", STATE])
    ok(works("set", SATA, "ncq=1"), "set, for a damaged file")
    path = states()[0]
    whole = open(path, encoding="utf-8").read()
    for text in ("", "{", whole[:100], whole.replace("fsbctl-settings/1", "other/9"), "[]"):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        refused(FSBCTL, "is no saved state", "restore", SATA)
        refused(FSBCTL, "is no saved state", "set", SATA, "ncq=9")
    equal(depth(SATA), "1", "with a damaged file nothing is changed")
    with open(path, "w", encoding="utf-8") as file:
        file.write(whole)
    ok(works("restore"), "the file again as it was: restore")
    same(before, SATA, "every byte is back")


def host_of(device):
    folder = os.path.realpath("/sys/block/%s/device" % name_of(device))
    return re.search("/(host[0-9]+)/", folder).group(1)


def appear(host, known):
    """The disk that scanning the host brings."""
    write("/sys/class/scsi_host/%s/scan" % host, "- - -")
    end = time.monotonic() + 30
    while time.monotonic() < end:
        new = set(os.listdir("/sys/block")) - known
        if new and os.path.exists("/dev/" + min(new)):
            return "/dev/" + min(new)
        time.sleep(0.1)
    raise RuntimeError("no disk came back on " + host)


def swapped():
    """sda has become sdb: the old values follow the drive, not the name."""
    first, second = SATA, SATA2
    ok(works("set", first, "write_cache=off", "ncq=1"), "before the swap: set")
    hosts = [host_of(first), host_of(second)]
    for device in (first, second):
        write("/sys/block/%s/device/delete" % name_of(device), 1)
    result = fsbctl("restore")
    ok(result.returncode == FSBCTL and "is not here" in result.stderr and len(states()) == 1,
       "the disk is gone: restore says so and keeps its values", result.stderr)
    ok("(not here)" in fsbctl("list").stderr, "list says so too")
    # Who comes first gets the first free name, which must not be its old one.
    known, now = set(os.listdir("/sys/block")), {}
    for device, host in sorted(zip((first, second), hosts), reverse=True):
        now[device] = appear(host, known)
        known.add(name_of(now[device]))
    now_first, now_second = now[first], now[second]
    equal((now_first, now_second), (second, first), "the two have swapped their names")
    equal((drive_cache(now_first), drive_cache(now_second)), ("off", "on"),
          "the drive is still without its cache")
    ok(name_of(now_first) in fsbctl("list").stderr, "list knows it under its new name")
    ok(works("restore", now_second), "restore of the other: nothing")
    equal(len(states()), 1, "still waiting")
    ok(works("restore", now_first), "restore under the new name")
    equal((drive_cache(now_first), drive_cache(now_second), view(now_first), states()),
          ("on", "on", "write back", []), "the right drive has its cache back")


def main():
    for device, what in ((SATA, "sata"), (SCSI, "scsi"), (NVME, "nvme"), (VIRTIO, "virtio")):
        cache(device, what)
    everything(SATA, "sata", "write_cache=off", "ncq=1", "scheduler=none", "nr_requests=16")
    everything(SCSI, "scsi", "write_cache=off", "ncq=2", "scheduler=none", "nr_requests=16")
    everything(NVME, "nvme", "write_cache=off", "scheduler=mq-deadline", "nr_requests=64")
    everything(NVME, "nvme", "write_cache=off", "write_cache_kernel=write back")
    everything(VIRTIO, "virtio", "write_cache=off", "scheduler=none", "nr_requests=16")
    words_and_devices()
    namespaces()
    flushed(SATA, "sata", 1)
    failures()
    unit_attention()
    unsafe()
    others()
    documents()
    told()
    recorded()
    at_once()
    no_place()
    swapped()
    done()


main()
