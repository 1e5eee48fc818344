/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of the figures of several processes; see merge_internal.h. */
#include <stdlib.h>
#include <string.h>

#include "attribution/merge/merge_internal.h"
#include "profile/shared/array.h"

void *merge_append(struct merge_list *list, const void *items, size_t n, size_t item_bytes)
{
	char *end;

	while (list->capacity <= list->n + n)
		if (array_grow(&list->items, list->capacity, &list->capacity, item_bytes) != 0)
			return NULL;
	end = (char *)list->items + list->n * item_bytes;
	if (n)
		memcpy(end, items, n * item_bytes);
	list->n += n;
	return end;
}

void merge_fold(struct merge_list *list, const struct metrics_kind *kind)
{
	list->n = metrics_fold(list->items, list->n, kind);
}

void *merge_take(struct merge_list *list, size_t *n)
{
	void *items = list->items;

	*n = list->n;
	*list = (struct merge_list){ 0 };
	return items;
}

void *merge_take_sorted(struct merge_list *list, size_t *n, const struct metrics_kind *kind)
{
	if (list->n)
		qsort(list->items, list->n, kind->bytes, kind->by_rank);
	return merge_take(list, n);
}
