// SPDX-License-Identifier: GPL-2.0-or-later
/* test_arithmetic: expressions of workloads: what they come to, and what is refused. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/arithmetic.h"
#include "unit.h"

static const char *name(void *arg, const char *text, size_t len)
{
	static const char *const known[][2] = {
		{"files", "1000"}, {"size", "65536"}, {"none", "0"},
		{"minus", "-3"},   {"word", "a b"},   {"empty", ""},
		{"part", "12x"},   {"hex", "0x10"},   {"huge", "99999999999999999999"},
	};

	(void)arg;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i][0]) == len && !strncmp(known[i][0], text, len))
			return known[i][1];
	return NULL;
}

static const struct {
	const char *text;
	int64_t value;
} right[] = {
	{"1", 1},
	{" ( 2 ) ", 2},
	{"2 + 3 * 4", 14},
	{"(2 + 3) * 4", 20},
	{"20 - 5 - 3", 12},
	{"100 / 7 / 2", 7},
	{"100 % 7", 2},
	{"-7 / 2", -3},
	{"- - 4", 4},
	{"-(4)", -4},
	{"files * (size + 8192) * 21 / 20 + 20000000", 97414400},
	{"$files*2", 2000},
	{"minus * minus", 9},
	{"010", 10}, /* no octal */
	{"none ? 1 : 2", 2},
	{"files ? files * 40000 + 20000000 : 3500000000", 60000000},
	{"0 ? 1 : 0 ? 2 : 3", 3},
	{"1 < 2 && 2 <= 2 && 3 > 2 && 2 >= 2 && 1 != 2 && 2 == 2", 1},
	{"2 < 1 || none", 0},
	{"!none + !files", 1},
	{"files != 1000", 0},
	/* What is not taken is not evaluated. */
	{"none ? 1 / none : 4", 4},
	{"files ? 5 : word", 5},
	{"none && 1 / none", 0},
	{"1 || word", 1},
	{"9223372036854775807", INT64_MAX},
	{"-9223372036854775807 - 1", INT64_MIN},
	{"(-9223372036854775807 - 1) % -1", 0},
};

static void test_right(void **state)
{
	int64_t value;
	char why[200];

	(void)state;
	for (size_t i = 0; i < sizeof(right) / sizeof(right[0]); i++) {
		if (arithmetic(right[i].text, name, NULL, &value, why, sizeof(why)))
			fail_msg("%s: %s", right[i].text, why);
		if (value != right[i].value)
			fail_msg("%s: %" PRId64, right[i].text, value);
		assert_int_equal(arithmetic(right[i].text, name, NULL, NULL, why, sizeof(why)), 0);
	}
}

static const struct {
	const char *text, *why;
} wrong[] = {
	{"", "expected a number, a parameter or ( at the end"},
	{"1 +", "expected a number, a parameter or ( at the end"},
	{"(1", "expected ) at the end"},
	{"1 2", "expected an operator at \"2\""},
	{"1 = 2", "expected an operator at \"= 2\""},
	{"1 ? 2", "expected : at the end"},
	{"2 ** 3", "expected a number, a parameter or ( at \"* 3\""},
	{"1 & 2", "expected an operator at \"& 2\""},
	{"files++", "expected a number, a parameter or ( at the end"},
	{"$(id > /tmp/x)", "expected a number, a parameter or ( at \"(id > /tmp/x)\""},
	{"`id`", "expected a number, a parameter or ( at \"`id`\""},
	{"1)); id; echo $((2", "expected an operator at \")); id; echo $((2\""},
	{"a[$(id)]", "no parameter is called \"a\""},
	{"nofiles", "no parameter is called \"nofiles\""},
	{"1.5", "1.5 is not a whole number"},
	{"0x10", "0x10 is not a whole number"},
	{"64K", "64K is not a whole number"},
	{"99999999999999999999", "99999999999999999999 is too large"},
};

static const struct {
	const char *text, *why;
} no_value[] = {
	{"1 / none", "division by 0"},
	{"1 % none", "division by 0"},
	{"9223372036854775807 + 1", "a value does not fit into 64 bits"},
	{"0 - 9223372036854775807 - 2", "a value does not fit into 64 bits"},
	{"9223372036854775807 * 2", "a value does not fit into 64 bits"},
	{"(0 - 9223372036854775807 - 1) / -1", "a value does not fit into 64 bits"},
	{"-(0 - 9223372036854775807 - 1)", "a value does not fit into 64 bits"},
	{"word", "word=a b is not a whole number"},
	{"empty + 1", "empty= is not a whole number"},
	{"part", "part=12x is not a whole number"},
	{"hex", "hex=0x10 is not a whole number"},
	{"huge", "99999999999999999999 is too large"},
};

static void test_wrong(void **state)
{
	int64_t value;
	char why[200];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(arithmetic(wrong[i].text, name, NULL, &value, why, sizeof(why)),
				 -1);
		assert_string_equal(why, wrong[i].why);
		assert_int_equal(arithmetic(wrong[i].text, name, NULL, NULL, why, sizeof(why)), -1);
		assert_string_equal(why, wrong[i].why);
	}
	for (size_t i = 0; i < sizeof(no_value) / sizeof(no_value[0]); i++) {
		assert_int_equal(arithmetic(no_value[i].text, name, NULL, NULL, why, sizeof(why)),
				 0);
		assert_int_equal(arithmetic(no_value[i].text, name, NULL, &value, why, sizeof(why)),
				 -1);
		assert_string_equal(why, no_value[i].why);
	}
}

/* A file's text does not decide how much stack is used. */
static void test_deep(void **state)
{
	static const char *const parts[] = {"(", "-", "!", "1?", "1?1:", "1+("};
	char text[60001], why[200];
	int64_t value;

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		*text = '\0';
		for (size_t used = 0; used + strlen(parts[i]) < sizeof(text);
		     used += strlen(parts[i]))
			strcpy(text + used, parts[i]);
		assert_int_equal(arithmetic(text, name, NULL, &value, why, sizeof(why)), -1);
		assert_string_equal(why, "nested too deeply");
	}
	/* Length alone is fine. */
	strcpy(text, "1");
	for (size_t used = 1; used + 2 < sizeof(text); used += 2)
		strcpy(text + used, "+1");
	assert_int_equal(arithmetic(text, name, NULL, &value, why, sizeof(why)), 0);
	assert_int_equal(value, 30000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_right),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
