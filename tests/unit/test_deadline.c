// SPDX-License-Identifier: GPL-2.0-or-later
/* test_deadline: a loop that was stopped does not make up for the times it missed. */
#include "unit.h"

#include "deadline.h"

static void test_next(void **state)
{
	(void)state;
	/* In time: a period on, by the clock and not from now. */
	assert_true(deadline_next(10, 0.5, 10.25) == 10.5);
	assert_true(deadline_next(10, 0.5, 9) == 10.5);
	/* 6 s missed: the next of the same times. */
	assert_true(deadline_next(10, 0.5, 16.125) == 16.5);
	assert_true(deadline_next(10, 0.5, 16) == 16.5);
	assert_true(deadline_next(10, 2, 17) == 18);
}

/* Whatever the numbers, it lies ahead, by a period at most. */
static void test_always_ahead(void **state)
{
	static const double periods[] = { 0.1, 0.3, 1, 3600 };
	double now, next;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
		for (now = 1e5; now < 1e5 + 1000; now += 0.37) {
			next = deadline_next(1e5, periods[i], now);
			assert_true(next > now && next <= now + periods[i] + 1 / 1e6);
		}
	}
	/* A period that the clock cannot tell apart still leads on. */
	assert_true(deadline_next(1e18, 1 / 1e9, 1e18) > 1e18);
}

/* One frame for the gap: of 0.5 s, stopped for 6 s, not thirteen. */
static void test_stopped(void **state)
{
	double due = 100, now = 100;
	int frames = 0;

	(void)state;
	for (now = 106; now >= due; frames++)
		due = deadline_next(due, 0.5, now);
	assert_int_equal(frames, 1);
	assert_true(due == 106.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_next),
		cmocka_unit_test(test_always_ahead),
		cmocka_unit_test(test_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
