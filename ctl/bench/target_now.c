// SPDX-License-Identifier: GPL-2.0-or-later
/* target_now: what is written on the target; see target_parts.h. */
#include "bench/target_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Of the device, and of the range where that begins further on. */
struct found {
	struct signatures device, range;
};

static int read_both(const struct target *target, const struct blockdev *dev, struct found *found,
		     struct trouble *trouble)
{
	int fd = target_open_device(dev, O_RDONLY, trouble), ret;

	memset(found, 0, sizeof(*found));
	if (fd < 0)
		return -1;
	/* The whole disk's cache does not know what was written through a partition. */
	(void)ioctl(fd, BLKFLSBUF, 0);
	ret = signatures_read(fd, 0, target->capacity, &found->device);
	if (!ret && (target->offset || target->size < target->capacity))
		ret = signatures_read(fd, target->offset, target->size, &found->range);
	if (ret)
		trouble_set(trouble, TROUBLE_FAILED, dev->name, "",
			    "what is written there cannot be told: %s", strerror(errno));
	close(fd);
	return ret;
}

static int refuse_signature(const struct target *target, const char *name,
			    const struct signature *signature, bool range, struct trouble *trouble)
{
	char hint[200], where[64] = "it";

	if (range && target->offset) {
		snprintf(where, sizeof(where), "%llu MiB into it there",
			 (unsigned long long)(target->offset / MIB));
		snprintf(hint, sizeof(hint), "overwrite that place first if its data may be lost");
	} else if (signature->table) {
		snprintf(hint, sizeof(hint),
			 "name one of its partitions, or remove the table and with it all data:\n"
			 "wipefs -a /dev/%s",
			 name);
	} else {
		snprintf(hint, sizeof(hint), "if its data may be lost: wipefs -a /dev/%s", name);
	}
	return trouble_set(trouble, TROUBLE_REFUSED, name, hint, "%s %s %s (%s)", where,
			   signature->table ? "has" : "is", signature->refusal, signature->type);
}

/*
 * Of a disk that is a member of something as a whole, RAID of firmware for one, the partitions
 * may be seen all the same.
 */
static int check_whole(const struct blockdev *dev, struct trouble *trouble)
{
	struct signatures found;
	struct blockdev whole;
	int fd, ret = 0;

	if (!dev->partition)
		return 0;
	if (blockdev_whole(dev, &whole))
		return trouble_set(trouble, TROUBLE_FAILED, dev->name, "", "%s", strerror(errno));
	fd = target_open_device(&whole, O_RDONLY, trouble);
	if (fd < 0)
		return -1;
	if (signatures_read(fd, 0, 0, &found))
		ret = trouble_set(trouble, TROUBLE_FAILED, whole.name, "",
				  "what is written there cannot be told: %s", strerror(errno));
	for (size_t i = 0; i < found.nr && !ret; i++)
		if (found.signature[i].refusal && !found.signature[i].table)
			ret = trouble_set(trouble, TROUBLE_REFUSED, dev->name, "",
					  "its disk as a whole is %s (%s)",
					  found.signature[i].refusal, found.signature[i].type);
	close(fd);
	return ret;
}

static int refuse(const struct target *target, const char *name, const struct found *found,
		  struct trouble *trouble)
{
	const struct signature *bad = signatures_refusal(&found->device);

	if (bad)
		return refuse_signature(target, name, bad, false, trouble);
	bad = signatures_refusal(&found->range);
	if (bad)
		return refuse_signature(target, name, bad, true, trouble);
	if (found->device.more || found->range.more)
		return trouble_set(trouble, TROUBLE_REFUSED, name, "wipefs shows them",
				   "it bears the marks of more than %d filesystems or pools",
				   SIGNATURES_MAX);
	return 0;
}

/* "type=uuid " of each, so that what was not there is noticed later. */
static void remember(char *seen, size_t size, const struct signatures *signatures)
{
	size_t used = strlen(seen);

	for (size_t i = 0; i < signatures->nr && used < size; i++) {
		int n = snprintf(seen + used, size - used, "%s=%s ", signatures->signature[i].type,
				 signatures->signature[i].uuid);

		used += n > 0 ? (size_t)n : 0;
	}
}

static bool is_seen(const char *seen, const struct signature *signature)
{
	char word[128];

	snprintf(word, sizeof(word), "%s=%s ", signature->type, signature->uuid);
	return strstr(seen, word);
}

int target_check_signatures(struct target *target, struct trouble *trouble)
{
	const char *use = target->is_left ? "left by a run" : "not in use";
	char device[220], range[60];
	struct blockdev dev;
	struct found found;

	if (target_device(target, &dev, trouble) || read_both(target, &dev, &found, trouble) ||
	    check_whole(&dev, trouble) || refuse(target, dev.name, &found, trouble))
		return -1;
	signatures_describe(&found.device, device, sizeof(device));
	signatures_describe(&found.range, range, sizeof(range));
	if (target->offset && found.range.nr)
		snprintf(target->now, sizeof(target->now), "%s; in the range %s; %s", device, range,
			 use);
	else
		snprintf(target->now, sizeof(target->now), "%s, %s", device, use);
	remember(target->seen, sizeof(target->seen), &found.device);
	remember(target->seen, sizeof(target->seen), &found.range);
	return 0;
}

int target_recheck_signatures(const struct target *target, struct trouble *trouble)
{
	struct blockdev dev;
	struct found found;

	if (target_device(target, &dev, trouble) || read_both(target, &dev, &found, trouble) ||
	    check_whole(&dev, trouble) || refuse(target, dev.name, &found, trouble))
		return -1;
	for (size_t i = 0; i < found.device.nr + found.range.nr; i++) {
		const struct signature *signature =
			i < found.device.nr ? &found.device.signature[i]
					    : &found.range.signature[i - found.device.nr];

		if (!is_seen(target->seen, signature) && !signature_is_ours(signature))
			return trouble_set(trouble, TROUBLE_REFUSED, dev.name,
					   "begin anew if its data may be lost",
					   "somebody has made %s on it meanwhile", signature->type);
	}
	return 0;
}
