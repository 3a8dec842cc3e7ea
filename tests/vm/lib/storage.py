# SPDX-License-Identifier: GPL-2.0-or-later
"""QEMU's storage below the first SATA disk, made to fail, for the tests in tests/vm/t."""

import contextlib

from fsbtest import qmp


def below(node):
    """Put this node of QEMU's below the disk."""
    qmp("qom-set", path="/machine/peripheral/dev-fsb0", property="drive", value=node)


def make(size):
    """Make two storages that keep nothing, one for the disk when all is well, one to spoil."""
    for node in ("good", "below"):
        qmp("blockdev-add", driver="null-co", size=size,
            **{"node-name": node, "read-zeroes": True})
    below("good")


@contextlib.contextmanager
def failing(**rule):
    """While the block lasts the storage is one that fails as blkdebug's rule says."""
    qmp("blockdev-add", driver="blkdebug", image="below",
        **{"node-name": "failing", "inject-error": [dict(rule, event="none", errno=5)]})
    below("failing")
    try:
        yield
    finally:
        below("good")
        qmp("blockdev-del", **{"node-name": "failing"})
