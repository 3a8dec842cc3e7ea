/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process_file: what the kernel says of a process in a small file, proc(5). */
#ifndef FSB_PROCESS_FILE_H
#define FSB_PROCESS_FILE_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Up to size - 1 bytes of /proc/PID/NAME ("stat", "status") and a 0.  0, or -1: the process has
 * ended, or the file says nothing.
 */
int process_file(pid_t pid, const char *name, char *text, size_t size);

#endif /* FSB_PROCESS_FILE_H */
