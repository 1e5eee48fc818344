/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of functions, interned. Each name is demangled once. The linkage name of a DIE says
 * most. If it is readable already, DW_AT_name has the name in the source (`plain`, not gfortran's
 * `plain_`).
 */
#ifndef OMPPROF_SRC_SYMBOLS_SYMBOLS_NAMES_H
#define OMPPROF_SRC_SYMBOLS_SYMBOLS_NAMES_H

#include <elfutils/libdw.h>

#include "src/symbols/symbols.h"
#include "src/symbols/symbols_strings.h"

/* Fills name and linkage. The linkage name or the source's name may be NULL or "", not both. */
void names_fill(
	struct strings *strings, struct symbol *symbol, const char *linkage, const char *name);

/*
 * Whether the DIE has no linkage name although its language mangles names. gcc leaves it out for
 * members of local classes and for templates with local types.
 */
int names_die_lacks_linkage(Dwarf_Die *die);

/*
 * Fills the same members, and where it is declared, from a DIE. `elf_name`, or NULL, replaces a
 * missing linkage name. Returns 0, or -1 if there is no name at all.
 */
int names_fill_die(
	struct strings *strings, struct symbol *symbol, Dwarf_Die *die, const char *elf_name);

#endif
