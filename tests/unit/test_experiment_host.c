// SPDX-License-Identifier: GPL-2.0-or-later
/* test_experiment_host: on which machine a run may go on. */
#include "unit.h"

#include "bench/experiment.h"

static struct trouble trouble;

/* 0 or -1: whether a run begun with the tools @then goes on with those of @now. */
static int goes_on(const char *then, const char *now)
{
	const struct store_host a = {.kernel = (char *)"6.1.0", .firmware = (char *)"KC45",
				     .tools = (char *)then};
	const struct store_host b = {.kernel = (char *)"6.1.0", .firmware = (char *)"KC45",
				     .tools = (char *)now};

	return experiment_same_host("barrier-1", &a, &b, &trouble);
}

static void versions(void **state)
{
	(void)state;
	assert_int_equal(goes_on("{\"fio\":\"fio-3.33\"}", "{\"fio\":\"fio-3.33\"}"), 0);
	assert_int_equal(goes_on("{\"fio\":\"\"}", "{\"fio\":\"\"}"), 0);
	assert_int_equal(goes_on("{\"fio\":\"fio-3.33\"}", "{\"fio\":\"fio-3.35\"}"), -1);
	assert_int_equal(trouble.kind, TROUBLE_REFUSED);
	assert_non_null(strstr(trouble.reason, "fio: was \"fio-3.33\", is \"fio-3.35\""));
	assert_int_equal(goes_on("{\"fio\":\"fio-3.33\"}", "{}"), -1);
	assert_non_null(strstr(trouble.reason, "is \"not there\""));
	assert_int_equal(goes_on("{\"fio\":\"fio-3.33\"}", "{\"fio\":\"\"}"), -1);
}

/* One that was not told in time, then or now, says nothing. */
static void not_told(void **state)
{
	(void)state;
	assert_int_equal(goes_on("{\"fio\":\"fio-3.33\"}", "{\"fio\":null}"), 0);
	assert_int_equal(goes_on("{\"fio\":null}", "{\"fio\":\"fio-3.33\"}"), 0);
	assert_int_equal(goes_on("{\"fio\":null,\"sh\":\"1\"}", "{\"fio\":null,\"sh\":\"2\"}"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(versions),
		cmocka_unit_test(not_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
