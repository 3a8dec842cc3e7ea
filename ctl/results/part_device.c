// SPDX-License-Identifier: GPL-2.0-or-later
/* part_device: what the disk did under a workload, a row a configuration. */
#include "results/part.h"

#include <math.h>
#include <string.h>

#include "model/mount_words.h"

/* With the columns that are always there, and with the one more that may be. */
#define NAME_MOST 20
#define NAME_LEAST 10

/* A column's text of a cell; "" : there is nothing to tell in it. */
struct device_column {
	const char *title;
	int width;
	const char *(*text)(const struct device_figures *device, struct number *number);
};

static const char *fixed(struct number *number, const char *text)
{
	snprintf(number->text, sizeof(number->text), "%s", text);
	return number->text;
}

static const char *rate(struct number *number, double value)
{
	if (isnan(value))
		return fixed(number, "n/a");
	return value == 0 ? fixed(number, "0") : number_rate(number, value);
}

static const char *flush_rate(const struct device_figures *device, struct number *number)
{
	return rate(number, device->flush_per_s);
}

static const char *fua_rate(const struct device_figures *device, struct number *number)
{
	if (device->no_fua && !(device->fua_per_s > 0))
		return fixed(number, "-");
	return rate(number, device->fua_per_s);
}

static const char *mean_tags(const struct device_figures *device, struct number *number)
{
	return number_decimal(number, device->ncq_mean, 1);
}

static const char *mean_depth(const struct device_figures *device, struct number *number)
{
	return number_decimal(number, device->depth_mean, 1);
}

static const char *percent(struct number *number, double share, unsigned int digits)
{
	if (share == 0)
		return fixed(number, "0");
	number_decimal(number, 100 * share, digits);
	if (isfinite(share))
		strcat(number->text, " %");
	return number->text;
}

static const char *share(const struct device_figures *device, struct number *number)
{
	return percent(number, device->flush_drain_share, 1);
}

static const char *idle(const struct device_figures *device, struct number *number)
{
	return percent(number, device->idle_share, 0);
}

static const char *discard_rate(const struct device_figures *device, struct number *number)
{
	return rate(number, device->discard_per_s);
}

static const char *write_p99(const struct device_figures *device, struct number *number)
{
	if (isnan(device->write_p99_ns))
		return fixed(number, "-");
	number_ms(number, device->write_p99_ns);
	strcat(number->text, " ms");
	return number->text;
}

static const char *at_risk(const struct device_figures *device, struct number *number)
{
	if (device->no_flush)
		return fixed(number, "no flush");
	if (isnan(device->unflushed_max_bytes) || device->unflushed_max_bytes >= 1e18)
		return fixed(number, "n/a");
	if (device->unflushed_max_bytes == 0)
		return fixed(number, "0");
	return number_bytes(number, (uint64_t)device->unflushed_max_bytes);
}

#define COLUMNS 8

/* Of a disk that is not behind libata, the queue of the block layer.  How many there are. */
static size_t choose(struct device_column column[COLUMNS], const struct results *results,
		     size_t first)
{
	bool tags = false, drain = true, discards = false;
	size_t nr = 0;

	for (size_t i = first; i < results->nr_cells; i = show_next(results, i)) {
		const struct device_figures *device = &results->cell[i].device;

		tags |= isfinite(device->ncq_mean);
		drain &= !device->have || isnan(device->flush_drain_share) || device->drain_known;
		discards |= device->discard_per_s > 0 ||
			    mount_options_name(results->cell[i].mount_options, "discard");
	}
	column[nr++] = (struct device_column){"flush/s", 8, flush_rate};
	column[nr++] = (struct device_column){"FUA/s", 7, fua_rate};
	if (discards)
		column[nr++] = (struct device_column){"discard/s", 10, discard_rate};
	column[nr++] = (struct device_column){"idle", 6, idle};
	column[nr++] = tags ? (struct device_column){"NCQ", 6, mean_tags}
			    : (struct device_column){"depth", 6, mean_depth};
	column[nr++] = (struct device_column){drain ? "flush+drain" : "in flush", 12, share};
	column[nr++] = (struct device_column){"write p99", 10, write_p99};
	column[nr++] = (struct device_column){"at risk", 9, at_risk};
	return nr;
}

static void print_row(FILE *to, const struct device_column *column, size_t columns, size_t name,
		      const struct cell_result *cell)
{
	fputs("  ", to);
	if (show_length(cell->cell->configuration) > name) {
		show_wrapped(to, cell->cell->configuration, 2, 2);
		fprintf(to, "%*s", (int)name + 2, "");
	} else {
		show_padded(to, cell->cell->configuration, name, ' ');
	}
	for (size_t i = 0; i < columns; i++) {
		struct number number;

		fprintf(to, "%*s", column[i].width, column[i].text(&cell->device, &number));
	}
	fputc('\n', to);
}

void part_device(FILE *to, const struct results *results, size_t first)
{
	struct device_column column[COLUMNS];
	size_t name, columns, i;
	bool any = false;

	for (i = first; i < results->nr_cells; i = show_next(results, i))
		any |= results->cell[i].device.have;
	if (!any)
		return;
	columns = choose(column, results, first);
	name = show_name_width(results, columns < COLUMNS ? NAME_MOST : NAME_LEAST);
	name = name < 9 ? 9 : name; /* the title's own */
	show_padded(to, "on the disk", name + 2, ' ');
	for (size_t c = 0; c < columns; c++)
		fprintf(to, "%*s", column[c].width, column[c].title);
	fputc('\n', to);
	for (i = first; i < results->nr_cells; i = show_next(results, i))
		if (results->cell[i].device.have)
			print_row(to, column, columns, name, &results->cell[i]);
}
