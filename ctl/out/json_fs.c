// SPDX-License-Identifier: GPL-2.0-or-later
/* json_fs: the filesystem layer of a document, see json_figures.h. */
#include "out/json_figures.h"

json_t *json_fs(const struct figures *figures, const struct delta *delta)
{
	const struct fs_figures *fs = &figures->fs;
	json_t *latency;

	if (!fs->calls)
		return json_null();
	latency = json_latency(&fs->latency, delta, delta ? delta->fs->latency : NULL);
	return json_pack("{s:{s:o, s:o, s:o}, s:o}", "fsync",
			 "calls", json_count(fs->sums.fsyncs),
			 "errors", json_count(fs->sums.errors),
			 "latency", latency,
			 "commits", json_count_if(fs->journal, fs->sums.commits));
}
