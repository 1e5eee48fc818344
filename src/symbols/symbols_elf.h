/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of an ELF file's symbol table, sorted by address: what is left to tell when there
 * is no debug information. Names are raw (mangled). Nothing here reads DWARF.
 */
#ifndef OMPPROF_SRC_SYMBOLS_SYMBOLS_ELF_H
#define OMPPROF_SRC_SYMBOLS_SYMBOLS_ELF_H

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>

#include "src/symbols/symbols_strings.h"

struct elf_symbol {
	uint64_t low, high;
	const char *name; /* interned, or while is_raw the file's own */
	uint32_t rank;    /* among symbols at one address the lowest is the best */
	int is_raw;
};

struct elf_symbols {
	struct elf_symbol *symbols; /* by low; one per address */
	size_t n, n_allocated;
};

/*
 * Reads the functions of `elf` and of `debug` (its separate debug file, or NULL): .symtab of
 * either, else .dynsym. PLT entries are called `name@plt`. What cannot be read is left out. Both files must
 * outlive the table: only names that are found go into `strings`, as those of a file may overlap and be
 * far longer together than it is.
 */
void elf_symbols_read(struct elf_symbols *table, struct strings *strings, Elf *elf, Elf *debug);

/* The symbol that `addr` is in, its name interned, or NULL. */
const struct elf_symbol *elf_symbols_find(
	struct elf_symbols *table, struct strings *strings, uint64_t addr);

void elf_symbols_release(struct elf_symbols *table);

/*
 * The name of the variable that `addr` is in, interned, or NULL: looked up each time
 * (symbols_variable.c).
 */
const char *elf_find_variable(struct strings *strings, Elf *elf, Elf *debug, uint64_t addr);

/* What the call that returns to `addr` calls, or 0 if it is no plain call. */
uint64_t elf_find_callee(Elf *elf, uint64_t addr);

/* A call that returns to `addr`, in a function that begins at `low`, of a function named `callee`. */
struct elf_call {
	Elf *elf, *debug;
	uint64_t low, addr;
	const char *callee;
};

/*
 * The name of the variable that a call which enters a critical section is passed, interned, or NULL if
 * that is not plain from the instructions before it.
 */
const char *elf_find_critical(struct strings *strings, const struct elf_call *call);

/* The symbol table that tells most, and the file that it is in; or NULL. */
Elf_Scn *elf_find_table(Elf **from, Elf *elf, Elf *debug, GElf_Shdr *header);

/* Returns 0, or -1 when out of memory. */
int elf_symbols_add(struct elf_symbols *table, const struct elf_symbol *symbol);

/* Adds the `name@plt` symbols of .plt, .plt.sec and .plt.got (symbols_plt.c). */
void elf_symbols_add_plt(struct elf_symbols *table, struct strings *strings, Elf *elf);

/* The first section of `elf` with this name and bytes in the file, or NULL; fills `header`. */
Elf_Scn *elf_find_section(Elf *elf, const char *name, GElf_Shdr *header);

#endif
