// SPDX-License-Identifier: GPL-2.0-or-later
/* intervals: see intervals.h. */
#include "out/intervals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *intervals_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : P_tmpdir;
}

/* Nothing that another user could put there is followed or opened. */
static int open_unnamed(const char *folder)
{
	char path[PATH_MAX];
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);

	/* Not every filesystem can do that. */
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
	if (snprintf(path, sizeof(path), "%s/fsbctl-XXXXXX", folder) >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

static int make_file(struct intervals *intervals)
{
	intervals->fd = open_unnamed(intervals_folder());
	intervals->have_file = intervals->fd >= 0;
	return intervals->have_file ? 0 : -errno;
}

static off_t place_of(size_t row)
{
	return (off_t)(row * sizeof(struct report_interval));
}

/*
 * What is held goes behind what is in the file already.  Without a buffer: what did not go there
 * whole is held as before.
 */
static int put_away(struct intervals *intervals)
{
	size_t size = intervals->nr_held * sizeof(*intervals->held), done = 0;
	int err = intervals->have_file ? 0 : make_file(intervals);

	while (!err && done < size) {
		ssize_t put = pwrite(intervals->fd, (const char *)intervals->held + done,
				     size - done, place_of(intervals->nr_filed) + (off_t)done);

		if (put > 0)
			done += (size_t)put;
		else if (put == 0 || errno != EINTR)
			err = put ? -errno : -EIO;
	}
	if (err)
		return err;
	intervals->nr_filed += intervals->nr_held;
	intervals->nr_held = 0;
	return 0;
}

static int make_room(struct intervals *intervals)
{
	if (!intervals->held) {
		intervals->held = calloc(INTERVALS_HELD, sizeof(*intervals->held));
		return intervals->held ? 0 : -ENOMEM;
	}
	return intervals->nr_held < INTERVALS_HELD ? 0 : put_away(intervals);
}

int intervals_add(struct intervals *intervals, const struct report_interval *row)
{
	if (intervals->err)
		return 0;
	intervals->err = make_room(intervals);
	if (intervals->err) {
		intervals->lost_ns = row->begin_ns;
		return intervals->err;
	}
	intervals->held[intervals->nr_held++] = *row;
	return 0;
}

int intervals_each(const struct intervals *intervals,
		   int (*see)(void *arg, const struct report_interval *row), void *arg)
{
	struct report_interval row;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < intervals->nr_filed; i++)
		err = pread(intervals->fd, &row, sizeof(row), place_of(i)) == sizeof(row) ?
			      see(arg, &row) : -EIO;
	for (i = 0; !err && i < intervals->nr_held; i++)
		err = see(arg, &intervals->held[i]);
	return err;
}

void intervals_free(struct intervals *intervals)
{
	free(intervals->held);
	if (intervals->have_file)
		close(intervals->fd);
	memset(intervals, 0, sizeof(*intervals));
}
