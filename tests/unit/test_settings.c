// SPDX-License-Identifier: GPL-2.0-or-later
/* Settings in a made-up sysfs: what is refused, saved, put back, and left alone. */
#include "settings_tree.h"

#include "disk/settings_state.h"

#define SDA "/sys/devices/pci0/ata1/host0/target0:0:0/0:0:0:0/block/sda"

static const struct disk vda = {"vda", 254, 0};

/* What a file below the disk says, without its newline. */
static void assert_attr(const char *dir, const char *name, const char *text)
{
	char path[PATH_MAX], is[256] = "";
	FILE *file;

	tree_format(path, "%s%s/%s", tree_root, dir, name);
	file = fopen(path, "re");
	assert_non_null(file);
	assert_non_null(fgets(is, sizeof(is), file));
	fclose(file);
	is[strcspn(is, "\n")] = '\0';
	assert_string_equal(is, text);
}

/* Parses words and applies them; the status. */
static enum settings_status apply(const char *const *words, bool unsafe, bool dry_run)
{
	struct settings_request request = {.unsafe = unsafe, .dry_run = dry_run};
	struct settings_result result;
	struct settings_error error = {0};

	request.target.disk = vda;
	for (; *words; words++)
		assert_int_equal(settings_parse(*words, &request.wanted, &error), 0);
	if (!settings_apply(&request, &result, &error))
		error.status = SETTINGS_OK;
	settings_result_free(&result);
	return error.status;
}

#define APPLY(...) apply((const char *const[]){__VA_ARGS__, NULL}, false, false)

static size_t restore(bool force, size_t *kept)
{
	const struct settings_restore_options options = {.force = force};
	struct settings_result result;
	struct settings_error error;
	size_t nr;

	assert_int_equal(settings_restore(&vda, &options, &result, &error), 0);
	*kept = 0;
	for (size_t i = 0; i < result.nr_returned; i++)
		*kept += result.returned[i].fate == SETTINGS_KEPT;
	nr = result.nr_returned;
	settings_result_free(&result);
	return nr;
}

static int waiting(void)
{
	struct settings_waiting *list;
	int nr = settings_waiting(&list);

	free(list);
	return nr;
}

static void test_set_and_restore(void **state)
{
	size_t kept;

	(void)state;
	assert_int_equal(APPLY("write_cache=off", "scheduler=none", "nr_requests=8"), SETTINGS_OK);
	assert_attr(VDA, "cache_type", "write through");
	assert_attr(VDA, "queue/write_cache", "write through");
	assert_attr(VDA, "queue/scheduler", "none");
	assert_attr(VDA, "queue/nr_requests", "8");
	assert_int_equal(waiting(), 1);
	/* A second change remembers the first value, not the one in between. */
	assert_int_equal(APPLY("nr_requests=16"), SETTINGS_OK);
	assert_int_equal(restore(false, &kept), 4);
	assert_int_equal(kept, 0);
	assert_attr(VDA, "cache_type", "write back");
	assert_attr(VDA, "queue/write_cache", "write back");
	assert_attr(VDA, "queue/scheduler", "mq-deadline");
	assert_attr(VDA, "queue/nr_requests", "256");
	assert_int_equal(waiting(), 0);
	assert_int_equal(restore(false, &kept), 0);

	/* Back by hand: nothing waits. */
	assert_int_equal(APPLY("nr_requests=16"), SETTINGS_OK);
	assert_int_equal(waiting(), 1);
	assert_int_equal(APPLY("nr_requests=256"), SETTINGS_OK);
	assert_int_equal(waiting(), 0);
}

static void test_dry_run(void **state)
{
	(void)state;
	assert_int_equal(apply((const char *const[]){"write_cache=off", "nr_requests=8", NULL},
			       false, true),
			 SETTINGS_OK);
	assert_attr(VDA, "cache_type", "write back");
	assert_attr(VDA, "queue/nr_requests", "256");
	assert_int_equal(waiting(), 0);
}

static void test_kept(void **state)
{
	size_t kept;

	(void)state;
	assert_int_equal(APPLY("nr_requests=8", "scheduler=none"), SETTINGS_OK);
	tree_attr(VDA, "queue/nr_requests", "99\n");
	assert_int_equal(restore(false, &kept), 2);
	assert_int_equal(kept, 1);
	assert_attr(VDA, "queue/nr_requests", "99");
	assert_attr(VDA, "queue/scheduler", "mq-deadline");
	assert_int_equal(waiting(), 1);
	assert_int_equal(restore(true, &kept), 1);
	assert_attr(VDA, "queue/nr_requests", "256");

	/* Changed by somebody else and then again by fsbctl: theirs comes back. */
	assert_int_equal(APPLY("nr_requests=8"), SETTINGS_OK);
	tree_attr(VDA, "queue/nr_requests", "99\n");
	assert_int_equal(APPLY("nr_requests=7"), SETTINGS_OK);
	assert_int_equal(restore(false, &kept), 1);
	assert_attr(VDA, "queue/nr_requests", "99");
}

static void test_refused(void **state)
{
	size_t kept;

	(void)state;
	assert_int_equal(APPLY("ncq=1"), SETTINGS_REFUSED);
	tree_file("/proc/self/mountinfo", "22 1 254:0 / /srv rw,relatime - ext4 /dev/vda rw\n");
	assert_int_equal(APPLY("write_cache_kernel=write through"), SETTINGS_REFUSED);
	assert_int_equal(APPLY("write_cache=on", "write_cache_kernel=write through"),
			 SETTINGS_REFUSED);
	assert_attr(VDA, "queue/write_cache", "write back");
	assert_int_equal(waiting(), 0);
	assert_int_equal(APPLY("write_cache=off", "write_cache_kernel=write through"), SETTINGS_OK);
	assert_int_equal(restore(false, &kept), 2);
	assert_int_equal(apply((const char *const[]){"write_cache_kernel=write through", NULL},
			       true, false),
			 SETTINGS_OK);
	assert_attr(VDA, "queue/write_cache", "write through");
	assert_attr(VDA, "cache_type", "write back");
	assert_int_equal(restore(false, &kept), 1);
	assert_attr(VDA, "queue/write_cache", "write back");
}

/* The second disk says that it is the first: whose values would these be? */
#define TWIN "/sys/devices/pci1/virtio2/block/vdb"

static void add_twin(const char *sectors, const char *diskseq)
{
	tree_disk(TWIN, "254:16", sectors, 1, "256");
	tree_attr(TWIN, "serial", "fsb0");
	tree_attr(TWIN, "diskseq", diskseq);
	tree_attr(TWIN, "queue/write_cache", "write back\n");
	tree_attr(TWIN, "queue/nr_requests", "256\n");
}

static void expect_waiting(const char *disk, const char *perhaps)
{
	struct settings_waiting *list;

	assert_int_equal(settings_waiting(&list), 1);
	assert_int_equal(list->present, *disk != '\0');
	if (list->present)
		assert_string_equal(list->disk.name, disk);
	assert_string_equal(list->perhaps, perhaps);
	free(list);
}

static void expect_not_restored(const struct disk *disk, const char *why)
{
	const struct settings_restore_options options = {0};
	struct settings_result result;
	struct settings_error error;

	assert_int_equal(settings_restore(disk, &options, &result, &error), -1);
	assert_int_equal(error.status, SETTINGS_REFUSED);
	if (!strstr(error.reason, why))
		fail_msg("\"%s\", expected \"%s\"", error.reason, why);
	assert_true(*error.hint);
	settings_result_free(&result);
}

static void unplug(const char *name, const char *number, const char *dir)
{
	char path[PATH_MAX], where[PATH_MAX];

	tree_format(where, "/sys/class/block/%s", name);
	tree_path(path, where);
	assert_int_equal(unlink(path), 0);
	tree_format(where, "/sys/dev/block/%s", number);
	tree_path(path, where);
	assert_int_equal(unlink(path), 0);
	tree_path(path, dir);
	strcpy(where, path);
	strcat(where, "-gone");
	assert_int_equal(rename(path, where), 0);
}

/* Two disks of one serial number: the old values are those of the one that was set. */
static void test_same_identity(void **state)
{
	const struct settings_restore_options force = {.force = true};
	const struct disk twin = {"vdb", 254, 16};
	struct settings_result result;
	struct settings_error error;
	size_t kept;

	(void)state;
	tree_attr(VDA, "diskseq", "7\n");
	assert_int_equal(APPLY("nr_requests=8"), SETTINGS_OK);
	add_twin("2048", "9\n");
	expect_waiting("vda", "");
	expect_not_restored(&twin, "vda has the same identity (serial-_fsb0)");
	assert_int_equal(restore(false, &kept), 1);
	assert_attr(VDA, "queue/nr_requests", "256");

	/* The other one alone, at another port, is not taken for it. */
	assert_int_equal(APPLY("nr_requests=8"), SETTINGS_OK);
	unplug("vda", "254:0", VDA);
	expect_waiting("", "vdb");
	expect_not_restored(&twin, "it may not be the disk whose old values are saved");
	tree_attr(TWIN, "queue/nr_requests", "8\n");
	assert_int_equal(settings_restore(&twin, &force, &result, &error), 0);
	settings_result_free(&result);
	assert_attr(TWIN, "queue/nr_requests", "256");
	assert_int_equal(waiting(), 0);
}

/* What a port is called does not depend on what has been plugged in before. */
static void test_ports(void **state)
{
	static const struct {
		const char *dir, *port;
	} disks[] = {
		{"/sys/devices/pci0000:00/0000:00:05.0/ata7/host6/target6:0:1/6:0:1:2/block/sdc",
		 "/sys/devices/pci0000:00/0000:00:05.0/ata3/host/target:0:1/:0:1:2/block"},
		{"/sys/devices/pci0000:00/0000:00:06.0/usb2/2-1/2-1:1.0/host9/target9:0:0/9:0:0:0/"
		 "block/sdd",
		 "/sys/devices/pci0000:00/0000:00:06.0/usb2/2-1/2-1:1.0/host/target:0:0/:0:0:0/"
		 "block"},
		{"/sys/devices/pci0000:00/0000:01:00.0/nvme/nvme4/nvme4n1",
		 "/sys/devices/pci0000:00/0000:01:00.0/nvme/nvme"},
	};
	struct disk_place place;
	struct disk_info info;

	(void)state;
	tree_attr("/sys/devices/pci0000:00/0000:00:05.0/ata7", "ata_port/ata7/port_no", "3\n");
	for (unsigned int i = 0; i < sizeof(disks) / sizeof(*disks); i++) {
		const struct disk disk = {.major = 65, .minor = i};
		char number[16];

		snprintf(number, sizeof(number), "65:%u", i);
		tree_disk(disks[i].dir, number, "2048", 1, "32");
		assert_int_equal(disk_describe(&disk, &info), 0);
		disk_place(&info, &place);
		assert_string_equal(place.port, disks[i].port);
		assert_int_equal(place.size, 1048576);
	}
}

/* A drive that does not answer is no sign that another program has changed its cache. */
static void test_no_answer(void **state)
{
	const struct settings_restore_options options = {0};
	struct settings_result result;
	struct settings_error error;
	char path[PATH_MAX];
	size_t kept;

	(void)state;
	assert_int_equal(APPLY("write_cache=off"), SETTINGS_OK);
	tree_path(path, VDA "/cache_type");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0755), 0);
	assert_int_equal(settings_restore(&vda, &options, &result, &error), -1);
	assert_int_equal(error.status, SETTINGS_FAILED);
	assert_string_equal(error.reason,
			    "its write cache cannot be told: cache_type: Is a directory");
	settings_result_free(&result);
	assert_int_equal(waiting(), 1);
	assert_int_equal(rmdir(path), 0);
	tree_attr(VDA, "cache_type", "write through\n");
	assert_true(restore(false, &kept) > 0);
	assert_int_equal(kept, 0);
	assert_attr(VDA, "cache_type", "write back");
	assert_int_equal(waiting(), 0);
}

/* A change that was cut off: what had been written is put back, what had not is not. */
static void test_cut_off(void **state)
{
	struct settings_state cut = {.pending = true, .pending_setting = SETTING_SCHEDULER};
	struct settings_error error;
	struct disk_info info;
	char path[PATH_MAX], *text;
	size_t kept;

	(void)state;
	assert_int_equal(disk_describe(&vda, &info), 0);
	state_key(&info, cut.key);
	strcpy(cut.name, "vda");
	strcpy(cut.boot, "one");
	strcpy(cut.pending_to, "none");
	assert_int_equal(values_put(&cut.before, "scheduler", "mq-deadline"), 0);
	assert_int_equal(values_put(&cut.before, "nr_requests", "256"), 0);
	assert_int_equal(values_put(&cut.before, "queue/wbt_lat_usec", "2000"), 0);
	text = state_text(&cut);
	tree_format(path, "/run/fsbctl/serial-_fsb0.json");
	tree_file(path, text);
	tree_attr(VDA, "queue/scheduler", "[none] mq-deadline\n");
	tree_attr(VDA, "queue/nr_requests", "64\n");
	assert_int_equal(waiting(), 1);
	assert_int_equal(restore(false, &kept), 2);
	assert_int_equal(kept, 0);
	assert_attr(VDA, "queue/scheduler", "mq-deadline");
	assert_attr(VDA, "queue/nr_requests", "256");

	/* Of another boot: the kernel has forgotten by itself. */
	tree_file(path, text);
	tree_file("/proc/sys/kernel/random/boot_id", "two\n");
	tree_attr(VDA, "queue/nr_requests", "64\n");
	assert_int_equal(restore(false, &kept), 0);
	assert_attr(VDA, "queue/nr_requests", "64");
	assert_int_equal(waiting(), 0);

	/* Every beginning of the file is no state, and is said so. */
	for (size_t i = 0; i < strlen(text); i += 7) {
		struct settings_state read = {.lock = -1};

		assert_int_equal(state_parse(&read, text, i, &error), -1);
		assert_true(*error.reason);
		state_close(&read);
	}
	free(text);
	values_free(&cut.before);
}

/* Nothing of a state file is written anywhere but below the disk. */
static void test_hostile(void **state)
{
	static const struct {
		const char *name, *was;
	} bad[] = {
		{"../../../etc/victim", "x"}, {"queue/../../victim", "x"}, {"queue/", "x"},
		{"/etc/victim", "x"},	      {"queue/iosched/../x", "x"}, {"queue/a/b", "x"},
		{"queue/..", "x"},	      {"", "x"},		   {"device/delete", "1"},
		{"mount vda", "barrier,bind"},
	};
	struct settings_error error;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct settings_state saved = {.lock = -1}, read = {.lock = -1};
		char *text;

		strcpy(saved.key, "serial-_fsb0");
		assert_int_equal(state_note(&saved, bad[i].name, bad[i].was, "y", SETTINGS), 0);
		text = state_text(&saved);
		assert_int_equal(state_parse(&read, text, strlen(text), &error), -1);
		assert_non_null(strstr(error.reason, "no saved state"));
		free(text);
		state_close(&read);
		/* The same as one of the values from before a change. */
		saved.nr = 0;
		saved.pending = true;
		strcpy(saved.pending_to, "x");
		assert_int_equal(values_put(&saved.before, bad[i].name, bad[i].was), 0);
		text = state_text(&saved);
		assert_int_equal(state_parse(&read, text, strlen(text), &error), -1);
		free(text);
		state_close(&read);
		state_close(&saved);
	}
}

/* A file of another user, a link, a FIFO: none decides what is put back, none is waited for. */
static void test_not_trusted(void **state)
{
	const struct settings_restore_options options = {0};
	char path[PATH_MAX], fifo[PATH_MAX], link[PATH_MAX];
	struct settings_result result;
	struct settings_error error;

	(void)state;
	assert_int_equal(APPLY("nr_requests=64"), SETTINGS_OK);
	tree_path(path, "/run/fsbctl/serial-_fsb0.json");
	tree_path(fifo, "/run/fsbctl/x.json");
	tree_path(link, "/run/fsbctl/y.json");
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(waiting(), 1);
	if (geteuid())
		skip();
	assert_int_equal(chown(path, 4321, 0), 0);
	assert_int_equal(settings_restore(&vda, &options, &result, &error), -1);
	settings_result_free(&result);
	assert_int_equal(error.status, SETTINGS_REFUSED);
	assert_non_null(strstr(error.reason, "json belongs to user 4321"));
	assert_attr(VDA, "queue/nr_requests", "64");
	assert_int_equal(chown(path, 0, 0), 0);
	assert_int_equal(chmod(path, 0666), 0);
	assert_int_equal(settings_restore(&vda, &options, &result, &error), -1);
	settings_result_free(&result);
	assert_non_null(strstr(error.reason, "can be written by any user"));
	assert_int_equal(chmod(path, 0644), 0);
	assert_int_equal(settings_restore(&vda, &options, &result, &error), 0);
	settings_result_free(&result);
	assert_attr(VDA, "queue/nr_requests", "256");
}

/* What happened to the mount since it was made nobarrier; what is then said of it. */
static void expect_mount(const char *mountinfo, enum settings_fate fate, const char *text)
{
	const struct settings_restore_options options = {0};
	struct settings_result result;
	struct settings_error error;

	tree_file("/run/fsbctl/serial-_fsb0.json", text);
	tree_file("/proc/self/mountinfo", mountinfo);
	assert_int_equal(waiting(), 1);
	assert_int_equal(settings_restore(&vda, &options, &result, &error), 0);
	assert_int_equal(result.nr_returned, 1);
	assert_string_equal(result.returned[0].name, "mount vda");
	assert_int_equal(result.returned[0].fate, fate);
	settings_result_free(&result);
	assert_int_equal(waiting(), 0);
}

/* A barrier that was switched: beside the settings, as long as it is mounted. */
static void test_mount(void **state)
{
	struct settings_state saved = {.lock = -1};
	struct settings_error error;
	struct disk_info info;
	char *text;

	(void)state;
	assert_int_equal(disk_describe(&vda, &info), 0);
	state_key(&info, saved.key);
	strcpy(saved.name, "vda");
	strcpy(saved.boot, "one");
	assert_int_equal(state_note(&saved, "mount vda", "barrier", "nobarrier", SETTINGS), 0);
	text = state_text(&saved);
	expect_mount("", SETTINGS_GONE, text);
	expect_mount("22 1 254:0 / /srv rw - ext4 /dev/vda rw\n", SETTINGS_WAS_BACK, text);
	expect_mount("22 1 254:0 / /srv rw - xfs /dev/vda rw\n", SETTINGS_GONE, text);
	free(text);
	state_close(&saved);
	/* No filesystem of this disk, and one without a barrier: nothing is saved, or mounted. */
	assert_int_equal(settings_remount(&vda, "vda9", "nobarrier", &error), -1);
	assert_int_equal(settings_remount(&vda, "vda", "nobarrier", &error), -1);
	assert_non_null(strstr(error.reason, "no barrier"));
	assert_int_equal(waiting(), 0);
}

/* An ATA drive's own limit, and a disk whose putting back was cut off. */
static void test_ncq(void **state)
{
	struct settings_request request = {.target.disk = {"sda", 8, 0}};
	unsigned char page[60 + 512] = {0, 0x89, [60 + 150] = 30};
	struct settings_result result;
	struct settings_error error;

	(void)state;
	tree_disk(SDA, "8:0", "2048", 1, "32");
	tree_attr(SDA, "device/wwid", "naa.5000\n");
	tree_attr(SDA, "device/queue_depth", "8\n");
	tree_bytes(SDA "/device/vpd_pg89", page, sizeof(page));
	tree_file("/sys/class/scsi_host/host0/can_queue", "32\n");
	strcpy(request.wanted.value[SETTING_NCQ], "32");
	assert_int_equal(settings_apply(&request, &result, &error), -1);
	settings_result_free(&result);
	assert_non_null(strstr(error.reason, "31"));
	strcpy(request.wanted.value[SETTING_NCQ], "max");
	assert_int_equal(settings_apply(&request, &result, &error), 0);
	assert_string_equal(result.change[0].was, "8");
	assert_string_equal(result.change[0].is, "31");
	settings_result_free(&result);
	assert_attr(SDA, "device/queue_depth", "31");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, settings_tree_make, settings_tree_remove)
	const struct CMUnitTest tests[] = {
		TEST(test_set_and_restore), TEST(test_dry_run),
		TEST(test_kept),	    TEST(test_refused),
		TEST(test_same_identity),   TEST(test_cut_off),
		TEST(test_ncq),		    TEST(test_mount),
		TEST(test_hostile),	    TEST(test_not_trusted),
		TEST(test_no_answer),	    TEST(test_ports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
