/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parts: what of a disk's counters is there only while a reader wants its layer.
 *
 * Probes find a part by its pointer in &struct fsb_disk_stats, which target.c sets and clears
 * under its lock; between clearing and freeing lies a grace period.
 */
#ifndef FSB_PARTS_H
#define FSB_PARTS_H

#include <linux/percpu.h>

#include "ata_state.h"
#include "owners.h"

/**
 * struct fsb_merge_counts - merges on one CPU; they have no owner
 * @reads: into reads
 * @writes: into writes
 */
struct fsb_merge_counts {
	u64 reads;
	u64 writes;
};

/**
 * struct fsb_bios - layer BIO of a disk
 * @since: when counting began, ns
 * @owners: bio layer counters, by who submitted them
 * @merges: merges
 */
struct fsb_bios {
	u64 since;
	struct fsb_owners *owners;
	struct fsb_merge_counts __percpu *merges;
};

/**
 * struct fsb_parts - layers of a disk
 * @layers: those it has, %FSBSTAT_LAYER_REQUEST and so on
 * @bios: of layer BIO, else NULL
 * @ata: what libata gives the disk, of layer DRIVE, else NULL
 *
 * With layer FS they hold a reference on the table of fs.c.
 */
struct fsb_parts {
	u32 layers;
	struct fsb_bios *bios;
	struct fsb_ata_state *ata;
};

size_t fsb_parts_size(u32 layers);
int fsb_parts_alloc(struct fsb_parts *parts, u32 layers);
void fsb_parts_free(struct fsb_parts *parts);
void fsb_parts_start(struct fsb_parts *parts, u64 now);
void fsb_parts_move(struct fsb_parts *to, struct fsb_parts *from, u32 layers);

#endif /* FSB_PARTS_H */
