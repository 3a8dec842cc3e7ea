// SPDX-License-Identifier: GPL-2.0-or-later
/* test_wire: messages as the module sends them, and as a broken or foreign one might. */
#include <errno.h>

#include "message_bytes.h"
#include "sample.h"
#include "source/wire.h"

static void watch_message(struct message *message, uint32_t shards, uint32_t limit)
{
	struct message nest = { .len = 0 };

	put_u32(&nest, FSBSTAT_A_DISK_MAJOR, 8);
	put_u32(&nest, FSBSTAT_A_DISK_MINOR, 16);
	put(&nest, FSBSTAT_A_DISK_NAME, "sdb", 4);
	put_u32(&nest, FSBSTAT_A_DISK_ID, 5);
	put_u8(&nest, FSBSTAT_A_DISK_STATE, FSBSTAT_DISK_LIVE);
	put_u8(&nest, FSBSTAT_A_DISK_SETTLING, 1);
	put_u32(&nest, FSBSTAT_A_DISK_RESTARTS, 2);
	put_u64(&nest, FSBSTAT_A_DISK_ADDED, 1ULL << 40);
	put_u32(&nest, FSBSTAT_A_DISK_QUEUES, shards);
	put_u32(&nest, FSBSTAT_A_DISK_SHARDS, shards);
	put_u32(&nest, FSBSTAT_A_DISK_DEPTH_LIMIT, limit);
	put_u64(&nest, FSBSTAT_A_DISK_MEMORY, 123456);
	put_u32(&nest, FSBSTAT_A_DISK_REFERENCES, 3);
	put_u8(&nest, FSBSTAT_A_DISK_PERMANENT, 1);
	put_u8(&nest, FSBSTAT_A_DISK_WRITE_CACHE, FSBSTAT_WRITE_CACHE_OFF);
	put_u32(&nest, FSBSTAT_A_DISK_SETTINGS, 4);
	put_u32(&nest, FSBSTAT_A_DISK_LAYERS, FSBSTAT_LAYERS_ALL);
	put_u32(&nest, 29, 7); /* of a later module */
	put_u32(&nest, 3000, 7);
	put_nest(message, FSBSTAT_A_DISK, &nest);
}

static void bio_message(struct message *message)
{
	struct message nest = { .len = 0 };

	for (unsigned int i = FSBSTAT_A_BIO_READ_IOS; i <= FSBSTAT_A_BIO_MAX; i++)
		put_u64(&nest, i, 100 + i);
	put_nest(message, FSBSTAT_A_BIO, &nest);
}

static void queue_message(struct message *message, uint32_t index, uint8_t classes)
{
	struct message nest = { .len = 0 };

	put_u32(&nest, FSBSTAT_A_QUEUE_INDEX, index);
	put_u32(&nest, FSBSTAT_A_QUEUE_INFLIGHT, 3);
	put_u32(&nest, FSBSTAT_A_QUEUE_DEPTH_MAX, 9);
	for (unsigned int i = FSBSTAT_A_QUEUE_START; i < FSBSTAT_A_QUEUE_CLASS; i++)
		put_u64(&nest, i, 1000 + i);
	for (uint8_t class = 0; class < classes; class++) {
		struct message one = { .len = 0 };

		put_u8(&one, FSBSTAT_A_CLASS_CLASS, class);
		for (unsigned int i = FSBSTAT_A_CLASS_IOS; i <= FSBSTAT_A_CLASS_MAX; i++)
			put_u64(&one, i, 10 * class + i);
		put_nest(&nest, FSBSTAT_A_QUEUE_CLASS, &one);
	}
	put_nest(message, FSBSTAT_A_QUEUE, &nest);
}

static void depth_message(struct message *message, uint32_t queue, uint32_t first,
			  const uint64_t *values, size_t nr)
{
	struct message nest = { .len = 0 };

	put_u32(&nest, FSBSTAT_A_DEPTH_QUEUE, queue);
	put_u32(&nest, FSBSTAT_A_DEPTH_FIRST, first);
	put(&nest, FSBSTAT_A_DEPTH_VALUES, values, nr * sizeof(*values));
	put_nest(message, FSBSTAT_A_DEPTH, &nest);
}

static void hist_message(struct message *message, uint32_t queue, uint8_t class, uint8_t kind,
			 uint64_t count, uint32_t first)
{
	const uint64_t values[] = { 4, 0, 6 };
	struct message nest = { .len = 0 }, run = { .len = 0 };

	put_u32(&nest, FSBSTAT_A_HIST_QUEUE, queue);
	put_u8(&nest, FSBSTAT_A_HIST_CLASS, class);
	put_u8(&nest, FSBSTAT_A_HIST_KIND, kind);
	put_u64(&nest, FSBSTAT_A_HIST_COUNT, count);
	put_u64(&nest, FSBSTAT_A_HIST_SUM, 50000);
	put_u64(&nest, FSBSTAT_A_HIST_MIN, 2000);
	put_u64(&nest, FSBSTAT_A_HIST_MAX, 3000);
	put_u32(&run, FSBSTAT_A_RUN_FIRST, first);
	put(&run, FSBSTAT_A_RUN_VALUES, values, sizeof(values));
	put_nest(&nest, FSBSTAT_A_HIST_RUN, &run);
	put_nest(message, FSBSTAT_A_HIST, &nest);
}

/* 1 s of one read: the parts and the time at each number of tags sum to it. */
static void ata_message(struct message *message, size_t nr_tags, uint64_t queued_ns)
{
	uint64_t tags_ns[40] = { 600000000, 400000000 };
	struct message nest = { .len = 0 };

	put_u64(&nest, FSBSTAT_A_ATA_START, 5000000000);
	put_u64(&nest, FSBSTAT_A_ATA_TIME, 6000000000);
	put_u32(&nest, FSBSTAT_A_ATA_TAGS, 1);
	put_u32(&nest, FSBSTAT_A_ATA_TAGS_MAX, 7);
	put(&nest, FSBSTAT_A_ATA_TIME_NS, tags_ns, nr_tags * sizeof(tags_ns[0]));
	put_u64(&nest, FSBSTAT_A_ATA_IDLE_NS, 500000000);
	put_u64(&nest, FSBSTAT_A_ATA_QUEUED_NS, queued_ns);
	put_u64(&nest, FSBSTAT_A_ATA_DRAIN_NS, 100000000);
	put_u64(&nest, FSBSTAT_A_ATA_ALONE_NS, 100000000);
	put_u64(&nest, FSBSTAT_A_ATA_ERROR_NS, 0);
	for (unsigned int i = FSBSTAT_A_ATA_ERRORS; i < FSBSTAT_A_ATA_KIND; i++)
		put_u64(&nest, i, 1000 + i);
	for (uint8_t kind = 0; kind < FSBSTAT_ATA_KINDS + 2; kind++) {
		struct message one = { .len = 0 };

		put_u8(&one, FSBSTAT_A_ATA_KIND_KIND, kind);
		put_u64(&one, FSBSTAT_A_ATA_KIND_IOS, 10 + kind);
		put_u64(&one, FSBSTAT_A_ATA_KIND_BUSY_NS, 20 + kind);
		put_nest(&nest, FSBSTAT_A_ATA_KIND, &one);
	}
	put_nest(message, FSBSTAT_A_ATA, &nest);
}

/* A histogram of the disk as a whole. */
static void disk_hist_message(struct message *message, unsigned int type, uint8_t kind,
			      uint64_t count)
{
	const uint64_t values[] = { 4, 0, 6 };
	struct message nest = { .len = 0 }, run = { .len = 0 };

	put_u8(&nest, FSBSTAT_A_HIST_KIND, kind);
	put_u64(&nest, FSBSTAT_A_HIST_COUNT, count);
	put_u64(&nest, FSBSTAT_A_HIST_SUM, 50000);
	put_u64(&nest, FSBSTAT_A_HIST_MIN, 2000);
	put_u64(&nest, FSBSTAT_A_HIST_MAX, 3000);
	put_u32(&run, FSBSTAT_A_RUN_FIRST, 30);
	put(&run, FSBSTAT_A_RUN_VALUES, values, sizeof(values));
	put_nest(&nest, FSBSTAT_A_HIST_RUN, &run);
	put_nest(message, type, &nest);
}

static int take(struct snapshot *snap, const struct message *message)
{
	const char *why = "";

	return wire_snapshot(message->bytes, message->len, snap, &why);
}

static void begin(struct snapshot *snap, uint32_t shards, uint32_t limit)
{
	struct message message = { .len = 0 };

	memset(snap, 0, sizeof(*snap));
	watch_message(&message, shards, limit);
	bio_message(&message);
	assert_int_equal(take(snap, &message), 0);
}

static int add_queue(struct snapshot *snap, uint32_t index, uint8_t classes)
{
	struct message message = { .len = 0 };

	queue_message(&message, index, classes);
	return take(snap, &message);
}

static int add_depth(struct snapshot *snap, uint32_t queue, uint32_t first,
		     const uint64_t *values, size_t nr)
{
	struct message message = { .len = 0 };

	depth_message(&message, queue, first, values, nr);
	return take(snap, &message);
}

static int add_hist(struct snapshot *snap, uint32_t queue, uint8_t class, uint8_t kind,
		    uint64_t count, uint32_t first)
{
	struct message message = { .len = 0 };

	hist_message(&message, queue, class, kind, count, first);
	return take(snap, &message);
}

static void unflushed_message(struct message *message, uint64_t written, uint64_t since)
{
	struct message nest = { .len = 0 };

	put_u64(&nest, FSBSTAT_A_UNFLUSHED_TIME, 9000);
	put_u64(&nest, FSBSTAT_A_UNFLUSHED_WRITTEN, written);
	put_u64(&nest, FSBSTAT_A_UNFLUSHED_COVERED, 4096);
	put_u64(&nest, FSBSTAT_A_UNFLUSHED_SINCE, since);
	put_u64(&nest, FSBSTAT_A_UNFLUSHED_INTEGRAL, 5);
	put_u64(&nest, FSBSTAT_A_UNFLUSHED_FLUSHES, 6);
	put_nest(message, FSBSTAT_A_UNFLUSHED, &nest);
}

static int add_unflushed(struct snapshot *snap, uint64_t written, uint64_t since)
{
	struct message message = { .len = 0 };

	unflushed_message(&message, written, since);
	return take(snap, &message);
}

static int add_unflushed_hist(struct snapshot *snap, uint8_t kind, uint64_t count)
{
	struct message message = { .len = 0 };

	disk_hist_message(&message, FSBSTAT_A_UNFLUSHED_HIST, kind, count);
	return take(snap, &message);
}

static void test_unflushed(void **state)
{
	struct snapshot snap;

	(void)state;
	begin(&snap, 1, 32);
	assert_int_equal(snap.unflushed.time_ns, 0);
	assert_int_equal(add_unflushed(&snap, 8192, 7000), 0);
	assert_int_equal(snap.unflushed.written - snap.unflushed.covered, 4096);
	assert_int_equal(snap.unflushed.since_ns, 7000);
	assert_int_equal(snap.unflushed.integral, 5);
	assert_int_equal(snap.unflushed.flushes, 6);
	assert_int_equal(add_unflushed_hist(&snap, FSBSTAT_UNFLUSHED_HIST_AGE, 10), 0);
	assert_int_equal(snap.unflushed.hist[FSBSTAT_UNFLUSHED_HIST_AGE]->bucket[32], 6);
	assert_null(snap.unflushed.hist[FSBSTAT_UNFLUSHED_HIST_BYTES]);
	assert_int_equal(add_unflushed_hist(&snap, FSBSTAT_UNFLUSHED_HISTS, 10), 0);
	/* Twice, and sums that do not fit. */
	assert_int_equal(add_unflushed(&snap, 8192, 7000), -EBADMSG);
	assert_int_equal(add_unflushed_hist(&snap, FSBSTAT_UNFLUSHED_HIST_AGE, 10), -EBADMSG);
	assert_int_equal(add_unflushed_hist(&snap, FSBSTAT_UNFLUSHED_HIST_BYTES, 11), -EBADMSG);
	snapshot_free(&snap);
	begin(&snap, 1, 32);
	assert_int_equal(add_unflushed(&snap, 4000, 0), -EBADMSG);
	snapshot_free(&snap);
	begin(&snap, 1, 32);
	assert_int_equal(add_unflushed(&snap, 4096, 7000), -EBADMSG);
	snapshot_free(&snap);
	begin(&snap, 1, 32);
	assert_int_equal(add_unflushed(&snap, 8192, 9001), -EBADMSG);
	snapshot_free(&snap);
}

static void test_snapshot(void **state)
{
	const uint64_t depth[] = { 11, 22, 33 };
	const char *why = "";
	struct snapshot snap;

	(void)state;
	begin(&snap, 2, 32);
	assert_int_equal(snap.watch.minor, 16);
	assert_string_equal(snap.watch.name, "sdb");
	assert_true(snap.watch.settling && snap.watch.permanent);
	assert_int_equal(snap.watch.write_cache, FSBSTAT_WRITE_CACHE_OFF);
	assert_int_equal(snap.watch.settings, 4);
	assert_int_equal(snap.watch.added_ns, 1ULL << 40);
	assert_int_equal(snap.bio.read_ios, 100 + FSBSTAT_A_BIO_READ_IOS);
	assert_int_equal(snap.bio.write_merges, 100 + FSBSTAT_A_BIO_WRITE_MERGES);
	assert_int_equal(add_queue(&snap, 0, FSBSTAT_CLASSES), 0);
	assert_int_equal(wire_snapshot_end(&snap, &why), -EBADMSG);
	assert_int_equal(add_queue(&snap, 1, FSBSTAT_CLASSES), 0);
	assert_int_equal(snap.queue[1].quality.other_writes, 1000 + FSBSTAT_A_QUEUE_OTHER_WRITES);
	assert_int_equal(snap.queue[1].class[6].not_sent_bytes,
			 60 + FSBSTAT_A_CLASS_NOT_SENT_BYTES);
	assert_int_equal(add_depth(&snap, 1, 30, depth, 3), 0);
	assert_int_equal(snap.queue[1].depth_ns[32], 33);
	assert_int_equal(add_hist(&snap, 1, 3, 1, 10, 40), 0);
	assert_int_equal(snap.queue[1].hist[3][1]->bucket[42], 6);
	assert_int_equal(snap.queue[1].hist[3][1]->max_ns, 3000);
	assert_null(snap.queue[0].hist[3][1]);
	assert_int_equal(wire_snapshot_end(&snap, &why), 0);
	snapshot_free(&snap);
}

static void test_what_does_not_fit(void **state)
{
	const uint64_t depth[] = { 11, 22, 33 };
	struct snapshot snap;

	(void)state;
	begin(&snap, 2, 32);
	assert_int_equal(add_depth(&snap, 0, 0, depth, 3), -EBADMSG);
	assert_int_equal(add_hist(&snap, 0, 0, 0, 10, 0), -EBADMSG);
	assert_int_equal(add_queue(&snap, 0, FSBSTAT_CLASSES), 0);
	assert_int_equal(add_queue(&snap, 0, FSBSTAT_CLASSES), -EBADMSG);
	/* A class or kind of a later module is ignored. */
	assert_int_equal(add_queue(&snap, 1, 100), 0);
	assert_int_equal(add_hist(&snap, 0, FSBSTAT_CLASSES, 0, 10, 0), 0);
	assert_int_equal(add_hist(&snap, 0, 255, 255, 10, 0), 0);
	assert_int_equal(add_depth(&snap, 0, 31, depth, 3), -EBADMSG);
	assert_int_equal(add_depth(&snap, 0, 33, depth, 1), -EBADMSG);
	assert_int_equal(add_depth(&snap, 0, UINT32_MAX, depth, 3), -EBADMSG);
	assert_int_equal(add_depth(&snap, 7, 0, depth, 3), -EBADMSG);
	assert_int_equal(add_hist(&snap, 0, 0, 0, 10, FSBSTAT_HIST_BUCKETS - 2), -EBADMSG);
	assert_int_equal(add_hist(&snap, 0, 1, 0, 11, 0), -EBADMSG);
	assert_int_equal(add_hist(&snap, 0, 2, 0, 10, 0), 0);
	assert_int_equal(add_hist(&snap, 0, 2, 0, 10, 0), -EBADMSG);
	snapshot_free(&snap);
	begin(&snap, 1, UINT32_MAX);
	assert_int_equal(add_queue(&snap, 0, 1), -EBADMSG);
	snapshot_free(&snap);
}

static int add_ata(struct snapshot *snap, size_t nr_tags, uint64_t queued_ns)
{
	struct message message = { .len = 0 };

	ata_message(&message, nr_tags, queued_ns);
	return take(snap, &message);
}

static int add_ata_hist(struct snapshot *snap, uint8_t kind, uint64_t count)
{
	struct message message = { .len = 0 };

	disk_hist_message(&message, FSBSTAT_A_ATA_HIST, kind, count);
	return take(snap, &message);
}

static void test_ata(void **state)
{
	struct snapshot snap;

	(void)state;
	begin(&snap, 1, 32);
	assert_null(snap.ata);
	assert_int_equal(add_ata(&snap, ATA_TAGS + 1, 300000000), 0);
	assert_int_equal(snap.ata->start_ns, 5000000000);
	assert_int_equal(snap.ata->time_ns, 6000000000);
	assert_int_equal(snap.ata->tags, 1);
	assert_int_equal(snap.ata->tags_max, 7);
	assert_int_equal(snap.ata->sums.tags_ns[1], 400000000);
	assert_int_equal(snap.ata->sums.parts.drain_ns, 100000000);
	assert_int_equal(snap.ata->sums.errors, 1000 + FSBSTAT_A_ATA_ERRORS);
	assert_int_equal(snap.ata->sums.turnaround_ns, 1000 + FSBSTAT_A_ATA_TURNAROUND_NS);
	assert_int_equal(snap.ata->sums.tag_time_lost_ns, 1000 + FSBSTAT_A_ATA_TAG_TIME_LOST_NS);
	assert_int_equal(snap.ata->sums.kind[FSBSTAT_ATA_OTHER].ios, 10 + FSBSTAT_ATA_OTHER);
	assert_int_equal(snap.ata->sums.kind[FSBSTAT_ATA_FLUSH].busy_ns, 20 + FSBSTAT_ATA_FLUSH);
	assert_int_equal(add_ata_hist(&snap, FSBSTAT_ATA_HIST_REFILL, 10), 0);
	assert_int_equal(snap.ata->hist[FSBSTAT_ATA_HIST_REFILL]->bucket[32], 6);
	assert_null(snap.ata->hist[FSBSTAT_ATA_HIST_DRAIN]);
	/* Of a later module; twice; not the sum. */
	assert_int_equal(add_ata_hist(&snap, FSBSTAT_ATA_HISTS, 10), 0);
	assert_int_equal(add_ata_hist(&snap, FSBSTAT_ATA_HIST_REFILL, 10), -EBADMSG);
	assert_int_equal(add_ata_hist(&snap, FSBSTAT_ATA_HIST_DRAIN, 11), -EBADMSG);
	assert_int_equal(add_ata(&snap, ATA_TAGS + 1, 300000000), -EBADMSG);
	snapshot_free(&snap);
	snapshot_free(&snap);
}

static void expect_bad_ata(size_t nr_tags, uint64_t queued_ns, const char *expected)
{
	struct message message = { .len = 0 };
	struct snapshot snap;
	const char *why = "";

	begin(&snap, 1, 32);
	ata_message(&message, nr_tags, queued_ns);
	assert_int_equal(wire_snapshot(message.bytes, message.len, &snap, &why), -EBADMSG);
	assert_string_equal(why, expected);
	snapshot_free(&snap);
}

static void test_ata_that_does_not_fit(void **state)
{
	struct snapshot snap;

	(void)state;
	expect_bad_ata(ATA_TAGS + 2, 300000000, "impossible number of tags");
	expect_bad_ata(1, 300000000, "the parts of ATA time are not the whole");
	expect_bad_ata(ATA_TAGS + 1, 300000001, "the parts of ATA time are not the whole");
	begin(&snap, 1, 32);
	assert_int_equal(add_ata_hist(&snap, FSBSTAT_ATA_HIST_DRAIN, 10), -EBADMSG);
	/* A disk of fewer tags may say so. */
	assert_int_equal(add_ata(&snap, 2, 300000000), 0);
	snapshot_free(&snap);
}

/* Any beginning of a message, and any byte of it changed: an error or not, never more. */
static void test_broken(void **state)
{
	const uint64_t depth[] = { 1, 2, 3 };
	struct message message = { .len = 0 }, broken;
	uint64_t seed = 17;
	int refused = 0;

	(void)state;
	watch_message(&message, 1, 8);
	bio_message(&message);
	queue_message(&message, 0, FSBSTAT_CLASSES);
	depth_message(&message, 0, 2, depth, 3);
	hist_message(&message, 0, 1, 1, 10, 100);
	ata_message(&message, ATA_TAGS + 1, 300000000);
	disk_hist_message(&message, FSBSTAT_A_ATA_HIST, FSBSTAT_ATA_HIST_ALONE, 10);
	for (int i = 0; i < 20000; i++) {
		struct snapshot snap;
		char *exact;

		memset(&snap, 0, sizeof(snap));
		broken = message;
		if (i % 2)
			broken.len = sample_random(&seed) % message.len;
		else
			broken.bytes[sample_random(&seed) % message.len] ^=
				(char)(1U << sample_random(&seed) % 8);
		/* Of exactly its size, so that the sanitizer sees a step too far. */
		exact = malloc(broken.len + 1);
		assert_non_null(exact);
		memcpy(exact + 1, broken.bytes, broken.len);
		{
			const char *why = "";

			refused += wire_snapshot(exact + 1, broken.len, &snap, &why) != 0;
		}
		snapshot_free(&snap);
		free(exact);
	}
	assert_true(refused > 1000);
}

static void test_module(void **state)
{
	struct message message = { .len = 0 }, nest = { .len = 0 }, hook;
	struct module_info info;
	const char *why = "";

	(void)state;
	put_u32(&nest, FSBSTAT_A_MODULE_ABI, 9);
	put(&nest, FSBSTAT_A_MODULE_VERSION, "1.2.3", 6);
	put_u32(&nest, FSBSTAT_A_MODULE_DISKS, 2);
	put_u32(&nest, FSBSTAT_A_MODULE_GENERATION, 77);
	put_u64(&nest, FSBSTAT_A_MODULE_MEMORY, 4096);
	for (int i = 0; i < 40; i++) {
		hook.len = 0;
		/* No terminating zero; longer than there is room for. */
		put(&hook, FSBSTAT_A_HOOK_NAME,
		    "block_rq_issue_with_a_name_that_is_longer_than_any_tracepoint_has_ever_had",
		    74);
		put_u8(&hook, FSBSTAT_A_HOOK_STATE, FSBSTAT_HOOK_ATTACHED);
		if (i == 1)
			put(&hook, FSBSTAT_A_HOOK_REQUIRED, "", 0);
		put_nest(&nest, FSBSTAT_A_MODULE_HOOK, &hook);
	}
	put_nest(&message, FSBSTAT_A_MODULE, &nest);
	assert_int_equal(wire_module(message.bytes, message.len, &info, &why), -EBADMSG);
	assert_string_equal(why, "missing attribute");
	message.len = 0;
	put_u8(&nest, FSBSTAT_A_MODULE_UNPRIVILEGED_READ, 1);
	put_nest(&message, FSBSTAT_A_MODULE, &nest);
	assert_int_equal(wire_module(message.bytes, message.len, &info, &why), 0);
	assert_int_equal(info.abi, 9);
	assert_string_equal(info.version, "1.2.3");
	assert_int_equal(info.nr_hooks, 32);
	assert_int_equal(strlen(info.hook[0].name), sizeof(info.hook[0].name) - 1);
	assert_false(info.hook[0].required);
	assert_true(info.hook[1].required && info.unprivileged_read);
	assert_int_equal(wire_module(message.bytes, 0, &info, &why), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_snapshot),
		cmocka_unit_test(test_what_does_not_fit),
		cmocka_unit_test(test_unflushed),
		cmocka_unit_test(test_ata),
		cmocka_unit_test(test_ata_that_does_not_fit),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_module),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
