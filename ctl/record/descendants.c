// SPDX-License-Identifier: GPL-2.0-or-later
/* descendants: see descendants.h. */
#include "record/descendants.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "process_file.h"

#define COMM_MAX 16
/* So many are named, the others counted. */
#define NAMED 3

struct process {
	pid_t pid, parent;
	char state, comm[COMM_MAX];
	bool below; /* this process */
};

struct processes {
	struct process *process;
	size_t nr;
};

int descendants_adopt(void)
{
	return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

/* "PID (NAME) STATE PARENT ..."; a name may hold anything, blanks and brackets too. */
static bool parse_stat(char *text, struct process *process)
{
	char *open = strchr(text, '('), *close = strrchr(text, ')');
	int parent;

	if (!open || !close || close < open ||
	    sscanf(close + 1, " %c %d", &process->state, &parent) != 2)
		return false;
	*close = '\0';
	snprintf(process->comm, sizeof(process->comm), "%s", open + 1);
	process->parent = parent;
	return true;
}

/* False: it has ended meanwhile. */
static bool read_process(const char *name, struct process *process)
{
	char text[512];

	*process = (struct process){ .pid = (pid_t)atoi(name) };
	return !process_file(process->pid, "stat", text, sizeof(text)) &&
	       parse_stat(text, process);
}

static int add(struct processes *all, const struct process *process)
{
	struct process *grown;

	/* In powers of two. */
	if (!(all->nr & (all->nr - 1))) {
		grown = realloc(all->process, (all->nr ? all->nr * 2 : 1) * sizeof(*grown));
		if (!grown)
			return -1;
		all->process = grown;
	}
	all->process[all->nr++] = *process;
	return 0;
}

/* From parents to children, generation by generation. */
static void mark_children(struct processes *all, pid_t parent)
{
	size_t i;

	for (i = 0; i < all->nr; i++) {
		struct process *process = &all->process[i];

		if (process->parent != parent || process->below)
			continue;
		process->below = true;
		mark_children(all, process->pid);
	}
}

static int read_all(struct processes *all)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	int err = 0;

	memset(all, 0, sizeof(*all));
	if (!dir)
		return -1;
	while (!err && (entry = readdir(dir)) != NULL) {
		struct process process;

		if (isdigit((unsigned char)entry->d_name[0]) &&
		    read_process(entry->d_name, &process))
			err = add(all, &process);
	}
	closedir(dir);
	if (!err)
		mark_children(all, getpid());
	return err;
}

int descendants_begin(struct descendants *descendants)
{
	struct processes all;
	int err = read_all(&all);
	size_t i;

	memset(descendants, 0, sizeof(*descendants));
	if (!err)
		descendants->before = calloc(all.nr + 1, sizeof(*descendants->before));
	if (!descendants->before)
		err = -1;
	for (i = 0; !err && i < all.nr; i++)
		if (all.process[i].below)
			descendants->before[descendants->nr++] = all.process[i].pid;
	free(all.process);
	return err;
}

void descendants_free(struct descendants *descendants)
{
	free(descendants->before);
	memset(descendants, 0, sizeof(*descendants));
}

static bool was_before(const struct descendants *descendants, pid_t pid)
{
	size_t i;

	for (i = 0; i < descendants->nr; i++)
		if (descendants->before[i] == pid)
			return true;
	return false;
}

/* What those from before have started since is not the command's either. */
static bool of_one_before(const struct descendants *descendants, const struct processes *all,
			  const struct process *process)
{
	size_t i, steps;

	for (steps = 0; process && steps <= all->nr; steps++) {
		pid_t parent = process->parent;

		if (was_before(descendants, process->pid))
			return true;
		process = NULL;
		for (i = 0; i < all->nr && !process; i++)
			if (all->process[i].pid == parent && all->process[i].below)
				process = &all->process[i];
	}
	return false;
}

static void name_one(char *names, size_t size, size_t nr, const struct process *process)
{
	size_t used = strlen(names);

	if (nr < NAMED)
		snprintf(names + used, size - used, "%s%s (%d)", used ? ", " : "", process->comm,
			 process->pid);
	else if (nr == NAMED)
		snprintf(names + used, size - used, ", ...");
}

size_t descendants_signal(const struct descendants *descendants, int signal, char *names,
			  size_t size)
{
	struct processes all;
	size_t nr = 0, i;

	if (size)
		names[0] = '\0';
	(void)read_all(&all);
	for (i = 0; i < all.nr; i++) {
		const struct process *process = &all.process[i];

		if (!process->below || process->state == 'Z' || process->state == 'X' ||
		    process->pid == descendants->guard ||
		    of_one_before(descendants, &all, process))
			continue;
		if (signal)
			(void)kill(process->pid, signal);
		if (signal && signal != SIGKILL)
			(void)kill(process->pid, SIGCONT);
		if (size)
			name_one(names, size, nr, process);
		nr++;
	}
	free(all.process);
	return nr;
}
