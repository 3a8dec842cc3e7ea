// SPDX-License-Identifier: GPL-2.0-or-later
/* output_file: see output_file.h. */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "trusted.h"

#define FLAGS (O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY)

static char why[512];

const char *output_file_why(void)
{
	return why;
}

/* What this process was given, under the names that shells use for it. */
static bool is_own_descriptor(const char *path)
{
	static const char *const names[] = {"/dev/stdout", "/dev/stderr", "/dev/fd/",
					    "/proc/self/fd/"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(path, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Nothing has that name yet, in a folder where others cannot take it away again. */
static bool is_new(const char *path)
{
	char folder[PATH_MAX], reason[sizeof(why)], *slash;
	struct stat status;

	if (!lstat(path, &status) || errno != ENOENT ||
	    snprintf(folder, sizeof(folder), "./%s", path) >= (int)sizeof(folder))
		return false;
	slash = strrchr(folder, '/');
	*slash = '\0';
	return !trusted_path(*path == '/' ? folder + 1 : folder, TRUSTED_CALLER, reason,
			     sizeof(reason));
}

static int fail(int fd, int error, const char *reason)
{
	if (fd >= 0)
		close(fd);
	snprintf(why, sizeof(why), "%s", reason);
	errno = error;
	return -1;
}

/* @because: what others can change on the way. */
static int open_carefully(const char *path, const char *because)
{
	struct open_how how = {.flags = FLAGS | O_NOFOLLOW | O_NONBLOCK,
			       .mode = 0644,
			       .resolve = RESOLVE_NO_SYMLINKS};
	char reason[sizeof(why)];
	struct stat status;
	int fd = (int)syscall(__NR_openat2, AT_FDCWD, path, &how, sizeof(how));

	/* EACCES: the kernel has such rules of its own, for folders like /tmp. */
	if (fd < 0 && errno != ELOOP && errno != ENXIO && errno != EACCES)
		return fail(fd, errno, strerror(errno));
	snprintf(reason, sizeof(reason),
		 "refused: %s, and it is a link or not a regular file of root's", because);
	if (fd < 0 || fstat(fd, &status) || !S_ISREG(status.st_mode) || status.st_uid ||
	    status.st_nlink != 1)
		return fail(fd, EPERM, reason);
	return fd;
}

static int open_it(const char *path)
{
	char reason[400] = "";
	int fd;

	if (geteuid() || is_own_descriptor(path) ||
	    !trusted_path(path, TRUSTED_CALLER, reason, sizeof(reason)))
		fd = open(path, FLAGS, 0666);
	else if (is_new(path))
		fd = open(path, FLAGS | O_EXCL | O_NOFOLLOW, 0666);
	else
		return open_carefully(path, reason);
	return fd < 0 ? fail(fd, errno, strerror(errno)) : fd;
}

FILE *output_file_open(const char *path, bool truncate)
{
	int fd = open_it(path);
	struct stat status;
	FILE *file;

	if (fd < 0)
		return NULL;
	if (truncate && !fstat(fd, &status) && S_ISREG(status.st_mode) && ftruncate(fd, 0)) {
		fail(fd, errno, strerror(errno));
		return NULL;
	}
	file = fdopen(fd, "w");
	if (!file)
		fail(fd, errno, strerror(errno));
	return file;
}
