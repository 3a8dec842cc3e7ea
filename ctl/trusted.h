/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trusted: whether a file may decide what root does.  It may if only root can change what its path
 * leads to: the file, each folder above it, each link on the way.  Anything may call it.
 *
 * A process that is not root acts with its caller's rights alone: for it everything is trusted.
 */
#ifndef FSB_TRUSTED_H
#define FSB_TRUSTED_H

#include <stddef.h>

/* Who besides root may be able to change it. */
enum trusted_by {
	TRUSTED_ROOT, /* no other user */
	TRUSTED_CALLER, /* the user who called sudo (SUDO_UID) */
	TRUSTED_ANYBODY, /* it is only shown, or was named by its path */
};

/* 0, or -1 with errno and the reason in @why: EPERM when it is not trusted. */
int trusted_path(const char *path, enum trusted_by by, char *why, size_t size);

/*
 * Opens a trusted regular file for reading; a FIFO or a device is refused without waiting for it.
 * A descriptor, or -1 with errno and the reason in @why.
 */
int trusted_open(const char *path, enum trusted_by by, char *why, size_t size);

/* Name of a user, or his number as text; for the same process until the next call. */
const char *trusted_user_name(unsigned int uid);

#endif /* FSB_TRUSTED_H */
