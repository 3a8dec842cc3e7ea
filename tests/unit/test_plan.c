// SPDX-License-Identifier: GPL-2.0-or-later
/* Cells out of matrix files: names, exclusions, mistakes, commands, warnings, order. */
#include <sys/resource.h>

#include "plan_matrix.h"

static void names_in_order(void **state)
{
	(void)state;
	made("configurations: [{name: b, fs: ext4}, {name: a, fs: ext4}]\n"
	     "workloads: [two, 'one n=1,2']\n");
	ASSERT_CELLS("b/two", "b/one-1", "b/one-2", "a/two", "a/one-1", "a/one-2");
	assert_true(plan.seconds_min > 0 && plan.seconds_max > plan.seconds_min);
}

static void exclusions(void **state)
{
	(void)state;
	made("configurations: [{name: a, fs: ext4}, {name: b, fs: ext4}]\n"
	     "workloads: [one, two]\n"
	     "exclude: [{configuration: a, workload: 'tw*'}, {configuration: b, workload: one}]\n");
	ASSERT_CELLS("a/one", "b/two");
}

static void once(void **state)
{
	(void)state;
	made("configurations: [{name: a, fs: ext4}, {name: b, fs: ext4}]\n"
	     "workloads: [two, one once=host]\n"
	     "exclude: [{configuration: a, workload: one}]\n");
	ASSERT_CELLS("a/two", "b/two", "b/one");
}

static void only(void **state)
{
	(void)state;
	options.only = "b/*";
	made("configurations: [{name: a, fs: ext4}, {name: b, fs: ext4}]\nworkloads: [one, two]\n");
	ASSERT_CELLS("b/one", "b/two");
	plan_free(&plan);
	options.only = "c/*";
	assert_int_equal(make("configurations: [{name: a, fs: ext4}]\nworkloads: [one]\n"), -1);
	assert_int_equal(trouble.kind, TROUBLE_USAGE);
	assert_string_equal(trouble.reason, "no cell is called like c/*");
}

static void mistakes(void **state)
{
	static const struct {
		const char *lines, *object, *reason;
	} wrong[] = {
		{"configurations: [{name: a, fs: zfs}]\nworkloads: [one]\n", "m.yaml:3",
		 "no filesystem is called zfs"},
		{"configurations: [{name: a, fs: ext4}]\nworkloads: ['one n=1,2', 'one n=2,3']\n",
		 "m.yaml:4", "one-2 is there twice"},
		{"configurations: [{name: a, fs: ext4}]\nworkloads:\n  - one\n  - three\n",
		 "m.yaml:6", NULL},
		{"configurations: [{name: a, fs: ext4, barrier: off, mount: barrier=1}]\n"
		 "workloads: [one]\n",
		 "m.yaml:3", NULL},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(make(wrong[i].lines), -1);
		assert_int_equal(trouble.kind, TROUBLE_USAGE);
		assert_string_equal(trouble.object, wrong[i].object);
		if (wrong[i].reason)
			assert_string_equal(trouble.reason, wrong[i].reason);
		plan_free(&plan);
	}
}

/* The line is that of the option, wherever it came from. */
static void options_that_are_refused(void **state)
{
	static const struct {
		const char *lines, *object, *reason;
	} wrong[] = {
		{"all:\n  fs: btrfs\n  mkfs: /dev/OTHER\nworkloads: [one]\n", "m.yaml:5",
		 "mkfs: \"/dev/OTHER\" is not an option"},
		{"all: {fs: ext4,\n  mkfs: '-z /any/path -d /root'}\nworkloads: [one]\n",
		 "m.yaml:4", "mkfs option -z is not allowed: it writes an undo file"},
		{"all: {fs: ext4}\naxes:\n  - mkfs:\n    - ''\n    - -J device=/dev/OTHER\n"
		 "workloads: [one]\n",
		 "m.yaml:7", "mkfs option -J device: not one that is allowed"},
		{"all: {fs: ext4,\n  mount: 'noatime,loop'}\nconfigurations:\n  - {name: a,\n"
		 "     mount: nodev}\nworkloads: [one]\n",
		 "m.yaml:4", "mount option loop is not allowed: it makes mount(8) set up"},
		{"all: {fs: ext4,\n  mount: 'noatime,nodev'}\nconfigurations:\n  - {name: a,\n"
		 "     mount: 'nodev,journal_path=/dev/OTHER'}\nworkloads: [one]\n",
		 "m.yaml:7", "mount option journal_path=/dev/OTHER is not allowed: it names a"},
		{"all: {fs: ext4, mount: nodev}\naxes:\n  - mount:\n    - ''\n    - remount\n"
		 "workloads: [one]\n",
		 "m.yaml:7", "mount option remount is not allowed"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(make(wrong[i].lines), -1);
		assert_int_equal(trouble.kind, TROUBLE_USAGE);
		assert_string_equal(trouble.object, wrong[i].object);
		if (!strstr(trouble.reason, wrong[i].reason))
			fail_msg("%s, expected %s", trouble.reason, wrong[i].reason);
		plan_free(&plan);
	}
}

/* What is legal and hardly meant: told once, with its line. */
static void warnings(void **state)
{
	static const struct {
		unsigned int line;
		const char *text, *hint;
	} expected[] = {
		{4, "mount option nobarier is not known for ext4", "did you mean nobarrier?"},
		{4, "mount option noatim is not known for ext4", "did you mean noatime?"},
		{7, "mount option commit=soon: expected commit=number", ""},
		{7, "mount option brand_new_thing is not known for ext4", ""},
		{9, "mount options delalloc and data=journal contradict each other", ""},
		{11, "mount options discard and nodiscard: only the last one counts", ""},
		{13, "\"exclude\" takes nothing away: no workload is called like \"oen\"",
		 "did you mean \"one\"?"},
	};

	(void)state;
	made("all: {fs: ext4,\n  mount: 'nobarier,noatim'}\n"
	     "configurations:\n"
	     "  - {name: a,\n     mount: 'commit=soon,brand_new_thing'}\n"
	     "  - {name: b,\n     mount: 'delalloc,data=journal'}\n"
	     "  - {name: c,\n     mount: 'discard,nodiscard'}\n"
	     "workloads: [one, two]\n"
	     "exclude: [{workload: oen}, {workload: 'tw*', configuration: b}]\n");
	for (size_t i = 0; i < plan.nr_warnings && i < 7; i++)
		if (plan.warning[i].line != expected[i].line ||
		    strcmp(plan.warning[i].text, expected[i].text) ||
		    strcmp(plan.warning[i].hint, expected[i].hint))
			fail_msg("%u: %s (%s)", plan.warning[i].line, plan.warning[i].text,
				 plan.warning[i].hint);
	assert_int_equal(plan.nr_warnings, 7);
}

/* Nothing is said of what is right: a configuration replaces an option of `all`. */
static void no_warnings(void **state)
{
	(void)state;
	made("all: {fs: ext4,\n  mount: 'noatime,data=ordered,discard'}\n"
	     "configurations:\n"
	     "  - {name: a, mount: 'relatime,data=journal,nodelalloc'}\n"
	     "  - {name: b, fs: btrfs, mount: 'compress=zstd:3,nodiscard'}\n"
	     "  - {name: c, fs: tmpfs, mount: size=64m}\n"
	     "workloads: [one]\n"
	     "exclude: [{workload: one, configuration: c}]\n");
	for (size_t i = 0; i < plan.nr_warnings; i++)
		if (!strstr(plan.warning[i].text, "data=ordered"))
			fail_msg("%u: %s", plan.warning[i].line, plan.warning[i].text);
}

/* An option of several filesystems that some of them lack: one warning, with all of these. */
static void one_warning_for_many(void **state)
{
	(void)state;
	made("all: {mount: 'data=ordered,noatime'}\n"
	     "axes: [{fs: [ext4, xfs, btrfs]}, {cache: [cold, warm]}]\nworkloads: [one]\n");
	assert_int_equal(plan.nr_warnings, 1);
	assert_string_equal(plan.warning[0].text,
			    "mount option data=ordered is not known for xfs, btrfs");
}

static void switched_off(void **state)
{
	(void)state;
	made("all: {fs: btrfs}\nconfigurations:\n  - {name: a, mount: 'compress=no,nodatacow'}\n"
	     "  - {name: b, mount: 'nodatacow,compress=none'}\nworkloads: [one]\n");
	assert_int_equal(plan.nr_warnings, 0);
	plan_free(&plan);
	made("all: {fs: btrfs}\nconfigurations:\n  - {name: a, mount: 'compress=zstd,nodatacow'}\n"
	     "  - {name: b, mount: 'nodatacow,compress=zstd:3'}\n"
	     "  - {name: c, mount: 'nodatacow,compress'}\nworkloads: [one]\n");
	assert_int_equal(plan.nr_warnings, 3);
	assert_non_null(strstr(plan.warning[0].text, "compress=zstd and nodatacow contradict"));
}

static void assert_words(const struct tool_words *words, const char *expected)
{
	char line[512] = "";

	for (size_t i = 0; i < words->nr; i++)
		snprintf(line + strlen(line), sizeof(line) - strlen(line), "%s%s", i ? " " : "",
			 words->word[i]);
	assert_string_equal(line, expected);
}

static void assert_commands(struct target target, const char *make_line, const char *mount_line)
{
	struct tool_words make_words, mount_words;

	if (plan_commands(&plan.cell[0], &target, &make_words, &mount_words, &trouble))
		fail_msg("%s", trouble.reason);
	assert_words(&make_words, make_line);
	assert_words(&mount_words, mount_line);
	tool_words_free(&make_words);
	tool_words_free(&mount_words);
}

/* What will be run, for each kind of target. */
static void commands(void **state)
{
	struct target target = {.size = 1 << 30, .capacity = 1 << 30};

	(void)state;
	made("all: {fs: ext2, mkfs: -b 1024, mount: noatime}\nworkloads: [one]\n");
	strcpy(target.device.disk.name, "sdx");
	assert_commands(target, "mkfs.ext2 -F -E lazy_itable_init=0,nodiscard -b 1024 -- /dev/sdx",
			"mount -t ext2 -o noatime -- /dev/sdx /run/fsbctl/mnt-sdx");
	target.size = 1 << 20;
	assert_commands(target, "mkfs.ext2 -F -E lazy_itable_init=0,nodiscard -b 1024 -- /dev/sdx1",
			"mount -t ext2 -o noatime -- /dev/sdx1 /run/fsbctl/mnt-sdx");
	strcpy(target.device.disk.name, "nvme0n1");
	assert_commands(target,
			"mkfs.ext2 -F -E lazy_itable_init=0,nodiscard -b 1024 -- /dev/nvme0n1p1",
			"mount -t ext2 -o noatime -- /dev/nvme0n1p1 /run/fsbctl/mnt-nvme0n1");
	strcpy(target.device.partition, "nvme0n1p2");
	assert_commands(target,
			"mkfs.ext2 -F -E lazy_itable_init=0,nodiscard -b 1024 -- /dev/nvme0n1p2 "
			"1024",
			"mount -t ext2 -o noatime -- /dev/nvme0n1p2 /run/fsbctl/mnt-nvme0n1");
	plan_free(&plan);
	made("all: {fs: tmpfs, mkfs: -b 1024}\nworkloads: [one]\n");
	assert_commands((struct target){.image = image_name}, "",
			"mount -t tmpfs -- tmpfs /run/fsbctl/mnt-loopN");
}

/* The same as Python computes from docs/run.md. */
static void order_is_the_documented_one(void **state)
{
	static const size_t first[] = {5, 2, 0, 4, 7, 3, 6, 1};
	static const size_t second[] = {1, 6, 4, 0, 2, 3, 7, 5};
	struct cell cells[8] = {0};
	struct plan eight = {.cell = cells, .nr_cells = 8, .seed = 1};
	size_t order[8];

	(void)state;
	plan_order(&eight, 1, order);
	assert_memory_equal(order, first, sizeof(order));
	plan_order(&eight, 2, order);
	assert_memory_equal(order, second, sizeof(order));
	eight.seed = 4095562500;
	plan_order(&eight, 1, order);
	assert_int_equal(order[0], 3);
	eight.matrix.order = ORDER_LISTED;
	plan_order(&eight, 1, order);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(order[i], i);
}

/* One filesystem for all cells of a configuration: they stay together, each is there once. */
static void order_keeps_configurations_together(void **state)
{
	struct configuration configuration[4] = {0};
	struct cell cells[10] = {0};
	struct plan ten = {.cell = cells, .nr_cells = 10, .matrix.keep_fs = true};
	size_t order[10], i;
	bool moved = false;

	(void)state;
	for (i = 0; i < 10; i++)
		cells[i].configuration = &configuration[i < 1 ? 0 : i < 4 ? 1 : i < 8 ? 2 : 3];
	for (ten.seed = 0; ten.seed < 50; ten.seed++) {
		bool seen[10] = {false};
		size_t changes = 0;

		plan_order(&ten, 1, order);
		for (i = 0; i < 10; i++) {
			assert_true(order[i] < 10 && !seen[order[i]]);
			seen[order[i]] = true;
			changes += i && cells[order[i]].configuration !=
						cells[order[i - 1]].configuration;
		}
		assert_int_equal(changes, 3);
		moved = moved || order[0] > 3;
	}
	assert_true(moved);
}

/* Page faults of children that have ended: any program that was run has some. */
static long children(void)
{
	struct rusage usage;

	assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
	return usage.ru_minflt;
}

static void looking_runs_nothing(void **state)
{
	static const char lines[] =
		"configurations: [{name: a, fs: tmpfs}]\nworkloads: ['asks n=1,2']\n";
	long before = children();

	(void)state;
	write_workload("asks", "needs: 'touch \"$here/../../ran-$n\"; [ $n = 1 ]'\n"
			       "version: 'touch \"$here/../../ran\"'\n");
	options.look_only = true;
	made(lines);
	assert_true(plan.unasked && !plan.cell[0].unsupported && !plan.cell[1].unsupported);
	assert_int_equal(children(), before);
	plan_free(&plan);
	options.look_only = false;
	made(lines);
	assert_false(plan.unasked);
	assert_null(plan.cell[0].unsupported);
	assert_non_null(plan.cell[1].unsupported);
	assert_true(scratch_has("ran-1") && scratch_has("ran-2"));
	assert_true(children() > before);
	assert_false(scratch_has("ran"));
}

/* As many cells as are allowed: nothing is run for each, nor a file opened. */
static void ten_thousand_cells(void **state)
{
	static char text[20000];
	long before = children();
	struct rusage usage[2];
	int i;

	(void)state;
	strcpy(text, "schema: fsbstat-matrix/1\nname: test\n"
		     "configurations: [{name: a, fs: tmpfs}]\nworkloads: ['fs_mark files=1");
	for (i = 2; i <= 100; i++)
		sprintf(text + strlen(text), ",%d", i);
	strcat(text, " size=1");
	for (i = 2; i <= 100; i++)
		sprintf(text + strlen(text), ",%d", i);
	strcat(text, "']\n");
	options.text = text;
	options.look_only = true;
	assert_int_equal(getrusage(RUSAGE_SELF, &usage[0]), 0);
	assert_int_equal(plan_make(&plan, &options, &trouble), 0);
	assert_int_equal(getrusage(RUSAGE_SELF, &usage[1]), 0);
	assert_int_equal(plan.nr_cells, 10000);
	assert_int_equal(plan.cell[9999].use->space, 100 * (100 + 8192) * 21 / 20 + 20000000);
	assert_int_equal(children(), before);
	/* Of the processor, not of the clock: some 0.2 s, several times that with sanitizers. */
	assert_true(usage[1].ru_utime.tv_sec - usage[0].ru_utime.tv_sec < 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(names_in_order),
		CASE(exclusions),
		CASE(once),
		CASE(only),
		CASE(mistakes),
		CASE(options_that_are_refused),
		CASE(commands),
		CASE(warnings),
		CASE(no_warnings),
		CASE(one_warning_for_many),
		CASE(switched_off),
		CASE(order_is_the_documented_one),
		CASE(order_keeps_configurations_together),
		CASE(looking_runs_nothing),
		CASE(ten_thousand_cells),
	};

	return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
