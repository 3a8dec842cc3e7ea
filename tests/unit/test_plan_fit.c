// SPDX-License-Identifier: GPL-2.0-or-later
/* A plan on a disk: sizes, what cannot be had there or here, and the time it takes. */
#include <sys/utsname.h>

#include "plan_matrix.h"

static void expect_size(const char *lines, const char *scale, uint64_t mib)
{
	options.scale = scale;
	made(lines);
	assert_int_equal(plan.size, mib << 20);
	plan_free(&plan);
}

/* As much of the disk as the workloads need at the scale; no more than the matrix says. */
static void size_at_a_scale(void **state)
{
	static const char sized[] = "target: {size: 16GiB}\nall: {fs: ext4}\nworkloads: [scaled]\n";
	static const char line[] = "target: {size: 16GiB}\nall: {fs: ext4}\n"
				   "workloads: ['scaled n=2000']\n";

	(void)state;
	write_workload("scaled", "scales: [{name: small, values: n=5}, {name: mid, values: n=900},"
				 " {name: huge, values: n=9000}, {name: same, values: n=2000}]\n");
	expect_size(sized, NULL, 16384);
	/* Of lines that need less by themselves, the scale makes nothing smaller. */
	expect_size(sized, "mid", 16384);
	expect_size(line, "small", 512);
	/* 900 MB and a quarter, in steps of 64 MiB. */
	expect_size(line, "mid", 1088);
	expect_size(line, "same", 16384);
	expect_size(line, "huge", 16384);
	expect_size("target: {size: 600MiB}\nall: {fs: ext4}\nworkloads: ['scaled n=2000']\n",
		    "mid", 600);
	expect_size("all: {fs: ext4}\nworkloads: ['scaled n=2000']\n", "small", 0);
	options.scale = NULL;
}

/* The presets at the scale that is made for small disks. */
static void presets_on_small_disks(void **state)
{
	/* dbench of 128 clients takes 3.25 GB at any scale. */
	static const struct {
		const char *name;
		unsigned int mib;
	} presets[] = {{"barrier", 512}, {"sata-ncq-2011", 3904}, {"ext4-options-2012", 512}};

	(void)state;
	for (size_t i = 0; i < sizeof(presets) / sizeof(*presets); i++) {
		options.matrix = presets[i].name;
		options.text = NULL;
		options.look_only = true;
		options.scale = "small";
		assert_int_equal(plan_make(&plan, &options, &trouble), 0);
		assert_int_equal(plan.size >> 20, presets[i].mib);
		plan_free(&plan);
		options.scale = NULL;
		assert_int_equal(plan_make(&plan, &options, &trouble), 0);
		assert_true(plan.size >= (uint64_t)16 << 30);
		plan_free(&plan);
	}
}

static void caps_and_seed(void **state)
{
	static const char lines[] = "configurations: [{name: a, fs: ext4}]\nworkloads: [one]\n"
				    "seed: 5\nrepeat: {min: 4, max: 8, max_time: 1h}\n";

	(void)state;
	options.max_runs = 2;
	options.max_seconds = 60;
	options.seed = 7;
	made(lines);
	assert_int_equal(plan.matrix.repeat.min, 2);
	assert_int_equal(plan.matrix.repeat.max, 2);
	assert_true(plan.matrix.repeat.max_seconds == 60);
	assert_int_equal(plan.seed, 7);
	plan_free(&plan);
	options.have_seed = false;
	options.max_runs = 0;
	made(lines);
	assert_int_equal(plan.seed, 5);
	assert_int_equal(plan.matrix.repeat.min, 4);
	assert_int_equal(plan.matrix.repeat.max, 8);
}

static void not_here(void **state)
{
	(void)state;
	made("configurations: [{name: x, fs: xfs, barrier: off},\n"
	     "  {name: e, fs: xfs, barrier: off, emulate: yes}]\n"
	     "workloads: [one, lacks]\n");
	ASSERT_CELLS("x/one", "x/lacks", "e/one", "e/lacks");
	assert_non_null(strstr(plan.cell[0].unsupported, "nobarrier was removed in 4.19"));
	assert_non_null(strstr(plan.cell[1].unsupported, "nobarrier was removed in 4.19"));
	assert_string_equal(plan.cell[2].settings.value[SETTING_WRITE_CACHE_KERNEL],
			    "write through");
	assert_true(plan.cell[2].mount.emulated);
	/* Whether this machine has xfs at all is its own affair. */
	if (!plan.cell[2].unsupported) {
		assert_non_null(strstr(plan.cell[3].unsupported, "fsb-no-such-tool"));
		assert_int_equal(plan.nr_packages, 2);
		assert_string_equal(plan.package[1], "fsb-two");
	}
}

static struct target image(uint64_t size)
{
	return (struct target){.image = image_name, .size = size, .capacity = size};
}

static const char *why(const char *name)
{
	size_t i;

	for (i = 0; i < plan.nr_cells; i++)
		if (!strcmp(plan.cell[i].name, name))
			return plan.cell[i].unsupported ? plan.cell[i].unsupported : "";
	fail_msg("no cell %s", name);
	return NULL;
}

static void what_an_image_can_have(void **state)
{
	struct target target = image(100 << 20);

	(void)state;
	made("configurations: [{name: on, fs: ext4, write_cache: on},\n"
	     "  {name: off, fs: ext4, write_cache: off}, {name: ncq, fs: ext4, ncq: 1},\n"
	     "  {name: ram, fs: tmpfs}]\n"
	     "workloads: ['one n=1,200']\n");
	assert_int_equal(plan_fit(&plan, &target, &trouble), 0);
	assert_string_equal(why("on/one-1"), "");
	assert_string_equal(plan.cell[0].settings.value[SETTING_WRITE_CACHE], "");
	assert_non_null(strstr(why("off/one-1"), "an image has no drive"));
	assert_non_null(strstr(why("ncq/one-1"), "an image has no drive"));
	assert_string_equal(why("on/one-200"), "one-200 needs 190.7 MiB, the target has 100 MiB");
	assert_string_equal(why("ram/one-200"), "");
}

static void too_small_for_a_filesystem(void **state)
{
	struct target target = image(10 << 20);

	(void)state;
	made("configurations: [{name: a, fs: btrfs}]\nworkloads: [one]\n");
	if (plan.cell[0].unsupported)
		skip();
	assert_int_equal(plan_fit(&plan, &target, &trouble), 0);
	assert_non_null(strstr(why("a/one"), "btrfs needs"));
}

static void write_sector(const char *root, const char *bytes)
{
	char command[3 * PATH_MAX];

	snprintf(command, sizeof(command),
		 "mkdir -p '%s/sys/block/sdx/queue' && echo %s > "
		 "'%s/sys/block/sdx/queue/logical_block_size'",
		 root, bytes, root);
	assert_int_equal(system(command), 0);
}

/* A plan of the lines, fitted to a disk below @root; whether its programs are here is no matter. */
static void fit_below(const char *root, const char *lines, const struct target *target)
{
	plan_free(&plan);
	made(lines);
	for (size_t i = 0; i < plan.nr_cells; i++) {
		free(plan.cell[i].unsupported);
		plan.cell[i].unsupported = NULL;
	}
	disk_root = root;
	assert_int_equal(plan_fit(&plan, target, &trouble), 0);
	disk_root = "";
}

/* What a workload needs of a disk is said before it begins, for those cells that are on one. */
static void sectors(void **state)
{
	static const char lines[] = "configurations: [{name: a, fs: ext4},\n"
				    "  {name: ram, fs: tmpfs}]\nworkloads: ['picky n=1,0', one]\n";
	struct target target = {.size = 1ULL << 30, .fd = -1}, file = image(1ULL << 30);
	char root[PATH_MAX];

	(void)state;
	write_workload("picky", "disk: [{needs: '!n || logical_sector <= 512',\n"
				"  what: small sectors}, {needs: 'discard < 2', what: no more}]\n");
	scratch_path(root, "root");
	strcpy(target.device.disk.name, "sdx");
	write_sector(root, "4096");
	fit_below(root, lines, &target);
	assert_string_equal(why("a/picky-1"), "picky-1 needs small sectors, and the disk has "
					      "logical_sector 4096");
	assert_string_equal(why("a/picky-0"), "");
	assert_string_equal(why("a/one"), "");
	assert_string_equal(why("ram/picky-1"), "");
	/* As shipped. */
	fit_below(root,
		  "all: {fs: ext4}\nworkloads: ['fio-iometer direct=1,0 size=1M']\n", &target);
	assert_string_equal(why("ext4/fio-iometer-1M-1"),
			    "fio-iometer-1M-1 needs sectors of 512 bytes, unless direct=0, and the "
			    "disk has logical_sector 4096");
	assert_string_equal(why("ext4/fio-iometer-1M-0"), "");
	write_sector(root, "512");
	fit_below(root, lines, &target);
	assert_string_equal(why("a/picky-1"), "");
	/* A disk that does not say, and an image, refuse nothing. */
	fit_below(root, lines, &file);
	assert_string_equal(why("a/picky-1"), "");
	strcpy(target.device.disk.name, "sdy");
	fit_below(root, lines, &target);
	assert_string_equal(why("a/picky-1"), "");
}

/* mkfs and filling take what the target's size makes of them, or what they took before. */
static void time_of_trials(void **state)
{
	static const char lines[] = "configurations: [{name: a, fs: ext4}, {name: x, fs: xfs},\n"
				    "  {name: full, fs: xfs, preparation: fill}]\n"
				    "workloads: ['one n=1,2']\nrepeat: {min: 1, max: 1}\n";
	struct target target = {.size = 16ULL << 40, .fd = -1};
	struct store_run run = {.began = (char *)"", .target = (char *)
				"{\"size\":17592186044416}"};
	struct store_cell cell = {.configuration = (char *)"a", .workload = (char *)"w", .asked =
				  (char *)"{\"fs\":\"ext4\",\"preparation\":\"none\"}"};
	struct store_trial trial = {.block = 1, .place = 1, .seconds = 10, .phases = (char *)
				    "{\"mkfs\":90000000000,\"run\":10000000000}"};
	struct store *store;
	char path[PATH_MAX];

	(void)state;
	target.info.rotational = 0;
	fit_below("/nowhere", lines, &target);
	/* A 64th of it, and all of it, at 300 MB/s. */
	assert_true(plan.cell[0].around_s > 900 && plan.cell[0].around_s < 1000);
	assert_true(plan.cell[2].around_s == 8);
	assert_true(plan.cell[4].around_s > 58000 && plan.cell[4].around_s < 59000);
	assert_true(plan.seconds_min > 118000 && plan.nr_learned == 0);
	scratch_path(path, "runs.db");
	assert_int_equal(store_open(&store, path, STORE_WRITE, &trouble), 0);
	assert_int_equal(store_run_add(store, &run, "m", &cell, 1, &trouble), 0);
	trial.cell = cell.id;
	assert_int_equal(store_trial_add(store, &trial, &trouble), 0);
	assert_int_equal(plan_learn(&plan, &target, store, &trouble), 0);
	assert_true(plan.cell[0].around_s == 90 && plan.cell[1].around_s == 90);
	assert_true(plan.cell[2].around_s == 8);
	assert_int_equal(plan.nr_learned, 2);
	/* Of another size it says nothing. */
	target.size = 1ULL << 30;
	fit_below("/nowhere", lines, &target);
	assert_int_equal(plan_learn(&plan, &target, store, &trouble), 0);
	assert_int_equal(plan.nr_learned, 0);
	assert_true(plan.cell[0].around_s > 8 && plan.cell[0].around_s < 9);
	store_close(store);
	free(run.name);
}

/* Schedulers that the disk lists, and those that the kernel would load. */
static void schedulers(void **state)
{
	struct target target = {.size = 1ULL << 30, .fd = -1};
	char command[3 * PATH_MAX], path[PATH_MAX], root[PATH_MAX];
	struct utsname kernel;

	(void)state;
	made("configurations: [{name: has, fs: ext4, scheduler: kyber},\n"
	     "  {name: loads, fs: ext4, scheduler: bfq}, {name: not, fs: ext4, scheduler: bqf}]\n"
	     "workloads: [one]\n");
	assert_int_equal(uname(&kernel), 0);
	scratch_path(root, "root");
	snprintf(command, sizeof(command), "mkdir -p '%s/sys/block/sdx/queue' '%s/lib/modules/%s'",
		 root, root, kernel.release);
	assert_int_equal(system(command), 0);
	scratch_write("root/sys/block/sdx/queue/scheduler", "[none] kyber\n");
	snprintf(path, sizeof(path), "root/lib/modules/%s/modules.dep", kernel.release);
	scratch_write(path, "kernel/block/bfq.ko:\n");
	strcpy(target.device.disk.name, "sdx");
	disk_root = root;
	assert_int_equal(plan_fit(&plan, &target, &trouble), 0);
	disk_root = "";
	assert_null(strstr(why("has/one"), "scheduler"));
	assert_null(strstr(why("loads/one"), "scheduler"));
	assert_string_equal(why("not/one"), "this kernel has no scheduler bqf");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(size_at_a_scale),
		CASE(presets_on_small_disks),
		CASE(caps_and_seed),
		CASE(not_here),
		CASE(what_an_image_can_have),
		CASE(too_small_for_a_filesystem),
		CASE(sectors),
		CASE(time_of_trials),
		CASE(schedulers),
	};

	return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
