/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz: what the fuzzers share: an input as a text or as a file, and a stream that goes nowhere.
 * Files lie in $TMPDIR, which tests/fuzz/check sets to a folder of the process's own.
 */
#ifndef FSB_TESTS_FUZZ_H
#define FSB_TESTS_FUZZ_H

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_must(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	abort();
}

/* Ended by a 0; malloc'd. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	fuzz_must(!!text, "malloc");
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* A path in the scratch folder; static. */
static inline const char *fuzz_path(const char *name)
{
	static char path[PATH_MAX];
	const char *folder = getenv("TMPDIR");

	snprintf(path, sizeof(path), "%s/%s-%ld", folder ? folder : "/tmp", name, (long)getpid());
	return path;
}

/* The input as a file; its path is that of fuzz_path("input"). */
static inline const char *fuzz_file(const uint8_t *data, size_t size)
{
	const char *path = fuzz_path("input");
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	fuzz_must(fd >= 0, path);
	fuzz_must(write(fd, data, size) == (ssize_t)size, path);
	fuzz_must(!close(fd), path);
	return path;
}

static inline FILE *fuzz_nowhere(void)
{
	static FILE *nowhere;

	if (!nowhere)
		nowhere = fopen("/dev/null", "we");
	fuzz_must(!!nowhere, "/dev/null");
	return nowhere;
}

#endif /* FSB_TESTS_FUZZ_H */
