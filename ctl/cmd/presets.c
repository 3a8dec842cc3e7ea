// SPDX-License-Identifier: GPL-2.0-or-later
/* presets: `fsbctl presets`, which experiments are there to be run by name. */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bench/data_dir.h"
#include "bench/matrix.h"
#include "bench/yaml_form.h"
#include "cmd/cmd.h"
#include "cmd/table.h"
#include "message.h"

static int cmd_presets_run(int argc, char **argv);

const struct cmd cmd_presets = {
	.name = "presets",
	.usage = "[show NAME]",
	.summary = "experiments that can be run by name",
	.help = "Lists the matrix files of fsbctl and your own ones in ~/.config/fsbctl/presets; "
		"show\n"
		"prints one, to be changed and kept: fsbctl presets show barrier > mine.yaml\n",
	.run = cmd_presets_run,
};

/* Text that may be printed; malloc'd or NULL. */
static char *printable(const char *text)
{
	char safe[256];

	return strdup(message_printable(safe, sizeof(safe), text));
}

/* The file's name, which is what run takes, and what it says of itself or is wrong in it. */
static int describe(char *path, char *cell[2])
{
	struct trouble trouble;
	struct matrix matrix;
	bool fine = !matrix_load(&matrix, path, &trouble);

	cell[1] = printable(fine ? matrix.about : trouble.reason);
	matrix_free(&matrix);
	*strrchr(path, '.') = '\0';
	cell[0] = printable(strrchr(path, '/') + 1);
	return cell[0] && cell[1] ? 0 : -1;
}

static int list(char **paths, size_t nr)
{
	static const struct column columns[] = {{.title = "preset"},
						{.title = "question", .shrink_to = 20}};
	char **cells = calloc(2 * nr + 1, sizeof(*cells));
	int err = cells ? 0 : -1;

	for (size_t i = 0; i < nr && !err; i++)
		err = describe(paths[i], &cells[2 * i]);
	if (!err)
		table_print(columns, 2, cells, nr, stdout);
	for (size_t i = 0; cells && i < 2 * nr; i++)
		free(cells[i]);
	free(cells);
	if (!err)
		return EXIT_OK;
	cmd_error("presets", "", "out of memory");
	return EXIT_FSBCTL;
}

static int list_all(void)
{
	char **paths;
	size_t nr;
	int status;

	if (data_files("presets", &paths, &nr)) {
		cmd_error("presets",
			  "make install puts them there; FSBCTL_DATA names another place",
			  "cannot be read: %s", strerror(errno));
		return EXIT_FSBCTL;
	}
	status = list(paths, nr);
	data_files_free(paths, nr);
	return status;
}

static int show(const char *name)
{
	struct trouble trouble;
	char *path = matrix_find(name, &trouble), *text;

	text = path ? yaml_file_read(path, &trouble) : NULL;
	free(path);
	if (!text) {
		cmd_error(trouble.object, trouble.hint, "%s", trouble.reason);
		return trouble.kind == TROUBLE_FAILED ? EXIT_FSBCTL : EXIT_USAGE;
	}
	fputs(text, stdout);
	free(text);
	return EXIT_OK;
}

static int cmd_presets_run(int argc, char **argv)
{
	static const struct option options[] = {{NULL, 0, NULL, 0}};
	int option;

	while ((option = cmd_getopt(&cmd_presets, argc, argv, "h", options)) != -1)
		return option == 'h' ? EXIT_OK : EXIT_USAGE;
	if (optind == argc)
		return list_all();
	if (optind + 2 == argc && !strcmp(argv[optind], "show"))
		return show(argv[optind + 1]);
	cmd_error("presets", "usage: fsbctl presets [show NAME]", "cannot make sense of \"%s\"",
		  argv[argc - 1]);
	return EXIT_USAGE;
}
