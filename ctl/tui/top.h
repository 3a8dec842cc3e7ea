/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * top: what the live view shows, as data: what a person has chosen by keys (struct ui),
 * what is known of the machine (struct top), and the way from both to a frame.
 * live.c and disks.c fill struct top, keys.c changes struct ui, page.c draws.  Pure.
 *
 * Numbers that are not known are NAN, texts "".  Whoever fills a pointer owns it.
 */
#ifndef FSB_TUI_TOP_H
#define FSB_TUI_TOP_H

#include "disk/describe.h"
#include "disk/mounts.h"
#include "model/figures.h"
#include "tui/frame.h"

#define TOP_COLS_MIN 80
#define TOP_ROWS_MIN 24

enum tab { TAB_LIST, TAB_OVERVIEW, TAB_LATENCY, TAB_SETS, TABS };

enum prompt { PROMPT_NONE, PROMPT_FILTER, PROMPT_INTERVAL, PROMPT_CONFIRM };

/* What --control lets keys change. */
enum control_key { CONTROL_CACHE, CONTROL_NCQ, CONTROL_SCHEDULER, CONTROL_BARRIER };

/* What the list is sorted by. */
enum list_sort { LIST_BY_NAME, LIST_BY_RATE, LIST_BY_FLUSHES, LIST_SORTS };
/* What the table of option sets is sorted by. */
enum set_sort { SET_BY_NUMBER, SET_BY_HELD, SET_BY_FLUSHES, SET_BY_WRITES, SET_SORTS };

/* What must be done outside after a key. */
enum ui_request {
	UI_NOTHING,
	UI_REDRAW, /* the whole screen, from nothing */
	UI_QUIT,
	UI_OPEN, /* the disk of the selected row of the list */
	UI_LEAVE, /* the opened disk */
	UI_SAVE, /* what the screen shows, as JSON */
	UI_INTERVAL, /* has changed */
	UI_TYPED_INTERVAL, /* stands in ui->typed and is to be understood */
	UI_BASELINE, /* the selected set, or none, has become the baseline */
	UI_CONTROL, /* ask whether ui->control is to be changed */
	UI_CONFIRMED, /* yes */
};

struct ui {
	enum tab tab;
	bool batch; /* nobody is there to press a key */
	bool may_control; /* keys may change settings */
	enum control_key control; /* what was asked for */
	bool has_list; /* there is a list to go back to */
	bool help;
	bool paused;
	bool cumulative; /* since the disk was opened, not the last seconds */
	bool reversed;
	bool active_only; /* rows of disks with no requests are left out */
	enum list_sort list_sort;
	enum set_sort set_sort;
	enum fsbstat_hist_kind kind; /* of the latency view */
	int selected; /* row */
	int scroll; /* of the help */
	double interval_s;
	unsigned int baseline; /* number of an option set, 0: none */
	char filter[64];
	enum prompt prompt;
	char typed[96]; /* of PROMPT_CONFIRM: the question */
	char message[160]; /* about the last key */
};

/* Rates of one interval, for the strips. */
struct history_point {
	double rate[FSBSTAT_CLASSES];
};

#define HISTORY_POINTS 256

struct history {
	unsigned int nr; /* points so far; the last HISTORY_POINTS are kept */
	struct history_point point[HISTORY_POINTS];
};

enum risk { RISK_UNKNOWN, RISK_KNOWN, RISK_NO_FLUSH };

#define OWNERS_SHOWN 8

/* Why the disk was given flushes, what one fsync cost, what a power cut could take. */
struct why {
	double fsync_s, commit_s; /* from above */
	double asked_s; /* flushes that bios asked for */
	const char *asked_unknown; /* why asked_s is not known */
	double sent_s; /* flushes that the disk was given */
	double waited_s; /* of them, those that had to wait for the queue to run empty */
	double each_flushes, each_bytes, each_ns; /* behind one fsync */
	const char *fsync_unknown; /* why fsync_s is not known */
	enum risk risk;
	const char *risk_unknown; /* why, with RISK_UNKNOWN */
	double risk_now, risk_now_ns, risk_worst, risk_longest_ns;
	size_t nr_owners;
	struct {
		char name[64]; /* "dbench (12 tasks)"; printable */
		double flush_s;
	} owner[OWNERS_SHOWN];
};

/* What happened in a stretch of time. */
struct stretch {
	const struct delta *delta; /* NULL: nothing counted yet */
	const struct figures *figures;
	struct why why;
};

/* What is left out of the screen, and why. */
struct left_out {
	const char *what;
	char why[160];
};

#define LEFT_OUT_MAX 12

/* A row of the table of option sets. */
struct set_row {
	unsigned int number;
	char name[160]; /* what differs from the set it was derived from; printable */
	char title[160]; /* the whole of it */
	bool now;
	unsigned int epochs;
	double held_ns;
	double write_bytes_s, fsync_s, flush_s;
	double ncq_mean; /* NAN: not behind libata */
	bool ncq_off;
	double drain_share;
	double flush_share; /* of time, in flushes and in draining for them */
	double write_p99_ns, flush_p99_ns, fsync_p50_ns, fsync_p99_ns;
	enum risk risk;
	double risk_bytes;
	double each_bytes, each_ns; /* written for, and the disk kept by, one fsync */
	/* Against the baseline, of what per second; NAN with the reason in compare. */
	double rate, rate_half; /* mean over epochs and half its 95 % interval */
	double change, change_low, change_high; /* in percent; high: INFINITY, unbounded */
	char compare[64], compare_short[16];
};

struct epoch_row {
	unsigned int number, set;
	char began[16];
	double held_ns;
	char ended_by[160];
	char seen[48];
};

struct list_row {
	struct disk_info info;
	char mounts[128]; /* printable */
	double ios_s, flush_s; /* NAN: not known yet */
};

/* The opened disk. */
struct top_disk {
	struct disk_info info;
	const struct mounts *mounts;
	char status[64]; /* "live", "ended", "device gone" ... */
	bool bad; /* the status is to be seen */
	bool replay; /* of a recording, whose interval is its own */
	char source[64]; /* what counts */
	bool has_percentiles;
	struct stretch window, all;
	const struct history *history;
	struct left_out left_out[LEFT_OUT_MAX];
	size_t nr_left_out;
	struct set_row *set;
	size_t nr_sets;
	struct epoch_row *epoch;
	size_t nr_epochs;
	double settle_s;
	const char *no_sets; /* why there are none */
	/* All of the set that holds and of the baseline; NULL: they are one, or not known. */
	const struct delta *set_now, *set_base;
	unsigned int now, base; /* their numbers */
	const char *rate_label; /* what the rates of option sets are of: "write/s" */
	const char *each; /* the bytes are of: "fsync", "IO" */
};

struct top {
	char clock[16]; /* time of day */
	const struct list_row *list;
	size_t nr_list;
	const struct top_disk *disk; /* NULL: none is open */
};

/* Draws the screen into a blank frame. */
void top_draw(const struct top *top, const struct ui *ui, struct frame *frame);

#endif /* FSB_TUI_TOP_H */
