/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store_pieces: a large JSON object in pieces: one of its arrays item by item, and the rest without
 * it, so that no more than one item is in memory as JSON.  Pure; for store_document.c alone.
 */
#ifndef FSB_BENCH_STORE_PIECES_H
#define FSB_BENCH_STORE_PIECES_H

#include <stdbool.h>
#include <stddef.h>

struct pieces {
	const char *text;
	size_t size;
	size_t from, to; /* what stands between the array's brackets */
	size_t next; /* where the next item begins */
	bool over; /* there is none */
};

/*
 * Looks for the array that is the value of @key in the outermost object; where there is none from
 * and to are 0.  What it finds in a text that is no JSON is no JSON either.
 */
void pieces_find(struct pieces *pieces, const char *text, size_t size, const char *key);
/* The text with that array empty; malloc'd, its size in *size; NULL: no memory. */
char *pieces_rest(const struct pieces *pieces, size_t *size);
/* The next item's text, which is empty where two commas meet; false behind the last. */
bool pieces_next(struct pieces *pieces, const char **item, size_t *len);

#endif /* FSB_BENCH_STORE_PIECES_H */
