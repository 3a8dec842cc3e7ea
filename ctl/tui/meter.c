// SPDX-License-Identifier: GPL-2.0-or-later
/* meter: the opened disk, counted again and again, see meter.h. */
#include "tui/meter.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "disk/mount_watch.h"
#include "message.h"
#include "source/file.h"
#include "source/module.h"
#include "suspended.h"
#include "tui/meter_left_out.h"
#include "tui/meter_owners.h"
#include "tui/meter_rows.h"
#include "tui/meter_why.h"

#define RING METER_RING

enum state { STATE_COUNTING, STATE_GONE, STATE_LOST, STATE_ENDED, STATE_FAILED };

struct meter {
	struct meter_options options;
	struct source *source;
	struct mount_watch *mounts; /* NULL: nothing tells of them */
	struct disk disk;
	size_t index; /* of the disk in the source */
	enum state state;
	struct disk_info known; /* as it was last seen while it was there */
	char word[160]; /* that it is back, until it is asked for */
	char reason[160]; /* of STATE_LOST and STATE_FAILED, or why there is no such disk */
	struct source_instant instant;
	double pace_s; /* of whole intervals; 0: not known */
	uint64_t since_ns, gap_ns; /* since the last whole interval, and that one; of a recording */
	struct snapshot last;
	bool have_last;
	uint64_t suspended_ns; /* where it began */
	bool silent; /* queue/iostats is off: nothing new was counted */
	bool notified; /* since the last look something said that settings changed */
	bool drive_heard; /* it was the drive's own that may have */
	struct source_look look;

	struct delta ring[RING];
	unsigned int nr; /* intervals so far; the last RING are kept */
	struct delta total;
	struct meter_owners owners;
	struct interval {
		uint64_t ns, ios[FSBSTAT_CLASSES];
	} interval; /* the one that is not over */
	struct history history;
	struct epochs epochs;

	struct {
		struct delta window, all, set_now, set_base;
		struct figures window_figures, all_figures;
		struct history history;
		struct mounts mounts;
		struct top_disk disk;
	} shown;
};

const char *meter_error(const struct meter *meter)
{
	if (!meter)
		return strerror(ENOMEM);
	return *meter->reason ? meter->reason : source_error(meter->source);
}

const char *meter_hint(const struct meter *meter)
{
	return meter && !*meter->reason ? source_hint(meter->source) : "";
}

const char *meter_notice(const struct meter *meter)
{
	return source_notice(meter->source);
}

double meter_interval_s(const struct meter *meter)
{
	const struct recording_head *head;

	if (source_kind(meter->source) != SOURCE_FILE)
		return meter->pace_s;
	head = file_head(meter->source);
	return (double)(head->interval_ns ? head->interval_ns : meter->gap_ns) / 1e9;
}

void meter_fds(const struct meter *meter, int fd[METER_FDS])
{
	fd[0] = source_fd(meter->source);
	fd[1] = mount_watch_fd(meter->mounts);
}

void meter_clock(const struct meter *meter, char *text, size_t size)
{
	time_t seconds = (time_t)(meter->instant.realtime_ns / 1000000000);
	struct tm tm;

	if (!meter->instant.realtime_ns || !localtime_r(&seconds, &tm) ||
	    !strftime(text, size, "%H:%M:%S", &tm))
		snprintf(text, size, "-");
}

static int watch(struct meter *meter)
{
	struct disk disk = meter->disk;
	struct disk_set set = {.disk = &disk, .nr = 1};

	meter->index = 0;
	return source_watch(meter->source, &set, NULL);
}

/* In a recording the disk is looked up. */
static int find(struct meter *meter, const char *name)
{
	char printable[96];
	size_t i;

	for (i = 0; i < source_nr_disks(meter->source); i++) {
		if (name && strcmp(source_disk(meter->source, i)->name, name))
			continue;
		meter->index = i;
		meter->disk = *source_disk(meter->source, i);
		return 0;
	}
	if (name)
		message_printable(printable, sizeof(printable), name);
	snprintf(meter->reason, sizeof(meter->reason), "the recording has no disk%s%s%s",
		 name ? " " : "", name ? printable : "",
		 source_nr_disks(meter->source) ? "; it has" : "");
	for (i = 0; i < source_nr_disks(meter->source); i++) {
		size_t used = strlen(meter->reason);

		snprintf(meter->reason + used, sizeof(meter->reason) - used, " %s",
			 source_disk(meter->source, i)->name);
	}
	return -ENODEV;
}

int meter_open(struct meter **meter, const struct meter_options *options, const struct disk *disk,
	       const char *name)
{
	struct meter *opened = calloc(1, sizeof(*opened));

	*meter = opened;
	if (!opened)
		return -1;
	opened->options = *options;
	epochs_init(&opened->epochs, (uint64_t)(options->settle_s * 1e9));
	if (source_open(&opened->source, options->kind, options->path))
		return -1;
	if (!disk)
		return find(opened, name) ? -1 : 0;
	opened->mounts = mount_watch_open();
	opened->suspended_ns = suspended_ns();
	opened->disk = *disk;
	return watch(opened) ? -1 : 0;
}

void meter_close(struct meter *meter)
{
	unsigned int i;

	if (!meter)
		return;
	for (i = 0; i < RING; i++)
		delta_free(&meter->ring[i]);
	delta_free(&meter->total);
	meter_owners_free(&meter->owners);
	delta_free(&meter->shown.window);
	delta_free(&meter->shown.all);
	delta_free(&meter->shown.set_now);
	delta_free(&meter->shown.set_base);
	snapshot_free(&meter->last);
	source_look_free(&meter->look);
	mounts_free(&meter->shown.mounts);
	epochs_free(&meter->epochs);
	meter_rows_free(&meter->shown.disk);
	mount_watch_close(meter->mounts);
	source_close(meter->source);
	free(meter);
}

bool meter_hear(struct meter *meter)
{
	bool heard = mount_watch_take(meter->mounts), lost = false;
	struct source_event event;

	while (source_event(meter->source, &event) > 0) {
		bool ours = event.major == meter->disk.major && event.minor == meter->disk.minor;

		if (event.kind == SOURCE_DISK_SETTINGS && ours)
			meter->drive_heard = true;
		lost = lost || event.kind == SOURCE_EVENTS_LOST;
	}
	heard = heard || meter->drive_heard;
	meter->notified = meter->notified || heard;
	return heard || lost;
}

bool meter_word(struct meter *meter, char *text, size_t size)
{
	bool any = *meter->word;

	snprintf(text, size, "%s", meter->word);
	meter->word[0] = '\0';
	return any;
}

const struct disk *meter_disk(const struct meter *meter)
{
	return &meter->disk;
}

void meter_pace(struct meter *meter, double seconds)
{
	if (meter->pace_s > 0)
		meter->history.nr = 0;
	meter->pace_s = seconds;
}

/* Intervals that a point of the history stands for: several after the process was stopped. */
static unsigned int intervals_in(const struct meter *meter, uint64_t ns)
{
	double each_s = meter_interval_s(meter);
	double nr = each_s > 0 ? round((double)ns / 1e9 / each_s) : 1;

	return nr < 1 ? 1 : nr > HISTORY_POINTS ? HISTORY_POINTS : (unsigned int)nr;
}

/* One point for each interval, in how many parts ever it was counted. */
static void add_history(struct meter *meter, const struct delta *delta, bool regular)
{
	struct interval *interval = &meter->interval;
	struct history_point point;
	unsigned int class, nr;

	interval->ns += delta->elapsed_ns;
	for (class = 0; class < FSBSTAT_CLASSES; class++)
		interval->ios[class] += delta->class[class].counts.ios;
	if (!regular || !interval->ns)
		return;
	for (class = 0; class < FSBSTAT_CLASSES; class++)
		point.rate[class] = (double)interval->ios[class] * 1e9 / (double)interval->ns;
	for (nr = intervals_in(meter, interval->ns); nr; nr--)
		meter->history.point[meter->history.nr++ % HISTORY_POINTS] = point;
	memset(interval, 0, sizeof(*interval));
}

/* What is taken of @now is no longer in it. */
static int look(struct meter *meter, struct source_look *now, uint64_t now_ns,
		const struct delta *delta)
{
	enum epoch_seen seen = meter->notified ? EPOCH_NOTIFIED : EPOCH_POLLED;
	struct disk_info info = now->info;
	struct option_set set;
	int err;

	/* Of a disk that is gone the last look stands. */
	if (!now->have_info)
		return 0;
	meter->notified = false;
	source_look_free(&meter->look);
	meter->look = *now;
	memset(now, 0, sizeof(*now));
	/* The kernel reads the drive again a moment later, and the next look sees what it read. */
	if (meter->drive_heard)
		info.write_cache = UNKNOWN;
	meter->drive_heard = false;
	err = option_set_of(&set, &info, &meter->look.mounts);
	if (!err)
		err = epochs_feed(&meter->epochs, now_ns, seen, &set, delta);
	option_set_free(&set);
	return err;
}

/* Of what was before nothing is known; what the options are is. */
static int begin(struct meter *meter, struct source_look *seen, uint64_t now_ns)
{
	if (meter->epochs.have_now)
		epochs_break(&meter->epochs);
	meter_owners_begin(&meter->owners, meter->source, meter->index);
	return look(meter, seen, now_ns, NULL);
}

/* From the last counts to these. */
static int take(struct meter *meter, const struct snapshot *now, struct source_look *seen,
		bool regular)
{
	uint64_t now_ns = now->nr_queues ? now->queue[0].edge.time_ns : 0;
	struct delta *delta = &meter->ring[meter->nr % RING], none = {0};
	int err;

	if (!meter->have_last || meter->instant.phase == PHASE_BEGIN)
		return begin(meter, seen, now_ns);
	delta_free(delta);
	*delta = none;
	err = delta_make(delta, &meter->last, now);
	/* Counters that began again: what was between is not known. */
	if (err == -ERANGE)
		return begin(meter, seen, now_ns);
	if (err)
		return err;
	meter->silent = delta->silent;
	if (delta->silent) {
		delta_free(delta);
		*delta = none;
		return look(meter, seen, now_ns, NULL);
	}
	err = meter_owners_take(&meter->owners, meter->source, meter->index, meter->nr % RING);
	meter->nr++;
	add_history(meter, delta, regular);
	if (!err)
		err = delta_add(&meter->total, delta);
	return err ? err : look(meter, seen, now_ns, delta);
}

/* The module has been unloaded, or nobody may read it any more: wait for it. */
static void note_reason(struct meter *meter, enum state state)
{
	message_printable(meter->reason, sizeof(meter->reason), source_error(meter->source));
	meter->state = state;
}

static void lose(struct meter *meter)
{
	note_reason(meter, STATE_LOST);
	snapshot_free(&meter->last);
	meter->have_last = false;
}

/* A disk that was pulled, or found by a rescan, is recognised by its serial number. */
static void find_again(struct meter *meter)
{
	struct source *source;
	struct disk disk;
	struct disk_set set = {.disk = &disk, .nr = 1};

	if (disk_again(&meter->known, &disk))
		return;
	if (source_open(&source, meter->options.kind, NULL) || source_watch(source, &set, NULL)) {
		source_close(source);
		return;
	}
	source_close(meter->source);
	meter->source = source;
	snprintf(meter->word, sizeof(meter->word), "%s is back as %s; counting goes on",
		 meter->disk.name, disk.name);
	meter->disk = disk;
	meter->index = 0;
	snapshot_free(&meter->last);
	meter->have_last = false;
	meter->state = STATE_COUNTING;
}

/* It is asked whether the module is there, never for it to be loaded. */
static bool regain(struct meter *meter)
{
	struct module *module;
	struct source *source;
	bool there = module_open(&module) == 0;

	module_close(module);
	if (!there)
		return false;
	if (source_open(&source, SOURCE_MODULE, NULL)) {
		source_close(source);
		return false;
	}
	source_close(meter->source);
	meter->source = source;
	if (watch(meter)) {
		message_printable(meter->reason, sizeof(meter->reason), source_error(source));
		return false;
	}
	meter->state = STATE_COUNTING;
	return true;
}

/* In a recording things were heard of, too, in between.  False when this was such an instant. */
static bool follow(struct meter *meter)
{
	const struct source_instant *instant = &meter->instant;
	bool heard = instant->phase == PHASE_NOTICE;

	meter->notified = meter->notified || heard;
	meter->since_ns = instant->phase == PHASE_BEGIN ? 0 : meter->since_ns + instant->gap_ns;
	if (heard || instant->phase == PHASE_END)
		return false;
	if (meter->since_ns)
		meter->gap_ns = meter->since_ns;
	meter->since_ns = 0;
	return true;
}

int meter_step(struct meter *meter, bool regular)
{
	struct snapshot now = {0};
	struct source_look seen = {0};
	struct source_instant instant;
	int more, err;

	/* A recording goes on behind a count that it lacks. */
	if (meter->state == STATE_LOST && source_kind(meter->source) != SOURCE_FILE &&
	    !regain(meter))
		return 1;
	if (meter->state == STATE_GONE && regular && source_kind(meter->source) != SOURCE_FILE)
		find_again(meter);
	more = source_step(meter->source, &instant);
	if (more <= 0) {
		/* The last instant stands. */
		note_reason(meter, more ? STATE_FAILED : STATE_ENDED);
		return 0;
	}
	meter->instant = instant;
	regular = regular && follow(meter);
	if (source_observe(meter->source, meter->index, &now, &seen)) {
		snapshot_free(&now);
		lose(meter);
		return 1;
	}
	err = take(meter, &now, &seen, regular);
	source_look_free(&seen);
	meter->state = now.watch.state == FSBSTAT_DISK_GONE ? STATE_GONE : STATE_COUNTING;
	if (meter->state == STATE_COUNTING)
		meter->known = meter->look.info;
	snapshot_free(&meter->last);
	meter->last = now;
	meter->have_last = true;
	return err ? -1 : 1;
}

bool meter_failed(const struct meter *meter)
{
	return meter->state == STATE_FAILED;
}

/* How many intervals, the newest of all, make up the last seconds. */
static unsigned int window_length(const struct meter *meter)
{
	unsigned int kept = meter->nr < RING ? meter->nr : RING, nr = 0;
	uint64_t ns = 0;

	while (nr < kept) {
		ns += meter->ring[(meter->nr - ++nr) % RING].elapsed_ns;
		/* Half an interval too little is near enough. */
		if (ns + ns / (2 * nr) >= METER_WINDOW_S * 1000000000ULL)
			break;
	}
	return nr;
}

static int show_window(struct meter *meter)
{
	struct delta *window = &meter->shown.window, none = {0};
	unsigned int back;
	int err = 0;

	delta_free(window);
	*window = none;
	for (back = window_length(meter); back && !err; back--)
		err = delta_add(window, &meter->ring[(meter->nr - back) % RING]);
	figures_of(&meter->shown.window_figures, window);
	return err;
}

static int copy(struct delta *to, const struct delta *from)
{
	struct delta none = {0};

	delta_free(to);
	*to = none;
	return from->windows ? delta_add(to, from) : 0;
}

/* The option set that holds beside the baseline, while they are two. */
static int show_sets(struct meter *meter, struct top_disk *disk, unsigned int baseline)
{
	const struct epoch_set *now = epochs_set(&meter->epochs, epochs_current(&meter->epochs));
	const struct epoch_set *base = epochs_set(&meter->epochs, baseline);
	bool two = now && base && now != base && now->held_ns && base->held_ns;

	disk->set_now = two ? &meter->shown.set_now : NULL;
	disk->set_base = two ? &meter->shown.set_base : NULL;
	disk->now = now ? now->nr : 0;
	disk->base = base ? base->nr : 0;
	if (!two)
		return 0;
	if (copy(&meter->shown.set_now, &now->delta) ||
	    copy(&meter->shown.set_base, &base->delta))
		return -ENOMEM;
	return 0;
}

static int show_all(struct meter *meter)
{
	if (copy(&meter->shown.all, &meter->total))
		return -ENOMEM;
	figures_of(&meter->shown.all_figures, &meter->shown.all);
	return 0;
}

static void show_state(struct meter *meter, struct top_disk *disk)
{
	static const char *const words[] = {
		[STATE_COUNTING] = "live",
		[STATE_GONE] = "device gone",
		[STATE_LOST] = "not counted",
		[STATE_ENDED] = "end of recording",
		[STATE_FAILED] = "bad recording",
	};
	enum source_kind by = source_counted_by(meter->source);
	bool file = source_kind(meter->source) == SOURCE_FILE;
	bool counts = meter->state == STATE_COUNTING;

	snprintf(disk->status, sizeof(disk->status), "%s",
		 counts && file ? "replay" :
		 words[counts && meter->silent ? STATE_LOST : meter->state]);
	disk->replay = file;
	disk->bad = meter->silent || (!counts && meter->state != STATE_ENDED);
	snprintf(disk->source, sizeof(disk->source), "%s",
		 by == SOURCE_MODULE ? "module" : "diskstats");
}

/* What keeps new counts from coming, or kept some time out of them; the screen names it. */
static void show_lost(struct meter *meter, struct meter_lost *lost)
{
	double seconds;

	memset(lost, 0, sizeof(*lost));
	if (meter->suspended_ns &&
	    suspended_between(meter->suspended_ns, suspended_ns(), &seconds))
		snprintf(lost->time, sizeof(lost->time), "the machine was suspended for %.1f s",
			 seconds);
	if (meter->state == STATE_LOST || meter->state == STATE_FAILED)
		lost->counts = meter->reason;
	else if (meter->silent)
		lost->counts = "queue/iostats is off, so /proc/diskstats does not count";
	lost->owners = meter_owners_missing(&meter->owners, meter->source);
}

/* meter_step() replaces what it holds; a screen that is paused keeps its own. */
static int show_look(struct meter *meter, struct top_disk *disk)
{
	const struct mounts *from = &meter->look.mounts;
	struct mounts *mounts = &meter->shown.mounts;

	mounts_free(mounts);
	memset(mounts, 0, sizeof(*mounts));
	disk->info = meter->look.info;
	disk->mounts = mounts;
	return mounts_copy(mounts, from);
}

/* Of the last @nr intervals, or of all with 0. */
static int show_stretch(struct meter *meter, struct stretch *stretch, const struct delta *delta,
			const struct figures *figures, unsigned int nr)
{
	const struct disk_info *info = &meter->shown.disk.info;

	*stretch = (struct stretch){.delta = delta->elapsed_ns ? delta : NULL, .figures = figures};
	if (!stretch->delta)
		return 0;
	meter_why(stretch, info, &meter->shown.mounts, &meter->last.unflushed);
	return meter_owners_why(&meter->owners, meter->source, info, stretch,
				(meter->nr + RING - 1) % RING, nr);
}

static int show_stretches(struct meter *meter, struct top_disk *disk)
{
	int err = show_stretch(meter, &disk->all, &meter->shown.all, &meter->shown.all_figures, 0);

	return err ? err
		   : show_stretch(meter, &disk->window, &meter->shown.window,
				  &meter->shown.window_figures, window_length(meter));
}

const struct top_disk *meter_show(struct meter *meter, unsigned int baseline)
{
	struct top_disk *disk = &meter->shown.disk;
	struct meter_lost lost;

	if (show_window(meter) || show_all(meter) || show_look(meter, disk) ||
	    meter_rows_fill(disk, &meter->epochs, baseline,
			    (int64_t)meter->instant.realtime_ns - (int64_t)meter->epochs.now_ns))
		return NULL;
	if (show_stretches(meter, disk) || show_sets(meter, disk, baseline))
		return NULL;
	show_state(meter, disk);
	show_lost(meter, &lost);
	meter_left_out(disk, meter->source, &lost);
	meter->shown.history = meter->history;
	disk->history = &meter->shown.history;
	disk->has_percentiles = !source_missing(meter->source, LAYER_LATENCY);
	return disk;
}
