// SPDX-License-Identifier: GPL-2.0-or-later
/* nvme_cache DEVICE: prints what the controller says its volatile write cache is: on or off. */
#include <fcntl.h>
#include <linux/nvme_ioctl.h>
#include <stdio.h>
#include <sys/ioctl.h>

int main(int argc, char **argv)
{
	struct nvme_admin_cmd command = {.opcode = 0x0a, .cdw10 = 0x06};
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;

	if (fd < 0 || ioctl(fd, NVME_IOCTL_ADMIN_CMD, &command)) {
		perror(argc == 2 ? argv[1] : "usage: nvme_cache DEVICE");
		return 1;
	}
	puts(command.result & 1 ? "on" : "off");
	return 0;
}
