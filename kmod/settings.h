/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * settings: commands that change settings of a drive, seen on their way, and the state
 * of its write cache as readers tell it: the module never asks a drive anything.  What
 * was told holds until the next such command.
 *
 * Probes call fsb_settings_changed(); target.c and netlink.c the rest.
 */
#ifndef FSB_SETTINGS_H
#define FSB_SETTINGS_H

#include <linux/atomic.h>
#include <linux/types.h>

#include <fsbstat.h>

/**
 * struct fsb_settings - settings of one drive
 * @changes: commands that change some
 * @announced: of them, those that readers have been told of
 * @told_at: @changes when @write_cache was told
 * @write_cache: &enum fsbstat_write_cache
 *
 * All but @changes are under target.c's lock.
 */
struct fsb_settings {
	atomic_t changes;
	u32 announced;
	u32 told_at;
	u8 write_cache;
};

/**
 * fsb_settings_changes() - how many commands have changed settings
 * @settings: of the drive
 *
 * Return: their number.
 */
static inline u32 fsb_settings_changes(const struct fsb_settings *settings)
{
	return atomic_read(&settings->changes);
}

u8 fsb_settings_write_cache(const struct fsb_settings *settings);
void fsb_settings_tell(struct fsb_settings *settings, u8 write_cache);
void fsb_settings_forget(struct fsb_settings *settings);
void fsb_settings_inherit(struct fsb_settings *settings, const struct fsb_settings *from);
bool fsb_settings_announce(struct fsb_settings *settings);

void fsb_settings_changed(struct fsb_settings *settings);
void fsb_settings_exit(void);

#endif /* FSB_SETTINGS_H */
