// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_width: columns of texts as terminals show them, cutting, and that tables, lines and
 * screens of the tool keep to them.  The locale of the test is "C": the measure is its own.
 */
#include "unit.h"

#include "cmd/table.h"
#include "out/text.h"
#include "results/show.h"
#include "tui/frame.h"
#include "width.h"

#define VOLTAGE "\xe2\x9a\xa1" /* U+26A1, wide though it is outside the planes of emoji */
#define WARNING "\xe2\x9a\xa0" /* U+26A0, narrow */
#define VARIANT "\xef\xb8\x8f" /* U+FE0F behind it asks for the coloured glyph */
#define DISK "\xe7\xa3\x81\xe7\x9b\x98" /* two ideographs */
#define E_ACUTE "e\xcc\x81" /* two characters, one column */
#define HANGUL "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab" /* three letters, one syllable */
#define THUMB "\xf0\x9f\x91\x8d"

static void test_columns(void **state)
{
	static const struct {
		const char *text;
		int columns;
	} cases[] = {
		{ "", 0 },	    { "sda", 3 },
		{ VOLTAGE, 2 },	    { WARNING, 1 },
		{ DISK, 4 },	    { E_ACUTE, 1 },
		{ HANGUL, 2 },	    { THUMB "x", 3 },
		{ "\xff\xfe", 2 }, /* no UTF-8: message_printable() would show it longer */
		{ "/mnt/" VOLTAGE DISK "\xc3\xa4", 12 },
		{ WARNING VARIANT, 1 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (width_of(cases[i].text) != cases[i].columns)
			print_error("'%s'\n", cases[i].text);
		assert_int_equal(width_of(cases[i].text), cases[i].columns);
	}
	assert_int_equal(width_of_bytes(DISK, 3), 2);
	assert_int_equal(width_fitting(DISK, 3), 3);
	assert_int_equal(width_fitting(E_ACUTE E_ACUTE, 1), 3);
	assert_int_equal(width_line("one two three", 9), 7);
	assert_int_equal(width_line(DISK DISK, 5), 6);
	assert_int_equal(width_line(DISK, 1), 3);
}

static void expect_cut(const char *text, int columns, const char *end, const char *middle)
{
	char got[64];

	assert_string_equal(width_cut_end(got, sizeof(got), text, columns, WIDTH_CUT), end);
	assert_true(width_of(got) <= columns);
	assert_string_equal(width_cut_middle(got, sizeof(got), text, columns, WIDTH_CUT), middle);
	assert_true(width_of(got) <= columns);
}

static void test_cuts(void **state)
{
	(void)state;
	expect_cut("loop1000000", 11, "loop1000000", "loop1000000");
	expect_cut("loop1000001", 8, "loop10..", "loo..001");
	expect_cut("mmcblk0boot1", 7, "mmcbl..", "mmc..t1");
	expect_cut(DISK DISK, 5, "\xe7\xa3\x81..", "\xe7\xa3\x81..");
	expect_cut(DISK DISK, 7, DISK "..", "\xe7\xa3\x81..\xe7\x9b\x98");
	expect_cut("a" E_ACUTE E_ACUTE "bc", 4, "a" E_ACUTE "..", "a..c");
	expect_cut("abc", 1, "a", "a");
}

static void expect_lines_within(char *text, int columns)
{
	char *line, *rest = text;

	while ((line = strsep(&rest, "\n"))) {
		if (width_of(line) > columns)
			print_error("%d columns: %s\n", width_of(line), line);
		assert_true(width_of(line) <= columns);
	}
}

/* Numbers end under their title, whatever stands in front of them. */
static void test_table(void **state)
{
	static const struct column columns[] = {
		{ "disk", false, 0 }, { "model", false, 8 }, { "size", true, 0 } };
	static char *const cells[] = {
		"loop1000000", DISK, "7", E_ACUTE, VOLTAGE "-drive", "12", "sda",
		"a model that goes on and on and on and on and on and on and on and on", "1234" };
	char *text, *line;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	(void)state;
	assert_non_null(to);
	table_print(columns, 3, cells, 3, to);
	assert_int_equal(fclose(to), 0);
	/* The model gave up what is more than 80 columns. */
	assert_non_null(strstr(text, "and on and..  1234\n"));
	for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		assert_int_equal(width_of(line), 80);
	free(text);
}

/* Names that nothing else gives way to are cut in the middle, and stay different. */
static void test_table_of_names(void **state)
{
	static const struct column columns[] = { { "run", false, 0 }, { "n", true, 0 } };
	char one[101], two[101], *text;
	char *const cells[] = { one, "1", two, "22" };
	size_t size;
	FILE *to = open_memstream(&text, &size);

	(void)state;
	assert_non_null(to);
	memset(one, 'x', 100);
	one[100] = '\0';
	memcpy(two, one, sizeof(two));
	two[99] = 'y';
	table_print(columns, 2, cells, 2, to);
	assert_int_equal(fclose(to), 0);
	assert_non_null(strstr(text, "x   1\n"));
	assert_non_null(strstr(text, "y  22\n"));
	expect_lines_within(text, 80);
	free(text);
}

static void test_lines(void **state)
{
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	(void)state;
	assert_non_null(to);
	text_filled(to, 8, "mounts",
		    DISK " " DISK " " DISK " " DISK " " DISK " " DISK " " DISK " " DISK " "
		    DISK " " DISK " " DISK " " DISK " " DISK " " DISK " " DISK " " DISK);
	show_padded(to, DISK DISK DISK DISK, 10, '.');
	fputc('\n', to);
	show_padded(to, DISK, 8, '.');
	fputc('\n', to);
	show_wrapped(to, DISK DISK DISK DISK DISK DISK DISK DISK DISK DISK DISK, 60, 4);
	assert_int_equal(fclose(to), 0);
	assert_non_null(strstr(text, "\n" DISK "..\xe7\xa3\x81\xe7\x9b\x98\n"));
	assert_non_null(strstr(text, "\n" DISK " ...\n"));
	expect_lines_within(text, 80);
	free(text);
}

/* A cell of a screen holds a character with its marks, and half a wide one is none. */
static void test_frame(void **state)
{
	struct frame frame;

	(void)state;
	assert_int_equal(frame_init(&frame, 6, 2, false), 0);
	assert_int_equal(frame_put(&frame, 0, 0, STYLE_PLAIN, VOLTAGE E_ACUTE WARNING VARIANT), 4);
	assert_string_equal(frame.cell[0].text, VOLTAGE);
	assert_string_equal(frame.cell[1].text, "");
	assert_string_equal(frame.cell[2].text, E_ACUTE);
	assert_string_equal(frame.cell[3].text, WARNING);
	frame_put(&frame, 0, 1, STYLE_PLAIN, "x");
	assert_string_equal(frame.cell[0].text, " ");
	frame_put(&frame, 1, 0, STYLE_PLAIN, DISK);
	frame_put(&frame, 1, 2, STYLE_PLAIN, "x");
	assert_string_equal(frame.cell[6 + 2].text, "x");
	assert_string_equal(frame.cell[6 + 3].text, " ");
	assert_int_equal(frame_cut(&frame, 1, 0, 4, STYLE_PLAIN, DISK "x"), 3);
	assert_string_equal(frame.cell[6 + 2].text, "\xe2\x80\xa6");
	frame_free(&frame);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_columns),	       cmocka_unit_test(test_cuts),
		cmocka_unit_test(test_table),	       cmocka_unit_test(test_table_of_names),
		cmocka_unit_test(test_lines),	       cmocka_unit_test(test_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
