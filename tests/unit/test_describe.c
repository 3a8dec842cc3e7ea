// SPDX-License-Identifier: GPL-2.0-or-later
/* What a disk is and how it is set, told from a made-up sysfs and udev database. */
#include "tree.h"

#include "disk/describe.h"
#include "disk/disk_json.h"

#define SDA "/sys/devices/pci0/ata1/host0/target0:0:0/0:0:0:0/block/sda"
#define USB "/sys/devices/pci0/usb2/2-1/host7/target7:0:0/7:0:0:0/block/sdb"
#define NVME "/sys/devices/pci0/nvme/nvme0/nvme0n1"
#define VDA "/sys/devices/pci0/virtio1/block/vda"

static int setup(void **state)
{
	(void)state;
	tree_make();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tree_remove();
	return 0;
}

static void put_words(unsigned char *identify, size_t word, const char *text)
{
	for (size_t i = 0; text[i]; i++)
		identify[2 * word + (i ^ 1)] = (unsigned char)text[i];
}

static void make_ata(const char *cache_type, const char *kernel_view)
{
	unsigned char page[60 + 512] = { 0, 0x89 };

	put_words(page + 60, 10, "     WD-WCAYU1234567");
	put_words(page + 60, 23, "15.01H15");
	put_words(page + 60, 27, "WDC WD3200AAKX-001CA0   ");
	tree_disk(SDA, "8:0", "625142448\n", 1, "32");
	tree_bytes(SDA "/device/vpd_pg89", page, sizeof(page));
	tree_attr(SDA, "device/vendor", "ATA     ");
	tree_attr(SDA, "device/model", "WDC WD3200AAKX-0\n");
	tree_attr(SDA, "device/rev", "1H15\n");
	tree_attr(SDA, "device/wwid", "naa.50014ee2b1c3d4e5\n");
	tree_attr(SDA, "device/queue_depth", "31\n");
	tree_attr(SDA, "device/scsi_disk/0:0:0:0/cache_type", cache_type);
	tree_attr(SDA, "queue/write_cache", kernel_view);
	tree_attr(SDA, "queue/scheduler", "none [mq-deadline] bfq\n");
	tree_attr(SDA, "queue/rotational", "1\n");
	tree_attr(SDA, "queue/nr_requests", "64\n");
	tree_attr(SDA, "queue/fua", "0\n");
	tree_attr(SDA, "queue/iostats", "1\n");
	tree_link("/dev/disk/by-id/ata-WDC_WD3200AAKX", "../../sda");
	tree_link("/dev/disk/by-id/wwn-0x50014ee2b1c3d4e5", "../../sda");
	tree_link("/dev/disk/by-id/wwn-0x50014ee2b1c3d4e5-part1", "../../sda1");
}

static void test_ata(void **state)
{
	const struct disk sda = { "sda", 8, 0 };
	struct disk_info info;

	(void)state;
	make_ata("write back\n", "write back\n");
	assert_int_equal(disk_describe(&sda, &info), 0);
	assert_string_equal(info.model, "WDC WD3200AAKX-001CA0");
	assert_string_equal(info.serial, "WD-WCAYU1234567");
	assert_string_equal(info.firmware, "15.01H15");
	assert_string_equal(info.wwn, "0x50014ee2b1c3d4e5");
	assert_string_equal(info.by_id, "wwn-0x50014ee2b1c3d4e5");
	assert_string_equal(info.transport, "sata");
	assert_string_equal(info.scheduler, "mq-deadline");
	assert_string_equal(info.write_cache_kernel, "write back");
	assert_int_equal(info.rotational, 1);
	assert_int_equal(info.size_bytes, 320072933376);
	assert_int_equal(info.ncq, 31);
	assert_int_equal(info.queue_depth, 31);
	assert_int_equal(info.nr_requests, 64);
	assert_int_equal(info.write_cache, ON);
	assert_int_equal(info.fua, 0);
	assert_int_equal(info.iostats, 1);
	assert_false(disk_loses_writes(&info));
	assert_false(disk_drops_flushes(&info));

	tree_attr("/sys/devices/pci0/ata1/link1/ata_link/link1", "sata_spd", "<unknown>\n");
	assert_int_equal(disk_describe(&sda, &info), 0);
	assert_string_equal(info.transport, "ata");
}

static void test_caches(void **state)
{
	static const struct {
		const char *drive, *kernel;
		int cache;
		bool loses, drops;
	} cases[] = {
		{ "write back\n", "write back\n", ON, false, false },
		{ "write back\n", "write through\n", ON, true, true },
		{ "write through\n", "write through\n", OFF, false, true },
		{ "write back, no read (daft)\n", "write through\n", ON, true, true },
		{ "none\n", "write through\n", OFF, false, true },
		{ "something new\n", "write through\n", UNKNOWN, false, true },
	};
	const struct disk sda = { "sda", 8, 0 };
	struct disk_info info;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		make_ata(cases[i].drive, cases[i].kernel);
		assert_int_equal(disk_describe(&sda, &info), 0);
		assert_int_equal(info.write_cache, cases[i].cache);
		assert_int_equal(disk_loses_writes(&info), cases[i].loses);
		assert_int_equal(disk_drops_flushes(&info), cases[i].drops);
	}
}

static void test_nvme(void **state)
{
	const struct disk disk = { "nvme0n1", 259, 0 };
	struct disk_info info;

	(void)state;
	tree_disk(NVME, "259:0", "1000215216", 2, "1023");
	tree_attr(NVME, "device/model", "SAMSUNG MZVL2512HCJQ-00BL7              ");
	tree_attr(NVME, "device/serial", "S64KNX0R123456      ");
	tree_attr(NVME, "device/firmware_rev", "GXA7401Q\n");
	tree_attr(NVME, "wwid", "eui.002538b111b2c3d4\n");
	tree_attr(NVME, "queue/scheduler", "[none] mq-deadline\n");
	tree_attr(NVME, "queue/write_cache", "write back\n");
	tree_attr(NVME, "queue/fua", "1\n");
	assert_int_equal(disk_describe(&disk, &info), 0);
	assert_string_equal(info.model, "SAMSUNG MZVL2512HCJQ-00BL7");
	assert_string_equal(info.serial, "S64KNX0R123456");
	assert_string_equal(info.firmware, "GXA7401Q");
	assert_string_equal(info.wwn, "eui.002538b111b2c3d4");
	assert_string_equal(info.transport, "nvme");
	assert_string_equal(info.scheduler, "none");
	assert_string_equal(info.by_id, "");
	assert_int_equal(info.ncq, -1);
	assert_int_equal(info.queue_depth, 2046);
	assert_int_equal(info.write_cache, UNKNOWN);
	assert_int_equal(info.fua, 1);
	assert_int_equal(info.rotational, -1);
}

/* A stick with an escape sequence for a name, known to udev only, and no serial page. */
static void test_hostile(void **state)
{
	static const unsigned char page80[] = { 0, 0x80, 0xff, 0xff, ' ', 'A', '\n', 'B', 0x9b };
	const struct disk sdb = { "sdb", 8, 16 };
	struct disk_info info;

	(void)state;
	tree_disk(USB, "8:16", "2048", 1, "1");
	tree_attr(USB, "device/queue_depth", "1\n");
	tree_attr(USB, "device/wwid", "t10.Generic Flash Disk\n");
	tree_file("/run/udev/data/b8:16",
		  "S:disk/by-id/x\nS:disk/by-id/usb-stick\nS:disk/by-id/usb-a\n"
		  "S:disk/by-path/a\nS:disk/by-id/wwn-0x5\nE:ID_MODEL=plain\n"
		  "E:ID_MODEL_ENC=Evil\\x1b[31m\\x20stick\\x20\\x20\n"
		  "E:ID_SERIAL_SHORT=0123\nE:ID_WWN=0x5\nE:ID_REVISION=1.0\\x\n");
	/* udev gave wwn-0x5 to another disk that calls itself the same. */
	tree_link("/dev/disk/by-id/usb-stick", "../../sdb");
	tree_link("/dev/disk/by-id/usb-a", "../../sdb");
	tree_link("/dev/disk/by-id/wwn-0x5", "../../sda");
	tree_link("/dev/disk/by-id/wwn-not-of-udev", "../../sdb");
	assert_int_equal(disk_describe(&sdb, &info), 0);
	assert_string_equal(info.by_id, "usb-a");
	assert_string_equal(info.model, "Evil[31m stick");
	assert_string_equal(info.serial, "0123");
	assert_string_equal(info.wwn, "0x5");
	assert_string_equal(info.firmware, "1.0\\x");
	assert_string_equal(info.transport, "usb");
	assert_int_equal(info.ncq, -1);

	/* The page claims 65535 bytes and has five; what is no ASCII becomes '?'. */
	tree_bytes(USB "/device/vpd_pg80", page80, sizeof(page80));
	tree_attr(USB, "device/vendor", "Acme\n");
	tree_attr(USB, "device/model", "Stick\033c 3000\n");
	assert_int_equal(disk_describe(&sdb, &info), 0);
	assert_string_equal(info.serial, "AB?");
	assert_string_equal(info.model, "Acme Stickc 3000");
}

static void test_gone(void **state)
{
	const struct disk disk = { "sdz", 65, 144 };
	struct disk_info info;
	struct diskstats stats;

	(void)state;
	assert_int_equal(disk_describe(&disk, &info), -1);
	assert_int_equal(errno, ENODEV);
	assert_int_equal(disk_stats(&disk, &stats), -1);
}

static void test_stats(void **state)
{
	const struct disk vda = { "vda", 254, 0 };
	struct diskstats stats;

	(void)state;
	tree_disk(VDA, "254:0", "2048", 1, "256");
	tree_attr(VDA, "stat", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19\n");
	assert_int_equal(disk_stats(&vda, &stats), 0);
	assert_int_equal(stats.read_ios, 1);
	assert_int_equal(stats.read_sectors, 3);
	assert_int_equal(stats.write_ios, 5);
	assert_int_equal(stats.write_ms, 8);
	assert_int_equal(stats.inflight, 9);
	assert_int_equal(stats.discard_ios, 12);
	assert_int_equal(stats.flush_ios, 16);
	assert_int_equal(stats.flush_ms, 17);

	tree_attr(VDA, "stat", "1 2 3 4 5 6 7 8 9 10 11\n");
	assert_int_equal(disk_stats(&vda, &stats), 0);
	assert_int_equal(stats.inflight, 9);
	assert_int_equal(stats.flush_ios, 0);

	tree_attr(VDA, "stat", "1 2 3\n");
	assert_int_equal(disk_stats(&vda, &stats), -1);
}

static void test_json(void **state)
{
	static const char *const keys[] = {
		"name", "majmin", "by_id", "serial", "wwn", "model", "firmware", "transport",
		"rotational", "size_bytes", "ncq", "nr_requests", "scheduler", "write_cache",
		"write_cache_kernel", "fua",
	};
	struct mount mount = {
		(char *)"sda1", (char *)"/a\xff\033", (char *)"ext4", (char *)"rw", 8, 1
	};
	struct mounts mounts = { .mount = &mount, .nr = 1 };
	struct disk_info info;
	json_t *json, *target;

	(void)state;
	/* A device that tells nothing still has every key. */
	tree_blockdev(VDA, "254:0", "2048");
	assert_int_equal(disk_describe(&(struct disk){ "vda", 254, 0 }, &info), 0);
	json = disk_json_device(&info);
	assert_int_equal(json_object_size(json), sizeof(keys) / sizeof(*keys));
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		assert_non_null(json_object_get(json, keys[i]));
	assert_true(json_is_null(json_object_get(json, "write_cache")));
	assert_true(json_is_null(json_object_get(json, "fua")));
	assert_string_equal(json_string_value(json_object_get(json, "majmin")), "254:0");
	json_decref(json);

	/* A name that is no UTF-8 must not make the document fail. */
	json = disk_json_mounts(&mounts);
	assert_int_equal(json_array_size(json), 1);
	target = json_object_get(json_array_get(json, 0), "target");
	assert_string_equal(json_string_value(target), "/a\\xff\\x1b");
	json_decref(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_ata, setup, teardown),
		cmocka_unit_test_setup_teardown(test_caches, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nvme, setup, teardown),
		cmocka_unit_test_setup_teardown(test_hostile, setup, teardown),
		cmocka_unit_test_setup_teardown(test_gone, setup, teardown),
		cmocka_unit_test_setup_teardown(test_stats, setup, teardown),
		cmocka_unit_test_setup_teardown(test_json, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
