/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * block: the probes of the block layer's tracepoints.  Thin: each finds the disk and
 * calls into shard.c or counts a bio.
 */
#ifndef FSB_BLOCK_H
#define FSB_BLOCK_H

#include "hooks.h"

#define FSB_REQUEST_HOOKS 3
#define FSB_BIO_HOOKS	  4

extern struct fsb_hook fsb_request_hooks[FSB_REQUEST_HOOKS];
extern struct fsb_hook fsb_bio_hooks[FSB_BIO_HOOKS];

#endif /* FSB_BLOCK_H */
