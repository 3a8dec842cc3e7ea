// SPDX-License-Identifier: GPL-2.0-or-later
/* csv: one row a cell, RFC 4180; what is not known is an empty field. */
#include "results/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv_field.h"

static const char header[] =
	"run,configuration,workload,unit,better,n,mean,sd,se,low,high,cv,min,q1,median,q3,max,"
	"bimodal,failed,invalid,noisy,stop,why,baseline,change,change_low,change_high,"
	"device_seconds,flush_per_s,fua_per_s,ncq_mean,depth_mean,flush_drain_share,drain_known,"
	"write_p99_ns,read_bytes_per_s,write_bytes_per_s,unflushed_max_bytes,no_flush,"
	"idle_share,discard_per_s,discard_bytes_per_s,mount_options,scores" CSV_END;

/* As few digits as give the same number again, with a point in every locale. */
static void plain(FILE *to, double value)
{
	char digits[40], *comma;

	for (int precision = 15; precision <= 17; precision++) {
		snprintf(digits, sizeof(digits), "%.*g", precision, value);
		if (strtod(digits, NULL) == value)
			break;
	}
	comma = strpbrk(digits, ",");
	if (comma)
		*comma = '.';
	fputs(digits, to);
}

static void number(FILE *to, double value)
{
	fputc(',', to);
	if (isfinite(value))
		plain(to, value);
}

static void count(FILE *to, size_t value)
{
	fprintf(to, ",%zu", value);
}

static void string(FILE *to, const char *value)
{
	fputc(',', to);
	csv_field(to, value);
}

static void put_stats(FILE *to, const struct stats *stats)
{
	count(to, stats->n);
	number(to, stats->mean);
	number(to, stats->sd);
	number(to, stats->se);
	number(to, stats->low);
	number(to, stats->high);
	number(to, stats->cv);
	number(to, stats->min);
	number(to, stats->q1);
	number(to, stats->median);
	number(to, stats->q3);
	number(to, stats->max);
	count(to, stats->bimodal);
}

static void put_change(FILE *to, const struct results *results, const struct cell_result *cell)
{
	const struct change *change = &cell->change;

	string(to, results->baseline);
	number(to, change->known ? change->change : NAN);
	number(to, change->known ? change->low : NAN);
	number(to, change->known ? change->high : NAN); /* empty: unbounded */
}

static void put_device(FILE *to, const struct device_figures *device)
{
	if (!device->have) {
		fputs(",,,,,,,,,,,,,,,", to);
		return;
	}
	number(to, device->seconds);
	number(to, device->flush_per_s);
	number(to, device->fua_per_s);
	number(to, device->ncq_mean);
	number(to, device->depth_mean);
	number(to, device->flush_drain_share);
	count(to, device->drain_known);
	number(to, device->write_p99_ns);
	number(to, device->read_bytes);
	number(to, device->write_bytes);
	number(to, device->unflushed_max_bytes);
	count(to, device->no_flush);
	number(to, device->idle_share);
	number(to, device->discard_per_s);
	number(to, device->discard_bytes);
}

static void put_scores(FILE *to, const struct cell_result *cell)
{
	fputc(',', to);
	for (size_t i = 0; i < cell->n; i++) {
		if (i)
			fputc(' ', to);
		plain(to, cell->sample[i]);
	}
}

static int show(FILE *to, const struct results *results)
{
	char why[1024];

	fputs(header, to);
	for (size_t i = 0; i < results->nr_cells; i++) {
		const struct cell_result *cell = &results->cell[i];

		csv_field(to, results->stored->run.name);
		string(to, cell->cell->configuration);
		string(to, cell->cell->workload);
		string(to, cell->cell->unit);
		string(to, cell->cell->more_is_better ? "more" : "less");
		put_stats(to, &cell->stats);
		count(to, cell->failed);
		count(to, cell->invalid);
		count(to, cell->noisy);
		string(to, cell->cell->stop);
		string(to, results_why(results, cell, why, sizeof(why)));
		put_change(to, results, cell);
		put_device(to, &cell->device);
		string(to, cell->mount_options);
		put_scores(to, cell);
		fputs(CSV_END, to);
	}
	return 0;
}

const struct results_ops results_csv = {.name = "csv", .show = show};
