/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mount_words: how two lists of mount options differ, in the words of a person: the kernel
 * shows "nobarrier" or nothing, a person says "nobarrier" or "barrier".  For
 * model/option_set.
 */
#ifndef FSB_MODEL_MOUNT_WORDS_H
#define FSB_MODEL_MOUNT_WORDS_H

#include <stdbool.h>

/* The same options, in whatever order. */
bool mount_options_same(const char *a, const char *b);

/* Whether one of them is @name, with a value or without, or "no" and @name. */
bool mount_options_name(const char *options, const char *name);

/*
 * "rw,relatime" and "rw,noatime,nobarrier" give "relatime,barrier" and "noatime,nobarrier".
 * Both are to be freed; 0 or -ENOMEM (then both are NULL).
 */
int mount_words(const char *from, const char *to, char **from_words, char **to_words);

#endif /* FSB_MODEL_MOUNT_WORDS_H */
