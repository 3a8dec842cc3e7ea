// SPDX-License-Identifier: GPL-2.0-or-later
/* appends COUNT: appends 4 KiB to the file `log` COUNT times, each followed by fsync(). */
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = open("log", O_CREAT | O_WRONLY | O_APPEND, 0644);
	static const char block[4096];
	long count = argc == 2 ? atol(argv[1]) : 0;

	if (fd < 0 || count <= 0)
		err(1, "log");
	for (; count; count--)
		if (write(fd, block, sizeof(block)) != sizeof(block) || fsync(fd))
			err(1, "log");
	return 0;
}
