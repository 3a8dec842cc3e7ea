// SPDX-License-Identifier: GPL-2.0-or-later
/* test_experiment_disk: the disk that a stored run was begun on, among those of a made-up sysfs. */
#include "tree.h"

#include "bench/experiment.h"
#include "disk/place.h"

#define SDA "/sys/devices/pci0/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda"
#define SDB "/sys/devices/pci0/0000:00:1f.2/ata2/host1/target1:0:0/1:0:0:0/block/sdb"

static struct trouble trouble;
static struct experiment_disk was;
static char name[DISK_NAME_MAX];
static bool moved;

static void add_disk(const char *dir, const char *number, const char *sectors, const char *serial,
		     const char *wwn)
{
	tree_disk(dir, number, sectors, 1, "32");
	tree_attr(dir, "device/model", "DISK\n");
	tree_attr(dir, "device/serial", serial);
	tree_attr(dir, "device/wwid", wwn);
}

static int setup(void **state)
{
	(void)state;
	tree_make();
	add_disk(SDA, "8:0", "2097152", "Z3T8QXYZ", "");
	tree_file("/sys/devices/pci0/0000:00:1f.2/ata1/ata_port/ata1/port_no", "1\n");
	tree_file("/sys/devices/pci0/0000:00:1f.2/ata2/ata_port/ata2/port_no", "2\n");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tree_remove();
	return 0;
}

/* As a run on that disk has it stored. */
static void begun_on(const char *disk)
{
	struct disk_place place;
	struct disk_info info;
	struct disk_set all;

	memset(&was, 0, sizeof(was));
	assert_int_equal(disk_all(&all), 0);
	for (size_t i = 0; i < all.nr; i++) {
		if (strcmp(all.disk[i].name, disk))
			continue;
		assert_int_equal(disk_describe(&all.disk[i], &info), 0);
		disk_place(&info, &place);
		strcpy(was.id, *info.wwn ? info.wwn : info.serial);
		strcpy(was.serial, info.serial);
		strcpy(was.wwn, info.wwn);
		strcpy(was.model, info.model);
		strcpy(was.port, place.port);
		was.size = info.size_bytes;
	}
	disk_set_free(&all);
	assert_true(*was.id);
}

static void unplug(const char *disk)
{
	char path[PATH_MAX];

	tree_format(path, "%s/sys/class/block/%s", tree_root, disk);
	assert_int_equal(unlink(path), 0);
}

static void expect(const char *expected, bool at_another_port)
{
	assert_int_equal(experiment_find_disk(&was, name, &moved, &trouble), 0);
	assert_string_equal(name, expected);
	assert_int_equal(moved, at_another_port);
}

static void refused(const char *why)
{
	assert_int_equal(experiment_find_disk(&was, name, &moved, &trouble), -1);
	if (!strstr(trouble.reason, why))
		print_error("\"%s\", expected \"%s\"\n", trouble.reason, why);
	assert_non_null(strstr(trouble.reason, why));
	assert_int_equal(trouble.kind, TROUBLE_REFUSED);
}

static void alone(void **state)
{
	(void)state;
	begun_on("sda");
	expect("sda", false);
	unplug("sda");
	expect("", false);
}

static void plugged_in_elsewhere(void **state)
{
	(void)state;
	begun_on("sda");
	unplug("sda");
	add_disk(SDB, "8:16", "2097152", "Z3T8QXYZ", "");
	expect("sdb", true);
	/* A run that was stored without the port cannot tell. */
	*was.port = '\0';
	expect("sdb", false);
}

static void with_wwn(void **state)
{
	(void)state;
	tree_attr(SDA, "device/wwid", "naa.50014ee2b1c3d4e5\n");
	begun_on("sda");
	unplug("sda");
	add_disk(SDB, "8:16", "2097152", "Z3T8QXYZ", "naa.50014ee2b1c3d4e5\n");
	expect("sdb", false);
}

/* Two of one serial number: the one at its port; without that neither, and never the other. */
static void twins(void **state)
{
	(void)state;
	add_disk(SDB, "8:16", "2097152", "Z3T8QXYZ", "");
	begun_on("sda");
	expect("sda", false);
	begun_on("sdb");
	expect("sdb", false);
	strcpy(was.port, "/elsewhere");
	refused("which of them the run was begun on cannot be told");
	tree_attr(SDB, "size", "4194304\n");
	expect("sda", true);
	was.size = 2147483648;
	expect("sdb", true);
}

static void another_one(void **state)
{
	(void)state;
	tree_attr(SDA, "device/wwid", "naa.50014ee2b1c3d4e5\n");
	begun_on("sda");
	strcpy(was.id, "Z3T8QXYZ");
	tree_attr(SDA, "device/wwid", "naa.50014ee2b1c3d4e6\n");
	refused("sda has this identity and is another disk than the run was begun on: its WWN");
	*was.wwn = '\0';
	expect("sda", false);
	tree_attr(SDA, "size", "4194304\n");
	refused("its size is another one");
	tree_attr(SDA, "device/model", "OTHER\n");
	refused("its model is another one");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(alone), TEST(plugged_in_elsewhere), TEST(with_wwn), TEST(twins),
		TEST(another_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
