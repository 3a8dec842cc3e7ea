// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * settings_place: whose saved values are, where several disks call themselves the same; see
 * settings_state.h.
 */
#include "disk/settings_state.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

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

void state_place(const struct disk_info *info, struct state_place *place)
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

enum state_fit state_fits(const struct settings_state *state, const struct disk_info *info)
{
	char boot[sizeof(state->boot)];
	struct state_place place;

	state_place(info, &place);
	if (state->place.diskseq >= 0 && state->place.diskseq == place.diskseq &&
	    !kfile_read(boot, sizeof(boot), "/proc/sys/kernel/random/boot_id") &&
	    !strcmp(boot, state->boot))
		return FIT_CERTAIN;
	if (state->place.size && place.size && state->place.size != place.size)
		return FIT_NOT;
	/* A file of an earlier version says neither. */
	if (!*state->place.port || !strcmp(state->place.port, place.port))
		return FIT_PORT;
	return FIT_PERHAPS;
}

int state_disk(const struct settings_state *state, struct disk *disk, char perhaps[DISK_NAME_MAX])
{
	enum state_fit best = FIT_NOT, fit;
	char key[STATE_KEY_MAX];
	struct disk_info info;
	struct disk_set set;
	size_t same = 0; /* that fit as well as the best */

	*perhaps = '\0';
	if (disk_all(&set))
		return -1;
	for (size_t i = 0; i < set.nr; i++) {
		if (disk_describe(&set.disk[i], &info))
			continue;
		state_key(&info, key);
		if (strcmp(key, state->key))
			continue;
		fit = state_fits(state, &info);
		if (fit < best)
			continue;
		same = fit > best ? 1 : same + 1;
		best = fit;
		*disk = set.disk[i];
		memcpy(perhaps, set.disk[i].name, sizeof(set.disk[i].name));
	}
	disk_set_free(&set);
	/* A WWN is no other disk's, so that it may have moved; serial numbers repeat. */
	if (best == FIT_PERHAPS && !strncmp(state->key, "wwn-", 4))
		best = FIT_PORT;
	return same == 1 && best >= FIT_PORT ? 0 : -1;
}
