// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/init.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "ata.h"
#include "block.h"
#include "fs.h"
#include "fsync.h"
#include "hooks.h"
#include "scsi.h"

/* In the order of attaching, within a table too. */
static const struct fsb_hook_table {
	struct fsb_hook *hooks;
	unsigned int nr;
} fsb_hook_tables[] = {
	{ fsb_block_hooks, FSB_BLOCK_HOOKS },
	{ fsb_ata_hooks, FSB_ATA_HOOKS },
	{ fsb_fs_hooks, FSB_FS_HOOKS },
	{ fsb_scsi_hooks, FSB_SCSI_HOOKS },
};

#define FSB_HOOKS (FSB_BLOCK_HOOKS + FSB_ATA_HOOKS + FSB_FS_HOOKS + FSB_SCSI_HOOKS)

static DEFINE_MUTEX(fsb_hooks_lock);
static bool fsb_hooks_wanted;

/**
 * fsb_hooks_count() - number of hooks
 *
 * Return: how many fsb_hook_get() knows.
 */
unsigned int fsb_hooks_count(void)
{
	return FSB_HOOKS;
}

static struct fsb_hook *fsb_hook(unsigned int index)
{
	const struct fsb_hook_table *table = fsb_hook_tables;

	while (index >= table->nr)
		index -= table++->nr;
	return &table->hooks[index];
}

/**
 * fsb_hook_get() - one hook
 * @index: 0 to fsb_hooks_count() - 1
 *
 * Context: any; its state may change at any time.
 * Return: the hook.
 */
const struct fsb_hook *fsb_hook_get(unsigned int index)
{
	return fsb_hook(index);
}

static void fsb_hook_match(struct tracepoint *tracepoint, void *owner)
{
	unsigned int i;

	for (i = 0; i < FSB_HOOKS; i++) {
		/* The first of a name stays: the probe may be attached to it. */
		if (fsb_hook(i)->tracepoint || strcmp(tracepoint->name, fsb_hook(i)->name))
			continue;
		fsb_hook(i)->tracepoint = tracepoint;
		fsb_hook(i)->owner = owner;
	}
}

static int fsb_hook_attach(struct fsb_hook *hook)
{
	int err;

	if (!hook->tracepoint || hook->attached)
		return 0;
	err = tracepoint_probe_register(hook->tracepoint, hook->probe, NULL);
	if (err)
		pr_warn("tracepoint %s: cannot attach: %d\n", hook->name, err);
	hook->attached = !err;
	return hook->required ? err : 0;
}

static void fsb_hook_detach(struct fsb_hook *hook)
{
	if (hook->attached)
		tracepoint_probe_unregister(hook->tracepoint, hook->probe, NULL);
	hook->attached = false;
}

static void fsb_module_coming(struct module *mod)
{
	unsigned int i;

	for (i = 0; i < mod->num_tracepoints; i++)
		fsb_hook_match(tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]), mod);
	for (i = 0; i < FSB_HOOKS; i++)
		if (fsb_hook(i)->owner == mod && fsb_hooks_wanted)
			fsb_hook_attach(fsb_hook(i));
}

static void fsb_module_going(const struct module *mod)
{
	bool any = false;
	unsigned int i;

	for (i = FSB_HOOKS; i-- > 0;) {
		if (fsb_hook(i)->owner != mod)
			continue;
		any |= fsb_hook(i)->attached;
		fsb_hook_detach(fsb_hook(i));
		fsb_hook(i)->tracepoint = NULL;
		fsb_hook(i)->owner = NULL;
	}
	if (any)
		tracepoint_synchronize_unregister();
}

static int fsb_module_event(struct notifier_block *block, unsigned long event, void *data)
{
	struct tp_module *tp_module = data;

	mutex_lock(&fsb_hooks_lock);
	if (event == MODULE_STATE_COMING)
		fsb_module_coming(tp_module->mod);
	else if (event == MODULE_STATE_GOING)
		fsb_module_going(tp_module->mod);
	mutex_unlock(&fsb_hooks_lock);
	return NOTIFY_OK;
}

static struct notifier_block fsb_module_notifier = {
	.notifier_call = fsb_module_event,
};

/**
 * fsb_hooks_init() - look all tracepoints up when the module loads
 *
 * Registering the notifier reports every module that is loaded already.
 *
 * Return: 0, or -EUNATCH when a required one is missing (said in the log).
 */
int __init fsb_hooks_init(void)
{
	unsigned int i;

	for_each_kernel_tracepoint(fsb_hook_match, NULL);
	for (i = 0; i < FSB_HOOKS; i++) {
		if (fsb_hook(i)->tracepoint || !fsb_hook(i)->required)
			continue;
		pr_err("tracepoint %s is missing; the kernel needs CONFIG_BLOCK and CONFIG_TRACEPOINTS\n",
		       fsb_hook(i)->name);
		return -EUNATCH;
	}
	return register_tracepoint_module_notifier(&fsb_module_notifier);
}

/**
 * fsb_hooks_exit() - look no more for modules
 *
 * Unregistering reports every loaded module as going.
 *
 * Context: process context, no lock of ours held, no disk watched.
 */
void fsb_hooks_exit(void)
{
	unregister_tracepoint_module_notifier(&fsb_module_notifier);
}

static void fsb_hooks_detach_all(void)
{
	unsigned int i;

	fsb_hooks_wanted = false;
	fsb_fsync_detach();
	for (i = FSB_HOOKS; i-- > 0;)
		fsb_hook_detach(fsb_hook(i));
	tracepoint_synchronize_unregister();
}

/**
 * fsb_hooks_attach() - register all probes, in the order of their tables, fsync last
 *
 * An optional hook that cannot be attached is left out and says so in the log.
 *
 * Context: process context, target.c's lock held.
 * Return: 0, or the error of a required hook, then nothing is attached.
 */
int fsb_hooks_attach(void)
{
	unsigned int i;
	int err = 0;

	mutex_lock(&fsb_hooks_lock);
	fsb_hooks_wanted = true;
	for (i = 0; i < FSB_HOOKS && !err; i++)
		err = fsb_hook_attach(fsb_hook(i));
	if (err)
		fsb_hooks_detach_all();
	else
		fsb_fsync_attach();
	mutex_unlock(&fsb_hooks_lock);
	return err;
}

/**
 * fsb_hooks_detach() - unregister all probes and wait for those that run
 *
 * Context: process context, target.c's lock held.
 */
void fsb_hooks_detach(void)
{
	mutex_lock(&fsb_hooks_lock);
	fsb_hooks_detach_all();
	mutex_unlock(&fsb_hooks_lock);
}
