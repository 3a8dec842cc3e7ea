// SPDX-License-Identifier: GPL-2.0-only
/* block_rq_complete takes (rq, blk_status_t, nr_bytes): since 5.16. */
#include <linux/blk-mq.h>
#include <trace/events/block.h>

static void probe(void *data, struct request *rq, blk_status_t error, unsigned int nr_bytes)
{
}

void fsb_check(void);
void fsb_check(void)
{
	check_trace_callback_type_block_rq_complete(probe);
}
