// SPDX-License-Identifier: GPL-2.0-or-later
/* Which disks a name, number, path or mount leads to, on a made-up sysfs. */
#include "tree.h"

#include "disk/mounts.h"

#define SDA "/sys/devices/pci0/ata1/host0/target0:0:0/0:0:0:0/block/sda"
#define SDB "/sys/devices/pci0/ata2/host1/target1:0:0/1:0:0:0/block/sdb"
#define SDC "/sys/devices/pci0/ata3/host2/target2:0:0/2:0:0:0/block/sdc"
#define CCISS "/sys/devices/pci0/host9/block/cciss!c0d0"
#define VIRTUAL "/sys/devices/virtual/block/"
#define HEAD "/sys/devices/virtual/nvme-subsystem/nvme-subsys1/nvme1n1"

static void make_stacks(void)
{
	tree_blockdev(VIRTUAL "md0", "9:0", "4096");
	tree_slave(VIRTUAL "md0", SDB);
	tree_slave(VIRTUAL "md0", SDC);
	tree_partition(VIRTUAL "md0", "md0p1", "259:5");
	tree_blockdev(VIRTUAL "dm-0", "253:0", "4096");
	tree_attr(VIRTUAL "dm-0", "dm/name", "vg-\033[31mroot\n");
	tree_slave(VIRTUAL "dm-0", SDA "/sda2");
	tree_slave(VIRTUAL "dm-0", VIRTUAL "md0");
	tree_slave(VIRTUAL "dm-0", SDB);
	tree_blockdev(VIRTUAL "dm-1", "253:1", "4096"); /* dm-zero: nothing below */
	tree_blockdev(VIRTUAL "dm-2", "253:2", "4096");
	tree_slave(VIRTUAL "dm-2", VIRTUAL "dm-2");
	tree_blockdev(VIRTUAL "zram0", "252:0", "4096");
	tree_disk(VIRTUAL "loop0", "7:0", "4096", 1, "128");
	tree_disk(VIRTUAL "loop1", "7:1", "0", 1, "128");
}

static int setup(void **state)
{
	(void)state;
	tree_make();
	tree_disk(SDA, "8:0", "8192", 1, "32");
	tree_partition(SDA, "sda1", "8:1");
	tree_partition(SDA, "sda2", "8:2");
	tree_disk(SDB, "8:16", "8192", 1, "32");
	tree_partition(SDB, "sdb1", "8:17");
	tree_disk(SDC, "8:32", "8192", 1, "32");
	tree_disk(CCISS, "104:0", "8192", 1, "32");
	tree_disk("/sys/devices/pci0/host3/block/sr0", "11:0", "2097151", 1, "1");
	tree_attr("/sys/devices/pci0/host3/block/sr0", "device/type", "5\n");
	make_stacks();
	tree_blockdev(HEAD, "259:8", "8192");
	tree_disk("/sys/devices/pci0/nvme/nvme1/nvme1c1n1", "", "8192", 2, "1023");
	tree_file("/proc/self/mountinfo", "");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tree_remove();
	return 0;
}

/* "sda sdb", the disks an argument leads to; what was printed stays in message. */
static int find(const char *arg, char names[256], char via[256], char message[1024])
{
	struct capture capture;
	struct disk_set set;
	int ret;

	capture_begin(&capture, stderr);
	ret = disk_find(arg, &set);
	capture_end(&capture, message, 1024);
	names[0] = '\0';
	for (size_t i = 0; i < set.nr; i++) {
		strcat(names, i ? " " : "");
		strcat(names, set.disk[i].name);
	}
	strcpy(via, set.via);
	disk_set_free(&set);
	return ret;
}

static void expect(const char *arg, const char *names, const char *via)
{
	char got_names[256], got_via[256], message[1024];

	if (find(arg, got_names, got_via, message))
		fail_msg("%s", message);
	assert_string_equal(got_names, names);
	assert_string_equal(got_via, via);
	assert_string_equal(message, "");
}

static void refuse(const char *arg, const char *message)
{
	char names[256], via[256], got[1024];

	assert_int_equal(find(arg, names, via, got), -1);
	assert_string_equal(names, "");
	if (!strstr(got, message))
		fail_msg("%s: expected \"%s\", got \"%s\"", arg, message, got);
	assert_memory_equal(got, "fsbctl: ", 8);
}

static void test_names(void **state)
{
	(void)state;
	expect("sda", "sda", "");
	expect("8:16", "sdb", "");
	expect("cciss!c0d0", "cciss!c0d0", "");
	expect("loop0", "loop0", "");
	expect("sda2", "sda", "partition sda2");
	expect("8:1", "sda", "partition sda1");
}

static void test_stacks(void **state)
{
	(void)state;
	expect("md0", "sdb sdc", "md0");
	expect("md0p1", "sdb sdc", "partition md0p1");
	/* sdb is reached twice and counted once; the mapped name is made harmless. */
	expect("dm-0", "sdb sdc sda", "dm-0 (vg-\\x1b[31mroot)");
	refuse("dm-1", "dm-1 sends no requests of its own and has no disk below it");
	refuse("dm-2", "dm-2 is one device too many");
	refuse("zram0", "sends no requests");
}

static void test_multipath(void **state)
{
	(void)state;
	refuse("nvme1n1", "its requests go to nvme1c1n1, a hidden path of NVMe multipath");
	/* Where a path has a number it is the disk to count. */
	tree_disk("/sys/devices/pci0/nvme/nvme1/nvme1c1n1", "259:9", "8192", 2, "1023");
	expect("nvme1n1", "nvme1c1n1", "nvme1n1");
}

static void test_refusals(void **state)
{
	(void)state;
	refuse("", "names no disk");
	refuse("sdz", "sdz: no such disk\n");
	refuse("8:99", "no block device has this number");
	refuse("4294967304:0", "no such disk");
	refuse("8:0x", "no such disk");
	refuse("/dev/nosuch", "no such disk, mount or file");
	refuse("..", "");
	refuse("\033[2Jsda", "fsbctl: \\x1b[2Jsda: no such disk");
}

static void make_node(const char *path, mode_t type, unsigned int maj, unsigned int min)
{
	char full[PATH_MAX];

	tree_dirs(path);
	tree_path(full, path);
	if (!mknod(full, type | 0600, makedev(maj, min)))
		return;
	assert_int_equal(errno, EPERM);
	print_message("skipped: making device nodes needs root\n");
	skip();
}

static void test_nodes(void **state)
{
	(void)state;
	make_node("/dev/sda", S_IFBLK, 8, 0);
	make_node("/dev/sda1", S_IFBLK, 8, 1);
	make_node("/dev/gone", S_IFBLK, 8, 99);
	make_node("/dev/nvme0", S_IFCHR, 240, 0);
	tree_link("/dev/disk/by-id/wwn-0x5000c500a1b2c3d4", "../../sda");
	tree_link("/dev/disk/by-uuid/1234", "../../sda1");
	expect("/dev/sda", "sda", "");
	expect("/dev/disk/by-id/wwn-0x5000c500a1b2c3d4", "sda", "");
	expect("/dev/disk/by-uuid/1234", "sda", "partition sda1");
	refuse("/dev/gone", "a device node without a device (8:99)");
	refuse("/dev/nvme0", "is a character device, not a block device");
}

/* The filesystem that really holds the tree gets the made-up partition sdc7. */
static void test_files(void **state)
{
	char number[32], mountinfo[256];
	struct stat st;

	(void)state;
	assert_int_equal(stat(tree_root, &st), 0);
	snprintf(number, sizeof(number), "%u:%u", major(st.st_dev), minor(st.st_dev));
	tree_partition(SDC, "sdc7", number);
	snprintf(mountinfo, sizeof(mountinfo),
		 "20 1 %s / /srv rw,relatime - ext4 /dev/sdc7 rw\n", number);
	tree_file("/proc/self/mountinfo", mountinfo);
	tree_file("/srv/file\033", "x");
	expect("/srv", "sdc", "mount /srv on sdc7");
	expect("/srv/file\033", "sdc", "file /srv/file\\x1b on sdc7");
	refuse("/srv/nosuch", "no such disk, mount or file");
}

/* No device has the number of the tree's filesystem here: mountinfo must tell. */
static void test_files_by_source(void **state)
{
	struct disk_set set;

	(void)state;
	tree_file("/proc/self/mountinfo",
		  "20 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
		  "21 20 0:40 / /b rw - btrfs /dev/sdb1 rw\n"
		  "22 20 0:41 / /t rw - tmpfs none rw\n"
		  "23 20 0:42 / /c rw - bcachefs /dev/sda2:/dev/sdc rw\n");
	tree_link("/sys/fs/btrfs/uuid-1/devices/sdb1", SDB "/sdb1");
	tree_link("/sys/fs/btrfs/uuid-1/devices/sdc", SDC);
	tree_dirs("/sys/fs/btrfs/features/");
	tree_file("/b/sub/file", "x");
	tree_file("/t/file", "x");
	tree_file("/c/file", "x");
	expect("/b/sub/file", "sdb sdc", "file /b/sub/file on sdb1, sdc");
	expect("/c/file", "sda sdc", "file /c/file on sda2, sdc");
	refuse("/t/file", "lies on tmpfs, which has no disk");

	assert_int_equal(disks_of_path("/t/file", &set), 0);
	assert_int_equal(set.nr, 0);
	disk_set_free(&set);
	assert_int_equal(disks_of_path("/b", &set), 0);
	assert_int_equal(set.nr, 2);
	disk_set_free(&set);
	assert_int_equal(disks_of_path("/nosuch", &set), -1);
	assert_int_equal(errno, ENOENT);
}

static void expect_mount(const struct mount *mount, const char *source, const char *target,
			 const char *fstype, const char *options)
{
	assert_string_equal(mount->source, source);
	assert_string_equal(mount->target, target);
	assert_string_equal(mount->fstype, fstype);
	assert_string_equal(mount->options, options);
}

static void test_mounts(void **state)
{
	const struct disk sda = { "sda", 8, 0 }, sdc = { "sdc", 8, 32 };
	struct mounts mounts;

	(void)state;
	tree_file("/proc/self/mountinfo",
		  "20 1 8:1 / / rw,relatime shared:1 - ext4 /dev/root rw,relatime,errors=panic\n"
		  "21 20 0:5 / /dev rw - devtmpfs udev rw\n"
		  "22 20 8:1 /srv /bind rw,noatime - ext4 /dev/root rw\n"
		  "23 20 253:0 / /my\\040data\033 ro,noexec - xfs /dev/mapper/x rw,noquota\n"
		  "24 20 0:50 /@ /b rw - btrfs /dev/sdb1 rw,subvol=/@\n"
		  "25 20 0:50 /@h /h rw - btrfs /dev/sdb1 rw,subvol=/@h\n"
		  "26 20 0:51 / /o rw - overlay none rw,lowerdir=/dev/sda1\n"
		  "27 20 8:17 / /only-sdb rw - ext4 /dev/sdb1 rw\n");
	tree_link("/sys/fs/btrfs/uuid-1/devices/sdb1", SDB "/sdb1");
	tree_link("/sys/fs/btrfs/uuid-1/devices/sdc", SDC);

	assert_int_equal(mounts_of_disk(&sda, &mounts), 0);
	assert_int_equal(mounts.nr, 2);
	expect_mount(&mounts.mount[0], "sda1", "/", "ext4", "rw,relatime,errors=panic");
	expect_mount(&mounts.mount[1], "dm-0", "/my data\033", "xfs", "ro,noexec,noquota");
	mounts_free(&mounts);

	assert_int_equal(mounts_of_disk(&sdc, &mounts), 0);
	assert_int_equal(mounts.nr, 2);
	expect_mount(&mounts.mount[0], "dm-0", "/my data\033", "xfs", "ro,noexec,noquota");
	expect_mount(&mounts.mount[1], "sdc", "/b", "btrfs", "rw,subvol=/@");
	mounts_free(&mounts);
}

static void expect_targets(uint32_t major, uint32_t minor, const char *expected)
{
	const struct disk disk = { .major = major, .minor = minor };
	char targets[256] = "";
	struct mounts mounts;

	assert_int_equal(mounts_of_disk(&disk, &mounts), 0);
	for (size_t i = 0; i < mounts.nr; i++) {
		strcat(targets, i ? " " : "");
		strcat(targets, mounts.mount[i].target);
	}
	mounts_free(&mounts);
	assert_string_equal(targets, expected);
}

/* Its source need not be a node below /dev; its members are known all the same. */
static void test_btrfs_by_exclusion(void **state)
{
	struct mount_place place;

	(void)state;
	tree_link("/sys/fs/btrfs/uuid-1/devices/sdb1", SDB "/sdb1");
	tree_link("/sys/fs/btrfs/uuid-2/devices/sdc", SDC);
	tree_file("/sys/fs/btrfs/features/raid56", "0\n");
	tree_file("/proc/self/mountinfo", "20 1 0:50 / / rw - btrfs /dev/root rw\n"
					  "21 1 0:51 / /known rw - btrfs /dev/sdb1 rw\n");
	expect_targets(8, 32, "/");
	expect_targets(8, 16, "/known");
	expect_targets(8, 0, "");
	tree_file("/proc/self/mountinfo", "20 1 0:50 / / rw - btrfs /tmp/node rw\n"
					  "21 1 0:51 / /known rw - btrfs /dev/sdb1 rw\n");
	expect_targets(8, 32, "/");
	assert_int_equal(mount_place_of_path("/", &place), 0);
	mount_place_free(&place);
	/* Of two either may be meant: better one mount too many than a disk that seems idle. */
	tree_file("/proc/self/mountinfo", "20 1 0:50 / / rw - btrfs /dev/root rw\n");
	expect_targets(8, 32, "/");
	expect_targets(8, 16, "/");
}

/* Mounts that cannot be read are not mounts that are not there. */
static void test_no_mountinfo(void **state)
{
	const struct disk sda = { "sda", 8, 0 };
	char path[PATH_MAX];
	struct mounts mounts;

	(void)state;
	tree_path(path, "/proc/self/mountinfo");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mounts_of_disk(&sda, &mounts), -1);
	assert_int_equal(errno, ENOENT);
	assert_string_equal(mounts.unknown, "/proc/self/mountinfo: No such file or directory");
	assert_int_equal(mounts.nr, 0);
	mounts_free(&mounts);
}

static void test_no_sysfs(void **state)
{
	char from[PATH_MAX], to[PATH_MAX];

	(void)state;
	tree_path(from, "/sys");
	tree_path(to, "/no-sys");
	assert_int_equal(rename(from, to), 0);
	refuse("sda", "fsbctl: sda: /sys/class/block: No such file or directory\n");
	refuse("/proc/self", "/sys/class/block: No such file");
}

static void expect_one(const char *mountinfo, const char *target, const char *options)
{
	const struct disk sda = { "sda", 8, 0 };
	struct mounts mounts;

	tree_file("/proc/1/mountinfo", mountinfo);
	assert_int_equal(mounts_of_disk(&sda, &mounts), 0);
	assert_int_equal(mounts.nr, 1);
	expect_mount(&mounts.mount[0], "sda1", target, "ext4", options);
	mounts_free(&mounts);
}

/* Whatever else mounts it: a superblock is described by its first mount in the first namespace. */
static void test_one_mount_each(void **state)
{
	(void)state;
	tree_file("/proc/self/mountinfo", "20 1 8:1 / /own ro - ext4 /dev/sda1 ro\n");
	expect_one("30 1 8:1 / /srv rw - ext4 /dev/sda1 rw,nobarrier\n", "/srv", "rw,nobarrier");
	expect_one("30 1 8:1 / /srv rw - ext4 /dev/sda1 rw\n"
		   "31 1 8:1 / /bind ro,noexec - ext4 /dev/sda1 rw\n"
		   "32 1 8:1 /sub /part ro - ext4 /dev/sda1 rw\n", "/srv", "rw");
	expect_one("32 1 8:1 /sub /part ro - ext4 /dev/sda1 rw\n"
		   "31 1 8:1 / /bind ro,noexec - ext4 /dev/sda1 rw\n"
		   "30 1 8:1 / /srv rw - ext4 /dev/sda1 rw\n", "/srv", "rw");
	/* An old number that was free again went to a bind mount of a part. */
	expect_one("30 1 8:1 / /srv rw - ext4 /dev/sda1 rw\n"
		   "7 1 8:1 /sub /part ro - ext4 /dev/sda1 rw\n", "/srv", "rw");
}

static void test_all(void **state)
{
	static const char *const names[] = { "cciss!c0d0", "loop0", "sda", "sdb", "sdc" };
	struct disk_set set;

	(void)state;
	assert_int_equal(disk_all(&set), 0);
	assert_int_equal(set.nr, sizeof(names) / sizeof(*names));
	for (size_t i = 0; i < set.nr; i++)
		assert_string_equal(set.disk[i].name, names[i]);
	disk_set_free(&set);
	assert_int_equal(disk_unreachable(&set), 0);
	assert_int_equal(set.nr, 1);
	assert_string_equal(set.disk[0].name, "nvme1n1");
	disk_set_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_names, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stacks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_multipath, setup, teardown),
		cmocka_unit_test_setup_teardown(test_refusals, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nodes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_files, setup, teardown),
		cmocka_unit_test_setup_teardown(test_files_by_source, setup, teardown),
		cmocka_unit_test_setup_teardown(test_mounts, setup, teardown),
		cmocka_unit_test_setup_teardown(test_one_mount_each, setup, teardown),
		cmocka_unit_test_setup_teardown(test_btrfs_by_exclusion, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_mountinfo, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_sysfs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_all, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
