/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings_values: settings and other files of a disk in sysfs, by name and as text.
 * A name is that of a setting, or the path of a file below the disk's directory
 * ("queue/wbt_lat_usec").  The drive's own cache is no file and is not among them.
 * For settings*.c and drive*.c.
 */
#ifndef FSB_DISK_SETTINGS_VALUES_H
#define FSB_DISK_SETTINGS_VALUES_H

#include "disk/blockdev.h"
#include "disk/settings.h"

struct value {
	char name[SETTING_NAME_MAX];
	char text[SETTING_VALUE_MAX];
};

struct values {
	struct value *item;
	size_t nr;
};

/* NULL when there is none of this name. */
const char *values_get(const struct values *values, const char *name);
/* Adds one or changes its text.  0, or -1 with ENOMEM. */
int values_put(struct values *values, const char *name, const char *text);
void values_free(struct values *values);

/* One value: 0, or -1 with errno and "". */
int value_read(const struct blockdev *dev, const char *name, char text[SETTING_VALUE_MAX]);
int value_write(const struct blockdev *dev, const char *name, const char *text);

/* Everything that can be written in queue/ and queue/iosched/, and the queue depth. */
int values_read(const struct blockdev *dev, struct values *values);

/*
 * Whether a name is one that values_read() gives: a setting's, or of a file that lies directly in
 * queue/ or queue/iosched/.  What a state file says has to be asked for first.
 */
bool value_name_is_known(const char *name);

/* Writes text into a file below the disk's directory.  0, or -1 with errno. */
int file_write(const struct blockdev *dev, const char *path, const char *text);

#endif /* FSB_DISK_SETTINGS_VALUES_H */
