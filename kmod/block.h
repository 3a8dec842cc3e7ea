/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * block: the probes of the block layer's tracepoints.  Thin: each finds the disk and
 * calls into shard.c or counts a bio.
 */
#ifndef FSB_BLOCK_H
#define FSB_BLOCK_H

#include "hooks.h"

#define FSB_BLOCK_HOOKS 7

extern struct fsb_hook fsb_block_hooks[FSB_BLOCK_HOOKS];

#endif /* FSB_BLOCK_H */
