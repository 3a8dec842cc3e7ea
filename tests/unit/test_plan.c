// SPDX-License-Identifier: GPL-2.0-or-later
/* Cells out of matrix files: names, exclusions, what cannot be had here, order. */
#include "bench/plan.h"

#include <sys/resource.h>
#include <sys/utsname.h>

#include "scratch_dir.h"

static struct plan plan;
static struct trouble trouble;
static struct plan_options options;
static char *image_name; /* that is yet to be made */

static const char workload[] = "schema: fsbstat-workload/1\n"
			       "title: t\n"
			       "parameters: [{name: n, value: 1, about: a number}]\n"
			       "space: n * 1000000\n"
			       "seconds: 10\n"
			       "command: 'true'\n"
			       "unit: s\n"
			       "better: less\n";

static void write_workload(const char *name, const char *more)
{
	char path[PATH_MAX], text[2048];

	snprintf(path, sizeof(path), "fsbctl/workloads/%s.yaml", name);
	snprintf(text, sizeof(text), "%sname: %s\n%s", workload, name, more);
	scratch_write(path, text);
}

static int set_up_all(void **state)
{
	char path[PATH_MAX], *here = getcwd(NULL, 0);

	if (scratch_make(state) || !here || setenv("XDG_CONFIG_HOME", scratch_dir, 1) ||
	    setenv("FSBCTL_DATA", here, 1))
		return -1;
	image_name = here; /* any will do */
	scratch_path(path, "fsbctl");
	if (mkdir(path, 0755))
		return -1;
	scratch_path(path, "fsbctl/workloads");
	if (mkdir(path, 0755))
		return -1;
	write_workload("one", "");
	write_workload("two", "");
	write_workload("lacks", "tools: [fsb-no-such-tool]\npackages: [fsb-one, fsb-two]\n");
	return 0;
}

static int tear_down_all(void **state)
{
	free(image_name);
	return scratch_remove(state);
}

static int set_up(void **state)
{
	(void)state;
	memset(&plan, 0, sizeof(plan));
	memset(&trouble, 0, sizeof(trouble));
	options = (struct plan_options){.matrix = "m.yaml", .have_seed = true, .seed = 1};
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	plan_free(&plan);
	return 0;
}

/* A matrix with these lines. */
static int make(const char *lines)
{
	static char text[4096];

	snprintf(text, sizeof(text), "schema: fsbstat-matrix/1\nname: test\n%s", lines);
	options.text = text;
	return plan_make(&plan, &options, &trouble);
}

static void made(const char *lines)
{
	if (make(lines))
		fail_msg("%s: %s", trouble.object, trouble.reason);
}

static void assert_cells(const char *const *names, size_t nr)
{
	size_t i;

	assert_int_equal(plan.nr_cells, nr);
	for (i = 0; i < nr; i++)
		assert_string_equal(plan.cell[i].name, names[i]);
}

#define ASSERT_CELLS(...)                                              \
	do {                                                           \
		const char *const names[] = {__VA_ARGS__};             \
		assert_cells(names, sizeof(names) / sizeof(names[0])); \
	} while (0)

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

#define CASE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

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
		CASE(size_at_a_scale),
		CASE(presets_on_small_disks),
		CASE(caps_and_seed),
		CASE(not_here),
		CASE(what_an_image_can_have),
		CASE(too_small_for_a_filesystem),
		CASE(sectors),
		CASE(time_of_trials),
		CASE(schedulers),
		CASE(order_is_the_documented_one),
		CASE(order_keeps_configurations_together),
		CASE(looking_runs_nothing),
		CASE(ten_thousand_cells),
	};

	return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
