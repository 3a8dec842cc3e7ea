// SPDX-License-Identifier: GPL-2.0-only
/*
 * faulty: does one wrong thing when it is loaded, to show that the rig's kernels notice, or to
 * bring the module about what is otherwise rare.
 * `insmod faulty.ko fault=NAME [fd=N]`; loaded by tests/vm/rig-selftest, tests/vm/debug-selftest
 * and tests/vm/t/unplug.py.
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/delay.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

static char *fault = "none";
module_param(fault, charp, 0);
MODULE_PARM_DESC(fault, "warn, use_after_free, sleep, lock_order, rcu, leak or request");

static int fd = -1;
module_param(fd, int, 0);
MODULE_PARM_DESC(fd, "of request: the disk, open in the process that loads the module");

static DEFINE_SPINLOCK(first);
static DEFINE_SPINLOCK(second);
static void __rcu *pointer;
static void *volatile lost;

static void fault_warn(void)
{
	WARN(1, "faulty: on purpose\n");
}

static void fault_use_after_free(void)
{
	char *memory = kmalloc(64, GFP_KERNEL);

	if (!memory)
		return;
	OPTIMIZER_HIDE_VAR(memory);
	kfree(memory);
	WRITE_ONCE(memory[8], 1);
}

static void fault_sleep(void)
{
	spin_lock(&first);
	msleep(20);
	spin_unlock(&first);
}

static void fault_lock_order(void)
{
	spin_lock(&first);
	spin_lock(&second);
	spin_unlock(&second);
	spin_unlock(&first);
	spin_lock(&second);
	spin_lock(&first);
	spin_unlock(&first);
	spin_unlock(&second);
}

static void fault_rcu(void)
{
	pr_info("faulty: %p\n", rcu_dereference(pointer));
}

static void fault_leak(void)
{
	lost = kmalloc(200, GFP_KERNEL);
	lost = NULL;
}

/* A request is given to the disk and freed without ever ending, as a clone of dm-multipath is. */
static void fault_request(void)
{
	struct file *disk = fget(fd);
	struct request *rq;

	if (!disk)
		return;
	rq = blk_mq_alloc_request(bdev_get_queue(I_BDEV(disk->f_mapping->host)), REQ_OP_READ, 0);
	if (!IS_ERR(rq)) {
		blk_mq_start_request(rq);
		blk_mq_free_request(rq);
	}
	fput(disk);
}

static const struct {
	const char *name;
	void (*commit)(void);
} faults[] = {
	{ "warn", fault_warn },
	{ "use_after_free", fault_use_after_free },
	{ "sleep", fault_sleep },
	{ "lock_order", fault_lock_order },
	{ "rcu", fault_rcu },
	{ "leak", fault_leak },
	{ "request", fault_request },
};

static int __init faulty_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		if (!strcmp(fault, faults[i].name)) {
			faults[i].commit();
			return 0;
		}
	}
	return -EINVAL;
}

static void __exit faulty_exit(void)
{
}

module_init(faulty_init);
module_exit(faulty_exit);
MODULE_DESCRIPTION("does one wrong thing on purpose");
MODULE_LICENSE("GPL");
