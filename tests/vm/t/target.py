# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=512M --disk sata,size=32M --disk sata,size=128M --disk nvme,size=64M,discard
# vm: --mem 1536
# cost: 150
"""The disk of an experiment: what is refused is not written, and only the range is."""

import contextlib
import hashlib
import json
import os
import re
import signal
import struct
import subprocess
import sys
import zlib

sys.path.insert(0, "/fsb/tests/vm/lib")
import deadfs  # noqa: E402
import experiments  # noqa: E402
from fsbtest import disk, diskstats, done, equal, fsbctl, name_of, note, ok, read, run, skip, write  # noqa: E402

BIG, SMALL, SECOND, NVME = (disk(number) for number in range(4))
MIB = 1 << 20
OFFSET, SIZE = 64 * MIB, 384 * MIB
FILESYSTEMS = ["ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "nilfs2", "ntfs3", "ntfs-3g",
               "reiserfs"]
AT = "/tmp/mnt"

os.environ["FSBCTL_DATA"] = "/fsb"


def steps(*words):
    """target_steps with these words: what it said, a dict a step; the CompletedProcess."""
    result = run(["target_steps", *map(str, words)], check=False)
    said = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    return said, result


def checksum(device, start=0, size=None):
    """CRC of a stretch of the device, past the caches."""
    run(["blockdev", "--flushbufs", device])
    crc = 0
    with open(device, "rb") as file:
        end = file.seek(0, os.SEEK_END) if size is None else start + size
        file.seek(start)
        while start < end:
            block = file.read(min(4 * MIB, end - start))
            crc = zlib.crc32(block, crc)
            start += len(block)
    return crc


def touched(device):
    """What would count if something were written or discarded."""
    stats = diskstats(device)
    return stats["sectors_written"], stats["discards"]


def refused(what, pattern, *words, kind="refused", device=SMALL):
    """target_find() says no in one line, and not a byte is written."""
    os.sync()
    before, counted = checksum(device), touched(device)
    said, result = steps(*words)
    last = said[-1] if said else {"ok": True}
    ok(result.returncode == 1 and not last["ok"] and last["kind"] == kind and
       re.search(pattern, last["reason"]) and "\n" not in last["reason"], "refused: " + what,
       "%s\n%s" % (said, result.stderr))
    note("%s: %s [%s]" % (last.get("object"), last.get("reason"), last.get("hint")))
    equal((checksum(device), touched(device)), (before, counted), "not written: " + what)


def clean(device=SMALL, mib=2):
    """Nothing that anybody would know is left at either end."""
    with open(device, "r+b") as file:
        size = file.seek(0, os.SEEK_END)
        for place in (0, size - mib * MIB):
            file.seek(place)
            file.write(bytes(mib * MIB))
        file.flush()
        os.fsync(file.fileno())
    run(["blockdev", "--rereadpt", device], check=False)


@contextlib.contextmanager
def mounted(device, at=AT, options="ro"):
    """While the block lasts the device is mounted there; read-only nobody writes to it."""
    os.makedirs(at, exist_ok=True)
    run(["mount", "-o", options, device, at])
    try:
        yield
    finally:
        run(["umount", at])


def put(device, place, data):
    """Write bytes at a place of the device."""
    with open(device, "r+b") as file:
        file.seek(place)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def plain():
    """What is there and stands in nobody's way is named, and nothing is written."""
    clean()
    said, _ = steps("find", SMALL)
    equal((said[0]["ok"], said[0]["now"], said[0]["id"]),
          (True, "nothing that is known, not in use", "fsb1"), "an empty disk")
    ok(re.search(r"\b%s\b" % name_of(BIG), said[0]["others"]) and
       not re.search(r"\b%s\b" % name_of(SMALL), said[0]["others"]), "the others are named",
       said)
    run(["mkfs.ext4", "-q", "-F", "-L", "scr\x1btch", SMALL])
    with mounted(SMALL, options="rw"):
        write(AT + "/file", "mine")
    counted = touched(SMALL)
    said, _ = steps("find", SMALL)
    ok(said[0]["ok"] and re.fullmatch(
        r'ext4 "scr\\x1btch", last mounted \d{4}-\d\d-\d\d on %s, not in use' % AT,
        said[0]["now"]), "an ext4 with its name and when it was mounted", said)
    equal(touched(SMALL), counted, "nothing is written by looking")
    for word, expected in (("fsb1", True), ("fsb", False), ("fsb0", False), ("FSB1", False),
                           (name_of(SMALL), False), (SMALL, False), ("", False)):
        equal(steps("is", SMALL, word)[0][-1]["ok"], expected, "the word %r" % word)


def in_use():
    """Mounted, swap, held or opened exclusively, itself or a part of it."""
    clean()
    run(["mkfs.ext4", "-q", "-F", SMALL])
    with mounted(SMALL, options="rw"):
        write(AT + "/file", "mine")
    with mounted(SMALL):
        refused("a mounted disk", "is mounted on " + AT, "find", SMALL)
        refused("a mount point", "a directory or mount point", "find", AT)
        refused("a file", "is a file", "find", AT + "/file")
    with mounted(SMALL, "/boot"):
        refused("the disk of /boot", "carries /boot", "find", SMALL)
    run(["mkswap", SMALL])
    refused("a disk that is not there", "no such disk", "find", "/dev/nosuch", kind="missing")
    run(["swapon", SMALL])
    refused("a swap area", "is a swap area", "find", SMALL)
    run(["swapoff", SMALL])
    ok(steps("find", SMALL)[0][0]["now"].startswith("swap"), "a swap area out of use is named")
    with open(SMALL, "rb", opener=lambda path, flags: os.open(path, flags | os.O_EXCL)):
        refused("a disk that somebody has for himself", "opened by somebody", "find", SMALL)
    with open(SMALL, "r+b"):
        refused("a disk that somebody may write to", r"open for writing by python3", "find",
                SMALL)
    with open(SMALL, "rb"):
        ok(steps("find", SMALL)[0][0]["ok"], "who only reads does not matter")
    loop = run(["losetup", "-f", "--show", "-o", "1048576", SMALL]).stdout.strip()
    refused("a disk below a loop device", "the backing device of %s" % name_of(loop), "find",
            SMALL)
    run(["losetup", "-d", loop])
    clean()
    run(["dmsetup", "create", "fsbdm", "--table", "0 8192 linear %s 0" % SMALL])
    refused("a disk below device mapper", r"is part of dm-0 \(fsbdm\)", "find", SMALL)
    refused("a dm device", "stands on", "find", "/dev/mapper/fsbdm")
    run(["dmsetup", "remove", "fsbdm"])
    refused("the disk of the running system", "opened by somebody|carries|mounted", "find",
            "/dev/vda")
    run(["blockdev", "--setro", SMALL])
    refused("a read-only disk", "is read-only", "find", SMALL)
    run(["blockdev", "--setrw", SMALL])
    refused("a disk that is too small", "smaller than what is asked for", "find", "-s",
            129 * MIB, SMALL)
    refused("a range beyond its end", "smaller than what is asked for", "find", "-o", 24 * MIB,
            "-s", 16 * MIB, SMALL)
    refused("half a MiB", "whole numbers", "find", "-s", MIB + 512, SMALL, kind="usage")


def dead_server():
    """A file that is open on a filesystem whose server answers no more keeps nothing waiting."""
    clean()
    run(["modprobe", "fuse"])
    with deadfs.open_file("/tmp/dead") as opened:
        looker = subprocess.Popen(["stat", "-L", "/proc/%d/fd/%d" % opened])
        said = steps("find", SMALL)[0]
        ok(said and said[0]["ok"], "the disk is looked at beside a dead server", said)
        equal(looker.poll(), None, "which still keeps waiting whoever asks it")
        with open(SMALL, "r+b"):
            refused("one who may write to it beside that", "open for writing by python3", "find",
                    SMALL)
    looker.wait()


def elsewhere():
    """A mount that only another namespace has."""
    clean()
    run(["mkfs.ext4", "-q", "-F", SMALL])
    os.makedirs(AT, exist_ok=True)
    holder = os.fork()
    if not holder:
        os.execvp("unshare", ["unshare", "-m", "sh", "-c",
                              "mount -o ro %s %s && touch /tmp/ready && sleep 100" % (SMALL, AT)])
    while not os.path.exists("/tmp/ready"):
        os.sched_yield()
    refused("a mount of another namespace", "is mounted on %s by process" % AT, "find", SMALL)
    os.kill(holder, signal.SIGKILL)
    os.waitpid(holder, 0)
    run("pkill -9 -x sleep; sleep 0.5", check=False)


def members():
    """What is a part of something larger, whether or not that runs."""
    clean()
    run(["pvcreate", "-q", "-f", "-y", SMALL])
    refused("an LVM physical volume", "LVM physical volume", "find", SMALL)
    clean()
    if run(["modprobe", "raid1"], check=False).returncode:
        skip("md", "no raid1 in this kernel")
    else:
        run(["mdadm", "--create", "/dev/md9", "--run", "--level=1", "--raid-devices=2",
             "--metadata=1.2", SMALL, "missing"])
        refused("a running md array's member", "is part of md9", "find", SMALL)
        run(["mdadm", "--stop", "/dev/md9"])
        refused("a stopped md array's member", "member of an md array", "find", SMALL)
    clean()
    run(["mkfs.btrfs", "-q", "-f", "-d", "single", "-m", "single", SECOND, BIG])
    refused("a device of a btrfs of two", "one of several devices of a btrfs", "find", SECOND,
            device=SECOND)
    run(["modprobe", "btrfs"])
    run(["btrfs", "device", "scan"])
    with mounted(BIG):
        refused("the same, the other one mounted", "is mounted on|opened by", "find", SECOND,
                device=SECOND)
    clean(SECOND)
    clean(BIG)
    run(["mkfs.btrfs", "-q", "-f", SECOND])
    ok(steps("find", SECOND)[0][0]["now"].startswith("btrfs"), "a btrfs of one is named")
    clean()
    put(SMALL, 0, b"LUKS\xba\xbe" + struct.pack(">H", 1) + bytes(592))
    refused("LUKS", "a LUKS container", "find", SMALL)
    clean()
    clean(SECOND)	# ZFS takes none smaller than 64 MiB
    for block in range(32):
        put(SECOND, 128 * 1024 + block * 1024,
            struct.pack("<QQQQQ", 0x00bab10c, 5000, block, block, block))
    refused("ZFS", "a member of a ZFS pool", "find", SECOND, device=SECOND)
    clean(SECOND)


def tables():
    """Partition tables, and partitions."""
    first, second = SMALL + "1", SMALL + "2"
    run("printf 'label: dos\\n2048,16384\\n18432,24576\\n' | sfdisk -q " + SMALL)
    refused("an MBR", r"has a partition table \(dos\)", "find", SMALL)
    run("printf 'label: gpt\\n2048,16384,U\\n18432,24576\\n' | sfdisk -q " + SMALL)
    refused("a GPT", r"has a partition table \(gpt\)", "find", SMALL)
    refused("an EFI system partition", "EFI system partition", "find", first)
    run(["mkfs.ext4", "-q", "-F", first])
    with mounted(first):
        refused("a disk with a mounted partition", "%s is mounted on" % name_of(first), "find",
                SMALL)
        said, _ = steps("find", second)
        equal((said[0]["ok"], said[0]["partition"]), (True, name_of(second)),
              "a partition beside one that is in use")
        ok("%s (%s)" % (name_of(SMALL), AT) in said[0]["others"], "which is said", said)
        refused("the same when settings change", "settings are to change, and %s is mounted" %
                name_of(first), "find", "-S", second)
        refused("results on the disk that is measured", "results would lie on", "find", "-d",
                AT + "/new/runs.db", second)
    refused("an offset in a partition", "used from its start", "find", "-o", MIB, second,
            kind="usage")
    uuid = run(["blkid", "-p", "-o", "value", "-s", "PART_ENTRY_UUID", second]).stdout.strip()
    for word, expected in ((uuid, True), (uuid.upper(), False), ("fsb1", True)):
        equal(steps("is", second, word)[0][-1]["ok"], expected, "the word %s" % word)
    before = checksum(SMALL, 0, 9 * MIB), checksum(SMALL, 17 * MIB)
    made = steps("make", "-s", 8 * MIB, second, "ext4", "ntfs-3g")
    ok(made[1].returncode == 0, "filesystems on half of a partition", made)
    equal((checksum(SMALL, 0, 9 * MIB), checksum(SMALL, 17 * MIB)), before,
          "only that half is written")
    clean()


def partition_of_member():
    """The disk is a member as a whole, and shows partitions all the same."""
    if run(["modprobe", "raid1"], check=False).returncode:
        return
    run(["mdadm", "--create", "/dev/md9", "--run", "--level=1", "--raid-devices=2",
         "--metadata=1.0", SMALL, "missing"])
    run(["mdadm", "--stop", "/dev/md9"])
    run("printf 'label: dos\\n2048,16384\\n' | sfdisk -q --wipe never " + SMALL)
    refused("a partition of a disk that is a member", "its disk as a whole is a member", "find",
            SMALL + "1")
    clean()


def kernel_partitions():
    """Partitions that only the kernel knows: ours is taken over, others are somebody's."""
    run(["addpart", SMALL, "1", "2048", "32768"])
    refused("a partition without a table", "the kernel has partitions on it", "find", SMALL)
    said, _ = steps("find", "-o", MIB, "-s", 16 * MIB, SMALL)
    equal(said[0]["ok"], True, "one that is just the range")
    ok(os.path.exists("/sys/class/block/%s1" % name_of(SMALL)), "looking leaves it there")
    said, result = steps("claimed", "-o", MIB, "-s", 16 * MIB, SMALL, "--", "true")
    equal((result.returncode, os.path.exists("/sys/class/block/%s1" % name_of(SMALL))),
          (0, False), "taken over, and taken away at the end")


def parts(device):
    """The kernel's partitions of a disk."""
    name = name_of(device)
    return [entry for entry in os.listdir("/sys/block/" + name) if entry.startswith(name)]


def filesystems():
    """Each filesystem in a range of a disk: nothing outside it is written."""
    pattern = os.urandom(MIB)
    for place in list(range(0, 64)) + list(range(448, 512)):
        put(BIG, place * MIB, pattern)
    outside = (0, OFFSET), (OFFSET + SIZE, 64 * MIB)
    before = [checksum(BIG, *where) for where in outside]
    for name in FILESYSTEMS:
        said, result = steps("make", "-o", OFFSET, "-s", SIZE, BIG, name)
        last = said[-1] if said else {}
        if last.get("step") == "usable":
            skip(name, last["reason"])
            continue
        ok(result.returncode == 0 and last.get("step") == "unmount", name + ": made and mounted",
           "%s\n%s" % (said, result.stderr))
        options = [step for step in said if step["step"] == "options"]
        ok(options and not options[0]["difference"], name + ": its usual options are known",
           options)
        equal([checksum(BIG, *where) for where in outside], before,
              name + ": nothing outside the range is written")
        equal(parts(BIG), [], name + ": no partition is left")
    everything = steps("make", "-o", OFFSET, "-s", SIZE, BIG, *FILESYSTEMS)
    ok(everything[1].returncode == 0, "one after the other in one partition", everything)
    equal([checksum(BIG, *where) for where in outside], before, "and nothing outside again")


def killed():
    """kill -9 while it is mounted: the next run finds what was left."""
    said, result = steps("die", "-o", OFFSET, "-s", SIZE, BIG, "ext4")
    equal((result.returncode, len(parts(BIG))), (-signal.SIGKILL, 1), "killed: a partition is left")
    refused("what a killed run has left mounted", "is mounted on /tmp/target", "find", "-o",
            OFFSET, "-s", SIZE, BIG, device=SMALL)
    run(["umount", "/tmp/target"])
    said, result = steps("make", "-o", OFFSET, "-s", SIZE, BIG, "ext4")
    ok(result.returncode == 0, "the next run takes it over", (said, result.stderr))
    equal(parts(BIG), [], "and takes it away")


def meanwhile():
    """What changes between looking and writing is noticed."""
    words = "claimed", "-o", OFFSET, "-s", SIZE, BIG, "--", "sh", "-c"
    for what, command, pattern in (
            ("a filesystem that somebody made", "mkfs.ext4 -q -F $NODE", "has made ext4"),
            ("a physical volume", "pvcreate -q -f -y $NODE", "LVM"),
            ("a mount", "mkfs.ext2 -q -F $NODE; mount $NODE " + AT, "mounted on"),
            ("a read-only disk", "blockdev --setro " + BIG, "read-only")):
        said, result = steps(*words, command)
        ok(result.returncode == 1 and said[-1]["step"] == "recheck" and
           re.search(pattern, said[-1]["reason"]), "meanwhile: " + what,
           (said, result.stderr))
        run(["umount", AT], check=False)
        run(["blockdev", "--setrw", BIG])
        run(["delpart", BIG, "1"], check=False)
        put(BIG, OFFSET, bytes(2 * MIB))
    said, result = steps(*words, "! delpart %s 1 && ! blockdev --rereadpt %s" % (BIG, BIG))
    ok(result.returncode == 0 and said[-1]["step"] == "recheck",
       "nobody takes the partition away while it is claimed", (said, result.stderr))
    equal(parts(BIG), [], "it is taken away at the end")


def trim_and_fill():
    """Of a range of a disk, and no more."""
    pattern = os.urandom(MIB)
    for place in range(64):
        put(NVME, place * MIB, pattern)
    before = checksum(NVME, 0, 16 * MIB), checksum(NVME, 48 * MIB)
    inside = checksum(NVME, 16 * MIB, 32 * MIB)
    said, result = steps("fill", "-o", 16 * MIB, "-s", 32 * MIB, NVME)
    ok(result.returncode == 0 and checksum(NVME, 16 * MIB, 32 * MIB) != inside, "filled",
       (said, result.stderr))
    said, result = steps("trim", "-o", 16 * MIB, "-s", 32 * MIB, NVME)
    ok(result.returncode == 0 and
       checksum(NVME, 16 * MIB, 32 * MIB) == zlib.crc32(bytes(32 * MIB)), "trimmed",
       (said, result.stderr))
    equal((checksum(NVME, 0, 16 * MIB), checksum(NVME, 48 * MIB)), before,
          "trim and fill: nothing outside the range")


def images():
    """A file made for the purpose."""
    path = "/tmp/image"
    said, result = steps("make", "-f", path, "-F", 64 * MIB, "ext4", "ext2")
    ok(result.returncode == 0, "an image", (said, result.stderr))
    equal(run(["losetup", "-a"]).stdout, "", "its loop device is gone")
    equal(os.stat(path).st_size, 64 * MIB, "the image stays")
    refused("a file that exists", "there is such a file", "find", "-f", path, "-F", 64 * MIB)
    os.symlink("/tmp/nowhere", "/tmp/link")
    refused("a link in its place", "there is such a file", "find", "-f", "/tmp/link", "-F",
            64 * MIB)
    refused("an image larger than there is room", "no room for it", "find", "-f", path + "2",
            "-F", 1 << 50)
    equal(os.path.exists(path + "2"), False, "none is made then")
    os.unlink(path)


# Each would have root write to, or read from, something other than the target.
HOSTILE = [
    ("btrfs", "mkfs: OTHER"), ("btrfs", "mkfs: --rootdir=/etc"), ("btrfs", "mkfs: -- OTHER"),
    ("ext4", "mkfs: -z /etc/undo -d /etc"), ("ext4", "mkfs: -J device=OTHER"),
    ("xfs", "mkfs: '-l logdev=OTHER,size=16m'"), ("xfs", "mkfs: -d name=OTHER"),
    ("f2fs", "mkfs: -c OTHER"), ("reiserfs", "mkfs: -j OTHER"),
    ("ext4", "mount: journal_path=OTHER"), ("ext4", "mount: loop"), ("xfs", "mount: logdev=OTHER"),
    ("ext4", "mount: remount"), ("ext4", "mount: bind"), ("ext4", "mount: X-mount.mkdir=/etc/x"),
    ("btrfs", "mount: device=OTHER"), ("ntfs-3g", "mount: usermapping=map"),
]


def etc():
    """One sum of all that is below /etc."""
    digest = hashlib.sha256()
    for folder, folders, names in sorted(os.walk("/etc")):
        for name in sorted(folders) + sorted(names):
            path = os.path.join(folder, name)
            digest.update(b"%s %o" % (path.encode(), os.lstat(path).st_mode))
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    digest.update(file.read())
    return digest.hexdigest()


def hostile():
    """Options of a matrix that reach beyond the target are refused with their line, everywhere."""
    experiments.workload("nothing", "true")
    image, paths = "/tmp/hostile.img", []
    before = checksum(SECOND), touched(SECOND), checksum(BIG), touched(BIG), etc()
    for number, (filesystem, line) in enumerate(HOSTILE):
        paths.append("/tmp/hostile%d.yaml" % number)
        write(paths[-1], "schema: fsbstat-matrix/1\nname: hostile\nall:\n  fs: %s\n  %s\n"
              "workloads: [nothing]\nrepeat: {min: 1, max: 1}\n"
              % (filesystem, line.replace("OTHER", SECOND)))
    said = fsbctl("validate", *paths)
    ok(said.returncode == 2 and not said.stdout and
       all("fsbctl: %s:5: m" % path in said.stderr for path in paths),
       "hostile options: validate refuses each with its line", said.stderr + said.stdout)
    bad = []
    for number, path in enumerate(paths):
        to = ("--file", image, "--size", "400MiB") if number % 2 else (BIG, "--destroy", "fsb0")
        more = ("--plan",) if number % 4 < 2 else ()
        said = fsbctl("run", path, "--db", "/tmp/hostile.db", *to, *more)
        if said.returncode != 2 or "fsbctl: %s:5: m" % path not in said.stderr:
            bad.append((path, said.returncode, said.stderr))
    equal(bad, [], "hostile options: run and its plan refuse each with its line")
    equal((checksum(SECOND), touched(SECOND), checksum(BIG), touched(BIG), etc()), before,
          "hostile options: two disks and /etc are as they were")
    equal(os.path.exists(image), False, "hostile options: no image is made")


def as_planned():
    """The commands that a plan shows are the ones that are run, word by word."""
    experiments.matrix("nothing", "[{name: a, fs: ext4, mkfs: '-b 1024 -E stride=16', "
                       "mount: noatime}]", "{min: 1, max: 1}", "target: {size: 64MiB}")
    os.makedirs("/tmp/shims", exist_ok=True)
    for name in ("mkfs.ext4", "mount"):
        real = run("command -v " + name).stdout.strip()
        write("/tmp/shims/" + name, "#!/bin/sh\necho %s \"$@\" >> /tmp/commands\n"
              "exec %s \"$@\"\n" % (name, real))
        os.chmod("/tmp/shims/" + name, 0o755)
    plan = json.loads(fsbctl("run", "--plan", "--json", experiments.MATRIX, BIG).stdout)
    path = os.environ["PATH"]
    os.environ["PATH"] = "/tmp/shims:" + path
    said = fsbctl(*experiments.words(BIG, "fsb0"))
    os.environ["PATH"] = path
    cell = plan["cells"][0]
    made, mounted = (" ".join(cell[key]) for key in ("mkfs_command", "mount_command"))
    ran = [line for line in read("/tmp/commands").splitlines() if not line.endswith(" -V")]
    equal((said.returncode, ran), (0, [made, mounted, mounted]),
          "the plan shows the commands that are run: " + made)
    text = " ".join(fsbctl("run", "--plan", experiments.MATRIX, BIG).stdout.split())
    ok("a: " + made in text and "a: " + mounted in text, "the plan shows them as text", text)


os.makedirs(AT, exist_ok=True)
if not os.path.lexists("/etc/mtab"):	# nilfs-tools want one
    os.symlink("/proc/self/mounts", "/etc/mtab")
plain()
in_use()
dead_server()
elsewhere()
members()
tables()
partition_of_member()
kernel_partitions()
filesystems()
killed()
meanwhile()
trim_and_fill()
images()
hostile()
as_planned()
note(read("/proc/version"))
done()
