// SPDX-License-Identifier: GPL-2.0-only
/* The definitions behind trace.h. */
#define CREATE_TRACE_POINTS
#include "trace.h"
