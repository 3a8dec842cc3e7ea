/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * disk_json: the "device" and "mounts" parts of a fsbstat/1 document.  Every key is
 * always there; what is unknown is null.  For whoever writes such a document.
 */
#ifndef FSB_DISK_DISK_JSON_H
#define FSB_DISK_DISK_JSON_H

#include <jansson.h>

#include "disk/describe.h"
#include "disk/mounts.h"

/* A new reference each; NULL only when memory ran out. */
json_t *disk_json_device(const struct disk_info *info);
json_t *disk_json_mounts(const struct mounts *mounts);

#endif /* FSB_DISK_DISK_JSON_H */
