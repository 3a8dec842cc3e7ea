/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree: a made-up /sys, /proc, /run and /dev in a temporary directory, which
 * disk_root then points to.  For the tests of ctl/disk and of commands on top of it.
 */
#ifndef FSB_TEST_TREE_H
#define FSB_TEST_TREE_H

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "disk/disk.h"

static char tree_root[64];

/* A path made of parts; the test fails when it is too long. */
static inline void tree_format(char buf[PATH_MAX], const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static inline void tree_format(char buf[PATH_MAX], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	assert_true(vsnprintf(buf, PATH_MAX, format, args) < PATH_MAX);
	va_end(args);
}

static inline void tree_path(char buf[PATH_MAX], const char *path)
{
	tree_format(buf, "%s%s", tree_root, path);
}

/* Makes the directories that lead to path, and path itself when it ends with '/'. */
static inline void tree_dirs(const char *path)
{
	char full[PATH_MAX];

	tree_path(full, path);
	for (char *c = full + 1; *c; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		assert_true(!mkdir(full, 0755) || errno == EEXIST);
		*c = '/';
	}
}

static inline void tree_bytes(const char *path, const void *bytes, size_t len)
{
	char full[PATH_MAX];
	int fd;

	tree_dirs(path);
	tree_path(full, path);
	fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), len);
	close(fd);
}

static inline void tree_file(const char *path, const char *text)
{
	tree_bytes(path, text, strlen(text));
}

/* One attribute of a device in dir. */
static inline void tree_attr(const char *dir, const char *name, const char *text)
{
	char path[PATH_MAX];

	tree_format(path, "%s/%s", dir, name);
	tree_file(path, text);
}

/* A link at path to target, which begins with '/' and is meant below the root. */
static inline void tree_link(const char *path, const char *target)
{
	char full[PATH_MAX], to[PATH_MAX];

	tree_dirs(path);
	tree_path(full, path);
	tree_path(to, target);
	unlink(full);
	assert_int_equal(symlink(*target == '/' ? to : target, full), 0);
}

/* A block device in dir (named by its last part); number "" for a hidden one. */
static inline void tree_blockdev(const char *dir, const char *number, const char *sectors)
{
	char path[PATH_MAX];

	tree_attr(dir, "size", sectors);
	tree_format(path, "/sys/class/block/%s", strrchr(dir, '/') + 1);
	tree_link(path, dir);
	if (!*number)
		return;
	tree_attr(dir, "dev", number);
	tree_format(path, "/sys/dev/block/%s", number);
	tree_link(path, dir);
}

/* One that sends requests through nr hardware queues of that many tags. */
static inline void tree_disk(const char *dir, const char *number, const char *sectors, int nr,
			     const char *tags)
{
	char name[64];

	tree_blockdev(dir, number, sectors);
	for (int i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "mq/%d/nr_tags", i);
		tree_attr(dir, name, tags);
	}
}

static inline void tree_partition(const char *disk_dir, const char *name, const char *number)
{
	char dir[PATH_MAX];

	tree_format(dir, "%s/%s", disk_dir, name);
	tree_blockdev(dir, number, "2048");
	tree_attr(dir, "partition", "1");
}

/* dir's device stands on another. */
static inline void tree_slave(const char *dir, const char *slave_dir)
{
	char path[PATH_MAX];

	tree_format(path, "%s/slaves/%s", dir, strrchr(slave_dir, '/') + 1);
	tree_link(path, slave_dir);
}

static inline int tree_remove_one(const char *path, const struct stat *st, int type,
				  struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void tree_make(void)
{
	strcpy(tree_root, "/tmp/fsbstat-test-XXXXXX");
	assert_non_null(mkdtemp(tree_root));
	disk_root = tree_root;
}

static inline void tree_remove(void)
{
	nftw(tree_root, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	disk_root = "";
}

/* What is written to a stream from capture_begin() on; capture_end() gives it back. */
struct capture {
	FILE *stream;
	FILE *file;
	int saved;
};

static inline void capture_begin(struct capture *capture, FILE *stream)
{
	fflush(stream);
	capture->stream = stream;
	capture->file = tmpfile();
	assert_non_null(capture->file);
	capture->saved = dup(fileno(stream));
	assert_true(capture->saved >= 0);
	assert_true(dup2(fileno(capture->file), fileno(stream)) >= 0);
}

static inline void capture_end(struct capture *capture, char *buf, size_t size)
{
	size_t len;

	fflush(capture->stream);
	assert_true(dup2(capture->saved, fileno(capture->stream)) >= 0);
	close(capture->saved);
	rewind(capture->file);
	len = fread(buf, 1, size - 1, capture->file);
	buf[len] = '\0';
	fclose(capture->file);
}

#endif /* FSB_TEST_TREE_H */
