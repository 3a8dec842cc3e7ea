// SPDX-License-Identifier: GPL-2.0-or-later
/* test_wire_fs: messages of FS_GET as the module sends them, and broken ones. */
#include <errno.h>
#include <stdlib.h>

#include "message_bytes.h"
#include "sample.h"
#include "source/wire.h"

static void latency_nest(struct message *message, uint64_t count)
{
	const uint64_t values[] = { 4, 0, 6 };
	struct message nest = { .len = 0 }, run = { .len = 0 };

	put_u64(&nest, FSBSTAT_A_HIST_COUNT, count);
	put_u64(&nest, FSBSTAT_A_HIST_SUM, 50000);
	put_u64(&nest, FSBSTAT_A_HIST_MIN, 2000);
	put_u64(&nest, FSBSTAT_A_HIST_MAX, 3000);
	put_u32(&run, FSBSTAT_A_RUN_FIRST, 40);
	put(&run, FSBSTAT_A_RUN_VALUES, values, sizeof(values));
	put_nest(&nest, FSBSTAT_A_HIST_RUN, &run);
	put_nest(message, FSBSTAT_A_FS_LATENCY, &nest);
}

static void row_message(struct message *message, uint32_t minor, const char *type, uint64_t count)
{
	struct message nest = { .len = 0 };

	put_u32(&nest, FSBSTAT_A_FS_MAJOR, 8);
	put_u32(&nest, FSBSTAT_A_FS_MINOR, minor);
	put(&nest, FSBSTAT_A_FS_TYPE, type, strlen(type) + 1);
	put_u64(&nest, FSBSTAT_A_FS_FSYNCS, 11);
	put_u64(&nest, FSBSTAT_A_FS_ERRORS, 2);
	put_u64(&nest, FSBSTAT_A_FS_COMMITS, 5);
	latency_nest(&nest, count);
	put_nest(message, FSBSTAT_A_FS, &nest);
}

static void all_message(struct message *message)
{
	struct message nest = { .len = 0 };

	put_u64(&nest, FSBSTAT_A_FS_ALL_MISSED, 77);
	put_u64(&nest, FSBSTAT_A_FS_ALL_LOST, 88);
	put_nest(message, FSBSTAT_A_FS_ALL, &nest);
}

static int add_row(struct fs_counts *fs, uint32_t minor, const char *type, uint64_t count)
{
	struct message message = { .len = 0 };
	const char *why = "";

	row_message(&message, minor, type, count);
	return wire_fs(message.bytes, message.len, fs, &why);
}

static void test_rows(void **state)
{
	struct fs_counts *fs = calloc(1, sizeof(*fs));
	struct message message = { .len = 0 };
	const char *why = "";

	(void)state;
	assert_non_null(fs);
	all_message(&message);
	assert_int_equal(wire_fs(message.bytes, message.len, fs, &why), 0);
	assert_int_equal(fs->all.missed, 77);
	assert_int_equal(fs->all.lost, 88);
	assert_int_equal(add_row(fs, 1, "ext4", 10), 0);
	assert_int_equal(add_row(fs, 1, "xfs", 10), 0);
	assert_int_equal(fs->nr, 2);
	assert_int_equal(fs->row[1].minor, 1);
	assert_string_equal(fs->row[1].type, "xfs");
	assert_int_equal(fs->row[1].sums.errors, 2);
	assert_int_equal(fs->row[1].latency->bucket[42], 6);
	/* Twice; buckets that are not the count. */
	assert_int_equal(add_row(fs, 1, "xfs", 10), -EBADMSG);
	assert_int_equal(add_row(fs, 2, "xfs", 11), -EBADMSG);
	fs_counts_free(fs);
}

/* Any beginning of a message, and any byte of it changed: an error or not, never more. */
static void test_broken(void **state)
{
	struct message message = { .len = 0 }, broken;
	uint64_t seed = 23;
	int refused = 0;

	(void)state;
	all_message(&message);
	row_message(&message, 3, "btrfs", 10);
	for (int i = 0; i < 20000; i++) {
		struct fs_counts *fs = calloc(1, sizeof(*fs));
		const char *why = "";
		char *exact;

		assert_non_null(fs);
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
		refused += wire_fs(exact + 1, broken.len, fs, &why) != 0;
		fs_counts_free(fs);
		free(exact);
	}
	assert_true(refused > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
