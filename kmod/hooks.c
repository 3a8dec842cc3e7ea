// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/printk.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "block.h"
#include "hooks.h"

/**
 * fsb_hooks_count() - number of hooks
 *
 * Return: how many fsb_hook_get() knows.
 */
unsigned int fsb_hooks_count(void)
{
	return FSB_BLOCK_HOOKS;
}

/**
 * fsb_hook_get() - one hook
 * @index: 0 to fsb_hooks_count() - 1
 *
 * Context: its @attached is stable under target.c's lock only.
 * Return: the hook.
 */
const struct fsb_hook *fsb_hook_get(unsigned int index)
{
	return &fsb_block_hooks[index];
}

static void fsb_hook_match(struct tracepoint *tracepoint, void *data)
{
	unsigned int i;

	for (i = 0; i < FSB_BLOCK_HOOKS; i++)
		if (!strcmp(tracepoint->name, fsb_block_hooks[i].name))
			fsb_block_hooks[i].tracepoint = tracepoint;
}

/**
 * fsb_hooks_find() - look all tracepoints up, once, when the module loads
 *
 * Return: 0, or -EUNATCH when a required one is missing (said in the log).
 */
int fsb_hooks_find(void)
{
	unsigned int i;

	for_each_kernel_tracepoint(fsb_hook_match, NULL);
	for (i = 0; i < FSB_BLOCK_HOOKS; i++) {
		if (fsb_block_hooks[i].tracepoint || !fsb_block_hooks[i].required)
			continue;
		pr_err("tracepoint %s is missing; the kernel needs CONFIG_BLOCK and CONFIG_TRACEPOINTS\n",
		       fsb_block_hooks[i].name);
		return -EUNATCH;
	}
	return 0;
}

/**
 * fsb_hooks_attach() - register all probes, in the order of their table
 *
 * An optional hook that cannot be attached is left out and says so in the log.
 *
 * Context: process context, target.c's lock held.
 * Return: 0, or the error of a required hook, then nothing is attached.
 */
int fsb_hooks_attach(void)
{
	struct fsb_hook *hook;
	unsigned int i;
	int err;

	for (i = 0; i < FSB_BLOCK_HOOKS; i++) {
		hook = &fsb_block_hooks[i];
		if (!hook->tracepoint || hook->attached)
			continue;
		err = tracepoint_probe_register(hook->tracepoint, hook->probe, NULL);
		if (err)
			pr_warn("tracepoint %s: cannot attach: %d\n", hook->name, err);
		if (err && hook->required) {
			fsb_hooks_detach();
			return err;
		}
		hook->attached = !err;
	}
	return 0;
}

/**
 * fsb_hooks_detach() - unregister all probes and wait for those that run
 *
 * Context: process context, target.c's lock held.
 */
void fsb_hooks_detach(void)
{
	struct fsb_hook *hook;
	unsigned int i;

	for (i = FSB_BLOCK_HOOKS; i-- > 0;) {
		hook = &fsb_block_hooks[i];
		if (!hook->attached)
			continue;
		tracepoint_probe_unregister(hook->tracepoint, hook->probe, NULL);
		hook->attached = false;
	}
	tracepoint_synchronize_unregister();
}
