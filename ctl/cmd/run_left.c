// SPDX-License-Identifier: GPL-2.0-or-later
/* run_left: a disk for one run alone, and what an interrupted run has left on it; see run.h. */
#include "cmd/run.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "message.h"
#include "shell_word.h"

bool run_sets_any(const struct run *run)
{
	for (size_t i = 0; i < run->plan.nr_cells; i++)
		if (!run->plan.cell[i].unsupported && settings_any(&run->plan.cell[i].settings))
			return true;
	return false;
}

static bool is_this_one(const struct run *run)
{
	return run->options.resume && !strcmp(run->stored.run.name, run->left.run);
}

void run_resume_line(char *text, size_t size, const struct run *run)
{
	FILE *to = fmemopen(text, size, "w");
	char *own = store_default_path();

	*text = '\0';
	if (to) {
		fputs("fsbctl run --resume ", to);
		shell_word_print(to, run->left.run);
		if (!own || strcmp(run->left.store, own)) {
			fputs(" --db ", to);
			shell_word_print(to, run->left.store);
		}
		(void)fclose(to);
	}
	free(own);
	text[size - 1] = '\0';
}

static bool settings_wait(const struct disk *disk)
{
	struct settings_waiting *waiting;
	int i, nr = settings_waiting(&waiting);
	bool waits = false;

	for (i = 0; i < nr; i++)
		waits = waits || (waiting[i].present && disk_same(&waiting[i].disk, disk));
	free(nr > 0 ? waiting : NULL);
	return waits;
}

static int refuse_settings(const struct run *run, const struct disk *disk, struct trouble *trouble)
{
	char hint[sizeof(trouble->hint)], line[300];

	if (!*run->left.run)
		return trouble_set(trouble, TROUBLE_REFUSED, disk->name,
				   "fsbctl restore puts them back; or set them in the matrix",
				   "settings of it wait to be put back, and would be lost");
	run_resume_line(line, sizeof(line), run);
	snprintf(hint, sizeof(hint), "%s goes on with it;\nfsbctl restore %s puts them back", line,
		 disk->name);
	return trouble_set(trouble, TROUBLE_REFUSED, disk->name, hint,
			   "settings of it wait to be put back: run %s, which changed them, was "
			   "interrupted",
			   run->left.run);
}

/* Old values that wait are an earlier run's when this one goes on with it, else another's. */
static int settle_settings(const struct run *run, const struct disk *disk, struct trouble *trouble)
{
	const struct settings_restore_options options = {.force = false};
	struct settings_result result;
	struct settings_error error;
	int ret = 0;

	if (!settings_wait(disk))
		return 0;
	/* They may have been set for this very run. */
	if (!run_sets_any(run)) {
		cmd_error(disk->name, "fsbctl restore puts them back",
			  "settings of it that were changed before stay as they are in this run");
		return 0;
	}
	if (!run->options.resume)
		return refuse_settings(run, disk, trouble);
	if (settings_restore(disk, &options, &result, &error))
		ret = trouble_set(trouble, TROUBLE_FAILED, error.object, error.hint, "%s",
				  error.reason);
	settings_result_free(&result);
	return ret;
}

/* Takes and changes nothing. */
static int look_at_disk(struct run *run, const struct disk *disk, struct target_options *options,
			struct trouble *trouble)
{
	switch (leftover_look(disk->name, &run->left)) {
	case LEFTOVER_IN_USE:
		return leftover_refuse(disk->name, &run->left, trouble);
	case LEFTOVER_FREE:
		if (leftover_path(run->left_at, disk->name, trouble))
			return -1;
		options->left = run->left_at;
		break;
	case LEFTOVER_UNKNOWN:
		break;
	}
	run->left_settings = settings_wait(disk);
	return 0;
}

int run_take_disk(struct run *run, struct target_options *options, struct trouble *trouble)
{
	struct leftover *leftover = &run->experiment.leftover;
	struct settings_target device;
	struct settings_error error;

	/* Whatever is wrong with it, target_find() has the words. */
	if (settings_find(options->disk, &device, &error))
		return 0;
	if (run->options.plan)
		return look_at_disk(run, &device.disk, options, trouble);
	if (leftover_lock(leftover, device.disk.name, trouble))
		return -1;
	run->left = leftover->before;
	return settle_settings(run, &device.disk, trouble);
}

static void add(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void add(char *text, size_t size, const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	if (used)
		used += (size_t)snprintf(text + used, size - used, "; ");
	if (used >= size)
		return;
	va_start(args, format);
	vsnprintf(text + used, size - used, format, args);
	va_end(args);
}

const char *run_left(const struct run *run, char *text, size_t size)
{
	char line[400], name[300];

	*text = '\0';
	if (*run->left.run && !is_this_one(run)) {
		run_resume_line(line, sizeof(line), run);
		add(text, size, "run %s on this disk was interrupted: %s goes on with it",
		    message_printable(name, sizeof(name), run->left.run), line);
	}
	if (run->target.is_left)
		add(text, size, "%s is still mounted, and will be unmounted", run->left_at);
	if (run->left_settings && !run->options.resume && run_sets_any(run))
		add(text, size,
		    "settings of the disk wait to be put back (fsbctl restore), and until then "
		    "this matrix is refused");
	return text;
}
