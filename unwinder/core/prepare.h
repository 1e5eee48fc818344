/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory and sorting for the compilation of tables. malloc and qsort are not used because the
 * program may have its own.
 */
#ifndef OMPPROF_UNWINDER_CORE_PREPARE_H
#define OMPPROF_UNWINDER_CORE_PREPARE_H

#include <stddef.h>

/* Takes zeroed pages; NULL without memory. Not in a handler. Any thread. */
void *prepare_take(size_t n_bytes);

/*
 * Does what prepare_take does, for memory that is filled at once: the pages are already present.
 * Not in a handler. Any thread.
 */
void *prepare_take_present(size_t n_bytes);

/* Frees the pages; NULL is allowed. Not in a handler. Any thread. */
void prepare_give(void *memory, size_t n_bytes);

/*
 * Memory that is used again and again, for one thing at a time. It is as large as the largest of
 * them. All zero at first.
 */
struct prepare_room {
	void *memory;
	size_t n_bytes;
};

/*
 * Returns at least n_bytes with arbitrary content, which replace the previous content. NULL without
 * memory: then the room is empty. Not in a handler. Any thread.
 */
void *prepare_room(struct prepare_room *room, size_t n_bytes);

/*
 * Doubles the room and keeps its content. NULL without memory: then it is unchanged. Not in a
 * handler. Any thread.
 */
void *prepare_room_double(struct prepare_room *room);

/* Frees the memory; the room is empty afterwards. Not in a handler. Any thread. */
void prepare_room_give(struct prepare_room *room);

/*
 * Sorts n items of item_bytes, at most 64, in place. Uses a heap, unless the items are in order
 * already.
 * Not in a handler. Any thread.
 */
void prepare_sort(
	void *items, size_t n, size_t item_bytes, int (*is_before)(const void *, const void *));

#endif
