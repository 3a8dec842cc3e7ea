// SPDX-License-Identifier: GPL-2.0-or-later
/* Matrix files: what they mean. */
#include "unit.h"

#include "bench/matrix.h"

#define HEAD "schema: fsbstat-matrix/1\nname: test\n"

static struct matrix matrix;

/* The matrix that a text is, which has to be right. */
static void parse(const char *text)
{
	struct trouble trouble;

	matrix_free(&matrix);
	if (matrix_parse(&matrix, "m.yaml", text, &trouble))
		fail_msg("%s: %s (%s)", trouble.object, trouble.reason, trouble.hint);
}

static int end(void **state)
{
	(void)state;
	matrix_free(&matrix);
	return 0;
}

/* "NAME NAME ..." of the configurations. */
static const char *names(void)
{
	static char all[1024];
	size_t len = 0;

	all[0] = '\0';
	for (size_t i = 0; i < matrix.nr_configurations; i++)
		len += (size_t)snprintf(all + len, sizeof(all) - len, "%s%s", i ? " " : "",
					matrix.configuration[i].name);
	return all;
}

static const struct configuration *configuration(const char *name)
{
	for (size_t i = 0; i < matrix.nr_configurations; i++)
		if (!strcmp(matrix.configuration[i].name, name))
			return &matrix.configuration[i];
	fail_msg("no configuration %s among: %s", name, names());
	return NULL;
}

static const char *setting(const char *name, enum setting which)
{
	return configuration(name)->settings.value[which];
}

static void test_defaults(void **state)
{
	const struct configuration *only;

	(void)state;
	parse(HEAD "all: {fs: ext4}\nworkloads: [fsync-append]\n");
	assert_string_equal(matrix.path, "m.yaml");
	assert_string_equal(matrix.name, "test");
	assert_string_equal(matrix.about, "");
	assert_string_equal(matrix.text, HEAD "all: {fs: ext4}\nworkloads: [fsync-append]\n");
	assert_int_equal(matrix.size, 0);
	assert_int_equal(matrix.offset, 0);
	assert_int_equal(matrix.repeat.min, 3);
	assert_int_equal(matrix.repeat.max, 10);
	assert_int_equal(matrix.repeat.rule, RULE_INTERVAL);
	assert_true(matrix.repeat.within == 0.05);
	assert_true(matrix.repeat.max_seconds == 0);
	assert_int_equal(matrix.order, ORDER_BLOCKS);
	assert_false(matrix.have_seed);
	assert_false(matrix.keep_fs);
	assert_int_equal(matrix.baseline, 0);
	assert_int_equal(matrix.nr_exclusions, 0);
	assert_int_equal(matrix.nr_configurations, 1);
	only = configuration("ext4");
	assert_string_equal(only->fs, "ext4");
	assert_string_equal(only->mkfs, "");
	assert_string_equal(only->mount, "");
	assert_int_equal(only->barrier, UNKNOWN);
	assert_false(only->emulate);
	assert_int_equal(only->cache, CACHE_COLD);
	assert_int_equal(only->preparation, PREPARATION_NONE);
	assert_int_equal(only->line, 3);
	for (enum setting i = 0; i < SETTINGS; i++)
		assert_string_equal(only->settings.value[i], "");
	assert_int_equal(matrix.nr_workloads, 1);
	assert_string_equal(matrix.workload[0].text, "fsync-append");
	assert_int_equal(matrix.workload[0].line, 4);
}

static void test_values(void **state)
{
	(void)state;
	parse(HEAD "about: 'one line: of text'\n"
		   "target: {size: 1.5 GiB, offset: 500MB}\n"
		   "all: {fs: xfs}\n"
		   "workloads: [w]\n"
		   "repeat: {min: 2, max: 7, within: 2.5 %, max_time: 90m}\n"
		   "order: listed\nseed: 18446744073709551615\nkeep_fs: yes\n");
	assert_string_equal(matrix.about, "one line: of text");
	assert_true(matrix.size == UINT64_C(1610612736));
	assert_true(matrix.offset == UINT64_C(500170752)); /* up to whole MiB */
	assert_int_equal(matrix.repeat.min, 2);
	assert_int_equal(matrix.repeat.max, 7);
	assert_true(matrix.repeat.within > 0.0249 && matrix.repeat.within < 0.0251);
	assert_true(matrix.repeat.max_seconds == 5400);
	assert_int_equal(matrix.order, ORDER_LISTED);
	assert_true(matrix.have_seed);
	assert_true(matrix.seed == UINT64_MAX);
	assert_true(matrix.keep_fs);
}

static void test_sizes(void **state)
{
	static const struct {
		const char *text;
		uint64_t size;
	} sizes[] = {
		{"1048576", 1 << 20},
		{"16GiB", UINT64_C(16) << 30},
		{"64 MiB", 64 << 20},
		{"2TB", UINT64_C(2000000000000) >> 20 << 20},
		{"0.5MiB", 0},
		{"500MB", 499122176},
		{"1TiB", UINT64_C(1) << 40},
		{"2048KiB", 2 << 20},
		{"2099kB", 2 << 20},
		{"2097153B", 2 << 20},
	};
	char text[256];
	struct trouble trouble;

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		snprintf(text, sizeof(text),
			 HEAD "all: {fs: xfs}\nworkloads: [w]\n"
			      "target: {size: %s}\n",
			 sizes[i].text);
		if (sizes[i].size) {
			parse(text);
			assert_true(matrix.size == sizes[i].size);
			continue;
		}
		matrix_free(&matrix);
		assert_int_equal(matrix_parse(&matrix, "m", text, &trouble), -1);
		assert_string_equal(trouble.object, "m:5");
	}
}

/* One that is given moves the default of the other. */
static void test_runs(void **state)
{
	(void)state;
	parse(HEAD "all: {fs: xfs}\nworkloads: [w]\nrepeat: {min: 20}\n");
	assert_int_equal(matrix.repeat.min, 20);
	assert_int_equal(matrix.repeat.max, 20);
	parse(HEAD "all: {fs: xfs}\nworkloads: [w]\nrepeat: {max: 2}\n");
	assert_int_equal(matrix.repeat.min, 2);
	assert_int_equal(matrix.repeat.max, 2);
	parse(HEAD "all: {fs: xfs}\nworkloads: [w]\nrepeat: {max: 9, rule: pts}\n");
	assert_int_equal(matrix.repeat.min, 3);
	assert_int_equal(matrix.repeat.max, 9);
	assert_int_equal(matrix.repeat.rule, RULE_PTS);
}

static void test_axes(void **state)
{
	(void)state;
	parse(HEAD "all: {fs: ext4}\n"
		   "axes:\n"
		   "  - {barrier: [on, off]}\n"
		   "  - {write_cache: [on, off]}\n"
		   "workloads: [\"dbench clients=1,12 time=60\", fsync-append]\n"
		   "baseline: ext4-barrier-nocache\n");
	assert_string_equal(names(), "ext4-barrier-cache ext4-nobarrier-cache "
				     "ext4-barrier-nocache ext4-nobarrier-nocache");
	assert_int_equal(configuration("ext4-barrier-cache")->barrier, ON);
	assert_int_equal(configuration("ext4-nobarrier-nocache")->barrier, OFF);
	assert_string_equal(setting("ext4-nobarrier-cache", SETTING_WRITE_CACHE), "on");
	assert_string_equal(setting("ext4-barrier-nocache", SETTING_WRITE_CACHE), "off");
	assert_int_equal(matrix.baseline, 2);
	assert_int_equal(configuration("ext4-nobarrier-nocache")->line, 4);
	assert_int_equal(matrix.nr_uses, 3);
	assert_int_equal(matrix.nr_cells, 12);
}

/* The filesystem comes first in a name wherever its axis stands. */
static void test_axis_names(void **state)
{
	(void)state;
	parse(HEAD "axes:\n"
		   "  - {ncq: [max, off, 8]}\n"
		   "  - fs: [ext4, xfs]\n"
		   "workloads: [w]\n");
	assert_string_equal(names(), "ext4-ncq-max ext4-ncq-off ext4-ncq-8 "
				     "xfs-ncq-max xfs-ncq-off xfs-ncq-8");
	assert_string_equal(setting("xfs-ncq-off", SETTING_NCQ), "1");
	assert_string_equal(setting("xfs-ncq-max", SETTING_NCQ), "max");
	parse(HEAD "all: {fs: ext4}\n"
		   "axes:\n"
		   "  - {mount: ['', data=journal, \"noatime,discard\"]}\n"
		   "workloads: [w]\n");
	assert_string_equal(names(), "ext4-mount-default ext4-data=journal ext4-noatime,discard");
	parse(HEAD "all: {fs: ext4}\n"
		   "axes:\n"
		   "  - {mkfs: ['', -O ^has_journal -b 1024]}\n"
		   "  - {cache: [cold, warm]}\n"
		   "  - {preparation: [none, trim]}\n"
		   "workloads: [w]\n");
	assert_string_equal(configuration("ext4-mkfs-default-warm-trim")->mkfs, "");
	assert_string_equal(configuration("ext4-O-^has_journal-b-1024-cold-preparation-none")->mkfs,
			    "-O ^has_journal -b 1024");
	parse(HEAD "all: {fs: ext4, barrier: off}\n"
		   "axes:\n"
		   "  - {scheduler: [bfq, none]}\n"
		   "  - {write_cache_kernel: [write back, write through]}\n"
		   "  - {nr_requests: [64]}\n"
		   "  - {emulate: [yes]}\n"
		   "workloads: [w]\n");
	assert_string_equal(setting("ext4-scheduler-none-write-through-nr_requests-64-emulate",
				    SETTING_WRITE_CACHE_KERNEL),
			    "write through");
	assert_true(configuration("ext4-bfq-write-back-nr_requests-64-emulate")->emulate);
}

static void test_names_times_axes(void **state)
{
	(void)state;
	parse(HEAD "all: {mount: noatime}\n"
		   "configurations:\n"
		   "  - {name: old, fs: ext3}\n"
		   "  - {name: new, fs: ext4, mount: nodelalloc}\n"
		   "axes:\n"
		   "  - {barrier: [on, off]}\n"
		   "  - {mount: ['', discard]}\n"
		   "workloads: [w]\n");
	assert_string_equal(names(), "old-barrier-mount-default old-nobarrier-mount-default "
				     "old-barrier-discard old-nobarrier-discard "
				     "new-barrier-mount-default new-nobarrier-mount-default "
				     "new-barrier-discard new-nobarrier-discard");
	assert_string_equal(configuration("new-barrier-discard")->mount,
			    "noatime,nodelalloc,discard");
	assert_string_equal(configuration("old-nobarrier-mount-default")->mount, "noatime");
	assert_string_equal(configuration("old-barrier-discard")->fs, "ext3");
	assert_int_equal(configuration("new-barrier-discard")->line, 6);
	parse(HEAD "configurations: [{name: a, mkfs: -q}]\n"
		   "axes: [{fs: [ext4, xfs]}]\n"
		   "workloads: [w]\n");
	assert_string_equal(names(), "a-ext4 a-xfs");
}

static void test_merging(void **state)
{
	const struct configuration *one;

	(void)state;
	parse(HEAD "all: {fs: ext4, mkfs: -b 1024, scheduler: bfq, barrier: on, cache: warm,\n"
		   "  mount: \"noatime,data=ordered,commit=5,stripe=8\"}\n"
		   "configurations:\n"
		   "  - {name: one, fs: ext3, mkfs: '', barrier: off, cache: cold, emulate: yes,\n"
		   "     mount: \"data=journal,noatime\", preparation: fill}\n"
		   "  - {name: other}\n"
		   "workloads: [w]\n");
	one = configuration("one");
	assert_string_equal(one->fs, "ext3");
	assert_string_equal(one->mkfs, "");
	assert_int_equal(one->barrier, OFF);
	assert_int_equal(one->cache, CACHE_COLD);
	assert_int_equal(one->preparation, PREPARATION_FILL);
	assert_true(one->emulate);
	assert_string_equal(one->mount, "commit=5,stripe=8,data=journal,noatime");
	/* Each option is where it was written, for what is said of it. */
	assert_int_equal(one->mount_line[0], 4);
	assert_int_equal(one->mount_line[1], 4);
	assert_int_equal(one->mount_line[2], 7);
	assert_int_equal(one->mount_line[3], 7);
	assert_int_equal(one->mkfs_line, 6);
	assert_int_equal(configuration("other")->mkfs_line, 3);
	assert_string_equal(setting("one", SETTING_SCHEDULER), "bfq");
	assert_string_equal(configuration("other")->mkfs, "-b 1024");
	assert_int_equal(configuration("other")->cache, CACHE_WARM);
	assert_string_equal(configuration("other")->mount,
			    "noatime,data=ordered,commit=5,stripe=8");
}

static void test_exclusions(void **state)
{
	(void)state;
	parse(HEAD "axes: [{fs: [ext4, xfs, ext3]}]\n"
		   "workloads: [w, 'v size=1,2']\n"
		   "exclude:\n"
		   "  - {configuration: ext3}\n"
		   "  - {configuration: 'x*', workload: v-2}\n"
		   "  - {workload: w}\n");
	assert_int_equal(matrix.nr_exclusions, 3);
	assert_string_equal(matrix.exclusion[0].configuration, "ext3");
	assert_null(matrix.exclusion[0].workload);
	assert_string_equal(matrix.exclusion[1].workload, "v-2");
	assert_int_equal(matrix.exclusion[1].line, 7);
	assert_null(matrix.exclusion[2].configuration);
}

/* A reference is run one time, whatever the number of configurations. */
static void test_cells(void **state)
{
	(void)state;
	parse(HEAD "axes: [{fs: [ext4, xfs, ext3]}]\n"
		   "workloads: ['a x=1,2 y=1,2,3', b once=host, c]\n");
	assert_int_equal(matrix.nr_uses, 8);
	assert_int_equal(matrix.nr_cells, 3 * 6 + 1 + 3);
	assert_string_equal(matrix.workload[0].text, "a x=1,2 y=1,2,3");
	parse(HEAD "all: {fs: xfs}\nworkloads:\n"
		   "- a load='x, z=1' z=\"q\\\"w , 1\",'',3 y=a\\ b\n");
	assert_int_equal(matrix.nr_uses, 3);
}

static void test_published(void **state)
{
	static const char text[] = "schema: fsbstat-matrix/1\n"
				   "name: three-systems\n"
				   "all: {scheduler: bfq, ncq: max}     # a remark\n"
				   "configurations:\n"
				   "  - {name: e3, fs: ext3, barrier: on, write_cache: on}\n"
				   "  - {name: b-nocow, fs: btrfs, barrier: off,\n"
				   "     write_cache: off, mount: nodatacow}\n"
				   "workloads:\n"
				   "  - dbench clients=1,12,48,128      # four\n"
				   "  - fs_mark files=1000 size=1M\n"
				   "  - sqlite-inserts\n"
				   "  - openssl once=host\n"
				   "repeat: {min: 3, max: 9, rule: pts}\n"
				   "baseline: b-nocow\n";

	(void)state;
	parse(text);
	assert_int_equal(matrix.nr_configurations, 2);
	assert_int_equal(matrix.nr_workloads, 4);
	assert_string_equal(matrix.workload[0].text, "dbench clients=1,12,48,128");
	assert_int_equal(matrix.workload[3].line, 12);
	assert_int_equal(matrix.baseline, 1);
	assert_string_equal(configuration("b-nocow")->mount, "nodatacow");
	assert_int_equal(configuration("b-nocow")->barrier, OFF);
	assert_string_equal(setting("b-nocow", SETTING_NCQ), "max");
	assert_string_equal(setting("b-nocow", SETTING_SCHEDULER), "bfq");
	assert_int_equal(matrix.nr_cells, 2 * 6 + 1);
}

static void load_preset(const char *name)
{
	struct trouble trouble;
	char *path = matrix_find(name, &trouble);

	matrix_free(&matrix);
	if (!path || matrix_load(&matrix, path, &trouble))
		fail_msg("%s: %s", trouble.object, trouble.reason);
	free(path);
	assert_string_equal(matrix.name, name);
	assert_string_not_equal(matrix.about, "");
}

static void test_presets(void **state)
{
	(void)state;
	load_preset("barrier");
	assert_string_equal(names(), "ext4-barrier-cache ext4-nobarrier-cache "
				     "ext4-barrier-nocache ext4-nobarrier-nocache");
	assert_int_equal(matrix.nr_cells, 8);
	assert_true(matrix.size == UINT64_C(16) << 30);
	assert_true(matrix.repeat.max_seconds == 3600);
	load_preset("ext4-options-2012");
	assert_string_equal(names(),
			    "Defaults nobarrier data=journal data=writeback nodelalloc discard");
	assert_string_equal(configuration("data=journal")->mount, "relatime,data=journal");
	assert_int_equal(matrix.nr_cells, 18);
	load_preset("sata-ncq-2011");
	assert_int_equal(matrix.nr_configurations, 6);
	assert_int_equal(matrix.nr_cells, 36);
	assert_string_equal(matrix.configuration[matrix.baseline].name, "ext4-barrier-cache");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_axes),
		cmocka_unit_test(test_axis_names),
		cmocka_unit_test(test_names_times_axes),
		cmocka_unit_test(test_merging),
		cmocka_unit_test(test_exclusions),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_presets),
	};

	return cmocka_run_group_tests(tests, NULL, end);
}
