// SPDX-License-Identifier: GPL-2.0-or-later
/* target_write: emptying the range, and writing it full; see target.h. */
#include "bench/target_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define CHUNK	  MIB
#define ALIGNMENT 4096

/*
 * The node for writing and for us alone.  The range begins where it begins, and it has to be
 * at least as long.
 */
static int open_range(const struct target *target, struct trouble *trouble)
{
	uint64_t bytes = 0;
	struct stat st;
	int fd = -1;

	if (target_recheck(target, trouble))
		return -1;
	if (stat(target->node, &st))
		return trouble_set(trouble, TROUBLE_FAILED, target->node, "", "%s",
				   strerror(errno));
	fd = target_open(target->node, major(st.st_rdev), minor(st.st_rdev),
			 O_RDWR | O_EXCL | O_DIRECT, trouble);
	if (fd < 0)
		return -1;
	if (ioctl(fd, BLKGETSIZE64, &bytes))
		trouble_set(trouble, TROUBLE_FAILED, target->node, "", "%s", strerror(errno));
	else if (bytes < target->size)
		trouble_set(trouble, TROUBLE_REFUSED, target->node, "",
			    "it is smaller than it was: %llu bytes", (unsigned long long)bytes);
	else
		return fd;
	close(fd);
	return -1;
}

int target_trim(const struct target *target, struct trouble *trouble)
{
	uint64_t range[2] = {0, target->size};
	int fd = open_range(target, trouble), ret;

	if (fd < 0)
		return -1;
	ret = ioctl(fd, BLKDISCARD, range);
	if (ret)
		trouble_set(trouble, errno == EOPNOTSUPP ? TROUBLE_MISSING : TROUBLE_FAILED,
			    target->node, "",
			    errno == EOPNOTSUPP ? "it takes no discards: %s"
						: "it cannot be trimmed: %s",
			    strerror(errno));
	close(fd);
	return ret;
}

/* xorshift64*: neither compression nor deduplication finds anything in it. */
static void fill_random(uint64_t *words, size_t nr, uint64_t *state)
{
	for (size_t i = 0; i < nr; i++) {
		*state ^= *state >> 12;
		*state ^= *state << 25;
		*state ^= *state >> 27;
		words[i] = *state * 0x2545f4914f6cdd1dULL;
	}
}

static int write_all(int fd, const char *bytes, size_t size, uint64_t offset)
{
	while (size) {
		ssize_t n = pwrite(fd, bytes, size, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		bytes += n;
		size -= (size_t)n;
		offset += (uint64_t)n;
	}
	return 0;
}

static int write_range(int fd, const struct target *target, bool (*go_on)(void *arg), void *arg,
		       struct trouble *trouble)
{
	uint64_t state = 0x9e3779b97f4a7c15ULL, done = 0;
	void *chunk = NULL;
	int ret = 0;

	if (posix_memalign(&chunk, ALIGNMENT, CHUNK))
		return trouble_memory(trouble, target->node);
	while (done < target->size && !ret) {
		size_t size = target->size - done < CHUNK ? (size_t)(target->size - done) : CHUNK;

		if (go_on && !go_on(arg)) {
			trouble_set(trouble, TROUBLE_NONE, target->node, "", "stopped");
			ret = -1;
			break;
		}
		fill_random(chunk, CHUNK / sizeof(state), &state);
		ret = write_all(fd, chunk, size, done);
		if (ret)
			trouble_set(trouble, TROUBLE_FAILED, target->node, "",
				    "writing it full failed at %llu MiB: %s",
				    (unsigned long long)(done / MIB), strerror(errno));
		done += size;
	}
	free(chunk);
	return ret;
}

int target_fill(const struct target *target, bool (*go_on)(void *arg), void *arg,
		struct trouble *trouble)
{
	int fd = open_range(target, trouble), ret;

	if (fd < 0)
		return -1;
	ret = write_range(fd, target, go_on, arg, trouble);
	if (!ret && fsync(fd))
		ret = trouble_set(trouble, TROUBLE_FAILED, target->node, "",
				  "writing it full failed: %s", strerror(errno));
	close(fd);
	return ret;
}
