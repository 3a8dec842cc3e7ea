// SPDX-License-Identifier: GPL-2.0-or-later
/* experiment_host: the machine an experiment runs on; see experiment.h. */
#include "bench/experiment.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "bench/tool.h"
#include "disk/disk_json.h"
#include "json_bounded.h"
#include "json_text.h"
#include "message.h"
#include "source/host.h"

/* The first line with a digit in it. */
static char *version_line(const char *output)
{
	const char *line;
	size_t len;

	for (line = output; *line; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		if (strcspn(line, "0123456789") < len)
			return strndup(line, len);
	}
	return strdup("");
}

/* What a mkfs calls itself; "" when it does not tell.  Malloc'd. */
static char *mkfs_version(const char *program)
{
	struct tool_words words = {.nr = 0};
	struct trouble ignored;
	char *output = NULL, *version;

	if (tool_words_add_each(&words, program, &ignored, program, "-V", NULL) == 0)
		(void)tool_run(&words, &output, &ignored);
	version = version_line(output ? output : "");
	free(output);
	tool_words_free(&words);
	return version;
}

static int add_mkfs(json_t *tools, const struct filesystem *fs)
{
	char program[128], *version;
	int ret;

	snprintf(program, sizeof(program), "%.*s", (int)strcspn(fs->mkfs, " "), fs->mkfs);
	if (!*program || json_object_get(tools, program))
		return 0;
	version = mkfs_version(program);
	ret = version ? json_object_set_new(tools, program, json_text(version)) : -1;
	free(version);
	return ret;
}

static int add_workload(json_t *tools, const struct workload_use *use)
{
	const char *name = use->workload->name;
	char version[256];

	if (json_object_get(tools, name))
		return 0;
	if (workload_version(use, version, sizeof(version)) && errno == ETIMEDOUT) {
		message_error(name,
			      "did not tell its version in time: it is not compared with that of "
			      "other trials of the run",
			      "is the machine busy?");
		return json_object_set_new(tools, name, json_null());
	}
	return json_object_set_new(tools, name, json_text(version));
}

/* Of all that the plan's cells use here. */
static char *tools_text(const struct plan *plan)
{
	json_t *tools = json_object();
	char *text = NULL;
	int ret = 0;
	size_t i;

	for (i = 0; tools && i < plan->nr_cells && !ret; i++) {
		const struct cell *cell = &plan->cell[i];

		if (!cell->unsupported)
			ret = add_mkfs(tools, cell->fs) || add_workload(tools, cell->use) ? -1 : 0;
	}
	if (!ret && tools)
		text = json_put_text(tools, JSON_SORT_KEYS);
	json_decref(tools);
	return text;
}

static char *machine_text(void)
{
	struct host host;
	struct utsname names;
	char *text;

	host_describe(&host);
	if (uname(&names))
		names.nodename[0] = '\0';
	if (asprintf(&text, "%s, %ld x %s, %llu MiB", names.nodename, host.cpus,
		     *host.cpu ? host.cpu : host.machine,
		     (unsigned long long)(host.memory_bytes >> 20)) < 0)
		return NULL;
	return text;
}

static char *kernel_text(void)
{
	struct utsname names;
	char *text;

	if (uname(&names) || asprintf(&text, "%s %s", names.release, names.version) < 0)
		return NULL;
	return text;
}

static char *disk_text(const struct target *target)
{
	json_t *object = target->image ? json_object() : disk_json_device(&target->info);
	char *text = object ? json_put_text(object, JSON_COMPACT) : NULL;

	json_decref(object);
	return text;
}

int experiment_host(struct experiment *experiment, struct store_host *host, struct trouble *trouble)
{
	host->kernel = kernel_text();
	host->machine = machine_text();
	host->tools = tools_text(experiment->plan);
	host->disk = disk_text(experiment->target);
	host->firmware = strdup(experiment->target->info.firmware);
	if (host->kernel && host->machine && host->tools && host->disk && host->firmware)
		return 0;
	return trouble_memory(trouble, experiment->plan->matrix.name);
}

/* "dbench: was 4.0, is 5.0" for the first tool that differs; "" for none.  null: not known. */
static void compare_tools(const char *then, const char *now, char *text, size_t size)
{
	json_t *a = json_bounded_text(then, NULL);
	json_t *b = json_bounded_text(now, NULL), *value;
	const char *key;

	*text = '\0';
	json_object_foreach(a, key, value) {
		json_t *found = json_object_get(b, key);
		const char *was = json_string_value(value), *is = json_string_value(found);

		if (*text || !was || json_is_null(found) || (is && !strcmp(was, is)))
			continue;
		snprintf(text, size, "%s: was \"%s\", is \"%s\"", key, was, is ? is : "not there");
	}
	json_decref(a);
	json_decref(b);
}

int experiment_same_host(const char *run, const struct store_host *then,
			 const struct store_host *now, struct trouble *trouble)
{
	static const char hint[] = "its trials would not be like those that there are: begin anew";
	char text[512];

	if (strcmp(then->kernel, now->kernel))
		return trouble_set(trouble, TROUBLE_REFUSED, run, hint,
				   "the kernel is another one: was %s, is %s", then->kernel,
				   now->kernel);
	if (strcmp(then->firmware, now->firmware))
		return trouble_set(trouble, TROUBLE_REFUSED, run, hint,
				   "the disk's firmware is another one: was %s, is %s",
				   then->firmware, now->firmware);
	compare_tools(then->tools, now->tools, text, sizeof(text));
	if (*text)
		return trouble_set(trouble, TROUBLE_REFUSED, run, hint, "a tool is another one: %s",
				   text);
	return 0;
}
