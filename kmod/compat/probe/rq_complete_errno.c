// SPDX-License-Identifier: GPL-2.0-only
/* block_rq_complete takes (rq, int, nr_bytes): up to 5.15. */
#include <linux/blkdev.h>
#include <trace/events/block.h>

static void probe(void *data, struct request *rq, int error, unsigned int nr_bytes)
{
}

void fsb_check(void);
void fsb_check(void)
{
	check_trace_callback_type_block_rq_complete(probe);
}
