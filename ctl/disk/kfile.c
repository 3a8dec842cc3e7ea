// SPDX-License-Identifier: GPL-2.0-or-later
/* kfile: see kfile.h. */
#include "disk/kfile.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "disk/disk.h"

const char *disk_root = "";

static int format_path(char *buf, size_t size, const char *format, va_list args)
{
	size_t used = strlen(disk_root);
	int len;

	if (used >= size) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(buf, disk_root, used + 1);
	len = vsnprintf(buf + used, size - used, format, args);
	if (len < 0 || (size_t)len >= size - used) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return 0;
}

static ssize_t read_file(const char *path, void *buf, size_t size)
{
	size_t used = 0;
	ssize_t n = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int saved;

	if (fd < 0)
		return -1;
	while (used < size) {
		n = read(fd, (char *)buf + used, size - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		used += (size_t)n;
	}
	saved = errno;
	close(fd);
	errno = saved;
	return n < 0 ? -1 : (ssize_t)used;
}

static int read_text(char *buf, size_t size, const char *format, va_list args)
{
	char path[PATH_MAX];
	ssize_t n;

	buf[0] = '\0';
	if (format_path(path, sizeof(path), format, args))
		return -1;
	n = read_file(path, buf, size - 1);
	if (n < 0) {
		buf[0] = '\0';
		return -1;
	}
	while (n && isspace((unsigned char)buf[n - 1]))
		n--;
	buf[n] = '\0';
	return 0;
}

int kfile_path(char *buf, size_t size, const char *format, ...)
{
	va_list args;
	int ret;

	va_start(args, format);
	ret = format_path(buf, size, format, args);
	va_end(args);
	return ret;
}

int kfile_read(char *buf, size_t size, const char *format, ...)
{
	va_list args;
	int ret;

	va_start(args, format);
	ret = read_text(buf, size, format, args);
	va_end(args);
	return ret;
}

ssize_t kfile_bytes(void *buf, size_t size, const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	int ret;

	va_start(args, format);
	ret = format_path(path, sizeof(path), format, args);
	va_end(args);
	return ret ? -1 : read_file(path, buf, size);
}

int64_t kfile_number(const char *format, ...)
{
	long long number;
	va_list args;
	char buf[64], *end;
	int ret;

	va_start(args, format);
	ret = read_text(buf, sizeof(buf), format, args);
	va_end(args);
	if (ret || !isdigit((unsigned char)buf[0]))
		return -1;
	errno = 0;
	number = strtoll(buf, &end, 10);
	return *end || errno ? -1 : number;
}

bool kfile_exists(const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	int ret;

	va_start(args, format);
	ret = format_path(path, sizeof(path), format, args);
	va_end(args);
	return !ret && !access(path, F_OK);
}

static int skip_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* scandir()'s entries become plain names in place. */
static int to_names(struct dirent **entries, int nr, char ***names)
{
	char **list = calloc(nr ? (size_t)nr : 1, sizeof(*list));
	bool failed = !list;

	for (int i = 0; i < nr; i++) {
		if (!failed) {
			list[i] = strdup(entries[i]->d_name);
			failed = !list[i];
		}
		free(entries[i]);
	}
	free(entries);
	if (failed) {
		kfile_names_free(list, list ? nr : 0);
		errno = ENOMEM;
		return -1;
	}
	*names = list;
	return nr;
}

int kfile_names(char ***names, const char *format, ...)
{
	struct dirent **entries;
	char path[PATH_MAX];
	va_list args;
	int ret;

	*names = NULL;
	va_start(args, format);
	ret = format_path(path, sizeof(path), format, args);
	va_end(args);
	if (ret)
		return -1;
	ret = scandir(path, &entries, skip_hidden, versionsort);
	return ret < 0 ? -1 : to_names(entries, ret, names);
}

void kfile_names_free(char **names, int nr)
{
	for (int i = 0; i < nr; i++)
		free(names[i]);
	free(names);
}

bool kfile_find_line(const char *path, bool (*is_it)(const char *line, void *arg), void *arg)
{
	char rooted[PATH_MAX], *line = NULL;
	bool found = false;
	size_t size = 0;
	FILE *file;

	if (kfile_path(rooted, sizeof(rooted), "%s", path))
		return false;
	file = fopen(rooted, "re");
	if (!file)
		return false;
	while (!found && getline(&line, &size, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		found = is_it(line, arg);
	}
	free(line);
	fclose(file);
	return found;
}
