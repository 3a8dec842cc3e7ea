/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ata: the probes of libata's tracepoints.  Thin: each finds the watched disk of a
 * command through its device and calls into ata_state.c, unflushed.c and settings.c.
 * libata is usually a module: hooks.c attaches when it comes and detaches when it goes.
 */
#ifndef FSB_ATA_H
#define FSB_ATA_H

#include "hooks.h"

#define FSB_ATA_HOOKS 8

extern struct fsb_hook fsb_ata_hooks[FSB_ATA_HOOKS];

#endif /* FSB_ATA_H */
