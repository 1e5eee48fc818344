/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory and sorting for the compilation of tables. malloc and qsort are not used because the
 * program may have its own.
 */
#ifndef OMPPROF_UNWINDER_CORE_TABLE_MEMORY_H
#define OMPPROF_UNWINDER_CORE_TABLE_MEMORY_H

#include <stddef.h>

/*
 * Takes zeroed pages, which are present at once if is_present. NULL without memory. Not in a
 * handler. Any thread.
 */
void *pages_take(size_t n_bytes, int is_present);

/* Frees the pages; NULL is allowed. Not in a handler. Any thread. */
void pages_give(void *memory, size_t n_bytes);

/*
 * Memory that is used again and again, and grows to the largest size that was asked for. All zero
 * at first.
 */
struct scratch {
	void *memory;
	size_t n_bytes;
};

/*
 * Returns at least n_bytes with arbitrary content; the previous content is lost. NULL without
 * memory: then the scratch is empty. Not in a handler. Any thread.
 */
void *scratch_reserve(struct scratch *scratch, size_t n_bytes);

/*
 * Doubles the scratch and keeps its content. NULL without memory: then it is unchanged. Not in a
 * handler. Any thread.
 */
void *scratch_double(struct scratch *scratch);

/* Frees the memory; the scratch is empty afterwards. Not in a handler. Any thread. */
void scratch_release(struct scratch *scratch);

/* Sorts n items of item_bytes, at most 64, in place, by a heap. Not in a handler. Any thread. */
void sort_in_place(
	void *items, size_t n, size_t item_bytes, int (*is_before)(const void *, const void *));

#endif
