// SPDX-License-Identifier: GPL-2.0-or-later
/* settings_values: see settings_values.h. */
#include "disk/settings_values.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "disk/kfile.h"

static const struct {
	const char *name, *path; /* NULL: no file */
} settings[SETTINGS] = {
	[SETTING_WRITE_CACHE] = {"write_cache", NULL},
	[SETTING_WRITE_CACHE_KERNEL] = {"write_cache_kernel", "queue/write_cache"},
	[SETTING_NCQ] = {"ncq", "device/queue_depth"},
	[SETTING_SCHEDULER] = {"scheduler", "queue/scheduler"},
	[SETTING_NR_REQUESTS] = {"nr_requests", "queue/nr_requests"},
};

const char *settings_name(enum setting setting)
{
	return settings[setting].name;
}

enum setting settings_by_name(const char *name)
{
	int i;

	for (i = 0; i < SETTINGS; i++)
		if (!strcmp(settings[i].name, name))
			break;
	return (enum setting)i;
}

static struct value *find(const struct values *values, const char *name)
{
	for (size_t i = 0; i < values->nr; i++)
		if (!strcmp(values->item[i].name, name))
			return &values->item[i];
	return NULL;
}

const char *values_get(const struct values *values, const char *name)
{
	const struct value *value = find(values, name);

	return value ? value->text : NULL;
}

int values_put(struct values *values, const char *name, const char *text)
{
	struct value *value = find(values, name), *more;

	if (!value) {
		more = realloc(values->item, (values->nr + 1) * sizeof(*more));
		if (!more)
			return -1;
		values->item = more;
		value = &more[values->nr++];
		snprintf(value->name, sizeof(value->name), "%s", name);
	}
	snprintf(value->text, sizeof(value->text), "%s", text);
	return 0;
}

void values_free(struct values *values)
{
	free(values->item);
	memset(values, 0, sizeof(*values));
}

int file_write(const struct blockdev *dev, const char *path, const char *text)
{
	char full[PATH_MAX];
	size_t len = strlen(text);
	ssize_t n;
	int fd, saved;

	if (kfile_path(full, sizeof(full), "%s/%s", dev->dir, path))
		return -1;
	fd = open(full, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return -1;
	do {
		n = write(fd, text, len);
	} while (n < 0 && errno == EINTR);
	saved = n >= 0 && (size_t)n < len ? EIO : errno;
	if (close(fd) && n == (ssize_t)len)
		return -1;
	errno = saved;
	return n == (ssize_t)len ? 0 : -1;
}

bool value_name_is_known(const char *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	static const char *const folders[] = {"queue/iosched/", "queue/"};

	if (settings_by_name(name) < SETTINGS)
		return true;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		size_t len = strlen(folders[i]);

		if (!strncmp(name, folders[i], len) && name[len])
			return name[len + strspn(name + len, letters)] == '\0';
	}
	return false;
}

static const char *path_of(const char *name)
{
	enum setting setting = settings_by_name(name);

	return setting < SETTINGS ? settings[setting].path : name;
}

int value_read(const struct blockdev *dev, const char *name, char text[SETTING_VALUE_MAX])
{
	const char *path = path_of(name);
	char *open, *end;

	text[0] = '\0';
	if (!path) {
		errno = EINVAL;
		return -1;
	}
	if (kfile_read(text, SETTING_VALUE_MAX, "%s/%s", dev->dir, path))
		return -1;
	/* "mq-deadline [none]": the active one. */
	open = strcmp(path, "queue/scheduler") ? NULL : strchr(text, '[');
	end = open ? strchr(open, ']') : NULL;
	if (end) {
		*end = '\0';
		memmove(text, open + 1, strlen(open + 1) + 1);
	}
	return 0;
}

int value_write(const struct blockdev *dev, const char *name, const char *text)
{
	const char *path = path_of(name);

	if (path)
		return file_write(dev, path, text);
	errno = EINVAL;
	return -1;
}

/* sysfs says by a file's mode what can be written; root's access() says nothing. */
static bool can_be_written(const struct blockdev *dev, const char *path)
{
	char full[PATH_MAX];
	struct stat st;

	return !kfile_path(full, sizeof(full), "%s/%s", dev->dir, path) && !stat(full, &st) &&
	       S_ISREG(st.st_mode) && (st.st_mode & 0200);
}

static int add_file(const struct blockdev *dev, const char *path, struct values *values)
{
	char text[SETTING_VALUE_MAX];
	const char *name = path;

	for (int i = 0; i < SETTINGS; i++)
		if (settings[i].path && !strcmp(settings[i].path, path))
			name = settings[i].name;
	/* What cannot be read, or not in one piece, cannot be put back either. */
	if (!can_be_written(dev, path) || value_read(dev, name, text) ||
	    strlen(text) == sizeof(text) - 1 || strchr(text, '\n'))
		return 0;
	return values_put(values, name, text);
}

static int add_files(const struct blockdev *dev, const char *folder, struct values *values)
{
	char **names, path[SETTING_NAME_MAX];
	int nr = kfile_names(&names, "%s/%s", dev->dir, folder), ret = 0;

	for (int i = 0; i < nr && !ret; i++)
		if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, names[i]) < sizeof(path))
			ret = add_file(dev, path, values);
	kfile_names_free(names, nr > 0 ? nr : 0);
	return ret;
}

int values_read(const struct blockdev *dev, struct values *values)
{
	memset(values, 0, sizeof(*values));
	if (add_files(dev, "queue", values) || add_files(dev, "queue/iosched", values) ||
	    add_file(dev, "device/queue_depth", values)) {
		values_free(values);
		return -1;
	}
	return 0;
}
