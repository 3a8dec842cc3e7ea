// SPDX-License-Identifier: GPL-2.0-only
/* block_bio_queue takes (q, bio), the merges (q, rq, bio): up to 5.10. */
#include <linux/blkdev.h>
#include <trace/events/block.h>

static void probe(void *data, struct request_queue *q, struct bio *bio)
{
}

static void probe_merge(void *data, struct request_queue *q, struct request *rq, struct bio *bio)
{
}

void fsb_check(void);
void fsb_check(void)
{
	check_trace_callback_type_block_bio_queue(probe);
	check_trace_callback_type_block_bio_backmerge(probe_merge);
	check_trace_callback_type_block_bio_frontmerge(probe_merge);
}
