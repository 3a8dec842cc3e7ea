// SPDX-License-Identifier: GPL-2.0-or-later
/* test_meter_owners: who asked for flushes, in the last intervals and in all. */
#include <string.h>

#include "sample.h"
#include "tui/meter_owners.h"
#include "unit.h"

#define RECORDING "tests/terminal/options.json"

static const struct disk_info no_fua = { .fua = 0 }, fua = { .fua = 1 };

/* So many flushes with data and FUA writes of a process. */
static void did(struct owners *owners, const char *comm, uint32_t tgid, uint64_t preflush,
		uint64_t fua_writes)
{
	struct owner owner = { .have_tgid = true, .tgid = tgid, .major = 8, .minor = 1 };

	snprintf(owner.comm, sizeof(owner.comm), "%s", comm);
	owner.counts.bio.preflush = preflush;
	owner.counts.bio.fua = fua_writes;
	owner.counts.bio.write_ios = preflush + fua_writes;
	assert_int_equal(owners_count(owners, &owner), 0);
}

static struct source *open_recording(void)
{
	struct source *source;

	assert_int_equal(source_open(&source, SOURCE_FILE, RECORDING), 0);
	return source;
}

static void expect(const struct why *why, size_t i, const char *name, double flush_s)
{
	assert_true(i < why->nr_owners);
	assert_string_equal(why->owner[i].name, name);
	assert_true(why->owner[i].flush_s > flush_s * 0.999 &&
		    why->owner[i].flush_s < flush_s * 1.001);
}

/* Those of an interval outside the last ones are in all alone. */
static void test_stretches(void **state)
{
	struct meter_owners owners;
	const struct figures figures = { .elapsed_ns = 10000000000 };
	struct stretch stretch = { .figures = &figures };
	struct source *source = open_recording();

	(void)state;
	memset(&owners, 0, sizeof(owners));
	did(&owners.ring[METER_RING - 1], "dbench", 10, 20, 0);
	did(&owners.ring[0], "jbd2/sda1-8", 5, 30, 30);
	did(&owners.ring[0], "dbench", 11, 5, 0);
	did(&owners.ring[0], "reader", 12, 0, 0);
	did(&owners.ring[1], "other", 13, 99, 0);
	did(&owners.total, "all\x1b", 14, 50, 0);
	owners.total.other.bio.empty_flush = 10;
	assert_int_equal(meter_owners_why(&owners, source, &no_fua, &stretch, 0, 2), 0);
	assert_int_equal(stretch.why.nr_owners, 2);
	expect(&stretch.why, 0, "jbd2/sda1-8", 6);
	expect(&stretch.why, 1, "dbench (2 tasks)", 2.5);
	/* A disk that has FUA is sent no flush for one. */
	assert_int_equal(meter_owners_why(&owners, source, &fua, &stretch, 0, 1), 0);
	expect(&stretch.why, 0, "jbd2/sda1-8", 3);
	expect(&stretch.why, 1, "dbench", 0.5);
	assert_int_equal(meter_owners_why(&owners, source, &no_fua, &stretch, 0, 0), 0);
	assert_int_equal(stretch.why.nr_owners, 2);
	expect(&stretch.why, 0, "all\\x1b", 5);
	expect(&stretch.why, 1, "others", 1);
	stretch.why.asked_unknown = "n/a";
	assert_int_equal(meter_owners_why(&owners, source, &no_fua, &stretch, 0, 0), 0);
	assert_int_equal(stretch.why.nr_owners, 0);
	meter_owners_free(&owners);
	source_close(source);
}

/* More names than a line has room for. */
static void test_many(void **state)
{
	struct meter_owners owners;
	const struct figures figures = { .elapsed_ns = 1000000000 };
	struct stretch stretch = { .figures = &figures };
	struct source *source = open_recording();
	char comm[16];

	(void)state;
	memset(&owners, 0, sizeof(owners));
	for (unsigned int i = 0; i < 100; i++) {
		snprintf(comm, sizeof(comm), "task%u", i);
		did(&owners.total, comm, i, 1000 - i, 0);
	}
	assert_int_equal(meter_owners_why(&owners, source, &no_fua, &stretch, 0, 0), 0);
	assert_int_equal(stretch.why.nr_owners, OWNERS_SHOWN);
	expect(&stretch.why, 0, "task0", 1000);
	expect(&stretch.why, OWNERS_SHOWN - 1, "task7", 993);
	meter_owners_free(&owners);
	source_close(source);
}

/* A recording has them at its ends: they are of all of it, and of no interval. */
static void test_recorded(void **state)
{
	struct meter_owners owners;
	const struct figures figures = { .elapsed_ns = 36000000000 };
	struct stretch stretch = { .figures = &figures };
	struct source *source = open_recording();
	struct source_instant instant;
	unsigned int place = 0;

	(void)state;
	memset(&owners, 0, sizeof(owners));
	assert_int_equal(source_step(source, &instant), 1);
	meter_owners_begin(&owners, source, 0);
	while (source_step(source, &instant) == 1)
		assert_int_equal(meter_owners_take(&owners, source, 0, place++ % METER_RING), 0);
	assert_true(place > 10);
	assert_int_equal(meter_owners_why(&owners, source, &no_fua, &stretch, place - 1, place), 0);
	assert_int_equal(stretch.why.nr_owners, 0);
	assert_non_null(meter_owners_missing(&owners, source));
	assert_int_equal(meter_owners_why(&owners, source, &no_fua, &stretch, 0, 0), 0);
	assert_true(stretch.why.nr_owners >= 1);
	assert_non_null(strstr(stretch.why.owner[0].name, "jbd2/sda-8"));
	assert_true(owners_consistent(&owners.total));
	meter_owners_free(&owners);
	source_close(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stretches),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
