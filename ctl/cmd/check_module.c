// SPDX-License-Identifier: GPL-2.0-or-later
/* check_module: whether the module is there, may be used and finds its hooks. */
#include "cmd/check.h"

#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fsbstat_version.h>

#include "cmd/hooks.h"
#include "disk/kfile.h"
#include "source/module.h"

#define CAP_SYS_MODULE_BIT 16
#define CAP_SYS_ADMIN_BIT  21
#define SECURE_BOOT "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

static const char *const required_hooks[] = { "block_rq_issue", "block_rq_complete" };

struct machine {
	const char *release;
	bool loaded;
	bool forbidden; /* no module can be loaded until the next boot */
	char file[256]; /* the module below /lib/modules/RELEASE, "" when it is not there */
};

/* modules.dep: "updates/dkms/fsbstat.ko.xz: kernel/...". */
static bool is_module_line(const char *line, void *arg)
{
	struct machine *machine = arg;
	const char *name = strstr(line, "/fsbstat.ko");
	size_t len = strcspn(line, ":");

	if (!name || name > line + len || len >= sizeof(machine->file))
		return false;
	memcpy(machine->file, line, len);
	machine->file[len] = '\0';
	return true;
}

/* Which kernels DKMS builds for, in the installed source: BUILD_EXCLUSIVE_KERNEL="REGEX". */
static bool is_excluding_line(const char *line, void *arg)
{
	static const char key[] = "BUILD_EXCLUSIVE_KERNEL=\"";
	const struct machine *machine = arg;
	char pattern[256];
	regex_t regex;
	bool excluding;

	if (strncmp(line, key, strlen(key)))
		return false;
	snprintf(pattern, sizeof(pattern), "%.*s", (int)strcspn(line + strlen(key), "\""),
		 line + strlen(key));
	if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB))
		return false;
	excluding = regexec(&regex, machine->release, 0, NULL, 0) == REG_NOMATCH;
	regfree(&regex);
	return excluding;
}

/* What makes all else that could be said about loading it pointless. */
static void check_loading(struct check *check, struct machine *machine)
{
	machine->forbidden = !machine->loaded &&
			     kfile_number("/proc/sys/kernel/modules_disabled") == 1;
	if (machine->forbidden)
		check_add(check, "module loading", "", CHECK_NO, true,
			  "kernel.modules_disabled=1: no module can be loaded until the next boot");
}

static void check_installed(struct check *check, struct machine *machine)
{
	char path[256];

	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep", machine->release);
	if (kfile_find_line(path, is_module_line, machine)) {
		check_add(check, "module installed", "", CHECK_OK, false, "%s", machine->file);
	} else if (machine->loaded) {
		check_add(check, "module installed", "", CHECK_NOT_APPLICABLE, false,
			  "loaded, but will not be found after a reboot");
	} else if (kfile_find_line("/usr/src/fsbstat-" FSBSTAT_VERSION "/dkms.conf",
				   is_excluding_line, machine)) {
		check_add(check, "module installed", "", CHECK_NO, false,
			  "this kernel is not among those that the module is tested with");
		check_todo(check,
			   "DKMS leaves it out; to try it all the same, in fsbstat's source:\n"
			   "make module && sudo insmod fsbstat.ko");
	} else {
		check_add(check, "module installed", "", CHECK_NO, false,
			  "no fsbstat.ko for this kernel");
		check_todo(check,
			   "in fsbstat's source: make module && sudo insmod fsbstat.ko\n"
			   "to keep it: sudo make install && sudo dkms install fsbstat/%s",
			   FSBSTAT_VERSION);
	}
}

static void check_headers(struct check *check, const struct machine *machine)
{
	if (machine->loaded || *machine->file) {
		check_add(check, "kernel headers", "", CHECK_NOT_APPLICABLE, false,
			  "only needed to build the module");
	} else if (kfile_exists("/lib/modules/%s/build/Makefile", machine->release)) {
		check_add(check, "kernel headers", "", CHECK_OK, false, "/lib/modules/%s/build",
			  machine->release);
	} else {
		check_add(check, "kernel headers", "", CHECK_NO, false,
			  "the module cannot be built for this kernel");
		check_todo(check, "sudo apt install linux-headers-%s", machine->release);
	}
}

static bool secure_boot(void)
{
	unsigned char value[5];

	/* Four bytes of attributes come before the variable. */
	return kfile_bytes(value, sizeof(value), SECURE_BOOT) == sizeof(value) && value[4] == 1;
}

static void check_signing(struct check *check, const struct machine *machine)
{
	char lockdown[128], enforce[8];
	bool locked, enforced;

	(void)kfile_read(lockdown, sizeof(lockdown), "/sys/kernel/security/lockdown");
	(void)kfile_read(enforce, sizeof(enforce), "/sys/module/module/parameters/sig_enforce");
	locked = *lockdown && !strstr(lockdown, "[none]");
	enforced = *enforce == 'Y';
	if (machine->loaded) {
		check_add(check, "module signing", "", CHECK_NOT_APPLICABLE, false,
			  "the kernel has taken the module");
	} else if (locked || enforced) {
		check_add(check, "module signing", "", CHECK_NO, false,
			  "%s: the kernel takes signed modules only",
			  secure_boot() ? "Secure Boot" : locked ? "lockdown" : "sig_enforce");
		check_todo(check, "%s",
			   secure_boot() ?
			   "DKMS signs the module with its own key; tell the firmware that key:\n"
			   "sudo mokutil --import /var/lib/dkms/mok.pub, then reboot and confirm" :
			   "sign the module with a key that this kernel was built with, or boot without\n"
			   "lockdown= and module.sig_enforce on the kernel's command line");
	} else {
		check_add(check, "module signing", "", CHECK_OK, false,
			  "the kernel takes unsigned modules");
	}
}

static bool is_effective_caps(const char *line, void *arg)
{
	return sscanf(line, "CapEff: %llx", (unsigned long long *)arg) == 1;
}

/* A user namespace's own root has every capability there and none that counts here. */
static bool in_first_user_namespace(void)
{
	unsigned int inside, outside, count;
	char map[128];

	if (kfile_read(map, sizeof(map), "/proc/self/uid_map"))
		return true; /* a kernel without user namespaces */
	return sscanf(map, "%u %u %u", &inside, &outside, &count) == 3 && !inside && !outside &&
	       count == 4294967295U;
}

static void check_permission(struct check *check, const struct machine *machine)
{
	unsigned long long caps = 0;

	if (kfile_find_line("/proc/self/status", is_effective_caps, &caps) &&
	    (caps & 1ULL << CAP_SYS_ADMIN_BIT) && in_first_user_namespace()) {
		check_add(check, "permission", "", CHECK_OK, true, "CAP_SYS_ADMIN");
		if (!machine->loaded && !machine->forbidden &&
		    !(caps & 1ULL << CAP_SYS_MODULE_BIT)) {
			check_add(check, "permission to load", "", CHECK_NO, false,
				  "loading the module needs CAP_SYS_MODULE");
			check_todo(check, "load it on the host, not in a container");
		}
		return;
	}
	check_add(check, "permission", "", CHECK_NO, true,
		  "watching a disk needs CAP_SYS_ADMIN on the host");
	check_todo(check, "run it with sudo, and not in a container");
}

static bool is_config_line(const char *line, void *arg)
{
	const char *name = arg;
	size_t len = strlen(name);

	return !strncmp(line, name, len) && line[len] == '=';
}

/* Which of the options that make tracepoints is off; "" when the file does not tell. */
static const char *missing_config(const struct machine *machine)
{
	static char *const options[] = { "CONFIG_TRACEPOINTS", "CONFIG_BLK_DEV_IO_TRACE" };
	char path[256];

	snprintf(path, sizeof(path), "/boot/config-%s", machine->release);
	if (!kfile_exists("%s", path))
		return "";
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (!kfile_find_line(path, is_config_line, options[i]))
			return options[i];
	return "";
}

static void add_hook(struct check *check, const struct machine *machine, const char *name,
		     bool found, bool required, const char *how)
{
	const char *config;

	check_add(check, name, "", found ? CHECK_OK : CHECK_NO, required, "%s", how);
	if (found)
		return;
	config = missing_config(machine);
	if (*config)
		check_todo(check, "this kernel was built without %s", config);
	else if (hook_is_of_libata(name))
		check_todo(check,
			   "needs a kernel with CONFIG_TRACEPOINTS; older ones lack ata_port_freeze and\n"
			   "ata_std_sched_eh, without which errors are noticed a little later");
	else
		check_todo(check,
			   "needs a kernel with CONFIG_TRACEPOINTS and CONFIG_BLK_DEV_IO_TRACE%s",
			   required ? "" : "\nwithout it some figures are missing, the rest works");
}

/* Each tracepoint has a function of this name, which every symbol table lists. */
static bool is_tracepoint_line(const char *line, void *arg)
{
	const char *at = strstr(line, " __traceiter_");

	return at && !strcmp(at + strlen(" __traceiter_"), arg);
}

/* Without the module the kernel's symbol table still tells what it would find. */
static void check_hooks_by_symbol(struct check *check, const struct machine *machine)
{
	for (size_t i = 0; i < sizeof(required_hooks) / sizeof(*required_hooks); i++) {
		char symbol[64];
		bool found;

		snprintf(symbol, sizeof(symbol), "%s", required_hooks[i]);
		if (!kfile_exists("/proc/kallsyms")) {
			check_add(check, required_hooks[i], "", CHECK_NOT_APPLICABLE, false,
				  "the kernel does not list its symbols");
			continue;
		}
		found = kfile_find_line("/proc/kallsyms", is_tracepoint_line, symbol);
		add_hook(check, machine, required_hooks[i], found, true,
			 found ? "this kernel has the tracepoint" : "no such tracepoint");
	}
}

static const char *const hook_words[] = { "no such tracepoint",
					  "found; attached while a disk is watched",
					  "found and attached" };

/* The fsync operation of a filesystem that is there. */
static void add_function(struct check *check, const struct module_hook *hook)
{
	if (hook->state == FSBSTAT_HOOK_IDLE || hook->state == FSBSTAT_HOOK_ATTACHED) {
		check_add(check, hook->name, "", CHECK_OK, false, "%s", hook_words[hook->state]);
		return;
	}
	check_add(check, hook->name, "", CHECK_NO, false, "cannot be probed");
	check_todo(check, "needs a kernel with CONFIG_KPROBES and CONFIG_KRETPROBES;\n"
			  "without it calls of fsync are not counted, the rest works");
}

static void check_hooks(struct check *check, const struct machine *machine, struct module *module)
{
	struct module_info info;

	if (module_get(module, &info)) {
		check_add(check, "hooks", "", CHECK_NO, true, "%s", module_error(module));
		check_todo(check, "%s", module_hint(module));
		return;
	}
	for (size_t i = 0; i < info.nr_hooks; i++) {
		const struct module_hook *hook = &info.hook[i];

		if (hook_awaits(hook))
			check_add(check, hook->name, "", CHECK_NOT_APPLICABLE, false,
				  "%s is not loaded; attached when it comes", hook_awaits(hook));
		else if (hook->kind == FSBSTAT_HOOK_FUNCTION)
			add_function(check, hook);
		else if ((unsigned int)hook->state < sizeof(hook_words) / sizeof(*hook_words))
			add_hook(check, machine, hook->name, hook->state != FSBSTAT_HOOK_MISSING,
				 hook->required, hook_words[hook->state]);
	}
}

/* What the module itself answers; ret is what module_open() said. */
static void check_answer(struct check *check, const struct machine *machine, struct module *module,
			 int ret)
{
	if (ret == -ENOENT && machine->loaded) {
		check_add(check, "module answers", "", CHECK_NO, true,
			  "loaded, but not visible in this network namespace");
		check_todo(check, "run it on the host, not in a container");
	} else if (ret == -ENOENT) {
		check_add(check, "module loaded", "", CHECK_NO, true, "%s", module_error(module));
		if (!machine->forbidden)
			check_todo(check, "%s", *machine->file ? "sudo modprobe fsbstat" :
					  "install it first, see above");
	} else if (ret == -EPERM) {
		check_add(check, "module answers", "", CHECK_NO, true, "%s", module_error(module));
		check_todo(check, "%s", module_hint(module));
	} else if (ret) {
		check_add(check, ret == -EPROTO ? "module ABI" : "module answers", "", CHECK_NO,
			  true, "%s", module_error(module));
		check_todo(check, "%s", module_hint(module));
	} else {
		check_add(check, "module ABI", "", CHECK_OK, true, "%u, the same as this fsbctl's",
			  FSBSTAT_ABI);
	}
}

void check_module(struct check *check, const char *release)
{
	struct machine machine = { .release = release };
	struct module *module;
	char version[64];
	int ret;

	machine.loaded = kfile_exists("/sys/module/fsbstat");
	check_loading(check, &machine);
	if (!machine.forbidden) {
		check_installed(check, &machine);
		check_headers(check, &machine);
		check_signing(check, &machine);
	}
	if (machine.loaded) {
		(void)kfile_read(version, sizeof(version), "/sys/module/fsbstat/version");
		check_add(check, "module loaded", "", CHECK_OK, true, "%s",
			  *version ? version : "yes");
	}
	ret = module_open(&module);
	check_answer(check, &machine, module, ret);
	check_permission(check, &machine);
	if (ret)
		check_hooks_by_symbol(check, &machine);
	else
		check_hooks(check, &machine, module);
	module_close(module);
}
