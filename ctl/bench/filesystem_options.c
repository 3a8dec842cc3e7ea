// SPDX-License-Identifier: GPL-2.0-or-later
/* filesystem_options: whether what was mounted is what was asked for; see filesystem.h. */
#include "bench/filesystem.h"

#include <ctype.h>
#include <libmount.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/option_refused.h"
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

static bool is_one_of(const struct option_word *word, const char *const *list, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (strchr(list[i], '=') ? option_is(word, list[i])
					 : option_is_named(word, list[i]))
			return true;
	return false;
}

#define ONE_OF(word, list) is_one_of(word, list, sizeof(list) / sizeof(*(list)))

static bool list_names(const char *list, const char *name, struct option_word *found)
{
	return option_find(list, name, strlen(name), found);
}

/* For mount(8) and systemd; the kernel never gets them. */
static const char *const of_mount[] = {"defaults", "auto",    "noauto", "nouser",
				       "_netdev",  "comment", "silent", "loud"};

/* Of the kernel's VFS, for any filesystem: shown whenever they are in force. */
static const char vfs_shown[] =
	"ro noatime nodiratime sync dirsync lazytime nosuid nodev noexec nosymfollow";
/* The same without being shown. */
static const char vfs_defaults[] = "strictatime norelatime nostrictatime";

/* What is shown instead where the option is not in force, other than "noX" for X and back. */
static const struct {
	const char *word, *undone_by;
} opposites[] = {
	{"rw", "ro"},
	{"async", "sync"},
	{"strictatime", "noatime relatime"},
	{"relatime", "noatime"},
	{"noquota", "quota usrquota grpquota prjquota"},
	{"nocompress", "compress compress-force"},
};

/* Shown without being asked for: defaults, and facts about the disk. */
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

/* Defaults of one filesystem alone, recognized by another of its options that is always shown. */
static const struct {
	const char *word, *beside;
} usual_beside[] = {
	{"discard", "background_gc"}, /* f2fs */
};

static bool is_usual(const struct option_word *word, const char *effective)
{
	struct option_word found;

	for (size_t i = 0; i < sizeof(usual_beside) / sizeof(*usual_beside); i++)
		if (option_is(word, usual_beside[i].word) &&
		    list_names(effective, usual_beside[i].beside, &found))
			return true;
	return ONE_OF(word, usual);
}

/* ON or OFF when the word is about barriers, UNKNOWN when not. */
static enum tristate barrier_of(const struct option_word *word)
{
	if (option_is(word, "nobarrier") || option_is(word, "barrier=0") ||
	    option_is(word, "barrier=none") || option_is(word, "barrier=off"))
		return OFF;
	return option_is_named(word, "barrier") ? ON : UNKNOWN;
}

static bool without_barrier(const char *list)
{
	enum tristate is = UNKNOWN;
	struct option_word word;

	while (option_next(&list, &word))
		if (barrier_of(&word) != UNKNOWN)
			is = barrier_of(&word);
	return is == OFF;
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

/* What can be seen of an option that was asked for. */
enum fate { IN_FORCE, CONTRADICTED, UNSEEN };

/* "zstd" is shown as "zstd:3", "512m" as "524288k"; of a percentage nothing can be said. */
static enum fate compare_value(const struct option_word *asked, const struct option_word *shown)
{
	const char *left = asked->at + asked->name, *right = shown->at + shown->name;
	size_t nl = asked->len - asked->name, nr = shown->len - shown->name;
	unsigned long long a, b;

	if (!nl)
		return IN_FORCE;
	if (!nr)
		return UNSEEN;
	if (nr >= nl && !strncmp(left, right, nl) && (nr == nl || right[nl] == ':'))
		return IN_FORCE;
	if (left[nl - 1] == '%')
		return IN_FORCE;
	return number_of(left + 1, nl - 1, &a) && number_of(right + 1, nr - 1, &b) && a == b
		       ? IN_FORCE
		       : CONTRADICTED;
}

/*
 * Of an option that can be given several times, one shown is enough.  @exact: without a value it is
 * shown without one.
 */
static enum fate compare_values(const struct option_word *asked, bool exact, const char *effective)
{
	enum fate fate = UNSEEN;
	struct option_word shown;
	bool any = false;

	while (option_next(&effective, &shown)) {
		if (!option_same_name(asked, &shown))
			continue;
		if (!any || fate != IN_FORCE)
			fate = exact && asked->len == asked->name && shown.len > shown.name
				       ? CONTRADICTED
				       : compare_value(asked, &shown);
		any = true;
	}
	return fate;
}

static bool names_any(const char *effective, const char *names)
{
	struct option_word name, found;

	while (option_next(&names, &name))
		if (option_find(effective, name.at, name.len, &found))
			return true;
	return false;
}

/* "noX" of X, X of "noX", when a list has it. */
static bool has_negation(const char *list, const struct option_word *word)
{
	struct option_word found;
	char name[128];

	if (word->len != word->name)
		return false;
	if (word->len > 2 && !strncmp(word->at, "no", 2))
		return option_find(list, word->at + 2, word->len - 2, &found);
	snprintf(name, sizeof(name), "no%.*s", (int)word->len, word->at);
	return list_names(list, name, &found);
}

static bool is_undone(const struct option_word *word, const char *effective)
{
	for (size_t i = 0; i < sizeof(opposites) / sizeof(*opposites); i++)
		if (option_is(word, opposites[i].word) &&
		    names_any(effective, opposites[i].undone_by))
			return true;
	/* mount(8) leaves it at the kernel's default, which may well be relatime. */
	return !option_is(word, "norelatime") && has_negation(effective, word);
}

/* The word that the kernel shows for it. */
static struct option_word as_shown(const struct filesystem *fs, const struct option_word *asked)
{
	const char *list = fs->shown_as;
	struct option_word pair;

	while (option_next(&list, &pair)) {
		size_t len = strcspn(pair.at, ">");

		if (len != asked->len || strncmp(pair.at, asked->at, len))
			continue;
		pair.at += len + 1;
		pair.len -= len + 1;
		pair.name = 0;
		while (pair.name < pair.len && pair.at[pair.name] != '=')
			pair.name++;
		return pair;
	}
	return *asked;
}

static enum fate fate_of(const struct filesystem *fs, const struct option_word *asked,
			 const char *effective)
{
	const struct option_word word = as_shown(fs, asked);
	struct option_word found;

	if (ONE_OF(asked, of_mount))
		return IN_FORCE;
	if (barrier_of(asked) != UNKNOWN)
		return without_barrier(effective) == (barrier_of(asked) == OFF) ? IN_FORCE
										: CONTRADICTED;
	if (option_find(effective, word.at, word.name, &found))
		return compare_values(&word, word.at != asked->at, effective);
	if (is_undone(asked, effective))
		return CONTRADICTED;
	if (option_listed(fs->defaults, asked) || option_listed(vfs_defaults, asked))
		return IN_FORCE;
	if (option_find(fs->shown, word.at, word.name, &found) ||
	    option_find(vfs_shown, word.at, word.name, &found))
		return CONTRADICTED;
	if (has_negation(fs->shown, asked) || has_negation(vfs_shown, asked))
		return IN_FORCE;
	return option_is(asked, "rw") || option_is(asked, "async") ? IN_FORCE : UNSEEN;
}

/* The entry of an option with its value comes before that of its name: see compress=no. */
static const struct filesystem_option *entry_of(const struct filesystem *fs,
						const struct option_word *word)
{
	const struct filesystem_option *named = NULL;

	for (size_t i = 0; i < fs->nr_options; i++) {
		const struct option_word entry = option_word(fs->option[i].name);

		if (entry.len == word->len && !strncmp(entry.at, word->at, word->len))
			return &fs->option[i];
		if (entry.name == entry.len && option_same_name(&entry, word))
			named = &fs->option[i];
	}
	return named;
}

static bool stands_against(const struct filesystem *fs, const struct option_word *a,
			   const struct option_word *b)
{
	const struct filesystem_option *entry = entry_of(fs, a);
	const char *list = entry ? entry->against : "";
	struct option_word against;

	while (option_next(&list, &against))
		if (against.len == b->len && !strncmp(against.at, b->at, b->len))
			return true;
	return false;
}

bool filesystem_options_clash(const struct filesystem *fs, const struct option_word *a,
			      const struct option_word *b)
{
	return stands_against(fs, a, b) || stands_against(fs, b, a);
}

bool filesystem_options_same(const struct option_word *a, const struct option_word *b)
{
	static const char *const atime[] = {"noatime", "relatime", "strictatime", "atime",
					    "norelatime"};
	static const char *const compress[] = {"compress", "compress-force"};
	size_t skip_a = a->name > 2 && !strncmp(a->at, "no", 2) ? 2 : 0;
	size_t skip_b = b->name > 2 && !strncmp(b->at, "no", 2) ? 2 : 0;

	if ((ONE_OF(a, atime) && ONE_OF(b, atime)) || (ONE_OF(a, compress) && ONE_OF(b, compress)))
		return true;
	if ((option_is(a, "ro") && option_is(b, "rw")) ||
	    (option_is(a, "rw") && option_is(b, "ro")) ||
	    (option_is(a, "sync") && option_is(b, "async")) ||
	    (option_is(a, "async") && option_is(b, "sync")))
		return true;
	return a->name - skip_a == b->name - skip_b &&
	       !strncmp(a->at + skip_a, b->at + skip_b, a->name - skip_a);
}

static bool is_overruled(const struct option_word *word, const char *rest)
{
	struct option_word later;

	while (option_next(&rest, &later))
		if (filesystem_options_same(word, &later))
			return true;
	return false;
}

/* A later one that the kernel has kept in its place, silently. */
static bool find_winner(const struct filesystem *fs, const struct option_word *word,
			const char *rest, struct option_word *winner)
{
	while (option_next(&rest, winner))
		if (filesystem_options_clash(fs, word, winner))
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

static bool all_asked_for(const struct filesystem *fs, const char *asked, const char *effective,
			  struct filesystem_verdict *verdict)
{
	const char *list = asked;
	bool all = true;
	struct option_word word, winner;

	while (option_next(&list, &word)) {
		enum fate fate = is_overruled(&word, list) ? IN_FORCE
							   : fate_of(fs, &word, effective);

		if (fate == UNSEEN)
			say(verdict->unverified, sizeof(verdict->unverified), "%.*s", (int)word.len,
			    word.at);
		if (fate != CONTRADICTED)
			continue;
		all = false;
		if (!find_winner(fs, &word, list, &winner))
			winner.len = 0;
		say(verdict->difference, sizeof(verdict->difference), "%.*s is not in force%s%.*s",
		    (int)word.len, word.at, winner.len ? ": undone by " : "", (int)winner.len,
		    winner.at);
	}
	return all;
}

bool filesystem_options_hold(const struct filesystem *fs, const char *asked, const char *effective,
			     struct filesystem_verdict *verdict)
{
	const char *list = effective;
	struct option_word word;
	bool all;

	memset(verdict, 0, sizeof(*verdict));
	all = all_asked_for(fs, asked, effective, verdict);
	while (option_next(&list, &word)) {
		const char *wishes = asked;
		bool asked_for = false;
		struct option_word wish;

		while (option_next(&wishes, &wish)) {
			const struct option_word shown = as_shown(fs, &wish);

			asked_for |= filesystem_options_same(&wish, &word) ||
				     filesystem_options_same(&shown, &word) ||
				     (barrier_of(&wish) != UNKNOWN && barrier_of(&word) != UNKNOWN);
		}
		if (!asked_for && !is_usual(&word, effective))
			say(verdict->difference, sizeof(verdict->difference), "%.*s was added",
			    (int)word.len, word.at);
	}
	return all;
}
