// SPDX-License-Identifier: GPL-2.0-or-later
/* validate: `fsbctl validate`, whether matrix files make sense. */
#include <getopt.h>

#include "cmd/cmd.h"
#include "cmd/run.h"
#include "message.h"

static int cmd_validate_run(int argc, char **argv);

const struct cmd cmd_validate = {
	.name = "validate",
	.usage = "FILE|PRESET ...",
	.summary = "check matrix files without running anything",
	.help = "Reads each file as run would (its form: man 5 fsbctl-matrix) and says how many\n"
		"configurations, workloads and cells it has, or what is wrong in which line. Looks "
		"at\n"
		"no disk; whether this machine can run it is what run --plan says.\n"
		"\n"
		"Exit status: 0 all are well, 2 there are mistakes.\n",
	.run = cmd_validate_run,
};

static const char *plural(size_t nr)
{
	return nr == 1 ? "" : "s";
}

static void tell_warnings(const struct plan *plan)
{
	char object[512];

	for (size_t i = 0; i < plan->nr_warnings; i++) {
		snprintf(object, sizeof(object), "%.480s:%u", plan->matrix.path,
			 plan->warning[i].line);
		cmd_error(object, plan->warning[i].hint, "warning: %s", plan->warning[i].text);
	}
}

static int validate(const char *word, struct trouble *trouble)
{
	const struct plan_options options = {.matrix = word, .look_only = true};
	struct plan plan;
	char safe[512];
	int err = plan_make(&plan, &options, trouble);

	if (!err)
		printf("%s: ok, %zu configuration%s, %zu workload%s, %zu cell%s\n",
		       message_printable(safe, sizeof(safe), plan.matrix.path),
		       plan.matrix.nr_configurations, plural(plan.matrix.nr_configurations),
		       plan.nr_uses, plural(plan.nr_uses), plan.nr_cells, plural(plan.nr_cells));
	if (!err) {
		tell_warnings(&plan);
		plan_mistakes(&plan);
	}
	plan_free(&plan);
	return err;
}

static int cmd_validate_run(int argc, char **argv)
{
	static const struct option options[] = {{NULL, 0, NULL, 0}};
	int option, status = EXIT_OK;
	struct trouble trouble;

	while ((option = cmd_getopt(&cmd_validate, argc, argv, "h", options)) != -1)
		return option == 'h' ? EXIT_OK : EXIT_USAGE;
	if (optind == argc) {
		cmd_error("validate", "as in: fsbctl validate mine.yaml", "no file named");
		return EXIT_USAGE;
	}
	for (; optind < argc; optind++) {
		if (!validate(argv[optind], &trouble))
			continue;
		cmd_error(trouble.object, trouble.hint, "%s", trouble.reason);
		if (status == EXIT_OK)
			status = trouble.kind == TROUBLE_FAILED ? EXIT_FSBCTL : EXIT_USAGE;
	}
	return status;
}
