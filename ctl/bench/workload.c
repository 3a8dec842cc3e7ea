// SPDX-License-Identifier: GPL-2.0-or-later
/* workload: all workloads there are, and what they need of this machine; see workload.h. */
#include "bench/workload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/data_dir.h"
#include "bench/workload_file.h"
#include "bench/workload_shell.h"

/* It concerns only those who use the workload, whose name is the file's. */
static int keep_mistake(struct workload *workload, const char *path, struct trouble *trouble)
{
	const char *slash = strrchr(path, '/');
	struct trouble *mistake = malloc(sizeof(*mistake));

	workload_file_free(workload);
	workload->mistake = mistake;
	workload->path = strdup(path);
	workload->name = strdup(slash ? slash + 1 : path);
	if (!mistake || !workload->path || !workload->name)
		return trouble_memory(trouble, path);
	*strrchr(workload->name, '.') = '\0';
	*mistake = *trouble;
	return 0;
}

int workload_library_load(struct workload_library *library, struct trouble *trouble)
{
	char **paths;
	size_t nr;
	int err = 0;

	memset(library, 0, sizeof(*library));
	if (data_files("workloads", &paths, &nr))
		return trouble_set(trouble, TROUBLE_MISSING, "workloads",
				   "FSBCTL_DATA names the directory that has them", "%s",
				   strerror(errno));
	library->workload = calloc(nr ? nr : 1, sizeof(*library->workload));
	if (!library->workload)
		err = trouble_memory(trouble, "workloads");
	for (size_t i = 0; i < nr && !err; i++) {
		struct workload *workload = &library->workload[library->nr++];

		if (workload_file_load(workload, paths[i], trouble))
			err = keep_mistake(workload, paths[i], trouble);
	}
	data_files_free(paths, nr);
	return err;
}

void workload_library_free(struct workload_library *library)
{
	for (size_t i = 0; i < library->nr; i++)
		workload_file_free(&library->workload[i]);
	free(library->workload);
	memset(library, 0, sizeof(*library));
}

const struct workload *workload_find(const struct workload_library *library, const char *name)
{
	for (size_t i = 0; i < library->nr; i++)
		if (!strcmp(library->workload[i].name, name))
			return &library->workload[i];
	return NULL;
}

static bool in_path(const char *tool)
{
	const char *path = getenv("PATH");
	char file[4096];
	size_t len;

	for (path = path ? path : "/usr/bin:/bin"; *path; path += len + (path[len] == ':')) {
		len = strcspn(path, ":");
		if (snprintf(file, sizeof(file), "%.*s/%s", (int)len, path, tool) <
			    (int)sizeof(file) &&
		    len && !access(file, X_OK))
			return true;
	}
	return false;
}

const char *workload_missing_tool(const struct workload *workload)
{
	for (size_t i = 0; i < workload->nr_tools; i++)
		if (!in_path(workload->tool[i]))
			return workload->tool[i];
	return NULL;
}

static void name_packages(const struct workload *workload, char *hint, size_t size)
{
	size_t used = 0;

	*hint = '\0';
	for (size_t i = 0; i < workload->nr_packages && used < size; i++)
		used += (size_t)snprintf(hint + used, size - used, "%s%s", i ? " " : "apt install ",
					 workload->package[i]);
}

int workload_tools(const struct workload *workload, struct trouble *trouble)
{
	const char *tool = workload_missing_tool(workload);
	char hint[400];

	if (!tool)
		return 0;
	name_packages(workload, hint, sizeof(hint));
	return trouble_set(trouble, TROUBLE_MISSING, workload->name, hint,
			   "needs %s, which is not in PATH", tool);
}

int workload_needs(const struct workload_use *use, struct trouble *trouble)
{
	char hint[400], why[400];

	if (!*use->workload->needs || shell_ask(use, use->workload->needs, why, sizeof(why)))
		return 0;
	name_packages(use->workload, hint, sizeof(hint));
	return trouble_set(trouble, TROUBLE_MISSING, use->label, hint, "%s", why);
}

int workload_version(const struct workload_use *use, char *version, size_t size)
{
	*version = '\0';
	errno = 0;
	if (!*use->workload->version)
		return -1;
	if (shell_ask(use, use->workload->version, version, size) && *version)
		return 0;
	*version = '\0';
	return -1;
}
