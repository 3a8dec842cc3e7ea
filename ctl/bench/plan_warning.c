// SPDX-License-Identifier: GPL-2.0-or-later
/* plan_warning: what a matrix may say and probably does not mean; see plan_parts.h. */
#include "bench/plan_parts.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/option_refused.h"
#include "nearest.h"

/* Several configurations have the options of `all`: each is told once. */
static bool is_told(const struct plan *plan, unsigned int line, const char *text)
{
	for (size_t i = 0; i < plan->nr_warnings; i++)
		if (plan->warning[i].line == line && !strcmp(plan->warning[i].text, text))
			return true;
	return false;
}

static int warn(struct plan *plan, unsigned int line, const char *hint, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* -1: no memory. */
static int warn(struct plan *plan, unsigned int line, const char *hint, const char *format, ...)
{
	struct plan_warning *grown, *new;
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (is_told(plan, line, text))
		return 0;
	grown = realloc(plan->warning, (plan->nr_warnings + 1) * sizeof(*grown));
	if (!grown)
		return -1;
	plan->warning = grown;
	new = &grown[plan->nr_warnings++];
	*new = (struct plan_warning){.line = line, .text = strdup(text), .hint = strdup(hint)};
	return new->text && new->hint ? 0 : -1;
}

/* ", xfs" behind an earlier warning of the same begin: @name is one of its filesystems then. */
static int add_filesystem(struct plan *plan, unsigned int line, const char *begin, const char *name,
			  bool *added)
{
	size_t len = strlen(begin), name_len = strlen(name);

	*added = false;
	for (size_t i = 0; i < plan->nr_warnings && !*added; i++) {
		char *text = plan->warning[i].text, *grown;
		const char *at;

		if (plan->warning[i].line != line || strncmp(text, begin, len))
			continue;
		*added = true;
		for (at = text + len; *at; at += strspn(at, ", ")) {
			size_t word = strcspn(at, ",");

			if (word == name_len && !strncmp(at, name, word))
				return 0;
			at += word;
		}
		if (asprintf(&grown, "%s, %s", text, name) < 0)
			return -1;
		free(text);
		plan->warning[i].text = grown;
	}
	return 0;
}

/* Options of `all` may be those of some of the filesystems: they are told of in one warning. */
static int warn_unknown(struct plan *plan, const struct filesystem *fs,
			const struct option_word *word, unsigned int line, const char *hint)
{
	char begin[300];
	bool added;

	snprintf(begin, sizeof(begin), "mount option %.*s is not known for ",
		 (int)(word->len < 200 ? word->len : 200), word->at);
	if (add_filesystem(plan, line, begin, fs->name, &added))
		return -1;
	return added ? 0 : warn(plan, line, hint, "%s%s", begin, fs->name);
}

/* "did you mean X?", of the filesystem's options and those of all; -1: no memory. */
static int guess(const struct filesystem *fs, const struct option_word *word, char *hint,
		 size_t size)
{
	char near[64], *known;

	*hint = '\0';
	if (asprintf(&known, "%s %s", fs->mount_options, option_mount_words) < 0)
		return -1;
	if (option_nearest(known, word, near, sizeof(near)))
		snprintf(hint, size, "did you mean %s?", near);
	free(known);
	return 0;
}

/* A name that the filesystem's entry does not have: a new option of the kernel, or a slip. */
static int check_known(struct plan *plan, const struct filesystem *fs,
		       const struct option_word *word, unsigned int line)
{
	struct option_word entry;
	char hint[96];

	/* Without a list nothing is unknown. */
	if (!*fs->mount_options || option_of_mount(word))
		return 0;
	switch (option_fit(fs->mount_options, word, &entry)) {
	case OPTION_FITS:
		return 0;
	case OPTION_VALUE:
		return warn(plan, line, "", "mount option %.*s: expected %.*s", (int)word->len,
			    word->at, (int)entry.len, entry.at);
	default:
		if (guess(fs, word, hint, sizeof(hint)))
			return -1;
		return warn_unknown(plan, fs, word, line, hint);
	}
}

/* @a stands before @b.  In two lines the later one is meant to replace the earlier one. */
static int check_pair(struct plan *plan, const struct filesystem *fs, const struct option_word *a,
		      const struct option_word *b, const unsigned int line[2])
{
	if (filesystem_options_clash(fs, a, b))
		return warn(plan, line[1], "", "mount options %.*s and %.*s contradict each other",
			    (int)a->len, a->at, (int)b->len, b->at);
	if (line[0] != line[1] || !filesystem_options_same(a, b))
		return 0;
	return warn(plan, line[1], "", "mount options %.*s and %.*s: only the last one counts",
		    (int)a->len, a->at, (int)b->len, b->at);
}

static int check_options(struct plan *plan, const struct cell *cell)
{
	const struct configuration *configuration = cell->configuration;
	const char *list = configuration->mount;
	struct option_word word, later;

	for (size_t i = 0; option_next(&list, &word); i++) {
		const char *rest = list;

		if (check_known(plan, cell->fs, &word, configuration->mount_line[i]))
			return -1;
		for (size_t k = i + 1; option_next(&rest, &later); k++) {
			const unsigned int lines[2] = {configuration->mount_line[i],
						       configuration->mount_line[k]};

			if (check_pair(plan, cell->fs, &word, &later, lines))
				return -1;
		}
	}
	return 0;
}

static bool fits(const char *pattern, const char *name)
{
	return !pattern || !fnmatch(pattern, name, 0);
}

/* It was read with the configurations at hand: only the workload can be wrong. */
static int check_exclusion(struct plan *plan, const struct matrix_exclusion *exclusion)
{
	const char **names, *near;
	char hint[128] = "";
	int ret;

	for (size_t i = 0; i < plan->nr_uses; i++)
		if (fits(exclusion->workload, plan->use[i].label) ||
		    fits(exclusion->workload, plan->use[i].workload->name))
			return 0;
	names = calloc(plan->nr_uses + 1, sizeof(*names));
	if (!names)
		return -1;
	for (size_t i = 0; i < plan->nr_uses; i++)
		names[i] = plan->use[i].label;
	near = nearest_word(exclusion->workload, names, plan->nr_uses);
	if (near)
		snprintf(hint, sizeof(hint), "did you mean \"%.100s\"?", near);
	ret = warn(plan, exclusion->line, hint,
		   "\"exclude\" takes nothing away: no workload is called like \"%.64s\"",
		   exclusion->workload);
	free(names);
	return ret;
}

int plan_warn(struct plan *plan, struct trouble *trouble)
{
	for (size_t i = 0; i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cell[i];

		if (i && cell->configuration == cell[-1].configuration)
			continue;
		if (check_options(plan, cell))
			return trouble_memory(trouble, cell->name);
	}
	for (size_t i = 0; i < plan->matrix.nr_exclusions; i++)
		if (check_exclusion(plan, &plan->matrix.exclusion[i]))
			return trouble_memory(trouble, plan->matrix.path);
	return 0;
}

void plan_warnings_free(struct plan *plan)
{
	for (size_t i = 0; i < plan->nr_warnings; i++) {
		free(plan->warning[i].text);
		free(plan->warning[i].hint);
	}
	free(plan->warning);
}
