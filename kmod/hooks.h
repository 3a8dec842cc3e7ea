/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hooks: tracepoints found by name, attached while at least one disk is watched.
 * Most tracepoints are not exported to modules, so names are looked up in the
 * kernel's own list.
 */
#ifndef FSB_HOOKS_H
#define FSB_HOOKS_H

#include <linux/types.h>

struct tracepoint;

/**
 * struct fsb_hook - one tracepoint and what listens to it
 * @name: name of the tracepoint
 * @probe: the function; its type is checked where it is defined
 * @required: nothing can be counted without it
 * @attached: @probe is registered
 * @tracepoint: where it was found, or NULL
 */
struct fsb_hook {
	const char *name;
	void *probe;
	bool required;
	bool attached;
	struct tracepoint *tracepoint;
};

int fsb_hooks_find(void);
int fsb_hooks_attach(void);
void fsb_hooks_detach(void);

unsigned int fsb_hooks_count(void);
const struct fsb_hook *fsb_hook_get(unsigned int index);

#endif /* FSB_HOOKS_H */
