// SPDX-License-Identifier: GPL-2.0-or-later
/* state: a file of saved settings; what is read has to read the same when written again. */
#include "disk/settings_state.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct settings_state state = { .lock = -1 }, again = { .lock = -1 };
	struct settings_error error;
	char *text, *second;

	if (!state_parse(&state, (const char *)data, size, &error)) {
		text = state_text(&state);
		fuzz_must(!!text, "state_text");
		fuzz_must(!state_parse(&again, text, strlen(text), &error), error.reason);
		second = state_text(&again);
		fuzz_must(second && !strcmp(text, second), "the second text");
		free(text);
		free(second);
	}
	state_close(&state);
	state_close(&again);
	return 0;
}
