// SPDX-License-Identifier: GPL-2.0-or-later
/* runs: the runs of a store. */
#include "cmd/runs.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <fsbstat_version.h>
#include <jansson.h>

#include "cmd/cmd.h"
#include "cmd/store_option.h"
#include "cmd/table.h"
#include "cmd/trouble_out.h"
#include "json_text.h"
#include "message.h"

enum { OPT_DB = 256, OPT_JSON, OPT_DELETE, OPT_YES };
enum { COL_NAME, COL_BEGAN, COL_STATE, COL_TRIALS, COL_TARGET, COL_KERNEL, COLS };

#define CELL_SIZE 256

static const struct column columns[COLS] = {
	[COL_NAME] = {"run", false, 0},	     [COL_BEGAN] = {"began", false, 0},
	[COL_STATE] = {"state", false, 0},   [COL_TRIALS] = {"trials", true, 0},
	[COL_TARGET] = {"target", false, 8}, [COL_KERNEL] = {"kernel", false, 6},
};

struct list {
	struct store_run *run;
	size_t *trials;
	size_t nr;
};

static void fill_row(char **cell, const struct store_run *run, size_t trials)
{
	message_printable(cell[COL_NAME], CELL_SIZE, run->name);
	message_printable(cell[COL_BEGAN], CELL_SIZE, run->began);
	message_printable(cell[COL_STATE], CELL_SIZE, store_state_name(run));
	snprintf(cell[COL_TRIALS], CELL_SIZE, "%zu", trials);
	message_printable(cell[COL_TARGET], CELL_SIZE, run->target_id);
	message_printable(cell[COL_KERNEL], CELL_SIZE, run->host.kernel);
	cell[COL_KERNEL][strcspn(cell[COL_KERNEL], " ")] = '\0';
}

static int print_text(const struct list *list)
{
	char *text = calloc(list->nr * COLS + 1, CELL_SIZE);
	char **cells = calloc(list->nr * COLS + 1, sizeof(*cells));
	bool fine = text && cells;

	for (size_t i = 0; fine && i < list->nr * COLS; i++)
		cells[i] = text + i * CELL_SIZE;
	for (size_t i = 0; fine && i < list->nr; i++)
		fill_row(cells + i * COLS, &list->run[i], list->trials[i]);
	if (fine && list->nr)
		table_print(columns, COLS, cells, list->nr, stdout);
	else if (fine)
		puts("no runs yet");
	free(text);
	free(cells);
	return fine ? 0 : -1;
}

static json_t *run_json(const struct store_run *run, size_t trials)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o}", "name",
			 json_text(run->name), "began", json_text(run->began), "ended",
			 json_text(run->ended), "state", json_text(store_state_name(run)), "trials",
			 (json_int_t)trials, "target_id", json_text(run->target_id), "kernel",
			 json_text(run->host.kernel), "fsbctl", json_text(run->fsbctl),
			 "matrix_path", json_text(run->matrix_path));
}

static int print_json(const struct list *list)
{
	json_t *runs = json_array(), *document;
	int err = 0;

	for (size_t i = 0; i < list->nr && !err; i++)
		err = json_array_append_new(runs, run_json(&list->run[i], list->trials[i]));
	document = json_pack("{s:s, s:s, s:{s:s}, s:o}", "schema", "fsbstat-results/1", "kind",
			     "runs", "tool", "version", FSBSTAT_VERSION, "runs", runs);
	if (!err && document)
		err = json_put(document, stdout, JSON_COMPACT) || putchar('\n') == EOF;
	else
		err = -1;
	json_decref(document);
	/* What standard output refused is told when it is closed. */
	return err && !ferror(stdout) ? -1 : 0;
}

static int collect(struct list *list, struct store *store, struct trouble *trouble)
{
	if (store_list(store, &list->run, &list->nr, trouble))
		return -1;
	list->trials = calloc(list->nr + 1, sizeof(*list->trials));
	if (!list->trials)
		return trouble_memory(trouble, "runs");
	for (size_t i = 0; i < list->nr; i++)
		if (store_count(store, list->run[i].id, &list->trials[i], trouble))
			return -1;
	return 0;
}

static int show(struct store *store, bool json)
{
	struct list list = {0};
	struct trouble trouble;
	int err = collect(&list, store, &trouble);

	if (err)
		err = trouble_out(&trouble);
	else if (json ? print_json(&list) : print_text(&list))
		err = EXIT_FSBCTL;
	store_runs_free(list.run, list.nr);
	free(list.trials);
	return err;
}

struct runs_options {
	const char *db;
	bool json, delete, yes;
};

static int one_option(struct runs_options *options, int option)
{
	switch (option) {
	case OPT_DB:
		options->db = optarg;
		return 0;
	case OPT_JSON:
		options->json = true;
		return 0;
	case OPT_DELETE:
		options->delete = true;
		return 0;
	case OPT_YES:
		options->yes = true;
		return 0;
	default:
		return EXIT_USAGE;
	}
}

/* Runs are named where they are to be deleted, and nowhere else. */
static int check_words(const struct runs_options *options, int nr, char **words)
{
	if (options->delete && options->json)
		cmd_error("--json", "", "does not go with --delete");
	else if (options->delete && !nr)
		cmd_error("--delete", "fsbctl runs lists them", "no run is named");
	else if (!options->delete && options->yes)
		cmd_error("--yes", "", "goes with --delete");
	else if (!options->delete && nr)
		cmd_error("runs", "fsbctl report shows what a run found out; --delete deletes runs",
			  "takes no argument: %s", words[0]);
	else
		return 0;
	return EXIT_USAGE;
}

static int run(int argc, char **argv)
{
	static const struct option long_options[] = {{"db", required_argument, NULL, OPT_DB},
						     {"json", no_argument, NULL, OPT_JSON},
						     {"delete", no_argument, NULL, OPT_DELETE},
						     {"yes", no_argument, NULL, OPT_YES},
						     {0}};
	struct runs_options options = {0};
	struct store *store;
	int option, err;

	while ((option = cmd_getopt(&cmd_runs, argc, argv, "", long_options)) != -1) {
		if (option == 'h')
			return EXIT_OK;
		err = one_option(&options, option);
		if (err)
			return err;
	}
	err = check_words(&options, argc - optind, argv + optind);
	if (!err)
		err = store_option_open(&store, options.db,
					options.delete ? STORE_WRITE : STORE_READ);
	if (err)
		return err;
	if (options.delete)
		err = runs_delete(store, argv + optind, (size_t)(argc - optind), options.yes);
	else
		err = show(store, options.json);
	store_close(store);
	return err;
}

const struct cmd cmd_runs = {
	.name = "runs",
	.usage = "[--db FILE] [--json]\n"
		 "       fsbctl runs --delete RUN... [--yes] [--db FILE]",
	.summary = "the runs that are stored, oldest first",
	.help = "The state is running, complete, stopped (by a signal or an error) or interrupted\n"
		"(its process was killed). fsbctl run --resume goes on with either of the last "
		"two.\n"
		"\n"
		"      --db FILE   the runs are there (~/.local/share/fsbctl/runs.db)\n"
		"      --json      one JSON document (schema fsbstat-results/1, kind \"runs\")\n"
		"      --delete    delete these runs; asks before\n"
		"      --yes       do not ask\n",
	.run = run,
};
