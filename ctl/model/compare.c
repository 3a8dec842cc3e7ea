// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compare: see compare.h.  A set's rate is all its counts by all its time, so that a short
 * epoch weighs little; its standard error comes from how far the epochs lie from it, each
 * with the weight of its time (the ratio estimator; with epochs of one length this is the
 * standard error of their mean).
 */
#include "model/compare.h"

#include <math.h>

#include "model/student.h"

#define LOAD_TOLERANCE 0.10 /* so much is no change */
#define LOAD_TOLERANCE_MOST 0.50 /* and more than this one, however much the epochs vary */

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

static double fsyncs(const struct figures *figures)
{
	return (double)figures->fs.sums.fsyncs;
}

static bool fsyncs_known(const struct figures *figures)
{
	return figures->fs.calls;
}

const struct rate rates[RATES] = {
	[RATE_READ] = { "read_per_s", "read/s", reads, NULL },
	[RATE_READ_BYTES] = { "read_bytes_per_s", "read B/s", read_bytes, NULL },
	[RATE_WRITE] = { "write_per_s", "write/s", writes, NULL },
	[RATE_WRITE_BYTES] = { "write_bytes_per_s", "write B/s", write_bytes, NULL },
	[RATE_FLUSH] = { "flush_per_s", "flush/s", flushes, NULL },
	[RATE_FSYNC] = { "fsync_per_s", "fsync/s", fsyncs, fsyncs_known },
};

static uint64_t fsyncs_of(const struct epoch_set *set)
{
	return set && set->delta.fs ? set->delta.fs->sums.fsyncs : 0;
}

const struct rate *rate_telling_most(const struct epochs *epochs)
{
	size_t i;

	for (i = 0; i < epochs->nr_sets; i++)
		if (fsyncs_of(&epochs->set[i]))
			return &rates[RATE_FSYNC];
	return &rates[RATE_WRITE];
}

static double seconds(const struct epoch *epoch)
{
	return (double)epoch->figures.elapsed_ns / 1e9;
}

static bool is_sample(const struct epoch *epoch, unsigned int set, const struct rate *rate)
{
	return epoch->set == set && epoch->figures.elapsed_ns &&
	       (!rate->known || rate->known(&epoch->figures));
}

void estimate_of(struct estimate *estimate, const struct epochs *epochs, unsigned int set,
		 const struct rate *rate)
{
	double count = 0, time = 0, squares = 0;
	size_t i;

	*estimate = (struct estimate){ .n = 0, .half = -1 };
	for (i = 0; i < epochs->nr_epochs; i++) {
		const struct epoch *epoch = &epochs->epoch[i];

		if (!is_sample(epoch, set, rate))
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

		if (!is_sample(epoch, set, rate))
			continue;
		apart = rate->count(&epoch->figures) - estimate->value * seconds(epoch);
		squares += apart * apart;
	}
	if (estimate->n < 2)
		return;
	estimate->se = sqrt(squares * estimate->n / (estimate->n - 1)) / time;
	estimate->half = estimate->se * student_95(estimate->n - 1);
}

/* So few calls that their number says little of the load. */
#define FSYNCS_FEW 100

static bool per_fsync(struct work *work, const struct epoch_set *set)
{
	const struct class_delta *class = set->delta.class;
	uint64_t calls = fsyncs_of(set);

	if (calls < FSYNCS_FEW)
		return false;
	work->per = WORK_FSYNC;
	work->bytes = ((double)class[FSBSTAT_CLASS_WRITE].counts.bytes +
		       (double)class[FSBSTAT_CLASS_FUA_WRITE].counts.bytes) / (double)calls;
	return true;
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
static void per_io(struct work *work, const struct epoch_set *of)
{
	const struct class_delta *class = of->delta.class;
	const struct bio_counts *bio = &of->delta.bio;

	*work = (struct work){ WORK_UNKNOWN, 0 };
	per_operation(work, WORK_BIO, (double)bio->read_bytes + (double)bio->write_bytes,
		      (double)bio->read_ios + (double)bio->write_ios);
	if (work->per != WORK_UNKNOWN)
		return;
	per_operation(work, WORK_REQUEST,
		      (double)class[FSBSTAT_CLASS_READ].counts.bytes +
			      (double)class[FSBSTAT_CLASS_WRITE].counts.bytes +
			      (double)class[FSBSTAT_CLASS_FUA_WRITE].counts.bytes,
		      (double)class[FSBSTAT_CLASS_READ].counts.ios +
			      (double)class[FSBSTAT_CLASS_WRITE].counts.ios +
			      (double)class[FSBSTAT_CLASS_FUA_WRITE].counts.ios);
}

void work_of(struct work *work, const struct epochs *epochs, unsigned int set)
{
	const struct epoch_set *of = epochs_set(epochs, set);

	*work = (struct work){ WORK_UNKNOWN, 0 };
	if (of && !per_fsync(work, of))
		per_io(work, of);
}

bool work_by_fsync(const struct epochs *epochs)
{
	struct work work;
	size_t i;

	for (i = 0; i < epochs->nr_sets; i++)
		if (per_fsync(&work, &epochs->set[i]))
			return true;
	return false;
}

/* Bytes of an epoch and the operations they are divided by, as in struct work. */
static void work_in(const struct figures *figures, int per, double *bytes, double *operations)
{
	const struct bio_counts *bio = &figures->bio;

	*operations = fsyncs(figures);
	*bytes = write_bytes(figures);
	if (per == WORK_BIO) {
		*operations = (double)bio->read_ios + (double)bio->write_ios;
		*bytes = (double)bio->read_bytes + (double)bio->write_bytes;
	} else if (per == WORK_REQUEST) {
		*operations = reads(figures) + writes(figures);
		*bytes += read_bytes(figures);
	}
}

/* Standard error of the work of a set, from how far its epochs lie apart; 0 with one epoch. */
static double work_se(const struct epochs *epochs, unsigned int set, const struct work *work,
		      unsigned int *n)
{
	double bytes, operations, all = 0, squares = 0, apart;
	size_t i;

	*n = 0;
	for (i = 0; i < epochs->nr_epochs; i++) {
		const struct epoch *epoch = &epochs->epoch[i];

		if (epoch->set != set || !epoch->figures.elapsed_ns)
			continue;
		work_in(&epoch->figures, work->per, &bytes, &operations);
		apart = bytes - work->bytes * operations;
		squares += apart * apart;
		all += operations;
		++*n;
	}
	return *n > 1 && all > 0 ? sqrt(squares * *n / (*n - 1)) / all : 0;
}

/*
 * An unchanged load varies, too, from one epoch to the next: what the epochs of the
 * two sets vary by themselves is no change.  Of one epoch it is not known how it varies.
 */
static bool work_alike(const struct epochs *epochs, unsigned int a, const struct work *of_a,
		       unsigned int b, const struct work *of_b)
{
	double least = fmin(of_a->bytes, of_b->bytes), most = fmax(of_a->bytes, of_b->bytes);
	unsigned int n_a, n_b;
	double se;

	if (of_a->per != of_b->per || of_a->per == WORK_UNKNOWN)
		return false;
	if (most <= least * (1 + LOAD_TOLERANCE))
		return true;
	se = hypot(work_se(epochs, a, of_a, &n_a), work_se(epochs, b, of_b, &n_b));
	if (most > least * (1 + LOAD_TOLERANCE_MOST))
		return false;
	return n_a < 2 || n_b < 2 || most - least <= student_95(n_a + n_b - 2) * se;
}

/* Where one of two has too few calls of fsync, and not none, neither is measured by them. */
static bool same_load(const struct epochs *epochs, unsigned int nr_a, unsigned int nr_b)
{
	const struct epoch_set *a = epochs_set(epochs, nr_a), *b = epochs_set(epochs, nr_b);
	struct work of_a = { WORK_UNKNOWN, 0 }, of_b = { WORK_UNKNOWN, 0 };
	bool by_fsync = per_fsync(&of_a, a);

	if (per_fsync(&of_b, b) == by_fsync && by_fsync)
		return work_alike(epochs, nr_a, &of_a, nr_b, &of_b);
	if (of_a.per != of_b.per && (!fsyncs_of(a) || !fsyncs_of(b)))
		return false;
	per_io(&of_a, a);
	per_io(&of_b, b);
	return work_alike(epochs, nr_a, &of_a, nr_b, &of_b);
}

static struct mean mean_of(const struct estimate *estimate)
{
	return (struct mean){.n = estimate->n, .value = estimate->value, .se = estimate->se};
}

void compare_sets(struct comparison *comparison, const struct epochs *epochs, unsigned int baseline,
		  unsigned int set, const struct rate *rate)
{
	struct estimate a, b;
	struct mean of_a, of_b;

	*comparison = (struct comparison){ .how = COMPARE_NOTHING };
	estimate_of(&a, epochs, baseline, rate);
	estimate_of(&b, epochs, set, rate);
	of_a = mean_of(&a);
	of_b = mean_of(&b);
	change_of(&comparison->change, &of_a, &of_b);
	if (baseline == set)
		comparison->how = COMPARE_BASELINE;
	else if (!a.n || !b.n || a.value <= 0)
		comparison->how = COMPARE_NOTHING;
	else if (!same_load(epochs, baseline, set))
		comparison->how = COMPARE_LOAD_CHANGED;
	else if (a.n < 2 || b.n < 2)
		comparison->how = COMPARE_ONE_EPOCH;
	else
		comparison->how = COMPARED;
}

const char *comparable_word(enum comparable how)
{
	static const char *const words[] = {
		[COMPARED] = "",
		[COMPARE_BASELINE] = "baseline",
		[COMPARE_NOTHING] = "n/a",
		[COMPARE_ONE_EPOCH] = "one epoch",
		[COMPARE_LOAD_CHANGED] = "load changed",
	};

	return words[how];
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
	case COMPARE_LOAD_CHANGED:
		return "load changed";
	}
	return "";
}
