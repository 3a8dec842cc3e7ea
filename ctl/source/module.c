// SPDX-License-Identifier: GPL-2.0-or-later
/* module: fsbstat.ko over generic netlink, see module.h.  Bytes are wire.c's business. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <netlink/attr.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include "disk/device_node.h"
#include "source/wire.h"

#define DUMP_TRIES 5

struct module {
	struct nl_sock *sock;
	int family;
	char error[512];
	const char *hint;
};

/* Takes in the attributes of one reply, see wire.h. */
typedef int (*message_fn)(const void *bytes, size_t len, void *arg, const char **why);

/* One request and all that comes back. */
struct exchange {
	struct module *module;
	message_fn message; /* called per reply; NULL: only an acknowledgment comes */
	void *arg;
	int err;
	bool done;
	bool interrupted; /* what was dumped changed meanwhile */
};

static int fail(struct module *module, int err, const char *hint, const char *text)
{
	snprintf(module->error, sizeof(module->error), "%s", text);
	module->hint = hint;
	return err;
}

/* What the module refuses, in its own words where it has some. */
static int refused(struct module *module, int err, const char *words)
{
	const char *hint = "";

	if (err == -EPERM || err == -EACCES)
		hint = "run it with sudo, or load the module with unprivileged_read=1, which\n"
		       "lets everybody read (not add) what is counted";
	else if (err == -EPROTO)
		hint = "module and fsbctl are of different releases: install both from one";
	else if (err == -ENOENT && !words)
		words = "the module has been unloaded";
	else if (err == -EUNATCH)
		hint = "fsbctl check says which tracepoints this kernel lacks";
	return fail(module, err, hint, words ? words : strerror(-err));
}

/* The one place where libnl's own errors become error numbers. */
static int nl_failed(struct module *module, int nle)
{
	switch (-nle) {
	case NLE_OBJ_NOTFOUND:
		return fail(module, -ENOENT,
			    "sudo modprobe fsbstat (or: sudo insmod fsbstat.ko); fsbctl check says\n"
			    "what is missing",
			    "kernel module fsbstat is not loaded");
	case NLE_NOMEM:
		return fail(module, -ENOMEM, "", strerror(ENOMEM));
	case NLE_PERM:
	case NLE_NOACCESS:
		return refused(module, -EPERM, NULL);
	case NLE_PROTO_MISMATCH:
	case NLE_AF_NOSUPPORT:
		return fail(module, -EOPNOTSUPP, "", "this kernel has no generic netlink");
	default:
		return fail(module, -EIO, "", nl_geterror(nle));
	}
}

static int malformed(struct module *module, const char *what)
{
	char text[128];

	snprintf(text, sizeof(text), "the module's answer makes no sense (%s)", what);
	return fail(module, -EBADMSG, "module and fsbctl should be of one release", text);
}

/* The kernel's own words behind an error (extended acknowledgment), NULL: none. */
static const char *extack_text(struct nlmsghdr *nlh, size_t fixed)
{
	struct nlattr *attr;
	int left;

	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS) || nlmsg_datalen(nlh) < (int)fixed)
		return NULL;
	left = nlmsg_datalen(nlh) - (int)NLMSG_ALIGN(fixed);
	attr = (struct nlattr *)((char *)nlmsg_data(nlh) + NLMSG_ALIGN(fixed));
	attr = nla_find(attr, left, NLMSGERR_ATTR_MSG);
	if (!attr || nla_len(attr) < 1 || !memchr(nla_data(attr), 0, (size_t)nla_len(attr)))
		return NULL;
	return nla_get_string(attr);
}

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *error, void *arg)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)((char *)error - NLMSG_HDRLEN);
	struct exchange *ex = arg;
	size_t fixed = sizeof(*error);

	(void)from;
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED))
		fixed += error->msg.nlmsg_len - sizeof(error->msg);
	ex->err = refused(ex->module, error->error, extack_text(nlh, fixed));
	ex->done = true;
	return NL_STOP;
}

static int on_ack(struct nl_msg *msg, void *arg)
{
	struct exchange *ex = arg;

	(void)msg;
	ex->done = true;
	return NL_STOP;
}

/* The end of a dump carries its error. */
static int on_finish(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *nlh = nlmsg_hdr(msg);
	struct exchange *ex = arg;
	int err = 0;

	ex->done = true;
	if (nlmsg_datalen(nlh) >= (int)sizeof(err))
		memcpy(&err, nlmsg_data(nlh), sizeof(err));
	if (err < 0 && !ex->err)
		ex->err = refused(ex->module, err, extack_text(nlh, sizeof(err)));
	return NL_STOP;
}

static int on_interrupted(struct nl_msg *msg, void *arg)
{
	struct exchange *ex = arg;

	(void)msg;
	ex->interrupted = true;
	return NL_OK;
}

/* After a bad message the rest is still read, or the next exchange would meet it. */
static int on_message(struct nl_msg *msg, void *arg)
{
	struct genlmsghdr *header = genlmsg_hdr(nlmsg_hdr(msg));
	struct exchange *ex = arg;
	const char *why = "";
	int err;

	if (ex->err || !ex->message)
		return NL_SKIP;
	if (!genlmsg_valid_hdr(nlmsg_hdr(msg), 0)) {
		ex->err = malformed(ex->module, "short message");
		return NL_SKIP;
	}
	err = ex->message(genlmsg_attrdata(header, 0), (size_t)genlmsg_attrlen(header, 0), ex->arg,
			  &why);
	if (err == -EBADMSG)
		ex->err = malformed(ex->module, why);
	else if (err)
		ex->err = fail(ex->module, err, "", strerror(-err));
	return NL_SKIP;
}

static int receive(struct exchange *ex)
{
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);
	int nle = 0;

	if (!cb)
		return nl_failed(ex->module, -NLE_NOMEM);
	nl_cb_err(cb, NL_CB_CUSTOM, on_error, ex);
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, on_message, ex);
	nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, on_ack, ex);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, on_finish, ex);
	nl_cb_set(cb, NL_CB_DUMP_INTR, NL_CB_CUSTOM, on_interrupted, ex);
	while (!ex->done && nle >= 0)
		nle = nl_recvmsgs(ex->module->sock, cb);
	nl_cb_put(cb);
	if (nle < 0 && !ex->done)
		return nl_failed(ex->module, nle);
	return ex->err;
}

/* What a request says beside the ABI. */
struct request {
	uint8_t cmd;
	bool dump;
	bool disk; /* major and minor are sent */
	bool fd_told;
	int fd;
	bool permanent;
	uint32_t layers; /* 0: not sent */
	bool write_cache_told;
	enum fsbstat_write_cache write_cache;
	uint32_t major, minor;
};

static int send_request(struct module *module, const struct request *request)
{
	struct nl_msg *msg = nlmsg_alloc();
	int err = -NLE_NOMEM;

	if (!msg)
		return nl_failed(module, err);
	if (!genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, module->family, 0,
			 request->dump ? NLM_F_DUMP : 0, request->cmd, FSBSTAT_GENL_VERSION))
		goto out;
	err = 0;
	if (request->cmd != FSBSTAT_CMD_MODULE_GET)
		err = nla_put_u32(msg, FSBSTAT_A_ABI, FSBSTAT_ABI);
	if (request->disk && err >= 0)
		err = nla_put_u32(msg, FSBSTAT_A_MAJOR, request->major);
	if (request->disk && err >= 0)
		err = nla_put_u32(msg, FSBSTAT_A_MINOR, request->minor);
	if (request->fd_told && err >= 0)
		err = nla_put_u32(msg, FSBSTAT_A_FD, (uint32_t)request->fd);
	if (request->permanent && err >= 0)
		err = nla_put_flag(msg, FSBSTAT_A_PERMANENT);
	if (request->layers && err >= 0)
		err = nla_put_u32(msg, FSBSTAT_A_LAYERS, request->layers);
	if (request->write_cache_told && err >= 0)
		err = nla_put_u8(msg, FSBSTAT_A_WRITE_CACHE, (uint8_t)request->write_cache);
	if (err >= 0)
		err = nl_send_auto(module->sock, msg);
out:
	nlmsg_free(msg);
	return err < 0 ? nl_failed(module, err) : 0;
}

/* Sends and takes in every reply; -EAGAIN when an interrupted dump must be done again. */
static int exchange(struct module *module, const struct request *request, message_fn message,
		    void *arg)
{
	struct exchange ex = { .module = module, .message = message, .arg = arg };
	int err = send_request(module, request);

	if (!err)
		err = receive(&ex);
	if (!err && ex.interrupted)
		err = fail(module, -EAGAIN, "try again",
			   "disks kept being added or removed while the counters were read");
	return err;
}

int module_open(struct module **module)
{
	struct module *opened = calloc(1, sizeof(*opened));
	struct module_info info;
	int one = 1, fd, nle;

	*module = opened;
	if (!opened)
		return -ENOMEM;
	opened->hint = "";
	opened->sock = nl_socket_alloc();
	if (!opened->sock)
		return nl_failed(opened, -NLE_NOMEM);
	nle = genl_connect(opened->sock);
	if (nle < 0)
		return nl_failed(opened, nle);
	/* Without these two only the error number is lost, or a copy of the request comes. */
	fd = nl_socket_get_fd(opened->sock);
	(void)setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
	(void)setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
	nle = nl_socket_set_buffer_size(opened->sock, 16 * FSBSTAT_MSG_MAX, 0);
	if (nle >= 0)
		nle = nl_socket_set_msg_buf_size(opened->sock, 2 * FSBSTAT_MSG_MAX);
	if (nle < 0)
		return nl_failed(opened, nle);
	nl_socket_enable_msg_peek(opened->sock);
	opened->family = genl_ctrl_resolve(opened->sock, FSBSTAT_GENL_NAME);
	if (opened->family < 0)
		return nl_failed(opened, opened->family);
	return module_get(opened, &info);
}

void module_close(struct module *module)
{
	if (!module)
		return;
	nl_socket_free(module->sock);
	free(module);
}

const char *module_error(const struct module *module)
{
	return module ? module->error : strerror(ENOMEM);
}

const char *module_hint(const struct module *module)
{
	return module ? module->hint : "";
}

static int take_module(const void *bytes, size_t len, void *arg, const char **why)
{
	return wire_module(bytes, len, arg, why);
}

int module_get(struct module *module, struct module_info *info)
{
	struct request request = { .cmd = FSBSTAT_CMD_MODULE_GET };
	char text[128];
	int err = exchange(module, &request, take_module, info);

	if (err || info->abi == FSBSTAT_ABI)
		return err;
	snprintf(text, sizeof(text), "the loaded module speaks ABI %u, this fsbctl %u", info->abi,
		 FSBSTAT_ABI);
	return refused(module, -EPROTO, text);
}

static int take_watch(const void *bytes, size_t len, void *arg, const char **why)
{
	return wire_watch(bytes, len, arg, why);
}

static int cannot_open(struct module *module, int number)
{
	char text[160];

	if (number == EACCES || number == EPERM)
		return refused(module, -EPERM,
			       "watching a disk needs CAP_SYS_ADMIN and the right to open it");
	snprintf(text, sizeof(text), "its node below /dev cannot be opened: %s", strerror(number));
	return fail(module, -number, "", text);
}

int module_add(struct module *module, const struct disk *disk, uint32_t layers, bool permanent,
	       struct watch *watch)
{
	struct request request = { .cmd = FSBSTAT_CMD_DISK_ADD, .fd_told = true,
				   .layers = layers, .permanent = permanent };
	int err;

	request.fd = device_node_open(disk->name, disk->major, disk->minor);
	if (request.fd < 0)
		return cannot_open(module, errno);
	err = exchange(module, &request, take_watch, watch);
	close(request.fd);
	return err;
}

int module_del(struct module *module, uint32_t major, uint32_t minor, bool permanent)
{
	struct request request = { .cmd = FSBSTAT_CMD_DISK_DEL, .disk = true,
				   .permanent = permanent, .major = major, .minor = minor };

	return exchange(module, &request, NULL, NULL);
}

int module_set(struct module *module, uint32_t major, uint32_t minor,
	       enum fsbstat_write_cache write_cache)
{
	struct request request = { .cmd = FSBSTAT_CMD_DISK_SET, .disk = true,
				   .write_cache_told = true, .write_cache = write_cache,
				   .major = major, .minor = minor };

	return exchange(module, &request, NULL, NULL);
}

int module_disk(struct module *module, uint32_t major, uint32_t minor, struct watch *watch)
{
	struct request request = { .cmd = FSBSTAT_CMD_DISK_GET, .disk = true, .major = major,
				   .minor = minor };

	return exchange(module, &request, take_watch, watch);
}

struct watch_list {
	struct watch *watch;
	size_t nr;
};

static int take_one_of_many(const void *bytes, size_t len, void *arg, const char **why)
{
	struct watch_list *list = arg;
	struct watch *grown = realloc(list->watch, (list->nr + 1) * sizeof(*grown));
	int err;

	if (!grown)
		return -ENOMEM;
	list->watch = grown;
	err = wire_watch(bytes, len, &grown[list->nr], why);
	if (!err)
		list->nr++;
	return err;
}

int module_disks(struct module *module, struct watch **watch, size_t *nr)
{
	struct request request = { .cmd = FSBSTAT_CMD_DISK_GET, .dump = true };
	struct watch_list list;
	int tries, err = -EAGAIN;

	*watch = NULL;
	*nr = 0;
	for (tries = 0; tries < DUMP_TRIES && err == -EAGAIN; tries++) {
		list = (struct watch_list){ NULL, 0 };
		err = exchange(module, &request, take_one_of_many, &list);
		if (err)
			free(list.watch);
	}
	if (err)
		return err;
	*watch = list.watch;
	*nr = list.nr;
	return 0;
}

static int take_snapshot(const void *bytes, size_t len, void *arg, const char **why)
{
	return wire_snapshot(bytes, len, arg, why);
}

int module_snapshot(struct module *module, uint32_t major, uint32_t minor, struct snapshot *snap)
{
	struct request request = { .cmd = FSBSTAT_CMD_SNAPSHOT_GET, .dump = true, .disk = true,
				   .major = major, .minor = minor };
	int tries, err = -EAGAIN;
	const char *why;

	for (tries = 0; tries < DUMP_TRIES && err == -EAGAIN; tries++) {
		memset(snap, 0, sizeof(*snap));
		err = exchange(module, &request, take_snapshot, snap);
		if (!err && wire_snapshot_end(snap, &why))
			err = malformed(module, why);
		if (err)
			snapshot_free(snap);
	}
	return err;
}

static int take_owners(const void *bytes, size_t len, void *arg, const char **why)
{
	return wire_owners(bytes, len, arg, why);
}

static int get_owners(struct module *module, const struct request *request, struct owners *owners)
{
	const char *why;
	int err;

	memset(owners, 0, sizeof(*owners));
	err = exchange(module, request, take_owners, owners);
	if (!err && wire_owners_end(owners, &why))
		err = malformed(module, why);
	if (err)
		owners_free(owners);
	return err;
}

int module_owners(struct module *module, uint32_t major, uint32_t minor, struct owners *owners)
{
	struct request request = { .cmd = FSBSTAT_CMD_OWNERS_GET, .dump = true, .disk = true,
				   .major = major, .minor = minor };

	return get_owners(module, &request, owners);
}

int module_callers(struct module *module, struct owners *callers)
{
	struct request request = { .cmd = FSBSTAT_CMD_CALLERS_GET, .dump = true };

	return get_owners(module, &request, callers);
}

static int take_fs(const void *bytes, size_t len, void *arg, const char **why)
{
	return wire_fs(bytes, len, arg, why);
}

int module_filesystems(struct module *module, struct fs_counts *fs)
{
	struct request request = { .cmd = FSBSTAT_CMD_FS_GET, .dump = true };

	return exchange(module, &request, take_fs, fs);
}
