// SPDX-License-Identifier: GPL-2.0-only
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/fs.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "compat/compat.h"
#include "fs.h"
#include "fsync.h"

/*
 * A function and, where it is not built in, its module.  @missed is of former times that
 * @probe was registered; it is wiped before each.
 */
struct fsb_fsync {
	const char *name;
	const char *module;
	bool found;
	bool attached;
#ifdef FSB_HAVE_KRETPROBE
	u64 missed;
	struct kretprobe probe;
#endif
};

/* The address of each is taken (->fsync), so none is inlined.  All take the file first. */
static struct fsb_fsync fsb_fsyncs[] = {
	{ .name = "ext4_sync_file", .module = "ext4" },
	{ .name = "xfs_file_fsync", .module = "xfs" },
	{ .name = "xfs_dir_fsync", .module = "xfs" },
	{ .name = "btrfs_sync_file", .module = "btrfs" },
	{ .name = "f2fs_sync_file", .module = "f2fs" },
};

static DEFINE_MUTEX(fsb_fsync_lock);

/**
 * fsb_fsync_count() - number of functions
 *
 * Return: how many fsb_fsync_describe() knows.
 */
unsigned int fsb_fsync_count(void)
{
	return ARRAY_SIZE(fsb_fsyncs);
}

/**
 * fsb_fsync_describe() - one function
 * @index: 0 to fsb_fsync_count() - 1
 * @function: where to
 *
 * Context: process context, may sleep.
 */
void fsb_fsync_describe(unsigned int index, struct fsb_function *function)
{
	const struct fsb_fsync *fsync = &fsb_fsyncs[index];

	mutex_lock(&fsb_fsync_lock);
	function->name = fsync->name;
	function->found = fsync->found;
	function->attached = fsync->attached;
	mutex_unlock(&fsb_fsync_lock);
}

#ifdef FSB_HAVE_KRETPROBE

static bool fsb_fsync_wanted;

/* What a call carries from its entry to its return. */
struct fsb_fsync_call {
	struct fsb_fs_row *row;
	u64 start;
};

/*
 * Anything but 0 says that the return does not matter.  The clock is the one that may be
 * read in an NMI, see probe_lock.h; it may run back by nanoseconds.
 */
static int fsb_fsync_enter(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct file *file = (const struct file *)regs_get_kernel_argument(regs, 0);
	struct fsb_fsync_call *call = (struct fsb_fsync_call *)instance->data;

	call->row = fsb_fs_enter(file_inode(file)->i_sb);
	call->start = ktime_get_mono_fast_ns();
	return !call->row;
}

static int fsb_fsync_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct fsb_fsync_call *call = (const struct fsb_fsync_call *)instance->data;
	u64 now = ktime_get_mono_fast_ns();

	fsb_fs_return(call->row, now > call->start ? now - call->start : 0,
		      (int)regs_return_value(regs) < 0);
	return 0;
}

/* A kprobe that is never armed tells whether the function is there. */
static void fsb_fsync_look(struct fsb_fsync *fsync)
{
	struct kprobe *probe = &fsync->probe.kp;

	memset(probe, 0, sizeof(*probe));
	probe->symbol_name = fsync->name;
	probe->flags = KPROBE_FLAG_DISABLED;
	fsync->found = !register_kprobe(probe);
	if (fsync->found)
		unregister_kprobe(probe);
}

static void fsb_fsync_attach_one(struct fsb_fsync *fsync)
{
	int err;

	if (!fsync->found || fsync->attached)
		return;
	memset(&fsync->probe, 0, sizeof(fsync->probe));
	fsync->probe.kp.symbol_name = fsync->name;
	fsync->probe.entry_handler = fsb_fsync_enter;
	fsync->probe.handler = fsb_fsync_return;
	fsync->probe.data_size = sizeof(struct fsb_fsync_call);
	fsync->probe.maxactive = FSB_FSYNC_CALLS;
	err = register_kretprobe(&fsync->probe);
	if (err)
		pr_warn("function %s: cannot attach: %d\n", fsync->name, err);
	fsync->attached = !err;
}

static u64 fsb_fsync_missed_now(const struct fsb_fsync *fsync)
{
	if (!fsync->attached)
		return 0;
	return (u64)READ_ONCE(fsync->probe.nmissed) + READ_ONCE(fsync->probe.kp.nmissed);
}

/*
 * Waits until no handler runs.  Calls that sleep in a function return through the kernel's
 * own trampoline and reach no handler any more.
 */
static void fsb_fsync_detach_where(const char *module)
{
	struct kretprobe *probes[ARRAY_SIZE(fsb_fsyncs)];
	unsigned int i;
	int nr = 0;

	for (i = 0; i < ARRAY_SIZE(fsb_fsyncs); i++)
		if (fsb_fsyncs[i].attached && (!module || !strcmp(fsb_fsyncs[i].module, module)))
			probes[nr++] = &fsb_fsyncs[i].probe;
	if (!nr)
		return;
	unregister_kretprobes(probes, nr);
	while (nr-- > 0) {
		struct fsb_fsync *fsync = container_of(probes[nr], struct fsb_fsync, probe);

		fsync->missed += fsb_fsync_missed_now(fsync);
		fsync->attached = false;
	}
}

static int fsb_fsync_module_event(struct notifier_block *block, unsigned long event, void *data)
{
	const struct module *mod = data;
	unsigned int i;

	mutex_lock(&fsb_fsync_lock);
	if (event == MODULE_STATE_GOING)
		fsb_fsync_detach_where(mod->name);
	for (i = 0; i < ARRAY_SIZE(fsb_fsyncs); i++) {
		struct fsb_fsync *fsync = &fsb_fsyncs[i];

		if (strcmp(fsync->module, mod->name))
			continue;
		if (event == MODULE_STATE_GOING)
			fsync->found = false;
		else if (event == MODULE_STATE_COMING)
			fsb_fsync_look(fsync);
		if (event == MODULE_STATE_COMING && fsb_fsync_wanted)
			fsb_fsync_attach_one(fsync);
	}
	mutex_unlock(&fsb_fsync_lock);
	return NOTIFY_OK;
}

/*
 * After the kernel's own notifier of kprobes, which knows of the module's code when it
 * comes and has let go of it when it goes.
 */
static struct notifier_block fsb_fsync_notifier = {
	.notifier_call = fsb_fsync_module_event,
	.priority = -1,
};

/**
 * fsb_fsync_init() - look all functions up when the module loads
 *
 * Return: 0 or an error.
 */
int __init fsb_fsync_init(void)
{
	unsigned int i;
	int err;

	err = register_module_notifier(&fsb_fsync_notifier);
	if (err)
		return err;
	mutex_lock(&fsb_fsync_lock);
	for (i = 0; i < ARRAY_SIZE(fsb_fsyncs); i++)
		if (!fsb_fsyncs[i].found)
			fsb_fsync_look(&fsb_fsyncs[i]);
	mutex_unlock(&fsb_fsync_lock);
	return 0;
}

/**
 * fsb_fsync_exit() - look no more for modules
 *
 * Context: process context, no disk watched.
 */
void fsb_fsync_exit(void)
{
	unregister_module_notifier(&fsb_fsync_notifier);
}

/**
 * fsb_fsync_attach() - probe all functions that are there, and those to come
 *
 * One that cannot be probed says so in the log.
 *
 * Context: process context, after fsb_fs_get().
 */
void fsb_fsync_attach(void)
{
	unsigned int i;

	mutex_lock(&fsb_fsync_lock);
	fsb_fsync_wanted = true;
	for (i = 0; i < ARRAY_SIZE(fsb_fsyncs); i++)
		fsb_fsync_attach_one(&fsb_fsyncs[i]);
	mutex_unlock(&fsb_fsync_lock);
}

/**
 * fsb_fsync_detach() - probe nothing any more, and wait for handlers that run
 *
 * Context: process context, before fsb_fs_put().
 */
void fsb_fsync_detach(void)
{
	mutex_lock(&fsb_fsync_lock);
	fsb_fsync_wanted = false;
	fsb_fsync_detach_where(NULL);
	mutex_unlock(&fsb_fsync_lock);
}

/**
 * fsb_fsync_missed() - calls that went unseen for want of a free probe instance
 *
 * Context: process context, may sleep.
 * Return: since the module was loaded.
 */
u64 fsb_fsync_missed(void)
{
	unsigned int i;
	u64 missed = 0;

	mutex_lock(&fsb_fsync_lock);
	for (i = 0; i < ARRAY_SIZE(fsb_fsyncs); i++)
		missed += fsb_fsyncs[i].missed + fsb_fsync_missed_now(&fsb_fsyncs[i]);
	mutex_unlock(&fsb_fsync_lock);
	return missed;
}

/**
 * fsb_fsync_memory() - what the probe instances take now
 *
 * Context: process context, may sleep.
 * Return: bytes.
 */
size_t fsb_fsync_memory(void)
{
	const size_t instance = sizeof(struct kretprobe_instance) + sizeof(struct fsb_fsync_call);
	unsigned int i;
	size_t size = 0;

	mutex_lock(&fsb_fsync_lock);
	for (i = 0; i < ARRAY_SIZE(fsb_fsyncs); i++)
		if (fsb_fsyncs[i].attached)
			size += FSB_FSYNC_CALLS * instance;
	mutex_unlock(&fsb_fsync_lock);
	return size;
}

#else /* FSB_HAVE_KRETPROBE: all functions are reported as missing */

int __init fsb_fsync_init(void)
{
	return 0;
}

void fsb_fsync_exit(void)
{
}

void fsb_fsync_attach(void)
{
}

void fsb_fsync_detach(void)
{
}

u64 fsb_fsync_missed(void)
{
	return 0;
}

size_t fsb_fsync_memory(void)
{
	return 0;
}

#endif /* FSB_HAVE_KRETPROBE */
