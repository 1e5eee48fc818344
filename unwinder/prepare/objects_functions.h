/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of an object that have no call frame information: their symbols, and the rows that
 * their code gives.
 */
#ifndef OMPPROF_UNWINDER_PREPARE_OBJECTS_FUNCTIONS_H
#define OMPPROF_UNWINDER_PREPARE_OBJECTS_FUNCTIONS_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "unwinder/core/table.h"

/* Symbols, in the object's memory or its file. */
struct objects_symbols {
	const ElfW(Sym) *first;
	size_t n;
	uint64_t bias; /* to be added to the symbols' values */
};

/*
 * The loaded object's dynamic symbols; none if they are not inside [lo, hi), the object's mapping.
 * The object must not be unloaded meanwhile. Not in a handler. Any thread.
 */
struct objects_symbols objects_dynamic_symbols(
	const struct link_map *object, uint64_t lo, uint64_t hi);

/*
 * Adds the functions in [lo, hi) that `symbols` names and that have no rules to the table. Adds
 * none if the table has functions already, if there are too many, or without memory for all. The
 * object must not be unloaded meanwhile, and no other thread may use the scratch. Not in a handler.
 * Any thread.
 */
void objects_add_functions(struct table *table, const struct objects_symbols *symbols, uint64_t lo,
	uint64_t hi, struct table_scratch *scratch);

#endif
