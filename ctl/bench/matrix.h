/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * matrix: an experiment as a person wrote it down (fsbctl-matrix(5)), read and checked.
 * `all` and the axes are merged into configurations here; which workloads and
 * filesystems there are, and what this machine can do, is the plan's affair.
 */
#ifndef FSB_BENCH_MATRIX_H
#define FSB_BENCH_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/trouble.h"
#include "disk/settings.h"

/* A matrix of more cells than this is a slip of the pen. */
#define MATRIX_CELLS_MAX 10000

enum matrix_cache { CACHE_COLD, CACHE_WARM };
enum matrix_preparation { PREPARATION_NONE, PREPARATION_TRIM, PREPARATION_FILL };
/* "none", "trim" or "fill", as in a matrix */
const char *matrix_preparation_name(enum matrix_preparation preparation);
enum matrix_order { ORDER_BLOCKS, /* every cell once, in random order, then again */ ORDER_LISTED };
enum matrix_rule {
	RULE_INTERVAL, /* until the 95 % interval is near enough to the mean */
	RULE_PTS, /* what the published experiments did: coefficient of variation under 3.5 % */
};

/* What a cell's disk and filesystem are to be like. */
struct configuration {
	char *name;
	unsigned int line; /* of the file, for messages about it */
	char *fs; /* "ext4", "tmpfs", ... */
	char *mkfs; /* further options, as to a shell; "" */
	unsigned int mkfs_line;
	char *mount; /* options of `all` and its own, joined in this order; "" */
	unsigned int *mount_line; /* where each of them is written */
	enum tristate barrier; /* UNKNOWN: as the filesystem has it by itself */
	bool emulate; /* barrier: off where there is no such option, by the kernel's view */
	struct settings settings; /* "" is: as it is; of ncq "max" too */
	enum matrix_cache cache;
	enum matrix_preparation preparation;
};

/* A line of `workloads`: "dbench clients=1,12 time=60" and what is said of it there. */
struct matrix_workload {
	char *text;
	unsigned int line;
};

struct matrix_exclusion {
	char *configuration, *workload; /* shell patterns; NULL: all */
	unsigned int line;
};

struct matrix_repeat {
	unsigned int min, max;
	enum matrix_rule rule;
	double within; /* half of the interval / mean, for RULE_INTERVAL */
	double max_seconds; /* of the whole, 0: no end */
};

struct matrix {
	char *path;
	char *text; /* the file as it was read; stored with the run */
	char *name;
	char *about; /* one line, "" */
	uint64_t offset, size; /* bytes of the disk, whole MiB; size 0: up to the end */
	struct configuration *configuration;
	size_t nr_configurations;
	struct matrix_workload *workload;
	size_t nr_workloads;
	size_t nr_uses; /* what these lines stand for: "clients=1,12" is two */
	size_t nr_cells; /* before exclusions */
	struct matrix_exclusion *exclusion;
	size_t nr_exclusions;
	struct matrix_repeat repeat;
	enum matrix_order order;
	bool have_seed;
	uint64_t seed;
	size_t baseline; /* index of the configuration that others are compared with */
	bool keep_fs; /* mkfs once a configuration and block order, not before each trial */
};

/*
 * Reads and checks a file.  0, or -1 with *trouble, whose object is FILE:LINE and whose
 * reason says what was expected.  matrix_free() in either case.
 */
int matrix_load(struct matrix *matrix, const char *path, struct trouble *trouble);
/* The same of text kept from an earlier run; @path is for messages. */
int matrix_parse(struct matrix *matrix, const char *path, const char *text,
		 struct trouble *trouble);
void matrix_free(struct matrix *matrix);

/*
 * Path of the matrix that @word means: the name of a preset (presets/NAME.yaml), or a path, which
 * has a '/' or ends in ".yaml", or is that of a file; malloc'd.  NULL with *trouble.
 */
char *matrix_find(const char *word, struct trouble *trouble);

#endif /* FSB_BENCH_MATRIX_H */
