// SPDX-License-Identifier: GPL-2.0-or-later
/* filesystem_plan: wishes to mount options of a kernel; see filesystem.h. */
#include "bench/filesystem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/option_refused.h"

int kernel_compare(const char *a, const char *b)
{
	for (int part = 0; part < 4; part++) {
		unsigned long left = strtoul(a, NULL, 10), right = strtoul(b, NULL, 10);

		if (left != right)
			return left < right ? -1 : 1;
		a += strspn(a, "0123456789");
		b += strspn(b, "0123456789");
		/* What follows the numbers, "-rc1" or "+deb13", is no part of the version. */
		if (*a != '.' && *b != '.')
			return 0;
		a += *a == '.' ? 1 : strlen(a);
		b += *b == '.' ? 1 : strlen(b);
	}
	return 0;
}

static bool has_kernel(const char *since, const char *until, const char *kernel)
{
	return (!*since || kernel_compare(kernel, since) >= 0) &&
	       (!*until || kernel_compare(kernel, until) < 0);
}

/* An entry names an option, or one value of it: "space_cache", "data=journal". */
static bool is_entry_of(const char *entry, const char *word, size_t len)
{
	size_t named = strlen(entry);

	if (strncmp(entry, word, named) || named > len)
		return false;
	return named == len || word[named] == '=' || (strchr(entry, '=') && word[named] == ':');
}

/* NULL when nothing stands against the option here; else the entry that does. */
static const struct filesystem_option *gone(const struct filesystem *fs, const char *word,
					    size_t len, const char *kernel)
{
	for (size_t i = 0; i < fs->nr_options; i++) {
		const struct filesystem_option *option = &fs->option[i];

		if (is_entry_of(option->name, word, len) &&
		    !has_kernel(option->since, option->until, kernel))
			return option;
	}
	return NULL;
}

static void add_note(struct filesystem_mount_plan *plan, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add_note(struct filesystem_mount_plan *plan, const char *format, ...)
{
	size_t used = strlen(plan->note);
	va_list args;

	if (used && used + 2 < sizeof(plan->note)) {
		strcpy(plan->note + used, "; ");
		used += 2;
	}
	va_start(args, format);
	vsnprintf(plan->note + used, sizeof(plan->note) - used, format, args);
	va_end(args);
}

/* "barrier", "barrier=0", "nobarrier" and the like: it goes by `barrier` then. */
static bool is_barrier_word(const char *word, size_t len)
{
	if (len > 2 && !strncmp(word, "no", 2)) {
		word += 2;
		len -= 2;
	}
	return len >= 7 && !strncmp(word, "barrier", 7) && (len == 7 || word[7] == '=');
}

static int refuse_option(const struct filesystem *fs, const struct filesystem_option *option,
			 const char *word, size_t len, const char *kernel, struct trouble *trouble)
{
	char says[200];

	if (*option->says)
		snprintf(says, sizeof(says), "%.199s", option->says);
	else if (*option->until && kernel_compare(kernel, option->until) >= 0)
		snprintf(says, sizeof(says), "removed in %.32s", option->until);
	else
		snprintf(says, sizeof(says), "there since %.32s", option->since);
	return trouble_set(trouble, TROUBLE_MISSING, fs->name, "",
			   "mount option %.*s: %s (kernel %s)", (int)len, word, says, kernel);
}

/* What may be given at all.  A program that mounts (FUSE) would obey what is not known here. */
static int check_allowed(const struct filesystem *fs, const struct option_word *word,
			 struct trouble *trouble)
{
	bool known = option_fit(fs->mount_options, word, NULL) != OPTION_UNKNOWN;
	const char *reason = option_refused(word, known);

	if (!reason && !known && !strcmp(fs->module, "fuse") && !option_of_mount(word))
		reason = "is not known for it, and a program would take it, not the kernel";
	if (!reason)
		return 0;
	return trouble_set(trouble, TROUBLE_USAGE, fs->name, "leave it out",
			   "mount option %.*s is not allowed: it %s", (int)word->len, word->at,
			   reason);
}

/* One option as it was written. */
static int check_written(const struct filesystem *fs, const struct filesystem_wish *wish,
			 const struct option_word *word, struct filesystem_mount_plan *plan,
			 struct trouble *trouble)
{
	const struct filesystem_option *option;

	if (check_allowed(fs, word, trouble))
		return -1;
	if (wish->barrier != UNKNOWN && is_barrier_word(word->at, word->len))
		return trouble_set(trouble, TROUBLE_USAGE, fs->name, "leave one of the two out",
				   "barrier: %s is asked for beside mount option %.*s",
				   wish->barrier == ON ? "on" : "off", (int)word->len, word->at);
	option = gone(fs, word->at, word->len, wish->kernel);
	if (option)
		return refuse_option(fs, option, word->at, word->len, wish->kernel, trouble);
	for (size_t i = 0; i < fs->nr_options; i++)
		if (is_entry_of(fs->option[i].name, word->at, word->len) && *fs->option[i].says)
			add_note(plan, "%s: %s", fs->option[i].name, fs->option[i].says);
	return 0;
}

/* Looks at each option and takes it over. */
static int take_written(const struct filesystem *fs, const struct filesystem_wish *wish,
			struct filesystem_mount_plan *plan, struct trouble *trouble)
{
	const char *list = wish->mount;
	struct option_word word;

	for (; option_next(&list, &word); plan->wrong++)
		if (check_written(fs, wish, &word, plan, trouble))
			return -1;
	plan->wrong = 0;
	if (strlen(wish->mount) >= sizeof(plan->options))
		return trouble_set(trouble, TROUBLE_USAGE, fs->name, "",
				   "the mount options are longer than %zu characters",
				   sizeof(plan->options) - 1);
	strcpy(plan->options, wish->mount);
	return 0;
}

static int add_option(const struct filesystem *fs, struct filesystem_mount_plan *plan,
		      const char *word, struct trouble *trouble)
{
	size_t used = strlen(plan->options);

	if (used + strlen(word) + 2 > sizeof(plan->options))
		return trouble_set(trouble, TROUBLE_USAGE, fs->name, "",
				   "the mount options are longer than %zu characters",
				   sizeof(plan->options) - 1);
	snprintf(plan->options + used, sizeof(plan->options) - used, "%s%s", used ? "," : "", word);
	return 0;
}

/* Without flushes though the filesystem has no option for it, or none any more. */
static int without_option(const struct filesystem *fs, const struct filesystem_wish *wish,
			  const struct filesystem_option *option,
			  struct filesystem_mount_plan *plan, struct trouble *trouble)
{
	char why[256];

	if (option)
		snprintf(why, sizeof(why), "%s was %.200s", option->name,
			 *option->says ? option->says : "removed");
	else
		snprintf(why, sizeof(why), "%.64s has no such option", fs->name);
	if (!wish->emulate)
		return trouble_set(trouble, TROUBLE_MISSING, fs->name,
				   "emulate: yes leaves the flushes out in the kernel instead",
				   "barrier: off: %s", why);
	plan->emulated = true;
	add_note(plan,
		 "barrier: off: %s; the kernel is told that the disk's cache is write through, "
		 "and sends no flush at all",
		 why);
	return 0;
}

static int take_barrier(const struct filesystem *fs, const struct filesystem_wish *wish,
			struct filesystem_mount_plan *plan, struct trouble *trouble)
{
	const char *word = wish->barrier == ON ? fs->barrier_on : fs->barrier_off;
	const struct filesystem_option *option;

	if (wish->barrier == UNKNOWN)
		return 0;
	if (!fs->disk)
		return trouble_set(trouble, TROUBLE_MISSING, fs->name, "",
				   "barrier: it lies on no disk, and never flushes");
	option = *word ? gone(fs, word, strlen(word), wish->kernel) : NULL;
	if (*word && !option) {
		add_note(plan, "barrier: %s is %s", wish->barrier == ON ? "on" : "off", word);
		return add_option(fs, plan, word, trouble);
	}
	if (wish->barrier == OFF)
		return without_option(fs, wish, option, plan, trouble);
	/* No word for it: it flushes unless told otherwise. */
	add_note(plan, "barrier: on is how %s is in any case", fs->name);
	return 0;
}

int filesystem_plan_mount(const struct filesystem *fs, const struct filesystem_wish *wish,
			  struct filesystem_mount_plan *plan, struct trouble *trouble)
{
	memset(plan, 0, sizeof(*plan));
	if (fs->own)
		add_note(plan, "%s is as %s has it", fs->name, fs->source);
	if (take_written(fs, wish, plan, trouble))
		return -1;
	return take_barrier(fs, wish, plan, trouble);
}
