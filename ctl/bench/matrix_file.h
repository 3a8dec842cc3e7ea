/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * matrix_file: a matrix file as it is written, all values still words, and the steps from there to
 * struct matrix.  For matrix*.c alone.
 *
 *	matrix_schema.c	which keys there are
 *	matrix_key.c	the keys of a configuration: what each may be
 *	matrix_value.c	all others
 *	matrix_merge.c	`all`, `configurations` and `axes` into configurations
 *	matrix_name.c	names
 *	matrix_cells.c	how many cells that makes
 */
#ifndef FSB_BENCH_MATRIX_FILE_H
#define FSB_BENCH_MATRIX_FILE_H

#include "bench/matrix.h"
#include "bench/yaml_tree.h"

/* Keys of a configuration, as in `all`, `configurations` and `axes`; "fs" is the first. */
enum matrix_key {
	KEY_FS,
	KEY_MKFS,
	KEY_MOUNT,
	KEY_BARRIER,
	KEY_EMULATE,
	KEY_WRITE_CACHE,
	KEY_WRITE_CACHE_KERNEL,
	KEY_NCQ,
	KEY_SCHEDULER,
	KEY_NR_REQUESTS,
	KEY_CACHE,
	KEY_PREPARATION,
	MATRIX_KEYS,
};

/* Everything that was not given is NULL. */
struct matrix_words {
	char *name; /* of `configurations` */
	char *value[MATRIX_KEYS];
};

struct matrix_axis {
	char **value[MATRIX_KEYS]; /* of one key: the values it takes */
	unsigned int nr[MATRIX_KEYS];
};

struct matrix_target {
	char *size, *offset;
};

struct matrix_exclude {
	char *configuration, *workload;
};

struct matrix_repetition {
	char *min, *max, *rule, *within, *max_time;
};

struct matrix_file {
	char *schema, *name, *about;
	struct matrix_target *target;
	struct matrix_words *all;
	struct matrix_words *configuration;
	unsigned int nr_configurations;
	struct matrix_axis *axis;
	unsigned int nr_axes;
	char **workload;
	unsigned int nr_workloads;
	struct matrix_exclude *exclude;
	unsigned int nr_excludes;
	struct matrix_repetition *repeat;
	char *order, *seed, *baseline, *keep_fs;
};

/* A file on its way to a matrix. */
struct matrix_reader {
	struct matrix *matrix;
	struct matrix_file *file;
	struct yaml_tree *tree;
	struct trouble *trouble;
};

/* 0, or -1 with the reader's trouble; matrix_file_free() in either case. */
int matrix_file_read(struct matrix_reader *reader, const char *path, const char *text);
void matrix_file_free(struct matrix_reader *reader);

/* A mistake in line @line; returns -1. */
int matrix_wrong(const struct matrix_reader *reader, unsigned int line, const char *hint,
		 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* "fs", "barrier", ... */
const char *matrix_key_name(enum matrix_key key);
/* Gives @configuration (NULL: only checks) a value; @line is where it stands. */
int matrix_key_put(const struct matrix_reader *reader, struct configuration *configuration,
		   enum matrix_key key, const char *text, unsigned int line);
/* Whether a word is on/yes/true (1), off/no/false (0), or neither (-1). */
int matrix_switch(const char *text);

/* Checks all words of configurations and axes where they stand. */
int matrix_check_keys(const struct matrix_reader *reader);
/* Makes the configurations, of which there are @nr (matrix_cells()). */
int matrix_merge(const struct matrix_reader *reader, size_t nr);

/*
 * Whether a text can be the name of @what (in @line): it becomes part of names of cells, of
 * shell patterns and of tables.
 */
int matrix_check_name(const struct matrix_reader *reader, const char *name, const char *what,
		      unsigned int line);
/* What a value of an axis adds to a name: "nobarrier", "ncq-32"; malloc'd, NULL: no memory. */
char *matrix_axis_word(enum matrix_key key, const char *text);
/* That no two configurations have one name. */
int matrix_check_unique(const struct matrix_reader *reader);

/* Everything but configurations; the baseline and exclusions need them to be there. */
int matrix_take_values(const struct matrix_reader *reader);
int matrix_take_baseline(const struct matrix_reader *reader);
int matrix_take_exclusions(const struct matrix_reader *reader);

/* How many configurations there will be; refuses more cells than MATRIX_CELLS_MAX. */
int matrix_cells(const struct matrix_reader *reader, size_t *nr_configurations);

#endif /* FSB_BENCH_MATRIX_FILE_H */
