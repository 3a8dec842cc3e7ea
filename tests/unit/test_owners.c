// SPDX-License-Identifier: GPL-2.0-or-later
/* test_owners: who did what: from messages to tables, differences, groups and the report. */
#include <errno.h>

#include "message_bytes.h"
#include "out/text.h"
#include "sample_report.h"
#include "source/wire.h"

static const struct bio_counts writes_7 = { .write_ios = 7, .write_bytes = 7000, .preflush = 1 };
static const struct bio_counts reads_2 = { .read_ios = 2, .read_bytes = 8192 };

static void test_difference(void **state)
{
	struct owners a = { .nr = 0 }, b = { .nr = 0 }, delta;

	(void)state;
	sample_owner(&a, "old", 1, 1, &writes_7);
	sample_owner(&a, "idle", 2, 1, &writes_7);
	assert_int_equal(owners_add(&b, &a), 0);
	sample_owner(&b, "old", 1, 1, &reads_2);
	/* The same name elsewhere, of another process, and a new one. */
	sample_owner(&b, "old", 1, 2, &reads_2);
	sample_owner(&b, "old", 9, 1, &reads_2);
	sample_owner(&b, "new", 3, 1, &writes_7);
	assert_int_equal(owners_subtract(&delta, &b, &a), 0);
	assert_true(owners_consistent(&delta));
	assert_int_equal(delta.nr, 4);
	assert_string_equal(delta.row[0].comm, "old");
	assert_int_equal(delta.row[0].counts.bio.read_ios, 2);
	assert_int_equal(delta.row[0].counts.bio.write_ios, 0);
	assert_int_equal(delta.sum.bio.read_ios, 6);
	assert_int_equal(delta.sum.bio.write_ios, 7);
	owners_free(&delta);
	assert_int_equal(owners_subtract(&delta, &b, &b), 0);
	assert_int_equal(delta.nr, 0);
	owners_free(&delta);
	owners_free(&a);
	owners_free(&b);
}

/* Rows only grow; one that does not is no difference. */
static void test_going_back(void **state)
{
	struct owners a = { .nr = 0 }, b = { .nr = 0 }, delta;

	(void)state;
	sample_owner(&a, "one", 1, 1, &writes_7);
	sample_owner(&b, "one", 1, 1, &writes_7);
	b.row[0].counts.bio.write_ios--;
	assert_int_equal(owners_subtract(&delta, &b, &a), -ERANGE);
	assert_null(delta.row);
	b.row[0].counts.bio.write_ios++;
	assert_int_equal(owners_subtract(&delta, &b, &a), 0);
	owners_free(&delta);
	strcpy(b.row[0].comm, "two");
	assert_int_equal(owners_subtract(&delta, &b, &a), -ERANGE);
	owners_free(&a);
	owners_free(&b);
}

static void test_groups(void **state)
{
	const struct bio_counts fua_3 = { .write_ios = 3, .write_bytes = 3000, .fua = 3 };
	struct owner_groups groups = { .nr = 0 };
	struct owners owners = { .nr = 0 };

	(void)state;
	sample_owner(&owners, "reader", 5, 1, &reads_2);
	sample_owner(&owners, "kworker/0:1", 6, 1, &writes_7);
	sample_owner(&owners, "kworker/u4:2", 7, 1, &writes_7);
	sample_owner(&owners, "kworker", 8, 1, &writes_7);
	sample_owner(&owners, "fua", 9, 1, &fua_3);
	sample_owner(&owners, "twice", 10, 1, &reads_2);
	sample_owner(&owners, "twice", 10, 2, &reads_2);
	sample_owner(&owners, "twice", 11, 1, &writes_7);
	/* Without FUA in the disk a FUA write wants a flush, with it none. */
	assert_int_equal(owners_group(&groups, &owners, true), 0);
	assert_int_equal(groups.nr, 5);
	assert_string_equal(groups.group[0].comm, "kworker");
	assert_int_equal(groups.group[0].tasks, 3);
	assert_int_equal(groups.group[0].counts.bio.write_ios, 21);
	assert_string_equal(groups.group[1].comm, "fua");
	assert_string_equal(groups.group[2].comm, "twice");
	assert_int_equal(groups.group[2].tasks, 2);
	assert_int_equal(owner_bios(&groups.group[2].counts), 9);
	assert_int_equal(owner_bytes(&groups.group[2].counts), 15192);
	assert_int_equal(owners_group(&groups, &owners, false), 0);
	assert_string_equal(groups.group[1].comm, "twice");
	assert_string_equal(groups.group[2].comm, "fua");
	owner_groups_free(&groups);
	owners_free(&owners);
}

/* Callers of fsync are further counts of the same owners, or further owners. */
static void test_callers(void **state)
{
	struct owner caller = { .comm = "one", .have_tgid = true, .tgid = 1, .major = 8,
				.minor = 1, .counts.fsyncs = 5 };
	struct owners owners = { .nr = 0 }, callers = { .nr = 0 };

	(void)state;
	sample_owner(&owners, "one", 1, 1, &writes_7);
	assert_int_equal(owners_count(&callers, &caller), 0);
	caller.tgid = 2;
	assert_int_equal(owners_count(&callers, &caller), 0);
	callers.sum.fsyncs = 10;
	assert_int_equal(owners_add(&owners, &callers), 0);
	assert_true(owners_consistent(&owners));
	assert_int_equal(owners.nr, 2);
	assert_int_equal(owners.row[0].counts.fsyncs, 5);
	assert_int_equal(owners.row[0].counts.bio.write_ios, 7);
	assert_int_equal(owners.row[1].counts.fsyncs, 5);
	owners_free(&owners);
	owners_free(&callers);
}

static void put_bio(struct message *message, unsigned int type, uint64_t value)
{
	struct message nest = { .len = 0 };

	for (unsigned int i = FSBSTAT_A_BIO_READ_IOS; i <= FSBSTAT_A_BIO_MAX; i++)
		put_u64(&nest, i, value);
	put_nest(message, type, &nest);
}

static void put_owner(struct message *message, const char *comm, uint32_t tgid, uint64_t value)
{
	struct message nest = { .len = 0 };

	if (tgid)
		put_u32(&nest, FSBSTAT_A_OWNER_TGID, tgid);
	if (comm) {
		put(&nest, FSBSTAT_A_OWNER_COMM, comm, strlen(comm) + 1);
		put_u32(&nest, FSBSTAT_A_OWNER_MAJOR, 8);
		put_u32(&nest, FSBSTAT_A_OWNER_MINOR, 1);
	} else {
		put(&nest, FSBSTAT_A_OWNER_OTHER, "", 0);
	}
	put_bio(&nest, FSBSTAT_A_OWNER_BIO, value);
	put_nest(message, FSBSTAT_A_OWNER, &nest);
}

static int take(struct owners *owners, const struct message *message)
{
	/* Memory of just that size: the sanitizer notices a byte too many. */
	char *exact = malloc(message->len ? message->len : 1);
	const char *why = "";
	int err;

	assert_non_null(exact);
	memcpy(exact, message->bytes, message->len);
	err = wire_owners(exact, message->len, owners, &why);
	free(exact);
	return err;
}

static void test_messages(void **state)
{
	struct message message[5] = { { .len = 0 } };
	struct owners owners = { .nr = 0 };
	const char *why;
	int i;

	(void)state;
	put_bio(&message[0], FSBSTAT_A_BIO, 16);
	put_owner(&message[1], NULL, 0, 1);
	put_owner(&message[2], "a name of more than fifteen", 77, 5);
	/* Without process numbers several rows can be called the same. */
	put_owner(&message[3], "name", 0, 3);
	put_owner(&message[4], "name", 0, 7);
	for (i = 0; i < 5; i++)
		assert_int_equal(take(&owners, &message[i]), 0);
	assert_int_equal(wire_owners_end(&owners, &why), 0);
	assert_int_equal(owners.nr, 2);
	assert_string_equal(owners.row[0].comm, "a name of more ");
	assert_true(owners.row[0].have_tgid && owners.row[0].tgid == 77);
	assert_true(owners.row[1].major == 8 && owners.row[1].minor == 1);
	assert_false(owners.row[1].have_tgid);
	assert_int_equal(owners.row[1].counts.bio.fua, 10);
	assert_int_equal(take(&owners, &message[4]), 0);
	assert_int_equal(wire_owners_end(&owners, &why), -EBADMSG);
	owners_free(&owners);
}

/* The nest of an OWNER message, cut off after each of its bytes. */
static void test_broken_messages(void **state)
{
	struct message message = { .len = 0 }, whole = { .len = 0 }, nest = { .len = 0 };
	struct owners owners = { .nr = 0 };

	(void)state;
	put_owner(&whole, "name", 77, 5);
	for (size_t len = 0; len < whole.len - NLA_HDRLEN; len++) {
		nest.len = len;
		memcpy(nest.bytes, whole.bytes + NLA_HDRLEN, len);
		message.len = 0;
		put_nest(&message, FSBSTAT_A_OWNER, &nest);
		assert_int_equal(take(&owners, &message), -EBADMSG);
	}
	for (message.len = whole.len - 1; message.len; message.len--) {
		memcpy(message.bytes, whole.bytes, message.len);
		assert_true(take(&owners, &message) <= 0);
	}
	put_u32(&message, 30, 1); /* of a later module */
	assert_int_equal(take(&owners, &message), 0);
	assert_int_equal(owners.nr, 0);
	owners_free(&owners);
}

static void expect_text(const struct report *report, const char *expected)
{
	char *text = sample_output(&out_text, report);

	if (!strstr(text, expected))
		print_error("not there: %s\nat the end: %s\n", expected,
			    text + (strlen(text) > 500 ? strlen(text) - 500 : 0));
	assert_non_null(strstr(text, expected));
	free(text);
}

static void test_who_wrote(void **state)
{
	struct report report;
	struct report_disk *disk;

	(void)state;
	sample_report(&report, 1, 1, 1);
	disk = &report.disk[0];
	/* What is asked cannot be known: who wrote can. */
	strcpy(disk->begin.info.write_cache_kernel, "write through");
	expect_text(&report, "wrote          kworker (2 tasks) 77.6 MB (97.0 %), "
			     "jbd2/sda1-8 2.4 MB (3.0 %)\n");
	report_free(&report);
}

static void test_unknown(void **state)
{
	struct report report;

	(void)state;
	sample_report(&report, 1, 1, 1);
	strcpy(report.disk[0].owners_unknown, "the loaded module does not count them");
	expect_text(&report, "asked by       n/a   the loaded module does not count them\n");
	report_free(&report);
}

/* A name on two partitions says which it was. */
static void test_two_devices(void **state)
{
	const struct bio_counts flushes = { .empty_flush = 70 };
	struct report report;

	(void)state;
	sample_report(&report, 1, 1, 1);
	sample_owner(&report.disk[0].owners, "dbench", 300, 2, &flushes);
	sample_group(&report.disk[0]);
	expect_text(&report, "asked by       jbd2/sda1-8 590 (84.3 %), dbench on sda2 70 (10.0 %), "
			     "dbench on\n"
			     "               sda1 (12 tasks) 36 (5.1 %), others 4 (0.6 %)\n");
	report_free(&report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_difference),
		cmocka_unit_test(test_going_back),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_callers),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_broken_messages),
		cmocka_unit_test(test_who_wrote),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_two_devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
