// SPDX-License-Identifier: GPL-2.0-or-later
// build: -shared -fPIC
/*
 * other_abi: to be preloaded by fsbctl: makes the module's answer to MODULE_GET carry the
 * next ABI number, as a newer module's would.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <sys/socket.h>

#include "../../../include/uapi/fsbstat.h"

/* The attribute of the answer: length 8, type, value. */
static const unsigned char abi[8] = { 8, 0, FSBSTAT_A_MODULE_ABI, 0, FSBSTAT_ABI, 0, 0, 0 };

typedef ssize_t recvmsg_fn(int fd, struct msghdr *msg, int flags);

ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	recvmsg_fn *real = (recvmsg_fn *)dlsym(RTLD_NEXT, "recvmsg");
	ssize_t got = real(fd, msg, flags);
	unsigned char *found;

	if (got <= 0 || !msg->msg_iovlen)
		return got;
	if ((size_t)got > msg->msg_iov[0].iov_len)
		return got;
	found = memmem(msg->msg_iov[0].iov_base, (size_t)got, abi, sizeof(abi));
	if (found)
		found[4] = FSBSTAT_ABI + 1;
	return got;
}
