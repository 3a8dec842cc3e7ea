// SPDX-License-Identifier: GPL-2.0-or-later
/* control: settings changed from the live view, see control.h. */
#include "tui/control.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk/kfile.h"
#include "disk/remount.h"
#include "disk/settings.h"
#include "message.h"

struct control {
	struct disk disk;
	bool changed; /* some setting */
	struct settings_request request; /* asked for */
	/* The same of a mount: its device, "" when none was asked for, and its barrier then. */
	char mount[DISK_NAME_MAX];
	const char *barrier;
};

struct control *control_open(const struct disk *disk)
{
	struct control *control = calloc(1, sizeof(*control));

	if (control)
		control->disk = *disk;
	return control;
}

static bool want(struct control *control, enum setting setting, const char *from, const char *value,
		 char *text, size_t size)
{
	snprintf(control->request.wanted.value[setting], SETTING_VALUE_MAX, "%s", value);
	snprintf(text, size, "%s: %s %s -> %s?", control->disk.name, settings_name(setting), from,
		 value);
	return true;
}

static bool ask_cache(struct control *control, const struct disk_info *info, char *text,
		      size_t size)
{
	if (info->write_cache == UNKNOWN) {
		snprintf(text, size, "it is not known whether the drive caches writes");
		return false;
	}
	return want(control, SETTING_WRITE_CACHE, info->write_cache == ON ? "on" : "off",
		    info->write_cache == ON ? "off" : "on", text, size);
}

static bool ask_ncq(struct control *control, const struct disk_info *info, char *text, size_t size)
{
	char now[16];

	if (info->ncq < 0) {
		snprintf(text, size, "the disk is not behind libata: it has no NCQ");
		return false;
	}
	snprintf(now, sizeof(now), "%d", info->ncq);
	return want(control, SETTING_NCQ, now, info->ncq == 1 ? "max" : "1", text, size);
}

/* The one after the active one, of those that the kernel offers: "[none] mq-deadline". */
static bool ask_scheduler(struct control *control, const struct disk_info *info, char *text,
			  size_t size)
{
	char offered[256], *rest = offered, *word, *first = NULL;
	bool next = false;

	if (kfile_read(offered, sizeof(offered), "/sys/dev/block/%u:%u/queue/scheduler",
		       info->disk.major, info->disk.minor))
		offered[0] = '\0';
	while ((word = strsep(&rest, " "))) {
		if (next)
			return want(control, SETTING_SCHEDULER, info->scheduler, word, text, size);
		if (*word == '[')
			next = true;
		else if (!first)
			first = word;
	}
	if (first)
		return want(control, SETTING_SCHEDULER, info->scheduler, first, text, size);
	snprintf(text, size, "the kernel offers no other scheduler for this disk");
	return false;
}

/* Of the first filesystem that has such an option. */
static bool ask_barrier(struct control *control, const struct top_disk *disk, char *text,
			size_t size)
{
	size_t nr = disk->mounts ? disk->mounts->nr : 0, i;
	char target[64];

	for (i = 0; i < nr; i++) {
		const struct mount *mount = &disk->mounts->mount[i];
		const char *now = mount_barrier(mount->fstype, mount->options);

		if (!*now)
			continue;
		snprintf(control->mount, sizeof(control->mount), "%s", mount->source);
		control->barrier = strcmp(now, "barrier") ? "barrier" : "nobarrier";
		message_printable(target, sizeof(target), mount->target);
		snprintf(text, size, "%s: %s -> %s?", target, now, control->barrier);
		return true;
	}
	snprintf(text, size, "no filesystem on it has a barrier that can be switched");
	return false;
}

bool control_ask(struct control *control, enum control_key what, const struct top_disk *disk,
		 char *text, size_t size)
{
	memset(&control->request, 0, sizeof(control->request));
	control->request.target.disk = control->disk;
	control->mount[0] = '\0';
	switch (what) {
	case CONTROL_CACHE:
		return ask_cache(control, &disk->info, text, size);
	case CONTROL_NCQ:
		return ask_ncq(control, &disk->info, text, size);
	case CONTROL_SCHEDULER:
		return ask_scheduler(control, &disk->info, text, size);
	default:
		return ask_barrier(control, disk, text, size);
	}
}

static void do_remount(struct control *control, char *text, size_t size)
{
	struct settings_error error;

	if (settings_remount(&control->disk, control->mount, control->barrier, &error)) {
		message_printable(text, size, error.reason);
		return;
	}
	control->changed = true;
	message_printable(text, size, control->barrier);
}

void control_do(struct control *control, char *text, size_t size)
{
	struct settings_result result;
	struct settings_error error;

	if (*control->mount) {
		do_remount(control, text, size);
		return;
	}
	if (settings_apply(&control->request, &result, &error)) {
		message_printable(text, size, error.reason);
	} else {
		control->changed = true;
		snprintf(text, size, "set");
		for (size_t i = 0; i < result.nr_changes && result.change[i].asked; i++)
			snprintf(text, size, "%s is %s", result.change[i].name,
				 result.change[i].is);
	}
	settings_result_free(&result);
}

static void tell(FILE *say, const char *object, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void tell(FILE *say, const char *object, const char *format, ...)
{
	va_list args;

	if (!say)
		return;
	fprintf(say, "fsbctl: %s: ", object);
	va_start(args, format);
	vfprintf(say, format, args);
	va_end(args);
	fputc('\n', say);
}

static void put_back_settings(struct control *control, FILE *say)
{
	static const struct settings_restore_options options;
	const char *name = control->disk.name;
	struct settings_result result;
	struct settings_error error;

	if (settings_restore(&control->disk, &options, &result, &error))
		tell(say, error.object, "%s\n        %s", error.reason, error.hint);
	for (size_t i = 0; i < result.nr_returned; i++) {
		const struct settings_returned *one = &result.returned[i];

		if (one->fate == SETTINGS_KEPT)
			tell(say, name, "%s was changed by somebody else and stays %s", one->name,
			     one->found);
		else if (one->fate == SETTINGS_GONE)
			tell(say, name, "%s is not mounted any more", one->name);
		else
			tell(say, name, "%s is %s again", one->name, one->old);
	}
	settings_result_free(&result);
}

void control_close(struct control *control, FILE *say)
{
	if (!control)
		return;
	if (control->changed)
		put_back_settings(control, say);
	free(control);
}
