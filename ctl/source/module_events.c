// SPDX-License-Identifier: GPL-2.0-or-later
/* module_events: a socket of its own in the module's multicast group; knows libnl. */
#include <errno.h>
#include <stdlib.h>

#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>

#include "source/module_events.h"
#include "source/wire.h"

struct module_events {
	struct nl_sock *sock;
	struct source_event event; /* the last that came */
	bool came;
};

/* Events that no reader here waits for, and those of a later module, are passed over. */
static int on_event(struct nl_msg *msg, void *arg)
{
	struct genlmsghdr *header = genlmsg_hdr(nlmsg_hdr(msg));
	struct module_events *events = arg;
	struct watch watch;
	const char *why;

	if (!genlmsg_valid_hdr(nlmsg_hdr(msg), 0) || header->cmd != FSBSTAT_CMD_DISK_SETTINGS ||
	    wire_watch(genlmsg_attrdata(header, 0), (size_t)genlmsg_attrlen(header, 0), &watch,
		       &why))
		return NL_SKIP;
	events->event = (struct source_event){ SOURCE_DISK_SETTINGS, watch.major, watch.minor };
	events->came = true;
	return NL_STOP;
}

struct module_events *module_events_open(void)
{
	struct module_events *events = calloc(1, sizeof(*events));
	int group;

	if (!events)
		return NULL;
	events->sock = nl_socket_alloc();
	if (!events->sock || genl_connect(events->sock) < 0)
		goto fail;
	nl_socket_disable_seq_check(events->sock);
	group = genl_ctrl_resolve_grp(events->sock, FSBSTAT_GENL_NAME, FSBSTAT_MCGRP_EVENTS);
	if (group < 0 || nl_socket_add_membership(events->sock, group) < 0 ||
	    nl_socket_set_nonblocking(events->sock) < 0 ||
	    nl_socket_modify_cb(events->sock, NL_CB_VALID, NL_CB_CUSTOM, on_event, events) < 0)
		goto fail;
	return events;
fail:
	module_events_close(events);
	return NULL;
}

void module_events_close(struct module_events *events)
{
	if (!events)
		return;
	nl_socket_free(events->sock);
	free(events);
}

int module_events_fd(const struct module_events *events)
{
	return events ? nl_socket_get_fd(events->sock) : -1;
}

int module_events_next(struct module_events *events, struct source_event *event)
{
	int nle = 0;

	if (!events)
		return 0;
	events->came = false;
	while (!events->came && nle >= 0)
		nle = nl_recvmsgs_default(events->sock);
	if (events->came) {
		*event = events->event;
		return 1;
	}
	if (nle == -NLE_AGAIN)
		return 0;
	/* The socket's queue ran over. */
	*event = (struct source_event){ .kind = SOURCE_EVENTS_LOST };
	return nle == -NLE_NOMEM ? 1 : 0;
}
