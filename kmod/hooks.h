/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hooks: tracepoints found by name, attached while a disk has their layer.
 * Most tracepoints are not exported to modules, so names are looked up in the
 * kernel's own list, and in those of modules as they come and go: load order does not
 * matter, and a module that goes is let go.
 *
 * Locking: a mutex of its own, taken inside target.c's lock and inside the kernel's
 * list of modules with tracepoints, outside its tracepoint mutex.
 */
#ifndef FSB_HOOKS_H
#define FSB_HOOKS_H

#include <linux/types.h>

struct module;
struct tracepoint;

/**
 * struct fsb_hook - one tracepoint and what listens to it
 * @name: name of the tracepoint
 * @probe: the function; its type is checked where it is defined
 * @required: nothing can be counted without it
 * @attached: @probe is registered
 * @tracepoint: where it was found, or NULL
 * @owner: the module it was found in, NULL for the kernel itself
 */
struct fsb_hook {
	const char *name;
	void *probe;
	bool required;
	bool attached;
	struct tracepoint *tracepoint;
	const struct module *owner;
};

int fsb_hooks_init(void);
void fsb_hooks_exit(void);
int fsb_hooks_want(u32 layers);

unsigned int fsb_hooks_count(void);
const struct fsb_hook *fsb_hook_get(unsigned int index);

#endif /* FSB_HOOKS_H */
