// SPDX-License-Identifier: GPL-2.0-or-later
/* test_keys: what keys do to the live view, and what it saves as JSON. */
#include "document.h"
#include "sample_top.h"
#include "tui/keys.h"
#include "tui/save.h"

static enum ui_request take(struct sample_top *sample, int key)
{
	return keys_take(&sample->ui, &sample->top, key);
}

static void type(struct sample_top *sample, const char *text)
{
	for (; *text; text++)
		assert_int_equal(take(sample, *text), UI_NOTHING);
}

static void test_views(void **state)
{
	static const enum tab order[] = { TAB_LATENCY, TAB_SETS, TAB_OVERVIEW };
	struct sample_top sample;

	(void)state;
	sample_top(&sample, 1);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(take(&sample, KEYS_TAB), UI_NOTHING);
		assert_int_equal(sample.ui.tab, order[i]);
	}
	take(&sample, KEYS_BACK_TAB);
	assert_int_equal(sample.ui.tab, TAB_SETS);
	take(&sample, '2');
	assert_int_equal(sample.ui.tab, TAB_LATENCY);
	take(&sample, '<');
	assert_int_equal(sample.ui.kind, FSBSTAT_HIST_QUEUE);
	take(&sample, '<');
	assert_int_equal(sample.ui.kind, FSBSTAT_HIST_DURABLE);
	take(&sample, '>');
	assert_int_equal(sample.ui.kind, FSBSTAT_HIST_QUEUE);
	take(&sample, 'h');
	assert_true(sample.ui.help);
	take(&sample, 'j');
	assert_int_equal(sample.ui.scroll, 1);
	take(&sample, KEYS_ESC);
	assert_false(sample.ui.help);
	sample_top_free(&sample);
}

/* Without a list there is none to go back to, and the view stays. */
static void test_list(void **state)
{
	struct sample_top sample;

	(void)state;
	sample_top(&sample, 1);
	assert_int_equal(take(&sample, KEYS_ESC), UI_NOTHING);
	assert_int_equal(sample.ui.tab, TAB_OVERVIEW);
	assert_string_not_equal(sample.ui.message, "");
	sample.ui.has_list = true;
	assert_int_equal(take(&sample, KEYS_ESC), UI_LEAVE);
	assert_int_equal(sample.ui.tab, TAB_LIST);
	sample.top.disk = NULL;
	take(&sample, KEYS_TAB);
	assert_int_equal(sample.ui.tab, TAB_LIST);
	assert_string_equal(keys_selected_disk(&sample.ui, &sample.top)->info.disk.name, "nvme0n1");
	for (int i = 0; i < 9; i++)
		take(&sample, KEYS_DOWN);
	assert_int_equal(sample.ui.selected, 2);
	assert_string_equal(keys_selected_disk(&sample.ui, &sample.top)->info.disk.name, "sdb");
	assert_int_equal(take(&sample, KEYS_ENTER), UI_OPEN);
	take(&sample, 'o');
	assert_int_equal(sample.ui.selected, 0);
	take(&sample, 's');
	assert_int_equal(sample.ui.list_sort, LIST_BY_RATE);
	assert_string_equal(keys_selected_disk(&sample.ui, &sample.top)->info.disk.name, "sda");
	take(&sample, 'r');
	assert_string_equal(keys_selected_disk(&sample.ui, &sample.top)->info.disk.name, "nvme0n1");
	sample_top_free(&sample);
}

static void test_questions(void **state)
{
	struct sample_top sample;

	(void)state;
	sample_top(&sample, 1);
	sample.top.disk = NULL;
	sample.ui.tab = TAB_LIST;
	take(&sample, '/');
	type(&sample, "SDq");
	/* q is a letter here. */
	assert_int_equal(take(&sample, KEYS_BACKSPACE), UI_NOTHING);
	assert_int_equal(take(&sample, KEYS_ENTER), UI_NOTHING);
	assert_string_equal(sample.ui.filter, "SD");
	take(&sample, KEYS_END);
	assert_int_equal(sample.ui.selected, 1);
	take(&sample, '/');
	type(&sample, "nothing");
	take(&sample, KEYS_ESC);
	assert_string_equal(sample.ui.filter, "SD");
	take(&sample, '/');
	type(&sample, "nothing");
	take(&sample, KEYS_ENTER);
	assert_null(keys_selected_disk(&sample.ui, &sample.top));
	assert_int_equal(take(&sample, KEYS_ENTER), UI_NOTHING);
	take(&sample, 'i');
	type(&sample, "500ms");
	assert_int_equal(take(&sample, KEYS_ENTER), UI_TYPED_INTERVAL);
	assert_string_equal(sample.ui.typed, "500ms");
	/* More than fits is not taken. */
	take(&sample, 'i');
	for (int i = 0; i < 200; i++)
		take(&sample, 'x');
	assert_int_equal(strlen(sample.ui.typed), sizeof(sample.ui.typed) - 1);
	sample_top_free(&sample);
}

static void test_intervals(void **state)
{
	struct sample_top sample;

	(void)state;
	sample_top(&sample, 1);
	assert_int_equal(take(&sample, '+'), UI_INTERVAL);
	assert_true(sample.ui.interval_s > 1.9 && sample.ui.interval_s < 2.1);
	for (int i = 0; i < 20; i++)
		take(&sample, '-');
	assert_true(sample.ui.interval_s > 0.09 && sample.ui.interval_s < 0.11);
	assert_int_equal(take(&sample, '-'), UI_NOTHING);
	for (int i = 0; i < 20; i++)
		take(&sample, '+');
	assert_true(sample.ui.interval_s > 3599);
	sample_top_free(&sample);
}

static void test_baseline(void **state)
{
	struct sample_top sample;

	(void)state;
	sample_top(&sample, 1);
	/* In the overview the set that holds, in its own view the selected one. */
	assert_int_equal(take(&sample, 'b'), UI_BASELINE);
	assert_int_equal(sample.ui.baseline, 1);
	take(&sample, '3');
	take(&sample, 'j');
	assert_int_equal(take(&sample, 'b'), UI_BASELINE);
	assert_int_equal(sample.ui.baseline, 2);
	/* Sorted by the time held set 3 comes first. */
	take(&sample, 's');
	take(&sample, KEYS_HOME);
	take(&sample, 'b');
	assert_int_equal(sample.ui.baseline, 3);
	assert_int_equal(take(&sample, 'B'), UI_BASELINE);
	assert_int_equal(sample.ui.baseline, 0);
	sample.disk.nr_sets = 0;
	assert_int_equal(take(&sample, 'b'), UI_NOTHING);
	assert_string_not_equal(sample.ui.message, "");
	sample_top_free(&sample);
}

static void test_others(void **state)
{
	struct sample_top sample;

	(void)state;
	sample_top(&sample, 1);
	take(&sample, 'p');
	assert_true(sample.ui.paused);
	take(&sample, 'Z');
	assert_false(sample.ui.paused);
	take(&sample, 'a');
	assert_true(sample.ui.cumulative);
	assert_int_equal(take(&sample, 'w'), UI_SAVE);
	assert_int_equal(take(&sample, KEYS_CTRL_L), UI_REDRAW);
	assert_int_equal(take(&sample, 'q'), UI_QUIT);
	assert_int_equal(take(&sample, KEYS_F10), UI_QUIT);
	/* No other key does anything: above all, none changes a disk. */
	for (int key = 0; key < 512; key++)
		assert_true(take(&sample, key) <= UI_BASELINE);
	sample_top_free(&sample);
}

/* Only with --control, only of an opened disk, and only after a yes. */
static void test_control(void **state)
{
	struct sample_top sample;

	(void)state;
	sample_top(&sample, 1);
	assert_int_equal(take(&sample, 'C'), UI_NOTHING);
	assert_non_null(strstr(sample.ui.message, "--control"));
	sample.ui.may_control = true;
	assert_int_equal(take(&sample, 'N'), UI_CONTROL);
	assert_int_equal(sample.ui.control, CONTROL_NCQ);
	sample.ui.prompt = PROMPT_CONFIRM;
	assert_int_equal(take(&sample, KEYS_ENTER), UI_NOTHING);
	assert_string_equal(sample.ui.message, "nothing was changed");
	sample.ui.prompt = PROMPT_CONFIRM;
	assert_int_equal(take(&sample, 'y'), UI_CONFIRMED);
	assert_int_equal(sample.ui.prompt, PROMPT_NONE);
	sample.top.disk = NULL;
	assert_int_equal(take(&sample, 'M'), UI_NOTHING);
	sample_top_free(&sample);
}

static json_t *saved(const struct sample_top *sample)
{
	json_t *rule = json_object_get(json_object_get(schema, "$defs"), "top");
	json_t *document = save_json(&sample->top, &sample->ui);
	char path[512] = "";

	assert_non_null(document);
	if (!valid(document, rule, path)) {
		print_error("schema: %s\n", path);
		fail();
	}
	return document;
}

static void test_saved(void **state)
{
	struct sample_top sample;
	json_t *document, *disk;

	(void)state;
	sample_top(&sample, 1);
	sample.disk.nr_left_out = 1;
	sample.disk.left_out[0].what = "fsync";
	strcpy(sample.disk.left_out[0].why, "no\xff utf8");
	document = saved(&sample);
	assert_string_equal(json_string_value(json_object_get(document, "kind")), "top");
	disk = json_object_get(document, "disk");
	assert_int_equal(json_array_size(json_object_get(disk, "option_sets")), 4);
	assert_int_equal(json_array_size(json_object_get(disk, "epochs")), 5);
	expect_count(document, "disk/last/request/write/ios", 2000);
	expect_null(document, "disk/option_sets/0/change");
	assert_string_equal(json_string_value(at(document, "disk/last/asked_by/1/name")),
			    "dbench (12 tasks)");
	assert_true(json_real_value(at(document, "disk/last/asked_by/1/flush_per_s")) == 1.6);
	expect_count(document, "disk/option_sets/0/each_ns", 4700000);
	json_decref(document);
	sample.top.disk = NULL;
	document = saved(&sample);
	assert_true(json_is_null(json_object_get(document, "disk")));
	assert_int_equal(json_array_size(json_object_get(document, "list")), 3);
	json_decref(document);
	sample_top_free(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_views),	  cmocka_unit_test(test_list),
		cmocka_unit_test(test_questions), cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_baseline),  cmocka_unit_test(test_others),
		cmocka_unit_test(test_control),	  cmocka_unit_test(test_saved),
	};

	return cmocka_run_group_tests(tests, load_schema, drop_schema);
}
