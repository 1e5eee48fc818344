/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of an ELF file's symbol table, sorted by address. They are the only names if there
 * is no debug information. The names are raw (mangled). Nothing here reads DWARF.
 */
#ifndef OMPPROF_SRC_SYMBOLS_SYMBOLS_ELF_H
#define OMPPROF_SRC_SYMBOLS_SYMBOLS_ELF_H

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>

#include "src/symbols/symbols_strings.h"

struct machine;

struct elf_symbol {
	uint64_t low, high;
	const char *name; /* interned; while is_raw is set, it points into the file */
	uint32_t rank;    /* the lowest rank is the best among symbols at the same address */
	int is_raw;
};

struct elf_symbols {
	struct elf_symbol *symbols; /* sorted by low; one symbol per address */
	size_t n, n_allocated;
};

/*
 * Reads the functions of `elf` and of `debug` (its separate debug file, or NULL): .symtab of either
 * file, else .dynsym. Symbols that cannot be read are left out. PLT entries are called `name@plt`,
 * and these names go into `strings` at once. Another name goes there when it is looked up, because
 * the names of a file may overlap, and all of them together may be far longer than the file. So
 * both files must outlive the table.
 */
void elf_symbols_read(struct elf_symbols *table, struct strings *strings, Elf *elf, Elf *debug);

/* The symbol that contains `addr`, its name interned, or NULL. */
const struct elf_symbol *elf_symbols_find(
	struct elf_symbols *table, struct strings *strings, uint64_t addr);

void elf_symbols_release(struct elf_symbols *table);

/* The variable that contains `addr`: its name, interned, or NULL. Each call searches anew. */
const char *elf_find_variable(struct strings *strings, Elf *elf, Elf *debug, uint64_t addr);

/* A call to `callee` that returns to `addr`, in the function from `low` to `high`. */
struct elf_call {
	Elf *elf, *debug;
	uint64_t low, high, addr;
	const char *callee;
};

/*
 * Fills *to with the address of the function that is called, or of the word in memory from which
 * the call has it; 0 if neither is known. Returns 1, or 0 if no call can be read before call->addr.
 */
int elf_find_callee(const struct elf_call *call, uint64_t *to);

/* The address in the same file that the loader stores at `addr`; 0: none, or it is not known. */
uint64_t elf_find_loaded(Elf *elf, uint64_t addr);

/*
 * The variable that is passed to a call which enters a critical section: its name, interned. NULL
 * if the instructions before the call do not show it plainly.
 */
const char *elf_find_critical(struct strings *strings, const struct elf_call *call);

/*
 * The function that is passed as a construct's body to a call which begins a parallel region, a
 * league or, in gcc's code, a task. 0 for other calls, or if the instructions before the call do
 * not show it plainly.
 */
uint64_t elf_find_body(const struct elf_call *call);

/*
 * Finds the first jump out of the function of call->low to call->high, at *at or behind it. Fills
 * *jump with its address, fills *to as elf_find_callee() does, and moves *at behind it. A jump
 * whose target is not known may stay in the function. Returns 1; 0 if there
 * is none; -1 if the instructions cannot be read to the function's end.
 */
int elf_next_jump(const struct elf_call *call, uint64_t *at, uint64_t *jump, uint64_t *to);

/* Whether compilers call a function of this name for OpenMP constructs. */
int elf_is_runtimes(const char *callee);

/* The best symbol table (.symtab of either file, else .dynsym), or NULL; *from is its file. */
Elf_Scn *elf_find_table(Elf **from, Elf *elf, Elf *debug, GElf_Shdr *header);

/* Adds a symbol. Returns 0, or -1 when out of memory. */
int elf_symbols_add(struct elf_symbols *table, const struct elf_symbol *symbol);

/* Adds the `name@plt` symbols of .plt, .plt.sec and .plt.got (symbols_plt.c). */
void elf_symbols_add_plt(struct elf_symbols *table, struct strings *strings, Elf *elf);

/*
 * The function whose address the loader puts into the word at `addr`: NAME@got, or NULL
 * (symbols_plt.c). Each call searches anew.
 */
const char *elf_find_imported(struct strings *strings, Elf *elf, uint64_t addr);

/* The machine that the file is for; NULL if it is not known, or without a file. */
const struct machine *elf_machine(Elf *elf);

/* The first section of `elf` with this name that has bytes in the file, or NULL; fills `header`. */
Elf_Scn *elf_find_section(Elf *elf, const char *name, GElf_Shdr *header);

/* The first section of this type (SHT_DYNSYM), or NULL; fills `header`. */
Elf_Scn *elf_find_type(Elf *elf, GElf_Word type, GElf_Shdr *header);

#endif
