/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place: what tells disks apart that call themselves the same.  For settings and runs. */
#ifndef FSB_DISK_PLACE_H
#define FSB_DISK_PLACE_H

#include "disk/describe.h"

struct disk_place {
	char port[256]; /* where it is plugged in, without the numbers of this boot; "" unknown */
	long long size; /* bytes, 0 unknown */
	long long diskseq; /* the kernel's number of this appearance, in this boot; -1 unknown */
};

void disk_place(const struct disk_info *info, struct disk_place *place);

#endif /* FSB_DISK_PLACE_H */
