// SPDX-License-Identifier: GPL-2.0-only
/* block_bio_{queue,backmerge,frontmerge} take (bio): since 5.11. */
#include <linux/blk-mq.h>
#include <trace/events/block.h>

static void probe(void *data, struct bio *bio)
{
}

void fsb_check(void);
void fsb_check(void)
{
	check_trace_callback_type_block_bio_queue(probe);
	check_trace_callback_type_block_bio_backmerge(probe);
	check_trace_callback_type_block_bio_frontmerge(probe);
}
