/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filesystem: what is known of each kind of filesystem, from the table filesystems.yaml: how it is
 * made without work left for later, how a barrier is written, which options came and went with
 * which kernel.  And making, mounting and unmounting one.
 */
#ifndef FSB_BENCH_FILESYSTEM_H
#define FSB_BENCH_FILESYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/option_list.h"
#include "bench/tool.h"
#include "bench/trouble.h"
#include "disk/disk.h"

/* An option as kernels have it; versions as in "4.19", "" : since ever, to this day. */
struct filesystem_option {
	char *name; /* without a value: "nobarrier", "space_cache" */
	char *since, *until; /* from this kernel on; no more from this one on */
	char *says; /* what to say of it: "removed in 4.19" */
	char *against; /* options that contradict it, "" */
};

/* An option of mkfs that a matrix may give, or one that it may not and why. */
struct filesystem_switch {
	char *name; /* "-b", or with its synonyms "-d --data" */
	char *value; /* form of its value (option_list.h), "": it takes none, or has parts */
	char *parts; /* of its value, as a list of known options: "stride=number discard" */
	char *refused; /* why it is never passed on, "" */
};

struct filesystem {
	char *name; /* as a matrix names it */
	char *source; /* the table it is from */
	bool own; /* of that name there was one in a table before: this one came first */
	char *fstype; /* as mountinfo names it: "fuseblk" of ntfs-3g */
	char *mount_type; /* for mount -t */
	char *package; /* that has mkfs */
	char *mkfs; /* program and arguments; "" : needs none (tmpfs) */
	char *mkfs_size; /* printf form for a size in the unit below, "" : cannot be limited */
	bool mkfs_dashes; /* "--" ends its options: the node stands behind it */
	struct filesystem_switch *mkfs_option; /* all that a matrix may give */
	size_t nr_mkfs_options;
	uint64_t mkfs_size_unit; /* bytes */
	uint64_t min_bytes; /* it makes none smaller */
	char *barrier_on, *barrier_off; /* mount options; "" : there is none */
	char *module; /* kernel modules, any of which has it; "" : every kernel does */
	char *since, *until; /* kernels that have it */
	bool disk; /* lies on one */
	struct filesystem_option *option;
	size_t nr_options;
	char *mount_options; /* all that are known (option_list.h), "": nothing is */
	char *shown; /* those that the kernel shows whenever they are in force */
	char *defaults; /* those that are in force while nothing is shown of them */
	char *shown_as; /* "noload>norecovery": what it shows for it, where that is another word */
};

struct filesystem_table {
	struct filesystem *filesystem;
	size_t nr;
};

/*
 * Reads filesystems/NAME.yaml of the data directories, then filesystems.yaml; of two entries with
 * one name the first holds.  0, or -1 with *trouble; filesystem_table_free() in either case.
 */
int filesystem_table_load(struct filesystem_table *table, struct trouble *trouble);
/* Adds those of one file. */
int filesystem_table_read(struct filesystem_table *table, const char *path,
			  struct trouble *trouble);
void filesystem_table_free(struct filesystem_table *table);
const struct filesystem *filesystem_find(const struct filesystem_table *table, const char *name);

/* Release strings, "6.12.9+deb13-amd64" or "4.19": < 0, 0, > 0 by version. */
int kernel_compare(const char *a, const char *b);

/* How a configuration's wishes come out as mount options on this kernel. */
struct filesystem_wish {
	const char *mount; /* options as written */
	enum tristate barrier;
	bool emulate;
	const char *kernel; /* release */
};

struct filesystem_mount_plan {
	char options[1024]; /* for mount -o, "" */
	bool emulated; /* the kernel's view has to be "write through" meanwhile */
	size_t wrong; /* after -1: which option of the wish it is about, from 0 */
	char note[320]; /* what the plan should say of the translation, "" */
};

/* 0, or -1 with why this cannot be had here: trouble of kind TROUBLE_MISSING. */
int filesystem_plan_mount(const struct filesystem *fs, const struct filesystem_wish *wish,
			  struct filesystem_mount_plan *plan, struct trouble *trouble);
/* Can this machine make and mount it?  0, or -1 with *trouble. */
int filesystem_usable(const struct filesystem *fs, const char *kernel, struct trouble *trouble);

/*
 * The words of the command that makes one on @node (@bytes: how much of it, 0 all; @arguments:
 * options from a matrix, "").  Refuses any word of them that is not an option which the table has
 * for its mkfs, with a value of the form it has there: no path, no second device, nothing
 * positional.  0, or -1 with *trouble (TROUBLE_USAGE); tool_words_free() in either case.
 */
int filesystem_make_words(const struct filesystem *fs, const char *node, uint64_t bytes,
			  const char *arguments, struct tool_words *words, struct trouble *trouble);
/* Those of the command that mounts it. */
int filesystem_mount_words(const struct filesystem *fs, const char *node, const char *options,
			   const char *at, struct tool_words *words, struct trouble *trouble);

/*
 * Makes one, by that command, with lazy initialization off.  @output gets what mkfs said,
 * malloc'd.  The caller has just checked that the device may be written (target_recheck()).
 */
int filesystem_make(const struct filesystem *fs, const char *node, uint64_t bytes,
		    const char *arguments, char **output, struct trouble *trouble);
/* Through mount(8), for its helpers' sake; -1 with what the kernel said of it too. */
int filesystem_mount(const struct filesystem *fs, const char *node, const char *options,
		     const char *at, struct trouble *trouble);
int filesystem_unmount(const char *at, struct trouble *trouble);
/* Effective options (mountinfo, VFS and filesystem joined) of what is mounted at @at; malloc'd. */
char *filesystem_effective(const char *at);
/* What the kernel shows of the options that were asked for. */
struct filesystem_verdict {
	char difference[256]; /* what it contradicts, and what it has added beyond the usual; "" */
	char unverified[256]; /* what it shows nothing of, so that nothing can be said; "" */
};

/*
 * Compares options @asked for, which mount(8) has accepted, with the @effective ones of
 * mountinfo.  False: one is visibly not in force.
 */
bool filesystem_options_hold(const struct filesystem *fs, const char *asked, const char *effective,
			     struct filesystem_verdict *verdict);
/* Whether two options contradict one another, as the table has it. */
bool filesystem_options_clash(const struct filesystem *fs, const struct option_word *a,
			      const struct option_word *b);
/* Whether two options are about the same thing, so that only the later one counts. */
bool filesystem_options_same(const struct option_word *a, const struct option_word *b);

#endif /* FSB_BENCH_FILESYSTEM_H */
