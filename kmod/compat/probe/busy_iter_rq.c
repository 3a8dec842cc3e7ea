// SPDX-License-Identifier: GPL-2.0-only
/* blk_mq_tagset_busy_iter() calls with (rq, data): since 6.0; (rq, data, reserved) before. */
#include <linux/blk-mq.h>

static bool probe(struct request *rq, void *data)
{
	return true;
}

void fsb_check(struct blk_mq_tag_set *set);
void fsb_check(struct blk_mq_tag_set *set)
{
	blk_mq_tagset_busy_iter(set, probe, NULL);
}
