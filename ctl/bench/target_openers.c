// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * target_openers: who has the device open for writing without claiming it, as virtual machines,
 * databases and loop devices do; see target_parts.h.
 */
#include "bench/target_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "disk/kfile.h"
#include "message.h"

/* Writing to a disk writes to its partitions, and the other way round. */
static bool overlaps(const struct blockdev *dev, const struct blockdev *other)
{
	struct blockdev whole;

	if (dev->major == other->major && dev->minor == other->minor)
		return true;
	if (dev->partition == other->partition)
		return false;
	if (blockdev_whole(dev->partition ? dev : other, &whole))
		return false;
	other = dev->partition ? other : dev;
	return whole.major == other->major && whole.minor == other->minor;
}

/* A mount, of which the kernel has one of that number at most, and whether it answers at once. */
struct mount_known {
	int id;
	bool answers;
};

struct opener_search {
	const struct blockdev *dev;
	struct mount_known *mount;
	size_t nr;
};

/*
 * Whether looking at what is open there waits for no server: of any other filesystem nothing is
 * looked at.  Nodes that can be opened are on one of these, or on what is on a disk.
 */
static bool answers_at_once(const char *fstype, unsigned int major)
{
	static const char *const without_disk[] = {"devtmpfs", "tmpfs", "ramfs",    "rootfs",
						   "overlay",  "btrfs", "bcachefs", "zfs"};
	static const char *const asking[] = {"fuse", "gfs2", "ocfs2"};

	for (size_t i = 0; i < sizeof(without_disk) / sizeof(*without_disk); i++)
		if (!strcmp(fstype, without_disk[i]))
			return true;
	for (size_t i = 0; i < sizeof(asking) / sizeof(*asking); i++)
		if (!strncmp(fstype, asking[i], strlen(asking[i])))
			return false;
	return major;
}

/* "110 28 0:45 / /mnt rw - fuse source rw" */
static bool is_mount_line(const char *line, void *arg)
{
	const char *type = strstr(line, " - ");
	struct mount_known *mount = arg;
	unsigned int major, minor;
	char fstype[64];
	int id;

	if (!type || sscanf(line, "%d %*d %u:%u", &id, &major, &minor) != 3 || id != mount->id ||
	    sscanf(type, " - %63s", fstype) != 1)
		return false;
	mount->answers = answers_at_once(fstype, major);
	return true;
}

/* One that no namespace has any more is taken by the name of the file. */
static bool mount_answers(struct opener_search *search, const char *pid, int id, const char *name)
{
	struct mount_known *more, mount = {.id = id};
	char path[64];

	for (size_t i = 0; i < search->nr; i++)
		if (search->mount[i].id == id)
			return search->mount[i].answers;
	snprintf(path, sizeof(path), "/proc/%.32s/mountinfo", pid);
	if (!kfile_find_line(path, is_mount_line, &mount) &&
	    !kfile_find_line("/proc/self/mountinfo", is_mount_line, &mount))
		return !strncmp(name, "/dev/", 5);
	more = realloc(search->mount, (search->nr + 1) * sizeof(*more));
	if (!more)
		return mount.answers;
	search->mount = more;
	search->mount[search->nr++] = mount;
	return mount.answers;
}

/*
 * An open file that may be a block device.  Following the link asks the filesystem that the file
 * is on, which may be one that never answers: what is open for writing, and where, is read first.
 */
static bool may_be_device(struct opener_search *search, const char *pid, const char *fd)
{
	char path[PATH_MAX], name[PATH_MAX], text[512], *flags, *mount;
	size_t root = strlen(disk_root);
	unsigned long mode;
	ssize_t len;

	if (kfile_path(path, sizeof(path), "/proc/%s/fd/%s", pid, fd))
		return false;
	len = readlink(path, name, sizeof(name) - 1);
	if (len <= 0 || *name != '/' ||
	    kfile_read(text, sizeof(text), "/proc/%s/fdinfo/%s", pid, fd))
		return false;
	name[len] = '\0';
	flags = strstr(text, "flags:");
	mount = strstr(text, "mnt_id:");
	if (!flags || !mount)
		return false;
	mode = strtoul(flags + strlen("flags:"), NULL, 8);
	return (mode & O_ACCMODE) != O_RDONLY && !(mode & O_PATH) &&
	       mount_answers(search, pid, atoi(mount + strlen("mnt_id:")),
			     strncmp(name, disk_root, root) ? name : name + root);
}

static bool process_has(struct opener_search *search, const char *pid)
{
	char **fds, path[PATH_MAX];
	int nr = kfile_names(&fds, "/proc/%s/fd", pid);
	bool has = false;

	for (int i = 0; i < nr && !has; i++) {
		struct blockdev other;
		struct statx st;

		has = may_be_device(search, pid, fds[i]) &&
		      !kfile_path(path, sizeof(path), "/proc/%s/fd/%s", pid, fds[i]) &&
		      !statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_TYPE, &st) &&
		      S_ISBLK(st.stx_mode) &&
		      !blockdev_by_number(&other, st.stx_rdev_major, st.stx_rdev_minor) &&
		      overlaps(search->dev, &other);
	}
	kfile_names_free(fds, nr > 0 ? nr : 0);
	return has;
}

static bool a_process_has(const struct blockdev *dev, char *how, size_t size)
{
	struct opener_search search = {.dev = dev};
	char **pids, comm[64] = "", safe[100];
	int nr = kfile_names(&pids, "/proc");
	bool has = false;

	for (int i = 0; i < nr && !has; i++) {
		if (strspn(pids[i], "0123456789") != strlen(pids[i]) ||
		    strtol(pids[i], NULL, 10) == (long)getpid() || !process_has(&search, pids[i]))
			continue;
		has = true;
		(void)kfile_read(comm, sizeof(comm), "/proc/%s/comm", pids[i]);
		snprintf(how, size, "open for writing by %s (process %.16s)",
			 message_printable(safe, sizeof(safe), comm), pids[i]);
	}
	kfile_names_free(pids, nr > 0 ? nr : 0);
	free(search.mount);
	return has;
}

static bool a_loop_has(const struct blockdev *dev, char *how, size_t size)
{
	char **names, path[PATH_MAX];
	int nr = kfile_names(&names, "/sys/block");
	bool has = false;

	for (int i = 0; i < nr && !has; i++) {
		struct blockdev other;

		has = !strncmp(names[i], "loop", 4) &&
		      !kfile_read(path, sizeof(path), "/sys/block/%s/loop/backing_file",
				  names[i]) &&
		      !strncmp(path, "/dev/", 5) && !blockdev_by_node(&other, path) &&
		      overlaps(dev, &other);
		if (has)
			snprintf(how, size, "the backing device of %.20s", names[i]);
	}
	kfile_names_free(names, nr > 0 ? nr : 0);
	return has;
}

bool target_has_opener(const struct blockdev *dev, char *how, size_t size)
{
	return a_loop_has(dev, how, size) || a_process_has(dev, how, size);
}
