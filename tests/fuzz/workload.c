// SPDX-License-Identifier: GPL-2.0-or-later
/* workload: a workload's file, and its title with the defaults in it. */
#include "bench/workload_file.h"
#include "bench/workload_title.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct workload workload;
	struct trouble trouble;

	if (!workload_file_load(&workload, fuzz_file(data, size), &trouble)) {
		char **value = calloc(workload.nr_parameters + 1, sizeof(*value));

		fuzz_must(!!value, "calloc");
		for (size_t i = 0; i < workload.nr_parameters; i++) {
			value[i] = workload.parameter[i].value;
			workload_value_fits(&workload.parameter[i], "64k");
		}
		free(workload_title_make(&workload, value));
		free(value);
	}
	workload_file_free(&workload);
	return 0;
}
