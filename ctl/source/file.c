// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * file: a recording as a source, read line by line.  Its last line may have been cut off:
 * what is whole is played, and the notice says so.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_bounded.h"
#include "message.h"
#include "source/backend.h"
#include "source/file.h"
#include "source/lines.h"

/*
 * What a recording may take, wherever it comes from.  Lines are read one at a time; of each disk
 * its last ones are kept, and all of these together weigh no more than four of the largest.
 */
#define BYTES_A_VALUE 32 /* in weight */
#define WEIGHT_MAX    ((size_t)4 * JSON_VALUES_MAX)
/* Structs of snapshots that are kept until they are asked for; more are made again then. */
#define PARSED_MAX ((size_t)64 << 20)

enum kept { KEPT_LOOK, KEPT_SNAPSHOT, KEPT_OWNERS, KEPT_CALLERS, KEPT };

/* Disk i at the instant. */
struct recorded {
	json_t *look; /* as it was last seen; NULL: never */
	json_t *json; /* the snapshot; NULL: it could not be read */
	struct snapshot snap; /* made of it, until somebody takes it */
	bool have_snap;
	char reason[256]; /* why there is none */
	json_t *owners; /* NULL: they are not known */
	char no_owners[256]; /* why not */
	json_t *callers; /* of the window that has ended; NULL: they are not known */
	struct diskstats stats;
	bool have_stats;
	size_t weight[KEPT]; /* of the lines kept */
};

struct file {
	struct lines lines;
	char name[256]; /* printable */
	size_t weight; /* of the last line read */
	size_t kept; /* of those kept, together */
	unsigned int line_nr;
	unsigned int instants;
	bool over; /* nothing more comes */
	struct recording_head head;
	struct recorded *disk;
	size_t nr_disks; /* as allocated */
	struct recording_run run;
	bool have_run;
	struct recording_end end;
	bool have_end;
	uint64_t last_ns; /* realtime of the instant before */
	json_t *ahead; /* a line that was read and not used */
};

static int bad_line(struct source *source, const char *what)
{
	struct file *file = source->own;

	return source_fail(source, -EBADMSG, "fsbctl record --snapshots makes such files",
			   "line %u of the recording makes no sense (%s)", file->line_nr, what);
}

static void broken_off(struct source *source)
{
	struct file *file = source->own;

	file->over = true;
	snprintf(source->notice, sizeof(source->notice),
		 "%s breaks off after line %u: %u instant%s of it %s whole", file->name,
		 file->line_nr, file->instants, file->instants == 1 ? "" : "s",
		 file->instants == 1 ? "is" : "are");
}

static int too_large(struct source *source, const char *what)
{
	struct file *file = source->own;

	return source_fail(source, -EFBIG, "docs/recording.md has the limits",
			   "line %u of the recording is too large (%s)", file->line_nr + 1, what);
}

/*
 * The next line: 1, 0 at the end of the file.  The last one may be cut off, even in the
 * middle of what a sector holds.
 */
static int next_line(struct source *source, json_t **json)
{
	struct file *file = source->own;
	ssize_t len;
	int c;

	if (file->ahead) {
		*json = file->ahead;
		file->ahead = NULL;
		return 1;
	}
	len = lines_next(&file->lines);
	if (len == -EFBIG)
		return too_large(source, "more than 16 MiB");
	if (len < 0)
		return source_fail(source, -EIO, "", "%s", strerror((int)-len));
	file->weight = json_bounded_values(file->lines.text, (size_t)len);
	if (file->weight > JSON_VALUES_MAX)
		return too_large(source, "more than 1000000 values");
	file->weight += (size_t)len / BYTES_A_VALUE;
	*json = json_bounded(file->lines.text, (size_t)len, NULL);
	if (*json && file->lines.text[len - 1] == '\n') {
		file->line_nr++;
		return 1;
	}
	json_decref(*json);
	c = fgetc(file->lines.from);
	if (c == EOF)
		return 0;
	file->line_nr++;
	return bad_line(source, "it is no JSON");
}

/* The last line is kept as that of a disk, in place of the one before. */
static int keep_line(struct source *source, struct recorded *disk, enum kept what)
{
	struct file *file = source->own;

	file->kept += file->weight - disk->weight[what];
	disk->weight[what] = file->weight;
	if (file->kept <= WEIGHT_MAX)
		return 0;
	return source_fail(source, -EFBIG, "docs/recording.md has the limits",
			   "line %u of the recording is too large for so many disks",
			   file->line_nr);
}

static int no_recording(struct source *source, const char *why)
{
	return source_fail(source, -EBADMSG, "fsbctl record --snapshots makes such files", "%s",
			   why);
}

/* The first line. */
static int read_head(struct source *source)
{
	struct file *file = source->own;
	json_t *json = NULL;
	const char *why;
	int got = next_line(source, &json);

	if (got < 0 && got != -EBADMSG)
		return got;
	if (got <= 0)
		return no_recording(source, "it is no recording of fsbctl");
	got = recording_head_get(json, &file->head, &why);
	json_decref(json);
	if (got == -EBADMSG)
		return no_recording(source, why);
	return got ? source_fail(source, got, "", "%s", strerror(-got)) : 0;
}

static int file_open(struct source *source, const char *path)
{
	struct file *file = calloc(1, sizeof(*file));
	int err;

	source->own = file;
	if (!file)
		return source_fail(source, -ENOMEM, "", "%s", strerror(ENOMEM));
	message_printable(file->name, sizeof(file->name), path);
	file->lines.from = fopen(path, "re");
	if (!file->lines.from)
		return source_fail(source, -errno, "", "%s", strerror(errno));
	err = read_head(source);
	if (err)
		return err;
	file->nr_disks = file->head.disks.nr;
	file->disk = calloc(file->nr_disks, sizeof(*file->disk));
	source->disks.disk = calloc(file->nr_disks, sizeof(*source->disks.disk));
	if (!file->disk || !source->disks.disk)
		return source_fail(source, -ENOMEM, "", "%s", strerror(ENOMEM));
	memcpy(source->disks.disk, file->head.disks.disk,
	       file->nr_disks * sizeof(*source->disks.disk));
	source->disks.nr = file->nr_disks;
	memcpy(source->disks.via, file->head.disks.via, sizeof(source->disks.via));
	source->counted_by = file->head.counted_by;
	source->host = file->head.host;
	source->sees_ata = file->head.sees_ata;
	memcpy(source->module_version, file->head.module_version, sizeof(source->module_version));
	memcpy(source->missing, file->head.missing, sizeof(source->missing));
	return 0;
}

static void drop_snapshot(struct recorded *disk)
{
	if (disk->have_snap)
		snapshot_free(&disk->snap);
	disk->have_snap = false;
	json_decref(disk->json);
	disk->json = NULL;
}

static void file_close(struct source *source)
{
	struct file *file = source->own;
	size_t i;

	if (!file)
		return;
	for (i = 0; i < file->nr_disks && file->disk; i++) {
		drop_snapshot(&file->disk[i]);
		json_decref(file->disk[i].look);
		json_decref(file->disk[i].owners);
		json_decref(file->disk[i].callers);
	}
	free(file->disk);
	json_decref(file->ahead);
	recording_head_free(&file->head);
	recording_end_free(&file->end);
	if (file->lines.from)
		fclose(file->lines.from);
	free(file->lines.text);
	free(file);
	source->own = NULL;
}

/* --- lines --- */

static int take_look(struct source *source, struct recorded *disk, json_t *json)
{
	struct source_look look;
	const char *why;
	int err = recording_look_get(json, &look, &why);

	source_look_free(&look);
	if (err)
		return err == -EBADMSG ? bad_line(source, why) :
					 source_fail(source, err, "", "%s", strerror(-err));
	json_decref(disk->look);
	disk->look = json_incref(json);
	return keep_line(source, disk, KEPT_LOOK);
}

static int take_owners(struct source *source, struct recorded *disk, const json_t *line)
{
	json_t *json = json_object_get(line, "owners");
	json_t **into = json ? &disk->owners : &disk->callers;
	const char *reason = json_string_value(json_object_get(line, "reason")), *why;
	struct owners owners;
	int err = 0;

	json_decref(*into);
	*into = NULL;
	if (json)
		message_printable(disk->no_owners, sizeof(disk->no_owners), reason ? reason : "");
	else
		json = json_object_get(line, "callers");
	if (!json_is_object(json))
		return 0;
	err = recording_owners_get(json, &owners, &why);
	owners_free(&owners);
	if (err)
		return err == -EBADMSG ? bad_line(source, why) :
					 source_fail(source, err, "", "%s", strerror(-err));
	*into = json_incref(json);
	return keep_line(source, disk, into == &disk->owners ? KEPT_OWNERS : KEPT_CALLERS);
}

/* Bytes at most. */
static size_t snapshot_weight(const struct snapshot *snap)
{
	size_t depths = ((size_t)snap->watch.depth_limit + 1) * sizeof(uint64_t);
	size_t hists = (size_t)FSBSTAT_CLASSES * FSBSTAT_HIST_KINDS * sizeof(struct hist);

	return snap->nr_queues * (sizeof(struct queue_counts) + depths + hists);
}

static int take_snapshot(struct source *source, struct recorded *disk, const json_t *line)
{
	const struct file *file = source->own;
	json_t *json = json_object_get(line, "snapshot"), *stats = json_object_get(line, "stats");
	const char *reason = json_string_value(json_object_get(line, "reason")), *why = "snapshot";
	int err = 0;

	drop_snapshot(disk);
	disk->have_stats = false;
	message_printable(disk->reason, sizeof(disk->reason), reason ? reason : "not recorded");
	if (json_is_object(json)) {
		disk->json = json_incref(json);
		disk->have_snap = true;
		err = recording_snapshot_get(json, &disk->snap, &why);
	}
	if (!err && stats) {
		err = recording_stats_get(stats, &disk->stats, &why);
		disk->have_stats = !err;
	}
	if (err == -EBADMSG)
		return bad_line(source, why);
	if (err)
		return source_fail(source, err, "", "%s", strerror(-err));
	if (disk->have_snap && snapshot_weight(&disk->snap) > PARSED_MAX / file->nr_disks) {
		snapshot_free(&disk->snap);
		disk->have_snap = false;
	}
	return keep_line(source, disk, KEPT_SNAPSHOT);
}

static int take_instant(struct source *source, const json_t *json, struct source_instant *instant)
{
	const char *phase = json_string_value(json_object_get(json, "phase"));
	json_int_t run = json_integer_value(json_object_get(json, "run"));
	json_int_t realtime = json_integer_value(json_object_get(json, "realtime_ns"));
	int i;

	for (i = 0; phase && recording_phases[i] && strcmp(phase, recording_phases[i]); i++)
		;
	if (!phase || !recording_phases[i] || run < 1 || realtime < 0)
		return bad_line(source, "instant");
	instant->phase = (enum source_phase)i;
	instant->run = (unsigned int)run;
	instant->realtime_ns = (uint64_t)realtime;
	return 0;
}

/*
 * One line of disks: of an instant, a look, owners.  1 when it was the last disk's of an
 * instant, 0 when there is more to come.
 */
static int take_disk(struct source *source, const json_t *line, size_t *expected,
		     struct source_instant *instant)
{
	json_t *look = json_object_get(line, "look"), *at = json_object_get(line, "instant");
	const json_t *number = json_object_get(line, "disk");
	struct file *file = source->own;
	size_t i = (size_t)json_integer_value(number);
	int err;

	if (!json_is_integer(number) || i >= file->nr_disks)
		return bad_line(source, "disk");
	if (look)
		return take_look(source, &file->disk[i], look);
	if (json_object_get(line, "owners") || json_object_get(line, "callers"))
		return take_owners(source, &file->disk[i], line);
	if (!at || i != *expected)
		return bad_line(source, "disk");
	err = take_instant(source, at, instant);
	if (!err && instant->phase == PHASE_BEGIN) {
		json_decref(file->disk[i].callers);
		file->disk[i].callers = NULL;
	}
	if (!err)
		err = take_snapshot(source, &file->disk[i], line);
	if (err)
		return err;
	(*expected)++;
	return *expected == file->nr_disks;
}

/* What comes behind the instants: 0 or an error number. */
static int take_other(struct source *source, const json_t *line)
{
	const json_t *run = json_object_get(line, "run"), *end = json_object_get(line, "end");
	struct file *file = source->own;
	const char *why;
	int err = 0;

	if (run) {
		err = recording_run_get(run, &file->run, &why);
		file->have_run = !err;
	} else if (end && !file->have_end) {
		err = recording_end_get(end, &file->end, &why);
		file->have_end = !err;
		if (err)
			recording_end_free(&file->end);
	}
	/* Lines of a later fsbctl are passed over. */
	if (err == -EBADMSG)
		return bad_line(source, why);
	return err ? source_fail(source, err, "", "%s", strerror(-err)) : 0;
}

/* Looks and the result of a window stand behind its last instant. */
static int after_window(struct source *source)
{
	struct file *file = source->own;
	struct source_instant none;
	size_t expected = 0;
	json_t *line;
	int got, err = 0;

	while (!err && !file->have_run) {
		got = next_line(source, &line);
		if (got <= 0)
			return got;
		if (json_object_get(line, "instant")) {
			file->ahead = line;
			return 0;
		}
		err = json_object_get(line, "disk") ?
			      take_disk(source, line, &expected, &none) :
			      take_other(source, line);
		json_decref(line);
	}
	return err;
}

static int file_step(struct source *source, struct source_instant *instant)
{
	struct file *file = source->own;
	size_t expected = 0;
	json_t *line;
	int got = 0;

	file->have_run = false;
	while (!file->over && !file->have_end) {
		got = next_line(source, &line);
		if (got < 0)
			return got;
		if (!got) {
			broken_off(source);
			return 0;
		}
		got = json_object_get(line, "disk") ?
			      take_disk(source, line, &expected, instant) :
			      take_other(source, line);
		json_decref(line);
		if (got < 0)
			return got;
		if (got)
			break;
	}
	if (!got)
		return 0;
	file->instants++;
	if (file->last_ns && instant->realtime_ns > file->last_ns)
		instant->gap_ns = instant->realtime_ns - file->last_ns;
	file->last_ns = instant->realtime_ns;
	if (instant->phase == PHASE_END) {
		got = after_window(source);
		if (got < 0)
			return got;
	}
	return 1;
}

/* --- what is asked of an instant --- */

static int file_snapshot(struct source *source, size_t i, struct snapshot *snap)
{
	struct recorded *disk = &((struct file *)source->own)->disk[i];
	const char *why;
	int err;

	if (!disk->json)
		return source_fail(source, -ENODATA, "", "%s", disk->reason);
	if (disk->have_snap) {
		*snap = disk->snap;
		disk->have_snap = false;
		return 0;
	}
	err = recording_snapshot_get(disk->json, snap, &why);
	if (!err)
		return 0;
	snapshot_free(snap);
	return source_fail(source, err, "", "%s", strerror(-err));
}

static int file_owners(struct source *source, size_t i, struct owners *owners)
{
	struct recorded *disk = &((struct file *)source->own)->disk[i];
	const char *why;
	int err;

	if (!disk->owners)
		return source_fail(source, -ENODATA, "", "%s",
				   *disk->no_owners ? disk->no_owners : "not recorded");
	err = recording_owners_get(disk->owners, owners, &why);
	if (!err)
		return 0;
	owners_free(owners);
	return source_fail(source, err, "", "%s", strerror(-err));
}

static void file_device_name(struct source *source, uint32_t major, uint32_t minor,
			     char name[DISK_NAME_MAX])
{
	const struct file *file = source->own;
	size_t i;

	for (i = 0; i < file->nr_disks; i++)
		if (recording_owner_device(file->disk[i].owners, major, minor, name) ||
		    recording_owner_device(file->disk[i].callers, major, minor, name))
			return;
	snprintf(name, DISK_NAME_MAX, "%u:%u", major, minor);
}

static int file_stats(struct source *source, size_t i, struct diskstats *stats)
{
	const struct recorded *disk = &((struct file *)source->own)->disk[i];

	if (!disk->have_stats)
		return source_fail(source, -ENODATA, "", "not recorded");
	*stats = disk->stats;
	return 0;
}

static int file_look(struct source *source, size_t i, struct source_look *look)
{
	const struct recorded *disk = &((struct file *)source->own)->disk[i];
	const char *why;
	int err;

	if (!disk->look)
		return 0;
	err = recording_look_get(disk->look, look, &why);
	look->info.disk = source->disks.disk[i];
	if (!err)
		return 0;
	source_look_free(look);
	return source_fail(source, err, "", "%s", strerror(-err));
}

static const char *file_vanished(struct source *source, size_t i)
{
	const struct recorded *disk = &((struct file *)source->own)->disk[i];

	if (!disk->json)
		return disk->reason;
	return json_integer_value(json_object_get(json_object_get(disk->json, "watch"),
						  "state")) == FSBSTAT_DISK_GONE ?
		       "the device is gone" : NULL;
}

const struct source_ops file_ops = {
	.open = file_open,
	.close = file_close,
	.step = file_step,
	.snapshot = file_snapshot,
	.owners = file_owners,
	.device_name = file_device_name,
	.stats = file_stats,
	.look = file_look,
	.vanished = file_vanished,
};

const struct recording_head *file_head(const struct source *source)
{
	return &((const struct file *)source->own)->head;
}

const struct recording_run *file_run(const struct source *source)
{
	const struct file *file = source->own;

	return file->have_run ? &file->run : NULL;
}

int file_callers(const struct source *source, size_t i, struct owners *callers)
{
	const struct recorded *disk = &((const struct file *)source->own)->disk[i];
	const char *why;
	int err;

	if (!disk->callers)
		return -ENODATA;
	err = recording_owners_get(disk->callers, callers, &why);
	if (err)
		owners_free(callers);
	return err;
}

const struct recording_end *file_end(const struct source *source)
{
	const struct file *file = source->own;

	return file->have_end ? &file->end : NULL;
}
