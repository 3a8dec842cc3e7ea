// SPDX-License-Identifier: GPL-2.0-or-later
/* watched: the kernel module as a source; disks are watched as long as it is open. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source/backend.h"
#include "source/fs.h"
#include "source/module.h"
#include "source/module_events.h"

struct watched {
	struct module *module;
	struct module_events *events; /* NULL: they cannot be had */
	uint32_t *hooks_found; /* for each disk, see fs_of_disk() */
};

static int pass_error(struct source *source, int err)
{
	struct watched *watched = source->own;

	return source_fail(source, err, module_hint(watched->module), "%s",
			   module_error(watched->module));
}

static bool sees_ata(const struct module_info *info)
{
	size_t i;

	for (i = 0; i < info->nr_hooks; i++)
		if (!strcmp(info->hook[i].name, "ata_qc_issue"))
			return info->hook[i].state != FSBSTAT_HOOK_MISSING;
	return false;
}

static int watched_open(struct source *source, const char *path)
{
	struct watched *watched = calloc(1, sizeof(*watched));
	struct module_info info;
	int err;

	(void)path;
	source->own = watched;
	if (!watched)
		return source_fail(source, -ENOMEM, "", "%s", strerror(ENOMEM));
	err = module_open(&watched->module);
	if (!err)
		err = module_get(watched->module, &info);
	if (err)
		return pass_error(source, err);
	/* Without events a reader finds out by looking. */
	watched->events = module_events_open();
	memcpy(source->module_version, info.version, sizeof(source->module_version));
	source->sees_ata = sees_ata(&info);
	return 0;
}

static void watched_close(struct source *source)
{
	struct watched *watched = source->own;

	if (!watched)
		return;
	module_events_close(watched->events);
	module_close(watched->module);
	free(watched->hooks_found);
	free(watched);
	source->own = NULL;
}

struct module *watched_module(struct source *source)
{
	struct watched *watched = source->own;

	return watched->module;
}

/* By layer of the module: what of a snapshot it brings. */
static const struct {
	uint32_t module;
	enum layer layer;
} brings[] = {
	{ FSBSTAT_LAYER_BIO, LAYER_BIO },
	{ FSBSTAT_LAYER_BIO, LAYER_OWNERS },
	{ FSBSTAT_LAYER_DRIVE, LAYER_ATA },
	{ FSBSTAT_LAYER_DRIVE, LAYER_UNFLUSHED }, /* it knows the drive's cache */
	{ FSBSTAT_LAYER_FS, LAYER_FS },
};

#define BRINGS (sizeof(brings) / sizeof(brings[0]))

static void say_what_is_missing(struct source *source)
{
	for (size_t i = 0; i < BRINGS; i++)
		if (!(source->layers & brings[i].module))
			snprintf(source->missing[brings[i].layer],
				 sizeof(source->missing[0]), "not counted: it was not asked for");
}

/*
 * What was not asked for may be there for another reader, and go or begin again with it: it is
 * left out.
 */
static void leave_out(const struct source *source, struct snapshot *snap)
{
	uint32_t have = source->layers & snap->watch.layers;

	for (size_t i = 0; i < BRINGS; i++)
		if (!(have & brings[i].module))
			snap->missing |= LAYER_BIT(brings[i].layer);
	if (!(have & FSBSTAT_LAYER_BIO))
		memset(&snap->bio, 0, sizeof(snap->bio));
	if (!(have & FSBSTAT_LAYER_DRIVE)) {
		ata_counts_free(snap->ata);
		snap->ata = NULL;
	}
}

/* Who may only read can use what somebody else has watched. */
static int add_one(struct module *module, const struct disk *disk, uint32_t layers)
{
	struct watch watch;
	int err = module_add(module, disk, layers, false, &watch);

	if (err == -EPERM && module_disk(module, disk->major, disk->minor, &watch) == 0)
		return 0;
	return err;
}

static int watched_watch(struct source *source, size_t *culprit)
{
	struct watched *watched = source->own;
	int err = 0;
	size_t i;

	free(watched->hooks_found);
	watched->hooks_found = calloc(source->disks.nr + 1, sizeof(*watched->hooks_found));
	if (!watched->hooks_found)
		return source_fail(source, -ENOMEM, "", "%s", strerror(ENOMEM));
	say_what_is_missing(source);
	for (i = 0; i < source->disks.nr && !err; i++) {
		*culprit = i;
		err = add_one(watched->module, &source->disks.disk[i], source->layers);
	}
	return err ? pass_error(source, err) : 0;
}

static int add_fs(struct source *source, size_t i, const struct mounts *mounts,
		  struct snapshot *snap)
{
	struct watched *watched = source->own;
	int err;

	if (snap->missing & LAYER_BIT(LAYER_FS))
		return 0;
	err = fs_of_disk(watched->module, &source->disks.disk[i], mounts,
			 &watched->hooks_found[i], snap);
	if (!err)
		return 0;
	snapshot_free(snap);
	return source_fail(source, err, "", "%s", strerror(-err));
}

static int count(struct source *source, size_t i, struct snapshot *snap)
{
	const struct disk *disk = &source->disks.disk[i];
	struct watched *watched = source->own;
	int err = module_snapshot(watched->module, disk->major, disk->minor, snap);

	if (err)
		return pass_error(source, err);
	leave_out(source, snap);
	return 0;
}

static int watched_snapshot(struct source *source, size_t i, struct snapshot *snap)
{
	struct mounts mounts = {0};
	int err = count(source, i, snap);

	if (err)
		return err;
	/* Without /proc nothing is known to be mounted. */
	(void)mounts_of_disk(&source->disks.disk[i], &mounts);
	err = add_fs(source, i, &mounts, snap);
	mounts_free(&mounts);
	return err;
}

static int watched_observe(struct source *source, size_t i, struct snapshot *snap,
			   struct source_look *look)
{
	int err = count(source, i, snap);

	if (!err)
		err = live_look(source, i, look);
	return err ? err : add_fs(source, i, &look->mounts, snap);
}

static int watched_owners(struct source *source, size_t i, struct owners *owners)
{
	const struct disk *disk = &source->disks.disk[i];
	struct watched *watched = source->own;
	int err;

	if (!(source->layers & FSBSTAT_LAYER_BIO))
		return source_fail(source, -EOPNOTSUPP, "", "%s", source->missing[LAYER_OWNERS]);
	err = module_owners(watched->module, disk->major, disk->minor, owners);
	if (err == -EOPNOTSUPP)
		return source_fail(source, err, "", "the loaded module does not count them");
	return err ? pass_error(source, err) : 0;
}

static const char *watched_vanished(struct source *source, size_t i)
{
	const struct disk *disk = &source->disks.disk[i];
	struct watched *watched = source->own;
	struct watch watch;
	int err = module_disk(watched->module, disk->major, disk->minor, &watch);

	if (!err)
		return watch.state == FSBSTAT_DISK_GONE ? "the device is gone" : NULL;
	return err == -EAGAIN || err == -ENOMEM ? NULL : module_error(watched->module);
}

static bool watched_settled(struct source *source)
{
	struct watched *watched = source->own;
	struct watch watch;
	size_t i;

	for (i = 0; i < source->disks.nr; i++) {
		const struct disk *disk = &source->disks.disk[i];

		if (module_disk(watched->module, disk->major, disk->minor, &watch) == 0 &&
		    watch.settling)
			return false;
	}
	return true;
}

static int watched_fd(const struct source *source)
{
	const struct watched *watched = source->own;

	return module_events_fd(watched->events);
}

static int watched_event(struct source *source, struct source_event *event)
{
	struct watched *watched = source->own;

	return module_events_next(watched->events, event);
}

const struct source_ops watched_ops = {
	.open = watched_open,
	.close = watched_close,
	.watch = watched_watch,
	.step = live_step,
	.snapshot = watched_snapshot,
	.observe = watched_observe,
	.owners = watched_owners,
	.stats = live_stats,
	.look = live_look,
	.vanished = watched_vanished,
	.settled = watched_settled,
	.fd = watched_fd,
	.event = watched_event,
};
