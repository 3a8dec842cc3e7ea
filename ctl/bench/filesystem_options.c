// SPDX-License-Identifier: GPL-2.0-or-later
/* filesystem_options: whether what was mounted is what was asked for; see filesystem.h. */
#include "bench/filesystem.h"

#include <ctype.h>
#include <libmount.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk/kfile.h"

char *filesystem_effective(const char *at)
{
	struct libmnt_table *table = mnt_new_table();
	char path[512], *options = NULL;
	struct libmnt_fs *fs;

	if (!table || kfile_path(path, sizeof(path), "/proc/self/mountinfo") ||
	    mnt_table_parse_file(table, path))
		goto out;
	/* The last one of several on one another is the one that is seen. */
	fs = mnt_table_find_target(table, at, MNT_ITER_BACKWARD);
	if (fs && mnt_fs_get_options(fs))
		options = strdup(mnt_fs_get_options(fs));
out:
	mnt_unref_table(table);
	return options;
}

/* One option, as part of a list. */
struct word {
	const char *at;
	size_t len, name; /* of all; up to '=' */
};

static bool next(const char **list, struct word *word)
{
	while (**list == ',')
		(*list)++;
	word->at = *list;
	word->len = strcspn(*list, ",");
	word->name = 0;
	while (word->name < word->len && word->at[word->name] != '=')
		word->name++;
	*list += word->len;
	return word->len;
}

static bool is_named(const struct word *word, const char *name)
{
	return word->name == strlen(name) && !strncmp(word->at, name, word->name);
}

static bool is_word(const struct word *word, const char *text)
{
	return word->len == strlen(text) && !strncmp(word->at, text, word->len);
}

static bool is_one_of(const struct word *word, const char *const *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (strchr(list[i], '=') ? is_word(word, list[i]) : is_named(word, list[i]))
			return true;
	return false;
}

#define ONE_OF(word, list) is_one_of(word, list, sizeof(list) / sizeof(*(list)))

static bool list_names(const char *list, const char *name, struct word *found)
{
	bool is = false;
	struct word word;

	while (next(&list, &word))
		if (is_named(&word, name)) {
			*found = word;
			is = true;
		}
	return is;
}

/* For mount(8) and systemd; the kernel never hears of them. */
static const char *const of_mount[] = {"defaults", "auto",   "noauto",	"nofail", "user",
				       "users",	   "nouser", "_netdev", "loop",	  "comment",
				       "silent",   "loud",   "group",	"owner"};

/* Defaults that no kernel, or not each, shows; they hold while what undoes them is not there. */
static const struct {
	const char *word, *undone_by; /* ','-separated */
} unseen[] = {
	{"delalloc", "nodelalloc"},
	{"data=ordered", "data"},
	{"datacow", "nodatacow"},
	{"datasum", "nodatasum"},
	{"treelog", "notreelog"},
	{"acl", "noacl"},
	{"user_xattr", "nouser_xattr"},
	{"auto_da_alloc", "noauto_da_alloc"},
	{"init_itable", "noinit_itable"},
	{"block_validity", "noblock_validity"},
	{"dioread_nolock", "nodioread_nolock"},
	{"errors=continue", "errors"},
	{"commit=5", "commit"},
	{"commit=30", "commit"},
	{"order=strict", "order"},
	{"nr_inodes=0", "nr_inodes"},
	{"async", "sync"},
	{"exec", "noexec"},
	{"suid", "nosuid"},
	{"dev", "nodev"},
	{"atime", "noatime"},
	{"diratime", "nodiratime"},
	{"strictatime", "noatime,relatime"},
	/* their opposites are the ones that are shown */
	{"nodiscard", "discard"},
	{"noautodefrag", "autodefrag"},
	{"nossd", "ssd"},
	{"nolazytime", "lazytime"},
	{"norelatime", "relatime"},
	{"noiversion", "i_version,iversion"},
	{"noquota", "quota,usrquota,grpquota,prjquota,uquota,gquota,pquota"},
	{"compress=no", "compress,compress-force"},
	{"compress=none", "compress,compress-force"},
	{"nocompress", "compress,compress-force"},
	{"journal_checksum", "nojournal_checksum"},
};

/* Shown although nobody asked: defaults, and facts about the disk. */
static const char *const usual[] = {
	"rw",
	"relatime",
	"seclabel",
	"inode64",
	"inode32",
	"ssd",
	"discard=async",
	"space_cache",
	"subvol",
	"subvolid",
	"attr2",
	"logbufs",
	"logbsize",
	"noquota",
	"sunit",
	"swidth",
	"stripe",
	"errors",
	"size",
	"nr_inodes",
	"user_id",
	"group_id",
	"allow_other",
	"blksize",
	"uid",
	"gid",
	"iocharset",
	"default_permissions",
	"lazytime",
	"background_gc",
	"user_xattr",
	"inline_xattr",
	"acl",
	"inline_data",
	"inline_dentry",
	"flush_merge",
	"extent_cache",
	"mode",
	"active_logs",
	"alloc_mode",
	"checkpoint_merge",
	"fsync_mode",
	"memory",
	"discard_unit",
	"nogc_merge",
	"gc_merge",
	"barrier=1",
	"barrier=flush",
	"barrier",
	"data=ordered",
	"compress_mode",
	"windows_names",
	"no_heap",
	"heap",
	"nls",
	"attrs",
	"prealloc",
	"errors=remount-ro",
	"atgc",
	"age_extent_cache",
	"lookup_mode",
};

/* Defaults of one filesystem alone, told by another of its options that is always shown. */
static const struct {
	const char *word, *beside;
} usual_beside[] = {
	{"discard", "background_gc"}, /* f2fs */
};

static bool is_usual(const struct word *word, const char *effective)
{
	struct word found;

	for (size_t i = 0; i < sizeof(usual_beside) / sizeof(*usual_beside); i++)
		if (is_word(word, usual_beside[i].word) &&
		    list_names(effective, usual_beside[i].beside, &found))
			return true;
	return ONE_OF(word, usual);
}

/* ON or OFF when the word is about barriers, UNKNOWN when not. */
static enum tristate barrier_of(const struct word *word)
{
	if (is_word(word, "nobarrier") || is_word(word, "barrier=0") ||
	    is_word(word, "barrier=none") || is_word(word, "barrier=off"))
		return OFF;
	return is_named(word, "barrier") ? ON : UNKNOWN;
}

static bool without_barrier(const char *list)
{
	enum tristate is = UNKNOWN;
	struct word word;

	while (next(&list, &word))
		if (barrier_of(&word) != UNKNOWN)
			is = barrier_of(&word);
	return is == OFF;
}

static bool is_unseen_default(const struct word *word, const char *effective)
{
	struct word found, undo;

	for (size_t i = 0; i < sizeof(unseen) / sizeof(*unseen); i++) {
		const char *list = unseen[i].undone_by;
		bool undone = false;

		if (!is_word(word, unseen[i].word))
			continue;
		while (next(&list, &undo)) {
			char name[64];

			snprintf(name, sizeof(name), "%.*s", (int)undo.name, undo.at);
			undone |= list_names(effective, name, &found);
		}
		return !undone;
	}
	return false;
}

/* A number with a unit, as tmpfs takes and shows sizes; false: it is none. */
static bool number_of(const char *text, size_t len, unsigned long long *number)
{
	static const char units[] = "kmgtpe";
	char copy[32], *end;
	const char *unit;

	if (!len || len >= sizeof(copy) || !isdigit((unsigned char)*text))
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	*number = strtoull(copy, &end, 10);
	unit = *end ? strchr(units, tolower((unsigned char)*end)) : NULL;
	if (unit) {
		*number <<= 10 * (unit - units + 1);
		end++;
	}
	return !*end;
}

/* "zstd" is shown as "zstd:3", "512m" as "524288k"; of a percentage nothing can be said. */
static bool same_value(const struct word *asked, const struct word *shown)
{
	const char *left = asked->at + asked->name, *right = shown->at + shown->name;
	size_t nl = asked->len - asked->name, nr = shown->len - shown->name;
	unsigned long long a, b;

	if (!nl) /* asked for without a value: any will do, but v1 of this cache is shown so */
		return !nr || !is_named(asked, "space_cache");
	if (nr < 1)
		return false;
	if (nr >= nl && !strncmp(left, right, nl) && (nr == nl || right[nl] == ':'))
		return true;
	if (left[nl - 1] == '%')
		return true;
	return number_of(left + 1, nl - 1, &a) && number_of(right + 1, nr - 1, &b) && a == b;
}

static bool holds(const struct word *asked, const char *effective)
{
	struct word found;
	char name[128];

	if (ONE_OF(asked, of_mount) || !strncmp(asked->at, "x-", 2) || !strncmp(asked->at, "X-", 2))
		return true;
	if (barrier_of(asked) != UNKNOWN)
		return without_barrier(effective) == (barrier_of(asked) == OFF);
	snprintf(name, sizeof(name), "%.*s", (int)asked->name, asked->at);
	if (list_names(effective, name, &found))
		return same_value(asked, &found);
	return is_unseen_default(asked, effective);
}

/* Pairs of which the kernel keeps the later one, silently. */
static const char *loser_to(const struct word *word, const char *rest)
{
	static const char *const pairs[][2] = {
		{"compress", "nodatacow"},	 {"compress", "nodatasum"},
		{"compress-force", "nodatacow"}, {"compress-force", "nodatasum"},
		{"nodatacow", "compress"},	 {"nodatacow", "compress-force"},
		{"nodatasum", "compress"},	 {"nodatasum", "compress-force"},
	};
	struct word later;

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		if (is_named(word, pairs[i][0]) && list_names(rest, pairs[i][1], &later))
			return pairs[i][1];
	return NULL;
}

/* What is about the same thing: of these, too, only the last counts. */
static bool same_thing(const struct word *a, const struct word *b)
{
	static const char *const atime[] = {"noatime", "relatime", "strictatime", "atime",
					    "norelatime"};
	static const char *const compress[] = {"compress", "compress-force"};
	size_t skip_a = a->name > 2 && !strncmp(a->at, "no", 2) ? 2 : 0;
	size_t skip_b = b->name > 2 && !strncmp(b->at, "no", 2) ? 2 : 0;

	if ((ONE_OF(a, atime) && ONE_OF(b, atime)) || (ONE_OF(a, compress) && ONE_OF(b, compress)))
		return true;
	if ((is_word(a, "ro") && is_word(b, "rw")) || (is_word(a, "rw") && is_word(b, "ro")) ||
	    (is_word(a, "sync") && is_word(b, "async")) ||
	    (is_word(a, "async") && is_word(b, "sync")))
		return true;
	return a->name - skip_a == b->name - skip_b &&
	       !strncmp(a->at + skip_a, b->at + skip_b, a->name - skip_a);
}

static bool is_overruled(const struct word *word, const char *rest)
{
	struct word later;

	while (next(&rest, &later))
		if (same_thing(word, &later))
			return true;
	return false;
}

static void say(char *difference, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void say(char *difference, size_t size, const char *format, ...)
{
	size_t used = strlen(difference);
	va_list args;

	if (used && used + 3 < size) {
		strcpy(difference + used, "; ");
		used += 2;
	}
	va_start(args, format);
	vsnprintf(difference + used, size - used, format, args);
	va_end(args);
}

static bool all_asked_for(const char *asked, const char *effective, char *difference, size_t size)
{
	const char *list = asked;
	bool all = true;
	struct word word;

	while (next(&list, &word)) {
		const char *winner;

		if (is_overruled(&word, list) || holds(&word, effective))
			continue;
		winner = loser_to(&word, list);
		all = false;
		say(difference, size, "%.*s is not in force%s%s", (int)word.len, word.at,
		    winner ? ": undone by " : "", winner ? winner : "");
	}
	return all;
}

bool filesystem_options_hold(const char *asked, const char *effective, char *difference,
			     size_t size)
{
	const char *list = effective;
	struct word word;
	bool all;

	*difference = '\0';
	all = all_asked_for(asked, effective, difference, size);
	while (next(&list, &word)) {
		const char *wishes = asked;
		bool asked_for = false;
		struct word wish;

		while (next(&wishes, &wish))
			asked_for |= same_thing(&wish, &word) ||
				     (barrier_of(&wish) != UNKNOWN && barrier_of(&word) != UNKNOWN);
		if (!asked_for && !is_usual(&word, effective))
			say(difference, size, "%.*s was added", (int)word.len, word.at);
	}
	return all;
}
