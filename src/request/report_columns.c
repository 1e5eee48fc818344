/* SPDX-License-Identifier: Apache-2.0 */
/* The columns that any table of the report has, for completion; see report_request.h. */
#include <stdlib.h>
#include <string.h>

#include "src/request/report_request.h"

enum { MOST_KEYS = 512 };

static int by_key(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

void report_columns_put(FILE *file)
{
	const char *keys[MOST_KEYS];
	size_t n = 0;

	for (size_t i = 0; view_list[i]; i++) {
		const struct table_column *column = view_list[i]->columns;

		for (; column && column->key && n < MOST_KEYS; column++)
			keys[n++] = column->key;
	}
	qsort(keys, n, sizeof(keys[0]), by_key);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || strcmp(keys[i - 1], keys[i]) != 0)
			fprintf(file, "%s%s", i == 0 ? "" : " ", keys[i]);
}
