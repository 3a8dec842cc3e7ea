/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kfile: the small text files in which the kernel (and udev) say how things are.
 * Paths are absolute and looked up below disk_root.  For disk/ and for commands
 * that report on the machine.
 */
#ifndef FSB_DISK_KFILE_H
#define FSB_DISK_KFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The path with disk_root in front.  0, or -1 with ENAMETOOLONG. */
int kfile_path(char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Reads a file into buf, ended by '\0' and without white space at its end; what
 * does not fit is cut off.  0, or -1 with errno and buf "".
 */
int kfile_read(char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Up to size bytes as they are.  How many, or -1 with errno. */
ssize_t kfile_bytes(void *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A file's decimal number, -1 when there is none (or it is negative). */
int64_t kfile_number(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether @is_it says so of any line of a file; lines come without their end. */
bool kfile_find_line(const char *path, bool (*is_it)(const char *line, void *arg), void *arg);

bool kfile_exists(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * The names in a directory except those that begin with '.', sorted as a person
 * counts (sda2 before sda10).  How many, or -1 with errno; kfile_names_free().
 */
int kfile_names(char ***names, const char *format, ...) __attribute__((format(printf, 2, 3)));
void kfile_names_free(char **names, int nr);

#endif /* FSB_DISK_KFILE_H */
