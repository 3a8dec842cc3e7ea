/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fsync: the fsync operations of filesystems, by kretprobe: their entry and return, which
 * no tracepoint of xfs and btrfs tells.  Attached while a disk is watched; those of modules
 * whenever the module is there, whatever the load order.  Counting is fs.c's business.
 *
 * Locking: a mutex of its own, taken inside the locks of target.c and hooks.c and inside the
 * kernel's module notifiers, outside its kprobe mutex.
 */
#ifndef FSB_FSYNC_H
#define FSB_FSYNC_H

#include <linux/types.h>

/*
 * Calls that may be under way at once in one function; more go unseen and are counted as
 * missed.  The kernel's default is a handful, and a call sleeps as long as the disk takes.
 */
#define FSB_FSYNC_CALLS 4096

/**
 * struct fsb_function - one fsync operation as readers see it
 * @name: name of the function
 * @found: the kernel, or a module that is loaded, has it
 * @attached: it is probed
 */
struct fsb_function {
	const char *name;
	bool found;
	bool attached;
};

int fsb_fsync_init(void);
void fsb_fsync_exit(void);
void fsb_fsync_attach(void);
void fsb_fsync_detach(void);

unsigned int fsb_fsync_count(void);
void fsb_fsync_describe(unsigned int index, struct fsb_function *function);
u64 fsb_fsync_missed(void);
size_t fsb_fsync_memory(void);

#endif /* FSB_FSYNC_H */
