// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/netlink.h>
#include <linux/user_namespace.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>

#include <fsbstat_version.h>

#include "dump.h"
#include "fill.h"
#include "fs.h"
#include "fsync.h"
#include "netlink.h"
#include "target.h"

static bool unprivileged_read;
module_param(unprivileged_read, bool, 0644);
MODULE_PARM_DESC(unprivileged_read,
		 "every user may read counters (default: CAP_PERFMON or CAP_SYS_ADMIN)");

static struct netlink_range_validation fsb_minor_range = { .max = (1U << MINORBITS) - 1 };
static struct netlink_range_validation fsb_fd_range = { .max = INT_MAX };

static const struct nla_policy fsb_module_policy[] = {
	[FSBSTAT_A_ABI] = { .type = NLA_U32 },
};

static const struct nla_policy fsb_read_policy[] = {
	[FSBSTAT_A_ABI] = { .type = NLA_U32 },
	[FSBSTAT_A_MAJOR] = NLA_POLICY_MAX(NLA_U32, (1U << (32 - MINORBITS)) - 1),
	[FSBSTAT_A_MINOR] = NLA_POLICY_FULL_RANGE(NLA_U32, &fsb_minor_range),
};

static const struct nla_policy fsb_add_policy[] = {
	[FSBSTAT_A_ABI] = { .type = NLA_U32 },
	[FSBSTAT_A_PERMANENT] = { .type = NLA_FLAG },
	[FSBSTAT_A_FD] = NLA_POLICY_FULL_RANGE(NLA_U32, &fsb_fd_range),
	[FSBSTAT_A_LAYERS] = NLA_POLICY_MASK(NLA_U32, FSBSTAT_LAYERS_ALL),
};

static const struct nla_policy fsb_del_policy[] = {
	[FSBSTAT_A_ABI] = { .type = NLA_U32 },
	[FSBSTAT_A_MAJOR] = NLA_POLICY_MAX(NLA_U32, (1U << (32 - MINORBITS)) - 1),
	[FSBSTAT_A_MINOR] = NLA_POLICY_FULL_RANGE(NLA_U32, &fsb_minor_range),
	[FSBSTAT_A_PERMANENT] = { .type = NLA_FLAG },
};

static const struct nla_policy fsb_set_policy[] = {
	[FSBSTAT_A_ABI] = { .type = NLA_U32 },
	[FSBSTAT_A_MAJOR] = NLA_POLICY_MAX(NLA_U32, (1U << (32 - MINORBITS)) - 1),
	[FSBSTAT_A_MINOR] = NLA_POLICY_FULL_RANGE(NLA_U32, &fsb_minor_range),
	[FSBSTAT_A_WRITE_CACHE] = NLA_POLICY_MAX(NLA_U8, FSBSTAT_WRITE_CACHE_MAX),
};

/**
 * fsb_may_read() - whether a reader may see counters
 * @skb: the request
 * @processes: they name processes
 * @uid: set to the reader's account in fsb_copy_alloc()
 * @extack: gets the reason of a refusal
 *
 * A user namespace has as many users as it likes, each with an account of its own: they are
 * refused.
 *
 * Return: 0 or -EPERM.
 */
int fsb_may_read(struct sk_buff *skb, bool processes, kuid_t *uid, struct netlink_ext_ack *extack)
{
	*uid = INVALID_UID;
	if (netlink_capable(skb, CAP_PERFMON) || netlink_capable(skb, CAP_SYS_ADMIN))
		return 0;
	*uid = NETLINK_CB(skb).creds.uid;
	if (!processes && unprivileged_read && current_user_ns() == &init_user_ns)
		return 0;
	if (processes)
		NL_SET_ERR_MSG(extack,
			       "this names processes: it needs CAP_PERFMON or CAP_SYS_ADMIN");
	else
		NL_SET_ERR_MSG(extack, "reading needs CAP_PERFMON or CAP_SYS_ADMIN");
	return -EPERM;
}

/* CAP_NET_ADMIN would not do: containers on the host's network have it. */
static int fsb_may_change(struct sk_buff *skb, struct netlink_ext_ack *extack)
{
	if (netlink_capable(skb, CAP_SYS_ADMIN))
		return 0;
	NL_SET_ERR_MSG(extack, "watching a disk needs CAP_SYS_ADMIN");
	return -EPERM;
}

/**
 * fsb_check_abi() - refuse a request of another ABI
 * @attrs: of the request
 * @extack: gets both numbers
 *
 * Return: 0 or -EPROTO.
 */
int fsb_check_abi(struct nlattr **attrs, struct netlink_ext_ack *extack)
{
	u32 abi = attrs[FSBSTAT_A_ABI] ? nla_get_u32(attrs[FSBSTAT_A_ABI]) : 0;

	if (abi == FSBSTAT_ABI)
		return 0;
	fsb_extack_printf(extack, "the module speaks ABI %u, the request ABI %u", FSBSTAT_ABI, abi);
	return -EPROTO;
}

/**
 * fsb_get_dev() - the disk a request names
 * @attrs: of the request
 * @dev: where to
 * @extack: gets the reason of a refusal
 *
 * Return: 0, or -EINVAL when it names none.
 */
int fsb_get_dev(struct nlattr **attrs, dev_t *dev, struct netlink_ext_ack *extack)
{
	if (!attrs[FSBSTAT_A_MAJOR] || !attrs[FSBSTAT_A_MINOR]) {
		NL_SET_ERR_MSG(extack, "MAJOR and MINOR of a disk are needed");
		return -EINVAL;
	}
	*dev = MKDEV(nla_get_u32(attrs[FSBSTAT_A_MAJOR]), nla_get_u32(attrs[FSBSTAT_A_MINOR]));
	return 0;
}

static int fsb_request_dev(struct genl_info *info, dev_t *dev)
{
	int err = fsb_check_abi(info->attrs, info->extack);

	return err ?: fsb_get_dev(info->attrs, dev, info->extack);
}

/* Room for a reply of one message; *header is for genlmsg_end(). */
static struct sk_buff *fsb_reply_alloc(struct genl_info *info, u8 cmd, void **header)
{
	struct sk_buff *skb = genlmsg_new(FSBSTAT_MSG_MAX, GFP_KERNEL);

	if (!skb)
		return NULL;
	*header = genlmsg_put_reply(skb, info, &fsb_family, 0, cmd);
	return skb;
}

static int fsb_reply(struct genl_info *info, u8 cmd, int (*fill)(struct sk_buff *, const void *),
		     const void *data)
{
	void *header;
	struct sk_buff *skb = fsb_reply_alloc(info, cmd, &header);

	if (!skb)
		return -ENOMEM;
	if (fill(skb, data)) {
		nlmsg_free(skb);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, header);
	return genlmsg_reply(skb, info);
}

static int fsb_module_get(struct sk_buff *skb, struct genl_info *info)
{
	struct fsb_module_info module = { .unprivileged_read = unprivileged_read };
	kuid_t uid;
	int err = fsb_may_read(skb, false, &uid, info->extack);

	if (err)
		return err;
	fsb_targets_describe(&module.targets);
	module.targets.memory += fsb_fs_memory() + fsb_fsync_memory();
	return fsb_reply(info, FSBSTAT_CMD_MODULE_GET, fsb_fill_module, &module);
}

static u32 fsb_layers(struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[FSBSTAT_A_LAYERS];

	return attr ? nla_get_u32(attr) | FSBSTAT_LAYER_REQUEST : FSBSTAT_LAYERS_ALL;
}

static u32 fsb_holder(struct genl_info *info)
{
	return info->attrs[FSBSTAT_A_PERMANENT] ? FSB_PERMANENT : info->snd_portid;
}

/*
 * Once the reference is taken nothing fails: all memory has been had before, and a reply that
 * finds the receive buffer full is lost with its acknowledgment.  Taking the reference back then
 * would take the permanent one from the reader who had it first.
 */
static int fsb_disk_add_file(struct genl_info *info, struct file *file)
{
	const struct fsb_claim claim = { .portid = fsb_holder(info), .layers = fsb_layers(info) };
	struct block_device *bdev = fsb_bdev_of_file(file);
	struct fsb_target_info target;
	struct sk_buff *reply;
	void *header;
	int err;

	if (!bdev) {
		NL_SET_ERR_MSG(info->extack, "FD is not an open block device");
		return -ENOTBLK;
	}
	reply = fsb_reply_alloc(info, FSBSTAT_CMD_DISK_ADD, &header);
	if (!reply)
		return -ENOMEM;
	err = fsb_target_add(bdev, &claim, &target, info->extack);
	if (err) {
		nlmsg_free(reply);
		return err;
	}
	WARN_ON_ONCE(fsb_fill_disk(reply, &target));	/* one DISK fits into any message */
	genlmsg_end(reply, header);
	genlmsg_reply(reply, info);
	return 0;
}

/*
 * A request runs in the process that sends it.  Nothing is opened here: generic netlink holds a
 * lock that every family which registers waits for, and an open may load a module with a family.
 */
static int fsb_disk_add(struct sk_buff *skb, struct genl_info *info)
{
	struct file *file;
	int err;

	err = fsb_may_change(skb, info->extack) ?: fsb_check_abi(info->attrs, info->extack);
	if (err)
		return err;
	if (!info->attrs[FSBSTAT_A_FD]) {
		NL_SET_ERR_MSG(info->extack, "FD, a descriptor of the disk, is needed");
		return -EINVAL;
	}
	file = fget(nla_get_u32(info->attrs[FSBSTAT_A_FD]));
	if (!file) {
		NL_SET_ERR_MSG(info->extack, "FD is not open in the sending process");
		return -EBADF;
	}
	err = fsb_disk_add_file(info, file);
	fput(file);
	return err;
}

static int fsb_disk_del(struct sk_buff *skb, struct genl_info *info)
{
	dev_t dev;
	int err;

	err = fsb_may_change(skb, info->extack) ?: fsb_request_dev(info, &dev);
	return err ?: fsb_target_del(dev, fsb_holder(info), info->extack);
}

static int fsb_disk_get(struct sk_buff *skb, struct genl_info *info)
{
	struct fsb_target_info target;
	kuid_t uid;
	dev_t dev;
	int err;

	err = fsb_may_read(skb, false, &uid, info->extack) ?: fsb_request_dev(info, &dev);
	if (err)
		return err;
	err = fsb_target_describe(dev, &target);
	if (err) {
		NL_SET_ERR_MSG(info->extack, "the disk is not being watched");
		return err;
	}
	return fsb_reply(info, FSBSTAT_CMD_DISK_GET, fsb_fill_disk, &target);
}

static int fsb_tell_write_cache(struct fsb_disk_stats *stats, const struct fsb_target_info *info,
				void *arg)
{
	fsb_settings_tell(&stats->settings, *(const u8 *)arg);
	return 0;
}

static int fsb_disk_set(struct sk_buff *skb, struct genl_info *info)
{
	u8 write_cache;
	dev_t dev;
	int err;

	err = fsb_may_change(skb, info->extack) ?: fsb_request_dev(info, &dev);
	if (err)
		return err;
	if (!info->attrs[FSBSTAT_A_WRITE_CACHE]) {
		NL_SET_ERR_MSG(info->extack, "WRITE_CACHE is needed");
		return -EINVAL;
	}
	write_cache = nla_get_u8(info->attrs[FSBSTAT_A_WRITE_CACHE]);
	err = fsb_target_read(dev, fsb_tell_write_cache, &write_cache);
	if (err)
		NL_SET_ERR_MSG(info->extack, "the disk is not being watched");
	return err;
}

static const struct genl_ops fsb_ops[] = {
	{
		/* Which ABI and which hooks; a reader's first question. */
		.cmd = FSBSTAT_CMD_MODULE_GET,
		.policy = fsb_module_policy,
		.maxattr = ARRAY_SIZE(fsb_module_policy) - 1,
		.doit = fsb_module_get,
	},
	{
		/* Takes memory and puts work on the I/O path: always privileged. */
		.cmd = FSBSTAT_CMD_DISK_ADD,
		.policy = fsb_add_policy,
		.maxattr = ARRAY_SIZE(fsb_add_policy) - 1,
		.doit = fsb_disk_add,
	},
	{
		/* Can end another's counting (the permanent reference): privileged. */
		.cmd = FSBSTAT_CMD_DISK_DEL,
		.policy = fsb_del_policy,
		.maxattr = ARRAY_SIZE(fsb_del_policy) - 1,
		.doit = fsb_disk_del,
	},
	{
		/* Names of disks; opened by unprivileged_read. */
		.cmd = FSBSTAT_CMD_DISK_GET,
		.policy = fsb_read_policy,
		.maxattr = ARRAY_SIZE(fsb_read_policy) - 1,
		.doit = fsb_disk_get,
		.start = fsb_dump_start,
		.dumpit = fsb_dumpit,
		.done = fsb_dump_done,
	},
	{
		/* Counters are a side channel; opened by unprivileged_read. */
		.cmd = FSBSTAT_CMD_SNAPSHOT_GET,
		.policy = fsb_read_policy,
		.maxattr = ARRAY_SIZE(fsb_read_policy) - 1,
		.start = fsb_dump_start,
		.dumpit = fsb_dumpit,
		.done = fsb_dump_done,
	},
	{
		/* Names processes and says what they do: always privileged. */
		.cmd = FSBSTAT_CMD_OWNERS_GET,
		.policy = fsb_read_policy,
		.maxattr = ARRAY_SIZE(fsb_read_policy) - 1,
		.start = fsb_dump_start,
		.dumpit = fsb_dumpit,
		.done = fsb_dump_done,
	},
	{
		/* Counters are a side channel; opened by unprivileged_read. */
		.cmd = FSBSTAT_CMD_FS_GET,
		.policy = fsb_module_policy,
		.maxattr = ARRAY_SIZE(fsb_module_policy) - 1,
		.start = fsb_dump_start,
		.dumpit = fsb_dumpit,
		.done = fsb_dump_done,
	},
	{
		/* Names processes and says what they do: always privileged. */
		.cmd = FSBSTAT_CMD_CALLERS_GET,
		.policy = fsb_module_policy,
		.maxattr = ARRAY_SIZE(fsb_module_policy) - 1,
		.start = fsb_dump_start,
		.dumpit = fsb_dumpit,
		.done = fsb_dump_done,
	},
	{
		/* All readers believe what is told here: privileged. */
		.cmd = FSBSTAT_CMD_DISK_SET,
		.policy = fsb_set_policy,
		.maxattr = ARRAY_SIZE(fsb_set_policy) - 1,
		.doit = fsb_disk_set,
	},
};

static const struct genl_multicast_group fsb_groups[] = {
	{ .name = FSBSTAT_MCGRP_EVENTS },
};

struct genl_family fsb_family __ro_after_init = {
	.name = FSBSTAT_GENL_NAME,
	.version = FSBSTAT_GENL_VERSION,
	.module = THIS_MODULE,
	.ops = fsb_ops,
	.n_ops = ARRAY_SIZE(fsb_ops),
	.mcgrps = fsb_groups,
	.n_mcgrps = ARRAY_SIZE(fsb_groups),
	.maxattr = FSBSTAT_A_MAX,
	/* Attaching hooks waits for grace periods: not under the mutex all families share. */
	.parallel_ops = true,
	.netnsok = false,
};

/**
 * fsb_netlink_event() - tell the events group
 * @event: %FSBSTAT_CMD_DISK_ADDED and its like
 * @info: the disk
 *
 * Context: process context, may sleep.
 */
void fsb_netlink_event(u8 event, const struct fsb_target_info *info)
{
	struct sk_buff *skb = genlmsg_new(GENLMSG_DEFAULT_SIZE, GFP_KERNEL);
	void *header;

	if (!skb)
		return;
	header = genlmsg_put(skb, 0, 0, &fsb_family, 0, event);
	if (!header || fsb_fill_disk(skb, info)) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, header);
	genlmsg_multicast(&fsb_family, skb, 0, 0, GFP_KERNEL);
}

static int fsb_netlink_release(struct notifier_block *block, unsigned long event, void *data)
{
	struct netlink_notify *notify = data;

	if (event == NETLINK_URELEASE && notify->protocol == NETLINK_GENERIC &&
	    net_eq(notify->net, &init_net))
		fsb_targets_release_socket(notify->portid);
	return NOTIFY_DONE;
}

static struct notifier_block fsb_netlink_notifier = {
	.notifier_call = fsb_netlink_release,
};

/**
 * fsb_netlink_init() - register the family
 *
 * Return: 0 or an error.
 */
int __init fsb_netlink_init(void)
{
	int err = netlink_register_notifier(&fsb_netlink_notifier);

	if (err)
		return err;
	err = genl_register_family(&fsb_family);
	if (err)
		netlink_unregister_notifier(&fsb_netlink_notifier);
	return err;
}

/**
 * fsb_netlink_exit() - unregister the family; no request runs afterwards
 */
void __exit fsb_netlink_exit(void)
{
	genl_unregister_family(&fsb_family);
	netlink_unregister_notifier(&fsb_netlink_notifier);
}
