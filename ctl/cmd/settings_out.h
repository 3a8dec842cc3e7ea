/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings_out: what was set or put back, for a person and as JSON, and the line about
 * settings that wait to be restored.  For set.c, restore.c and dispatch.c.
 */
#ifndef FSB_CMD_SETTINGS_OUT_H
#define FSB_CMD_SETTINGS_OUT_H

#include <jansson.h>

#include "disk/settings.h"

/* Prints the error; returns the exit status that goes with it. */
int settings_out_error(const struct settings_error *error);

/* One line a value; dry: nothing was written. */
void settings_out_changes(const struct disk *disk, const struct settings_result *result, bool dry);
void settings_out_returned(const struct disk *disk, const struct settings_result *result, bool dry);

/* A disk's part of a document of kind "settings"; NULL when memory ran out. */
json_t *settings_out_json(const struct disk *disk, const struct settings_result *result);

/* The document around the disks' parts, which it takes over.  0, or -1. */
int settings_out_document(const char *command, bool dry, json_t *disks);

/* "fsbctl: settings of sda wait to be restored ..." on stderr, if they do. */
void settings_out_waiting(void);

#endif /* FSB_CMD_SETTINGS_OUT_H */
