// SPDX-License-Identifier: GPL-2.0-or-later
/* run_consent: who agrees to losing the data; see run.h. */
#include "cmd/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "message.h"
#include "shell_word.h"

static void add_word(FILE *line, const char *word)
{
	fputc(' ', line);
	shell_word_print(line, word);
}

/* The same command line once more, with consent; malloc'd, NULL: no memory. */
static char *line_to_paste(const struct run *run)
{
	char *text = NULL, **word;
	size_t size;
	FILE *line = open_memstream(&text, &size);

	if (!line)
		return NULL;
	fputs("fsbctl", line);
	for (word = run->options.words; *word; word++) {
		/* Consent that named something else is taken out. */
		if (!strcmp(*word, "--destroy") && word[1])
			word++;
		else if (strncmp(*word, "--destroy=", strlen("--destroy=")))
			add_word(line, *word);
	}
	add_word(line, "--destroy");
	add_word(line, target_id(&run->target));
	if (fclose(line) == 0)
		return text;
	free(text);
	return NULL;
}

static const char *kind_of_id(const struct target *target)
{
	const char *id = target_id(target);

	if (!strcmp(id, target->info.serial))
		return "serial number";
	if (!strcmp(id, target->info.wwn))
		return "WWN";
	if (!strcmp(id, target->at_path))
		return "serial number and place";
	return !strcmp(id, target->info.by_id) ? "by-id name" : "PARTUUID";
}

static const char *name_of(const struct target *target)
{
	return *target->device.partition ? target->device.partition : target->device.disk.name;
}

static int refuse(const struct run *run)
{
	const struct target *target = &run->target;
	const char *name = name_of(target);
	char *line = line_to_paste(run);
	const char *hint = line ? line : "";

	if (run->options.destroy)
		cmd_error(name, hint, "--destroy %s names something else: nothing was written",
			  run->options.destroy);
	else
		cmd_error(name, hint, "nobody has agreed to losing what is on it (%s)",
			  target->now);
	free(line);
	return EXIT_REFUSED;
}

/* The plan has it; of other names there may be several. */
static bool id_is_shown(const struct target *target)
{
	return !strcmp(target_id(target), target->info.serial);
}

static int ask(const struct run *run)
{
	const struct target *target = &run->target;
	char range[PLAN_RANGE_MAX], answer[256], id[512];
	bool shown = id_is_shown(target);

	plan_range(range, target);
	plan_text(stderr, run);
	fprintf(stderr,
		"\nType the %s%s%s%s to overwrite %s of %s, or Enter to stop: ", kind_of_id(target),
		shown ? "" : " (",
		shown ? "" : message_printable(id, sizeof(id), target_id(target)), shown ? "" : ")",
		range, name_of(target));
	if (fgets(answer, sizeof(answer), stdin)) {
		answer[strcspn(answer, "\n")] = '\0';
		if (target_is(&run->target, answer))
			return 0;
	}
	cmd_error(name_of(&run->target), "", "not agreed to: nothing was written");
	return EXIT_REFUSED;
}

int run_consent(const struct run *run)
{
	const char *word = run->options.destroy;

	/* An image is made for the purpose, and never one that exists. */
	if (run->target.image) {
		if (!run->options.quiet)
			plan_text(stderr, run);
		return 0;
	}
	if (!word && isatty(STDIN_FILENO) && isatty(STDERR_FILENO))
		return ask(run);
	if (!word || !target_is(&run->target, word))
		return refuse(run);
	if (!run->options.quiet)
		plan_text(stderr, run);
	return 0;
}
