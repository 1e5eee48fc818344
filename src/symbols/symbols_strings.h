/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interned strings of a struct symbols: one copy of each, in blocks that live until it is closed,
 * so that equal names are equal pointers. It knows nothing of object files.
 */
#ifndef OMPPROF_SRC_SYMBOLS_SYMBOLS_STRINGS_H
#define OMPPROF_SRC_SYMBOLS_SYMBOLS_STRINGS_H

#include <stddef.h>

/* Names of functions are cut to so many bytes: those of real programs are shorter. */
enum { NAME_MOST = 16384 };

struct strings {
	const char **slots; /* open addressing, a power of two of them */
	size_t n, n_slots;
	struct strings_block *blocks;
};

/* The one copy of `text`; "" for NULL, "?" when out of memory. A zeroed struct is empty. */
const char *strings_intern(struct strings *strings, const char *text);

/* Memory that lives as long as the strings, aligned for anything; NULL when out of memory. */
void *strings_alloc(struct strings *strings, size_t bytes);

void strings_release(struct strings *strings);

#endif
