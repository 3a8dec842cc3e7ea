/* SPDX-License-Identifier: GPL-2.0-or-later */
/* peak: how much memory a function takes at most, as the kernel counts it; and large files. */
#ifndef FSB_TESTS_PEAK_H
#define FSB_TESTS_PEAK_H

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#define PEAK_MIB (1L << 10) /* in the kernel's units */

static inline long peak_in_child(int (*function)(void))
{
	struct rusage usage;
	int status = -1;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid)
		_exit(function());
	assert_int_equal(wait4(pid, &status, 0, &usage), pid);
	assert_int_equal(status, 0);
	return usage.ru_maxrss;
}

static inline int peak_nothing(void)
{
	return 0;
}

/* KiB that function() takes at most in a process of its own; it has to return 0. */
static inline long peak_of(int (*function)(void))
{
	/* The test itself has memory already, which a child has too. */
	return peak_in_child(function) - peak_in_child(peak_nothing);
}

/* A file of @before, @nr times @piece, @after. */
static inline void peak_file(const char *path, const char *before, const char *piece, size_t nr,
			     const char *after)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	fputs(before, file);
	while (nr--)
		fputs(piece, file);
	fputs(after, file);
	assert_int_equal(fclose(file), 0);
}

#endif /* FSB_TESTS_PEAK_H */
