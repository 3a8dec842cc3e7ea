// SPDX-License-Identifier: GPL-2.0-or-later
/* part_head: what a run ran on, and at its end how its filesystems were mounted. */
#include "results/part.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "json_bounded.h"

#define LEAD 8

static void line(FILE *to, const char *lead, const char *text)
{
	if (!*text)
		return;
	fprintf(to, "%-*s", LEAD, lead);
	show_wrapped(to, text, LEAD, LEAD);
}

static const char *text_at(json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static void disk_line(FILE *to, const struct store_run *run)
{
	json_t *disk = json_bounded_text(run->host.disk, NULL);
	json_t *size = json_object_get(disk, "size_bytes");
	const char *serial = text_at(disk, "serial");
	struct number number = {""};
	char text[1024];

	if (json_is_integer(size) && json_integer_value(size) > 0)
		number_bytes(&number, (uint64_t)json_integer_value(size));
	snprintf(text, sizeof(text), "%.100s %.200s %s %.40s%s%.200s%s%.100s",
		 text_at(disk, "name"), text_at(disk, "model"), number.text,
		 text_at(disk, "transport"), *serial ? " serial " : "", serial,
		 *run->host.firmware ? " firmware " : "", run->host.firmware);
	line(to, "disk", text + strspn(text, " "));
	json_decref(disk);
}

static void tools_line(FILE *to, const struct store_run *run)
{
	json_t *tools = json_bounded_text(run->host.tools, NULL);
	json_t *version;
	char text[1024] = "";
	const char *name;
	size_t used = 0;

	json_object_foreach(tools, name, version) {
		const char *number = json_string_value(version);
		bool named = number && !strncmp(number, name, strlen(name));

		if (used + 256 > sizeof(text))
			break;
		/* Many a tool says its name with its version. */
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%.100s%s%.100s",
					 used ? ", " : "", named ? "" : name,
					 named || (number && !*number) ? "" : " ",
					 number ? number : "?");
	}
	line(to, "tools", text);
	json_decref(tools);
}

void part_head(FILE *to, const struct results *results)
{
	const struct store_run *run = &results->stored->run;
	char state[256];

	snprintf(state, sizeof(state), "%.40s, %.40s%s%.40s", store_state_name(run), run->began,
		 *run->ended ? " to " : "", run->ended);
	show_ends(to, run->name, state);
	disk_line(to, run);
	line(to, "kernel", run->host.kernel);
	line(to, "machine", run->host.machine);
	tools_line(to, run);
}

static bool shown_before(const struct results *results, size_t cell)
{
	for (size_t i = 0; i < cell; i++)
		if (!strcmp(results->cell[i].cell->configuration,
			    results->cell[cell].cell->configuration) &&
		    !strcmp(results->cell[i].mount_options, results->cell[cell].mount_options))
			return true;
	return false;
}

void part_mounts(FILE *to, const struct results *results)
{
	size_t name = show_name_width(results, 32);
	bool any = false;

	for (size_t i = 0; i < results->nr_cells; i++) {
		const struct cell_result *cell = &results->cell[i];

		if (!*cell->mount_options || shown_before(results, i))
			continue;
		if (!any)
			fputs("\noptions as mounted:\n", to);
		any = true;
		fputs("  ", to);
		show_padded(to, cell->cell->configuration, name, ' ');
		fputs("  ", to);
		show_wrapped(to, cell->mount_options, name + 4, name + 4);
	}
}
