/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Bucket maths of the latency histograms: one definition for the module, the
 * tool and the unit tests.
 *
 * The buckets are log-linear.  Bucket 0 holds everything below 2^10 ns, the last
 * bucket everything from 2^36 ns (68.7 s) on.  Between them each octave
 * [2^e, 2^(e+1)) is cut into 32 buckets of equal width 2^(e-5):
 *
 *	index = 1 + 32 * (e - 10) + (the five bits below the top bit of ns)
 *
 * Error bound: a value v in a bucket satisfies low <= v < low + width with
 * width = 2^(e-5) and low >= 2^e, hence (v - low) / low < width / low <= 2^-5,
 * so any point of the bucket is within 1/32 (3.2 %) of the value counted there.
 * The bound does not hold in the first and the last bucket, whose edges are
 * clipped with the exact minimum and maximum that travel beside the buckets.
 */
#ifndef _UAPI_FSBSTAT_HIST_H
#define _UAPI_FSBSTAT_HIST_H

#include <linux/types.h>

#define FSBSTAT_HIST_MIN_EXP	10	/* first octave: [1.024 us, 2.048 us) */
#define FSBSTAT_HIST_MAX_EXP	36	/* 2^36 ns = 68.7 s and more overflow */
#define FSBSTAT_HIST_SUB_BITS	5	/* 2^5 buckets an octave */
#define FSBSTAT_HIST_SUB	(1U << FSBSTAT_HIST_SUB_BITS)
#define FSBSTAT_HIST_OVERFLOW \
	(1U + (FSBSTAT_HIST_MAX_EXP - FSBSTAT_HIST_MIN_EXP) * FSBSTAT_HIST_SUB)
#define FSBSTAT_HIST_BUCKETS	(FSBSTAT_HIST_OVERFLOW + 1U)

/**
 * fsbstat_hist_index() - the bucket a duration belongs to
 * @ns: duration, nanoseconds
 *
 * Return: 0 to %FSBSTAT_HIST_BUCKETS - 1; never fails.
 */
static inline __u32 fsbstat_hist_index(__u64 ns)
{
	__u32 exp;

	if (ns < (1ULL << FSBSTAT_HIST_MIN_EXP))
		return 0;
	exp = 63U ^ (__u32)__builtin_clzll(ns);
	if (__builtin_expect(exp >= FSBSTAT_HIST_MAX_EXP, 0))
		return FSBSTAT_HIST_OVERFLOW;
	/* the bits below the top bit, and that bit, which is one octave more */
	return 1U + (exp - FSBSTAT_HIST_MIN_EXP) * FSBSTAT_HIST_SUB +
	       (__u32)(ns >> (exp - FSBSTAT_HIST_SUB_BITS)) - FSBSTAT_HIST_SUB;
}

/**
 * fsbstat_hist_low() - lowest duration a bucket holds
 * @index: bucket, 0 to %FSBSTAT_HIST_BUCKETS - 1
 *
 * Return: nanoseconds; the bucket holds durations from this value (inclusive)
 * to fsbstat_hist_high() (exclusive).
 */
static inline __u64 fsbstat_hist_low(__u32 index)
{
	__u32 exp, sub;

	if (index == 0)
		return 0;
	if (index >= FSBSTAT_HIST_OVERFLOW)
		return 1ULL << FSBSTAT_HIST_MAX_EXP;
	exp = FSBSTAT_HIST_MIN_EXP + (index - 1U) / FSBSTAT_HIST_SUB;
	sub = (index - 1U) % FSBSTAT_HIST_SUB;
	return (1ULL << exp) + ((__u64)sub << (exp - FSBSTAT_HIST_SUB_BITS));
}

/**
 * fsbstat_hist_high() - first duration above a bucket
 * @index: bucket, 0 to %FSBSTAT_HIST_BUCKETS - 1
 *
 * Return: nanoseconds, exclusive upper edge; all ones for the overflow bucket.
 */
static inline __u64 fsbstat_hist_high(__u32 index)
{
	if (index >= FSBSTAT_HIST_OVERFLOW)
		return ~0ULL;
	return fsbstat_hist_low(index + 1U);
}

#endif /* _UAPI_FSBSTAT_HIST_H */
