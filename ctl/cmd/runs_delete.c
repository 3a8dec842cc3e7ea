// SPDX-License-Identifier: GPL-2.0-or-later
/* runs_delete: runs that are no longer wanted; see runs.h. */
#include "cmd/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/trouble_out.h"
#include "message.h"

/* The runs that were named, each of them once; their strings are @list's. */
static int choose(struct store_run *chosen, size_t *nr_chosen, const struct store_run *list,
		  size_t nr, char **names)
{
	struct trouble trouble;
	size_t i, k;

	for (*nr_chosen = 0; *names; names++) {
		for (i = 0; i < nr && strcmp(list[i].name, *names); i++)
			;
		if (i == nr) {
			cmd_error(*names, "fsbctl runs lists those there are",
				  "there is no run of that name: nothing was deleted");
			return EXIT_USAGE;
		}
		if (list[i].activity == STORE_RUNNING) {
			store_busy(*names, &trouble);
			return trouble_out(&trouble);
		}
		for (k = 0; k < *nr_chosen && chosen[k].id != list[i].id; k++)
			;
		if (k == *nr_chosen)
			chosen[(*nr_chosen)++] = list[i];
	}
	return EXIT_OK;
}

static int ask(struct store *store, const struct store_run *run, size_t nr)
{
	char name[256], answer[16];
	struct trouble trouble;
	size_t trials;

	for (size_t i = 0; i < nr; i++) {
		if (store_count(store, run[i].id, &trials, &trouble))
			return trouble_out(&trouble);
		fprintf(stderr, "%s  %.40s  %.40s  %zu trials\n",
			message_printable(name, sizeof(name), run[i].name), run[i].began,
			store_state_name(&run[i]), trials);
	}
	fprintf(stderr, "Delete %s? [y/N] ", nr == 1 ? "it" : "them");
	if (fgets(answer, sizeof(answer), stdin) && (*answer == 'y' || *answer == 'Y'))
		return EXIT_OK;
	cmd_error(run[0].name, "", "not confirmed: nothing was deleted");
	return EXIT_REFUSED;
}

static int confirm(struct store *store, const struct store_run *run, size_t nr)
{
	if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO))
		return ask(store, run, nr);
	cmd_error(run[0].name, "--yes deletes without a question",
		  "not confirmed, and there is no terminal to ask on: nothing was deleted");
	return EXIT_REFUSED;
}

int runs_delete(struct store *store, char **names, size_t nr_names, bool yes)
{
	struct store_run *list = NULL, *chosen = calloc(nr_names + 1, sizeof(*chosen));
	struct trouble trouble;
	size_t nr = 0, nr_chosen;
	int status;

	if (!chosen) {
		trouble_memory(&trouble, "runs");
		return trouble_out(&trouble);
	}
	status = store_list(store, &list, &nr, &trouble) ? trouble_out(&trouble) : EXIT_OK;
	if (!status)
		status = choose(chosen, &nr_chosen, list, nr, names);
	if (!status && !yes)
		status = confirm(store, chosen, nr_chosen);
	if (!status && store_delete(store, chosen, nr_chosen, &trouble))
		status = trouble_out(&trouble);
	store_runs_free(list, nr);
	free(chosen);
	return status;
}
