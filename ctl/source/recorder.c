// SPDX-License-Identifier: GPL-2.0-or-later
/* recorder: see recorder.h. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json_text.h"
#include "output_file.h"
#include "source/recorder.h"

struct recorder {
	FILE *to;
	char *path;
	int err; /* the first that went wrong */
	json_t *looks; /* the last one of each disk */
};

int recorder_open(struct recorder **recorder, const char *path)
{
	struct recorder *opened = calloc(1, sizeof(*opened));

	*recorder = NULL;
	if (!opened)
		return -ENOMEM;
	opened->path = strdup(path);
	opened->looks = json_array();
	opened->to = output_file_open(path, true);
	if (opened->to && opened->path && opened->looks) {
		*recorder = opened;
		return 0;
	}
	opened->err = opened->to ? ENOMEM : errno;
	return recorder_close(opened);
}

/* Takes the line over. */
static void write_line(struct recorder *recorder, json_t *line)
{
	if (!line && !recorder->err)
		recorder->err = ENOMEM;
	errno = 0;
	if (!recorder->err &&
	    (json_put(line, recorder->to, JSON_COMPACT) || fputc('\n', recorder->to) == EOF ||
	     fflush(recorder->to)))
		recorder->err = errno ? errno : EIO;
	json_decref(line);
}

void recorder_head(struct recorder *recorder, const struct recording_head *head)
{
	write_line(recorder, recording_head_json(head));
}

void recorder_look(struct recorder *recorder, size_t i, const struct source_look *look)
{
	json_t *json = recording_look_json(look);

	while (json && json_array_size(recorder->looks) <= i)
		if (json_array_append_new(recorder->looks, json_null()))
			break;
	if (json && json_equal(json, json_array_get(recorder->looks, i))) {
		json_decref(json);
		return;
	}
	write_line(recorder, json_pack("{s:I, s:O}", "disk", (json_int_t)i, "look", json));
	(void)json_array_set_new(recorder->looks, i, json);
}

void recorder_instant(struct recorder *recorder, size_t i, const struct source_instant *instant,
		      const struct snapshot *snap, const char *reason,
		      const struct diskstats *stats)
{
	json_t *line;

	line = json_pack("{s:I, s:{s:s, s:I, s:I}, s:o}", "disk", (json_int_t)i,
			 "instant", "phase", recording_phases[instant->phase],
			 "run", (json_int_t)instant->run,
			 "realtime_ns", (json_int_t)instant->realtime_ns,
			 "snapshot", snap ? recording_snapshot_json(snap) : json_null());
	if (line &&
	    ((!snap && json_object_set_new(line, "reason", json_string(reason))) ||
	     (stats && json_object_set_new(line, "stats", recording_stats_json(stats))))) {
		json_decref(line);
		line = NULL;
	}
	write_line(recorder, line);
}

void recorder_owners(struct recorder *recorder, size_t i, const struct owners *owners,
		     const char *reason)
{
	if (owners)
		write_line(recorder, json_pack("{s:I, s:o}", "disk", (json_int_t)i, "owners",
					       recording_owners_json(owners)));
	else
		write_line(recorder, json_pack("{s:I, s:n, s:s}", "disk", (json_int_t)i, "owners",
					       "reason", reason));
}

void recorder_callers(struct recorder *recorder, size_t i, const struct owners *callers)
{
	write_line(recorder, json_pack("{s:I, s:o}", "disk", (json_int_t)i, "callers",
				       recording_owners_json(callers)));
}

void recorder_run(struct recorder *recorder, const struct recording_run *run)
{
	write_line(recorder, json_pack("{s:o}", "run", recording_run_json(run)));
}

void recorder_end(struct recorder *recorder, const struct recording_end *end)
{
	write_line(recorder, json_pack("{s:o}", "end", recording_end_json(end)));
}

/* The file's name lasts as well.  What is no file (a pipe) needs none of this. */
static int make_durable(struct recorder *recorder)
{
	int fd = fileno(recorder->to), err = 0;
	struct stat status;

	if (fstat(fd, &status))
		return errno;
	if (!S_ISREG(status.st_mode))
		return 0;
	if (fsync(fd))
		return errno;
	fd = open(dirname(recorder->path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	/* Some filesystems cannot sync a directory, and say so in this way. */
	if (fsync(fd) && errno != EINVAL)
		err = errno;
	close(fd);
	return err;
}

int recorder_close(struct recorder *recorder)
{
	int err;

	if (!recorder)
		return 0;
	err = recorder->err;
	if (recorder->to) {
		if (!err)
			err = make_durable(recorder);
		if (fclose(recorder->to) && !err)
			err = errno;
	}
	json_decref(recorder->looks);
	free(recorder->path);
	free(recorder);
	return -err;
}
