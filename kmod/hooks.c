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
#include "bio.h"
#include "fs.h"
#include "fsync.h"
#include "hooks.h"
#include "request.h"
#include "scsi.h"

/* In the order of attaching, within a table too. */
static const struct fsb_hook_table {
	struct fsb_hook *hooks;
	unsigned int nr;
	u32 layer;
} fsb_hook_tables[] = {
	{ fsb_request_hooks, FSB_REQUEST_HOOKS, FSBSTAT_LAYER_REQUEST },
	{ fsb_bio_hooks, FSB_BIO_HOOKS, FSBSTAT_LAYER_BIO },
	{ fsb_ata_hooks, FSB_ATA_HOOKS, FSBSTAT_LAYER_DRIVE },
	{ fsb_fs_hooks, FSB_FS_HOOKS, FSBSTAT_LAYER_FS },
	{ fsb_scsi_hooks, FSB_SCSI_HOOKS, FSBSTAT_LAYER_DRIVE },
};

#define FSB_HOOKS \
	(FSB_REQUEST_HOOKS + FSB_BIO_HOOKS + FSB_ATA_HOOKS + FSB_FS_HOOKS + FSB_SCSI_HOOKS)

static DEFINE_MUTEX(fsb_hooks_lock);
static u32 fsb_hooks_layers;

/**
 * fsb_hooks_count() - number of hooks
 *
 * Return: how many fsb_hook_get() knows.
 */
unsigned int fsb_hooks_count(void)
{
	return FSB_HOOKS;
}

static const struct fsb_hook_table *fsb_hook_table(unsigned int *index)
{
	const struct fsb_hook_table *table = fsb_hook_tables;

	while (*index >= table->nr)
		*index -= table++->nr;
	return table;
}

static struct fsb_hook *fsb_hook(unsigned int index)
{
	const struct fsb_hook_table *table = fsb_hook_table(&index);

	return &table->hooks[index];
}

static bool fsb_hook_wanted(unsigned int index)
{
	return fsb_hook_table(&index)->layer & fsb_hooks_layers;
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
		if (fsb_hook(i)->owner == mod && fsb_hook_wanted(i))
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

static void fsb_hooks_detach_unwanted(void)
{
	unsigned int i;

	if (!(fsb_hooks_layers & FSBSTAT_LAYER_FS)) {
		fsb_fs_counting(false);
		fsb_fsync_detach();
	}
	for (i = FSB_HOOKS; i-- > 0;)
		if (!fsb_hook_wanted(i))
			fsb_hook_detach(fsb_hook(i));
	tracepoint_synchronize_unregister();
}

static int fsb_hooks_attach_wanted(u32 gained)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < FSB_HOOKS && !err; i++)
		if (fsb_hook_wanted(i))
			err = fsb_hook_attach(fsb_hook(i));
	if (!err && gained & FSBSTAT_LAYER_FS) {
		fsb_fsync_attach();
		fsb_fs_counting(true);
	}
	return err;
}

/**
 * fsb_hooks_want() - have the probes of these layers registered, and no other
 * @layers: %FSBSTAT_LAYER_REQUEST and so on; 0: none
 *
 * They are attached in the order of their tables, fsync last, and detached in the reverse one;
 * those that ran are waited for.  An optional hook that cannot be attached is left out and says
 * so in the log.
 *
 * Context: process context, target.c's lock held.
 * Return: 0, or the error of a required hook, then all is as it was.
 */
int fsb_hooks_want(u32 layers)
{
	u32 before, gained, lost;
	int err = 0;

	mutex_lock(&fsb_hooks_lock);
	before = fsb_hooks_layers;
	fsb_hooks_layers = layers;
	lost = before & ~layers;
	gained = layers & ~before;
	if (gained)
		err = fsb_hooks_attach_wanted(gained);
	if (err) {
		lost = gained;
		fsb_hooks_layers = before;
	}
	if (lost)
		fsb_hooks_detach_unwanted();
	mutex_unlock(&fsb_hooks_lock);
	return err;
}
