// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * text_ata: where the time of a disk behind libata went.  The shares sum to 100.0 as
 * printed: each is cut to a tenth, and the tenths missing go to those cut most.
 */
#include <string.h>

#include "out/number.h"
#include "out/text.h"

#define REMARK 50 /* column of the remarks */

enum part { IDLE, QUEUED, DRAIN, ALONE, ERROR, PARTS };

/* Tenths of a percent; they sum to 1000. */
static void shares_of(uint32_t shares[PARTS], const uint64_t ns[PARTS], uint64_t elapsed_ns)
{
	double cut[PARTS];
	uint32_t missing = 1000, part, most;

	for (part = 0; part < PARTS; part++) {
		double exact = 1000 * (double)ns[part] / (double)elapsed_ns;

		shares[part] = (uint32_t)exact;
		cut[part] = exact - shares[part];
		missing -= shares[part];
	}
	for (; missing && missing <= PARTS; missing--) {
		most = 0;
		for (part = 1; part < PARTS; part++)
			if (cut[part] > cut[most])
				most = part;
		shares[most]++;
		cut[most] = 0;
	}
}

static void line_of(FILE *to, const char *label, uint64_t ns, double percent, const char *end,
		    const char *remark)
{
	struct number seconds, share;
	char line[96];

	snprintf(line, sizeof(line), "  %-30s%8s%7s%s", label,
		 number_decimal(&seconds, (double)ns / 1e9, 1),
		 number_decimal(&share, percent, 1), end);
	if (*remark)
		text_filled(to, REMARK, line, remark);
	else
		fprintf(to, "%s\n", line);
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void queued_remark(char *text, size_t size, const struct report_disk *disk)
{
	const struct ata_figures *ata = &disk->figures.ata;
	uint32_t limit = disk->begin.info.ncq > 0 && disk->begin.info.ncq < ATA_TAGS ?
				 (uint32_t)disk->begin.info.ncq : ATA_TAGS, tags;
	double time = 0, at_limit = 0, idle = (double)ata->sums.tags_ns[0];
	struct number mean, in_use, share;

	*text = '\0';
	if (!ata_ncq_ios(&ata->sums) && disk->begin.info.ncq == 1) {
		snprintf(text, size, "NCQ is off (queue depth 1)");
		return;
	}
	for (tags = 0; tags <= ATA_TAGS; tags++) {
		time += (double)ata->sums.tags_ns[tags];
		at_limit += tags >= limit ? (double)ata->sums.tags_ns[tags] : 0;
	}
	if (!ata->tags_max)
		return;
	snprintf(text, size,
		 "NCQ depth %s mean, %s while in use, %u max, at the limit (%u) %s %% of the time",
		 number_decimal(&mean, ata->tags_mean, 2),
		 number_decimal(&in_use, ata->tags_mean * time / (time - idle), 2), ata->tags_max,
		 limit, number_decimal(&share, 100 * at_limit / time, 1));
}

static void drain_remark(char *text, size_t size, const struct ata_figures *ata)
{
	const struct latency *drain = &ata->latency[FSBSTAT_ATA_HIST_DRAIN];
	struct number count, mean, max;
	const char *what = report_ata_others(&ata->sums) ? "command" : "flush";

	*text = '\0';
	if (ata->sums.drains && drain->count)
		snprintf(text, size, "%s %s%s waited, %s ms mean, %s%s ms longest",
			 number_count(&count, ata->sums.drains), what,
			 ata->sums.drains == 1 ? "" : *what == 'f' ? "es" : "s",
			 number_ms(&mean, (double)drain->sum_ns / (double)drain->count),
			 drain->exact ? "" : "~", number_ms(&max, (double)drain->max_ns));
}

/* Names what was not queued when that is more than flushes: "12 flushes, 3 TRIMs". */
static void alone_remark(char *text, size_t size, const struct ata_figures *ata)
{
	static const struct {
		enum fsbstat_ata_kind kind;
		const char *name, *end;
	} names[] = {
		{ FSBSTAT_ATA_FLUSH, "flush", "es" },
		{ FSBSTAT_ATA_TRIM, "TRIM", "s" },
		{ FSBSTAT_ATA_FUA_WRITE, "FUA write", "s" },
		{ FSBSTAT_ATA_OTHER, "other non-NCQ command", "s" },
	};
	struct number number;
	size_t i, used = 0;

	*text = '\0';
	for (i = 0; i < sizeof(names) / sizeof(names[0]) && used < size; i++) {
		uint64_t ios = ata->sums.kind[names[i].kind].ios;

		if (ios)
			used += (size_t)snprintf(text + used, size - used, "%s%s %s%s",
						 used ? ", " : "", number_count(&number, ios),
						 names[i].name, ios == 1 ? "" : names[i].end);
	}
}

static void refill_line(FILE *to, const struct ata_figures *ata)
{
	const struct latency *refill = &ata->latency[FSBSTAT_ATA_HIST_REFILL];
	uint64_t times = ata->sums.refills, censored = ata->sums.refills_censored;
	char remark[128] = "", cut[64] = "";
	struct number count, mean;

	if (!times && !censored)
		return;
	if (refill->count)
		snprintf(remark, sizeof(remark), "%s time%s, %s ms mean",
			 number_count(&count, times), plural(times),
			 number_ms(&mean, (double)refill->sum_ns / (double)refill->count));
	if (censored)
		snprintf(cut, sizeof(cut), "%s%s cut short", *remark ? ", " : "",
			 number_count(&count, censored));
	strcat(remark, cut);
	line_of(to, "(refilling, also counted above", refill->sum_ns,
		100 * (double)refill->sum_ns / (double)ata->elapsed_ns, ")", remark);
}

void text_ata(FILE *to, const struct report_disk *disk)
{
	const struct ata_figures *ata = &disk->figures.ata;
	const struct ata_parts *parts = &ata->sums.parts;
	const uint64_t ns[PARTS] = { parts->idle_ns, parts->queued_ns, parts->drain_ns,
				     parts->alone_ns, parts->error_ns };
	bool others = report_ata_others(&ata->sums) > 0;
	uint32_t shares[PARTS];
	struct number count;
	char remark[256];

	shares_of(shares, ns, ata->elapsed_ns);
	fprintf(to, "\n%-32s%8s%7s\n", "where the disk's time went", "s", "%");
	line_of(to, "idle", ns[IDLE], shares[IDLE] / 10.0, "", "");
	queued_remark(remark, sizeof(remark), disk);
	line_of(to, "working on queued commands", ns[QUEUED], shares[QUEUED] / 10.0, "", remark);
	drain_remark(remark, sizeof(remark), ata);
	line_of(to, others ? "draining the queue" : "draining the queue for a flush", ns[DRAIN],
		shares[DRAIN] / 10.0, "", remark);
	alone_remark(remark, sizeof(remark), ata);
	line_of(to, others ? "a non-NCQ command alone" : "a flush alone on the disk", ns[ALONE],
		shares[ALONE] / 10.0, "", remark);
	refill_line(to, ata);
	snprintf(remark, sizeof(remark), "%s command%s failed",
		 number_count(&count, ata->sums.errors), plural(ata->sums.errors));
	if (ata->sums.errors || ns[ERROR])
		line_of(to, "error handling", ns[ERROR], shares[ERROR] / 10.0, "", remark);
}
