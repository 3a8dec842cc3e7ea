// SPDX-License-Identifier: GPL-2.0-or-later
/* span: a recording whose window is opened and closed by its caller; see span.h. */
#include "record/span.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock_ns.h"
#include "record/record.h"

/* How often counters and settings are looked at. */
#define LOOK_NS 1000000000ULL

struct span {
	struct disk disk;
	struct record_options options;
	struct source *source;
	struct mount_watch *mounts;
	struct recording rec; /* of the last window */
	bool have, open, lost;
	uint64_t looked_ns;
};

int span_open(struct span **out, const struct disk *disk, enum source_kind kind)
{
	struct span *span = calloc(1, sizeof(*span));
	struct disk_set set = {.disk = (struct disk *)disk, .nr = 1};

	*out = span;
	if (!span)
		return -1;
	span->disk = *disk;
	span->options = (struct record_options){.runs = 1,
						.quiet = true,
						.baseline = 1,
						.settle_ns = EPOCHS_SETTLE_NS,
						.format = &out_json};
	if (source_open(&span->source, kind, NULL) || source_watch(span->source, &set, NULL))
		return -1;
	span->mounts = mount_watch_open();
	return 0;
}

static void forget(struct span *span)
{
	if (!span->have)
		return;
	member_free(&span->rec.member[0]);
	free(span->rec.member);
	report_free(&span->rec.report);
	span->have = false;
	span->open = false;
}

void span_close(struct span *span)
{
	if (!span)
		return;
	forget(span);
	mount_watch_close(span->mounts);
	source_close(span->source);
	free(span);
}

const char *span_error(const struct span *span)
{
	return span && span->source ? source_error(span->source) : strerror(ENOMEM);
}

const char *span_hint(const struct span *span)
{
	return span && span->source ? source_hint(span->source) : "";
}

int span_snapshot(struct span *span, struct snapshot *snap)
{
	return source_snapshot(span->source, 0, snap) ? -1 : 0;
}

const struct source *span_source(const struct span *span)
{
	return span->source;
}

static int begin(struct span *span, char **argv)
{
	const struct disk_set set = {.disk = &span->disk, .nr = 1};
	struct recording *rec = &span->rec;

	forget(span);
	*rec = (struct recording){.options = &span->options,
				  .source = span->source,
				  .mounts = span->mounts,
				  .rows = true,
				  .look_every = 1};
	rec->out.ops = &out_json;
	if (record_room(rec, &set, 1)) {
		free(rec->member);
		report_free(&rec->report);
		return -1;
	}
	span->have = true;
	rec->report.baseline = span->options.baseline;
	rec->report.argv = argv;
	record_describe_source(rec);
	record_note_start(&rec->report);
	window_notices(rec, false);
	look(rec, 0);
	member_tell_cache(rec, 0);
	if (member_begin(rec, 0))
		return -1;
	span->open = true;
	span->looked_ns = clock_ns(CLOCK_MONOTONIC);
	return 0;
}

int span_begin(struct span *span, char **argv)
{
	span->lost = begin(span, argv) != 0;
	return span->lost ? -1 : 0;
}

void span_tick(struct span *span)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (!span->open)
		return;
	window_notices(&span->rec, true);
	if (now - span->looked_ns < LOOK_NS)
		return;
	span->looked_ns = now;
	member_interval(&span->rec, 0, 1);
}

const struct figures *span_latest(const struct span *span)
{
	const struct member *member = span->have ? &span->rec.member[0] : NULL;

	return member && member->have_row ? &member->row.figures : NULL;
}

int span_end(struct span *span)
{
	struct recording *rec = &span->rec;
	struct report_disk *disk = &rec->report.disk[0];

	if (!span->open)
		return -1;
	span->open = false;
	member_end(rec, 0, 1);
	rec->report.nr_runs = 1;
	look(rec, 0);
	epoch_end(rec, 0);
	rec->report.have_dirty = host_dirty(&rec->report.dirty_bytes) == 0;
	owners_finish(rec, 0);
	span->lost = disk->lost;
	return span->lost ? -1 : 0;
}

bool span_is_lost(const struct span *span)
{
	return span->lost;
}

bool span_is_open(const struct span *span)
{
	return span && span->open;
}

const struct report_disk *span_report(const struct span *span)
{
	return span->have ? &span->rec.report.disk[0] : NULL;
}

char *span_document(struct span *span, const struct span_command *command)
{
	struct report *report = &span->rec.report;
	struct out out = {.ops = &out_json};
	char *text = NULL;
	size_t size = 0;
	bool bad;

	if (!span->have)
		return NULL;
	report->run[0] = (struct report_run){
		.code = command->code, .signal = command->signal, .wall_ns = command->wall_ns};
	report->wall_ns = command->wall_ns;
	report->code = command->code;
	report->signal = command->signal;
	report->sync = command->synced;
	report->sync_ns = command->sync_ns;
	out.to = open_memstream(&text, &size);
	if (!out.to)
		return NULL;
	bad = out_json.report(&out, report);
	if (fclose(out.to) || bad) {
		free(text);
		return NULL;
	}
	text[strcspn(text, "\n")] = '\0';
	return text;
}
