// SPDX-License-Identifier: GPL-2.0-or-later
/* leftover: see leftover.h. */
#include "bench/leftover.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/filesystem.h"
#include "bench/leftover_owner.h"

#define FOLDER	     LEFTOVER_FOLDER
#define MARK	     "FSBCTL_TRIAL"
#define MOST_ENVIRON 0x100000
/* filesystem_unmount() waits for those who still use it, this many times. */
#define TRIES 3

static int make_folder(const char *path, struct trouble *trouble)
{
	if (mkdir(path, 0755) == 0 || errno == EEXIST)
		return 0;
	return trouble_set(trouble, TROUBLE_FAILED, path, "", "%s", strerror(errno));
}

static int take_lock(struct leftover *leftover, const char *disk, struct trouble *trouble)
{
	char path[PATH_MAX];
	int err;

	if (leftover_lock_path(path, disk))
		return trouble_set(trouble, TROUBLE_FAILED, disk, "", "%s", strerror(errno));
	leftover->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (leftover->lock < 0)
		return trouble_set(trouble, TROUBLE_FAILED, path, "", "%s", strerror(errno));
	err = flock(leftover->lock, LOCK_EX | LOCK_NB) ? errno : 0;
	leftover_read(leftover->lock, &leftover->before);
	if (!err)
		return 0;
	if (err == EWOULDBLOCK)
		return leftover_refuse(disk, &leftover->before, trouble);
	return trouble_set(trouble, TROUBLE_FAILED, path, "", "%s", strerror(err));
}

void leftover_unlock(struct leftover *leftover)
{
	/* Where something is mounted still, this fails, and the next one finds it. */
	if (*leftover->at)
		(void)rmdir(leftover->at);
	if (leftover->lock >= 0)
		close(leftover->lock);
	leftover->lock = -1;
	*leftover->at = '\0';
}

/* The environment as the process found it; malloc'd, *size bytes and a 0. */
static char *read_environ(int pid, size_t *size)
{
	char path[64], *text = malloc(MOST_ENVIRON + 1);
	ssize_t got = 0;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/environ", pid);
	fd = text ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	*size = 0;
	while (fd >= 0 && *size < MOST_ENVIRON) {
		got = read(fd, text + *size, MOST_ENVIRON - *size);
		if (got <= 0)
			break;
		*size += (size_t)got;
	}
	if (fd >= 0)
		close(fd);
	if (text)
		text[*size] = '\0';
	return text;
}

bool leftover_is_ours(const struct leftover *leftover, int pid)
{
	char word[sizeof(MARK) + 1 + LEFTOVER_PATH_MAX], *text, *at;
	size_t size;
	bool ours = false;

	snprintf(word, sizeof(word), MARK "=%s", leftover->at);
	text = read_environ(pid, &size);
	if (!text)
		return false;
	for (at = text; at < text + size && !ours; at += strlen(at) + 1)
		ours = !strcmp(at, word);
	free(text);
	return ours;
}

static void end_processes(const struct leftover *leftover)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL) {
		int pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;

		/* fsbctl itself has the mark only for those it starts. */
		if (pid <= 1 || pid == getpid() || !leftover_is_ours(leftover, pid))
			continue;
		(void)kill(pid, SIGKILL);
	}
	if (dir)
		closedir(dir);
}

static bool is_mounted(const char *at)
{
	char *options = filesystem_effective(at);

	free(options);
	return options;
}

int leftover_clean(const struct leftover *leftover, struct trouble *trouble)
{
	int failed = 0;

	end_processes(leftover);
	while (is_mounted(leftover->at)) {
		if (filesystem_unmount(leftover->at, trouble) == 0)
			continue;
		if (++failed == TRIES)
			return -1;
		end_processes(leftover);
	}
	return 0;
}

int leftover_path(char at[LEFTOVER_PATH_MAX], const char *disk, struct trouble *trouble)
{
	if (snprintf(at, LEFTOVER_PATH_MAX, FOLDER "/mnt-%s", disk) < LEFTOVER_PATH_MAX)
		return 0;
	return trouble_set(trouble, TROUBLE_FAILED, disk, "", "its name is too long");
}

int leftover_lock(struct leftover *leftover, const char *disk, struct trouble *trouble)
{
	leftover->lock = -1;
	if (leftover_path(leftover->at, disk, trouble) || make_folder(FOLDER, trouble) ||
	    take_lock(leftover, disk, trouble) || make_folder(leftover->at, trouble))
		return -1;
	if (setenv(MARK, leftover->at, 1))
		return trouble_memory(trouble, disk);
	return leftover_clean(leftover, trouble);
}
