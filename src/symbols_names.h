/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of functions, interned, each demangled once. From a DIE the linkage name tells most; where
 * that is readable as it is, DW_AT_name is what the source says (`plain`, not gfortran's `plain_`).
 */
#ifndef OMPPROF_SYMBOLS_NAMES_H
#define OMPPROF_SYMBOLS_NAMES_H

#include <elfutils/libdw.h>
#include <stddef.h>

#include "src/symbols.h"
#include "src/symbols_strings.h"

struct names_slot {
	const char *linkage, *name; /* both interned; linkage is NULL in an empty slot */
};

struct names {
	struct strings strings;
	struct names_slot *slots; /* open addressing by the pointer, a power of two of them */
	size_t n, n_slots;
	int demangle;
};

/* Fills name and linkage of `symbol` from a linkage name and what the source calls it; either may
   be NULL or empty, not both. */
void names_fill(struct names *names, struct symbol *symbol, const char *linkage, const char *name);

/* The same from a DIE, and the place of its declaration. Returns -1 when it has no name. */
int names_fill_die(struct names *names, struct symbol *symbol, Dwarf_Die *die);

void names_release(struct names *names);

#endif
