/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of names and sums; see top_rows.h. */
#include <stdlib.h>
#include <string.h>

#include "profile/shared/array.h"

#include "src/top/top_rows.h"

struct top_row *top_rows_add(struct top_rows *rows, const char *name, const char *place)
{
	struct top_row *row;

	if (ARRAY_GROW(rows->rows, rows->n, rows->capacity) != 0)
		return NULL;
	row = &rows->rows[rows->n];
	*row = (struct top_row){ .name = strdup(name), .place = strdup(place), .state = "" };
	rows->n++;
	return row->name && row->place ? row : NULL;
}

void top_row_release(struct top_row *row)
{
	free(row->name);
	free(row->place);
}

int top_row_compare(const void *left, const void *right)
{
	const struct top_row *a = left, *b = right;
	int order;

	if (a->identity != b->identity)
		return a->identity < b->identity ? -1 : 1;
	order = strcmp(a->name, b->name);
	return order ? order : strcmp(a->place, b->place);
}

void top_rows_fold(struct top_rows *rows)
{
	size_t n = 0;

	if (rows->n)
		qsort(rows->rows, rows->n, sizeof(*rows->rows), top_row_compare);
	for (size_t i = 0; i < rows->n; i++) {
		if (n == 0 || top_row_compare(&rows->rows[n - 1], &rows->rows[i]) != 0) {
			rows->rows[n++] = rows->rows[i];
			continue;
		}
		for (int k = 0; k < TOP_N_SUMS; k++)
			rows->rows[n - 1].sums[k] += rows->rows[i].sums[k];
		top_row_release(&rows->rows[i]);
	}
	rows->n = n;
}

const struct top_row *top_rows_find(const struct top_rows *rows, const struct top_row *row)
{
	return rows->n ? bsearch(row, rows->rows, rows->n, sizeof(*row), top_row_compare) : NULL;
}

void top_rows_release(struct top_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		top_row_release(&rows->rows[i]);
	free(rows->rows);
	*rows = (struct top_rows){ 0 };
}
