// SPDX-License-Identifier: GPL-2.0-or-later
/* ata: counts at the ATA link, and their difference, see ata.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/ata.h"
#include "model/hist.h"
#include "model/words.h"

_Static_assert(sizeof(struct ata_sums) % sizeof(uint64_t) == 0, "nothing but counters");

static uint64_t parts_sum(const struct ata_parts *parts)
{
	return parts->idle_ns + parts->queued_ns + parts->drain_ns + parts->alone_ns +
	       parts->error_ns;
}

bool ata_consistent(const struct ata_counts *ata)
{
	uint64_t at_tags = 0, elapsed = ata->time_ns - ata->start_ns;
	unsigned int tags;

	for (tags = 0; tags <= ATA_TAGS; tags++)
		at_tags += ata->sums.tags_ns[tags];
	return ata->time_ns >= ata->start_ns && parts_sum(&ata->sums.parts) == elapsed &&
	       at_tags + ata->sums.parts.error_ns == elapsed;
}

int ata_set_tags(struct ata_counts *ata, const void *values, size_t bytes)
{
	if (bytes % sizeof(uint64_t) || bytes > sizeof(ata->sums.tags_ns))
		return -EBADMSG;
	memcpy(ata->sums.tags_ns, values, bytes);
	return 0;
}

struct hist *ata_new_hist(struct ata_counts *ata, unsigned int kind)
{
	if (kind >= FSBSTAT_ATA_HISTS || ata->hist[kind])
		return NULL;
	ata->hist[kind] = calloc(1, sizeof(*ata->hist[kind]));
	return ata->hist[kind];
}

static void hists_free(struct hist *hist[FSBSTAT_ATA_HISTS])
{
	unsigned int kind;

	for (kind = 0; kind < FSBSTAT_ATA_HISTS; kind++)
		free(hist[kind]);
}

void ata_counts_free(struct ata_counts *ata)
{
	if (ata)
		hists_free(ata->hist);
	free(ata);
}

void ata_delta_free(struct ata_delta *delta)
{
	if (delta)
		hists_free(delta->hist);
	free(delta);
}

/*
 * What @b had counted when its first command was still to come: idle time.  Its clock
 * is read apart from the one that tells @time_ns, so that is cut to what @b says.
 */
static void before_first(struct ata_counts *a, const struct ata_counts *b, uint64_t time_ns)
{
	uint64_t idle = time_ns > b->start_ns ? time_ns - b->start_ns : 0;

	if (idle > b->sums.parts.idle_ns)
		idle = b->sums.parts.idle_ns;
	if (idle > b->sums.tags_ns[0])
		idle = b->sums.tags_ns[0];
	memset(a, 0, sizeof(*a));
	a->start_ns = b->start_ns;
	a->time_ns = b->start_ns + idle;
	a->sums.parts.idle_ns = idle;
	a->sums.tags_ns[0] = idle;
}

static int subtract_hist(struct hist **result, const struct hist *b, const struct hist *a)
{
	int err;

	if (!b)
		return a && a->count ? -ERANGE : 0;
	*result = calloc(1, sizeof(**result));
	if (!*result)
		return -ENOMEM;
	err = hist_subtract(*result, b, a);
	if (!err && (*result)->count)
		return 0;
	free(*result);
	*result = NULL;
	return err;
}

int ata_subtract(struct ata_delta **delta, const struct ata_counts *b,
		 const struct ata_counts *a, uint64_t a_time_ns)
{
	struct ata_delta *result = calloc(1, sizeof(*result));
	struct ata_counts none;
	unsigned int kind;
	int err;

	*delta = result;
	if (!result)
		return -ENOMEM;
	if (!a) {
		before_first(&none, b, a_time_ns);
		a = &none;
	}
	if (b->time_ns < a->time_ns)
		return -ERANGE;
	result->elapsed_ns = b->time_ns - a->time_ns;
	err = words_subtract(&result->sums, &b->sums, &a->sums, WORDS(result->sums));
	for (kind = 0; kind < FSBSTAT_ATA_HISTS && !err; kind++)
		err = subtract_hist(&result->hist[kind], b->hist[kind], a->hist[kind]);
	return err;
}

int ata_add(struct ata_delta **into, const struct ata_delta *from)
{
	struct ata_delta *sum = *into ? *into : calloc(1, sizeof(*sum));
	unsigned int kind;

	if (!sum)
		return -ENOMEM;
	*into = sum;
	sum->elapsed_ns += from->elapsed_ns;
	words_add(&sum->sums, &from->sums, WORDS(sum->sums));
	for (kind = 0; kind < FSBSTAT_ATA_HISTS; kind++) {
		if (from->hist[kind] && hist_merge_into(&sum->hist[kind], from->hist[kind]))
			return -ENOMEM;
	}
	return 0;
}

double ata_tags_mean(const struct ata_sums *sums)
{
	double weighted = 0, time = 0;
	unsigned int tags;

	for (tags = 0; tags <= ATA_TAGS; tags++) {
		weighted += (double)tags * (double)sums->tags_ns[tags];
		time += (double)sums->tags_ns[tags];
	}
	return time > 0 ? weighted / time : 0;
}

uint32_t ata_tags_max(const struct ata_sums *sums)
{
	uint32_t tags = ATA_TAGS;

	while (tags && !sums->tags_ns[tags])
		tags--;
	return tags;
}

uint64_t ata_ncq_ios(const struct ata_sums *sums)
{
	return sums->kind[FSBSTAT_ATA_NCQ_READ].ios + sums->kind[FSBSTAT_ATA_NCQ_WRITE].ios +
	       sums->kind[FSBSTAT_ATA_NCQ_FUA_WRITE].ios +
	       sums->kind[FSBSTAT_ATA_NCQ_OTHER].ios;
}
