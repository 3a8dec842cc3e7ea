/* SPDX-License-Identifier: GPL-2.0-or-later */
/* csv: what csv.c and csv_owners.c share. */
#ifndef FSB_OUT_CSV_H
#define FSB_OUT_CSV_H

#include <stdio.h>

#include "csv_field.h"
#include "out/report.h"

/* The last columns; they are filled in rows of owners and empty in all others. */
#define CSV_OWNER_COLUMNS \
	"owner_comm,owner_tasks,owner_device,owner_bios,owner_bytes,owner_write_ios," \
	"owner_write_bytes,owner_preflush,owner_fua,owner_empty_flush,owner_fsync"
#define CSV_NO_OWNER ",,,,,,,,,,,"

/* A row for each of the disk's owners; @empty: columns between `row` and those. */
void csv_owner_rows(FILE *to, const struct report_disk *disk, size_t empty);

#endif /* FSB_OUT_CSV_H */
