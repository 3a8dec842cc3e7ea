// SPDX-License-Identifier: GPL-2.0-only
/* Operations are an enum req_op: since 6.0; enum req_opf before. */
#include <linux/blk_types.h>

enum req_op fsb_check(void);
enum req_op fsb_check(void)
{
	return REQ_OP_READ;
}
