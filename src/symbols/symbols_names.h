/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of functions, interned, each demangled once. From a DIE the linkage name tells most; where
 * that is readable as it is, DW_AT_name is what the source says (`plain`, not gfortran's `plain_`).
 */
#ifndef OMPPROF_SRC_SYMBOLS_SYMBOLS_NAMES_H
#define OMPPROF_SRC_SYMBOLS_SYMBOLS_NAMES_H

#include <elfutils/libdw.h>
#include <stddef.h>

#include "src/symbols/symbols.h"
#include "src/symbols/symbols_strings.h"

struct names_slot {
	const char *linkage, *name; /* both interned; linkage is NULL in an empty slot */
};

struct names {
	struct strings strings;
	struct names_slot *slots; /* open addressing by the pointer, a power of two of them */
	size_t n, n_slots;
};

/* Fills name and linkage of `symbol` from a linkage name and what the source calls it; either may
   be NULL or empty, not both. */
void names_fill(struct names *names, struct symbol *symbol, const char *linkage, const char *name);

/* Whether `die` is of a language that mangles, but has no linkage name: gcc leaves it out for
   members of local classes and for templates with local types. */
int names_die_lacks_linkage(Dwarf_Die *die);

/* The same from a DIE, and the place of its declaration; `elf_name`, or NULL, stands in for a
   missing linkage name. Returns -1 when there is no name at all. */
int names_fill_die(
	struct names *names, struct symbol *symbol, Dwarf_Die *die, const char *elf_name);

void names_release(struct names *names);

#endif
