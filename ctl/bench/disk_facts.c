// SPDX-License-Identifier: GPL-2.0-or-later
/* disk_facts: see disk_facts.h. */
#include "bench/disk_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench/arithmetic.h"
#include "disk/kfile.h"

#define LOOP_SECTOR 512

static const char *const fact_names[FACTS] = {
	[FACT_LOGICAL_SECTOR] = "logical_sector",
	[FACT_PHYSICAL_SECTOR] = "physical_sector",
	[FACT_DISCARD] = "discard",
	[FACT_ROTATIONAL] = "rotational",
};

void disk_facts_read(struct disk_facts *facts, const struct target *target)
{
	const char *disk = target->device.disk.name;
	int64_t discard;

	for (int i = 0; i < FACTS; i++)
		facts->value[i] = -1;
	if (target->image) {
		facts->value[FACT_LOGICAL_SECTOR] = LOOP_SECTOR;
		return;
	}
	facts->value[FACT_LOGICAL_SECTOR] =
		kfile_number("/sys/block/%s/queue/logical_block_size", disk);
	facts->value[FACT_PHYSICAL_SECTOR] =
		kfile_number("/sys/block/%s/queue/physical_block_size", disk);
	discard = kfile_number("/sys/block/%s/queue/discard_max_bytes", disk);
	facts->value[FACT_DISCARD] = discard < 0 ? -1 : discard > 0;
	facts->value[FACT_ROTATIONAL] = kfile_number("/sys/block/%s/queue/rotational", disk);
}

static int find_fact(const char *name, size_t len)
{
	int i;

	for (i = 0; i < FACTS; i++)
		if (strlen(fact_names[i]) == len && !strncmp(fact_names[i], name, len))
			break;
	return i;
}

bool disk_facts_has(const char *name, size_t len)
{
	return find_fact(name, len) < FACTS;
}

/* Names on their way into arithmetic. */
struct lookup {
	const struct disk_facts *facts;
	const struct workload_use *use;
	char plain[128];
	bool unknown; /* a fact that the kernel does not tell */
	bool asked[FACTS];
};

static const char *lookup_name(void *arg, const char *name, size_t len)
{
	struct lookup *lookup = arg;
	int fact = find_fact(name, len);
	int64_t value;

	if (fact == FACTS)
		return workload_use_value(lookup->use, name, len, lookup->plain,
					  sizeof(lookup->plain));
	value = lookup->facts->value[fact];
	lookup->asked[fact] = true;
	lookup->unknown |= value < 0;
	snprintf(lookup->plain, sizeof(lookup->plain), "%" PRId64, value < 0 ? 0 : value);
	return lookup->plain;
}

static void say(const struct lookup *lookup, const char *what, char *why, size_t size)
{
	const char *before = ", and the disk has ";
	size_t used = (size_t)snprintf(why, size, "needs %s", what);

	for (int i = 0; i < FACTS && used < size; i++) {
		if (!lookup->asked[i])
			continue;
		used += (size_t)snprintf(why + used, size - used, "%s%s %" PRId64, before,
					 fact_names[i], lookup->facts->value[i]);
		before = ", ";
	}
}

bool disk_facts_fit(const struct disk_facts *facts, const struct workload_use *use, char *why,
		    size_t size)
{
	for (size_t i = 0; i < use->workload->nr_demands; i++) {
		const struct workload_demand *demand = &use->workload->demand[i];
		struct lookup lookup = {.facts = facts, .use = use};
		char wrong[256];
		int64_t met;

		/* A value that is no number is told with the trial's own words. */
		if (arithmetic(demand->needs, lookup_name, &lookup, &met, wrong, sizeof(wrong)) ||
		    lookup.unknown || met)
			continue;
		say(&lookup, demand->what, why, size);
		return false;
	}
	return true;
}
