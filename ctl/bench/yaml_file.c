// SPDX-License-Identifier: GPL-2.0-or-later
/* yaml_file: a file as one text; see yaml_form.h. */
#include "bench/yaml_form.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/data_dir.h"
#include "trusted.h"

static int cannot(struct trouble *trouble, const char *path, const char *reason)
{
	return trouble_set(trouble, TROUBLE_USAGE, path, "", "%s", reason);
}

/* Up to YAML_FILE_MAX bytes and one more, by which it is seen to be too long. */
static int read_all(int fd, char *text, size_t *size)
{
	*size = 0;
	while (*size <= YAML_FILE_MAX) {
		ssize_t n = read(fd, text + *size, YAML_FILE_MAX + 1 - *size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (!n)
			break;
		*size += (size_t)n;
	}
	return 0;
}

static int take_text(int fd, const char *path, char *text, struct trouble *trouble)
{
	struct stat is;
	size_t size;

	if (fstat(fd, &is) || (!S_ISDIR(is.st_mode) && read_all(fd, text, &size)))
		return cannot(trouble, path, strerror(errno));
	if (S_ISDIR(is.st_mode))
		return cannot(trouble, path, "is a directory, expected a file");
	if (size > YAML_FILE_MAX)
		return cannot(trouble, path, "is longer than 1 MiB: not a file of this kind");
	if (memchr(text, '\0', size))
		return cannot(trouble, path, "is no text");
	text[size] = '\0';
	if (!text[strspn(text, " \t\r\n")])
		return cannot(trouble, path, "is empty");
	return 0;
}

/* What was named by its path may be a pipe; what was found in a folder has to be trusted. */
static int open_text(const char *path, struct trouble *trouble)
{
	char why[400];
	int fd;

	if (!data_is_added(path)) {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		return fd < 0 ? cannot(trouble, path, strerror(errno)) : fd;
	}
	fd = trusted_open(path, TRUSTED_CALLER, why, sizeof(why));
	if (fd >= 0)
		return fd;
	if (errno != EPERM)
		return cannot(trouble, path, why);
	return trouble_set(trouble, TROUBLE_REFUSED, path,
			   "root uses such a file only if no user but root and the one who called "
			   "sudo can\nchange it: chown and chmod go-w what is named, or remove it",
			   "not trusted: %s", why);
}

char *yaml_file_read(const char *path, struct trouble *trouble)
{
	char *text, *fitting;
	int fd, err;

	fd = open_text(path, trouble);
	if (fd < 0)
		return NULL;
	text = malloc(YAML_FILE_MAX + 2);
	err = text ? take_text(fd, path, text, trouble) : trouble_memory(trouble, path);
	close(fd);
	if (err) {
		free(text);
		return NULL;
	}
	fitting = realloc(text, strlen(text) + 1);
	return fitting ? fitting : text;
}
