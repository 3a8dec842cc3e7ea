// SPDX-License-Identifier: GPL-2.0-or-later
/* text_unflushed: the line on what is written and not flushed. */
#include "out/number.h"
#include "out/text.h"

static void known_line(FILE *to, int width, const char *label,
		       const struct unflushed_delta *unflushed)
{
	const char *about = unflushed->exact ? "" : "~";
	double seconds = (double)unflushed->age_max_ns / 1e9;
	struct number worst, longest, mean, end;

	if (!unflushed->bytes_max) {
		text_filled(to, width, label, "0 B: nothing was written but by FUA");
		return;
	}
	if (seconds >= 0.1)
		number_decimal(&longest, seconds, 2);
	else
		number_ms(&longest, (double)unflushed->age_max_ns);
	text_fillf(to, width, label, "worst %s%s, longest %s%s %s, mean %s; at the end %s", about,
		   number_bytes(&worst, unflushed->bytes_max), about, longest.text,
		   seconds >= 0.1 ? "s" : "ms",
		   number_bytes(&mean, (uint64_t)unflushed_mean(unflushed)),
		   number_bytes(&end, unflushed->at_end));
}

void text_unflushed(FILE *to, int width, const struct report_disk *disk)
{
	static const char label[] = "not yet safe";
	const struct unflushed_delta *unflushed = &disk->figures.unflushed;
	struct number bytes;
	const char *why;

	switch (report_unflushed(disk, &disk->figures, &why)) {
	case UNFLUSHED_UNKNOWN:
		text_fillf(to, width, label, "n/a  %s", why);
		break;
	case UNFLUSHED_CACHE_OFF:
		text_fillf(to, width, label, "0 B: %s", why);
		break;
	case UNFLUSHED_NO_FLUSH:
		text_fillf(to, width, label,
			   "no flush: %s written since the last one; which part the drive still holds is unknown",
			   number_bytes(&bytes, unflushed->at_end));
		break;
	case UNFLUSHED_KNOWN:
		known_line(to, width, label, unflushed);
		break;
	}
}
