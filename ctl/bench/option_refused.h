/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option_refused: mount options of every filesystem: those that a matrix may not give, because they
 * name a device, a file or a path, or because mount(8) does more than mount it with them; and
 * those that are known wherever they stand.
 */
#ifndef FSB_BENCH_OPTION_REFUSED_H
#define FSB_BENCH_OPTION_REFUSED_H

#include "bench/option_list.h"

/*
 * Why, as the rest of a sentence that begins with the option: "names a second device".  NULL: it
 * may be given.  @known: the filesystem's entry has an option of that name.
 */
const char *option_refused(const struct option_word *word, bool known);

/* Those of mount(8) itself and of the kernel's VFS, as a list of known options. */
extern const char option_mount_words[];
/* An option of mount(8) itself or of the kernel's VFS, for any filesystem: "ro", "noatime". */
bool option_of_mount(const struct option_word *word);

#endif /* FSB_BENCH_OPTION_REFUSED_H */
