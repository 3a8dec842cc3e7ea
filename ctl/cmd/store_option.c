// SPDX-License-Identifier: GPL-2.0-or-later
/* store_option: see store_option.h. */
#include "cmd/store_option.h"

#include <stdlib.h>

#include "cmd/trouble_out.h"

int store_option_open(struct store **store, const char *path, enum store_mode mode)
{
	char *own = path ? NULL : store_default_path();
	struct trouble trouble;
	int err;

	*store = NULL;
	if (!path && !own)
		err = trouble_memory(&trouble, "runs.db");
	else
		err = store_open(store, path ? path : own, mode, &trouble);
	free(own);
	return err ? trouble_out(&trouble) : 0;
}
