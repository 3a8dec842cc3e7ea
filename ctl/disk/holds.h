/* SPDX-License-Identifier: GPL-2.0-or-later */
/* holds: whether something lies on a disk, through partitions, dm and md. */
#ifndef FSB_DISK_HOLDS_H
#define FSB_DISK_HOLDS_H

#include "disk/blockdev.h"

/* The disk is at the bottom of the device, alone or among others. */
bool disk_holds(const struct disk *disk, const struct blockdev *dev);

#endif /* FSB_DISK_HOLDS_H */
