// SPDX-License-Identifier: GPL-2.0-or-later
/* meter_left_out: what the live view does not show of a disk, see meter_left_out.h. */
#include "tui/meter_left_out.h"

#include "message.h"

static void leave_out(struct top_disk *disk, const char *what, const char *why)
{
	struct left_out *out = &disk->left_out[disk->nr_left_out];

	if (disk->nr_left_out == LEFT_OUT_MAX)
		return;
	out->what = what;
	message_printable(out->why, sizeof(out->why), why);
	disk->nr_left_out++;
}

/* The reasons of a source that lacks a layer are better than those of its figures. */
static void leave_out_layer(struct top_disk *disk, struct source *source, const char *what,
			    enum layer layer, const char *why)
{
	const char *missing = source_missing(source, layer);

	if (missing || why)
		leave_out(disk, what, missing ? missing : why);
}

static void left_out_why(struct top_disk *disk, struct source *source, const char *owners)
{
	const struct why *why = &disk->window.why;

	leave_out_layer(disk, source, "fsync", LAYER_FS, why->fsync_unknown);
	leave_out_layer(disk, source, "at risk", LAYER_UNFLUSHED, why->risk_unknown);
	leave_out_layer(disk, source, "asked by", LAYER_OWNERS, owners);
}

/* Why lines are missing; the layers first, then what this disk cannot have. */
void meter_left_out(struct top_disk *disk, struct source *source, const struct meter_lost *lost)
{
	static const struct {
		const char *what;
		enum layer layer;
	} layers[] = {
		{"FUA, errors", LAYER_CLASSES},
		{"percentiles", LAYER_LATENCY},
		{"NCQ, draining", LAYER_ATA},
	};
	size_t i;

	disk->nr_left_out = 0;
	if (*lost->time)
		leave_out(disk, "some time", lost->time);
	if (lost->counts)
		leave_out(disk, "new counts", lost->counts);
	for (i = 0; i < sizeof(layers) / sizeof(*layers); i++) {
		const char *why = source_missing(source, layers[i].layer);

		if (why)
			leave_out(disk, layers[i].what, why);
		else if (layers[i].layer == LAYER_ATA && disk->info.ncq < 0)
			leave_out(disk, layers[i].what, "the disk is not behind libata");
		else if (layers[i].layer == LAYER_ATA && disk->all.delta && !disk->all.delta->ata)
			leave_out(disk, layers[i].what,
				  source_sees_ata(source)
					  ? "no ATA command seen yet"
					  : "libata's tracepoints are missing, fsbctl check says "
					    "why");
	}
	left_out_why(disk, source, lost->owners);
}
