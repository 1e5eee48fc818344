/* SPDX-License-Identifier: Apache-2.0 */
/* Reads functions from an ELF symbol table; see symbols_elf.h. */
#include "src/symbols/symbols_elf.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "profile/shared/array.h"
#include "src/symbols/machine.h"

/* A bit of elf_symbol.rank: the symbol is a label, or a function of unknown size. */
#define RANK_GUESSED (UINT32_C(1) << 31)

/* NESTED_MAX: how many functions before an address are tried, because they may be nested. */
enum { NESTED_MAX = 8, COMPARED_MOST = 4096 };

const struct machine *elf_machine(Elf *elf)
{
	GElf_Ehdr header;

	return elf && gelf_getehdr(elf, &header) ? machine_find(header.e_machine) : NULL;
}

Elf_Scn *elf_find_section(Elf *elf, const char *name, GElf_Shdr *header)
{
	size_t names;

	if (elf_getshdrstrndx(elf, &names) < 0)
		return NULL;
	for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn)) {
		const char *found;

		if (!gelf_getshdr(scn, header) || header->sh_type == SHT_NOBITS)
			continue;
		found = elf_strptr(elf, names, header->sh_name);
		if (found && strcmp(found, name) == 0)
			return scn;
	}
	return NULL;
}

Elf_Scn *elf_find_type(Elf *elf, GElf_Word type, GElf_Shdr *header)
{
	for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn))
		if (gelf_getshdr(scn, header) && header->sh_type == type)
			return scn;
	return NULL;
}

int elf_symbols_add(struct elf_symbols *table, const struct elf_symbol *symbol)
{
	if (ARRAY_GROW(table->symbols, table->n, table->n_allocated) != 0)
		return -1;
	table->symbols[table->n++] = *symbol;
	return 0;
}

/*
 * Lower is better. In this order: a function with a size, a symbol that other objects can see,
 * fewer underscores in front (`write` before `__write`), a strong symbol, a shorter name. Symbols
 * with MPI's names are weak, and the libraries' own names for these functions are strong.
 */
static uint32_t symbol_rank(const GElf_Sym *sym, const char *name)
{
	uint32_t binding = GELF_ST_BIND(sym->st_info);
	uint32_t n_underscores = 0;
	size_t n_name = strnlen(name, 0xffff);

	while (n_underscores < 15 && name[n_underscores] == '_')
		n_underscores++;
	return (GELF_ST_TYPE(sym->st_info) == STT_NOTYPE || sym->st_size == 0 ? RANK_GUESSED : 0) |
	       (uint32_t)(binding == STB_LOCAL) << 29 | n_underscores << 25 |
	       (uint32_t)(binding == STB_WEAK && strncasecmp(name, "MPI_", 4) != 0) << 24 |
	       (uint32_t)n_name;
}

/* Whether the symbol is code. Symbols of assembler code may have neither type nor size. */
static int is_function(Elf *elf, const GElf_Sym *sym, uint64_t *section_end)
{
	int type = GELF_ST_TYPE(sym->st_info);
	GElf_Shdr header;
	Elf_Scn *scn;

	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
		return 0;
	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= SHN_LORESERVE)
		return 0;
	scn = elf_getscn(elf, sym->st_shndx);
	if (!scn || !gelf_getshdr(scn, &header) || !(header.sh_flags & SHF_EXECINSTR))
		return 0;
	*section_end = header.sh_addr + header.sh_size;
	return sym->st_value >= header.sh_addr && sym->st_value < *section_end;
}

/* Interns at most NAME_MOST bytes of the name, without a version ("name@@V1"). */
static const char *intern_unversioned(struct strings *strings, const char *name)
{
	char text[NAME_MOST + 1];
	size_t n = 0;

	for (; n < NAME_MOST && name[n] && name[n] != '@'; n++)
		text[n] = name[n];
	text[n] = '\0';
	return strings_intern(strings, text);
}

static void read_table(struct elf_symbols *table, Elf *elf, Elf_Scn *scn, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;

	for (size_t i = 0; i < n && i < INT32_MAX; i++) {
		struct elf_symbol symbol = { 0 };
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(data, i, &sym) || !is_function(elf, &sym, &symbol.high))
			continue;
		name = elf_strptr(elf, header->sh_link, sym.st_name);
		if (!name || !*name)
			continue;
		symbol.low = sym.st_value;
		if (sym.st_size && sym.st_size < symbol.high - symbol.low)
			symbol.high = symbol.low + sym.st_size;
		symbol.rank = symbol_rank(&sym, name);
		symbol.name = name;
		symbol.is_raw = 1;
		if (elf_symbols_add(table, &symbol) < 0)
			return;
	}
}

static int compare_symbols(const void *left, const void *right)
{
	const struct elf_symbol *a = left, *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return strncmp(a->name, b->name, COMPARED_MOST);
}

/*
 * Keeps one symbol per address. A label within a function with a size is no function of its own. A
 * symbol without a size ends where the next symbol begins.
 */
static void sort_symbols(struct elf_symbols *table)
{
	size_t n = 0;

	if (table->n)
		qsort(table->symbols, table->n, sizeof(*table->symbols), compare_symbols);
	for (size_t i = 0; i < table->n; i++) {
		struct elf_symbol *symbol = &table->symbols[i];
		struct elf_symbol *last = n ? &table->symbols[n - 1] : NULL;

		if (last && last->low == symbol->low)
			continue;
		if (last && last->high > symbol->low && !(last->rank & RANK_GUESSED)) {
			if (symbol->rank & RANK_GUESSED)
				continue;
		} else if (last && last->high > symbol->low) {
			last->high = symbol->low;
		}
		table->symbols[n++] = *symbol;
	}
	table->n = n;
}

Elf_Scn *elf_find_table(Elf **from, Elf *elf, Elf *debug, GElf_Shdr *header)
{
	Elf_Scn *scn = elf_find_type(elf, SHT_SYMTAB, header);

	*from = elf;
	if (!scn && debug) {
		*from = debug;
		scn = elf_find_type(debug, SHT_SYMTAB, header);
	}
	if (!scn) {
		*from = elf;
		scn = elf_find_type(elf, SHT_DYNSYM, header);
	}
	return scn;
}

void elf_symbols_read(struct elf_symbols *table, struct strings *strings, Elf *elf, Elf *debug)
{
	GElf_Shdr header;
	Elf *from;
	Elf_Scn *scn = elf_find_table(&from, elf, debug, &header);

	if (scn)
		read_table(table, from, scn, &header);
	elf_symbols_add_plt(table, strings, elf);
	sort_symbols(table);
}

const struct elf_symbol *elf_symbols_find(
	struct elf_symbols *table, struct strings *strings, uint64_t addr)
{
	size_t low = 0, high = table->n;
	struct elf_symbol *found = NULL;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->symbols[middle].low <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = 0; !found && i < NESTED_MAX && i < low; i++)
		if (addr < table->symbols[low - 1 - i].high)
			found = &table->symbols[low - 1 - i];
	if (found && found->is_raw) {
		found->name = intern_unversioned(strings, found->name);
		found->is_raw = 0;
	}
	return found;
}

void elf_symbols_release(struct elf_symbols *table)
{
	free(table->symbols);
	*table = (struct elf_symbols){ 0 };
}
