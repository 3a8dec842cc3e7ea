// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_ata_plain: the short way that the module's ATA state machine has for queued commands
 * that come and go while nothing else goes on, against the way that takes any command.
 */
#include "ata_link.h"

static void expect_same(struct fsb_ata_state *other)
{
	static struct fsb_ata_counts copy[2];

	fsb_ata_copy_counts(&state, &copy[0]);
	fsb_ata_copy_counts(other, &copy[1]);
	assert_memory_equal(&copy[0], &copy[1], sizeof(copy[0]));
	assert_memory_equal(state.hist, other->hist, sizeof(state.hist));
	assert_int_equal(state.reference, other->reference);
	assert_int_equal(fsb_ata_recent_tags(&state, fake_now),
			 fsb_ata_recent_tags(other, fake_now));
}

/* What else happens now and then while queued commands come and go; true if it is one of them. */
static bool else_happens(struct fsb_ata_state *link, u32 what, bool failed)
{
	struct fsb_ata_drain drain;

	if (what < 2)
		fsb_ata_wait_begin(link, &requests[0], 1);
	else if (what < 6)
		fsb_ata_issue_alone(link, FSBSTAT_ATA_FLUSH, &requests[0], 1);
	else if (what < 20)
		fsb_ata_complete_alone(link, failed, &drain);
	else if (what == 20 && failed)
		fsb_ata_error(link, &drain);
	return what <= 20;
}

/* Told the same, a state that takes no command for a plain one counts the same. */
static void test_plain(void **unused)
{
	static struct fsb_ata_state other;
	unsigned int plain = 0, queued = 0;
	uint64_t seed = 5;

	(void)unused;
	begin();
	other = state;
	for (int i = 0; i < 200000; i++) {
		u32 tag = sample_random(&seed) % 32, what = sample_random(&seed) % 2000;
		const void *rq = tag ? &requests[1] : NULL;

		fake_now += sample_random(&seed) % (400 * US);
		if (!(sample_random(&seed) % 1000))
			fake_now += sample_random(&seed) % (30 * MS);
		if (else_happens(&state, what, !tag)) {
			else_happens(&other, what, !tag);
		} else if (what & 1) {
			plain += issue_queued(&state, tag % 4, tag, rq, tag);
			fsb_ata_issue_queued(&other, tag % 4, tag, rq, tag);
			queued++;
		} else {
			plain += complete_queued(&state, tag);
			fsb_ata_complete_queued(&other, tag, false);
			queued++;
		}
		/* Not each time: what is missed would be made up for by looking. */
		if (!(sample_random(&seed) % 50))
			expect_same(&other);
	}
	assert_true(plain > queued / 4 && queued - plain > queued / 10);
	assert_true(state.counts.refills > 10 && state.counts.drains > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
