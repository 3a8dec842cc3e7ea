# SPDX-License-Identifier: GPL-2.0-or-later
# vm: --disk sata,size=256M --disk scsi,size=256M --disk nvme,size=256M --disk virtio,size=256M
# kernels: bullseye bookworm-rt trixie forky
# cost: 40
"""`fsbctl set` and `restore` on kernels that have other ideas of the cache and of schedulers."""

import os
import sys

sys.path.insert(0, "/fsb/tests/vm/lib")
from fsbtest import disk, done  # noqa: E402
from knobs import cache, everything, flushed  # noqa: E402


def main():
    for number, what in enumerate(("sata", "scsi", "nvme", "virtio")):
        cache(disk(number), what)
    flushed(disk(0), "sata", 0 if os.environ["FSB_KERNEL"] == "bullseye" else 1)
    flushed(disk(1), "scsi", 0 if os.environ["FSB_KERNEL"] == "bullseye" else 1)
    flushed(disk(2), "nvme", 0)
    everything(disk(0), "sata", "write_cache=off", "ncq=1", "scheduler=none", "nr_requests=16")
    everything(disk(1), "scsi", "write_cache=off", "ncq=2", "scheduler=none", "nr_requests=16")
    everything(disk(2), "nvme", "write_cache=off", "scheduler=mq-deadline", "nr_requests=64")
    everything(disk(3), "virtio", "write_cache=off", "scheduler=none", "nr_requests=16")
    done()


main()
