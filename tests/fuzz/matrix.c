// SPDX-License-Identifier: GPL-2.0-or-later
/* matrix: a matrix file, and the words of its workload lines. */
#include "bench/matrix.h"
#include "bench/workload_words.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct trouble trouble;
	struct matrix matrix;

	matrix_parse(&matrix, "input.yaml", text, &trouble);
	for (size_t i = 0; i < matrix.nr_workloads; i++) {
		struct words words;

		words_parse(&words, matrix.workload[i].text, true);
		words_free(&words);
	}
	matrix_free(&matrix);
	free(text);
	return 0;
}
