/* SPDX-License-Identifier: Apache-2.0 */
/* A short list for a message that says which items exist: "1-4, 7" or "'a', 'b', ...". */
#ifndef OMPPROF_SRC_TEXT_NAME_LIST_H
#define OMPPROF_SRC_TEXT_NAME_LIST_H

#include <stddef.h>
#include <stdint.h>

/* Begins zeroed. Items without room become "..." at the end. */
struct name_list {
	char text[200];
	size_t used;
};

void name_list_add(struct name_list *list, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds numbers as ranges. Sorts `numbers`. */
void name_list_add_numbers(struct name_list *list, uint32_t *numbers, size_t n);

#endif
