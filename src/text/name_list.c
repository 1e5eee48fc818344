/* SPDX-License-Identifier: Apache-2.0 */
/* Short lists for messages; see name_list.h. */
#include "src/text/name_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void name_list_add(struct name_list *list, const char *format, ...)
{
	size_t size = sizeof(list->text), before = list->used;
	va_list arguments;
	int n;

	if (before >= size)
		return;
	if (before)
		list->used += (size_t)snprintf(list->text + before, size - before, ", ");
	if (list->used < size) {
		va_start(arguments, format);
		n = vsnprintf(list->text + list->used, size - list->used, format, arguments);
		va_end(arguments);
		list->used += n > 0 ? (size_t)n : 0;
	}
	if (list->used >= size)
		strcpy(list->text + size - sizeof("..."), "...");
}

static int compare(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

void name_list_add_numbers(struct name_list *list, uint32_t *numbers, size_t n)
{
	qsort(numbers, n, sizeof(*numbers), compare);
	for (size_t i = 0, last; i < n; i = last + 1) {
		for (last = i; last + 1 < n && numbers[last + 1] - numbers[last] <= 1;)
			last++;
		if (numbers[i] == numbers[last])
			name_list_add(list, "%u", numbers[i]);
		else
			name_list_add(list, "%u-%u", numbers[i], numbers[last]);
	}
}
