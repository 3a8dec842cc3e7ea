// SPDX-License-Identifier: GPL-2.0-or-later
/* store_fields: which columns and keys there are, see store_private.h. */
#include <stdlib.h>
#include <string.h>

#include "bench/store_private.h"

#define RUN(kind, member)                                         \
	{                                                         \
#member, kind, offsetof(struct store_run, member), false \
	}
#define LOCAL(kind, member)                                             \
	{                                                               \
#member, kind, offsetof(struct store_run, member), true \
	}
#define HOST(kind, member)                                             \
	{                                                              \
#member, kind, offsetof(struct store_run, host.member), false \
	}
#define CELL(kind, member)                                         \
	{                                                          \
#member, kind, offsetof(struct store_cell, member), false \
	}
#define TRIAL(kind, member)                                         \
	{                                                           \
#member, kind, offsetof(struct store_trial, member), false \
	}

static const struct field run_fields[] = {
	RUN(FIELD_TEXT, name),	 RUN(FIELD_TEXT, matrix),    RUN(FIELD_TEXT, matrix_path),
	RUN(FIELD_TEXT, scale),	 RUN(FIELD_TEXT, baseline),  RUN(FIELD_NUMBER, seed),
	RUN(FIELD_JSON, target), RUN(FIELD_TEXT, target_id), RUN(FIELD_TEXT, began),
	RUN(FIELD_TEXT, ended),	 RUN(FIELD_TEXT, state),     RUN(FIELD_TEXT, fsbctl),
	RUN(FIELD_TEXT, module), HOST(FIELD_TEXT, kernel),   HOST(FIELD_TEXT, machine),
	HOST(FIELD_JSON, tools), HOST(FIELD_JSON, disk),     HOST(FIELD_TEXT, firmware),
	LOCAL(FIELD_TEXT, origin),
};

static const struct field cell_fields[] = {
	CELL(FIELD_TEXT, configuration), CELL(FIELD_TEXT, workload),	   CELL(FIELD_TEXT, title),
	CELL(FIELD_TEXT, unit),		 CELL(FIELD_BOOL, more_is_better), CELL(FIELD_JSON, asked),
	CELL(FIELD_TEXT, unsupported),	 CELL(FIELD_TEXT, stop),
};

static const struct field trial_fields[] = {
	TRIAL(FIELD_COUNT, block),	  TRIAL(FIELD_COUNT, place),
	TRIAL(FIELD_STATE, state),	  TRIAL(FIELD_TEXT, reason),
	TRIAL(FIELD_REAL, score),	  TRIAL(FIELD_REAL, seconds),
	TRIAL(FIELD_REAL, sync_seconds),  TRIAL(FIELD_TEXT, began),
	TRIAL(FIELD_TEXT, mount_options), TRIAL(FIELD_TEXT, mkfs_output),
	TRIAL(FIELD_TEXT, output),	  TRIAL(FIELD_JSON, device),
	TRIAL(FIELD_JSON, phases),
};

#define NR(fields) (sizeof(fields) / sizeof((fields)[0]))

const struct store_table store_runs = {"run", NULL, run_fields, NR(run_fields),
				       sizeof(struct store_run)};
const struct store_table store_cells = {"cell", "run", cell_fields, NR(cell_fields),
					sizeof(struct store_cell)};
const struct store_table store_trials = {"trial", "cell", trial_fields, NR(trial_fields),
					 sizeof(struct store_trial)};

char **field_text(const struct field *field, const void *row)
{
	return (char **)((const char *)row + field->offset);
}

void store_row_free(const struct store_table *table, void *row)
{
	for (size_t i = 0; i < table->nr; i++) {
		const struct field *field = &table->field[i];

		if (field->kind != FIELD_TEXT && field->kind != FIELD_JSON)
			continue;
		free(*field_text(field, row));
		*field_text(field, row) = NULL;
	}
}

static const char *const states[] = {
	[TRIAL_OK] = "ok",
	[TRIAL_NOISY] = "noisy",
	[TRIAL_INVALID] = "invalid",
	[TRIAL_FAILED] = "failed",
};

const char *trial_state_name(enum trial_state state)
{
	return states[state];
}

bool trial_state_parse(const char *name, enum trial_state *state)
{
	for (size_t i = 0; i < NR(states); i++) {
		if (strcmp(name, states[i]))
			continue;
		*state = (enum trial_state)i;
		return true;
	}
	return false;
}
