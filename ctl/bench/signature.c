// SPDX-License-Identifier: GPL-2.0-or-later
/* signature: see signature.h. */
#include "bench/signature.h"

#include <blkid.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "message.h"

#define EXT_SUPERBLOCK	 1024
#define EXT_MTIME	 0x2c
#define EXT_LAST_MOUNTED 0x88
#define EXT_MTIME_HIGH	 0x275

#define BTRFS_SUPERBLOCK  0x10000
#define BTRFS_NUM_DEVICES 0x88

#define SUPERBLOCK_FLAGS                                                                  \
	(BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE | BLKID_SUBLKS_LABEL | BLKID_SUBLKS_UUID | \
	 BLKID_SUBLKS_MAGIC | BLKID_SUBLKS_BADCSUM)

#define OURS_MAX 64

/* What this process made last, so that it knows its own: fewer matter than there is room for. */
static char ours[OURS_MAX][64];
static size_t nr_ours;

static uint64_t little_endian(const unsigned char *bytes, size_t nr)
{
	uint64_t value = 0;

	while (nr--)
		value = value << 8 | bytes[nr];
	return value;
}

static void copy_value(blkid_probe probe, const char *name, char *buf, size_t size)
{
	const char *value = NULL;

	*buf = '\0';
	if (!blkid_probe_lookup_value(probe, name, &value, NULL) && value)
		message_printable(buf, size, value);
}

/* When and where an ext filesystem was mounted last. */
static void read_ext(int fd, uint64_t offset, struct signature *signature)
{
	unsigned char block[1024];
	char where[65] = "", safe[100], date[32];
	struct tm tm;
	time_t when;

	if (pread(fd, block, sizeof(block), (off_t)offset + EXT_SUPERBLOCK) != sizeof(block))
		return;
	when = (time_t)(little_endian(block + EXT_MTIME, 4) | (uint64_t)block[EXT_MTIME_HIGH]
								      << 32);
	if (!when || !localtime_r(&when, &tm) || !strftime(date, sizeof(date), "%Y-%m-%d", &tm))
		return;
	memcpy(where, block + EXT_LAST_MOUNTED, sizeof(where) - 1);
	snprintf(signature->mounted, sizeof(signature->mounted), "last mounted %s%s%s", date,
		 *where ? " on " : "", message_printable(safe, sizeof(safe), where));
}

static bool is_btrfs_of_several(int fd, uint64_t offset)
{
	unsigned char number[8];

	/* What cannot be read counts as several: that is refused. */
	return pread(fd, number, sizeof(number),
		     (off_t)offset + BTRFS_SUPERBLOCK + BTRFS_NUM_DEVICES) != sizeof(number) ||
	       little_endian(number, sizeof(number)) != 1;
}

static const char *known_refusal(const char *type)
{
	static const struct {
		const char *type, *says;
	} known[] = {
		{"LVM2_member", "an LVM physical volume"},
		{"LVM1_member", "an LVM physical volume"},
		{"linux_raid_member", "a member of an md array"},
		{"ddf_raid_member", "a member of a RAID array"},
		{"isw_raid_member", "a member of a RAID array"},
		{"zfs_member", "a member of a ZFS pool"},
		{"crypto_LUKS", "a LUKS container"},
		{"BitLocker", "a BitLocker volume"},
		{"bcache", "a bcache device"},
		{"bcachefs", "a bcachefs, perhaps one of several devices"},
		{"ceph_bluestore", "a Ceph object store"},
		{"drbd", "a DRBD device"},
		{"jbd", "the journal of another filesystem"},
		{"xfs_external_log", "the log of another filesystem"},
		{"swsuspend", "a hibernated system"},
		{"ocfs2", "a cluster filesystem that other machines may have mounted"},
		{"gfs", "a cluster filesystem that other machines may have mounted"},
		{"gfs2", "a cluster filesystem that other machines may have mounted"},
		{"VMFS", "a cluster filesystem that other machines may have mounted"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcasecmp(type, known[i].type))
			return known[i].says;
	return NULL;
}

/* Only what is known to stand alone may be written over. */
static const char *refusal_of(int fd, uint64_t offset, const char *type, const char *usage)
{
	const char *says = known_refusal(type), *end = strstr(type, "_member");

	if (says)
		return says;
	if (!strcmp(type, "btrfs") && is_btrfs_of_several(fd, offset))
		return "one of several devices of a btrfs";
	if (!strcmp(usage, "filesystem") && !end)
		return NULL;
	if (!strcmp(type, "swap"))
		return NULL;
	if (!strcmp(usage, "crypto"))
		return "an encrypted volume";
	return end || !strcmp(usage, "raid") ? "a member of an array or pool"
					     : "part of something larger";
}

static void take(blkid_probe probe, int fd, uint64_t offset, struct signatures *signatures)
{
	struct signature *signature = &signatures->signature[signatures->nr];
	char usage[32];

	if (signatures->nr == SIGNATURES_MAX) {
		signatures->more = true;
		return;
	}
	memset(signature, 0, sizeof(*signature));
	copy_value(probe, "TYPE", signature->type, sizeof(signature->type));
	if (*signature->type) {
		copy_value(probe, "LABEL", signature->label, sizeof(signature->label));
		copy_value(probe, "UUID", signature->uuid, sizeof(signature->uuid));
		copy_value(probe, "USAGE", usage, sizeof(usage));
		signature->refusal = refusal_of(fd, offset, signature->type, usage);
		if (!strncmp(signature->type, "ext", 3))
			read_ext(fd, offset, signature);
	} else {
		copy_value(probe, "PTTYPE", signature->type, sizeof(signature->type));
		signature->table = true;
		signature->refusal = "a partition table";
	}
	if (*signature->type)
		signatures->nr++;
}

static blkid_probe new_probe(int fd, uint64_t offset, uint64_t size)
{
	blkid_probe probe = blkid_new_probe();

	if (!probe)
		errno = ENOMEM;
	else if (!blkid_probe_set_device(probe, fd, (blkid_loff_t)offset, (blkid_loff_t)size) &&
		 !blkid_probe_enable_superblocks(probe, 1) &&
		 !blkid_probe_set_superblocks_flags(probe, SUPERBLOCK_FLAGS) &&
		 !blkid_probe_enable_partitions(probe, 1) &&
		 !blkid_probe_set_partitions_flags(probe, BLKID_PARTS_MAGIC))
		return probe;
	blkid_free_probe(probe);
	return NULL;
}

int signatures_read(int fd, uint64_t offset, uint64_t size, struct signatures *signatures)
{
	blkid_probe probe = new_probe(fd, offset, size);
	int ret;

	memset(signatures, 0, sizeof(*signatures));
	if (!probe)
		return -1;
	errno = EIO;
	while (!(ret = blkid_do_probe(probe)))
		take(probe, fd, offset, signatures);
	blkid_free_probe(probe);
	return ret < 0 ? -1 : 0;
}

const struct signature *signatures_refusal(const struct signatures *signatures)
{
	for (size_t i = 0; i < signatures->nr; i++)
		if (signatures->signature[i].refusal)
			return &signatures->signature[i];
	return NULL;
}

void signatures_describe(const struct signatures *signatures, char *buf, size_t size)
{
	size_t used = 0;

	snprintf(buf, size, "nothing that is known");
	for (size_t i = 0; i < signatures->nr && used < size; i++) {
		const struct signature *signature = &signatures->signature[i];
		int n = snprintf(buf + used, size - used, "%s%s%s%s%s%s%s", used ? ", " : "",
				 signature->type, *signature->label ? " \"" : "", signature->label,
				 *signature->label ? "\"" : "", *signature->mounted ? ", " : "",
				 signature->mounted);

		used += n > 0 ? (size_t)n : 0;
	}
}

void signature_partition(int fd, char *uuid, char *type, size_t size)
{
	blkid_probe probe = blkid_new_probe();

	*uuid = *type = '\0';
	if (probe && !blkid_probe_set_device(probe, fd, 0, 0) &&
	    !blkid_probe_enable_superblocks(probe, 0) && !blkid_probe_enable_partitions(probe, 1) &&
	    !blkid_probe_set_partitions_flags(probe, BLKID_PARTS_ENTRY_DETAILS) &&
	    blkid_do_fullprobe(probe) >= 0) {
		copy_value(probe, "PART_ENTRY_UUID", uuid, size);
		copy_value(probe, "PART_ENTRY_TYPE", type, size);
	}
	blkid_free_probe(probe);
}

static int open_for(const char *node, int flags, struct trouble *trouble)
{
	int fd = open(node, flags | O_EXCL | O_CLOEXEC);

	if (fd < 0)
		trouble_set(trouble, TROUBLE_FAILED, node, "", "%s", strerror(errno));
	return fd;
}

int signature_wipe(const char *node, uint64_t bytes, struct trouble *trouble)
{
	int fd = open_for(node, O_RDWR, trouble), ret;
	blkid_probe probe;

	if (fd < 0)
		return -1;
	errno = EIO;
	probe = new_probe(fd, 0, bytes);
	ret = probe ? 0 : -1;
	while (!ret) {
		ret = blkid_do_probe(probe);
		if (!ret && blkid_do_wipe(probe, 0))
			ret = -1;
	}
	if (probe)
		blkid_free_probe(probe);
	if (ret < 0 || fsync(fd))
		ret = trouble_set(trouble, TROUBLE_FAILED, node, "",
				  "what is there cannot be removed: %s", strerror(errno));
	close(fd);
	return ret < 0 ? -1 : 0;
}

int signature_ours(const char *node, uint64_t bytes, struct trouble *trouble)
{
	int fd = open_for(node, O_RDONLY, trouble), ret;
	struct signatures found;

	if (fd < 0)
		return -1;
	ret = signatures_read(fd, 0, bytes, &found);
	if (ret)
		trouble_set(trouble, TROUBLE_FAILED, node, "", "%s", strerror(errno));
	for (size_t i = 0; i < found.nr && !ret; i++)
		snprintf(ours[nr_ours++ % OURS_MAX], sizeof(ours[0]), "%s",
			 found.signature[i].uuid);
	close(fd);
	return ret;
}

bool signature_is_ours(const struct signature *signature)
{
	for (size_t i = 0; i < OURS_MAX && *signature->uuid; i++)
		if (!strcmp(ours[i], signature->uuid))
			return true;
	return false;
}
