// SPDX-License-Identifier: GPL-2.0-only
#include <linux/init.h>
#include <linux/workqueue.h>

#include "settings.h"
#include "target.h"

static void fsb_settings_work_fn(struct work_struct *work)
{
	fsb_targets_announce_settings();
}

static DECLARE_WORK(fsb_settings_work, fsb_settings_work_fn);

/**
 * fsb_settings_changed() - a command that changes settings went to the drive
 * @settings: of the drive
 *
 * Readers are told from process context, at once.
 *
 * Context: any.
 */
void fsb_settings_changed(struct fsb_settings *settings)
{
	atomic_inc(&settings->changes);
	schedule_work(&fsb_settings_work);
}

/**
 * fsb_settings_exit() - nothing is announced any more
 *
 * Context: process context, all probes detached and waited for.
 */
void __exit fsb_settings_exit(void)
{
	cancel_work_sync(&fsb_settings_work);
}

/**
 * fsb_settings_write_cache() - what is known of the drive's write cache
 * @settings: of the drive
 *
 * Context: target.c's lock held.
 * Return: &enum fsbstat_write_cache.
 */
u8 fsb_settings_write_cache(const struct fsb_settings *settings)
{
	if (settings->told_at != fsb_settings_changes(settings))
		return FSBSTAT_WRITE_CACHE_UNKNOWN;
	return settings->write_cache;
}

/**
 * fsb_settings_tell() - a reader tells the state of the drive's write cache
 * @settings: of the drive
 * @write_cache: &enum fsbstat_write_cache
 *
 * Context: target.c's lock held.
 */
void fsb_settings_tell(struct fsb_settings *settings, u8 write_cache)
{
	settings->told_at = fsb_settings_changes(settings);
	settings->write_cache = write_cache;
}

/**
 * fsb_settings_forget() - commands that change settings have not been seen for a while
 * @settings: of the drive
 *
 * Context: target.c's lock held.
 */
void fsb_settings_forget(struct fsb_settings *settings)
{
	fsb_settings_tell(settings, FSBSTAT_WRITE_CACHE_UNKNOWN);
}

/**
 * fsb_settings_inherit() - go on with those of counters that are replaced
 * @settings: published already
 * @from: reached by no probe any more
 *
 * Context: target.c's lock held.
 */
void fsb_settings_inherit(struct fsb_settings *settings, const struct fsb_settings *from)
{
	settings->announced = from->announced;
	settings->told_at = from->told_at;
	settings->write_cache = from->write_cache;
	atomic_add(fsb_settings_changes(from), &settings->changes);
}

/**
 * fsb_settings_announce() - whether there is something readers have not been told
 * @settings: of the drive
 *
 * Context: target.c's lock held.
 * Return: true once for all commands since the last time.
 */
bool fsb_settings_announce(struct fsb_settings *settings)
{
	u32 changes = fsb_settings_changes(settings);
	bool news = changes != settings->announced;

	settings->announced = changes;
	return news;
}
