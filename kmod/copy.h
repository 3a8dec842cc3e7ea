/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * copy: the memory of what a dump has copied and its reader has not yet read.  A reader that does
 * not read keeps it, so what each user may keep is bounded: no user takes the room of another.
 */
#ifndef FSB_COPY_H
#define FSB_COPY_H

#include <linux/uidgid.h>

/* All readers with the capability together, and each user without it. */
#define FSB_COPIES_MAX	    (64UL << 20)
#define FSB_COPIES_USER_MAX (32UL << 20)

void *fsb_copy_alloc(size_t size, kuid_t uid);
void fsb_copy_free(void *data);

#endif /* FSB_COPY_H */
