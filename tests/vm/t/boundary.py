# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=256M --disk sata,size=32M
# cost: 30
"""What root reads, runs and writes: files of other users decide nothing of it.

Each case tries to have something written outside the target; /etc and the second disk are the
same afterwards.
"""

import contextlib
import glob
import hashlib
import json
import os
import sys
import zlib

sys.path.insert(0, "/fsb/tests/vm/lib")
from fsbtest import disk, done, equal, fsbctl, ok, run  # noqa: E402

TARGET, OTHER = disk(0), disk(1)
HOME = "/home/boundary"
CALLER, STRANGER = 4321, 4322
VICTIM = "/etc/fsb-victim"
USAGE, REFUSED = 2, 3
HEAD = ("schema: fsbstat-workload/1\nname: mine\ntitle: mine\nunit: s\nbetter: less\n"
        "command: 'true'\n")


def outside():
    """All that no case may change: files of /etc with their owners, the other disk's bytes."""
    state = {}
    for folder, _, names in os.walk("/etc"):
        for path in (os.path.join(folder, name) for name in names):
            with contextlib.suppress(OSError):
                status = os.lstat(path)
                what = os.readlink(path) if os.path.islink(path) else ""
                if os.path.isfile(path) and not what:
                    with open(path, "rb") as file:
                        what = hashlib.sha256(file.read()).hexdigest()
                state[path] = (what, status.st_uid, status.st_mode)
    run(["blockdev", "--flushbufs", OTHER])
    with open(OTHER, "rb") as file:
        state[OTHER] = zlib.crc32(file.read())
    return state


def unchanged(before, what):
    after = outside()
    changed = sorted(path for path in before.keys() | after.keys()
                     if before.get(path) != after.get(path))
    equal(changed, [], what + ": nothing outside the target has changed")


def put(path, text, owner=0, mode=0o644):
    """A file below the caller's home, whose folders are his."""
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    while folder.startswith(HOME):
        os.chown(folder, CALLER, CALLER)
        folder = os.path.dirname(folder)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    os.chown(path, owner, owner)
    os.chmod(path, mode)
    return path


def matrix(fs="ext4", more="", workload="mine"):
    return put(HOME + "/matrix.yaml", "schema: fsbstat-matrix/1\nname: m\n"
               "configurations: [{name: a, fs: %s%s}]\nworkloads: [%s]\n"
               "repeat: {min: 1, max: 1}\n" % (fs, more, workload), CALLER)


def as_sudo():
    """As `sudo -E` leaves it: the caller's home and variables, root's rights."""
    os.environ.update(HOME=HOME, SUDO_UID=str(CALLER), XDG_CONFIG_HOME=HOME + "/.config",
                      XDG_DATA_HOME=HOME + "/.local/share", XDG_STATE_HOME=HOME + "/.local/state")


def looking():
    """validate and --plan evaluate, and run nothing."""
    touch = "touch " + VICTIM
    mine = HOME + "/.config/fsbctl/workloads/mine.yaml"
    put(mine, HEAD + "space: '$(%s)'\n" % touch, CALLER)
    result = fsbctl("validate", matrix())
    equal(result.returncode, USAGE, "a workload whose space is a command is a mistake")
    ok("mine.yaml:7" in result.stderr, "it is reported with its line", result.stderr)
    put(mine, HEAD + "space: 1000 * 1000\nneeds: %s\nversion: %s\n" % (touch, touch), CALLER)
    equal(fsbctl("validate", matrix()).returncode, 0, "validate runs no needs")
    result = fsbctl("run", matrix(), TARGET, "--plan")
    equal(result.returncode, 0, "--plan neither")
    ok("mine.yaml, which belongs to %d" % CALLER in " ".join(result.stdout.split()),
       "the plan names a workload of the caller's, and whose it is", result.stdout)
    for owner, mode, words in ((STRANGER, 0o644, "belongs to user"), (CALLER, 0o666, "any user")):
        put(mine, HEAD, owner, mode)
        result = fsbctl("run", matrix(), TARGET, "--plan")
        equal(result.returncode, REFUSED, "one that others can change is refused: " + words)
        ok(words in result.stderr, "and it says why", result.stderr)
    put(mine, HEAD, CALLER)


def restoring():
    """A saved state of another user's, one with a path in it, and a FIFO."""
    run(["fsbctl", "set", TARGET, "nr_requests=32"])
    saved, = glob.glob("/run/fsbctl/*.json")
    with open(saved, encoding="ascii") as file:
        state = json.load(file)
    state["saved"][0]["name"] = "../" * 15 + VICTIM[1:]
    own = HOME + "/.local/state/fsbctl/" + os.path.basename(saved)
    for path, owner in ((own, CALLER), (saved, 0)):
        put(path, json.dumps(state), owner)
        os.mkfifo(os.path.dirname(path) + "/x.json")
        os.chown(os.path.dirname(path) + "/x.json", owner, owner)
    for command in (["list"], ["restore", "--all"], ["restore", "--force", TARGET]):
        run(["timeout", "60", "fsbctl"] + command, check=False)
    result = run(["timeout", "60", "fsbctl", "list"], check=False)
    equal(result.returncode, 0, "list does not wait for a FIFO among the saved settings")
    ok("x.json: ignored: not a regular file" in result.stderr, "and says so", result.stderr)
    ok(not os.path.exists(VICTIM), "a path among the saved names is not written")
    os.unlink("/run/fsbctl/x.json")
    os.unlink(saved)


def writing():
    """Where root is told to write there is a link of another user's."""
    folder = "/home/stranger"
    os.makedirs(folder)
    os.chown(folder, STRANGER, STRANGER)
    put(VICTIM, "precious\n")
    before = outside()
    for where in (folder, "/tmp"):
        path = where + "/out"
        os.symlink(VICTIM, path)
        os.lchown(path, STRANGER, STRANGER)
        for option in ("-o", "--snapshots"):
            result = fsbctl("record", TARGET, option, path, "--", "true")
            ok(result.returncode and "refused: " in result.stderr,
               "record %s does not follow it in %s" % (option, where), result.stderr)
    unchanged(before, "files to be written")
    os.unlink(VICTIM)


def running():
    """A run as root with the caller's home: the rest stays as it is."""
    result = fsbctl("run", matrix(), TARGET, "--destroy", "fsb0", "--settle", "0.1s", "-q")
    equal(result.returncode, 0, "a run of the caller's workload")
    ok(not result.stderr or result.returncode == 0, "without an error", result.stderr)
    found = run(["find", HOME, "-uid", "0"]).stdout
    equal(found, "", "nothing of root's is left in the caller's home")
    result = fsbctl("report")
    ok("m-1" in result.stdout, "root's own home has the run", result.stderr)


def main():
    os.makedirs(HOME, exist_ok=True)
    as_sudo()
    before = outside()
    for case in (looking, restoring, writing, running):
        case()
        unchanged(before, case.__doc__.split(":")[0].rstrip("."))
    done()


main()
