// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stat_json: rows as one document (valid whenever it ends, by a signal too) or as a line
 * each.  A row has the keys of an interval of `record`.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "disk/disk_json.h"
#include "fsbstat_version.h"
#include "json_text.h"
#include "out/json_figures.h"
#include "out/stat.h"

const char *stat_time(char text[40], uint64_t realtime_ns)
{
	time_t seconds = (time_t)(realtime_ns / 1000000000);
	struct tm utc;
	size_t len;

	text[0] = '\0';
	if (!gmtime_r(&seconds, &utc))
		return text;
	len = strftime(text, 40, "%Y-%m-%dT%H:%M:%S", &utc);
	snprintf(text + len, 40 - len, ".%03uZ",
		 (unsigned int)(realtime_ns / 1000000 % 1000));
	return text;
}

static json_t *disks_json(const struct report *report)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; array && i < report->nr_disks; i++) {
		const struct report_disk *disk = &report->disk[i];
		json_t *one = json_pack("{s:s, s:o, s:o}", "name", disk->disk.name, "device",
					json_device(disk), "mounts",
					disk_json_mounts(&disk->begin.mounts));

		if (json_array_append_new(array, one)) {
			json_decref(array);
			array = NULL;
		}
	}
	return array;
}

/* Of the nulls that come with the source; others are zero requests or too few of them. */
static json_t *reasons_json(const struct report *report)
{
	static const struct {
		enum layer layer;
		const char *key;
	} keys[] = {
		{ LAYER_CLASSES, "request.*.errors" }, { LAYER_CLASSES, "request.fua_write" },
		{ LAYER_CLASSES, "request.write_zeroes" }, { LAYER_CLASSES, "request.other" },
		{ LAYER_LATENCY, "request.*.queue" }, { LAYER_LATENCY, "request.*.device" },
		{ LAYER_LATENCY, "request.*.durable" }, { LAYER_DEPTH, "depth.max" },
		{ LAYER_BIO, "bio" }, { LAYER_BIO, "flush.asked" }, { LAYER_ATA, "ata" },
		{ LAYER_UNFLUSHED, "unflushed" }, { LAYER_FS, "fs" },
	};
	json_t *object = json_object();
	size_t i;

	for (i = 0; object && i < sizeof(keys) / sizeof(keys[0]); i++)
		if (report->missing[keys[i].layer] &&
		    json_object_set_new(object, keys[i].key,
					json_string(report->missing[keys[i].layer]))) {
			json_decref(object);
			object = NULL;
		}
	return object;
}

static json_t *head_json(const struct report *report)
{
	return json_pack("{s:s, s:s, s:{s:s}, s:{s:o}, s:o, s:s, s:o, s:s, s:o}",
			 "schema", "fsbstat/1", "kind", "stat", "tool", "version", FSBSTAT_VERSION,
			 "module", "version", *report->module_version ?
				 json_text(report->module_version) : json_null(),
			 "host", json_host(&report->host), "source", report->source_name,
			 "source_reason", reasons_json(report), "start", report->start,
			 "disks", disks_json(report));
}

static json_t *row_json(const struct report_disk *disk, uint64_t realtime_ns)
{
	char text[40];
	json_t *object = json_pack("{s:s, s:s}", "time", stat_time(text, realtime_ns), "disk",
				   disk->disk.name);

	if (object && json_set_figures(object, disk, &disk->figures, NULL)) {
		json_decref(object);
		return NULL;
	}
	return object;
}

static int write_json(FILE *to, json_t *json, size_t flags)
{
	if (!json)
		return -ENOMEM;
	/* A failed write shows in ferror(to). */
	(void)json_put(json, to, JSON_COMPACT | flags);
	json_decref(json);
	return 0;
}

static int json_begin(struct stat_out *out, const struct report *report)
{
	int err;

	fputc('{', out->to);
	err = write_json(out->to, head_json(report), JSON_EMBED);
	fputs(",\"rows\":[", out->to);
	return err;
}

static int json_row(struct stat_out *out, const struct report *report,
		    const struct report_disk *disk, uint64_t realtime_ns)
{
	json_t *row = row_json(disk, realtime_ns);

	(void)report;
	if (!row)
		return -ENOMEM;
	fputs(out->rows++ ? ",\n" : "\n", out->to);
	return write_json(out->to, row, 0);
}

static int json_end(struct stat_out *out, bool complete)
{
	fprintf(out->to, "\n],\"complete\":%s}\n", complete ? "true" : "false");
	return 0;
}

const struct stat_ops stat_json = {
	.begin = json_begin,
	.row = json_row,
	.end = json_end,
};

static int jsonl_begin(struct stat_out *out, const struct report *report)
{
	int err = write_json(out->to, head_json(report), 0);

	fputc('\n', out->to);
	return err;
}

static int jsonl_row(struct stat_out *out, const struct report *report,
		     const struct report_disk *disk, uint64_t realtime_ns)
{
	json_t *row = row_json(disk, realtime_ns);

	(void)report;
	if (!row || json_object_set_new(row, "schema", json_string("fsbstat/1")) ||
	    json_object_set_new(row, "kind", json_string("stat_row"))) {
		json_decref(row);
		return -ENOMEM;
	}
	out->rows++;
	(void)write_json(out->to, row, 0);
	fputc('\n', out->to);
	return 0;
}

/* A line each: what is there is whole. */
static int jsonl_end(struct stat_out *out, bool complete)
{
	(void)out;
	(void)complete;
	return 0;
}

const struct stat_ops stat_jsonl = {
	.begin = jsonl_begin,
	.row = jsonl_row,
	.end = jsonl_end,
};
