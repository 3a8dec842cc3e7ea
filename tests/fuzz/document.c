// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * document: a run as one JSON document, as `import` takes it; what it takes is shown by each
 * back-end of `report` and written as a document again, which has to be taken too.
 */
#include "bench/store_private.h"
#include "fuzz.h"
#include "results/results.h"

static const struct results_ops *const formats[] = { &results_text, &results_table, &results_csv,
						     &results_json };

static void show(struct store_result *result)
{
	struct results results;

	/* As the store numbers them. */
	for (size_t i = 0; i < result->nr_cells; i++)
		result->cell[i].id = (int64_t)i;
	if (!results_make(&results, result, NULL))
		for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
			formats[i]->show(fuzz_nowhere(), &results);
	results_free(&results);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct store_result result, again;
	struct trouble trouble;
	json_t *document;
	char *text;

	if (!store_undocument(&result, (const char *)data, size, "input", &trouble)) {
		show(&result);
		document = store_document(&result, &trouble);
		fuzz_must(!!document, trouble.reason);
		text = json_dumps(document, JSON_COMPACT);
		fuzz_must(!!text, "json_dumps");
		fuzz_must(!store_undocument(&again, text, strlen(text), "again", &trouble),
			  trouble.reason);
		store_result_free(&again);
		free(text);
		json_decref(document);
	}
	store_result_free(&result);
	return 0;
}
