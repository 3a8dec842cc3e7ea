// SPDX-License-Identifier: GPL-2.0-or-later
/* place: see place.h. */
#include "disk/place.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "disk/blockdev.h"
#include "disk/kfile.h"

/* A part of a path in sysfs whose first number counts what has appeared: "host2", "2:0:0:1". */
static bool is_counted(const char *part, size_t len, size_t *letters)
{
	static const char *const kinds[] = {"host", "target", "virtio", "nvme", "session", "rport-",
					    "port-", "end_device-", "expander-", "ata", ""};
	size_t colons = 0;

	for (size_t i = 0; i < len; i++)
		colons += part[i] == ':';
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		*letters = strlen(kinds[i]);
		if (*letters < len && !strncmp(part, kinds[i], *letters) &&
		    isdigit((unsigned char)part[*letters]))
			return *kinds[i] || (colons == 3 && !memchr(part, '.', len));
	}
	return false;
}

/* libata counts its ports through all controllers; which one of its own controller it is stays. */
static int64_t ata_port(const char *dir, const char *part, size_t len)
{
	if (strncmp(part, "ata", 3))
		return -1;
	return kfile_number("%.*s%.*s/ata_port/%.*s/port_no", (int)(part - dir), dir, (int)len,
			    part, (int)len, part);
}

/* The path of its device without what is counted; the disk's own name at the end is left out. */
static void read_port(const char *dir, char *port, size_t size)
{
	const char *end = strrchr(dir, '/'), *part = dir + 1;
	size_t used = 0, letters;

	*port = '\0';
	while (part < end && used < size) {
		size_t len = strcspn(part, "/");
		size_t digits = 0;
		int64_t number = ata_port(dir, part, len);

		if (is_counted(part, len, &letters))
			digits = strspn(part + letters, "0123456789");
		else
			letters = 0;
		used += (size_t)snprintf(port + used, size - used, "/%.*s", (int)letters, part);
		if (number >= 0 && used < size)
			used += (size_t)snprintf(port + used, size - used, "%lld",
						 (long long)number);
		if (used < size)
			used += (size_t)snprintf(port + used, size - used, "%.*s",
						 (int)(len - letters - digits),
						 part + letters + digits);
		part += len + 1;
	}
}

void disk_place(const struct disk_info *info, struct disk_place *place)
{
	struct blockdev dev;

	memset(place, 0, sizeof(*place));
	place->diskseq = -1;
	if (blockdev_by_number(&dev, info->disk.major, info->disk.minor))
		return;
	read_port(dev.dir, place->port, sizeof(place->port));
	place->size = info->size_bytes > 0 ? info->size_bytes : 0;
	place->diskseq = kfile_number("%s/diskseq", dev.dir);
}
