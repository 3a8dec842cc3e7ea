/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * identity: what a disk calls itself, from what the kernel and udev already know
 * of it.  For describe.c only.
 */
#ifndef FSB_DISK_IDENTITY_H
#define FSB_DISK_IDENTITY_H

#include "disk/blockdev.h"
#include "disk/describe.h"

/* Fills by_id, serial, wwn, model, firmware and transport; "" where unknown. */
void identity_read(const struct blockdev *dev, struct disk_info *info);

#endif /* FSB_DISK_IDENTITY_H */
