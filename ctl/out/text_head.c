// SPDX-License-Identifier: GPL-2.0-or-later
/* text_head: what was recorded, on which disk, with which settings. */
#include <stdlib.h>
#include <string.h>

#include "out/number.h"
#include "out/text.h"

#define LABEL 8

/* The command as one would type it, near enough to recognise it. */
static void command_line(char *line, size_t size, char **argv)
{
	size_t used = 0;

	line[0] = '\0';
	for (; *argv && used < size; argv++) {
		bool quote = !**argv || strpbrk(*argv, " \t\n;&|<>()*?$\"\\");

		used += (size_t)snprintf(line + used, size - used, "%s%s%s%s", used ? " " : "",
					 quote ? "'" : "", *argv, quote ? "'" : "");
	}
}

static void ended_how(char *text, size_t size, const struct report *report)
{
	if (report->signal)
		snprintf(text, size, "killed by signal %d (%s)", report->signal,
			 strsignal(report->signal));
	else if (report->code >= 0)
		snprintf(text, size, "exit %d", report->code);
	else
		snprintf(text, size, "did not end");
}

static void record_line(FILE *to, const struct report *report, const struct report_disk *disk)
{
	char command[1024], how[96];
	struct number seconds;

	number_decimal(&seconds, (double)disk->delta.elapsed_ns / 1e9, 1);
	if (!report->argv) {
		text_fillf(to, LABEL, "record:", "%s s%s", seconds.text,
			   report_complete(report, disk) ? "" : ", incomplete");
		return;
	}
	command_line(command, sizeof(command), report->argv);
	ended_how(how, sizeof(how), report);
	if (report->wanted_runs > 1)
		text_fillf(to, LABEL, "record:", "%s, %u of %u runs, %s s together, %s", command,
			   report->nr_runs, report->wanted_runs, seconds.text, how);
	else
		text_fillf(to, LABEL, "record:", "%s, %s s, %s%s", command, seconds.text, how,
			   report_complete(report, disk) ? "" : ", incomplete");
}

static void append(char *text, size_t size, const char *lead, const char *more)
{
	size_t used = strlen(text);

	if (*more && used < size)
		snprintf(text + used, size - used, "%s%s", used ? lead : "", more);
}

static void disk_line(FILE *to, const struct report_disk *disk)
{
	const struct disk_info *info = &disk->begin.info;
	char text[1024] = "", kind[64];
	struct number size;

	append(text, sizeof(text), "", disk->disk.name);
	append(text, sizeof(text), "  ", info->model);
	snprintf(kind, sizeof(kind), "%s%s%s%s",
		 info->size_bytes > 0 ? number_bytes(&size, (uint64_t)info->size_bytes) : "",
		 *info->transport ? " " : "",
		 !strcmp(info->transport, "sata") ? "SATA" :
		 !strcmp(info->transport, "nvme") ? "NVMe" : info->transport,
		 info->rotational == 1 ? " rotational" : "");
	append(text, sizeof(text), "  ", kind);
	append(text, sizeof(text), "  ", info->by_id);
	text_filled(to, LABEL, "disk", text);
}

static void settings_line(FILE *to, const struct disk_info *info)
{
	char text[256], ncq[32] = "";

	if (info->ncq >= 0)
		snprintf(ncq, sizeof(ncq), ", NCQ %d", info->ncq);
	snprintf(text, sizeof(text), "drive cache %s, kernel %s, FUA %s%s%s%s",
		 info->write_cache == ON ? "on" : info->write_cache == OFF ? "off" : "unknown",
		 *info->write_cache_kernel ? info->write_cache_kernel : "unknown",
		 info->fua == 1 ? "yes" : info->fua == 0 ? "no" : "unknown", ncq,
		 *info->scheduler ? ", " : "", info->scheduler);
	text_filled(to, LABEL, "set", text);
}

static void mount_lines(FILE *to, const struct report_disk *disk)
{
	const struct mounts *mounts = &disk->begin.mounts;
	bool throughout = text_held_throughout(disk);
	size_t i;

	if (*mounts->unknown)
		text_fillf(to, LABEL, "mounts", "n/a (%s)", mounts->unknown);
	else if (!mounts->nr)
		text_filled(to, LABEL, "mounts", "none");
	for (i = 0; i < mounts->nr; i++) {
		const struct mount *mount = &mounts->mount[i];

		text_fillf(to, LABEL, i ? "" : "mounts", "%s %s  %s %s%s", mount->source,
			   mount->target, mount->fstype, mount->options,
			   throughout ? "    held throughout" : "");
	}
}

void text_head(FILE *to, const struct report *report, const struct report_disk *disk)
{
	record_line(to, report, disk);
	disk_line(to, disk);
	if (*report->via)
		text_fillf(to, LABEL, "counted", "the whole disk %s (asked for: %s)",
			   disk->disk.name, report->via);
	if (!disk->begin.have_info)
		return;
	settings_line(to, &disk->begin.info);
	mount_lines(to, disk);
	text_epochs(to, report, disk);
}
