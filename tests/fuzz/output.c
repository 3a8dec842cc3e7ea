// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * output: what a workload printed, searched for its score.  The first byte says by whose
 * patterns: those of the workloads that come with fsbctl.
 */
#include "bench/workload_output.h"
#include "bench/workload_scan.h"
#include "fuzz.h"

static struct workload_library library;

static void take_line(void *scan, const char *line)
{
	scan_line(scan, line);
}

static void load(void)
{
	struct trouble trouble;

	if (library.nr)
		return;
	fuzz_must(!workload_library_load(&library, &trouble) && library.nr, "workloads/");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct output output = { .kept = NULL };
	struct trouble trouble;
	struct scan scan;
	char reason[512], *kept;
	double score;
	size_t half;

	load();
	if (!size)
		return 0;
	fuzz_must(!scan_open(&scan, &library.workload[data[0] % library.nr], &trouble), "scan");
	half = size / 2;
	output_add(&output, (const char *)data + 1, half, take_line, &scan);
	output_add(&output, (const char *)data + 1 + half, size - 1 - half, take_line, &scan);
	output_end(&output, take_line, &scan);
	kept = output_take(&output, &half);
	fuzz_must(kept && half + 1 >= size, "output is lost");
	free(kept);
	scan_score(&scan, &score, reason, sizeof(reason));
	scan_close(&scan);
	output_free(&output);
	return 0;
}
