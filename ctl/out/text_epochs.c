// SPDX-License-Identifier: GPL-2.0-or-later
/* text_epochs: which settings held when, and what the disk did meanwhile. */
#include <string.h>

#include "model/compare.h"
#include "out/number.h"
#include "out/text.h"

#define LABEL 8
#define MOST_EPOCHS 10 /* listed; a sheet of paper has an end */

bool text_held_throughout(const struct report_disk *disk)
{
	const struct epochs *epochs = &disk->epochs;
	size_t i;

	for (i = 0; i < epochs->nr_epochs; i++)
		if (epochs->epoch[i].nr_changes)
			return false;
	return epochs->nr_epochs && !epochs->nr_pending;
}

static void seen(char *buf, size_t size, const struct epoch_change *change)
{
	struct number error;

	if (!change->error_ns)
		snprintf(buf, size, "at once");
	else
		snprintf(buf, size, "within %s s",
			 number_decimal(&error, (double)change->error_ns / 1e9, 1));
}

/* "12.3 s  sda1: barrier -> nobarrier (seen at once)" */
static void change_lines(FILE *to, uint64_t origin_ns, const struct epoch_change *change,
			 size_t nr)
{
	char what[512], how[64];
	struct number at;
	size_t i;

	for (i = 0; i < nr; i++) {
		option_change_text(what, sizeof(what), &change[i].option);
		seen(how, sizeof(how), &change[i]);
		text_fillf(to, LABEL, "", "%7s s  %s (seen %s)",
			   number_decimal(&at, (double)(change[i].at_ns - origin_ns) / 1e9, 1),
			   what, how);
	}
}

static void epoch_lines(FILE *to, const struct epochs *epochs, uint64_t origin_ns)
{
	size_t i = epochs->nr_epochs > MOST_EPOCHS ? epochs->nr_epochs - MOST_EPOCHS : 0;
	const char *label = i ? "" : "epochs";
	struct number began, held;

	if (i)
		text_fillf(to, LABEL, "epochs", "%zu earlier ones are in --json only", i);
	for (; i < epochs->nr_epochs; i++, label = "") {
		const struct epoch *epoch = &epochs->epoch[i];
		const struct epoch_set *set = epochs_set(epochs, epoch->set);

		change_lines(to, origin_ns, epoch->change, epoch->nr_changes);
		text_fillf(to, LABEL, label, "%7s s  set %u for %s s: %s",
			   number_decimal(&began, (double)(epoch->began_ns - origin_ns) / 1e9, 1),
			   epoch->set,
			   number_decimal(&held, (double)epoch->held_ns / 1e9, 1),
			   epoch->set == 1 ? set->title : set->name);
	}
	change_lines(to, origin_ns, epochs->pending, epochs->nr_pending);
}

/* "; writes +51 % [45, 59]" or why there is none. */
static void against(char *buf, size_t size, const struct epochs *epochs, unsigned int baseline,
		    unsigned int set)
{
	const struct rate *rate = rate_telling_most(epochs);
	struct comparison comparison;
	struct number interval;

	compare_sets(&comparison, epochs, baseline, set, rate);
	if (comparison.how == COMPARED)
		snprintf(buf, size, "; %s %+.0f %% %s",
			 rate == &rates[RATE_FSYNC] ? "fsyncs" : "writes",
			 comparison.change.change * 100,
			 number_interval(&interval, comparison.change.low, comparison.change.high,
					 0));
	else if (comparison.how == COMPARE_BASELINE)
		buf[0] = '\0';
	else
		snprintf(buf, size, "; %s", comparable_text(comparison.how));
}

static void rate_text(struct number *number, const struct epochs *epochs, unsigned int set,
		      enum rate_key key)
{
	struct estimate estimate;

	estimate_of(&estimate, epochs, set, &rates[key]);
	number_rate(number, estimate.value);
}

static void set_lines(FILE *to, const struct epochs *epochs, unsigned int baseline)
{
	struct number reads, writes, flushes, held;
	char change[96];
	size_t i;

	for (i = 0; i < epochs->nr_sets; i++) {
		const struct epoch_set *set = &epochs->set[i];

		if (!set->n)
			continue;
		rate_text(&reads, epochs, set->nr, RATE_READ);
		rate_text(&writes, epochs, set->nr, RATE_WRITE);
		rate_text(&flushes, epochs, set->nr, RATE_FLUSH);
		against(change, sizeof(change), epochs, baseline, set->nr);
		text_fillf(to, LABEL, i ? "" : "sets",
			   "%u  %s s in %u epoch%s: read %s/s, write %s/s, flush %s/s%s", set->nr,
			   number_decimal(&held, (double)set->held_ns / 1e9, 1), set->n,
			   set->n == 1 ? "" : "s", reads.text, writes.text, flushes.text, change);
	}
}

void text_epochs(FILE *to, const struct report *report, const struct report_disk *disk)
{
	if (text_held_throughout(disk) || (!disk->epochs.nr_epochs && !disk->epochs.nr_pending))
		return;
	epoch_lines(to, &disk->epochs, report->origin_ns);
	set_lines(to, &disk->epochs, report->baseline);
}
