/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interned strings of a struct symbols. There is one copy of each string, so equal names are
 * equal pointers. The copies are in blocks that live until the struct symbols is closed. This
 * module knows nothing about object files.
 */
#ifndef OMPPROF_SRC_SYMBOLS_SYMBOLS_STRINGS_H
#define OMPPROF_SRC_SYMBOLS_SYMBOLS_STRINGS_H

#include <stddef.h>

/* Names of functions are cut to this number of bytes. */
enum { NAME_MOST = 16384 };

struct strings_slot {
	const char *text;     /* NULL in an empty slot */
	const char *readable; /* its demangled form, interned; NULL: not asked for yet */
};

struct strings {
	struct strings_slot *slots; /* open addressing; their number is a power of two */
	size_t n, n_slots;
	struct strings_block *blocks;
};

/* Returns the only copy of `text`; "" for NULL, "?" without memory. A zeroed struct is empty. */
const char *strings_intern(struct strings *strings, const char *text);

/*
 * Returns the only copy of the demangled form of `text`, or of `text` itself if demangle_name()
 * changes nothing. Each name is demangled once.
 */
const char *strings_demangle(struct strings *strings, const char *text);

/* Allocates memory, aligned for any type, that lives as long as the strings; or NULL. */
void *strings_alloc(struct strings *strings, size_t bytes);

void strings_release(struct strings *strings);

#endif
