/* SPDX-License-Identifier: Apache-2.0 */
/* A growing array, for the offline half: the caller has its items, their number and capacity. */
#ifndef OMPPROF_PROFILE_SHARED_ARRAY_H
#define OMPPROF_PROFILE_SHARED_ARRAY_H

#include <stdlib.h>
#include <string.h>

/*
 * Makes room for one more item behind the n items. `items` is the address of the pointer to them;
 * the capacity doubles. Returns 0, or -1 when out of memory: the items stay as they are.
 * Any thread.
 */
static inline int array_grow(void *items, size_t n, size_t *capacity, size_t item_bytes)
{
	size_t more = *capacity ? 2 * *capacity : 64;
	void *grown;

	if (n < *capacity)
		return 0;
	memcpy(&grown, items, sizeof(grown));
	grown = reallocarray(grown, more, item_bytes);
	if (!grown)
		return -1;
	memcpy(items, &grown, sizeof(grown));
	*capacity = more;
	return 0;
}

/* array_grow for a pointer `items` and a variable `capacity`. */
#define ARRAY_GROW(items, n, capacity) array_grow(&(items), n, &(capacity), sizeof(*(items)))

#endif
