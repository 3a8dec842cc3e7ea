// SPDX-License-Identifier: GPL-2.0-or-later
/* `fsbctl list` and `fsbctl check` on a made-up machine without the module. */
#include "dispatch.h"

#include <sys/utsname.h>

#include <jansson.h>

#include <fsbstat_version.h>

#include "cmd/check.h"
#include "cmd/hooks.h"
#include "cmd/list.h"
#include "source/module.h"

#define SDA "/sys/devices/pci0/ata1/host0/target0:0:0/0:0:0:0/block/sda"
#define SDB "/sys/devices/pci0/ata2/host1/target1:0:0/1:0:0:0/block/sdb"
#define NVME "/sys/devices/pci0/nvme/nvme0/nvme0n1"

static const struct cmd *const table[] = { &cmd_list, &cmd_check, NULL };

static void make_disk(const char *dir, const char *number, const char *sectors, const char *model,
		      const char *drive, const char *kernel)
{
	tree_disk(dir, number, sectors, 1, "32");
	tree_attr(dir, "device/model", model);
	if (*drive) {
		tree_attr(dir, "device/queue_depth", "32");
		tree_attr(dir, "device/scsi_disk/0:0:0:0/cache_type", drive);
	}
	tree_attr(dir, "queue/write_cache", kernel);
	tree_attr(dir, "queue/scheduler", "[mq-deadline] none");
	tree_attr(dir, "queue/iostats", "1");
}

static int setup(void **state)
{
	(void)state;
	tree_make();
	make_disk(SDA, "8:0", "625142448", "WDC WD3200AAKX-0", "write back", "write back");
	make_disk(SDB, "8:16", "976773168", "ST500DM\0332-1BD14", "write back", "write through");
	make_disk(NVME, "259:0", "1000215216", "SAMSUNG MZVL2512", "", "write back");
	tree_attr(SDB, "queue/iostats", "0");
	tree_partition(SDA, "sda1", "8:1");
	tree_file("/proc/self/mountinfo",
		  "20 1 8:1 / /srv rw - ext4 /dev/sda1 rw\n"
		  "21 1 259:0 / / rw - ext4 /dev/nvme0n1 rw\n"
		  "22 1 8:16 / /evil\033[31m rw - ext4 /dev/sdb rw\n");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tree_remove();
	return 0;
}

static int run(const char *command, const char *arg, char *out, size_t size, char err[1024])
{
	char *argv[4] = { (char *)"fsbctl", (char *)command, (char *)arg, NULL };

	return dispatch_captured(table, arg ? 3 : 2, argv, out, size, err, 1024);
}

/* What depends on the module cannot be told on a machine that has it loaded. */
static bool module_is_here(void)
{
	struct module *module;
	int ret = module_open(&module);

	module_close(module);
	return ret != -ENOENT;
}

static void test_list(void **state)
{
	static const char picture[] =
		"disk     model            size  link  cache      ncq  sched        mounts\n"
		"nvme0n1  SAMSUNG MZVL..  512 G  nvme  ?/back          mq-deadline  /\n"
		"sda      WDC WD3200AA..  320 G  sata  on/back     32  mq-deadline  /srv\n"
		"sdb      ST500DM2-1BD14  500 G  sata  on/THRU !   32  mq-deadline  "
		"/evil\\x1b[31m\n"
		"! sdb: the drive caches writes and the kernel sends no flush:\n"
		"  data can be lost\n\n"
		"module    ";
	char out[4096], err[1024];

	(void)state;
	assert_int_equal(run("list", NULL, out, sizeof(out), err), EXIT_OK);
	out[strlen(picture)] = '\0';
	assert_string_equal(out, picture);
	assert_string_equal(err, "");
}

static void test_list_json(void **state)
{
	char out[16384], err[1024];
	json_t *json, *disks;

	(void)state;
	assert_int_equal(run("list", "--json", out, sizeof(out), err), EXIT_OK);
	json = json_loads(out, 0, NULL);
	assert_string_equal(json_string_value(json_object_get(json, "schema")), "fsbstat/1");
	assert_string_equal(json_string_value(json_object_get(json, "kind")), "list");
	assert_non_null(json_object_get(json, "module"));
	assert_true(json_is_null(json_object_get(json, "module")) !=
		    json_is_null(json_object_get(json, "module_reason")));
	disks = json_object_get(json, "disks");
	assert_int_equal(json_array_size(disks), 3);
	for (size_t i = 0; i < 3; i++) {
		json_t *disk = json_array_get(disks, i);

		assert_true(json_is_object(json_object_get(disk, "device")));
		assert_int_equal(json_array_size(json_object_get(disk, "mounts")), 1);
		assert_non_null(json_object_get(disk, "watch"));
		assert_int_equal(json_is_true(json_object_get(disk, "loses_writes")), i == 2);
	}
	json_decref(json);
}

/* System calls that read, so far; 0 where the kernel does not count them. */
static unsigned long long reads(void)
{
	unsigned long long nr = 0;
	char line[64];
	FILE *file = fopen("/proc/self/io", "re");

	while (file && fgets(line, sizeof(line), file))
		(void)sscanf(line, "syscr: %llu", &nr);
	if (file)
		fclose(file);
	return nr;
}

/* What it takes to list the three disks and so many more, each with a mount. */
static unsigned long long cost_of(unsigned int nr)
{
	char *mountinfo = calloc(nr, 96), dir[PATH_MAX], number[16], *end = mountinfo;
	unsigned long long before;
	struct list list;

	assert_non_null(mountinfo);
	for (unsigned int i = 0; i < nr; i++) {
		tree_format(dir, "/sys/devices/virtual/block/vd%u", i);
		snprintf(number, sizeof(number), "254:%u", i);
		make_disk(dir, number, "8192", "", "", "write back");
		end += snprintf(end, 96, "%u 1 %s / /srv/%u rw - ext4 /dev/vd%u rw\n", 30 + i,
				number, i, i);
	}
	tree_file("/proc/self/mountinfo", mountinfo);
	free(mountinfo);
	before = reads();
	assert_int_equal(list_collect(&list), 0);
	before = reads() - before;
	assert_int_equal(list.nr, nr + 3);
	for (size_t i = 0; i < list.nr; i++)
		assert_int_equal(list.disk[i].mounts.nr, !strncmp(list.disk[i].info.disk.name, "vd",
								  2));
	list_free(&list);
	return before;
}

/* Each disk costs the same, however many there are and however much is mounted. */
static void test_list_cost(void **state)
{
	unsigned long long few, more, most;

	(void)state;
	if (!reads()) {
		print_message("skipped: no /proc/self/io\n");
		skip();
	}
	few = cost_of(20);
	more = cost_of(60);
	most = cost_of(100);
	assert_true(few > 100);
	if (most - more > (more - few) * 11 / 10)
		fail_msg("20, 60, 100 disks: %llu, %llu, %llu reads", few, more, most);
}

static void test_list_empty(void **state)
{
	char out[4096], err[1024];

	(void)state;
	tree_remove();
	tree_make();
	tree_dirs("/sys/class/block/");
	assert_int_equal(run("list", NULL, out, sizeof(out), err), EXIT_OK);
	assert_non_null(strstr(out, "no disk here can be watched"));
	tree_remove();
	tree_make();
	assert_int_equal(run("list", NULL, out, sizeof(out), err), EXIT_FSBCTL);
	assert_string_equal(err, "fsbctl: list: /sys/class/block: No such file or directory\n"
			   "        in a container: make the host's /sys visible there\n");
}

static const struct check_item *item(const struct check *check, const char *name)
{
	for (size_t i = 0; i < check->nr; i++)
		if (!strcmp(check->item[i].name, name))
			return &check->item[i];
	fail_msg("no item %s", name);
	return NULL;
}

static void test_check_disk(void **state)
{
	struct check check = { 0 };

	(void)state;
	check_disk(&check, &(struct disk){ "sda", 8, 0 });
	assert_int_equal(item(&check, "iostats")->state, CHECK_OK);
	assert_int_equal(item(&check, "write cache")->state, CHECK_OK);
	assert_int_equal(item(&check, "flushes asked for")->state, CHECK_OK);
	check.nr = 0;
	check_disk(&check, &(struct disk){ "sdb", 8, 16 });
	assert_int_equal(item(&check, "iostats")->state, CHECK_NO);
	assert_non_null(strstr(item(&check, "iostats")->todo, "/sys/block/sdb/queue/iostats"));
	assert_int_equal(item(&check, "write cache")->state, CHECK_NO);
	assert_int_equal(item(&check, "flushes asked for")->state, CHECK_NOT_APPLICABLE);
	check.nr = 0;
	check_disk(&check, &(struct disk){ "nvme0n1", 259, 0 });
	assert_int_equal(item(&check, "write cache")->state, CHECK_NOT_APPLICABLE);
	free(check.item);
}

static void check_again(struct check *check)
{
	check->nr = 0;
	check_module(check, "6.1.0-test");
}

static void test_check_machine(void **state)
{
	struct check check = { 0 };

	(void)state;
	if (module_is_here()) {
		print_message("skipped: fsbstat is loaded on this machine\n");
		skip();
	}
	tree_file("/proc/kallsyms",
		  "0 T __traceiter_block_rq_issue\n0 T __traceiter_block_rq_is\n");
	tree_file("/proc/self/status", "CapInh:\t0\nCapEff:\t0000000000000fff\n");
	tree_file("/proc/self/uid_map", "         0          0 4294967295\n");
	check_again(&check);
	assert_int_equal(item(&check, "module installed")->state, CHECK_NO);
	assert_int_equal(item(&check, "module loaded")->state, CHECK_NO);
	assert_int_equal(item(&check, "kernel headers")->state, CHECK_NO);
	assert_string_equal(item(&check, "kernel headers")->todo,
			    "sudo apt install linux-headers-6.1.0-test");
	assert_int_equal(item(&check, "module signing")->state, CHECK_OK);
	assert_int_equal(item(&check, "permission")->state, CHECK_NO);
	assert_int_equal(item(&check, "block_rq_issue")->state, CHECK_OK);
	assert_int_equal(item(&check, "block_rq_complete")->state, CHECK_NO);

	tree_file("/boot/config-6.1.0-test",
		  "CONFIG_TRACEPOINTS=y\n# CONFIG_BLK_DEV_IO_TRACE is not set\n");
	tree_file("/proc/self/status", "CapEff:\t0000000000200000\n");
	tree_file("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	tree_file("/lib/modules/6.1.0-test/modules.dep",
		  "kernel/drivers/x.ko: kernel/y.ko\nupdates/dkms/fsbstat.ko.xz:\n");
	check_again(&check);
	assert_string_equal(item(&check, "module installed")->text, "updates/dkms/fsbstat.ko.xz");
	assert_string_equal(item(&check, "module loaded")->todo, "sudo modprobe fsbstat");
	assert_int_equal(item(&check, "module signing")->state, CHECK_NO);
	assert_string_equal(item(&check, "module signing")->text,
			    "lockdown: the kernel takes signed modules only");
	assert_null(strstr(item(&check, "module signing")->todo, "mokutil"));
	assert_int_equal(item(&check, "permission to load")->state, CHECK_NO);
	tree_bytes("/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c",
		   "\6\0\0\0\1", 5);
	check_again(&check);
	assert_non_null(strstr(item(&check, "module signing")->todo, "mokutil --import"));
	assert_int_equal(item(&check, "permission")->state, CHECK_OK);
	assert_string_equal(item(&check, "block_rq_complete")->todo,
			    "this kernel was built without CONFIG_BLK_DEV_IO_TRACE");

	tree_file("/proc/self/uid_map", "0 1000 1\n");
	check_again(&check);
	assert_int_equal(item(&check, "permission")->state, CHECK_NO);
	free(check.item);
}

static bool has_item(const struct check *check, const char *name)
{
	for (size_t i = 0; i < check->nr; i++)
		if (!strcmp(check->item[i].name, name))
			return true;
	return false;
}

/* No advice that cannot work here. */
static void test_check_advice(void **state)
{
	static const char conf[] = "/usr/src/fsbstat-" FSBSTAT_VERSION "/dkms.conf";
	struct check check = { 0 };

	(void)state;
	if (module_is_here()) {
		print_message("skipped: fsbstat is loaded on this machine\n");
		skip();
	}
	tree_file(conf, "BUILD_EXCLUSIVE_KERNEL=\"^(5\\.10|6\\.1)\\..*\"\n");
	check_again(&check);
	assert_non_null(strstr(item(&check, "module installed")->todo, "dkms install"));
	tree_file(conf, "BUILD_EXCLUSIVE_KERNEL=\"^(5\\.10|7\\.2)\\..*\"\n");
	check_again(&check);
	assert_string_equal(item(&check, "module installed")->text,
			    "this kernel is not among those that the module is tested with");
	assert_null(strstr(item(&check, "module installed")->todo, "dkms install"));
	tree_file("/proc/sys/kernel/modules_disabled", "1\n");
	check_again(&check);
	assert_string_equal(item(&check, "module loading")->text,
			    "kernel.modules_disabled=1: no module can be loaded until the next boot");
	assert_string_equal(item(&check, "module loading")->todo, "");
	assert_string_equal(item(&check, "module loaded")->todo, "");
	assert_false(has_item(&check, "module installed"));
	assert_false(has_item(&check, "kernel headers"));
	assert_false(has_item(&check, "module signing"));
	free(check.item);
}

/* A hook of libata or a filesystem is not missing while that is not there. */
static void test_hooks(void **state)
{
	struct module_hook hook = { "ata_qc_issue", FSBSTAT_HOOK_MISSING, false,
				    FSBSTAT_HOOK_TRACEPOINT };

	(void)state;
	assert_string_equal(hook_awaits(&hook), "libata");
	hook.state = FSBSTAT_HOOK_IDLE;
	assert_null(hook_awaits(&hook));
	hook.state = FSBSTAT_HOOK_MISSING;
	strcpy(hook.name, "block_rq_merge");
	assert_null(hook_awaits(&hook));
	strcpy(hook.name, "ata_port_freeze");
	tree_file("/sys/module/libata/refcnt", "2\n");
	assert_null(hook_awaits(&hook));
	/* A filesystem that is built in has no module, but is known. */
	tree_file("/proc/filesystems", "nodev\tsysfs\n\text3\n\text4\n");
	strcpy(hook.name, "ext4_sync_file");
	assert_null(hook_awaits(&hook));
	strcpy(hook.name, "xfs_dir_fsync");
	assert_string_equal(hook_awaits(&hook), "xfs");
	strcpy(hook.name, "scsi_dispatch_cmd_done");
	assert_string_equal(hook_awaits(&hook), "scsi_mod");
	tree_file("/sys/module/scsi_mod/refcnt", "2\n");
	assert_null(hook_awaits(&hook));
}

static void test_check_run(void **state)
{
	char out[16384], err[1024], *line, *save = NULL;
	json_t *json;

	(void)state;
	assert_int_equal(run("check", "nosuch", out, sizeof(out), err), EXIT_FSBCTL);
	assert_string_equal(out, "");
	assert_non_null(strstr(err, "fsbctl: nosuch: no such disk\n"));
	if (module_is_here()) {
		print_message("skipped: fsbstat is loaded on this machine\n");
		skip();
	}
	assert_int_equal(run("check", "--json", out, sizeof(out), err), EXIT_CANNOT_RUN_HERE);
	json = json_loads(out, 0, NULL);
	assert_string_equal(json_string_value(json_object_get(json, "kind")), "check");
	assert_true(json_is_false(json_object_get(json, "can_record")));
	assert_true(json_array_size(json_object_get(json, "items")) > 9);
	json_decref(json);

	assert_int_equal(run("check", "sda1", out, sizeof(out), err), EXIT_CANNOT_RUN_HERE);
	assert_non_null(strstr(out, "partition sda1: disk sda\n"));
	assert_non_null(strstr(out, "\nrecording does not work here: module loaded\n"));
	assert_null(strstr(out, "sdb"));
	for (line = strtok_r(out, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		assert_true(strlen(line) <= 80);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_list, setup, teardown),
		cmocka_unit_test_setup_teardown(test_list_json, setup, teardown),
		cmocka_unit_test_setup_teardown(test_list_cost, setup, teardown),
		cmocka_unit_test_setup_teardown(test_check_advice, setup, teardown),
		cmocka_unit_test_setup_teardown(test_list_empty, setup, teardown),
		cmocka_unit_test_setup_teardown(test_check_disk, setup, teardown),
		cmocka_unit_test_setup_teardown(test_check_machine, setup, teardown),
		cmocka_unit_test_setup_teardown(test_hooks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_check_run, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
