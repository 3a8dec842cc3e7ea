// SPDX-License-Identifier: GPL-2.0-or-later
/* tool: see tool.h. */
#include "bench/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define OUTPUT_MAX (256 * 1024)
#define BLANKS	   " \t\n"

static int add_word(struct tool_words *words, const char *text, const char *object,
		    struct trouble *trouble)
{
	if (words->nr >= TOOL_WORDS)
		return trouble_set(trouble, TROUBLE_USAGE, object, "",
				   "a command of more than %d words", TOOL_WORDS);
	words->word[words->nr] = strdup(text);
	if (!words->word[words->nr])
		return trouble_memory(trouble, object);
	words->nr++;
	return 0;
}

int tool_words_add_each(struct tool_words *words, const char *object, struct trouble *trouble, ...)
{
	const char *text;
	va_list texts;
	int ret = 0;

	va_start(texts, trouble);
	while (!ret && (text = va_arg(texts, const char *)))
		ret = add_word(words, text, object, trouble);
	va_end(texts);
	return ret;
}

/* Copies one word without its quotes to @word; where it ends, NULL: a quote has no end. */
static const char *unquote(const char *text, char *word)
{
	char quote = '\0';

	for (; *text && (quote || !strchr(BLANKS, *text)); text++) {
		if (*text == '\\' && quote != '\'' && text[1])
			*word++ = *++text;
		else if (quote ? *text == quote : *text == '"' || *text == '\'')
			quote = quote ? '\0' : *text;
		else
			*word++ = *text;
	}
	*word = '\0';
	return quote ? NULL : text;
}

int tool_words_add(struct tool_words *words, const char *text, const char *object,
		   struct trouble *trouble)
{
	char *word = malloc(strlen(text) + 1);
	const char *at = text + strspn(text, BLANKS);
	int ret = 0;

	if (!word)
		return trouble_memory(trouble, object);
	while (*at && !ret) {
		at = unquote(at, word);
		if (!at) {
			ret = trouble_set(trouble, TROUBLE_USAGE, object, "",
					  "a quote without its end: %s", text);
			break;
		}
		ret = add_word(words, word, object, trouble);
		at += strspn(at, BLANKS);
	}
	free(word);
	return ret;
}

void tool_words_free(struct tool_words *words)
{
	for (size_t i = 0; i < words->nr; i++)
		free(words->word[i]);
	memset(words, 0, sizeof(*words));
}

char *tool_find(const char *name)
{
	const char *path = getenv("PATH");
	char *list, *state = NULL, *found = NULL, candidate[PATH_MAX];

	if (strchr(name, '/'))
		return access(name, X_OK) ? NULL : strdup(name);
	if (asprintf(&list, "%s:/usr/local/sbin:/usr/sbin:/sbin", path ? path : "/usr/bin:/bin") <
	    0)
		return NULL;
	for (char *dir = strtok_r(list, ":", &state); dir; dir = strtok_r(NULL, ":", &state)) {
		struct stat st;

		if (snprintf(candidate, sizeof(candidate), "%s/%s", dir, name) < PATH_MAX &&
		    !access(candidate, X_OK) && !stat(candidate, &st) && S_ISREG(st.st_mode)) {
			found = strdup(candidate);
			break;
		}
	}
	free(list);
	return found;
}

static _Noreturn void in_child(const char *path, char *const *argv, int output)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigset_t none;

	sigemptyset(&none);
	/* Without its parent it must not go on writing to the disk. */
	if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
	    dup2(output, STDERR_FILENO) >= 0 && !setpgid(0, 0) &&
	    !prctl(PR_SET_PDEATHSIG, SIGKILL) && !sigprocmask(SIG_SETMASK, &none, NULL) &&
	    signal(SIGINT, SIG_DFL) != SIG_ERR && signal(SIGHUP, SIG_DFL) != SIG_ERR &&
	    signal(SIGPIPE, SIG_DFL) != SIG_ERR && !setenv("LC_ALL", "C", 1))
		execv(path, argv);
	dprintf(output, "%s\n", strerror(errno));
	_exit(127);
}

static char *read_output(int fd)
{
	char *text = malloc(OUTPUT_MAX + 1);
	ssize_t n = 0, used = 0;

	if (!text)
		return NULL;
	while (used < OUTPUT_MAX) {
		n = pread(fd, text + used, (size_t)(OUTPUT_MAX - used), used);
		if (n <= 0)
			break;
		used += n;
	}
	text[used] = '\0';
	return text;
}

/* The last line that says something. */
static void last_line(const char *text, char *line, size_t size)
{
	size_t end = strlen(text), start;

	while (end && strchr(BLANKS, text[end - 1]))
		end--;
	for (start = end; start && text[start - 1] != '\n'; start--)
		;
	snprintf(line, size, "%.*s", (int)(end - start), text + start);
}

static int judge(const char *name, int status, const char *output, struct trouble *trouble)
{
	char line[300];

	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	last_line(output, line, sizeof(line));
	if (WIFSIGNALED(status))
		return trouble_set(trouble, TROUBLE_FAILED, name, "", "was ended by signal %d%s%s",
				   WTERMSIG(status), *line ? ": " : "", line);
	return trouble_set(trouble, TROUBLE_FAILED, name, "", "status %d%s%s", WEXITSTATUS(status),
			   *line ? ": " : "", line);
}

int tool_run(const struct tool_words *words, char **output, struct trouble *trouble)
{
	const char *name = words->word[0];
	char *path = tool_find(name);
	int fd, status = 0, ret = -1;
	pid_t pid;

	*output = NULL;
	if (!path)
		return trouble_set(trouble, TROUBLE_MISSING, name, "", "no such program here");
	/* A file, not a pipe: what a mount helper leaves running may hold on to it. */
	fd = memfd_create("output", MFD_CLOEXEC);
	if (fd < 0) {
		trouble_set(trouble, TROUBLE_FAILED, name, "", "%s", strerror(errno));
		goto out;
	}
	pid = fork();
	if (pid == 0)
		in_child(path, words->word, fd);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	*output = read_output(fd);
	if (pid < 0)
		trouble_set(trouble, TROUBLE_FAILED, name, "", "%s", strerror(errno));
	else if (!*output)
		trouble_memory(trouble, name);
	else
		ret = judge(name, status, *output, trouble);
	close(fd);
out:
	free(path);
	return ret;
}
