/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backend: what stands behind struct source, one set of operations a kind.  For the
 * files of source/ that are one: watched.c (the module), diskstats.c, file.c; and source.c.
 */
#ifndef FSB_SOURCE_BACKEND_H
#define FSB_SOURCE_BACKEND_H

#include "source/source.h"

struct source_ops {
	/* @path is NULL but for a file.  close() comes after open() in any case. */
	int (*open)(struct source *source, const char *path);
	void (*close)(struct source *source);
	/* NULL for a recording.  source->disks is set already. */
	int (*watch)(struct source *source, size_t *culprit);
	int (*step)(struct source *source, struct source_instant *instant);
	int (*snapshot)(struct source *source, size_t i, struct snapshot *snap);
	/* NULL: snapshot() and look() have nothing in common. */
	int (*observe)(struct source *source, size_t i, struct snapshot *snap,
		       struct source_look *look);
	int (*owners)(struct source *source, size_t i, struct owners *owners); /* NULL: never */
	/* NULL: as it is called now. */
	void (*device_name)(struct source *source, uint32_t major, uint32_t minor,
			    char name[DISK_NAME_MAX]);
	int (*stats)(struct source *source, size_t i, struct diskstats *stats);
	int (*look)(struct source *source, size_t i, struct source_look *look);
	const char *(*vanished)(struct source *source, size_t i);
	bool (*settled)(struct source *source);
	/* NULL: nothing ever comes. */
	int (*fd)(const struct source *source);
	int (*event)(struct source *source, struct source_event *event);
};

extern const struct source_ops watched_ops, diskstats_ops, file_ops;

struct source {
	const struct source_ops *ops;
	void *own; /* the backend's */
	bool may_fall_back; /* it was SOURCE_AUTO */
	enum source_kind kind;
	enum source_kind counted_by;
	char error[512];
	char hint[512];
	char notice[512];
	char notice_more[256]; /* lines */
	char module_version[64];
	bool sees_ata;
	struct host host;
	char missing[LAYERS][160]; /* why; "": nothing is missing */
	struct disk_set disks;
	uint32_t layers; /* that were asked for */
};

/* Keeps the reason, which is printable; returns @err. */
int source_fail(struct source *source, int err, const char *hint, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Of the disks as they are now: what all live sources have in common. */
int live_step(struct source *source, struct source_instant *instant);
int live_stats(struct source *source, size_t i, struct diskstats *stats);
int live_look(struct source *source, size_t i, struct source_look *look);

/* By the clock that all snapshots go by. */
uint64_t live_now_ns(void);

struct module *watched_module(struct source *source);

#endif /* FSB_SOURCE_BACKEND_H */
