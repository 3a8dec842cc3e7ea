// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The disk of an experiment in a made-up sysfs: what is refused before anything is opened, by
 * which words a disk is told, the range, and the partition that a killed run has left.
 */
#include "tree.h"

#include "bench/target_parts.h"

#define SDA "/sys/devices/pci0/ata1/host0/target0:0:0/0:0:0:0/block/sda"
#define SDB "/sys/devices/pci0/ata2/host1/target1:0:0/1:0:0:0/block/sdb"
#define DM0 "/sys/devices/virtual/block/dm-0"

static struct trouble trouble;
static struct target target;

static void add_disk(const char *dir, const char *number, const char *sectors, const char *serial)
{
	unsigned char page[32] = {0, 0x80};

	tree_disk(dir, number, sectors, 1, "32");
	page[3] = (unsigned char)strlen(serial);
	memcpy(page + 4, serial, strlen(serial));
	if (*serial) {
		char path[PATH_MAX];

		tree_format(path, "%s/device/vpd_pg80", dir);
		tree_bytes(path, page, strlen(serial) + 4);
	}
	tree_attr(dir, "ro", "0\n");
}

static int setup(void **state)
{
	(void)state;
	tree_make();
	add_disk(SDA, "8:0", "2097152", "Z3T8QXYZ");
	tree_partition(SDA, "sda1", "8:1");
	tree_partition(SDA, "sda2", "8:2");
	add_disk(SDB, "8:16", "4194304", "WD-1234");
	tree_file("/proc/1/mountinfo", "20 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n");
	tree_file("/proc/self/mountinfo", "20 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n");
	tree_file("/proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	target_release(&target);
	tree_remove();
	return 0;
}

static void assert_refused(const struct target_options *options, enum trouble_kind kind,
			   const char *why)
{
	assert_int_equal(target_find(&target, options, &trouble), -1);
	if (trouble.kind != kind || !strstr(trouble.reason, why))
		fail_msg("%d \"%s\", expected %d \"%s\"", trouble.kind, trouble.reason, kind, why);
	assert_null(strchr(trouble.reason, '\n'));
	target_release(&target);
}

static void refused(const char *disk, const char *why)
{
	const struct target_options options = {.disk = disk};

	assert_refused(&options, TROUBLE_REFUSED, why);
}

/* Nothing stands against it until the disk itself is to be opened, which here cannot be done. */
static void only_the_node_is_missing(const struct target_options *options)
{
	assert_refused(options, TROUBLE_FAILED, "No such file");
}

static void test_found(void **state)
{
	(void)state;
	only_the_node_is_missing(&(struct target_options){.disk = "sdb"});
	only_the_node_is_missing(&(struct target_options){.disk = "8:16"});
	only_the_node_is_missing(&(struct target_options){.disk = "sda2"});
	assert_refused(&(struct target_options){.disk = "sdz"}, TROUBLE_MISSING, "no such disk");
	assert_refused(&(struct target_options){.disk = ""}, TROUBLE_MISSING, "no such disk");
	refused("/proc", "a directory or mount point");
	refused("/proc/swaps", "is a file");
	/* The hint is not about settings. */
	assert_null(strstr(trouble.hint, "settings"));
}

static void test_in_use(void **state)
{
	(void)state;
	refused("sda1", "carries /");
	refused("sda", "carries /");
	tree_file("/proc/1/mountinfo", "20 1 8:2 / /srv\\040x rw,relatime - ext4 /dev/sda2 rw\n"
				       "21 1 0:40 / /data rw - btrfs /dev/sdb rw\n");
	tree_file("/proc/self/mountinfo", "20 1 8:2 / /srv rw,relatime - ext4 /dev/sda2 rw\n");
	refused("sda", "sda2 is mounted on /srv x");
	refused("sda2", "is mounted on /srv x");
	refused("sdb", "is mounted on /data");
	tree_file("/proc/1/mountinfo", "");
	tree_file("/proc/self/mountinfo", "");
	only_the_node_is_missing(&(struct target_options){.disk = "sda2"});
	tree_file("/proc/swaps", "Filename\n/dev/sda2 partition 1024 0 -2\n");
	tree_file("/dev/sda2", "");
	refused("sda2", "is a swap area");
	refused("sda", "is a swap area");
	only_the_node_is_missing(&(struct target_options){.disk = "sda1"});
	assert_refused(&(struct target_options){.disk = "sda1", .settings = true}, TROUBLE_REFUSED,
		       "settings are to change, and sda2 is a swap area");
}

/* What a killed run has left mounted is no use of the disk for who says so, and only that. */
static void test_left(void **state)
{
	const struct target_options options = {.disk = "sdb", .left = "/run/fsbctl/mnt-sdb"};
	static const char left[] = "21 1 8:16 / /run/fsbctl/mnt-sdb rw - ext4 /dev/sdb rw\n";
	char two[200];

	(void)state;
	tree_file("/proc/1/mountinfo", left);
	refused("sdb", "is mounted on /run/fsbctl/mnt-sdb");
	only_the_node_is_missing(&options);
	assert_true(target.is_left);
	snprintf(two, sizeof(two), "%s22 1 8:17 / /data rw - ext4 /dev/sdb1 rw\n", left);
	tree_partition(SDB, "sdb1", "8:17");
	tree_file("/proc/1/mountinfo", two);
	assert_refused(&options, TROUBLE_REFUSED, "mounted on");
	tree_file("/proc/1/mountinfo", "22 1 8:16 / /data rw - ext4 /dev/sdb rw\n");
	assert_refused(&options, TROUBLE_REFUSED, "mounted on /data");
	tree_file("/proc/1/mountinfo", "");
	only_the_node_is_missing(&options);
	assert_false(target.is_left);
}

static void test_held(void **state)
{
	(void)state;
	tree_file("/proc/1/mountinfo", "");
	tree_file("/proc/self/mountinfo", "");
	tree_blockdev(DM0, "253:0", "2048");
	tree_attr(DM0, "dm/name", "vg-data\n");
	tree_slave(DM0, SDA "/sda2");
	tree_link(SDA "/sda2/holders/dm-0", DM0);
	refused("sda2", "is part of dm-0 (vg-data)");
	refused("sda", "sda2 is part of dm-0 (vg-data)");
	refused("dm-0", "stands on sda2");
	only_the_node_is_missing(&(struct target_options){.disk = "sda1"});
	/* What stands on it is mounted: seen although the partition has no mount of its own. */
	tree_file("/proc/1/mountinfo", "20 1 253:0 / /srv rw - ext4 /dev/mapper/vg-data rw\n");
	refused("sda", "sda2 is part of");
	tree_file("/proc/self/mountinfo", "20 1 253:0 / /usr rw - ext4 /dev/mapper/vg-data rw\n");
	tree_dirs("/usr/");
	refused("sda", "carries /usr");
	refused("sda2", "is part of");
}

static void test_range(void **state)
{
	struct target_options options = {.disk = "sdb"};

	(void)state;
	assert_refused(&(struct target_options){.disk = "sdb", .size = 2049 * MIB}, TROUBLE_REFUSED,
		       "it has 2 GiB, smaller than what is asked for: 2.001 GiB");
	assert_refused(&(struct target_options){.disk = "sdb", .offset = 2048 * MIB},
		       TROUBLE_REFUSED, "smaller than what is asked for");
	options.offset = 2047 * MIB;
	options.size = 2 * MIB;
	assert_refused(&options, TROUBLE_REFUSED,
		       "it has 2 GiB, smaller than what is asked for: 2 MiB from offset 1.999 GiB");
	options.offset = MIB;
	options.size = UINT64_MAX - MIB + 1;
	assert_refused(&options, TROUBLE_REFUSED, "smaller than what is asked for");
	assert_refused(&(struct target_options){.disk = "sdb", .size = MIB + 512}, TROUBLE_USAGE,
		       "whole numbers of MiB");
	assert_refused(&(struct target_options){.disk = "sdb", .offset = 4096, .size = MIB},
		       TROUBLE_USAGE, "whole numbers of MiB");
	tree_file("/proc/1/mountinfo", "");
	tree_file("/proc/self/mountinfo", "");
	tree_attr(SDA, "sda2/size", "4096\n");
	assert_refused(&(struct target_options){.disk = "sda2", .offset = MIB, .size = MIB},
		       TROUBLE_USAGE, "used from its start");
	only_the_node_is_missing(&(struct target_options){.disk = "sdb", .size = 2048 * MIB});
	only_the_node_is_missing(&(struct target_options){.disk = "sdb", .offset = 16 * MIB});
	only_the_node_is_missing(&(struct target_options){.disk = "sdb", .size = 2049 * MIB,
				 .at_most = true});
	assert_true(target.size == 2048 * MIB);
	only_the_node_is_missing(&(struct target_options){
		.disk = "sdb", .offset = 2047 * MIB, .size = 2 * MIB, .at_most = true});
	assert_true(target.size == MIB);
	tree_attr(SDB, "ro", "1\n");
	refused("sdb", "read-only");
	tree_attr(SDB, "size", "0\n");
	refused("sdb", "no medium");
}

/* As target_find() leaves it once the disk has been looked at. */
static void take(const char *disk)
{
	struct settings_error error;

	memset(&target, 0, sizeof(target));
	target.fd = -1;
	assert_int_equal(settings_find(disk, &target.device, &error), 0);
	assert_int_equal(disk_describe(&target.device.disk, &target.info), 0);
}

static void test_words(void **state)
{
	(void)state;
	tree_attr(SDB, "device/wwid", "naa.50014ee2b1c3d4e5\n");
	tree_file("/dev/sda", "");
	tree_file("/dev/sdb", "");
	tree_link("/dev/disk/by-id/wwn-0x50014ee2b1c3d4e5", "../../sdb");
	tree_link("/dev/disk/by-id/ata-DISK_WD-1234", "../../sdb");
	tree_link("/dev/disk/by-id/ata-DISK_Z3T8QXYZ", "../../sda");
	take("sdb");
	assert_int_equal(target_check_id(&target, false, &trouble), 0);
	assert_string_equal(target_id(&target), "WD-1234");
	assert_true(target_is(&target, "WD-1234"));
	assert_true(target_is(&target, "0x50014ee2b1c3d4e5"));
	assert_true(target_is(&target, "wwn-0x50014ee2b1c3d4e5"));
	assert_true(target_is(&target, "ata-DISK_WD-1234"));
	assert_true(target_is(&target, "/dev/disk/by-id/ata-DISK_WD-1234"));
	assert_false(target_is(&target, "ata-DISK_Z3T8QXYZ"));
	assert_false(target_is(&target, "Z3T8QXYZ"));
	assert_false(target_is(&target, "WD-123"));
	assert_false(target_is(&target, "WD-12345"));
	assert_false(target_is(&target, "wd-1234"));
	assert_false(target_is(&target, "sdb"));
	assert_false(target_is(&target, "/dev/sdb"));
	assert_false(target_is(&target, "../by-id/ata-DISK_WD-1234"));
	assert_false(target_is(&target, "8:16"));
	assert_false(target_is(&target, ""));
}

/* A name that says nothing, or that another disk has as well, is none. */
static void test_no_words(void **state)
{
	static const char *const bad[] = {"", "1", "123", "00000000", "Z3T8QXYZ"};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char path[PATH_MAX];

		tree_path(path, SDB "/device/vpd_pg80");
		unlink(path);
		add_disk(SDB, "8:16", "4194304", bad[i]);
		take("sdb");
		assert_int_equal(target_check_id(&target, false, &trouble), -1);
		assert_int_equal(trouble.kind, TROUBLE_REFUSED);
		assert_false(target_is(&target, bad[i]));
		assert_string_equal(target_id(&target), "");
	}
	tree_attr(SDB, "device/wwid", "naa.50014ee2b1c3d4e5\n");
	take("sdb");
	assert_int_equal(target_check_id(&target, false, &trouble), 0);
	assert_string_equal(target_id(&target), "0x50014ee2b1c3d4e5");
	tree_attr(SDA, "device/wwid", "naa.50014ee2b1c3d4e5\n");
	take("sdb");
	assert_int_equal(target_check_id(&target, false, &trouble), -1);
	assert_false(target_is(&target, "0x50014ee2b1c3d4e5"));
}

/* Two disks of one serial: a link made of it, or being the only one of them, says nothing. */
static void test_twins(void **state)
{
	char path[PATH_MAX];

	(void)state;
	tree_path(path, SDB "/device/vpd_pg80");
	unlink(path);
	add_disk(SDB, "8:16", "4194304", "Z3T8QXYZ");
	tree_file("/dev/sdb", "");
	tree_link("/dev/disk/by-id/ata-DISK_Z3T8QXYZ", "../../sdb");
	take("sdb");
	assert_int_equal(target_check_id(&target, false, &trouble), -1);
	assert_false(target_is(&target, "ata-DISK_Z3T8QXYZ"));
	assert_non_null(strstr(trouble.hint, "PARTUUID"));
	/* Where it is plugged in, with the serial number that is there. */
	tree_link("/dev/disk/by-path/pci-0000:00:1f.2-ata-2", "../../sdb");
	tree_link("/dev/disk/by-path/pci-0000:00:1f.2-ata-1", "../../sda");
	take("sdb");
	assert_int_equal(target_check_id(&target, false, &trouble), 0);
	assert_string_equal(target_id(&target), "Z3T8QXYZ@pci-0000:00:1f.2-ata-2");
	assert_true(target_is(&target, "Z3T8QXYZ@pci-0000:00:1f.2-ata-2"));
	assert_false(target_is(&target, "Z3T8QXYZ@pci-0000:00:1f.2-ata-1"));
	assert_false(target_is(&target, "pci-0000:00:1f.2-ata-2"));
	assert_false(target_is(&target, "Z3T8QXYZ"));
	/* A WWN of its own is enough, and so is a link made of that. */
	tree_attr(SDB, "device/wwid", "naa.50014ee2b1c3d4e5\n");
	tree_link("/dev/disk/by-id/wwn-0x50014ee2b1c3d4e5", "../../sdb");
	take("sdb");
	assert_int_equal(target_check_id(&target, false, &trouble), 0);
	assert_string_equal(target_id(&target), "0x50014ee2b1c3d4e5");
	assert_true(target_is(&target, "wwn-0x50014ee2b1c3d4e5"));
	assert_false(target_is(&target, "ata-DISK_Z3T8QXYZ"));
	/* Alone here, and perhaps not the one that was agreed to. */
	take("sda");
	target.info.serial[0] = 'Y';
	assert_int_equal(target_check_id(&target, false, &trouble), 0);
	assert_string_equal(target_id(&target), "Y3T8QXYZ");
	take("sda");
	target.info.serial[0] = 'Y';
	assert_int_equal(target_check_id(&target, true, &trouble), 0);
	assert_string_equal(target_id(&target), "Y3T8QXYZ@pci-0000:00:1f.2-ata-1");
	assert_false(target_is(&target, "Y3T8QXYZ"));
}

static void test_another_disk(void **state)
{
	struct blockdev dev;

	(void)state;
	take("sda2");
	assert_int_equal(target_device(&target, &dev, &trouble), 0);
	assert_string_equal(dev.name, "sda2");
	strcpy(target.device.partition, "sdb");
	assert_int_equal(target_device(&target, &dev, &trouble), -1);
	take("sdb");
	target.device.disk.minor = 0; /* the number is another disk's now */
	assert_int_equal(target_device(&target, &dev, &trouble), -1);
	assert_int_equal(trouble.kind, TROUBLE_REFUSED);
	/* Not claimed: nothing may be written. */
	take("sdb");
	assert_int_equal(target_recheck(&target, &trouble), -1);
	assert_int_equal(target_trim(&target, &trouble), -1);
	assert_int_equal(target_fill(&target, NULL, NULL, &trouble), -1);
}

static void test_left_partition(void **state)
{
	struct blockdev whole, left;

	(void)state;
	tree_partition(SDB, "sdb1", "8:17");
	tree_attr(SDB, "sdb1/start", "2048\n");
	tree_attr(SDB, "sdb1/size", "2048\n");
	assert_int_equal(blockdev_by_name(&whole, "sdb"), 0);
	assert_int_equal(target_find_partition(&whole, MIB, MIB, &left), 1);
	assert_string_equal(left.name, "sdb1");
	assert_int_equal(target_find_partition(&whole, 0, MIB, &left), 0);
	assert_int_equal(target_find_partition(&whole, MIB, 2 * MIB, &left), 0);
	tree_file("/proc/1/mountinfo", "20 1 8:17 / /run/x rw - ext4 /dev/sdb1 rw\n");
	refused("sdb", "sdb1 is mounted on /run/x");
}

static void test_store(void **state)
{
	(void)state;
	tree_dirs("/home/");
	take("sda2");
	assert_int_equal(target_check_store(&target, NULL, &trouble), 0);
	/* / is on sda1: its disk is measured, and the file need not be there yet. */
	assert_int_equal(target_check_store(&target, "/home/new/runs.db", &trouble), -1);
	assert_int_equal(trouble.kind, TROUBLE_REFUSED);
	assert_non_null(strstr(trouble.reason, "sda"));
	take("sdb");
	assert_int_equal(target_check_store(&target, "/home/new/runs.db", &trouble), 0);
}

static void test_image(void **state)
{
	char path[PATH_MAX];
	struct target_options options = {.file = path, .file_size = 4 * MIB};

	(void)state;
	tree_path(path, "/image");
	assert_int_equal(target_find(&target, &options, &trouble), 0);
	assert_int_equal(target.size, 4 * MIB);
	assert_false(target_is(&target, ""));
	target_release(&target);
	options.offset = 4 * MIB;
	assert_refused(&options, TROUBLE_REFUSED, "smaller than what is asked for");
	options.offset = 0;
	options.file_size = 5000;
	assert_refused(&options, TROUBLE_USAGE, "whole numbers of MiB");
	options.file_size = 1ULL << 60;
	assert_refused(&options, TROUBLE_REFUSED, "no room for it");
	options.file_size = 4 * MIB;
	tree_file("/image", "mine");
	assert_refused(&options, TROUBLE_REFUSED, "there is such a file");
	unlink(path);
	assert_int_equal(symlink("/nowhere/at/all", path), 0);
	assert_refused(&options, TROUBLE_REFUSED, "there is such a file");
	strcat(path, "/below");
	assert_refused(&options, TROUBLE_FAILED, "cannot be made");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_found),	 TEST(test_in_use),	    TEST(test_held),
		TEST(test_range),	 TEST(test_words),	    TEST(test_no_words),
		TEST(test_another_disk), TEST(test_left_partition), TEST(test_store),
		TEST(test_image),	 TEST(test_left),		    TEST(test_twins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
