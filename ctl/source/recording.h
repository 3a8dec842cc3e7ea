/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording: what stands in a recorded file (docs/recording.md), as structs and as lines
 * of JSON.  For recorder.c, which writes them, file.c, which reads them, and the `record`
 * command, whose beginning and end they hold.
 */
#ifndef FSB_SOURCE_RECORDING_H
#define FSB_SOURCE_RECORDING_H

#include <jansson.h>

#include "source/source.h"

#define RECORDING_SCHEMA "fsbstat-recording/1"

/* The first line. */
struct recording_head {
	enum source_kind counted_by;
	char module_version[64];
	bool sees_ata;
	char missing[LAYERS][160];
	struct host host;
	char start[40]; /* RFC 3339, UTC */
	uint64_t interval_ns; /* of the rows that were asked for, 0: none */
	uint32_t wanted_runs;
	bool sync; /* what was dirty was written within the windows */
	char **argv; /* the command, NULL: none; owned */
	struct disk_set disks; /* owned */
};

/* After the instants of a window. */
struct recording_run {
	uint32_t number; /* from 1 */
	int code; /* exit code, -1 when it did not exit */
	int signal; /* that ended it, 0: none */
	uint64_t wall_ns;
};

/* The last line: what was found out beside the counts. */
struct recording_end {
	int code, signal; /* of the run that decides the exit status */
	bool cut_short;
	uint64_t sync_ns;
	bool have_dirty;
	uint64_t dirty_bytes;
	struct recording_said {
		bool lost; /* its counters could not be read at the end */
		bool incomplete; /* for another reason, among the warnings */
		char **line; /* warnings; owned */
		size_t nr;
	} *said; /* one a disk; owned */
	size_t nr;
};

/* A new reference each; NULL when memory ran out. */
json_t *recording_head_json(const struct recording_head *head);
json_t *recording_look_json(const struct source_look *look);
json_t *recording_stats_json(const struct diskstats *stats);
json_t *recording_snapshot_json(const struct snapshot *snap);
json_t *recording_owners_json(const struct owners *owners);
json_t *recording_run_json(const struct recording_run *run);
json_t *recording_end_json(const struct recording_end *end);

/*
 * Nothing is believed: 0, -ENOMEM, or -EBADMSG with what is wrong in *why.  What was
 * allocated is to be freed in any case.
 */
int recording_head_get(const json_t *json, struct recording_head *head, const char **why);
int recording_look_get(const json_t *json, struct source_look *look, const char **why);
int recording_stats_get(const json_t *json, struct diskstats *stats, const char **why);
int recording_snapshot_get(const json_t *json, struct snapshot *snap, const char **why);
int recording_owners_get(const json_t *json, struct owners *owners, const char **why);
int recording_run_get(const json_t *json, struct recording_run *run, const char **why);
int recording_end_get(const json_t *json, struct recording_end *end, const char **why);

/* The name that a device had then; false when it is not in it. */
bool recording_owner_device(const json_t *json, uint32_t major, uint32_t minor,
			    char name[DISK_NAME_MAX]);

void recording_head_free(struct recording_head *head);
void recording_end_free(struct recording_end *end);

extern const char *const recording_phases[];
extern const char *const recording_layers[LAYERS];

#endif /* FSB_SOURCE_RECORDING_H */
