// SPDX-License-Identifier: GPL-2.0-or-later
/* json_rows: the rows of a document, intervals and runs; and what they have no figure for. */
#include <errno.h>

#include "json_text.h"
#include "out/json_figures.h"

static json_t *interval_json(const struct report_disk *disk,
			     const struct report_interval *interval)
{
	json_t *object = json_pack("{s:I, s:o}", "run", (json_int_t)interval->run, "begin_ns",
				   json_count(interval->begin_ns));

	if (object && json_set_figures(object, disk, &interval->figures, NULL)) {
		json_decref(object);
		object = NULL;
	}
	return object;
}

struct put {
	const struct report_disk *disk;
	FILE *to;
	const char *before;
};

static int put_interval(void *arg, const struct report_interval *interval)
{
	struct put *put = arg;
	json_t *object = interval_json(put->disk, interval);

	if (!object)
		return -ENOMEM;
	fputs(put->before, put->to);
	put->before = ",";
	(void)json_put(object, put->to, JSON_COMPACT);
	json_decref(object);
	return 0;
}

int json_put_intervals(const struct report_disk *disk, FILE *to)
{
	struct put put = { disk, to, "" };
	int err;

	fputc('[', to);
	err = intervals_each(&disk->intervals, put_interval, &put);
	fputc(']', to);
	return err;
}

json_t *json_runs(const struct report *report, const struct report_disk *disk)
{
	json_t *array = json_array();
	unsigned int i;

	for (i = 0; array && report->wanted_runs > 1 && i < report->nr_runs; i++) {
		const struct report_run *run = &report->run[i];
		json_t *object = json_pack("{s:I, s:o, s:o}", "run", (json_int_t)(i + 1), "exit",
					   json_exit(run->code, run->signal), "wall_ns",
					   json_count(run->wall_ns));

		if (json_array_append_new(array, object) ||
		    json_set_figures(object, disk, &disk->run[i], NULL)) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

struct gaps {
	const struct report_disk *disk;
	struct row_gaps *found;
};

static void see_figures(const struct gaps *gaps, const struct figures *figures)
{
	struct row_gaps *found = gaps->found;
	const char *why;

	found->ata = found->ata || !figures->ata.elapsed_ns;
	found->fs = found->fs || !figures->fs.calls;
	found->unflushed = found->unflushed || report_unflushed(gaps->disk, figures, &why) ==
						       UNFLUSHED_NO_FLUSH;
}

static int see_interval(void *arg, const struct report_interval *interval)
{
	see_figures(arg, &interval->figures);
	return 0;
}

int json_row_gaps(const struct report *report, const struct report_disk *disk,
		  struct row_gaps *gaps)
{
	struct gaps looking = { disk, gaps };
	const char *why;
	unsigned int i;

	*gaps = (struct row_gaps){
		.unflushed = report_unflushed(disk, &disk->figures, &why) == UNFLUSHED_NO_FLUSH,
	};
	for (i = 0; report->wanted_runs > 1 && i < report->nr_runs; i++)
		see_figures(&looking, &disk->run[i]);
	return intervals_each(&disk->intervals, see_interval, &looking);
}
