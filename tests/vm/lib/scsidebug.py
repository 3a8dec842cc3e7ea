# SPDX-License-Identifier: GPL-2.0-or-later
"""A disk of scsi_debug that misbehaves on command, for the tests in tests/vm/t."""

import contextlib
import glob
import os

from fsbtest import run, write
from watched import until

PLACE = "/sys/bus/pseudo/drivers/scsi_debug/"
DISKS = PLACE + "adapter0/host*/target*/*/block/sd*"
# what opts can ask for
MEDIUM, TIMEOUT, RECOVERED, TRANSPORT, SHORT, BUSY = 0x2, 0x4, 0x8, 0x10, 0x100, 0x8000
MEDIUM_SECTOR = 0x1234		# the first bad sector unless told otherwise


@contextlib.contextmanager
def disk():
    """A disk for as long as the block lasts; its counters are exact from the first on."""
    run(["modprobe", "scsi_debug", "dev_size_mb=64", "max_queue=16", "statistics=1"])
    until(lambda: glob.glob(DISKS + "/queue"), "scsi_debug made no disk", 30)
    try:
        yield "/dev/" + os.path.basename(glob.glob(DISKS)[0])
    finally:
        run(["modprobe", "-r", "scsi_debug"])


@contextlib.contextmanager
def every(nth, opts):
    """It misbehaves on every nth command; its counting begins anew."""
    write(PLACE + "every_nth", nth)
    write(PLACE + "opts", opts)
    try:
        yield
    finally:
        write(PLACE + "opts", 0)
        write(PLACE + "every_nth", 0)
