// SPDX-License-Identifier: GPL-2.0-or-later
/* remount: one option of a mounted filesystem, see remount.h. */
#include "disk/remount.h"

#include <errno.h>
#include <libmount.h>
#include <stdio.h>
#include <string.h>

const char *mount_barrier(const char *fstype, const char *options)
{
	static const char *const types[] = {"ext3", "ext4",   "btrfs",	 "f2fs",
					    "gfs2", "nilfs2", "reiserfs"};
	char *value = NULL;
	size_t i, len = 0;

	for (i = 0; i < sizeof(types) / sizeof(types[0]) && strcmp(fstype, types[i]); i++)
		;
	if (i == sizeof(types) / sizeof(types[0]))
		return "";
	if (!mnt_optstr_get_option(options, "nobarrier", NULL, NULL))
		return "nobarrier";
	if (!mnt_optstr_get_option(options, "barrier", &value, &len) &&
	    ((len == 1 && *value == '0') || (len == 4 && !strncmp(value, "none", 4))))
		return "nobarrier";
	return "barrier";
}

int remount_with(const char *target, const char *option, char *why, size_t size)
{
	struct libmnt_context *context = mnt_new_context();
	char options[128];
	int err = -1;

	if (!context) {
		snprintf(why, size, "%s", strerror(ENOMEM));
		return -1;
	}
	snprintf(options, sizeof(options), "remount,%s", option);
	/* What fstab says is not wanted: what is mounted now is to stay. */
	if (!mnt_context_disable_helpers(context, 1) && !mnt_context_set_target(context, target) &&
	    !mnt_context_set_options(context, options) &&
	    !mnt_context_set_optsmode(context, MNT_OMODE_MTAB | MNT_OMODE_PREPEND))
		err = mnt_context_mount(context);
	if (err)
		(void)mnt_context_get_excode(context, err, why, size);
	mnt_free_context(context);
	return err ? -1 : 0;
}
