// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_top: screens of the live view against tests/unit/data/top/NAME.txt.  A screen that
 * differs is left as build/unit/NAME.got, to be looked at and, if right, copied there.
 */
#include <unistd.h>

#include "sample_top.h"
#include "tui/page.h"
#include "width.h"

#define DATA "tests/unit/data/top/"

static char *drawn(const struct sample_top *sample, int cols, int rows, bool ascii, bool colour)
{
	struct frame frame;
	char *text = NULL;
	size_t size;
	FILE *to;

	assert_int_equal(frame_init(&frame, cols, rows, ascii), 0);
	top_draw(&sample->top, &sample->ui, &frame);
	to = open_memstream(&text, &size);
	assert_non_null(to);
	frame_print(&frame, to, colour);
	assert_int_equal(fclose(to), 0);
	frame_free(&frame);
	return text;
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 65536);

	assert_non_null(text);
	if (file) {
		text[fread(text, 1, 65535, file)] = '\0';
		fclose(file);
	}
	return text;
}

static void leave(const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "build/unit/%s.got", name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
	print_error("%s differs; it is in %s\n%s", name, path, text);
}

/* Every line is in the frame and no terminal is told anything. */
static void expect_fits(const char *text, int cols, bool ascii)
{
	int column = 0;

	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		assert_true(byte == '\n' || byte >= 0x20);
		assert_true(!ascii || byte < 0x7f);
		if (byte == '\n')
			column = 0;
		else if ((byte & 0xc0) != 0x80)
			assert_true(++column <= cols);
	}
}

/* The same by the measure of terminals, each of @rows. */
static void expect_columns(char *text, int cols)
{
	char *row;

	while ((row = strsep(&text, "\n")))
		assert_true(width_of(row) <= cols);
}

/* A test goes on to its last screen, so that all that differ are left. */
static int differing;

static void expect(const struct sample_top *sample, const char *screen, int cols, int rows,
		   bool ascii)
{
	char *text = drawn(sample, cols, rows, ascii, false), name[96], path[160], *expected;
	bool same;

	snprintf(name, sizeof(name), "%s-%dx%d%s", screen, cols, rows, ascii ? "-ascii" : "");
	snprintf(path, sizeof(path), DATA "%s.txt", name);
	expected = read_file(path);
	expect_fits(text, cols, ascii);
	same = !strcmp(text, expected);
	if (!same)
		leave(name, text);
	differing += !same;
	free(expected);
	free(text);
}

static void end(struct sample_top *sample)
{
	int differed = differing;

	differing = 0;
	sample_top_free(sample);
	assert_int_equal(differed, 0);
}

static void expect_everywhere(const struct sample_top *sample, const char *screen)
{
	expect(sample, screen, 80, 24, false);
	expect(sample, screen, 80, 24, true);
	expect(sample, screen, 132, 43, false);
	expect(sample, screen, 132, 43, true);
}

static void test_overview(void **state)
{
	struct sample_top sample;

	(void)state;
	sample_top(&sample, 1);
	expect_everywhere(&sample, "overview");
	end(&sample);
}

/* Every line that there can be: option sets come before who asked. */
static void test_crowded(void **state)
{
	struct sample_top sample;
	struct figures figures;
	char *text;

	(void)state;
	sample_top(&sample, 1);
	figures = *sample.disk.window.figures;
	figures.class[FSBSTAT_CLASS_OTHER].counts.ios = 7;
	sample.disk.window.figures = &figures;
	sample.disk.all.figures = &figures;
	text = drawn(&sample, 80, 24, false, false);
	assert_non_null(strstr(text, "\nother "));
	assert_non_null(strstr(text, "\neach fsync "));
	assert_non_null(strstr(text, "\nat risk "));
	assert_null(strstr(text, "\nasked by "));
	for (size_t i = 0; i < sample.disk.nr_sets; i++)
		assert_non_null(strstr(text, sample.set[i].name));
	free(text);
	text = drawn(&sample, 80, 25, false, false);
	assert_non_null(strstr(text, "\nasked by "));
	free(text);
	end(&sample);
}

static void test_latency(void **state)
{
	struct sample_top sample;

	(void)state;
	sample_top(&sample, 1);
	sample.ui.tab = TAB_LATENCY;
	expect_everywhere(&sample, "latency");
	/* The set that holds, and the baseline below it. */
	sample.disk.set_now = sample.disk.window.delta;
	sample.disk.set_base = sample.disk.window.delta;
	sample.disk.now = 2;
	sample.disk.base = 1;
	expect(&sample, "latency-baseline", 80, 24, false);
	expect(&sample, "latency-baseline", 110, 36, false);
	sample.disk.set_base = NULL;
	sample.ui.kind = FSBSTAT_HIST_DURABLE;
	expect(&sample, "latency-none", 80, 24, false);
	end(&sample);
}

static void test_sets(void **state)
{
	struct sample_top sample;

	(void)state;
	sample_top(&sample, 1);
	sample.ui.tab = TAB_SETS;
	sample.ui.baseline = 1;
	sample.ui.selected = 1;
	expect_everywhere(&sample, "sets");
	sample.ui.set_sort = SET_BY_HELD;
	strcpy(sample.ui.filter, "CACHE");
	expect(&sample, "sets-filter", 80, 24, false);
	end(&sample);
}

static void test_list(void **state)
{
	struct sample_top sample;

	(void)state;
	sample_top(&sample, 1);
	sample.top.disk = NULL;
	sample.ui.tab = TAB_LIST;
	sample.ui.selected = 1;
	expect_everywhere(&sample, "list");
	sample.ui.list_sort = LIST_BY_RATE;
	sample.ui.active_only = true;
	expect(&sample, "list-active", 80, 24, false);
	end(&sample);
}

static void test_help(void **state)
{
	struct sample_top sample;
	char *wide;

	(void)state;
	sample_top(&sample, 1);
	sample.ui.help = true;
	sample.disk.nr_left_out = 1;
	sample.disk.left_out[0].what = "fsync";
	strcpy(sample.disk.left_out[0].why, "the kernel has no kretprobes");
	expect(&sample, "help", 80, 24, false);
	expect(&sample, "help", 132, 43, false);
	/* What is true of a wide screen: the narrow one shows all of each line. */
	wide = drawn(&sample, 132, 43, true, false);
	expect_fits(wide, 80, true);
	free(wide);
	sample.ui.scroll = 1000;
	expect(&sample, "help-end", 80, 24, false);
	end(&sample);
}

/* A disk with several queues, not behind libata, whose cache the kernel does not flush. */
static void test_not_behind_libata(void **state)
{
	struct sample_top sample;

	(void)state;
	sample_top(&sample, 4);
	strcpy(sample.disk.info.write_cache_kernel, "write through");
	strcpy(sample.disk.info.transport, "nvme");
	sample.disk.window.why.waited_s = NAN;
	sample.disk.window.why.asked_s = NAN;
	sample.disk.window.why.asked_unknown = "n/a (write through)";
	sample.disk.window.why.risk = RISK_NO_FLUSH;
	sample.disk.window.why.risk_now = 41.2e9;
	sample.disk.nr_left_out = 1;
	sample.disk.left_out[0].what = "NCQ, draining";
	expect(&sample, "nvme", 80, 24, false);
	expect(&sample, "nvme", 132, 43, false);
	end(&sample);
}

static void test_messages(void **state)
{
	struct sample_top sample;
	char *text;

	(void)state;
	sample_top(&sample, 1);
	strcpy(sample.ui.message, "paused");
	text = drawn(&sample, 80, 24, false, false);
	assert_non_null(strstr(text, "\npaused\n"));
	free(text);
	sample.ui.prompt = PROMPT_INTERVAL;
	strcpy(sample.ui.typed, "2s");
	text = drawn(&sample, 80, 24, false, false);
	assert_non_null(strstr(text, "\ninterval: 2s_ "));
	free(text);
	text = drawn(&sample, 79, 24, false, false);
	assert_non_null(strstr(text, "too small: 79 x 24"));
	free(text);
	text = drawn(&sample, 5, 1, true, false);
	assert_string_equal(text, "too s\n");
	free(text);
	end(&sample);
}

/* Nothing that a disk or a mount is called reaches the terminal as it is. */
static void test_hostile(void **state)
{
	struct sample_top sample;
	struct mount *mount;
	char *text;

	(void)state;
	sample_top(&sample, 1);
	mount = &sample.report.disk[0].begin.mounts.mount[0];
	free(mount->target);
	mount->target = strdup("/\x1b[2J\n\x9b 31mx\xe2\x80\xae");
	strcpy(sample.disk.info.model, "evil\x1b]0;t\x07");
	strcpy(sample.set[1].name, "\x1b[31m\xff");
	strcpy(sample.disk.window.why.owner[0].name, "a\nb\x1b[0m");
	for (int tab = TAB_OVERVIEW; tab < TABS; tab++) {
		sample.ui.tab = (enum tab)tab;
		text = drawn(&sample, 80, 24, false, false);
		expect_fits(text, 80, false);
		free(text);
	}
	assert_int_equal(mount->target[1], 0x1b);
	end(&sample);
}

/* Wide characters and combining marks take what they take; what is behind them stays. */
static void test_wide_names(void **state)
{
	struct sample_top sample;
	struct mount *mount;
	char *text;

	(void)state;
	sample_top(&sample, 1);
	mount = &sample.report.disk[0].begin.mounts.mount[0];
	free(mount->target);
	/* U+26A1 four times, two ideographs, a letter with its accent apart */
	mount->target = strdup("/mnt/\xe2\x9a\xa1\xe2\x9a\xa1\xe2\x9a\xa1\xe2\x9a\xa1"
			       "\xe7\xa3\x81\xe7\x9b\x98\x65\xcc\x81");
	strcpy(sample.list[0].mounts, mount->target);
	strcpy(sample.disk.window.why.owner[0].name, "\xe7\xa3\x81\xe7\x9b\x98");
	for (int tab = TAB_LIST; tab < TABS; tab++) {
		sample.ui.tab = (enum tab)tab;
		sample.top.disk = tab == TAB_LIST ? NULL : &sample.disk;
		text = drawn(&sample, 80, 24, false, false);
		assert_non_null(strstr(text, "\xe2\x9a\xa1\xe2\x9a\xa1"));
		assert_non_null(tab == TAB_LIST ? strstr(text, "     294     81.2\n")
						: strstr(text, "this set 2m41s, 4 sets seen\n"));
		expect_columns(text, 80);
		free(text);
	}
	end(&sample);
}

/* Names that differ at their end only are told apart, and numbers stand under their titles. */
static void test_long_names(void **state)
{
	static const char *const names[] = {"loop1000000", "loop1000001", "nvme10c10n10"};
	struct sample_top sample;
	char *text;

	(void)state;
	sample_top(&sample, 1);
	sample.top.disk = NULL;
	sample.ui.tab = TAB_LIST;
	for (size_t i = 0; i < 3; i++)
		strcpy(sample.list[i].info.disk.name, names[i]);
	expect(&sample, "list-long-names", 80, 24, false);
	for (size_t i = 0; i < 3; i++) {
		strcpy(sample.list[i].info.disk.name, "a-name-as-long-as-they-can-be-");
		sample.list[i].info.disk.name[30] = (char)('0' + i);
	}
	text = drawn(&sample, 80, 24, false, false);
	for (size_t i = 0; i < 3; i++) {
		char apart[] = "can-be-0 ";

		apart[7] = (char)('0' + i);
		assert_non_null(strstr(text, apart));
	}
	expect_columns(text, 80);
	free(text);
	end(&sample);
}

/* Colour adds sequences and takes away no text. */
static void test_colour(void **state)
{
	char *plain, *coloured, *to;
	struct sample_top sample;

	(void)state;
	sample_top(&sample, 1);
	plain = drawn(&sample, 80, 24, false, false);
	coloured = drawn(&sample, 80, 24, false, true);
	assert_non_null(strstr(coloured, "\033[0;31m"));
	to = coloured;
	for (char *from = coloured; *from; from++) {
		if (*from == '\033') {
			while (*from != 'm')
				from++;
			continue;
		}
		*to++ = *from;
	}
	*to = '\0';
	assert_string_equal(plain, coloured);
	free(plain);
	free(coloured);
	end(&sample);
}

static void test_frame_cuts(void **state)
{
	struct frame frame;

	(void)state;
	assert_int_equal(frame_init(&frame, 4, 1, false), 0);
	assert_int_equal(frame_put(&frame, 0, 2, STYLE_PLAIN, "abc"), 4);
	/* A wide character has two columns or none. */
	assert_int_equal(frame_put(&frame, 0, 0, STYLE_PLAIN, "\xe7\x9b\x98"), 2);
	assert_string_equal(frame.cell[0].text, "\xe7\x9b\x98");
	assert_string_equal(frame.cell[1].text, "");
	assert_int_equal(frame_put(&frame, 0, 3, STYLE_PLAIN, "\xe7\x9b\x98"), 3);
	/* Outside is nowhere. */
	frame_put(&frame, 1, 0, STYLE_PLAIN, "x");
	frame_put(&frame, -1, 0, STYLE_PLAIN, "x");
	frame_style(&frame, 5, 0, 9, STYLE_WARN);
	frame_right(&frame, 0, 2, 4, STYLE_PLAIN, "12345");
	assert_string_equal(frame.cell[2].text, "1");
	assert_string_equal(frame.cell[3].text, "2");
	frame_free(&frame);
	assert_int_equal(frame_init(&frame, 0, 1, false), -1);
	frame_free(&frame);
}

static void test_short_texts(void **state)
{
	static const struct {
		double value;
		const char *time, *rate, *bytes, *held;
	} cases[] = {
		{0, "0", "0.0", "0", "0s"},
		{999, "1.0 us", "999", "999", "0s"},
		{85000, "85 us", "85000", "85k", "0s"},
		{300e3, "0.3 ms", "300k", "300k", "0s"},
		{14e6, "14 ms", "14.0M", "14M", "0s"},
		{2.2e9, "2.2 s", "2.2G", "2.2G", "2s"},
		{161e9, "161 s", "161G", "161G", "2m41s"},
		{3720e9, "3720 s", "3.7T", "3.7T", "1h02m"},
		{273600e9, "273600 s", "274T", "274T", "3d04h"},
	};
	struct short_text text;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_string_equal(short_time(&text, cases[i].value), cases[i].time);
		assert_string_equal(short_rate(&text, cases[i].value), cases[i].rate);
		assert_string_equal(short_bytes(&text, cases[i].value), cases[i].bytes);
		assert_string_equal(short_held(&text, cases[i].value), cases[i].held);
	}
	assert_string_equal(short_rate(&text, NAN), "-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overview),    cmocka_unit_test(test_latency),
		cmocka_unit_test(test_sets),	    cmocka_unit_test(test_list),
		cmocka_unit_test(test_help),	    cmocka_unit_test(test_not_behind_libata),
		cmocka_unit_test(test_messages),    cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_wide_names),  cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_colour),	    cmocka_unit_test(test_frame_cuts),
		cmocka_unit_test(test_short_texts), cmocka_unit_test(test_crowded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
