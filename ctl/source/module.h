/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * module: fsbstat.ko over generic netlink.  The only file that knows libnl.
 *
 * One struct module is one socket; references taken with module_add() end with it.
 * Functions return 0 or a negative error number; module_error() then gives the
 * reason, the kernel's own words (extended ack) first, and module_hint() how to
 * go on ("" where there is nothing to say).
 */
#ifndef FSB_SOURCE_MODULE_H
#define FSB_SOURCE_MODULE_H

#include "disk/disk.h"
#include "model/owners.h"

struct module;

struct module_hook {
	char name[64];
	enum fsbstat_hook_state state;
	bool required;
	enum fsbstat_hook_kind kind;
};

struct module_info {
	uint32_t abi;
	char version[64];
	uint32_t disks;
	uint32_t generation;
	uint64_t memory;
	bool unprivileged_read;
	size_t nr_hooks;
	struct module_hook hook[32];
};

/*
 * -ENOENT: the module is not loaded; -EPERM; -EPROTO: ABI differs.
 * *module is set even on failure (for module_error()); close it in any case.
 */
int module_open(struct module **module);
void module_close(struct module *module);
const char *module_error(const struct module *module);
const char *module_hint(const struct module *module);

int module_get(struct module *module, struct module_info *info);
/*
 * Opens the disk and hands the descriptor over; the module opens nothing.  -EPERM also when the
 * caller may not open it.  @layers: FSBSTAT_LAYER_BIO and so on.
 */
int module_add(struct module *module, const struct disk *disk, uint32_t layers, bool permanent,
	       struct watch *watch);
int module_del(struct module *module, uint32_t major, uint32_t minor, bool permanent);
/* Tells all readers the state of the drive's cache; the module never asks the drive. */
int module_set(struct module *module, uint32_t major, uint32_t minor,
	       enum fsbstat_write_cache write_cache);
/* One watched disk; -ENOENT when it is not watched. */
int module_disk(struct module *module, uint32_t major, uint32_t minor, struct watch *watch);
/* All watched disks; *watch is malloc'd, the caller frees it. */
int module_disks(struct module *module, struct watch **watch, size_t *nr);
/* Fills *snap (owned by the caller, see snapshot_free()). */
int module_snapshot(struct module *module, uint32_t major, uint32_t minor, struct snapshot *snap);
/* Adds all superblocks to a zeroed *fs (owned by the caller, see fs_counts_free()). */
int module_filesystems(struct module *module, struct fs_counts *fs);

/*
 * Who submitted the disk's bios; *owners is the caller's, see owners_free().  -EOPNOTSUPP:
 * the module is older than that.
 */
int module_owners(struct module *module, uint32_t major, uint32_t minor, struct owners *owners);
/* Who called fsync, on whichever filesystem; as module_owners(). */
int module_callers(struct module *module, struct owners *callers);

#endif /* FSB_SOURCE_MODULE_H */
