// SPDX-License-Identifier: GPL-2.0-or-later
/* trusted: see trusted.h. */
#include "trusted.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40

/* A path on its way to what it leads to. */
struct walk {
	char done[PATH_MAX]; /* without links, each part of it looked at */
	char rest[PATH_MAX];
	unsigned int links;
	enum trusted_by by;
	char *why;
	size_t size;
};

const char *trusted_user_name(unsigned int uid)
{
	static char text[64];
	const struct passwd *user = getpwuid((uid_t)uid);

	if (user)
		snprintf(text, sizeof(text), "%s", user->pw_name);
	else
		snprintf(text, sizeof(text), "%u", uid);
	return text;
}

/* sudo says who called it; the environment of a process of root is root's. */
static bool is_caller(uid_t uid)
{
	const char *text = getenv("SUDO_UID");
	unsigned long number;
	char *end;

	if (!text || !*text)
		return false;
	number = strtoul(text, &end, 10);
	return !*end && number == uid;
}

static int refuse(const struct walk *walk, const char *reason)
{
	snprintf(walk->why, walk->size, "%s %s", *walk->done ? walk->done : "/", reason);
	errno = EPERM;
	return -1;
}

static int check_status(const struct walk *walk, const struct stat *status)
{
	char reason[128];

	if (status->st_uid && !(walk->by == TRUSTED_CALLER && is_caller(status->st_uid))) {
		snprintf(reason, sizeof(reason), "belongs to user %s",
			 trusted_user_name(status->st_uid));
		return refuse(walk, reason);
	}
	/*
	 * Writing to a device or a FIFO does not change which one it is, and the mode of a link
	 * means nothing.  In a sticky folder others cannot replace what is ours.
	 */
	if ((!S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode)) ||
	    (S_ISDIR(status->st_mode) && (status->st_mode & S_ISVTX)) ||
	    !(status->st_mode & 0022))
		return 0;
	snprintf(reason, sizeof(reason), "can be written by %s (mode %04o)",
		 status->st_mode & 0002 ? "any user" : "its group",
		 (unsigned int)status->st_mode & 07777);
	return refuse(walk, reason);
}

static int fail(const struct walk *walk, int error)
{
	snprintf(walk->why, walk->size, "%s", strerror(error));
	errno = error;
	return -1;
}

/* What the link at the end of @done says comes before the rest. */
static int follow(struct walk *walk)
{
	char target[PATH_MAX], rest[PATH_MAX];
	ssize_t len = readlink(walk->done, target, sizeof(target) - 1);

	if (len < 0)
		return fail(walk, errno);
	if (++walk->links > LINKS_MAX)
		return fail(walk, ELOOP);
	target[len] = '\0';
	if (*target == '/')
		*walk->done = '\0';
	else
		*strrchr(walk->done, '/') = '\0';
	if (snprintf(rest, sizeof(rest), "%s/%s", target, walk->rest) >= (int)sizeof(rest))
		return fail(walk, ENAMETOOLONG);
	strcpy(walk->rest, rest);
	return 0;
}

static int enter(struct walk *walk, const char *name, size_t len)
{
	size_t used = strlen(walk->done);
	struct stat status;

	if (len == 1 && *name == '.')
		return 0;
	if (len == 2 && !strncmp(name, "..", 2)) {
		if (used)
			*strrchr(walk->done, '/') = '\0';
		return 0;
	}
	if (snprintf(walk->done + used, sizeof(walk->done) - used, "/%.*s", (int)len, name) >=
	    (int)(sizeof(walk->done) - used))
		return fail(walk, ENAMETOOLONG);
	if (lstat(walk->done, &status))
		return fail(walk, errno);
	if (check_status(walk, &status))
		return -1;
	return S_ISLNK(status.st_mode) ? follow(walk) : 0;
}

static int begin(struct walk *walk, const char *path)
{
	struct stat status;
	char here[PATH_MAX] = "";

	if (*path != '/' && !getcwd(here, sizeof(here)))
		return fail(walk, errno);
	if (snprintf(walk->rest, sizeof(walk->rest), "%s/%s", here, path) >=
	    (int)sizeof(walk->rest))
		return fail(walk, ENAMETOOLONG);
	return stat("/", &status) ? fail(walk, errno) : check_status(walk, &status);
}

int trusted_path(const char *path, enum trusted_by by, char *why, size_t size)
{
	struct walk walk = {.by = by, .why = why, .size = size};
	char name[NAME_MAX + 1];
	size_t slashes, len;

	if (geteuid() || by == TRUSTED_ANYBODY)
		return 0;
	if (begin(&walk, path))
		return -1;
	for (;;) {
		slashes = strspn(walk.rest, "/");
		len = strcspn(walk.rest + slashes, "/");
		if (!len)
			return 0;
		if (len > NAME_MAX)
			return fail(&walk, ENAMETOOLONG);
		memcpy(name, walk.rest + slashes, len);
		name[len] = '\0';
		memmove(walk.rest, walk.rest + slashes + len,
			strlen(walk.rest + slashes + len) + 1);
		if (enter(&walk, name, len))
			return -1;
	}
}

int trusted_open(const char *path, enum trusted_by by, char *why, size_t size)
{
	struct walk walk = {.by = by, .why = why, .size = size};
	struct stat status;
	int fd, saved;

	if (trusted_path(path, by, why, size))
		return -1;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return fail(&walk, errno);
	if (fstat(fd, &status)) {
		fail(&walk, errno);
	} else if (!S_ISREG(status.st_mode)) {
		snprintf(why, size, "is not a regular file");
		errno = EINVAL;
	} else if (geteuid() || by == TRUSTED_ANYBODY || !check_status(&walk, &status)) {
		return fd;
	}
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}
