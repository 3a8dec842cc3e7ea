// SPDX-License-Identifier: GPL-2.0-or-later
/* source: which backend it is, and what they share; see source.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock_ns.h"
#include "source/backend.h"
#include "source/loader.h"

static const char *const kind_words[] = {
	[SOURCE_AUTO] = "auto",
	[SOURCE_MODULE] = "module",
	[SOURCE_DISKSTATS] = "diskstats",
	[SOURCE_FILE] = "file",
};

static const struct source_ops *const kind_ops[] = {
	[SOURCE_MODULE] = &watched_ops,
	[SOURCE_DISKSTATS] = &diskstats_ops,
	[SOURCE_FILE] = &file_ops,
};

const char *source_kind_name(enum source_kind kind)
{
	return kind_words[kind];
}

int source_kind_parse(const char *name, enum source_kind *kind)
{
	int i;

	for (i = SOURCE_AUTO; i <= SOURCE_DISKSTATS; i++) {
		if (!strcmp(name, kind_words[i])) {
			*kind = (enum source_kind)i;
			return 0;
		}
	}
	return -EINVAL;
}

int source_fail(struct source *source, int err, const char *hint, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(source->error, sizeof(source->error), format, args);
	va_end(args);
	snprintf(source->hint, sizeof(source->hint), "%s", hint);
	return err;
}

static int open_as(struct source *source, enum source_kind kind, const char *path)
{
	source->kind = kind;
	source->counted_by = kind;
	source->ops = kind_ops[kind];
	source->own = NULL;
	return source->ops->open(source, path);
}

/* The module, loaded if need be.  @what_to_do is for a person, in a few words. */
static int open_module(struct source *source, char *what_to_do, size_t size)
{
	char why[256];
	int err = open_as(source, SOURCE_MODULE, NULL);

	snprintf(what_to_do, size, "%s", err == -EPROTO ? "install both from one release" :
				   err == -EPERM ? "sudo" : "");
	if (err != -ENOENT)
		return err;
	source->ops->close(source);
	if (loader_load(why, sizeof(why), what_to_do, size) == 0)
		return open_as(source, SOURCE_MODULE, NULL);
	return source_fail(source, err, what_to_do, "%s", why);
}

/* From the module to diskstats; source->error says why. */
static int fall_back(struct source *source, const char *what_to_do)
{
	snprintf(source->notice, sizeof(source->notice),
		 "%.250s; counting from /proc/diskstats.", source->error);
	snprintf(source->notice_more, sizeof(source->notice_more),
		 "Missing: percentiles, FUA, NCQ, fsync, at-risk bytes%s%s%s.\n--source module makes this an error.",
		 *what_to_do ? " (" : "", what_to_do, *what_to_do ? ")" : "");
	source->ops->close(source);
	source->error[0] = '\0';
	source->hint[0] = '\0';
	source->module_version[0] = '\0';
	source->sees_ata = false;
	return open_as(source, SOURCE_DISKSTATS, NULL);
}

int source_open(struct source **source, enum source_kind kind, const char *path)
{
	struct source *opened = calloc(1, sizeof(*opened));
	char what_to_do[128];
	int err;

	*source = opened;
	if (!opened)
		return -ENOMEM;
	if (kind == SOURCE_FILE)
		return open_as(opened, kind, path);
	opened->layers = FSBSTAT_LAYERS_ALL;
	host_describe(&opened->host);
	opened->may_fall_back = kind == SOURCE_AUTO;
	err = kind == SOURCE_DISKSTATS ? open_as(opened, kind, NULL) :
					 open_module(opened, what_to_do, sizeof(what_to_do));
	return err && kind == SOURCE_AUTO ? fall_back(opened, what_to_do) : err;
}

void source_close(struct source *source)
{
	if (!source)
		return;
	source->ops->close(source);
	disk_set_free(&source->disks);
	free(source);
}

const char *source_error(const struct source *source)
{
	return source ? source->error : strerror(ENOMEM);
}

const char *source_hint(const struct source *source)
{
	return source ? source->hint : "";
}

enum source_kind source_kind(const struct source *source)
{
	return source->kind;
}

enum source_kind source_counted_by(const struct source *source)
{
	return source->counted_by;
}

const char *source_notice(const struct source *source)
{
	return source->notice;
}

const char *source_notice_more(const struct source *source)
{
	return source->notice_more;
}

const char *source_module_version(const struct source *source)
{
	return source->module_version;
}

bool source_sees_ata(const struct source *source)
{
	return source->sees_ata;
}

struct module *source_module(struct source *source)
{
	return source->kind == SOURCE_MODULE ? watched_module(source) : NULL;
}

const char *source_missing(const struct source *source, enum layer layer)
{
	return *source->missing[layer] ? source->missing[layer] : NULL;
}

const struct host *source_host(const struct source *source)
{
	return &source->host;
}

const char *source_via(const struct source *source)
{
	return source->disks.via;
}

static int copy_set(struct disk_set *to, const struct disk_set *from)
{
	to->disk = calloc(from->nr ? from->nr : 1, sizeof(*to->disk));
	if (!to->disk)
		return -ENOMEM;
	if (from->nr)
		memcpy(to->disk, from->disk, from->nr * sizeof(*to->disk));
	to->nr = from->nr;
	memcpy(to->via, from->via, sizeof(to->via));
	return 0;
}

void source_want(struct source *source, uint32_t layers)
{
	source->layers = layers | FSBSTAT_LAYER_REQUEST;
}

int source_watch(struct source *source, const struct disk_set *set, size_t *culprit)
{
	size_t nowhere;
	int err;

	culprit = culprit ? culprit : &nowhere;
	*culprit = 0;
	if (!source->ops->watch)
		return source_fail(source, -EINVAL, "", "a recording has its own disks");
	err = copy_set(&source->disks, set);
	if (err)
		return source_fail(source, err, "", "%s", strerror(-err));
	err = source->ops->watch(source, culprit);
	if ((err != -EPERM && err != -EUNATCH) || !source->may_fall_back ||
	    source->kind != SOURCE_MODULE)
		return err;
	err = fall_back(source, err == -EPERM ? "sudo" : "fsbctl check says more");
	return err ? err : source->ops->watch(source, culprit);
}

size_t source_nr_disks(const struct source *source)
{
	return source->disks.nr;
}

const struct disk *source_disk(const struct source *source, size_t i)
{
	return &source->disks.disk[i];
}

int source_step(struct source *source, struct source_instant *instant)
{
	memset(instant, 0, sizeof(*instant));
	return source->ops->step(source, instant);
}

int source_snapshot(struct source *source, size_t i, struct snapshot *snap)
{
	memset(snap, 0, sizeof(*snap));
	return source->ops->snapshot(source, i, snap);
}

int source_owners(struct source *source, size_t i, struct owners *owners)
{
	memset(owners, 0, sizeof(*owners));
	if (source->ops->owners)
		return source->ops->owners(source, i, owners);
	return source_fail(source, -EOPNOTSUPP, "", "%s", source->missing[LAYER_OWNERS]);
}

void source_device_name(struct source *source, uint32_t major, uint32_t minor,
			char name[DISK_NAME_MAX])
{
	if (source->ops->device_name)
		source->ops->device_name(source, major, minor, name);
	else
		disk_name(major, minor, name);
}

int source_stats(struct source *source, size_t i, struct diskstats *stats)
{
	return source->ops->stats(source, i, stats);
}

int source_look(struct source *source, size_t i, struct source_look *look)
{
	memset(look, 0, sizeof(*look));
	return source->ops->look(source, i, look);
}

int source_observe(struct source *source, size_t i, struct snapshot *snap,
		   struct source_look *look)
{
	int err;

	memset(snap, 0, sizeof(*snap));
	memset(look, 0, sizeof(*look));
	if (source->ops->observe)
		return source->ops->observe(source, i, snap, look);
	err = source->ops->snapshot(source, i, snap);
	if (!err && source->ops->look(source, i, look))
		source_look_free(look);
	return err;
}

void source_look_free(struct source_look *look)
{
	mounts_free(&look->mounts);
	memset(look, 0, sizeof(*look));
}

const char *source_vanished(struct source *source, size_t i)
{
	return source->ops->vanished(source, i);
}

bool source_settled(struct source *source)
{
	return !source->ops->settled || source->ops->settled(source);
}

int source_fd(const struct source *source)
{
	return source->ops->fd ? source->ops->fd(source) : -1;
}

int source_event(struct source *source, struct source_event *event)
{
	memset(event, 0, sizeof(*event));
	return source->ops->event ? source->ops->event(source, event) : 0;
}

/* --- live --- */

uint64_t live_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

int live_step(struct source *source, struct source_instant *instant)
{
	(void)source;
	*instant = (struct source_instant){ .phase = PHASE_TICK, .run = 1,
					    .realtime_ns = clock_ns(CLOCK_REALTIME) };
	return 1;
}

int live_stats(struct source *source, size_t i, struct diskstats *stats)
{
	if (disk_stats(&source->disks.disk[i], stats) == 0)
		return 0;
	return source_fail(source, -errno, "", "%s", strerror(errno));
}

int live_look(struct source *source, size_t i, struct source_look *look)
{
	const struct disk *disk = &source->disks.disk[i];

	look->have_info = disk_describe(disk, &look->info) == 0;
	if (!look->have_info)
		return 0;
	look->have_mounts = mounts_of_disk(disk, &look->mounts) == 0;
	return 0;
}
