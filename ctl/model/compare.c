// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compare: see compare.h.  A set's rate is all its counts by all its time, so that a short
 * epoch weighs little; its standard error comes from how far the epochs lie from it, each
 * with the weight of its time (the ratio estimator; with epochs of one length this is the
 * standard error of their mean).  The interval of a change is Fieller's, which holds for
 * the ratio of two means, one of which may be 0.
 */
#include "model/compare.h"

#include <math.h>

#include "model/student.h"

#define LOAD_TOLERANCE 0.10

static double reads(const struct figures *figures)
{
	return (double)figures->class[FSBSTAT_CLASS_READ].counts.ios;
}

static double read_bytes(const struct figures *figures)
{
	return (double)figures->class[FSBSTAT_CLASS_READ].counts.bytes;
}

static double writes(const struct figures *figures)
{
	return (double)figures->class[FSBSTAT_CLASS_WRITE].counts.ios +
	       (double)figures->class[FSBSTAT_CLASS_FUA_WRITE].counts.ios;
}

static double write_bytes(const struct figures *figures)
{
	return (double)figures->class[FSBSTAT_CLASS_WRITE].counts.bytes +
	       (double)figures->class[FSBSTAT_CLASS_FUA_WRITE].counts.bytes;
}

static double flushes(const struct figures *figures)
{
	return (double)figures->class[FSBSTAT_CLASS_FLUSH].counts.ios;
}

const struct rate rates[RATES] = {
	[RATE_READ] = { "read_per_s", "read/s", reads },
	[RATE_READ_BYTES] = { "read_bytes_per_s", "read B/s", read_bytes },
	[RATE_WRITE] = { "write_per_s", "write/s", writes },
	[RATE_WRITE_BYTES] = { "write_bytes_per_s", "write B/s", write_bytes },
	[RATE_FLUSH] = { "flush_per_s", "flush/s", flushes },
};

static double seconds(const struct epoch *epoch)
{
	return (double)epoch->figures.elapsed_ns / 1e9;
}

void estimate_of(struct estimate *estimate, const struct epochs *epochs, unsigned int set,
		 const struct rate *rate)
{
	double count = 0, time = 0, squares = 0;
	size_t i;

	*estimate = (struct estimate){ .n = 0, .half = -1 };
	for (i = 0; i < epochs->nr_epochs; i++) {
		const struct epoch *epoch = &epochs->epoch[i];

		if (epoch->set != set || !epoch->figures.elapsed_ns)
			continue;
		estimate->n++;
		count += rate->count(&epoch->figures);
		time += seconds(epoch);
	}
	if (!estimate->n)
		return;
	estimate->value = count / time;
	for (i = 0; i < epochs->nr_epochs; i++) {
		const struct epoch *epoch = &epochs->epoch[i];
		double apart;

		if (epoch->set != set || !epoch->figures.elapsed_ns)
			continue;
		apart = rate->count(&epoch->figures) - estimate->value * seconds(epoch);
		squares += apart * apart;
	}
	if (estimate->n < 2)
		return;
	estimate->se = sqrt(squares * estimate->n / (estimate->n - 1)) / time;
	estimate->half = estimate->se * student_95(estimate->n - 1);
}

static void per_operation(struct work *work, int per, double bytes, double operations)
{
	if (operations <= 0)
		return;
	work->per = per;
	work->bytes = bytes / operations;
}

/*
 * What the filesystem asked for tells more of the load than the requests that the block
 * layer made of it, which a setting may have changed.
 */
void work_of(struct work *work, const struct epochs *epochs, unsigned int set)
{
	const struct epoch_set *of = epochs_set(epochs, set);
	const struct class_delta *class;
	const struct bio_counts *bio;

	*work = (struct work){ WORK_UNKNOWN, 0 };
	if (!of)
		return;
	bio = &of->delta.bio;
	per_operation(work, WORK_BIO, (double)bio->read_bytes + (double)bio->write_bytes,
		      (double)bio->read_ios + (double)bio->write_ios);
	if (work->per != WORK_UNKNOWN)
		return;
	class = of->delta.class;
	per_operation(work, WORK_REQUEST,
		      (double)class[FSBSTAT_CLASS_READ].counts.bytes +
			      (double)class[FSBSTAT_CLASS_WRITE].counts.bytes +
			      (double)class[FSBSTAT_CLASS_FUA_WRITE].counts.bytes,
		      (double)class[FSBSTAT_CLASS_READ].counts.ios +
			      (double)class[FSBSTAT_CLASS_WRITE].counts.ios +
			      (double)class[FSBSTAT_CLASS_FUA_WRITE].counts.ios);
}

bool work_same(const struct work *a, const struct work *b)
{
	double least = fmin(a->bytes, b->bytes), most = fmax(a->bytes, b->bytes);

	return a->per == b->per && a->per != WORK_UNKNOWN &&
	       most <= least * (1 + LOAD_TOLERANCE);
}

/* Degrees of freedom of the two together (Welch, Satterthwaite), rounded down. */
static unsigned int freedom(const struct estimate *a, const struct estimate *b, double ratio)
{
	double of_a = ratio * ratio * a->se * a->se, of_b = b->se * b->se, sum = of_a + of_b;

	if (sum <= 0)
		return a->n + b->n - 2;
	return (unsigned int)fmax(1, sum * sum / (of_a * of_a / (a->n - 1) +
						  of_b * of_b / (b->n - 1)));
}

static enum comparable interval(struct comparison *comparison, const struct estimate *a,
				const struct estimate *b)
{
	double ratio = b->value / a->value, t = student_95(freedom(a, b, ratio));
	double of_a = a->se / a->value, of_b = b->se / a->value, g = t * t * of_a * of_a, reach;

	comparison->change = ratio - 1;
	if (g >= 1)
		return COMPARE_NOISY;
	reach = t * sqrt(of_b * of_b * (1 - g) + ratio * ratio * of_a * of_a);
	comparison->low = (ratio - reach) / (1 - g) - 1;
	comparison->high = (ratio + reach) / (1 - g) - 1;
	/* Nothing is done less often than never. */
	if (comparison->low < -1)
		comparison->low = -1;
	return COMPARED;
}

void compare_sets(struct comparison *comparison, const struct epochs *epochs, unsigned int baseline,
		  unsigned int set, const struct rate *rate)
{
	struct estimate a, b;
	struct work of_a, of_b;

	*comparison = (struct comparison){ .how = COMPARE_NOTHING };
	estimate_of(&a, epochs, baseline, rate);
	estimate_of(&b, epochs, set, rate);
	work_of(&of_a, epochs, baseline);
	work_of(&of_b, epochs, set);
	if (baseline == set)
		comparison->how = COMPARE_BASELINE;
	else if (!a.n || !b.n || a.value <= 0)
		comparison->how = COMPARE_NOTHING;
	else if (!work_same(&of_a, &of_b))
		comparison->how = COMPARE_LOAD_CHANGED;
	else if (a.n < 2 || b.n < 2)
		comparison->how = COMPARE_ONE_EPOCH;
	else
		comparison->how = interval(comparison, &a, &b);
}

const char *comparable_text(enum comparable how)
{
	switch (how) {
	case COMPARED:
		return "";
	case COMPARE_BASELINE:
		return "baseline";
	case COMPARE_NOTHING:
		return "nothing to compare";
	case COMPARE_ONE_EPOCH:
		return "not comparable (one epoch)";
	case COMPARE_NOISY:
		return "not comparable (the baseline varies too much)";
	case COMPARE_LOAD_CHANGED:
		return "load changed";
	}
	return "";
}
