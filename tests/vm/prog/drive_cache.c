// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * drive_cache DEVICE: asks an NVMe or ATA drive about its volatile write cache: prints on
 * or off. By other ways into the kernel than fsbctl's, where there are any.
 */
#include <fcntl.h>
#include <linux/hdreg.h>
#include <linux/nvme_ioctl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#define IDENTIFY_WORD_85 (4 + 2 * 85)

int main(int argc, char **argv)
{
	struct nvme_admin_cmd command = {.opcode = 0x0a, .cdw10 = 0x06};
	unsigned char identify[4 + 512] = {0xec, 0, 0, 1};
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1, on;

	if (fd >= 0 && strstr(argv[1], "nvme") && !ioctl(fd, NVME_IOCTL_ADMIN_CMD, &command)) {
		on = command.result & 1;
	} else if (fd >= 0 && !ioctl(fd, HDIO_DRIVE_CMD, identify)) {
		on = identify[IDENTIFY_WORD_85] & 1 << 5;
	} else {
		perror(argc == 2 ? argv[1] : "usage: drive_cache DEVICE");
		return 1;
	}
	puts(on ? "on" : "off");
	return 0;
}
