// SPDX-License-Identifier: GPL-2.0-or-later
/* xdg: see xdg.h. */
#include "xdg.h"

#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trusted.h"

static const struct {
	const char *variable, *below_home;
	bool written;
} places[] = {
	[XDG_CONFIG] = {"XDG_CONFIG_HOME", ".config", false},
	[XDG_DATA] = {"XDG_DATA_HOME", ".local/share", true},
	[XDG_STATE] = {"XDG_STATE_HOME", ".local/state", true},
};

static char *join(const char *home, const char *below)
{
	char *path;

	if ((below ? asprintf(&path, "%s/%s/fsbctl", home, below)
		   : asprintf(&path, "%s/fsbctl", home)) >= 0)
		return path;
	errno = ENOMEM;
	return NULL;
}

/* That or, where it does not exist yet, the folder that it would be made in is root's alone. */
static bool is_roots(const char *path)
{
	char nearest[PATH_MAX], why[PATH_MAX], *slash;

	if (snprintf(nearest, sizeof(nearest), "%s", path) >= (int)sizeof(nearest))
		return false;
	while (*nearest && access(nearest, F_OK)) {
		slash = strrchr(nearest, '/');
		if (!slash)
			return false;
		*slash = '\0';
	}
	return !trusted_path(*nearest ? nearest : "/", TRUSTED_ROOT, why, sizeof(why));
}

char *xdg_folder(enum xdg which)
{
	/* Relative ones are to be ignored, says the specification. */
	const char *base = getenv(places[which].variable), *home = getenv("HOME");
	const struct passwd *user;
	char *path = NULL;

	errno = ENOENT;
	if (base && *base == '/')
		path = join(base, NULL);
	else if (home && *home == '/')
		path = join(home, places[which].below_home);
	if ((path || errno != ENOENT) && (!places[which].written || !path || is_roots(path)))
		return path;
	free(path);
	user = places[which].written ? getpwuid(geteuid()) : NULL;
	if (user)
		return join(user->pw_dir, places[which].below_home);
	errno = ENOENT;
	return NULL;
}

char *xdg_root_folder(enum xdg which)
{
	const struct passwd *root = getpwuid(0);

	if (root)
		return join(root->pw_dir, places[which].below_home);
	errno = ENOENT;
	return NULL;
}
