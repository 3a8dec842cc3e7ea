// SPDX-License-Identifier: GPL-2.0-only
/* block_rq_{issue,requeue,merge} take (q, rq): up to 5.10.136. */
#include <linux/blkdev.h>
#include <trace/events/block.h>

static void probe(void *data, struct request_queue *q, struct request *rq)
{
}

void fsb_check(void);
void fsb_check(void)
{
	check_trace_callback_type_block_rq_issue(probe);
	check_trace_callback_type_block_rq_requeue(probe);
	check_trace_callback_type_block_rq_merge(probe);
}
