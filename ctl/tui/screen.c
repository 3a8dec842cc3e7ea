// SPDX-License-Identifier: GPL-2.0-or-later
/* screen: ncurses, see screen.h. */
#include "tui/screen.h"

#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "tui/keys.h"

/* What puts the terminal back; made ready in advance, for a handler may only write it. */
static char restore_text[256];
static size_t restore_len;
static struct termios restore_termios;
static volatile sig_atomic_t is_open, ended_by, went_on;
static SCREEN *terminal;
static bool coloured;

static int attributes[STYLES];

/* In a handler: only what is safe there. */
static void crash(int number)
{
	if (is_open) {
		is_open = 0;
		(void)!write(STDOUT_FILENO, restore_text, restore_len);
		(void)tcsetattr(STDIN_FILENO, TCSANOW, &restore_termios);
	}
	signal(number, SIG_DFL);
	raise(number);
}

static void note_end(int number)
{
	ended_by = number;
}

static void note_continued(int number)
{
	(void)number;
	went_on = 1;
}

static void handle(int number, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigemptyset(&action.sa_mask);
	sigaction(number, &action, NULL);
}

static void handle_signals(void)
{
	static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

	for (size_t i = 0; i < sizeof(crashes) / sizeof(*crashes); i++)
		handle(crashes[i], crash, SA_RESETHAND | SA_NODEFER);
	/* Not restarted: whoever waits is to see that it is time to end. */
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		handle(ends[i], note_end, 0);
	handle(SIGCONT, note_continued, 0);
	handle(SIGPIPE, SIG_IGN, 0);
}

static void add_restore(const char *capability)
{
	const char *text = tigetstr(capability);
	size_t len;

	/* (char *)-1 and NULL: the terminal has no such thing. */
	if (!text || text == (const char *)-1)
		return;
	len = strlen(text);
	if (restore_len + len > sizeof(restore_text))
		return;
	memcpy(restore_text + restore_len, text, len);
	restore_len += len;
}

static void prepare_restore(void)
{
	restore_len = 0;
	add_restore("sgr0");
	add_restore("rmkx");
	add_restore("cnorm");
	add_restore("rmcup");
}

/* The terminal's own background stays; without colours styles are bold, dim, reverse. */
static void prepare_styles(bool colour)
{
	static const short colours[STYLES] = {
		[STYLE_GOOD] = COLOR_GREEN,   [STYLE_WARN] = COLOR_RED,
		[STYLE_QUEUED] = COLOR_GREEN, [STYLE_DRAIN] = COLOR_YELLOW,
		[STYLE_ALONE] = COLOR_RED,
	};
	static const int plain[STYLES] = {
		[STYLE_TITLE] = A_BOLD, [STYLE_HEADER] = A_BOLD, [STYLE_DIM] = A_DIM,
		[STYLE_WARN] = A_BOLD,	[STYLE_KEY] = A_REVERSE, [STYLE_SELECTED] = A_REVERSE,
	};
	short style;

	memcpy(attributes, plain, sizeof(attributes));
	coloured = colour && has_colors() && start_color() == OK;
	if (!coloured)
		return;
	use_default_colors();
	for (style = 0; style < STYLES; style++) {
		if (!colours[style] || init_pair((short)(style + 1), colours[style], -1) == ERR)
			continue;
		attributes[style] |= COLOR_PAIR(style + 1);
	}
}

int screen_open(bool colour, const char **why)
{
	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO)) {
		*why = "not a terminal";
		return -1;
	}
	if (tcgetattr(STDIN_FILENO, &restore_termios)) {
		*why = strerror(errno);
		return -1;
	}
	set_escdelay(50);
	terminal = newterm(NULL, stdout, stdin);
	if (!terminal) {
		*why = "TERM names no terminal that is known here";
		return -1;
	}
	if (!tigetstr("cup")) {
		endwin();
		delscreen(terminal);
		terminal = NULL;
		*why = "the terminal cannot place text (TERM)";
		return -1;
	}
	prepare_restore();
	is_open = 1;
	handle_signals();
	atexit(screen_close);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	prepare_styles(colour);
	return 0;
}

void screen_close(void)
{
	if (!is_open)
		return;
	is_open = 0;
	endwin();
	delscreen(terminal);
	terminal = NULL;
}

void screen_size(int *cols, int *rows)
{
	getmaxyx(stdscr, *rows, *cols);
}

static void show_row(const struct frame *frame, int row)
{
	const struct cell *cell = frame->cell + (size_t)row * (size_t)frame->cols;

	for (int col = 0; col < frame->cols; col++) {
		if (!*cell[col].text)
			continue;
		attrset(attributes[cell[col].style]);
		/* The last cell cannot be written without scrolling: addch says so, and did it. */
		(void)mvaddstr(row, col, cell[col].text);
	}
}

void screen_show(const struct frame *frame, bool anew)
{
	if (anew)
		clearok(stdscr, TRUE);
	erase();
	for (int row = 0; row < frame->rows; row++)
		show_row(frame, row);
	refresh();
}

static bool hung_up(void)
{
	struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};

	return poll(&fd, 1, 0) > 0 && (fd.revents & (POLLHUP | POLLERR | POLLNVAL));
}

int screen_key(void)
{
	static const struct {
		int theirs, ours;
	} map[] = {
		{KEY_BTAB, KEYS_BACK_TAB},
		{KEY_BACKSPACE, KEYS_BACKSPACE},
		{127, KEYS_BACKSPACE},
		{8, KEYS_BACKSPACE},
		{KEY_UP, KEYS_UP},
		{KEY_DOWN, KEYS_DOWN},
		{KEY_LEFT, KEYS_LEFT},
		{KEY_RIGHT, KEYS_RIGHT},
		{KEY_PPAGE, KEYS_PAGE_UP},
		{KEY_NPAGE, KEYS_PAGE_DOWN},
		{KEY_HOME, KEYS_HOME},
		{KEY_END, KEYS_END},
		{KEY_F(1), KEYS_F1},
		{KEY_F(6), KEYS_F6},
		{KEY_F(10), KEYS_F10},
		{KEY_ENTER, KEYS_ENTER},
		{KEY_RESIZE, SCREEN_RESIZED},
	};
	int key = getch();

	if (key == ERR)
		return hung_up() ? SCREEN_GONE : SCREEN_NO_KEY;
	for (size_t i = 0; i < sizeof(map) / sizeof(*map); i++)
		if (map[i].theirs == key)
			return map[i].ours;
	return key;
}

int screen_signal(void)
{
	return ended_by;
}

bool screen_continued(void)
{
	if (!went_on)
		return false;
	went_on = 0;
	/* Whoever had the terminal meanwhile may have set it otherwise. */
	reset_prog_mode();
	return true;
}
