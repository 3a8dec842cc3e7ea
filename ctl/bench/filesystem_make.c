// SPDX-License-Identifier: GPL-2.0-or-later
/* filesystem_make: making, mounting and unmounting one; see filesystem.h. */
#include "bench/filesystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/signature.h"
#include "bench/tool.h"

#define UNMOUNT_TRIES 10
#define KMSG_LINE     8192

int filesystem_make(const struct filesystem *fs, const char *node, uint64_t bytes,
		    const char *arguments, char **output, struct trouble *trouble)
{
	struct tool_words words = {.nr = 0};
	int ret;

	*output = NULL;
	if (!fs->disk) {
		*output = strdup("");
		return *output ? 0 : trouble_memory(trouble, fs->name);
	}
	ret = filesystem_make_words(fs, node, bytes, arguments, &words, trouble);
	if (!ret)
		ret = signature_wipe(node, bytes, trouble);
	if (!ret)
		ret = tool_run(&words, output, trouble);
	tool_words_free(&words);
	if (!ret)
		ret = signature_ours(node, bytes, trouble);
	return ret;
}

/* Where the kernel's log ends now; -1: it may not be read. */
static int kmsg_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0 && lseek(fd, 0, SEEK_END) < 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* What the kernel has said since; the line that names an option if there is one, else the last. */
static void kmsg_read(int fd, char *line, size_t size)
{
	char record[KMSG_LINE];
	bool named = false;
	ssize_t n;

	*line = '\0';
	while (fd >= 0 && !named) {
		const char *text;

		n = read(fd, record, sizeof(record) - 1);
		if (n < 0 && errno == EPIPE)
			continue;
		if (n <= 0)
			break;
		record[n] = '\0';
		text = strchr(record, ';');
		if (!text)
			continue;
		snprintf(line, size, "%.*s", (int)strcspn(text + 1, "\n"), text + 1);
		named = strstr(line, "nknown parameter") ||
			strstr(line, "nrecognized mount option");
	}
}

/* "mount: /mnt: unknown filesystem type 'x'." is followed by lines that say less. */
static void first_line(const char *output, char *line, size_t size)
{
	const char *at = strstr(output, ": ");

	snprintf(line, size, "%.*s", (int)strcspn(at ? at + 2 : output, "\n"),
		 at ? at + 2 : output);
}

int filesystem_mount(const struct filesystem *fs, const char *node, const char *options,
		     const char *at, struct trouble *trouble)
{
	char *output = NULL, said[200], kernel[300];
	struct tool_words words = {.nr = 0};
	int ret, kmsg = kmsg_open();

	ret = filesystem_mount_words(fs, node, options, at, &words, trouble);
	if (!ret)
		ret = tool_run(&words, &output, trouble);
	if (ret && output) {
		first_line(output, said, sizeof(said));
		kmsg_read(kmsg, kernel, sizeof(kernel));
		trouble_set(trouble, TROUBLE_FAILED, fs->name, "",
			    "cannot be mounted with \"%.100s\": %s%s%s", options,
			    *said ? said : trouble->reason, *kernel ? "; the kernel: " : "",
			    kernel);
	}
	if (kmsg >= 0)
		close(kmsg);
	free(output);
	tool_words_free(&words);
	return ret;
}

int filesystem_unmount(const char *at, struct trouble *trouble)
{
	const struct timespec pause = {.tv_nsec = 200 * 1000 * 1000};
	struct tool_words words = {.nr = 0};
	char hint[400];
	int ret;

	ret = tool_words_add_each(&words, at, trouble, "umount", "--", at, NULL);
	/* What a workload has left running may take a moment to end. */
	for (int try = 0; try < UNMOUNT_TRIES && words.nr == 3; try++) {
		char *output = NULL;
		bool busy;

		ret = tool_run(&words, &output, trouble);
		busy = ret && output && strstr(output, "busy");
		free(output);
		if (!busy)
			break;
		nanosleep(&pause, NULL);
	}
	tool_words_free(&words);
	if (ret) {
		char reason[sizeof(trouble->reason)];

		snprintf(reason, sizeof(reason), "%s", trouble->reason);
		snprintf(hint, sizeof(hint), "fuser -vm %.300s says who uses it", at);
		trouble_set(trouble, TROUBLE_FAILED, at, hint, "cannot be unmounted: %s", reason);
	}
	return ret;
}
