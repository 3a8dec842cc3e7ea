// SPDX-License-Identifier: GPL-2.0-or-later
/* intruder: see intruder.h. */
#include "bench/intruder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "message.h"
#include "out/number.h"
#include "process_file.h"

/* Less than this, and less than this share of all bytes, disturbs nothing. */
#define LEAST_BYTES 0x100000U
#define LEAST_SHARE 0.01
/* Reads of less than this are programs being started. */
#define LEAST_READ 0x1000000U
/* Of what was read, at most so much was written, and at most so much came from the disk. */
#define FEW 0.1

#define PF_KTHREAD 0x00200000U

/* Of /proc/PID/stat: 0 or -1.  What stands in brackets may have anything in it. */
static int task_flags(unsigned int pid, unsigned int *flags)
{
	char text[1024], *at;

	if (process_file((pid_t)pid, "stat", text, sizeof(text)))
		return -1;
	at = strrchr(text, ')');
	return at && sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %u", flags) == 1 ? 0 : -1;
}

static bool is_other_partition(const struct owner *owner, const struct disk *disk, dev_t node)
{
	bool whole = owner->major == disk->major && owner->minor == disk->minor;

	/* Some kernels have forgotten the partition, and name the whole disk. */
	return !whole && (owner->major != major(node) || owner->minor != minor(node));
}

static bool is_intruder(const struct owner *owner, const struct disk *disk, dev_t node,
			const struct leftover *leftover)
{
	unsigned int flags;

	if (is_other_partition(owner, disk, node))
		return true;
	if (!owner->have_tgid || owner->tgid == (unsigned int)getpid() ||
	    task_flags(owner->tgid, &flags) || (flags & PF_KTHREAD))
		return false;
	return !leftover_is_ours(leftover, (int)owner->tgid);
}

bool intruder_found(const struct report_disk *disk, dev_t node, const struct leftover *leftover,
		    char *text, size_t size)
{
	const struct owner *most = NULL;
	uint64_t bytes = 0;
	struct number shown;
	char comm[64];
	size_t i;

	if (*disk->owners_unknown)
		return false;
	for (i = 0; i < disk->owners.nr; i++) {
		const struct owner *owner = &disk->owners.row[i];

		if (!owner_bytes(&owner->counts) ||
		    !is_intruder(owner, &disk->disk, node, leftover))
			continue;
		bytes += owner_bytes(&owner->counts);
		if (!most || owner_bytes(&owner->counts) > owner_bytes(&most->counts))
			most = owner;
	}
	if (!most || bytes < LEAST_BYTES ||
	    (double)bytes < LEAST_SHARE * (double)owner_bytes(&disk->owners.sum))
		return false;
	snprintf(text, size, "%s of the disk's I/O were others': %s", number_bytes(&shown, bytes),
		 message_printable(comm, sizeof(comm), most->comm));
	return true;
}

void asked_bytes_now(struct asked_bytes *asked)
{
	unsigned long long value;
	char line[128];
	FILE *file = fopen("/proc/self/io", "re");

	/*
	 * A process that was waited for leaves its sums to whoever did that.  What was written
	 * is what made a file's pages dirty: wchar has pipes and /dev/null in it.
	 */
	memset(asked, 0, sizeof(*asked));
	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "rchar: %llu", &value) == 1)
			asked->read = value;
		else if (sscanf(line, "write_bytes: %llu", &value) == 1)
			asked->written = value;
	}
	if (file)
		fclose(file);
}

bool reads_from_memory(const struct asked_bytes *begin, const struct asked_bytes *end,
		       const struct report_disk *disk, char *text, size_t size)
{
	uint64_t read = end->read - begin->read, written = end->written - begin->written;
	uint64_t from_disk = disk->figures.class[FSBSTAT_CLASS_READ].counts.bytes;
	struct number asked, given;

	if (!disk->delta.windows || read < LEAST_READ || (double)written > FEW * (double)read ||
	    (double)from_disk > FEW * (double)read)
		return false;
	snprintf(text, size, "reads came from memory: %s were asked for, the disk gave %s",
		 number_bytes(&asked, read), number_bytes(&given, from_disk));
	return true;
}
