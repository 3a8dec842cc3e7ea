// SPDX-License-Identifier: GPL-2.0-or-later
/* text_owners: "asked by  jbd2/sda1-8 58 820 (98.0 %), dbench (12 tasks) 1 204 (2.0 %)" */
#include <stdarg.h>
#include <string.h>

#include "out/number.h"
#include "out/text.h"

#define SHOWN 4 /* the rest is summed up */

/* What somebody is named for. */
typedef uint64_t (*weight_fn)(const struct report_disk *disk, const struct owner_counts *counts);

static uint64_t flushes(const struct report_disk *disk, const struct owner_counts *counts)
{
	struct asked asked;

	report_asked(disk, &counts->bio, &asked);
	return asked.all;
}

static uint64_t written(const struct report_disk *disk, const struct owner_counts *counts)
{
	(void)disk;
	return counts->bio.write_bytes;
}

/* Everything that names are measured against. */
struct list {
	char text[512];
	weight_fn weight;
	uint64_t all;
};

static void add(struct list *list, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct list *list, const char *format, ...)
{
	size_t used = strlen(list->text);
	va_list args;

	va_start(args, format);
	vsnprintf(list->text + used, sizeof(list->text) - used, format, args);
	va_end(args);
}

static void add_share(struct list *list, uint64_t amount)
{
	struct number number, percent;

	add(list, " %s (%s %%)",
	    list->weight == written ? number_bytes(&number, amount) :
				      number_count(&number, amount),
	    number_decimal(&percent, 100.0 * (double)amount / (double)list->all, 1));
}

/* Some names say where (jbd2/sda1-8); one that is on several devices does not. */
static bool elsewhere_too(const struct owner_groups *groups, const struct owner_group *group)
{
	size_t i;

	for (i = 0; i < groups->nr; i++)
		if (&groups->group[i] != group && !strcmp(groups->group[i].comm, group->comm))
			return true;
	return false;
}

static void add_group(struct list *list, const struct owner_groups *groups,
		      const struct owner_group *group, uint64_t amount)
{
	struct number tasks;

	add(list, "%s%s", *list->text ? ", " : "", group->comm);
	if (elsewhere_too(groups, group))
		add(list, " on %s", group->device);
	if (group->tasks > 1)
		add(list, " (%s tasks)", number_count(&tasks, group->tasks));
	add_share(list, amount);
}

/* The group that comes after @last (NULL: the first) when those of most weight come first. */
static const struct owner_group *next_group(const struct list *list,
					    const struct report_disk *disk,
					    const struct owner_group *last)
{
	uint64_t most = 0, limit = last ? list->weight(disk, &last->counts) : UINT64_MAX, amount;
	const struct owner_group *group, *next = NULL;

	for (group = disk->groups.group; group < disk->groups.group + disk->groups.nr; group++) {
		amount = list->weight(disk, &group->counts);
		if (amount > most && (amount < limit || (amount == limit && group > last))) {
			most = amount;
			next = group;
		}
	}
	return next;
}

static void fill(struct list *list, const struct report_disk *disk)
{
	const struct owner_group *group = next_group(list, disk, NULL);
	uint64_t amount, named = 0;
	unsigned int shown;

	for (shown = 0; group && shown < SHOWN; shown++) {
		amount = list->weight(disk, &group->counts);
		add_group(list, &disk->groups, group, amount);
		named += amount;
		group = next_group(list, disk, group);
	}
	if (named < list->all) {
		add(list, "%sothers", *list->text ? ", " : "");
		add_share(list, list->all - named);
	}
}

void text_owners(FILE *to, int label, const struct report_disk *disk)
{
	struct list list = { .weight = flushes };

	if (*disk->owners_unknown) {
		text_fillf(to, label, "asked by", "n/a   %s", disk->owners_unknown);
		return;
	}
	list.all = flushes(disk, &disk->owners.sum);
	if (!list.all) {
		list.weight = written;
		list.all = written(disk, &disk->owners.sum);
	}
	if (!list.all)
		return;
	fill(&list, disk);
	text_filled(to, label, list.weight == written ? "wrote" : "asked by", list.text);
}
