// SPDX-License-Identifier: GPL-2.0-or-later
/* Filesystems: the table, options by kernel, what a mount shows of what was asked for. */
#include "tree.h"

#include "bench/filesystem.h"
#include "bench/tool.h"

static struct filesystem_table table;
static struct trouble trouble;

static int setup(void **state)
{
	(void)state;
	tree_make();
	memset(&table, 0, sizeof(table));
	memset(&trouble, 0, sizeof(trouble));
	assert_int_equal(filesystem_table_read(&table, "filesystems.yaml", &trouble), 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	filesystem_table_free(&table);
	tree_remove();
	return 0;
}

static const struct filesystem *fs(const char *name)
{
	const struct filesystem *found = filesystem_find(&table, name);

	assert_non_null(found);
	return found;
}

static void test_versions(void **state)
{
	static const struct {
		const char *a, *b;
		int expected;
	} cases[] = {
		{"4.19", "4.19", 0},
		{"4.19.0", "4.19", 0},
		{"4.19.300-22-amd64", "4.19", 1},
		{"4.9", "4.19", -1},
		{"6.12.9+deb13-amd64", "6.13", -1},
		{"6.12.9+deb13-amd64", "6.12.9", 0},
		{"6.12.10", "6.12.9", 1},
		{"7.2-rc1", "7.2", 0},
		{"7.2-rc1", "7.1.9", 1},
		{"10.0", "9.99", 1},
		{"5.10.0-33-amd64", "5.11", -1},
		{"", "2.6", -1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int is = kernel_compare(cases[i].a, cases[i].b);
		int back = kernel_compare(cases[i].b, cases[i].a);

		assert_int_equal((is > 0) - (is < 0), cases[i].expected);
		assert_int_equal((back > 0) - (back < 0), -cases[i].expected);
	}
}

/* What becomes of a wish: the options, or NULL and the reason in trouble. */
static const char *planned(const char *name, const char *kernel, enum tristate barrier,
			   bool emulate, const char *mount)
{
	const struct filesystem_wish wish = {mount, barrier, emulate, kernel};
	static struct filesystem_mount_plan plan;

	if (filesystem_plan_mount(fs(name), &wish, &plan, &trouble))
		return NULL;
	if (plan.emulated)
		assert_non_null(strstr(plan.note, "write through"));
	return plan.emulated ? "emulated" : plan.options;
}

static void assert_refused(const char *name, const char *kernel, enum tristate barrier,
			   const char *mount, enum trouble_kind kind, const char *why)
{
	assert_null(planned(name, kernel, barrier, false, mount));
	assert_int_equal(trouble.kind, kind);
	assert_string_equal(trouble.object, name);
	if (!strstr(trouble.reason, why))
		fail_msg("%s: \"%s\", expected \"%s\"", name, trouble.reason, why);
}

static void test_barrier(void **state)
{
	(void)state;
	assert_string_equal(planned("ext4", "6.1", ON, false, ""), "barrier=1");
	assert_string_equal(planned("ext4", "6.1", OFF, false, ""), "barrier=0");
	assert_string_equal(planned("ext3", "6.1", OFF, false, "noatime"), "noatime,barrier=0");
	assert_string_equal(planned("ext4", "6.1", UNKNOWN, false, "data=journal"), "data=journal");
	assert_string_equal(planned("btrfs", "6.1", OFF, false, ""), "nobarrier");
	assert_string_equal(planned("f2fs", "6.1", OFF, false, ""), "nobarrier");
	assert_string_equal(planned("f2fs", "6.1", ON, false, ""), "");
	assert_string_equal(planned("nilfs2", "6.1", OFF, false, ""), "nobarrier");
	assert_string_equal(planned("reiserfs", "6.1", OFF, false, ""), "barrier=none");
	/* An option that works is used, whatever else would be allowed. */
	assert_string_equal(planned("ext4", "6.1", OFF, true, ""), "barrier=0");

	assert_string_equal(planned("xfs", "4.18.20", OFF, false, ""), "nobarrier");
	assert_string_equal(planned("xfs", "4.18.20", ON, false, ""), "barrier");
	assert_string_equal(planned("xfs", "6.1", ON, false, ""), "");
	assert_string_equal(planned("xfs", "6.1", OFF, true, ""), "emulated");
	assert_string_equal(planned("ext2", "6.1", OFF, true, ""), "emulated");
	assert_refused("xfs", "4.19", OFF, "", TROUBLE_MISSING, "nobarrier was removed in 4.19");
	assert_non_null(strstr(trouble.hint, "emulate"));
	assert_refused("ext2", "6.1", OFF, "", TROUBLE_MISSING, "ext2 has no such option");
	assert_refused("ntfs3", "6.1", OFF, "", TROUBLE_MISSING, "no such option");
	assert_refused("tmpfs", "6.1", OFF, "", TROUBLE_MISSING, "no disk");
	assert_null(planned("tmpfs", "6.1", OFF, true, ""));
}

static void test_options(void **state)
{
	char longest[1100];

	(void)state;
	assert_refused("xfs", "6.1", UNKNOWN, "noatime,nobarrier", TROUBLE_MISSING,
		       "mount option nobarrier: removed in 4.19 (kernel 6.1)");
	assert_refused("btrfs", "6.1", UNKNOWN, "inode_cache", TROUBLE_MISSING, "5.11");
	assert_string_equal(planned("btrfs", "5.10.0-33-amd64", UNKNOWN, false, "inode_cache"),
			    "inode_cache");
	assert_refused("btrfs", "5.5", UNKNOWN, "discard=async", TROUBLE_MISSING, "since 5.6");
	assert_refused("btrfs", "4.9", UNKNOWN, "compress=zstd:3", TROUBLE_MISSING, "since 4.14");
	assert_string_equal(planned("btrfs", "4.9", UNKNOWN, false, "compress=lzo,discard"),
			    "compress=lzo,discard");
	assert_string_equal(planned("btrfs", "4.9", UNKNOWN, false, "compress=zstdish"),
			    "compress=zstdish");
	assert_refused("ext4", "6.1", ON, "noatime,nobarrier", TROUBLE_USAGE,
		       "beside mount option nobarrier");
	assert_refused("ext4", "6.1", OFF, "barrier=1", TROUBLE_USAGE, "beside");
	assert_string_equal(planned("ext4", "6.1", UNKNOWN, false, "nobarrier"), "nobarrier");
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	assert_refused("ext4", "6.1", UNKNOWN, longest, TROUBLE_USAGE, "longer than");
	longest[1020] = '\0';
	assert_refused("ext4", "6.1", OFF, longest, TROUBLE_USAGE, "longer than");
}

static void test_notes(void **state)
{
	struct filesystem_wish wish = {"data=journal", OFF, false, "6.1"};
	struct filesystem_mount_plan plan;

	(void)state;
	assert_int_equal(filesystem_plan_mount(fs("ext4"), &wish, &plan, &trouble), 0);
	assert_string_equal(plan.note, "data=journal: adds nodelalloc and nodioread_nolock; "
				       "barrier: off is barrier=0");
	wish.mount = "data=journalled";
	wish.barrier = UNKNOWN;
	assert_int_equal(filesystem_plan_mount(fs("ext4"), &wish, &plan, &trouble), 0);
	assert_string_equal(plan.note, "");
}

static struct filesystem_verdict verdict;

static void assert_holds(const char *name, const char *asked, const char *effective, bool expected,
			 const char *difference)
{
	bool holds = filesystem_options_hold(fs(name), asked, effective, &verdict);

	if (holds != expected || strcmp(verdict.difference, difference) || *verdict.unverified)
		fail_msg("%s in %s: %d \"%s\", not verified: \"%s\"", asked, effective, holds,
			 verdict.difference, verdict.unverified);
}

/* It may be in force, for all that can be seen. */
static void assert_unverified(const char *name, const char *asked, const char *effective,
			      const char *unverified)
{
	bool holds = filesystem_options_hold(fs(name), asked, effective, &verdict);

	if (!holds || strcmp(verdict.unverified, unverified))
		fail_msg("%s in %s: %d \"%s\", not verified: \"%s\"", asked, effective, holds,
			 verdict.difference, verdict.unverified);
}

static void test_hold(void **state)
{
	(void)state;
	assert_holds("ext4", "", "rw,relatime", true, "");
	assert_holds("ext4", "noatime", "rw,noatime", true, "");
	assert_holds("ext4", "noatime", "rw,relatime", false, "noatime is not in force");
	assert_holds("ext4", "noatime,relatime", "rw,relatime", true, "");
	assert_holds("ext4", "barrier=1", "rw,relatime", true, "");
	assert_holds("ext4", "barrier=0", "rw,relatime,nobarrier", true, "");
	assert_holds("reiserfs", "nobarrier", "rw,relatime,barrier=none", true, "");
	assert_holds("ext4", "barrier=0", "rw,relatime", false, "barrier=0 is not in force");
	assert_holds("ext4", "barrier=1", "rw,relatime,nobarrier", false,
		     "barrier=1 is not in force");
	assert_holds("ext4", "barrier=0,barrier=1", "rw,relatime", true, "");
	assert_holds("ext4", "", "rw,relatime,nobarrier", true, "nobarrier was added");
	assert_holds("ext4", "data=ordered", "rw,relatime", true, "");
	assert_holds("ext4", "data=ordered", "rw,relatime,data=writeback", false,
		     "data=ordered is not in force");
	assert_holds("ext4", "data=writeback", "rw,relatime", false,
		     "data=writeback is not in force");
	assert_holds("ext4", "data=ordered,data=writeback", "rw,data=writeback", true, "");
	assert_holds("ext4", "data=journal", "rw,relatime,nodelalloc,nodioread_nolock,data=journal",
		     true, "nodelalloc was added; nodioread_nolock was added");
	assert_holds("ext4", "nodelalloc", "rw,relatime", false, "nodelalloc is not in force");
	assert_holds("ext4", "delalloc", "rw,relatime", true, "");
	assert_holds("ext4", "delalloc", "rw,relatime,nodelalloc", false,
		     "delalloc is not in force");
	assert_holds("ext4", "discard", "rw,discard", true, "");
	assert_holds("ext4", "discard", "rw,relatime", false, "discard is not in force");
	assert_holds("ext4", "nodiscard", "rw,relatime", true, "");
	assert_holds("btrfs", "nodiscard", "rw,discard=async", false, "nodiscard is not in force");
	assert_holds("ext4", "commit=60", "rw,commit=60", true, "");
	assert_holds("ext4", "commit=60", "rw,commit=6", false, "commit=60 is not in force");
	assert_holds("ext4", "commit=5", "rw,relatime", true, "");
	assert_holds("ext4", "defaults,async,exec", "rw,relatime", true, "");
	assert_holds("ext4", "exec", "rw,noexec", false, "exec is not in force");
	assert_holds("ext4", ",,noatime,", "rw,,noatime", true, "");
}

static void test_hold_btrfs(void **state)
{
	static const char normal[] = "rw,relatime,space_cache=v2,subvolid=5,subvol=/";

	(void)state;
	assert_holds("btrfs", "", normal, true, "");
	assert_holds("btrfs", "compress", "rw,compress=zlib:3,space_cache=v2", true, "");
	assert_holds("btrfs", "compress=zstd", "rw,compress=zstd:3", true, "");
	assert_holds("btrfs", "compress=zstd:5", "rw,compress=zstd:3", false,
		     "compress=zstd:5 is not in force");
	assert_holds("btrfs", "compress=lzo", "rw,compress=lzo-x", false,
		     "compress=lzo is not in force");
	assert_holds("btrfs", "nodatacow", "rw,nodatasum,nodatacow", true, "nodatasum was added");
	/* The kernel keeps the later of the two, and says nothing. */
	assert_holds("btrfs", "compress,nodatacow", "rw,nodatasum,nodatacow", false,
		     "compress is not in force: undone by nodatacow; nodatasum was added");
	assert_holds("btrfs", "nodatacow,compress", "rw,compress=zlib:3", false,
		     "nodatacow is not in force: undone by compress");
	assert_holds("btrfs", "compress-force=lzo,compress=zstd", "rw,compress=zstd:3", true, "");
	assert_holds("btrfs", "space_cache", normal, false, "space_cache is not in force");
	assert_holds("btrfs", "space_cache=v2", normal, true, "");
	assert_holds("btrfs", "nobarrier", "rw,nobarrier,space_cache=v2", true, "");
	assert_holds("tmpfs", "size=512m", "rw,size=524288k", true, "");
	assert_holds("tmpfs", "size=512m", "rw,size=262144k", false, "size=512m is not in force");
	assert_holds("tmpfs", "size=50%", "rw,size=262144k", true, "");
}

/* Shown in other words, or not at all though in force. */
static void test_shown_otherwise(void **state)
{
	(void)state;
	assert_holds("btrfs", "discard=sync", "rw,discard", true, "");
	assert_holds("btrfs", "discard=sync", "rw,discard=async", false,
		     "discard=sync is not in force");
	assert_holds("btrfs", "max_inline=2048", "rw", true, "");
	assert_holds("btrfs", "max_inline=8192", "rw,max_inline=4096", false,
		     "max_inline=8192 is not in force");
	assert_holds("btrfs", "space_cache", "rw,space_cache=v1", true, "");
	assert_holds("ext4", "max_batch_time=15000,min_batch_time=0", "rw,relatime", true, "");
	assert_holds("ext4", "max_batch_time=1000", "rw,relatime", false,
		     "max_batch_time=1000 is not in force");
	assert_holds("ext4", "data_err=ignore", "rw,relatime", true, "");
	assert_holds("ext4", "data_err=ignore", "rw,data_err=abort", false,
		     "data_err=ignore is not in force");
	assert_holds("ext4", "auto_da_alloc=0", "rw,noauto_da_alloc", true, "");
	assert_holds("ext4", "auto_da_alloc=0", "rw", false, "auto_da_alloc=0 is not in force");
	assert_holds("ext4", "auto_da_alloc", "rw,noauto_da_alloc", false,
		     "auto_da_alloc is not in force");
	assert_holds("xfs", "nolargeio", "rw,attr2", true, "");
	assert_holds("xfs", "nolargeio", "rw,largeio", false, "nolargeio is not in force");
	assert_holds("f2fs", "compress_extension=a,compress_extension=b",
		     "rw,compress_extension=a,compress_extension=b", true, "");
}

/* Never a failure: what is not known to be shown may be in force. */
static void test_unverified(void **state)
{
	(void)state;
	assert_unverified("ext4", "journal_ioprio=3,noatime", "rw,noatime", "journal_ioprio=3");
	assert_unverified("ext4", "brand_new,other=5,noatime", "rw,noatime", "brand_new; other=5");
	assert_unverified("btrfs", "thread_pool=4", "rw", "thread_pool=4");
	assert_unverified("ext4", "i_version", "rw", "i_version");
	assert_unverified("ntfs-3g", "big_writes", "rw,user_id=0", "big_writes");
	/* Beside one that is contradicted both are told. */
	assert_false(filesystem_options_hold(fs("ext4"), "brand_new,noatime", "rw,relatime",
					     &verdict));
	assert_string_equal(verdict.difference, "noatime is not in force");
	assert_string_equal(verdict.unverified, "brand_new");
}

/* Asked for, and seen not to be so: the kernel keeps another value, or drops the option. */
static bool is_contradicted(const char *name, const char *asked)
{
	static const char *const known[][2] = {
		{"btrfs", "max_inline=8192"},	{"btrfs", "compress,nodatacow"},
		{"f2fs", "alloc_mode=default"}, {"xfs", "dax"},
		{"xfs", "dax=always"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i][0], name) && !strcmp(known[i][1], asked))
			return true;
	return false;
}

/* What a real kernel showed: no option that it accepted fails a trial unless it says otherwise. */
static void test_measured(void **state)
{
	FILE *file = fopen("tests/unit/data/mount_shown.txt", "re");
	char line[1024], name[32], asked[128], effective[800];
	size_t nr = 0, noted = 0;

	(void)state;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		bool holds;
		int words;

		if (*line == '#')
			continue;
		words = sscanf(line, "%31s %127s %799s", name, asked, effective);
		assert_int_equal(words, 3);
		holds = filesystem_options_hold(fs(name), asked, effective, &verdict);
		if (holds == is_contradicted(name, asked))
			fail_msg("%s%s", line, verdict.difference);
		noted += *verdict.unverified != '\0';
		nr++;
	}
	assert_int_equal(fclose(file), 0);
	assert_true(nr > 300);
	assert_true(noted > 0 && noted < nr / 5);
}

static void test_clash(void **state)
{
	static const char journal[] = "data=journal", delalloc[] = "delalloc";
	const struct option_word a = option_word(journal), b = option_word(delalloc);
	const struct option_word compress = option_word("compress=zstd");
	const struct option_word nodatacow = option_word("nodatacow");

	(void)state;
	assert_true(filesystem_options_clash(fs("ext4"), &a, &b));
	assert_true(filesystem_options_clash(fs("ext4"), &b, &a));
	assert_false(filesystem_options_clash(fs("ext3"), &a, &b));
	assert_true(filesystem_options_clash(fs("btrfs"), &nodatacow, &compress));
	assert_false(filesystem_options_clash(fs("btrfs"), &compress, &compress));
}

static void make_kernel(const char *filesystems, const char *dep, const char *builtin)
{
	tree_file("/proc/filesystems", filesystems);
	tree_file("/lib/modules/6.1/modules.dep", dep);
	tree_file("/lib/modules/6.1/modules.builtin", builtin);
}

static bool is_usable(const char *name, const char *kernel, const char *why)
{
	if (!filesystem_usable(fs(name), kernel, &trouble))
		return true;
	assert_int_equal(trouble.kind, TROUBLE_MISSING);
	if (!strstr(trouble.reason, why))
		fail_msg("%s: %s", name, trouble.reason);
	return false;
}

static void test_usable(void **state)
{
	char path[PATH_MAX], bin[PATH_MAX], *old = strdup(getenv("PATH"));

	(void)state;
	tree_file("/bin/mkfs.ext4", "#!/bin/sh\n");
	tree_file("/bin/mkfs.f9fs", "#!/bin/sh\n");
	tree_path(path, "/bin/mkfs.ext4");
	assert_int_equal(chmod(path, 0755), 0);
	tree_path(bin, "/bin");
	setenv("PATH", bin, 1);
	make_kernel("nodev\ttmpfs\n\text4\n", "", "");
	assert_true(is_usable("ext4", "6.1", ""));
	assert_true(is_usable("tmpfs", "6.1", ""));
	make_kernel("nodev\ttmpfs\n", "kernel/fs/xext4/xext4.ko: a.ko\n", "");
	assert_false(is_usable("ext4", "6.1", "built without it"));
	make_kernel("", "kernel/fs/ext4/ext4.ko.xz: kernel/fs/jbd2/jbd2.ko.xz\n", "");
	assert_true(is_usable("ext4", "6.1", ""));
	make_kernel("", "", "kernel/fs/ext4/ext4.ko\n");
	assert_true(is_usable("ext4", "6.1", ""));
	assert_false(is_usable("reiserfs", "6.13-rc1", "removed from the kernel in 6.13"));
	assert_false(is_usable("ntfs3", "5.10.0-33", "since 5.15"));
	make_kernel("\treiserfs\n\tf2fs\n", "", "");
	table.filesystem[0].mkfs[0] = 'X'; /* a program that nobody has */
	make_kernel("\text2\n", "", "");
	assert_false(is_usable("ext2", "6.1", "is not installed"));
	assert_string_equal(trouble.hint, "apt-get install e2fsprogs");
	setenv("PATH", old, 1);
	free(old);
}

static int read_text(const char *text)
{
	struct filesystem_table own = {NULL, 0};
	char path[PATH_MAX];
	int ret;

	tree_file("/own.yaml", text);
	tree_path(path, "/own.yaml");
	ret = filesystem_table_read(&own, path, &trouble);
	filesystem_table_free(&own);
	return ret;
}

#define HEAD "schema: fsbstat-filesystems/1\nfilesystems:\n"

static void assert_mistake(const char *text, const char *where, const char *why)
{
	assert_int_equal(read_text(text), -1);
	assert_int_equal(trouble.kind, TROUBLE_USAGE);
	if (!strstr(trouble.object, where) || !strstr(trouble.reason, why))
		fail_msg("\"%s\": \"%s\", expected %s %s", trouble.object, trouble.reason, where,
			 why);
}

static void test_mistakes(void **state)
{
	(void)state;
	assert_int_equal(read_text(HEAD "  - {name: a, fstype: b}\n"), 0);
	assert_mistake(HEAD "  - {name: a, fstype: b}\n  - {name: c, fstype: d, speed: e}\n", ":4",
		       "speed");
	assert_mistake(HEAD "  - {fstype: b}\n", "own.yaml:3", "name");
	assert_mistake(HEAD "  - {name: a, fstype: b, min_bytes: many}\n", ":3", "number of");
	assert_mistake(HEAD "  - {name: a, fstype: b}\n  - {name: a, fstype: c}\n", ":4", "twice");
	assert_mistake(HEAD "  - {name: a, fstype: b, until: new}\n", ":3", "version");
	assert_mistake(HEAD "  - {name: a, fstype: b, options: [{name: x, since: 4..1}]}\n",
		       "own.yaml", "versions");
	assert_mistake(HEAD "  - {name: a, fstype: b, mkfs: x}\n", "own.yaml", "package");
	assert_mistake(HEAD "  - {name: a, fstype: b, mkfs_size: '%s%llu'}\n", "own.yaml", "%llu");
	assert_mistake(HEAD "  - {name: a, fstype: b, mkfs_size: '%llu%n'}\n", "own.yaml", "%llu");
	assert_mistake(HEAD "  - {name: a, fstype: b, mkfs_size: '-d 4'}\n", "own.yaml", "%llu");
	assert_mistake(HEAD, "own.yaml", "");
	assert_mistake("schema: fsbstat-filesystems/2\nfilesystems:\n  - {name: a, fstype: b}\n",
		       ":1", "fsbstat-filesystems/2");
	assert_mistake("", "own.yaml", "");
	assert_mistake(HEAD "  - {name: [\n", "own.yaml", "");
	assert_int_equal(filesystem_table_read(&table, "/nowhere/x.yaml", &trouble), -1);
	assert_string_equal(trouble.object, "/nowhere/x.yaml");
}

/* The first table that has a name wins, and the plan says so. */
static void test_own_table(void **state)
{
	struct filesystem_wish wish = {"", UNKNOWN, false, "6.1"};
	struct filesystem_mount_plan plan;
	struct filesystem_table both = {NULL, 0};
	const struct filesystem *ext4, *ext3;
	char path[PATH_MAX];

	(void)state;
	tree_file("/own.yaml", HEAD "  - {name: ext4, fstype: ext4, barrier_off: mine}\n");
	tree_path(path, "/own.yaml");
	assert_int_equal(filesystem_table_read(&both, path, &trouble), 0);
	assert_int_equal(filesystem_table_read(&both, "filesystems.yaml", &trouble), 0);
	assert_int_equal(both.nr, table.nr);
	assert_string_equal(filesystem_find(&both, "ext4")->barrier_off, "mine");
	ext4 = filesystem_find(&both, "ext4");
	assert_int_equal(filesystem_plan_mount(ext4, &wish, &plan, &trouble), 0);
	assert_non_null(strstr(plan.note, path));
	ext3 = filesystem_find(&both, "ext3");
	assert_int_equal(filesystem_plan_mount(ext3, &wish, &plan, &trouble), 0);
	assert_string_equal(plan.note, "");
	assert_null(filesystem_find(&both, "zfs"));
	filesystem_table_free(&both);
}

static void test_words(void **state)
{
	struct tool_words words = {.nr = 0};

	(void)state;
	assert_int_equal(tool_words_add(&words, " -O ^a,b -L 'a b'\\ c\t\"d \\\" e\"''\n", "x",
					&trouble),
			 0);
	assert_int_equal(words.nr, 5);
	assert_string_equal(words.word[1], "^a,b");
	assert_string_equal(words.word[3], "a b c");
	assert_string_equal(words.word[4], "d \" e");
	assert_int_equal(tool_words_add(&words, "", "x", &trouble), 0);
	assert_int_equal(words.nr, 5);
	assert_int_equal(tool_words_add(&words, "a 'b", "x", &trouble), -1);
	assert_int_equal(trouble.kind, TROUBLE_USAGE);
	for (int i = 0; i < TOOL_WORDS - 6; i++)
		assert_int_equal(tool_words_add_each(&words, "x", &trouble, "$(x)", NULL), 0);
	assert_int_equal(tool_words_add_each(&words, "x", &trouble, "a", NULL), -1);
	tool_words_free(&words);
}

static void test_tool(void **state)
{
	struct tool_words words = {.nr = 0};
	char *output;

	(void)state;
	assert_int_equal(tool_words_add(&words, "sh -c 'echo one; echo two >&2; exit $0' 3", "x",
					&trouble),
			 0);
	assert_int_equal(tool_run(&words, &output, &trouble), -1);
	assert_string_equal(output, "one\ntwo\n");
	assert_string_equal(trouble.reason, "status 3: two");
	free(output);
	free(words.word[3]);
	words.word[3] = strdup("0");
	assert_int_equal(tool_run(&words, &output, &trouble), 0);
	free(output);
	tool_words_free(&words);
	assert_int_equal(tool_words_add(&words, "no-such-program-at-all", "x", &trouble), 0);
	assert_int_equal(tool_run(&words, &output, &trouble), -1);
	assert_int_equal(trouble.kind, TROUBLE_MISSING);
	tool_words_free(&words);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_versions),	    TEST(test_barrier),	   TEST(test_options),
		TEST(test_notes),	    TEST(test_hold),	   TEST(test_hold_btrfs),
		TEST(test_shown_otherwise), TEST(test_unverified), TEST(test_measured),
		TEST(test_clash),	    TEST(test_usable),	   TEST(test_mistakes),
		TEST(test_own_table),	    TEST(test_words),	   TEST(test_tool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
