// SPDX-License-Identifier: GPL-2.0-or-later
/* loader: modprobe, where that is of use; see loader.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "disk/kfile.h"
#include "message.h"
#include "source/loader.h"

static const char module_file[] = "/fsbstat.ko";

/* modules.dep has a line for each module of this kernel. */
static bool installed(void)
{
	struct utsname names;
	char path[512], *line = NULL;
	bool found = false;
	size_t size = 0;
	FILE *file;

	if (uname(&names) ||
	    kfile_path(path, sizeof(path), "/lib/modules/%s/modules.dep", names.release))
		return false;
	file = fopen(path, "re");
	if (!file)
		return false;
	while (!found && getline(&line, &size, file) > 0) {
		const char *name = strstr(line, module_file);

		found = name && name < line + strcspn(line, ":");
	}
	free(line);
	fclose(file);
	return found;
}

static _Noreturn void exec_modprobe(int said)
{
	static char *const argv[] = { "modprobe", "fsbstat", NULL };
	static char *const env[] = { "PATH=/sbin:/usr/sbin:/bin:/usr/bin", "LC_ALL=C", NULL };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0 &&
	    dup2(said, STDERR_FILENO) >= 0) {
		execve("/sbin/modprobe", argv, env);
		execve("/usr/sbin/modprobe", argv, env);
	}
	_exit(127);
}

/* The first line that modprobe says of a failure.  Returns its exit status, -1: did not run. */
static int run_modprobe(char *said, size_t size)
{
	char safe[200];
	int ends[2], status = 0;
	size_t used = 0;
	ssize_t got = 1;
	pid_t pid;

	said[0] = '\0';
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid = fork();
	if (pid == 0)
		exec_modprobe(ends[1]);
	close(ends[1]);
	while (pid > 0 && got > 0 && used < size - 1) {
		got = read(ends[0], said + used, size - 1 - used);
		used += got > 0 ? (size_t)got : 0;
	}
	close(ends[0]);
	said[used] = '\0';
	said[strcspn(said, "\n")] = '\0';
	snprintf(said, size, "%s", message_printable(safe, sizeof(safe), said));
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int loader_load(char *why, size_t why_size, char *what_to_do, size_t what_size)
{
	char said[160];

	what_to_do[0] = '\0';
	if (kfile_exists("/sys/module/fsbstat")) {
		snprintf(why, why_size,
			 "kernel module fsbstat is loaded, but not visible in this network namespace");
		snprintf(what_to_do, what_size, "run it on the host");
		return -1;
	}
	if (kfile_number("/proc/sys/kernel/modules_disabled") == 1) {
		snprintf(why, why_size,
			 "kernel module fsbstat is not loaded, and kernel.modules_disabled=1 forbids it");
		return -1;
	}
	if (!installed()) {
		snprintf(why, why_size, "kernel module fsbstat is not installed");
		snprintf(what_to_do, what_size, "fsbctl check says how to install it");
		return -1;
	}
	if (geteuid()) {
		snprintf(why, why_size, "kernel module fsbstat is not loaded");
		snprintf(what_to_do, what_size, "sudo modprobe fsbstat");
		return -1;
	}
	if (run_modprobe(said, sizeof(said)) == 0)
		return 0;
	snprintf(why, why_size, "kernel module fsbstat could not be loaded%s%s",
		 *said ? ": " : "", said);
	snprintf(what_to_do, what_size, "fsbctl check says more");
	return -1;
}
