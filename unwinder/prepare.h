/* SPDX-License-Identifier: Apache-2.0 */
/* What the compilation of tables needs of memory and order without malloc and qsort, which may be the
   program's own. */
#ifndef OMPPROF_UNWINDER_PREPARE_H
#define OMPPROF_UNWINDER_PREPARE_H

#include <stddef.h>

/* Zeroed pages, or NULL. Not in a handler. Any thread. */
void *prepare_take(size_t n_bytes);

/* Gives them back; nothing for NULL. Not in a handler. Any thread. */
void prepare_give(void *memory, size_t n_bytes);

/*
 * Sorts n items of item_bytes, 64 at most, in place: by a heap, unless they are in order.
 * Not in a handler. Any thread.
 */
void prepare_sort(
	void *items, size_t n, size_t item_bytes, int (*is_before)(const void *, const void *));

#endif
