/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ata: what a disk behind libata was given at its link: NCQ tags in use, commands by
 * kind, and where its time went around commands that cannot be queued.  Counted when
 * part of a snapshot, a difference when part of a delta.  Pure; called by snapshot,
 * delta, source and out.
 *
 * Ownership: whoever holds a struct ata_counts or ata_delta frees it with
 * ata_counts_free() or ata_delta_free(), which take NULL.
 */
#ifndef FSB_MODEL_ATA_H
#define FSB_MODEL_ATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fsbstat.h>

#define ATA_TAGS 32

struct hist;

/* Where time went; each nanosecond is in one of them. */
struct ata_parts {
	uint64_t idle_ns;
	uint64_t queued_ns; /* working on queued commands */
	uint64_t drain_ns; /* a command that cannot be queued waits for the queue */
	uint64_t alone_ns; /* such a command is at the disk */
	uint64_t error_ns; /* error handling */
};

struct ata_kind {
	uint64_t ios;
	uint64_t busy_ns; /* of kinds that are not queued */
};

/* Everything that is subtracted and added. */
struct ata_sums {
	uint64_t tags_ns[ATA_TAGS + 1]; /* time with so many tags in use; none in error */
	struct ata_parts parts;
	uint64_t errors;
	uint64_t drains; /* commands that had to wait for queued ones */
	uint64_t wait_ns; /* theirs */
	uint64_t turnaround_ns;
	uint64_t refills;
	uint64_t refills_censored;
	uint64_t tag_time_lost_ns;
	struct ata_kind kind[FSBSTAT_ATA_KINDS];
};

struct ata_counts {
	uint64_t start_ns;
	uint64_t time_ns;
	uint32_t tags;
	uint32_t tags_max;
	struct ata_sums sums;
	struct hist *hist[FSBSTAT_ATA_HISTS]; /* NULL: empty; owned */
};

struct ata_delta {
	uint64_t elapsed_ns; /* by this layer's own clock; the parts sum to it */
	struct ata_sums sums;
	struct hist *hist[FSBSTAT_ATA_HISTS]; /* NULL: no samples; owned */
};

/* Both ways of dividing the time up sum to it. */
bool ata_consistent(const struct ata_counts *ata);

/* Time at each number of tags as sent: unaligned u64.  -EBADMSG when they do not fit. */
int ata_set_tags(struct ata_counts *ata, const void *values, size_t bytes);
/* NULL: no such kind, there already, or no memory. */
struct hist *ata_new_hist(struct ata_counts *ata, unsigned int kind);
void ata_counts_free(struct ata_counts *ata);

/*
 * @b minus @a.  @a may be NULL: no command had been seen at @a_time_ns, so the disk
 * had been idle until then.  -ENOMEM; -ERANGE when a counter went back; *delta is to
 * be freed in any case.
 */
int ata_subtract(struct ata_delta **delta, const struct ata_counts *b,
		 const struct ata_counts *a, uint64_t a_time_ns);
/* Adds a further window; *into may be NULL.  -ENOMEM. */
int ata_add(struct ata_delta **into, const struct ata_delta *from);
void ata_delta_free(struct ata_delta *delta);

/* Time-weighted over all time but that of error handling. */
double ata_tags_mean(const struct ata_sums *sums);
/* The most tags that any time was spent with. */
uint32_t ata_tags_max(const struct ata_sums *sums);
/* Commands of the queued kinds. */
uint64_t ata_ncq_ios(const struct ata_sums *sums);

#endif /* FSB_MODEL_ATA_H */
