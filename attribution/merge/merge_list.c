/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of the figures of several processes: they grow, equal items are joined, and the caller gets
 * them.
 */
#include <stdlib.h>
#include <string.h>

#include "attribution/merge/merge_internal.h"
#include "profile/shared/array.h"

int merge_append(struct merge_list *list, const void *item, size_t item_bytes)
{
	if (array_grow(&list->items, list->n, &list->capacity, item_bytes) != 0)
		return -1;
	memcpy((char *)list->items + list->n++ * item_bytes, item, item_bytes);
	return 0;
}

void merge_fold(struct merge_list *list, const struct merge_kind *kind)
{
	char *items = list->items, *last = items;
	size_t n = 0;

	if (list->n)
		qsort(items, list->n, kind->bytes, kind->by_key);
	for (size_t i = 0; i < list->n; i++) {
		const char *item = items + i * kind->bytes;

		if (n && kind->is_same(last, item)) {
			kind->add(last, item);
			continue;
		}
		last = items + n++ * kind->bytes;
		if (last != item)
			memcpy(last, item, kind->bytes);
	}
	list->n = n;
}

/* Hands the list over, sorted. */
void *merge_hand_over(struct merge_list *list, size_t *n, size_t item_bytes,
	int (*compare)(const void *, const void *))
{
	void *items = list->items;

	if (list->n)
		qsort(items, list->n, item_bytes, compare);
	*n = list->n;
	*list = (struct merge_list){ 0 };
	return items;
}
