// SPDX-License-Identifier: GPL-2.0-only
/* Block devices are opened as files: since 6.9; blkdev_get_by_dev() up to 6.4. */
#include <linux/blkdev.h>

struct block_device *fsb_check(dev_t dev);
struct block_device *fsb_check(dev_t dev)
{
	struct file *file = bdev_file_open_by_dev(dev, BLK_OPEN_READ | BLK_OPEN_NDELAY, NULL, NULL);

	bdev_fput(file);
	return file_bdev(file);
}
