// SPDX-License-Identifier: GPL-2.0-or-later
/* settings_waiting: the disks whose old values are saved; see settings.h. */
#include "disk/settings_job.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "message.h"

static bool is_state_file(const char *name)
{
	size_t len = strlen(name);

	return name[0] != '.' && len > 5 && !strcmp(name + len - 5, ".json");
}

static void list_settings(const struct settings_state *state, char *buf, size_t size)
{
	size_t used = 0;

	*buf = '\0';
	for (size_t i = 0; i < state->nr && used < size; i++) {
		enum setting setting = settings_by_name(state->saved[i].name);

		if (setting < SETTINGS || is_mount_name(state->saved[i].name))
			used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "",
						 state->saved[i].name);
	}
	if (state->pending && used < size)
		snprintf(buf + used, size - used, "%s%s", used ? ", " : "",
			 settings_name(state->pending_setting));
}

static int add(struct settings_waiting **waiting, int *nr, const char *path)
{
	struct settings_waiting *more;
	struct settings_state state;
	struct settings_error error;
	int ret = 0;

	more = realloc(*waiting, ((size_t)*nr + 1) * sizeof(*more));
	if (!more)
		return -1;
	*waiting = more;
	more += *nr;
	memset(more, 0, sizeof(*more));
	snprintf(more->path, sizeof(more->path), "%.511s", path);
	/* A file that cannot be read stands for settings all the same. */
	ret = state_load(&state, path, &error);
	if (ret || state.nr || state.pending) {
		snprintf(more->name, sizeof(more->name), "%s", state.name);
		snprintf(more->id, sizeof(more->id), "%s", state.key);
		if (!ret) {
			list_settings(&state, more->settings, sizeof(more->settings));
			more->present = !state_disk(&state, &more->disk, more->perhaps);
		}
		if (more->present)
			*more->perhaps = '\0';
		++*nr;
	}
	state_close(&state);
	return 0;
}

/* What else has such a name is not ours, and might never be read to its end. */
static bool is_regular(const char *path)
{
	struct stat status;

	if (lstat(path, &status) || S_ISDIR(status.st_mode))
		return false;
	if (S_ISREG(status.st_mode))
		return true;
	message_error(path, "ignored: not a regular file", "");
	return false;
}

static int add_folder(struct settings_waiting **waiting, int *nr, const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	char path[PATH_MAX];
	int ret = 0, len;

	if (!dir)
		return errno == ENOENT || errno == EACCES || errno == ENOTDIR ? 0 : -1;
	while (!ret && (entry = readdir(dir))) {
		len = snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		if (is_state_file(entry->d_name) && len > 0 && (size_t)len < sizeof(path) &&
		    is_regular(path))
			ret = add(waiting, nr, path);
	}
	closedir(dir);
	return ret;
}

bool settings_same_id(const struct settings_waiting *waiting, const struct disk *disk)
{
	char key[STATE_KEY_MAX];
	struct disk_info info;

	if (disk_describe(disk, &info))
		return false;
	state_key(&info, key);
	return !strcmp(key, waiting->id);
}

int settings_waiting(struct settings_waiting **waiting)
{
	char folder[2][PATH_MAX];
	size_t folders = state_folders(folder);
	int nr = 0;

	*waiting = NULL;
	for (size_t i = 0; i < folders; i++) {
		if (add_folder(waiting, &nr, folder[i])) {
			free(*waiting);
			*waiting = NULL;
			return -1;
		}
	}
	return nr;
}

int settings_forget(const struct settings_waiting *waiting, struct settings_error *error)
{
	return state_remove(waiting->path, error);
}
