// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands of mkfs and mount: what of a matrix becomes a word of them, and what is refused. */
#include "unit.h"

#include <string.h>

#include "bench/filesystem.h"
#include "bench/option_list.h"
#include "bench/option_refused.h"

static struct filesystem_table table;
static struct trouble trouble;
static char line[2048];

static int setup(void **state)
{
	(void)state;
	return filesystem_table_read(&table, "filesystems.yaml", &trouble);
}

static int teardown(void **state)
{
	(void)state;
	filesystem_table_free(&table);
	return 0;
}

static void join(const struct tool_words *words)
{
	*line = '\0';
	for (size_t i = 0; i < words->nr; i++)
		snprintf(line + strlen(line), sizeof(line) - strlen(line), "%s%s", i ? " " : "",
			 words->word[i]);
}

/* The command in `line`; false: refused, with trouble. */
static bool made(const struct filesystem *fs, const char *arguments, uint64_t bytes)
{
	struct tool_words words = {.nr = 0};
	int ret;

	memset(&trouble, 0, sizeof(trouble));
	ret = filesystem_make_words(fs, "/dev/sdx", bytes, arguments, &words, &trouble);
	join(&words);
	tool_words_free(&words);
	if (ret)
		assert_int_equal(trouble.kind, TROUBLE_USAGE);
	return !ret;
}

static const struct filesystem *fs(const char *name)
{
	const struct filesystem *found = filesystem_find(&table, name);

	assert_non_null(found);
	return found;
}

static void assert_command(const char *name, const char *arguments, uint64_t bytes,
			   const char *expected)
{
	if (!made(fs(name), arguments, bytes))
		fail_msg("%s %s: %s", name, arguments, trouble.reason);
	assert_string_equal(line, expected);
}

static void assert_refused(const char *name, const char *arguments, const char *reason)
{
	if (made(fs(name), arguments, 0))
		fail_msg("%s %s: not refused: %s", name, arguments, line);
	if (!strstr(trouble.reason, reason))
		fail_msg("%s %s: \"%s\", expected \"%s\"", name, arguments, trouble.reason, reason);
}

/* The node stands behind "--" and all options, and so does a size that is no option. */
static void commands(void **state)
{
	(void)state;
	assert_command("ext2", "", 0, "mkfs.ext2 -F -E lazy_itable_init=0,nodiscard -- /dev/sdx");
	assert_command("ext2", "-b 4096 -m0", 1 << 20,
		       "mkfs.ext2 -F -E lazy_itable_init=0,nodiscard -b 4096 -m 0 -- "
		       "/dev/sdx 1024");
	assert_command("xfs", "-l su=64k,size=16m -f", 1 << 20,
		       "mkfs.xfs -f -K -l su=64k,size=16m -f -d size=1048576 -- /dev/sdx");
	assert_command("btrfs", "--nodesize 16k --csum=xxhash -O no-holes,^free-space-tree", 0,
		       "mkfs.btrfs -f -K --nodesize 16k --csum xxhash -O "
		       "no-holes,^free-space-tree -- /dev/sdx");
	assert_command("ntfs3", "-c 4096", 0, "mkfs.ntfs -F -Q -c 4096 /dev/sdx");
}

/* mke2fs keeps the last -E alone, and lazy initialization would be back. */
static void parts_are_joined(void **state)
{
	(void)state;
	assert_command("ext2", "-E stride=16 -E stripe_width=32,discard", 0,
		       "mkfs.ext2 -F -E lazy_itable_init=0,nodiscard,stride=16,stripe_width=32,"
		       "discard -- /dev/sdx");
	assert_command("xfs", "-m crc=1 -m reflink=0", 0,
		       "mkfs.xfs -f -K -m crc=1,reflink=0 -- /dev/sdx");
}

static void refused(void **state)
{
	static const struct {
		const char *fs, *arguments, *reason;
	} wrong[] = {
		{"btrfs", "/dev/OTHER", "\"/dev/OTHER\" is not an option"},
		{"ext4", "img 1000", "\"img\" is not an option"},
		{"ext4", "-- /dev/OTHER", "\"--\" is not an option"},
		{"ext4", "-", "\"-\" is not an option"},
		{"ext4", "''", "\"\" is not an option"},
		{"ext4", "-z /any/path -d /root", "-z is not allowed: it writes an undo file"},
		{"ext4", "-z/any/path", "-z is not allowed"},
		{"ext4", "-d /root", "-d is not allowed: it copies"},
		{"ext4", "-J size=4,device=/dev/OTHER", "-J device: not one that is allowed"},
		{"ext4", "-J size=4 -J device=UUID=1", "-J device: not one"},
		{"ext4", "-E root_owner=5:5", "-E root_owner: not one"},
		{"ext4", "-E offset=1048576", "-E offset: not one"},
		{"ext4", "-E mount_opts=journal_path=x", "-E mount_opts: not one"},
		{"ext4", "-E ,stride=1", "expected NAME or NAME=VALUE"},
		{"ext4", "-E 'stride=1 discard'", "expected NAME or NAME=VALUE"},
		{"ext4", "-E stride", "expected stride=number, found stride"},
		{"ext4", "-E stride=/etc/passwd", "expected stride=number"},
		{"ext4", "-b", "its value is missing"},
		{"ext4", "-b ''", "expected a value of the form size"},
		{"ext4", "-L ../x", "-L: expected a value"},
		{"ext4", "-Fz /x", "-F takes no value"},
		{"ext4", "-O a,,b", "-O: expected a value"},
		{"ext4", "-O has_journal,-z", "-O: expected a value"},
		{"ext4", "-b 4096 'unfinished", "a quote without its end"},
		{"xfs", "-d name=/dev/OTHER", "-d name: not one"},
		{"xfs", "-d file,size=1g", "-d file: not one"},
		{"xfs", "-d size=1g", "-d size: not one"},
		{"xfs", "-l logdev=/dev/OTHER", "-l logdev: not one"},
		{"xfs", "-l internal=0", "expected internal"},
		{"xfs", "-r rtdev=/dev/OTHER", "-r is not allowed: it names a second device"},
		{"xfs", "-p /etc/passwd", "-p is not allowed"},
		{"xfs", "-c options=/etc/passwd", "-c is not allowed"},
		{"btrfs", "--rootdir=/root", "--rootdir is not allowed: it copies"},
		{"btrfs", "--rootdi /root", "--rootdi: not one of those that are known"},
		{"btrfs", "-r/root", "-r is not allowed"},
		{"btrfs", "-d raid1", "-d: expected a value"},
		{"btrfs", "--byte-count 4g", "--byte-count is not allowed"},
		{"f2fs", "-c /dev/OTHER", "-c is not allowed: it names other devices"},
		{"nilfs2", "-n", "-n is not allowed: it makes no filesystem"},
		{"reiserfs", "--journal-device=/dev/OTHER", "--journal-device is not allowed"},
		{"reiserfs", "-B /etc/passwd", "-B is not allowed"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_refused(wrong[i].fs, wrong[i].arguments, wrong[i].reason);
	assert_refused("ext4", "-E strid=1", "-E strid: not one");
	assert_string_equal(trouble.hint, "did you mean stride?");
	assert_refused("ext4", "--foo", "--foo: not one of those that are known for ext4");
	assert_non_null(strstr(trouble.hint, " -O "));
	assert_null(strstr(trouble.hint, " -z"));
}

/* Every option of every filesystem: its value is never a path, an option or several words. */
static void no_option_takes_a_path(void **state)
{
	static const char *const hostile[] = {"/dev/OTHER", "./x",  "x/y",   "-z",
					      "../../etc",  "a=/b", "=x",    "^/x",
					      ",",	    "~",    "'a b'", "\"$HOME\""};
	char arguments[256];
	size_t tried = 0;

	(void)state;
	for (size_t i = 0; i < table.nr; i++)
		for (size_t k = 0; k < table.filesystem[i].nr_mkfs_options; k++) {
			const struct filesystem_switch *is = &table.filesystem[i].mkfs_option[k];
			int len = (int)strcspn(is->name, " ");

			for (size_t h = 0; h < sizeof(hostile) / sizeof(*hostile); h++) {
				snprintf(arguments, sizeof(arguments), "%.*s %s", len, is->name,
					 hostile[h]);
				if (made(&table.filesystem[i], arguments, 0))
					fail_msg("%s: %s", table.filesystem[i].name, line);
				tried++;
			}
		}
	assert_true(tried > 1000);
}

/* So are the parts of a value. */
static void no_part_takes_a_path(void **state)
{
	char arguments[256];
	size_t tried = 0;

	(void)state;
	for (size_t i = 0; i < table.nr; i++)
		for (size_t k = 0; k < table.filesystem[i].nr_mkfs_options; k++) {
			const struct filesystem_switch *is = &table.filesystem[i].mkfs_option[k];
			const char *list = is->parts;
			struct option_word part;

			while (option_next(&list, &part)) {
				snprintf(arguments, sizeof(arguments), "%s %.*s=/dev/OTHER",
					 is->name, (int)part.name, part.at);
				assert_false(made(&table.filesystem[i], arguments, 0));
				tried++;
			}
		}
	assert_true(tried > 50);
}

/* An entry of a user's own that lists no options takes none. */
static void unlisted(void **state)
{
	struct filesystem own = *fs("ext4");

	(void)state;
	own.nr_mkfs_options = 0;
	assert_false(made(&own, "-b 4096", 0));
	assert_non_null(strstr(trouble.reason, "not one of those that are known"));
	assert_non_null(strstr(trouble.hint, "mkfs_options in "));
	assert_true(made(&own, "", 0));
}

static const char *allowed(const char *name, const char *options)
{
	const struct filesystem_wish wish = {options, UNKNOWN, false, "6.1"};
	struct filesystem_mount_plan plan;

	memset(&trouble, 0, sizeof(trouble));
	if (!filesystem_plan_mount(fs(name), &wish, &plan, &trouble))
		return NULL;
	assert_int_equal(trouble.kind, TROUBLE_USAGE);
	/* The last one of those that are tried here. */
	assert_int_equal(plan.wrong, strchr(options, ',') ? 1 : 0);
	return trouble.reason;
}

static void mount_options(void **state)
{
	static const struct {
		const char *fs, *options, *reason;
	} wrong[] = {
		{"ext4", "loop", "mount option loop is not allowed: it makes mount(8) set up"},
		{"ext4", "noatime,loop=/dev/loop3", "set up another device"},
		{"ext4", "offset=1048576", "set up another device"},
		{"ext4", "sizelimit=1", "set up another device"},
		{"ext4", "encryption=aes", "set up another device"},
		{"ext4", "verity.hashdevice=/x", "set up another device"},
		{"ext4", "roothash=ab", "set up another device"},
		{"ext4", "noatime,bind", "something other than mount this filesystem"},
		{"ext4", "rbind", "something other"},
		{"ext4", "move", "something other"},
		{"ext4", "remount", "something other"},
		{"ext4", "rshared", "something other"},
		{"ext4", "x-mount.mkdir", "is for mount(8)"},
		{"ext4", "X-mount.owner=5", "is for mount(8)"},
		{"ext4", "helper=x", "names a program"},
		{"ext4", "user", "changes what mount(8) allows"},
		{"ext4", "nofail", "changes what mount(8) allows"},
		{"ext4", "context=a:b:c:d", "SELinux"},
		{"ext4", "journal_dev=0x801", "names a second device"},
		{"ext4", "journal_path=/dev/OTHER", "names a second device"},
		{"xfs", "logdev=/dev/OTHER", "names a second device"},
		{"xfs", "rtdev=sdb", "names a second device"},
		{"btrfs", "device=/dev/OTHER", "names a second device"},
		{"btrfs", "subvol=x", "names a path"},
		{"ext4", "usrjquota=aquota.user", "names a file"},
		{"ext4", "new_option=/dev/OTHER", "has a path"},
		{"ext4", "new_option=\"a\"", "has a path or a quote"},
		{"ext4", "newdev=5", "may name another device"},
		{"ext4", "config_file=x", "may name another device or a file"},
		{"ntfs-3g", "usermapping=x", "names a file"},
		{"ntfs-3g", "new_option", "a program would take it"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		const char *reason = allowed(wrong[i].fs, wrong[i].options);

		if (!reason || !strstr(reason, wrong[i].reason))
			fail_msg("%s %s: %s", wrong[i].fs, wrong[i].options,
				 reason ? reason : "not refused");
	}
	assert_null(allowed("ext4", "noatime,data=journal,commit=5,new_option,other=5"));
	assert_null(allowed("ext4", "nodev,nodiratime,nouser,user_xattr"));
	assert_null(allowed("reiserfs", "hash=r5"));
	assert_null(allowed("ntfs-3g", "noatime,big_writes"));
}

/* Whatever is known of a filesystem may be given. */
static void known_options_are_allowed(void **state)
{
	(void)state;
	for (size_t i = 0; i < table.nr; i++) {
		const char *list = table.filesystem[i].mount_options;
		struct option_word word;

		while (option_next(&list, &word))
			if (option_refused(&word, true))
				fail_msg("%s: %.*s", table.filesystem[i].name, (int)word.len,
					 word.at);
	}
}

static void mount_command(void **state)
{
	struct tool_words words = {.nr = 0};

	(void)state;
	assert_int_equal(filesystem_mount_words(fs("ntfs-3g"), "/dev/sdx", "noatime", "/mnt",
						&words, &trouble),
			 0);
	join(&words);
	tool_words_free(&words);
	assert_string_equal(line, "mount -t ntfs-3g -o noatime -- /dev/sdx /mnt");
	assert_int_equal(filesystem_mount_words(fs("tmpfs"), "tmpfs", "", "/mnt", &words, &trouble),
			 0);
	join(&words);
	tool_words_free(&words);
	assert_string_equal(line, "mount -t tmpfs -- tmpfs /mnt");
}

static void forms(void **state)
{
	static const struct {
		const char *known, *word;
		enum option_fit fit;
	} cases[] = {
		{"a b=number", "a", OPTION_FITS},
		{"a b=number", "a=1", OPTION_VALUE},
		{"a b=number", "b", OPTION_VALUE},
		{"a b=number", "b=", OPTION_VALUE},
		{"a b=number", "b=0.5", OPTION_FITS},
		{"a b=number", "b=1.2.3", OPTION_VALUE},
		{"a b=number", "b=-1", OPTION_VALUE},
		{"a b=number", "c", OPTION_UNKNOWN},
		{"a b=number", "B=1", OPTION_UNKNOWN},
		{"s=size", "s=16MiB", OPTION_FITS},
		{"s=size", "s=50%", OPTION_FITS},
		{"s=size", "s=MiB", OPTION_VALUE},
		{"s=size", "s=1MiBs", OPTION_VALUE},
		{"c c=no|zstd*", "c", OPTION_FITS},
		{"c c=no|zstd*", "c=zstd:3", OPTION_FITS},
		{"c c=no|zstd*", "c=zstd/3", OPTION_VALUE},
		{"c c=no|zstd*", "c=nope", OPTION_VALUE},
		{"l=list", "l=^a", OPTION_FITS},
		{"l=list", "l=^", OPTION_VALUE},
		{"l=list", "l=^^a", OPTION_VALUE},
		{"w=word", "w=a.b:c+d-e_f", OPTION_FITS},
		{"w=word", "w=.a", OPTION_VALUE},
		{"w=word", "w=a b", OPTION_VALUE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct option_word word = option_word(cases[i].word);

		if (option_fit(cases[i].known, &word, NULL) != cases[i].fit)
			fail_msg("%s in %s", cases[i].word, cases[i].known);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands),
		cmocka_unit_test(parts_are_joined),
		cmocka_unit_test(refused),
		cmocka_unit_test(no_option_takes_a_path),
		cmocka_unit_test(no_part_takes_a_path),
		cmocka_unit_test(unlisted),
		cmocka_unit_test(mount_options),
		cmocka_unit_test(known_options_are_allowed),
		cmocka_unit_test(mount_command),
		cmocka_unit_test(forms),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
