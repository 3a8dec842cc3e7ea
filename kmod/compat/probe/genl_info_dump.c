// SPDX-License-Identifier: GPL-2.0-only
/* A dump has a struct genl_info: since 6.6; its attributes are in genl_dumpit_info() before. */
#include <net/genetlink.h>

struct nlattr **fsb_check(struct netlink_callback *cb);
struct nlattr **fsb_check(struct netlink_callback *cb)
{
	return genl_info_dump(cb)->attrs;
}
