/* SPDX-License-Identifier: GPL-2.0-or-later */
/* option_sample: made-up option sets, and a feed of looks, for the tests of epochs. */
#ifndef FSB_TESTS_OPTION_SAMPLE_H
#define FSB_TESTS_OPTION_SAMPLE_H

#include "model/epochs.h"
#include "sample.h"

#define EXT4 "rw,relatime"
#define EXT4_NOBARRIER "rw,relatime,nobarrier"
#define SECOND 1000000000ULL

/* A SATA disk with one filesystem, sda1. */
static inline void sample_options(struct option_set *set, const char *options)
{
	struct mount mount = { .source = (char *)"sda1", .target = (char *)"/srv",
				 .fstype = (char *)"ext4", .options = (char *)options };
	const struct mounts mounts = { .mount = &mount, .nr = 1 };
	const struct disk_info info = { .write_cache = ON, .write_cache_kernel = "write back",
					.fua = 0, .ncq = 32, .queue_depth = 32,
					.nr_requests = 64, .scheduler = "mq-deadline" };

	assert_int_equal(option_set_of(set, &info, &mounts), 0);
}

/* A disk and who looks at it. */
struct sample_feed {
	struct epochs epochs;
	struct snapshot last;
	uint64_t now_ns;
};

static inline void sample_feed_begin(struct sample_feed *feed)
{
	epochs_init(&feed->epochs, EPOCHS_SETTLE_NS);
	sample_begin(&feed->last, 1, 32);
	feed->now_ns = 100 * SECOND;
}

static inline void sample_feed_end(struct sample_feed *feed)
{
	epochs_free(&feed->epochs);
	snapshot_free(&feed->last);
}

/* Time passes and so many writes of 4000 bytes are done; then somebody looks. */
static inline void sample_look(struct sample_feed *feed, const struct option_set *set,
			       enum epoch_seen seen, uint64_t ns, unsigned int writes)
{
	struct snapshot next;
	struct delta delta;

	sample_copy(&next, &feed->last);
	sample_time(&next.queue[0], 0, ns);
	for (unsigned int i = 0; i < writes; i++)
		sample_request(&next.queue[0], FSBSTAT_CLASS_WRITE, 4000, 1000, 50000);
	next.bio.write_ios += writes;
	next.bio.write_bytes += writes * 4000ULL;
	feed->now_ns += ns;
	assert_int_equal(delta_make(&delta, &feed->last, &next), 0);
	assert_int_equal(epochs_feed(&feed->epochs, feed->now_ns, seen, set, &delta), 0);
	delta_free(&delta);
	snapshot_free(&feed->last);
	feed->last = next;
}

/* As many looks, a second apart. */
static inline void sample_seconds(struct sample_feed *feed, const struct option_set *set,
				  unsigned int seconds, unsigned int writes)
{
	while (seconds--)
		sample_look(feed, set, EPOCH_POLLED, SECOND, writes);
}

#endif /* FSB_TESTS_OPTION_SAMPLE_H */
