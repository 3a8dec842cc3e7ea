// SPDX-License-Identifier: GPL-2.0-or-later
/* keys: what a key does, see keys.h. */
#include "tui/keys.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tui/page.h"

#define PAGE_ROWS 10

static void say(struct ui *ui, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct ui *ui, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(ui->message, sizeof(ui->message), format, args);
	va_end(args);
}

static bool in_list(const struct ui *ui, const struct top *top)
{
	return ui->tab == TAB_LIST || !top->disk;
}

const struct list_row *keys_selected_disk(const struct ui *ui, const struct top *top)
{
	const struct list_row **rows = calloc(top->nr_list ? top->nr_list : 1, sizeof(*rows));
	const struct list_row *row = NULL;
	size_t nr;

	if (!rows)
		return NULL;
	nr = list_sorted(top, ui, rows);
	if (nr)
		row = rows[(size_t)ui->selected < nr ? (size_t)ui->selected : nr - 1];
	free(rows);
	return row;
}

static int rows_of(const struct ui *ui, const struct top *top)
{
	const struct set_row *sets[SETS_MAX];
	const struct list_row **rows;
	size_t nr;

	if (!in_list(ui, top))
		return (int)sets_sorted(top->disk, ui, sets);
	rows = calloc(top->nr_list ? top->nr_list : 1, sizeof(*rows));
	nr = rows ? list_sorted(top, ui, rows) : 0;
	free(rows);
	return (int)nr;
}

static void move(struct ui *ui, const struct top *top, int by)
{
	int rows = rows_of(ui, top), *what = ui->help ? &ui->scroll : &ui->selected;

	*what += by;
	if (!ui->help && *what >= rows)
		*what = rows - 1;
	if (*what < 0)
		*what = 0;
	if (ui->help && *what > 40)
		*what = 40;
}

/* --- questions --- */

static enum ui_request answer(struct ui *ui)
{
	enum prompt prompt = ui->prompt;

	ui->prompt = PROMPT_NONE;
	if (prompt == PROMPT_INTERVAL)
		return *ui->typed ? UI_TYPED_INTERVAL : UI_NOTHING;
	memcpy(ui->filter, ui->typed, sizeof(ui->filter));
	ui->selected = 0;
	return UI_NOTHING;
}

/* Anything but a plain yes is a no. */
static enum ui_request confirm(struct ui *ui, int key)
{
	ui->prompt = PROMPT_NONE;
	if (key == 'y' || key == 'Y')
		return UI_CONFIRMED;
	say(ui, "nothing was changed");
	return UI_NOTHING;
}

static enum ui_request type(struct ui *ui, int key)
{
	size_t len = strlen(ui->typed);

	if (ui->prompt == PROMPT_CONFIRM)
		return confirm(ui, key);

	if (key == KEYS_ENTER || key == '\n')
		return answer(ui);
	if (key == KEYS_ESC)
		ui->prompt = PROMPT_NONE;
	else if (key == KEYS_BACKSPACE && len)
		ui->typed[len - 1] = '\0';
	else if (key >= ' ' && key < 127 && len + 1 < sizeof(ui->typed))
		ui->typed[len] = (char)key;
	return UI_NOTHING;
}

static void ask(struct ui *ui, enum prompt prompt)
{
	ui->prompt = prompt;
	memset(ui->typed, 0, sizeof(ui->typed));
}

/* --- views --- */

static enum ui_request to_list(struct ui *ui)
{
	if (!ui->has_list) {
		say(ui, "only this disk was asked for; fsbctl top without a disk lists all");
		return UI_NOTHING;
	}
	ui->tab = TAB_LIST;
	ui->selected = 0;
	return UI_LEAVE;
}

static enum ui_request turn(struct ui *ui, const struct top *top, int by)
{
	int tab;

	if (in_list(ui, top)) {
		say(ui, "Enter opens a disk");
		return UI_NOTHING;
	}
	tab = (int)ui->tab - TAB_OVERVIEW + by + TABS - TAB_OVERVIEW;
	ui->tab = (enum tab)(TAB_OVERVIEW + tab % (TABS - TAB_OVERVIEW));
	ui->selected = 0;
	return UI_NOTHING;
}

static enum ui_request view(struct ui *ui, const struct top *top, enum tab tab)
{
	if (in_list(ui, top)) {
		say(ui, "Enter opens a disk");
		return UI_NOTHING;
	}
	ui->tab = tab;
	ui->selected = 0;
	return UI_NOTHING;
}

static void sort_by(struct ui *ui, const struct top *top, int by)
{
	static const char *const list_words[] = {"name", "IO/s", "flush/s"};
	static const char *const set_words[] = {"number", "held", "flush/s", "write MB/s"};

	if (in_list(ui, top)) {
		ui->list_sort =
			(enum list_sort)(((int)ui->list_sort + by + LIST_SORTS) % LIST_SORTS);
		say(ui, "sorted by %s", list_words[ui->list_sort]);
	} else if (ui->tab == TAB_LATENCY) {
		ui->kind = (enum fsbstat_hist_kind)(((int)ui->kind + by + FSBSTAT_HIST_KINDS) %
						    FSBSTAT_HIST_KINDS);
	} else {
		ui->set_sort = (enum set_sort)(((int)ui->set_sort + by + SET_SORTS) % SET_SORTS);
		say(ui, "option sets sorted by %s", set_words[ui->set_sort]);
	}
}

/* --- the rest --- */

static enum ui_request step_interval(struct ui *ui, bool longer)
{
	static const double steps[] = {0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3600};
	size_t nr = sizeof(steps) / sizeof(*steps), i;
	double next = ui->interval_s;

	for (i = 0; i < nr; i++) {
		double step = steps[longer ? i : nr - 1 - i];

		if (longer ? step > ui->interval_s : step < ui->interval_s) {
			next = step;
			break;
		}
	}
	if (next == ui->interval_s)
		return UI_NOTHING;
	ui->interval_s = next;
	return UI_INTERVAL;
}

static enum ui_request mark_baseline(struct ui *ui, const struct top *top, bool mark)
{
	const struct set_row *rows[SETS_MAX], *row = NULL;
	size_t nr, i;

	if (in_list(ui, top))
		return UI_NOTHING;
	nr = sets_sorted(top->disk, ui, rows);
	for (i = 0; i < nr && mark; i++)
		if (ui->tab == TAB_SETS ? i == (size_t)ui->selected : rows[i]->now)
			row = rows[i];
	if (mark && !row) {
		say(ui, "no option set to be the baseline yet");
		return UI_NOTHING;
	}
	ui->baseline = row ? row->number : 0;
	if (row)
		say(ui, "baseline: option set %u", row->number);
	else
		say(ui, "no baseline");
	return UI_BASELINE;
}

static void pause_or_go_on(struct ui *ui)
{
	ui->paused = !ui->paused;
	if (ui->paused)
		say(ui, "paused; counting goes on, p shows it again");
}

static enum ui_request leave(struct ui *ui, const struct top *top)
{
	if (ui->help)
		ui->help = false;
	else if (!in_list(ui, top))
		return to_list(ui);
	return UI_NOTHING;
}

/* Keys that move. */
static bool moves(struct ui *ui, const struct top *top, int key)
{
	switch (key) {
	case KEYS_UP:
	case 'k':
		move(ui, top, -1);
		return true;
	case KEYS_DOWN:
	case 'j':
		move(ui, top, 1);
		return true;
	case KEYS_PAGE_UP:
		move(ui, top, -PAGE_ROWS);
		return true;
	case KEYS_PAGE_DOWN:
		move(ui, top, PAGE_ROWS);
		return true;
	case KEYS_HOME:
		move(ui, top, -1000000);
		return true;
	case KEYS_END:
		move(ui, top, 1000000);
		return true;
	default:
		return false;
	}
}

/* Keys that change what is shown. */
static bool changes(struct ui *ui, const struct top *top, int key)
{
	switch (key) {
	case 'h':
	case '?':
	case KEYS_F1:
		ui->help = !ui->help;
		ui->scroll = 0;
		return true;
	case 'p':
	case 'Z':
		pause_or_go_on(ui);
		return true;
	case 'a':
		ui->cumulative = !ui->cumulative;
		return true;
	case 'o':
		ui->active_only = !ui->active_only;
		ui->selected = 0;
		return true;
	case 'r':
	case 'I':
		ui->reversed = !ui->reversed;
		return true;
	case 's':
	case KEYS_F6:
	case '>':
	case KEYS_RIGHT:
		sort_by(ui, top, 1);
		return true;
	case '<':
	case KEYS_LEFT:
		sort_by(ui, top, -1);
		return true;
	case '/':
	case '\\':
		ask(ui, PROMPT_FILTER);
		return true;
	case 'i':
		ask(ui, PROMPT_INTERVAL);
		return true;
	default:
		return false;
	}
}

static bool controls(struct ui *ui, const struct top *top, int key)
{
	static const char keys[] = {
		[CONTROL_CACHE] = 'C',
		[CONTROL_NCQ] = 'N',
		[CONTROL_SCHEDULER] = 'S',
		[CONTROL_BARRIER] = 'M',
	};

	for (size_t i = 0; i < sizeof(keys); i++) {
		if (keys[i] != key)
			continue;
		ui->control = (enum control_key)i;
		if (!ui->may_control)
			say(ui, "settings are changed with --control only");
		return ui->may_control && !in_list(ui, top);
	}
	return false;
}

enum ui_request keys_take(struct ui *ui, const struct top *top, int key)
{
	ui->message[0] = '\0';
	if (ui->prompt != PROMPT_NONE)
		return type(ui, key);
	if (moves(ui, top, key) || changes(ui, top, key))
		return UI_NOTHING;
	if (controls(ui, top, key))
		return UI_CONTROL;
	switch (key) {
	case 'q':
	case 'Q':
	case KEYS_F10:
		return UI_QUIT;
	case KEYS_TAB:
		return turn(ui, top, 1);
	case KEYS_BACK_TAB:
		return turn(ui, top, -1);
	case '1':
	case '2':
	case '3':
		return view(ui, top, (enum tab)(TAB_OVERVIEW + key - '1'));
	case '+':
	case '=':
		return step_interval(ui, true);
	case '-':
		return step_interval(ui, false);
	case 'b':
	case 'B':
		return mark_baseline(ui, top, key == 'b');
	case 'w':
		return UI_SAVE;
	case KEYS_CTRL_L:
		return UI_REDRAW;
	case KEYS_ENTER:
	case '\n':
		return in_list(ui, top) && rows_of(ui, top) ? UI_OPEN : UI_NOTHING;
	case KEYS_ESC:
	case KEYS_BACKSPACE:
		return leave(ui, top);
	default:
		return UI_NOTHING;
	}
}
