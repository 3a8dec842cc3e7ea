// SPDX-License-Identifier: GPL-2.0-or-later
/* keep: what a recording writes to its file as it goes (--snapshots). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"
#include "record/record.h"

void keep_head(struct recording *rec)
{
	const struct report *report = &rec->report;
	struct recording_head head = {
		.counted_by = source_counted_by(rec->source), .sees_ata = report->ata_hooks,
		.host = report->host, .wanted_runs = report->wanted_runs, .sync = report->sync,
		.interval_ns = (uint64_t)(rec->options->interval * 1e9), .argv = report->argv,
	};
	size_t i;

	memcpy(head.module_version, report->module_version, sizeof(head.module_version));
	memcpy(head.start, report->start, sizeof(head.start));
	memcpy(head.disks.via, report->via, sizeof(head.disks.via));
	for (i = 0; i < LAYERS; i++)
		if (report->missing[i])
			snprintf(head.missing[i], sizeof(head.missing[i]), "%s",
				 report->missing[i]);
	head.disks.disk = calloc(report->nr_disks, sizeof(*head.disks.disk));
	head.disks.nr = head.disks.disk ? report->nr_disks : 0;
	for (i = 0; i < head.disks.nr; i++)
		head.disks.disk[i] = report->disk[i].disk;
	recorder_head(rec->recorder, &head);
	disk_set_free(&head.disks);
}

void keep_look(struct recording *rec, size_t i, const struct source_look *look)
{
	if (rec->recorder)
		recorder_look(rec->recorder, i, look);
}

void keep_owners(struct recording *rec, size_t i, const struct owners *owners)
{
	if (rec->recorder)
		recorder_owners(rec->recorder, i, owners, source_error(rec->source));
}

void keep_callers(struct recording *rec, size_t i, const struct owners *callers)
{
	if (rec->recorder)
		recorder_callers(rec->recorder, i, callers);
}

void keep_instant(struct recording *rec, size_t i, enum source_phase phase,
		  const struct snapshot *snap, const struct diskstats *stats)
{
	struct source_instant instant;

	if (!rec->recorder || source_step(rec->source, &instant) <= 0)
		return;
	instant.phase = phase;
	instant.run = rec->report.nr_runs + 1;
	recorder_instant(rec->recorder, i, &instant, snap, source_error(rec->source), stats);
}

void keep_run(struct recording *rec, const struct report_run *run)
{
	struct recording_run result = { .number = rec->report.nr_runs, .code = run->code,
					.signal = run->signal, .wall_ns = run->wall_ns };

	if (rec->recorder)
		recorder_run(rec->recorder, &result);
}

void keep_end(struct recording *rec)
{
	const struct report *report = &rec->report;
	struct recording_end end = {
		.code = report->code, .signal = report->signal, .cut_short = report->cut_short,
		.sync_ns = report->sync_ns, .have_dirty = report->have_dirty,
		.dirty_bytes = report->dirty_bytes,
	};
	size_t i;

	if (!rec->recorder)
		return;
	end.said = calloc(report->nr_disks, sizeof(*end.said));
	end.nr = end.said ? report->nr_disks : 0;
	for (i = 0; i < end.nr; i++)
		end.said[i] = (struct recording_said){ report->disk[i].lost,
						       report->disk[i].incomplete,
						       report->disk[i].warnings.line,
						       report->disk[i].warnings.nr };
	recorder_end(rec->recorder, &end);
	free(end.said);
}

int keep_close(struct recording *rec)
{
	int err = recorder_close(rec->recorder);

	rec->recorder = NULL;
	if (!err)
		return 0;
	message_error(rec->options->snapshots, strerror(-err),
		      "what was recorded until then can be replayed with --from");
	return -1;
}
