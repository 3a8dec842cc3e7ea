// SPDX-License-Identifier: GPL-2.0-or-later
/* Settings: the words they are asked for with, the disks they are for, names of state files. */
#include "settings_tree.h"

#include "disk/settings_state.h"

static void test_words(void **state)
{
	static const char *const bad[] = {
		"",
		"=",
		"ncq",
		"ncq=",
		"ncq=0",
		"ncq=01",
		"ncq=-1",
		"ncq=1x",
		"ncq=99999999",
		"nr_requests=max",
		"write_cache=ON",
		"write_cache=1",
		"write_cache_kernel=back",
		"write_cache_kernel=write",
		"scheduler=",
		"scheduler=../x",
		"scheduler=a b",
		"scheduler=a\n",
		"nosuch=1",
		"NCQ=1",
	};
	struct settings settings = {0};
	struct settings_error error;
	char word[1000];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(settings_parse(bad[i], &settings, &error), -1);
		assert_int_equal(error.status, SETTINGS_USAGE);
		assert_true(*error.reason);
	}
	memset(word, 'x', sizeof(word));
	word[sizeof(word) - 1] = '\0';
	assert_int_equal(settings_parse(word, &settings, &error), -1);
	memcpy(word, "scheduler=", 10);
	assert_int_equal(settings_parse(word, &settings, &error), -1);

	assert_int_equal(settings_parse("ncq=off", &settings, &error), 0);
	assert_string_equal(settings.value[SETTING_NCQ], "1");
	assert_int_equal(settings_parse("ncq=2", &settings, &error), -1);
	assert_int_equal(settings_parse("write_cache_kernel=write-through", &settings, &error), 0);
	assert_string_equal(settings.value[SETTING_WRITE_CACHE_KERNEL], "write through");
	for (int i = 0; i < SETTINGS; i++)
		assert_int_equal(settings_by_name(settings_name((enum setting)i)), i);
	assert_int_equal(settings_by_name("fua"), SETTINGS);
}

static void test_file_names(void **state)
{
	char name[256], other[256], key[STATE_KEY_MAX];

	(void)state;
	state_file_name("wwn-0x5000c500a1b2c3d4_Z3T8QXYZ", name, sizeof(name));
	assert_string_equal(name, "wwn-0x5000c500a1b2c3d4_Z3T8QXYZ.json");
	state_file_name("serial-../../etc/passwd", name, sizeof(name));
	assert_null(strchr(name, '/'));
	state_file_name("serial-.._.._etc/passwd", other, sizeof(other));
	assert_string_not_equal(name, other);
	memset(key, 'k', sizeof(key));
	key[sizeof(key) - 1] = '\0';
	state_file_name(key, name, sizeof(name));
	assert_true(strlen(name) < 200);
}

static void test_targets(void **state)
{
	static const struct {
		const char *arg;
		enum settings_status status;
	} bad[] = {
		{"nosuch", SETTINGS_FAILED},
		{"99:99", SETTINGS_FAILED},
		{"", SETTINGS_FAILED},
		{"/proc", SETTINGS_REFUSED},
		{"dm-0", SETTINGS_REFUSED},
		{"loop0", SETTINGS_REFUSED},
		{"/proc/self/mountinfo", SETTINGS_REFUSED},
	};
	struct settings_target target;
	struct settings_error error;

	(void)state;
	tree_partition(VDA, "vda1", "254:1");
	tree_blockdev("/sys/devices/virtual/block/dm-0", "253:0", "2048");
	tree_slave("/sys/devices/virtual/block/dm-0", VDA);
	tree_blockdev("/sys/devices/virtual/block/loop0", "7:0", "0");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(settings_find(bad[i].arg, &target, &error), -1);
		assert_int_equal(error.status, bad[i].status);
	}
	assert_int_equal(settings_find("vda", &target, &error), 0);
	assert_string_equal(target.partition, "");
	assert_int_equal(settings_find("254:1", &target, &error), 0);
	assert_string_equal(target.disk.name, "vda");
	assert_string_equal(target.partition, "vda1");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, settings_tree_make, settings_tree_remove)
	const struct CMUnitTest tests[] = {
		TEST(test_words),
		TEST(test_file_names),
		TEST(test_targets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
