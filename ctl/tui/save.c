// SPDX-License-Identifier: GPL-2.0-or-later
/* save: what the screen shows, as JSON; see save.h. */
#include "tui/save.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <fsbstat_version.h>

#include "disk/disk_json.h"
#include "json_text.h"
#include "out/json_figures.h"

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *nanoseconds(double ns)
{
	return isfinite(ns) ? json_integer((json_int_t)llround(ns)) : json_null();
}

static json_t *change_json(const struct set_row *row)
{
	if (isnan(row->change))
		return json_null();
	return json_pack("{s:o, s:o, s:o}", "percent", number(row->change), "low",
			 number(row->change_low), "high", number(row->change_high));
}

static json_t *rate_of(const struct top_disk *disk, const struct set_row *row)
{
	return json_pack("{s:s, s:o, s:o}", "of", disk->rate_label, "per_s", number(row->rate),
			 "half", number(row->rate_half));
}

static json_t *risk_of(enum risk risk, double bytes)
{
	if (risk == RISK_NO_FLUSH)
		return json_string("no flush");
	return risk == RISK_KNOWN ? number(bytes) : json_null();
}

static json_t *set_of(const struct top_disk *disk, const struct set_row *row)
{
	json_t *set = json_pack("{s:I, s:s, s:s, s:b, s:I, s:o, s:o, s:o}", "number",
				(json_int_t)row->number, "name", row->name, "options", row->title,
				"now", row->now, "epochs", (json_int_t)row->epochs, "held_ns",
				nanoseconds(row->held_ns), "rate", rate_of(disk, row), "change",
				change_json(row));
	json_t *more = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s}",
				 "write_bytes_per_s", number(row->write_bytes_s), "flush_per_s",
				 number(row->flush_s), "fsync_per_s", number(row->fsync_s),
				 "ncq_mean", number(row->ncq_mean), "drain_share",
				 number(row->drain_share), "write_p99_ns",
				 nanoseconds(row->write_p99_ns), "flush_p99_ns",
				 nanoseconds(row->flush_p99_ns), "fsync_p99_ns",
				 nanoseconds(row->fsync_p99_ns), "at_risk_bytes",
				 risk_of(row->risk, row->risk_bytes), "each_bytes",
				 number(row->each_bytes), "each_ns", nanoseconds(row->each_ns),
				 "each_of", disk->each);

	if (!set || !more || json_object_update(set, more)) {
		json_decref(set);
		set = NULL;
	}
	json_decref(more);
	return set;
}

static json_t *epoch_of(const struct epoch_row *row)
{
	return json_pack("{s:I, s:I, s:s, s:o, s:s, s:s}", "number", (json_int_t)row->number, "set",
			 (json_int_t)row->set, "began", row->began, "held_ns",
			 nanoseconds(row->held_ns), "ended_by", row->ended_by, "seen", row->seen);
}

static json_t *sets_of(const struct top_disk *disk)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < disk->nr_sets; i++)
		json_array_append_new(array, set_of(disk, &disk->set[i]));
	return array;
}

static json_t *epochs_of(const struct top_disk *disk)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < disk->nr_epochs; i++)
		json_array_append_new(array, epoch_of(&disk->epoch[i]));
	return array;
}

static json_t *left_out_of(const struct top_disk *disk)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < disk->nr_left_out; i++)
		json_object_set_new(object, disk->left_out[i].what,
				    json_text(disk->left_out[i].why));
	return object;
}

static json_t *asked_by(const struct why *why)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < why->nr_owners; i++)
		json_array_append_new(array, json_pack("{s:s, s:o}", "name", why->owner[i].name,
						       "flush_per_s",
						       number(why->owner[i].flush_s)));
	return array;
}

static json_t *stretch_of(const struct top_disk *disk, const struct stretch *stretch)
{
	struct report_disk report = {.disk = disk->info.disk};
	json_t *object;

	if (!stretch->delta)
		return json_null();
	report.begin.info = disk->info;
	report.begin.have_info = true;
	report.end = report.begin;
	report.delta = *stretch->delta;
	report.figures = *stretch->figures;
	object = json_pack("{s:o, s:o}", "elapsed_ns", json_count(stretch->figures->elapsed_ns),
			   "asked_by", asked_by(&stretch->why));
	if (!object || json_set_figures(object, &report, stretch->figures, stretch->delta)) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static json_t *disk_of(const struct top_disk *disk)
{
	static const struct mounts none;

	return json_pack("{s:o, s:o, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "device",
			 disk_json_device(&disk->info), "mounts",
			 disk_json_mounts(disk->mounts ? disk->mounts : &none), "status",
			 disk->status, "source", disk->source, "last",
			 stretch_of(disk, &disk->window), "all", stretch_of(disk, &disk->all),
			 "option_sets", sets_of(disk), "epochs", epochs_of(disk), "left_out",
			 left_out_of(disk));
}

static json_t *list_of(const struct top *top)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < top->nr_list; i++)
		json_array_append_new(array, json_pack("{s:o, s:s, s:o, s:o}", "device",
						       disk_json_device(&top->list[i].info),
						       "mounts", top->list[i].mounts, "ios_per_s",
						       number(top->list[i].ios_s), "flush_per_s",
						       number(top->list[i].flush_s)));
	return array;
}

json_t *save_json(const struct top *top, const struct ui *ui)
{
	static const char *const views[TABS] = {"list", "overview", "latency", "sets"};

	return json_pack("{s:s, s:s, s:{s:s}, s:s, s:s, s:f, s:I, s:o, s:o}", "schema", "fsbstat/1",
			 "kind", "top", "tool", "version", FSBSTAT_VERSION, "view", views[ui->tab],
			 "time", top->clock, "interval_s", ui->interval_s, "baseline",
			 (json_int_t)ui->baseline, "disk",
			 top->disk ? disk_of(top->disk) : json_null(), "list", list_of(top));
}

static void name_of(const struct top *top, char *name, size_t size)
{
	char disk[DISK_NAME_MAX], when[32];
	time_t now = time(NULL);
	struct tm tm;

	snprintf(disk, sizeof(disk), "%s", top->disk ? top->disk->info.disk.name : "disks");
	for (char *at = disk; *at; at++)
		if (*at == '/' || *at == '.')
			*at = '!';
	if (!localtime_r(&now, &tm) || !strftime(when, sizeof(when), "%Y%m%d-%H%M%S", &tm))
		snprintf(when, sizeof(when), "%lld", (long long)now);
	snprintf(name, size, "fsbctl-top-%s-%s.json", disk, when);
}

int save_screen(const struct top *top, const struct ui *ui, char *name, size_t size)
{
	json_t *document = save_json(top, ui);
	FILE *to;
	int err;

	name_of(top, name, size);
	if (!document) {
		errno = ENOMEM;
		return -1;
	}
	/* A file that is there is never written over, nor a link followed. */
	to = fopen(name, "wxe");
	if (!to) {
		json_decref(document);
		return -1;
	}
	err = json_put(document, to, JSON_INDENT(1)) || fputc('\n', to) == EOF;
	json_decref(document);
	err = fclose(to) || err;
	if (!err)
		return 0;
	err = errno;
	(void)unlink(name);
	errno = err ? err : EIO;
	return -1;
}
