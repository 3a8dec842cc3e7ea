// SPDX-License-Identifier: GPL-2.0-or-later
/* option_name: option sets and their differences in words; see option_set.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "disk/remount.h"
#include "model/option_set.h"

static const char *const labels[OPTION_KEYS] = {
	"drive cache", "kernel's view of the cache", "FUA", "NCQ depth", "queue depth",
	"scheduler", "nr_requests", "",
};

void option_change_text(char *buf, size_t size, const struct option_change *change)
{
	if (change->from && change->to && !strcmp(change->from, change->to))
		snprintf(buf, size, "%s: set again (%s)", labels[change->key], change->to);
	else if (change->key != OPTION_MOUNT)
		snprintf(buf, size, "%s: %s -> %s", labels[change->key], change->from, change->to);
	else if (!change->from)
		snprintf(buf, size, "%s: mounted (%s)", change->source, change->to);
	else if (!change->to)
		snprintf(buf, size, "%s: unmounted", change->source);
	else
		snprintf(buf, size, "%s: %s -> %s", change->source, change->from, change->to);
}

/* Appends a part of a list; what does not fit is cut off. */
static void part(char *buf, size_t size, const char *lead, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

static void part(char *buf, size_t size, const char *lead, const char *format, ...)
{
	size_t used = strlen(buf);
	va_list args;

	if (used)
		used += (size_t)snprintf(buf + used, size - used, "%s", lead);
	if (used >= size)
		return;
	va_start(args, format);
	vsnprintf(buf + used, size - used, format, args);
	va_end(args);
}

/* What follows from another setting, or belongs to it, needs no words. */
static bool follows(const struct option_change *change, const struct option_set *set,
		    const struct option_changes *all)
{
	size_t i;

	if (change->key == OPTION_WRITE_CACHE_KERNEL)
		return (set->write_cache == ON && !strcmp(change->to, "write back")) ||
		       (set->write_cache == OFF && !strcmp(change->to, "write through"));
	/* A scheduler brings its own number of requests. */
	for (i = 0; change->key == OPTION_NR_REQUESTS && i < all->nr; i++)
		if (all->change[i].key == OPTION_SCHEDULER)
			return true;
	return false;
}

static void name_mount(char *buf, size_t size, const struct option_change *change, bool several)
{
	if (!change->to)
		part(buf, size, ", ", "without %s", change->source);
	else if (!change->from)
		part(buf, size, ", ", "with %s %.*s", change->source,
		     (int)strcspn(change->to, " "), change->to);
	else if (several)
		part(buf, size, ", ", "%s %s", change->source, change->to);
	else
		part(buf, size, ", ", "%s", change->to);
}

static void name_change(char *buf, size_t size, const struct option_change *change, bool several)
{
	switch (change->key) {
	case OPTION_MOUNT:
		name_mount(buf, size, change, several);
		break;
	case OPTION_WRITE_CACHE_KERNEL:
		part(buf, size, ", ", "kernel %s", change->to);
		break;
	case OPTION_NCQ:
		part(buf, size, ", ", "NCQ %s", change->to);
		break;
	case OPTION_SCHEDULER:
		part(buf, size, ", ", "%s", change->to);
		break;
	default:
		part(buf, size, ", ", "%s %s", labels[change->key], change->to);
		break;
	}
}

/* A filesystem with what matters most of its options. */
static void name_fs(char *buf, size_t size, const struct option_fs *fs)
{
	const char *barrier = mount_barrier(fs->fstype, fs->options);

	part(buf, size, " + ", "%s%s%s", fs->fstype, *barrier ? " " : "", barrier);
}

static void name_all_fs(char *buf, size_t size, const struct option_set *set)
{
	size_t i;

	for (i = 0; i < set->nr_fs; i++)
		name_fs(buf, size, &set->fs[i]);
	if (!set->nr_fs)
		part(buf, size, "", "no filesystem");
}

int option_set_name(char *buf, size_t size, const struct option_set *set,
		    const struct option_set *from)
{
	struct option_changes changes;
	size_t i;
	int err;

	buf[0] = '\0';
	if (!from) {
		if (set->nr_fs == 1)
			part(buf, size, "", "%s",
			     mount_barrier(set->fs[0].fstype, set->fs[0].options));
		if (!*buf)
			name_all_fs(buf, size, set);
		return 0;
	}
	err = option_changes_of(&changes, from, set);
	for (i = 0; !err && i < changes.nr; i++)
		if (!follows(&changes.change[i], set, &changes))
			name_change(buf, size, &changes.change[i],
				    from->nr_fs > 1 || set->nr_fs > 1);
	/* Nothing else changed but what might have followed. */
	for (i = 0; !err && !*buf && i < changes.nr; i++)
		name_change(buf, size, &changes.change[i], false);
	option_changes_free(&changes);
	return err;
}

void option_set_title(char *buf, size_t size, const struct option_set *set)
{
	buf[0] = '\0';
	name_all_fs(buf, size, set);
	part(buf, size, ", ", "cache %s",
	     set->write_cache == ON ? "on" : set->write_cache == OFF ? "off" : "unknown");
	if ((set->write_cache == ON && strcmp(set->write_cache_kernel, "write back")) ||
	    (set->write_cache == OFF && strcmp(set->write_cache_kernel, "write through")))
		part(buf, size, ", ", "kernel %s",
		     *set->write_cache_kernel ? set->write_cache_kernel : "unknown");
	if (set->ncq >= 0)
		part(buf, size, ", ", "NCQ %d", set->ncq);
	if (*set->scheduler)
		part(buf, size, ", ", "%s", set->scheduler);
}
