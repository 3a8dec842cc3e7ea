/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dispatch: a command of fsbctl as main() runs it, with what it prints. */
#ifndef FSB_TESTS_DISPATCH_H
#define FSB_TESTS_DISPATCH_H

#include "tree.h"

#include <getopt.h>

#include "cmd/cmd.h"

/* Its exit status; @out and @err are what it printed. */
static inline int dispatch_captured(const struct cmd *const *table, int argc, char **argv,
				    char *out, size_t out_size, char *err, size_t err_size)
{
	struct capture capture_out, capture_err;
	int status;

	optind = 0;
	capture_begin(&capture_out, stdout);
	capture_begin(&capture_err, stderr);
	status = cmd_dispatch(table, argc, argv);
	capture_end(&capture_err, err, err_size);
	capture_end(&capture_out, out, out_size);
	return status;
}

#endif /* FSB_TESTS_DISPATCH_H */
