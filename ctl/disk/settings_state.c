// SPDX-License-Identifier: GPL-2.0-or-later
/* settings_state: see settings_state.h. */
#include "disk/settings_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "disk/kfile.h"
#include "trusted.h"
#include "xdg.h"

#define STATE_SIZE_MAX (1 << 20)
#define HINT_NOT_TRUSTED                                                                   \
	"root takes old values only from a file that no other user can change:\n"          \
	"look at it, then chown root and chmod go-w what is named, or remove it"
#define LOCK_TRIES     100
#define LOCK_PAUSE_NS  100000000L

int settings_fail(struct settings_error *error, enum settings_status status, const char *object,
		  const char *hint, const char *format, ...)
{
	va_list args;

	error->status = status;
	snprintf(error->object, sizeof(error->object), "%s", object);
	snprintf(error->hint, sizeof(error->hint), "%s", hint);
	va_start(args, format);
	vsnprintf(error->reason, sizeof(error->reason), format, args);
	va_end(args);
	return -1;
}

size_t state_folders(char folder[2][PATH_MAX])
{
	char *own = xdg_folder(XDG_STATE);
	size_t nr = 0;
	int len = -1;

	if (!kfile_path(folder[nr], PATH_MAX, "/run/fsbctl"))
		nr++;
	if (own)
		len = snprintf(folder[nr], PATH_MAX, "%s", own);
	free(own);
	return len > 0 && len < PATH_MAX ? nr + 1 : nr;
}

static int make_folder(const char *folder)
{
	char path[PATH_MAX];
	int len = snprintf(path, sizeof(path), "%s", folder);

	if (len < 0 || (size_t)len >= sizeof(path))
		return -1;
	for (char *c = path + 1; *c; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		if (mkdir(path, 0755) && errno != EEXIST && errno != EROFS)
			return -1;
		*c = '/';
	}
	return mkdir(path, 0755) && errno != EEXIST ? -1 : 0;
}

static int place(struct settings_state *state, const char *folder, const char *file)
{
	int len = snprintf(state->path, sizeof(state->path), "%s/%s", folder, file);
	int lock = snprintf(state->lock_path, sizeof(state->lock_path), "%s/%s.lock", folder, file);

	if (len < 0 || lock < 0 || (size_t)lock >= sizeof(state->lock_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	return 0;
}

/* Where the state is, or else would be; how that folder can be written is not yet known. */
static int choose(struct settings_state *state, bool *there)
{
	char folder[2][PATH_MAX], file[256];
	size_t nr = state_folders(folder);

	*there = false;
	state_file_name(state->key, file, sizeof(file));
	for (size_t i = 0; i < nr && !*there; i++) {
		if (place(state, folder[i], file))
			return -1;
		*there = !access(state->path, F_OK);
	}
	return 0;
}

/* Else a link could lead what is written there elsewhere. */
static bool folder_is_trusted(const char *path)
{
	char folder[PATH_MAX], why[400];

	snprintf(folder, sizeof(folder), "%s", path);
	*strrchr(folder, '/') = '\0';
	return !trusted_path(folder, TRUSTED_ROOT, why, sizeof(why));
}

/* A folder that cannot be written (read-only, another user's) is passed over. */
static int open_lock(struct settings_state *state, bool there)
{
	char folder[2][PATH_MAX], file[256];
	size_t nr = there ? 1 : state_folders(folder);

	state_file_name(state->key, file, sizeof(file));
	for (size_t i = 0; i < nr && state->lock < 0; i++) {
		if (!there && (make_folder(folder[i]) || place(state, folder[i], file)))
			continue;
		if (!folder_is_trusted(state->lock_path))
			continue;
		state->lock =
			open(state->lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	}
	return state->lock < 0 ? -1 : 0;
}

static int wait_for_lock(struct settings_state *state)
{
	const struct timespec pause = {0, LOCK_PAUSE_NS};

	for (int i = 0; i < LOCK_TRIES; i++) {
		if (!flock(state->lock, LOCK_EX | LOCK_NB))
			return 0;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -1;
		nanosleep(&pause, NULL);
	}
	errno = EWOULDBLOCK;
	return -1;
}

static int lock_state(struct settings_state *state, bool there, struct settings_error *error)
{
	if (open_lock(state, there))
		return settings_fail(error, SETTINGS_FAILED, state->name,
				     "settings are changed only when the old values can be saved;\n"
				     "make /run/fsbctl or $XDG_STATE_HOME/fsbctl writable",
				     "nowhere to save its old settings: %s: %s", state->lock_path,
				     strerror(errno));
	if (!wait_for_lock(state))
		return 0;
	if (errno == EWOULDBLOCK)
		return settings_fail(error, SETTINGS_FAILED, state->name,
				     "try again when that one has ended",
				     "another fsbctl is changing its settings");
	return settings_fail(error, SETTINGS_FAILED, state->name, "", "%s: %s", state->lock_path,
			     strerror(errno));
}

static int read_text(int fd, char **text, size_t *len)
{
	FILE *file = fdopen(fd, "re");
	int saved;

	*text = NULL;
	if (!file) {
		saved = errno;
		close(fd);
		errno = saved;
		return -1;
	}
	*text = malloc(STATE_SIZE_MAX);
	*len = *text ? fread(*text, 1, STATE_SIZE_MAX, file) : 0;
	saved = ferror(file) ? EIO : *len == STATE_SIZE_MAX ? EFBIG : 0;
	if (fclose(file))
		saved = errno;
	if (*text && !saved)
		return 0;
	free(*text);
	errno = saved ? saved : ENOMEM;
	return -1;
}

static int load(struct settings_state *state, struct settings_error *error)
{
	char *text, why[400];
	size_t len;
	int ret, fd = trusted_open(state->path, TRUSTED_ROOT, why, sizeof(why));

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 && errno == EPERM)
		return settings_fail(error, SETTINGS_REFUSED, state->path, HINT_NOT_TRUSTED,
				     "not trusted: %s", why);
	if (fd < 0)
		return settings_fail(error, SETTINGS_FAILED, state->path, "", "%s", why);
	if (read_text(fd, &text, &len))
		return settings_fail(error, SETTINGS_FAILED, state->path, "", "%s",
				     strerror(errno));
	ret = state_parse(state, text, len, error);
	free(text);
	return ret;
}

int state_remove(const char *path, struct settings_error *error)
{
	struct settings_state state = {.lock = -1};
	int len = snprintf(state.lock_path, sizeof(state.lock_path), "%s.lock", path);
	int ret = -1;

	snprintf(state.path, sizeof(state.path), "%s", path);
	snprintf(state.name, sizeof(state.name), "%.*s", DISK_NAME_MAX - 1, path);
	if (len < 0 || (size_t)len >= sizeof(state.lock_path))
		settings_fail(error, SETTINGS_FAILED, path, "", "%s", strerror(ENAMETOOLONG));
	else if (!lock_state(&state, true, error))
		ret = state_store(&state, error);
	state_close(&state);
	return ret;
}

int state_load(struct settings_state *state, const char *path, struct settings_error *error)
{
	memset(state, 0, sizeof(*state));
	state->lock = -1;
	snprintf(state->path, sizeof(state->path), "%s", path);
	return load(state, error);
}

static int check_key(const struct settings_state *state, const char *key,
		     struct settings_error *error)
{
	if (!strcmp(state->key, key))
		return 0;
	return settings_fail(error, SETTINGS_FAILED, state->path, "",
			     "belongs to another disk (%s)", state->key);
}

int state_open(struct settings_state *state, const struct disk_info *info, bool lock,
	       struct settings_error *error)
{
	char key[STATE_KEY_MAX];
	bool there;

	memset(state, 0, sizeof(*state));
	state->lock = -1;
	state_key(info, key);
	strcpy(state->key, key);
	snprintf(state->name, sizeof(state->name), "%s", info->disk.name);
	if (choose(state, &there))
		return settings_fail(error, SETTINGS_FAILED, state->name, "",
				     "nowhere to save its old settings: %s", strerror(errno));
	if (lock && lock_state(state, there, error))
		return -1;
	if (load(state, error) || check_key(state, key, error))
		return -1;
	if (!state->nr && !state->pending) {
		disk_place(info, &state->place);
		(void)kfile_read(state->boot, sizeof(state->boot),
				 "/proc/sys/kernel/random/boot_id");
	}
	snprintf(state->name, sizeof(state->name), "%s", info->disk.name);
	return 0;
}

void state_close(struct settings_state *state)
{
	if (state->lock >= 0)
		close(state->lock); /* its file stays, or locking would race */
	free(state->saved);
	values_free(&state->before);
	state->saved = NULL;
	state->nr = 0;
	state->lock = -1;
}

/* What was renamed or removed is so for good once its folder is on stable storage. */
static int sync_folder(const char *path)
{
	char folder[PATH_MAX];
	int fd, ret;

	snprintf(folder, sizeof(folder), "%s", path);
	*strrchr(folder, '/') = '\0';
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ret = fsync(fd);
	if (close(fd))
		ret = -1;
	return ret;
}

static int write_synced(const char *path, const char *text)
{
	size_t len = strlen(text), done = 0;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
	int ret = 0;

	if (fd < 0)
		return -1;
	while (done < len && !ret) {
		ssize_t n = write(fd, text + done, len - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			ret = -1;
	}
	if (!ret)
		ret = fsync(fd);
	if (close(fd))
		ret = -1;
	return ret;
}

static int replace(const struct settings_state *state)
{
	char path[PATH_MAX + 8];
	char *text = state_text(state);
	int ret = -1;

	snprintf(path, sizeof(path), "%s.new", state->path);
	if (!text)
		errno = ENOMEM;
	else if (!write_synced(path, text) && !rename(path, state->path))
		ret = sync_folder(state->path);
	free(text);
	return ret;
}

int state_store(struct settings_state *state, struct settings_error *error)
{
	int ret;

	if (state->nr || state->pending)
		ret = replace(state);
	else
		ret = unlink(state->path) && errno != ENOENT ? -1 : sync_folder(state->path);
	if (!ret)
		return 0;
	return settings_fail(error, SETTINGS_FAILED, state->name,
			     "settings are changed only when the old values can be saved",
			     "its old settings cannot be saved: %s: %s", state->path,
			     strerror(errno));
}

struct saved *state_find(const struct settings_state *state, const char *name)
{
	for (size_t i = 0; i < state->nr; i++)
		if (!strcmp(state->saved[i].name, name))
			return &state->saved[i];
	return NULL;
}

int state_note(struct settings_state *state, const char *name, const char *was, const char *now,
	       enum setting cause)
{
	struct saved *saved = state_find(state, name), *more;

	if (!saved) {
		more = realloc(state->saved, (state->nr + 1) * sizeof(*more));
		if (!more)
			return -1;
		state->saved = more;
		saved = &more[state->nr++];
		memset(saved, 0, sizeof(*saved));
		snprintf(saved->name, sizeof(saved->name), "%s", name);
		snprintf(saved->was, sizeof(saved->was), "%s", was);
	} else if (strcmp(saved->now, was)) {
		/* Somebody else changed it in between: theirs is the value to go back to. */
		snprintf(saved->was, sizeof(saved->was), "%s", was);
	}
	snprintf(saved->now, sizeof(saved->now), "%s", now);
	saved->cause = cause;
	if (!strcmp(saved->was, saved->now))
		*saved = state->saved[--state->nr];
	return 0;
}
