// SPDX-License-Identifier: GPL-2.0-or-later
/* process_file: see process_file.h. */
#include "process_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int process_file(pid_t pid, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t got;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	got = read(fd, text, size - 1);
	(void)close(fd);
	if (got <= 0)
		return -1;
	text[got] = '\0';
	return 0;
}
