// SPDX-License-Identifier: GPL-2.0-or-later
/* option_refused: mount options that a matrix may not give; see option_refused.h. */
#include "bench/option_refused.h"

#include <stdio.h>
#include <string.h>

#define WHOLE_PATH "names a path: the filesystem is mounted as a whole"

/* By name, a '*' at its end for any name that begins so. */
static const struct {
	const char *names; /* separated by blanks */
	const char *reason;
} refused[] = {
	{"loop* offset sizelimit encryption verity* roothash*",
	 "makes mount(8) set up another device"},
	{"bind rbind move remount shared rshared slave rslave private rprivate unbindable "
	 "runbindable",
	 "makes mount(8) do something other than mount this filesystem"},
	{"x-* X-*", "is for mount(8) or systemd, not for the filesystem"},
	{"helper uhelper subtype", "names a program for mount(8) to run"},
	{"user users owner group nofail", "changes what mount(8) allows, not the filesystem"},
	{"context fscontext defcontext rootcontext", "is for SELinux, not for the filesystem"},
	{"journal_dev journal_path journal_device journal jdev jdev_path logdev rtdev device "
	 "devices dev_path hashdevice metadev",
	 "names a second device"},
	{"usrjquota grpjquota prjjquota usermapping", "names a file"},
	{"subvol lowerdir upperdir workdir", WHOLE_PATH},
	{"fsname fd rootmode user_id group_id", "is what mount(8) tells FUSE"},
};

/* Ends of names of options yet unknown whose values are no numbers or switches. */
static const char *const suspicious[] = {"dev", "device", "path", "file", "dir", "helper"};

static bool is_pattern_of(const struct option_word *pattern, const struct option_word *word)
{
	size_t begin = pattern->len - 1;

	if (pattern->at[begin] == '*')
		return word->name >= begin && !strncmp(pattern->at, word->at, begin);
	return option_same_name(pattern, word);
}

static bool ends_with(const struct option_word *word, const char *end)
{
	size_t len = strlen(end);

	return word->name >= len && !strncmp(word->at + word->name - len, end, len);
}

const char *option_refused(const struct option_word *word, bool known)
{
	bool has_value = word->name < word->len;

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		const char *names = refused[i].names;
		struct option_word pattern;

		while (option_next(&names, &pattern))
			if (is_pattern_of(&pattern, word))
				return refused[i].reason;
	}
	for (size_t i = 0; i < word->len; i++)
		if (strchr("/\\\"'$`", word->at[i]))
			return "has a path or a quote in it";
	for (size_t i = 0; has_value && !known && i < sizeof(suspicious) / sizeof(*suspicious); i++)
		if (ends_with(word, suspicious[i]))
			return "may name another device or a file";
	return NULL;
}

const char option_mount_words[] =
	"defaults auto noauto nouser _netdev comment=word silent loud ro rw sync async "
	"dirsync atime noatime diratime nodiratime relatime norelatime strictatime "
	"nostrictatime lazytime nolazytime suid nosuid dev nodev exec noexec iversion "
	"noiversion mand nomand symfollow nosymfollow";

bool option_of_mount(const struct option_word *word)
{
	return option_fit(option_mount_words, word, NULL) == OPTION_FITS;
}
