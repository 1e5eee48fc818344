/* SPDX-License-Identifier: Apache-2.0 */
/* What the compilation of tables needs of memory and order without malloc and qsort, which may be the
   program's own. */
#ifndef OMPPROF_UNWINDER_CORE_PREPARE_H
#define OMPPROF_UNWINDER_CORE_PREPARE_H

#include <stddef.h>

/* Zeroed pages, or NULL. Not in a handler. Any thread. */
void *prepare_take(size_t n_bytes);

/* As prepare_take, for what is filled at once: the pages are there already. Not in a handler. Any thread. */
void *prepare_take_present(size_t n_bytes);

/* Gives them back; nothing for NULL. Not in a handler. Any thread. */
void prepare_give(void *memory, size_t n_bytes);

/* Memory that is used again, for one thing after the other: as much as the largest of them took. All zero at
   first. */
struct prepare_room {
	void *memory;
	size_t n_bytes;
};

/* At least n_bytes with anything in them, in the place of what the room had; NULL without memory: then the
   room is empty. Not in a handler. Any thread. */
void *prepare_room(struct prepare_room *room, size_t n_bytes);

/* Twice as much room, which keeps what is in it; NULL without memory: then it is as it was. Not in a handler.
   Any thread. */
void *prepare_room_double(struct prepare_room *room);

/* Gives its memory back; the room is empty then. Not in a handler. Any thread. */
void prepare_room_give(struct prepare_room *room);

/*
 * Sorts n items of item_bytes, 64 at most, in place: by a heap, unless they are in order.
 * Not in a handler. Any thread.
 */
void prepare_sort(
	void *items, size_t n, size_t item_bytes, int (*is_before)(const void *, const void *));

#endif
