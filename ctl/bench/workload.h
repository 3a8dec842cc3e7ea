/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * workload: a benchmark as a file describes it (workloads/NAME.yaml, docs/workloads.md), and a
 * use of it with values for its parameters.  Adding one needs no compiler.
 */
#ifndef FSB_BENCH_WORKLOAD_H
#define FSB_BENCH_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/trouble.h"

struct workload_parameter {
	char *name;
	char *value; /* the default */
	char *about;
	char *form; /* ERE that a value matches from end to end, "": anything does */
};

/* Values of parameters for a purpose: "small" for small disks, "published" for the seeds. */
struct workload_scale {
	char *name;
	struct workload_parameter *parameter; /* name and value */
	size_t nr_parameters;
};

/* What a workload needs of a disk beside space. */
struct workload_demand {
	char *needs; /* arithmetic.h, of parameters and of disk_facts.h: 0 where it is not met */
	char *what; /* for people: "sectors of 512 bytes" */
};

/*
 * Shell text (sh -e) sees each parameter as a variable, and as $here the directory its file lies
 * in; the working directory is the trial's.
 */
struct workload {
	char *path;
	char *name;
	char *title; /* "dbench", may name parameters: "dbench, $clients clients" */
	char **package; /* Debian's, for the command that installs them */
	size_t nr_packages;
	char **tool; /* programs that must be found */
	size_t nr_tools;
	char *needs; /* shell text that fails, saying what is missing, where it cannot run; "" */
	char *version; /* shell text that prints the tool's version, "" */
	char *prepare, *command, *check, *cleanup; /* shell text, "" where there is none */
	char *result; /* ERE, its group 1 is the score, the last match counts; "": wall time */
	double factor; /* score = number found x factor */
	char *failure; /* ERE: a line like this means failure, whatever the exit status; "" */
	char *window_from, *window_to; /* ERE of lines at the ends of the window; "" */
	char *unit;
	bool more_is_better;
	char *space; /* arithmetic.h: bytes needed, "" */
	char *seconds; /* arithmetic.h: how long a run takes, roughly; "" */
	struct workload_demand *demand;
	size_t nr_demands;
	double timeout; /* seconds, 0: ten times `seconds`, at least ten minutes */
	struct workload_parameter *parameter;
	size_t nr_parameters;
	struct workload_scale *scale;
	size_t nr_scales;
	struct trouble *mistake; /* why its file cannot be used; NULL: it can */
};

struct workload_library {
	struct workload *workload;
	size_t nr;
};

/*
 * All that there are (data_dir.h), those with a mistake too.  0, or -1 with *trouble; free in
 * either case.
 */
int workload_library_load(struct workload_library *library, struct trouble *trouble);
void workload_library_free(struct workload_library *library);
const struct workload *workload_find(const struct workload_library *library, const char *name);

/* A workload with a value for each of its parameters. */
struct workload_use {
	const struct workload *workload; /* the library's */
	char *label; /* of a cell: "dbench-12", "fs_mark-1000-1M" */
	uint64_t label_hash;
	char *title; /* for a report's head: "dbench, 12 clients" */
	char **value; /* one a parameter, in the workload's order, and NULL */
	bool once; /* "once=host": a reference, one time and not per configuration */
	uint64_t space; /* bytes, 0: not known */
	double seconds; /* 0: not known */
	double timeout; /* seconds */
};

/*
 * Uses of one line of a matrix: "dbench clients=1,12 time=60" is two.  @scale: NULL or the name
 * of one, which changes defaults and what the line gives one value of; lists stay.  Adds to
 * *uses (malloc'd, *nr of them).  0, or -1 with *trouble; its object is left to the caller, who
 * knows the line.
 */
int workload_use_parse(const struct workload_library *library, const char *text, const char *scale,
		       struct workload_use **uses, size_t *nr, struct trouble *trouble);
void workload_uses_free(struct workload_use *uses, size_t nr);
/* The value of the parameter called as these @len bytes, as a plain number; NULL: there is none. */
const char *workload_use_value(const struct workload_use *use, const char *name, size_t len,
			       char *plain, size_t size);

/* The first tool of it that is not in PATH, NULL: all are there. */
const char *workload_missing_tool(const struct workload *workload);
/* 0, or -1 with *trouble of kind TROUBLE_MISSING, whose hint names the packages. */
int workload_tools(const struct workload *workload, struct trouble *trouble);
/* The same of what `needs` asks for; runs that text. */
int workload_needs(const struct workload_use *use, struct trouble *trouble);
/*
 * What its tool calls itself.  -1 and "" when that cannot be told; errno is ETIMEDOUT where the
 * tool did not answer in time: on a busy machine that says nothing about its version.
 */
int workload_version(const struct workload_use *use, char *version, size_t size);

#endif /* FSB_BENCH_WORKLOAD_H */
