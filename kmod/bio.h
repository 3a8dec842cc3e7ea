/* SPDX-License-Identifier: GPL-2.0-only */
/* bio: the probes of the bio tracepoints: bios by who submitted them, and merges. */
#ifndef FSB_BIO_H
#define FSB_BIO_H

#include "hooks.h"

#define FSB_BIO_HOOKS 4

extern struct fsb_hook fsb_bio_hooks[FSB_BIO_HOOKS];

#endif /* FSB_BIO_H */
