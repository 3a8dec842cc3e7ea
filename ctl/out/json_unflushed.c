// SPDX-License-Identifier: GPL-2.0-or-later
/* json_unflushed: what is written and not flushed, see json_figures.h. */
#include "out/json_figures.h"

json_t *json_unflushed(const struct report_disk *disk, const struct figures *figures)
{
	const struct unflushed_delta *unflushed = &figures->unflushed;
	const char *why;
	enum unflushed kind = report_unflushed(disk, figures, &why);
	bool known = kind != UNFLUSHED_NO_FLUSH, off = kind == UNFLUSHED_CACHE_OFF;

	if (kind == UNFLUSHED_UNKNOWN)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}",
			 "bytes_max", json_count_if(known, off ? 0 : unflushed->bytes_max),
			 "bytes_mean", !known ? json_null() :
				       json_real(off ? 0 : unflushed_mean(unflushed)),
			 "seconds_max", !known ? json_null() :
					json_real(off ? 0 : (double)unflushed->age_max_ns / 1e9),
			 "exact", known ? json_boolean(off || unflushed->exact) : json_null(),
			 "at_end_bytes", json_count(off ? 0 : unflushed->at_end),
			 "flushes_in_window", json_count(unflushed->flushes));
}
