/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store_option: the store that --db names, or the user's own.  For commands. */
#ifndef FSB_CMD_STORE_OPTION_H
#define FSB_CMD_STORE_OPTION_H

#include "bench/store.h"

/* @path: the value of --db; NULL without it.  0, or the exit status (printed). */
int store_option_open(struct store **store, const char *path, enum store_mode mode);

#endif /* FSB_CMD_STORE_OPTION_H */
