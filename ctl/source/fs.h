/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fs: the filesystem layer of a snapshot: what the module counted of all superblocks, and
 * which of them lie on the disk.  For whoever takes snapshots from the module.
 */
#ifndef FSB_SOURCE_FS_H
#define FSB_SOURCE_FS_H

#include "disk/mounts.h"
#include "source/module.h"

/*
 * Sets snap->fs; leaves it NULL, and returns 0, when the module cannot say (it is of an
 * earlier release, or gone).  -ENOMEM.  @mounts: of the disk.  *found is 0 at first and kept
 * by the caller: the module is asked about its hooks only while one is missing that would
 * count what is mounted, for those of a mounted filesystem stay.
 */
int fs_of_disk(struct module *module, const struct disk *disk, const struct mounts *mounts,
	       uint32_t *found, struct snapshot *snap);

/*
 * Leaves in @callers those of filesystems on the disk, or among the mounts of before.  Those
 * without a row of their own called for any disk, and go.
 */
void fs_keep_callers(struct owners *callers, const struct disk *disk,
		     const struct mounts *before);

/* Calls of fsync are counted for filesystems of this type, where their hook is found. */
bool fs_type_is_counted(const char *type);

#endif /* FSB_SOURCE_FS_H */
