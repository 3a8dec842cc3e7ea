/* SPDX-License-Identifier: GPL-2.0-only */
/* request: the probes of the request tracepoints, which keep the shards of their disk. */
#ifndef FSB_REQUEST_H
#define FSB_REQUEST_H

#include "hooks.h"

#define FSB_REQUEST_HOOKS 3

extern struct fsb_hook fsb_request_hooks[FSB_REQUEST_HOOKS];

#endif /* FSB_REQUEST_H */
