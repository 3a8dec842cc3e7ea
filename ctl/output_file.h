/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output_file: a file that the command line names to be written.  Root is not led astray by what
 * other users can change (the caller of sudo is none of them): where they can, no link is followed
 * and nothing is written but a regular file of root's or the caller's with one name.  It is the
 * rule of the kernel's fs.protected_symlinks, _regular and _fifos, for each folder and on each
 * kernel.  A device, a FIFO or a link that only root and the caller can change is used as named.
 */
#ifndef FSB_OUTPUT_FILE_H
#define FSB_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Opens it for writing and makes it where it is not there; @truncate: a regular file is emptied.
 * NULL with errno; output_file_why() says it in words.
 */
FILE *output_file_open(const char *path, bool truncate);
/* Why the last call of this process failed. */
const char *output_file_why(void);

#endif /* FSB_OUTPUT_FILE_H */
