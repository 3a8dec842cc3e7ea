// SPDX-License-Identifier: GPL-2.0-or-later
/* test_json_text: documents hold any text, and a terminal that shows them obeys none of it. */
#include "unit.h"

#include "json_text.h"

static char *put(const json_t *json, size_t flags)
{
	char *text = json_put_text(json, flags);

	assert_non_null(text);
	return text;
}

static void expect_text(const char *text, const char *expected)
{
	json_t *array = json_pack("[o]", json_text(text)), *back;
	char *written = put(array, JSON_COMPACT);

	assert_string_equal(written, expected);
	back = json_loads(written, 0, NULL);
	assert_true(json_equal(array, back));
	json_decref(back);
	json_decref(array);
	free(written);
}

static void harmful(void **state)
{
	(void)state;
	expect_text("plain \xc3\xbc \xe2\x82\xac", "[\"plain \xc3\xbc \xe2\x82\xac\"]");
	expect_text("\033[2J", "[\"\\u001B[2J\"]");
	expect_text("\x7f", "[\"\\u007F\"]");
	expect_text("\xc2\x80\xc2\2331m\xc2\x9f", "[\"\\u0080\\u009B1m\\u009F\"]");
	expect_text("\xc2\xa0", "[\"\xc2\xa0\"]");
	expect_text("\xd8\x9c|\xe2\x80\x8e|\xe2\x80\x8f", "[\"\\u061C|\\u200E|\\u200F\"]");
	expect_text("\xe2\x80\xaa\xe2\x80\xae", "[\"\\u202A\\u202E\"]");
	expect_text("\xe2\x81\xa6\xe2\x81\xa9", "[\"\\u2066\\u2069\"]");
	expect_text("\xe2\x80\xa8\xe2\x80\xa9", "[\"\\u2028\\u2029\"]");
	expect_text("no \xff text", "[\"no \\\\xff text\"]");
	expect_text("\xf0\x9f\x92\xbe\xc2\x9b", "[\"\xf0\x9f\x92\xbe\\u009B\"]");
}

/* Keys come from files, too; and an indented document keeps its lines. */
static void keys(void **state)
{
	json_t *object = json_pack("{s:s}", "a\xc2\x9b", "b"), *back;
	char *written = put(object, JSON_INDENT(1));

	(void)state;
	assert_string_equal(written, "{\n \"a\\u009B\": \"b\"\n}");
	back = json_loads(written, 0, NULL);
	assert_true(json_equal(object, back));
	json_decref(back);
	json_decref(object);
	free(written);
}

/* Each character of the basic plane comes back; printable ASCII and letters stay as they are. */
static void all_characters(void **state)
{
	json_t *array = json_array(), *back;
	char *written;

	(void)state;
	for (unsigned int code = 1; code < 0x10000; code++) {
		char utf8[4] = {0};

		if (code >= 0xd800 && code < 0xe000)
			continue;
		if (code < 0x80) {
			utf8[0] = (char)code;
		} else if (code < 0x800) {
			utf8[0] = (char)(0xc0 | code >> 6);
			utf8[1] = (char)(0x80 | (code & 0x3f));
		} else {
			utf8[0] = (char)(0xe0 | code >> 12);
			utf8[1] = (char)(0x80 | (code >> 6 & 0x3f));
			utf8[2] = (char)(0x80 | (code & 0x3f));
		}
		assert_int_equal(json_array_append_new(array, json_string(utf8)), 0);
	}
	written = put(array, JSON_COMPACT);
	for (const unsigned char *c = (unsigned char *)written; *c; c++) {
		assert_true(*c >= 0x20 && *c != 0x7f);
		assert_false(c[0] == 0xc2 && c[1] < 0xa0);
	}
	back = json_loads(written, 0, NULL);
	assert_true(json_equal(array, back));
	json_decref(back);
	json_decref(array);
	free(written);
}

static void full_disk(void **state)
{
	json_t *array = json_pack("[s]", "\xc2\x9b");
	FILE *to = fopen("/dev/full", "we");

	(void)state;
	assert_non_null(to);
	assert_int_equal(setvbuf(to, NULL, _IONBF, 0), 0);
	assert_int_equal(json_put(array, to, 0), -1);
	fclose(to);
	json_decref(array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(harmful),
		cmocka_unit_test(keys),
		cmocka_unit_test(all_characters),
		cmocka_unit_test(full_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
