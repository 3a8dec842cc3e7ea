// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * leftover_owner: which run has a disk, or had it when it was killed.  The file with the lock holds
 * its name and its store, a line each; it is empty while nothing is left on the disk.
 */
#include "bench/leftover_owner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "disk/kfile.h"

int leftover_lock_path(char path[PATH_MAX], const char *disk)
{
	return kfile_path(path, PATH_MAX, LEFTOVER_FOLDER "/run-%s.lock", disk);
}

/* A line without its end; what follows, or NULL. */
static const char *take_line(char *to, size_t size, const char *from)
{
	size_t len = strcspn(from, "\n");

	if (!from[len] || len >= size)
		return NULL;
	memcpy(to, from, len);
	to[len] = '\0';
	return from + len + 1;
}

void leftover_read(int lock, struct leftover_owner *owner)
{
	char text[sizeof(*owner) + 3];
	ssize_t len = pread(lock, text, sizeof(text) - 1, 0);
	const char *rest;

	memset(owner, 0, sizeof(*owner));
	if (len <= 0)
		return;
	text[len] = '\0';
	rest = take_line(owner->run, sizeof(owner->run), text);
	if (!rest || !take_line(owner->store, sizeof(owner->store), rest))
		memset(owner, 0, sizeof(*owner));
}

void leftover_note(const struct leftover *leftover, const char *run, const char *store)
{
	char text[sizeof(struct leftover_owner) + 3] = "";
	int len = run ? snprintf(text, sizeof(text), "%s\n%s\n", run, store) : 0;

	/* Nothing depends on it but what is said later. */
	if (len < 0 || (size_t)len >= sizeof(text) || ftruncate(leftover->lock, 0) ||
	    pwrite(leftover->lock, text, (size_t)len, 0) != len)
		(void)ftruncate(leftover->lock, 0);
}

enum leftover_use leftover_look(const char *disk, struct leftover_owner *owner)
{
	enum leftover_use use = LEFTOVER_FREE;
	char path[PATH_MAX];
	int fd = -1;

	memset(owner, 0, sizeof(*owner));
	if (!leftover_lock_path(path, disk))
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return errno == ENOENT ? LEFTOVER_FREE : LEFTOVER_UNKNOWN;
	if (flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK)
		use = LEFTOVER_IN_USE;
	leftover_read(fd, owner);
	close(fd);
	return use;
}

bool leftover_is_locked(const char *disk)
{
	struct leftover_owner owner;

	return leftover_look(disk, &owner) == LEFTOVER_IN_USE;
}

int leftover_refuse(const char *disk, const struct leftover_owner *owner, struct trouble *trouble)
{
	if (!*owner->run)
		return trouble_set(trouble, TROUBLE_REFUSED, disk, "",
				   "another fsbctl run is at work on it");
	return trouble_set(trouble, TROUBLE_REFUSED, disk, "",
			   "another fsbctl run is at work on it: %s", owner->run);
}
