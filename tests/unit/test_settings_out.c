// SPDX-License-Identifier: GPL-2.0-or-later
/* What set and restore print: the document against its schema, text against hostile names. */
#include "tree.h"

#include "document.h"

#include "cmd/settings_out.h"

static const struct disk sda = { "sda", 8, 0 };

static const struct settings_change changes[] = {
	{ "write_cache", "on", "off", true },
	{ "queue/wbt_lat_usec", "75000", "", false },
	{ "ncq", "1", "1", true },
};

static const struct settings_returned returned[] = {
	{ "write_cache", "on", "off", "off", SETTINGS_PUT_BACK },
	{ "scheduler", "bfq", "none", "bfq", SETTINGS_WAS_BACK },
	{ "nr_requests", "64", "8", "9", SETTINGS_KEPT },
};

static const struct settings_result result = {
	.change = (struct settings_change *)changes,
	.nr_changes = 3,
	.returned = (struct settings_returned *)returned,
	.nr_returned = 3,
	.state_file = "/run/fsbctl/wwn-0x5.json",
};

static void test_document(void **state)
{
	char text[16384], path[512] = "";
	struct capture capture;
	json_t *document, *rule;
	int ret;

	(void)state;
	capture_begin(&capture, stdout);
	ret = settings_out_document("set", false,
				    json_pack("[o]", settings_out_json(&sda, &result)));
	capture_end(&capture, text, sizeof(text));
	assert_int_equal(ret, 0);
	document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(document);
	rule = json_object_get(json_object_get(schema, "$defs"), "settings");
	if (!valid(document, rule, path))
		fail_msg("not as the schema has it: %s", path);
	assert_string_equal(json_string_value(at(document, "disks/0/changes/0/was")), "on");
	expect_null(document, "disks/0/changes/1/is");
	assert_string_equal(json_string_value(at(document, "disks/0/returned/2/fate")), "kept");
	assert_string_equal(json_string_value(at(document, "disks/0/device/name")), "sda");
	json_decref(document);
}

static void test_text(void **state)
{
	char text[4096];
	struct capture capture;

	(void)state;
	capture_begin(&capture, stdout);
	settings_out_changes(&sda, &result, false);
	settings_out_returned(&sda, &result, true);
	capture_end(&capture, text, sizeof(text));
	assert_string_equal(text,
			    "sda: write_cache         on -> off\n"
			    "sda: queue/wbt_lat_usec  75000 -> n/a   (along with it)\n"
			    "sda: ncq                 1 already\n"
			    "sda: fsbctl restore sda puts the old values back\n"
			    "sda: write_cache         off -> on\n"
			    "sda: scheduler           bfq already\n"
			    "sda: nr_requests         9 stays: somebody changed it since (64 -> 8)\n"
			    "sda: nothing was changed\n");
}

/* A state file is a file: what stands in it does not reach a terminal as it is. */
static void test_hostile(void **state)
{
	struct settings_change change = { "x\033[31m", "a\nb", "\xff", true };
	struct settings_result hostile = { .change = &change, .nr_changes = 1 };
	struct capture capture;
	char text[4096];
	json_t *json;

	(void)state;
	capture_begin(&capture, stdout);
	settings_out_changes(&sda, &hostile, false);
	capture_end(&capture, text, sizeof(text));
	assert_string_equal(text, "sda: x\\x1b[31m           a\\x0ab -> \\xff\n");
	json = settings_out_json(&sda, &hostile);
	assert_non_null(json);
	json_decref(json);
}

static void test_waiting(void **state)
{
	struct capture capture;
	char text[1024];

	(void)state;
	capture_begin(&capture, stderr);
	settings_out_waiting();
	capture_end(&capture, text, sizeof(text));
	assert_string_equal(text, "");
	tree_file("/run/fsbctl/serial-x.json",
		  "{\"schema\": \"fsbctl-settings/1\", \"key\": \"serial-x\", \"name\": \"sd\\u001bz\","
		  " \"boot\": \"\", \"restoring\": false, \"pending\": null, \"saved\": ["
		  "{\"name\": \"ncq\", \"was\": \"32\", \"now\": \"1\", \"cause\": \"ncq\","
		  " \"kept\": false}]}");
	tree_file("/run/fsbctl/serial-y.json", "{");
	tree_file("/run/fsbctl/serial-z.json.lock", "");
	capture_begin(&capture, stderr);
	settings_out_waiting();
	capture_end(&capture, text, sizeof(text));
	assert_non_null(strstr(text, "sd\\x1bz (not here)"));
	assert_non_null(strstr(text, "a disk (not here)"));
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
}

static int setup(void **state)
{
	(void)state;
	tree_make();
	setenv("XDG_STATE_HOME", tree_root, 1);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tree_remove();
	return 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_document),
		TEST(test_text),
		TEST(test_hostile),
		TEST(test_waiting),
	};

	return cmocka_run_group_tests(tests, load_schema, drop_schema);
}
