/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stat: what `fsbctl stat` was asked for, for stat.c (the command line) and stat_run.c. */
#ifndef FSB_CMD_STAT_H
#define FSB_CMD_STAT_H

#include "disk/disk.h"
#include "out/stat.h"
#include "source/source.h"

struct stat_options {
	char **disk; /* names, as typed */
	size_t nr_disks;
	double interval; /* seconds; of a recording 0: as it was recorded */
	uint64_t count; /* rows, 0: no end */
	enum source_kind source;
	uint32_t layers; /* to be counted, 0: what the columns show */
	const char *from; /* recording, NULL: live */
	bool quiet;
	struct stat_out out;
};

/* Returns the exit status; errors have been printed. */
int stat_run(struct stat_options *options);

#endif /* FSB_CMD_STAT_H */
