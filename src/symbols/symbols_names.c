/* SPDX-License-Identifier: Apache-2.0 */
/* Makes readable names of functions; see symbols_names.h. */
#include "src/symbols/symbols_names.h"

#include <dwarf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "profile/shared/hash.h"
#include "src/symbols/demangle.h"
#include "src/symbols/symbols_dwarf.h"

enum { FIRST_SLOTS = 1024 };

static struct names_slot *find_slot(struct names_slot *slots, size_t n_slots, const char *linkage)
{
	size_t i = hash_mix(HASH_START, (uintptr_t)linkage) & (n_slots - 1);

	while (slots[i].linkage && slots[i].linkage != linkage)
		i = (i + 1) & (n_slots - 1);
	return &slots[i];
}

/* Makes room for a name. Returns 0, or -1 when out of memory and nothing can be remembered. */
static int make_room(struct names *names)
{
	size_t n_slots = names->n_slots ? 2 * names->n_slots : FIRST_SLOTS;
	struct names_slot *slots;

	if (names->n < names->n_slots / 4 * 3)
		return 0;
	slots = calloc(n_slots, sizeof(*slots));
	if (!slots)
		return -1;
	for (size_t i = 0; i < names->n_slots; i++)
		if (names->slots[i].linkage)
			*find_slot(slots, n_slots, names->slots[i].linkage) = names->slots[i];
	free(names->slots);
	names->slots = slots;
	names->n_slots = n_slots;
	return 0;
}

/* The demangled form of an interned name, or the name itself. */
static const char *demangled(struct names *names, const char *linkage)
{
	struct names_slot *slot;
	char *text;

	if (make_room(names) < 0)
		return linkage;
	slot = find_slot(names->slots, names->n_slots, linkage);
	if (slot->linkage)
		return slot->name;
	text = demangle_name(linkage);
	slot->linkage = linkage;
	slot->name = text ? strings_intern(&names->strings, text) : linkage;
	names->n++;
	free(text);
	return slot->name;
}

/* Interns a name as strings_intern does, but at most NAME_MOST bytes of it. */
static const char *intern_name(struct names *names, const char *name)
{
	char text[NAME_MOST + 1];

	if (!name || strnlen(name, NAME_MOST + 1) <= NAME_MOST)
		return strings_intern(&names->strings, name);
	memcpy(text, name, NAME_MOST);
	text[NAME_MOST] = '\0';
	return strings_intern(&names->strings, text);
}

void names_fill(struct names *names, struct symbol *symbol, const char *linkage, const char *name)
{
	int has_source_name = name && *name;

	if (!linkage || !*linkage)
		linkage = name;
	symbol->linkage = intern_name(names, linkage);
	symbol->name = demangled(names, symbol->linkage);
	if (symbol->name == symbol->linkage && has_source_name)
		symbol->name = demangled(names, intern_name(names, name));
}

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));

	if (!name)
		name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr));
	return name;
}

static int is_mangled_language(Dwarf_Die *die)
{
	Dwarf_Die cu;

	switch (dwarf_diecu(die, &cu, NULL, NULL) ? dwarf_srclang(&cu) : -1) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
		return 0;
	default:
		return 1;
	}
}

int names_die_lacks_linkage(Dwarf_Die *die)
{
	return !linkage_name(die) && is_mangled_language(die);
}

int names_fill_die(struct names *names, struct symbol *symbol, Dwarf_Die *die, const char *elf_name)
{
	const char *linkage = linkage_name(die), *name = dwarf_diename(die);
	Dwarf_Attribute attr;
	Dwarf_Word line;

	if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_line, &attr), &line) == 0 &&
		line <= UINT32_MAX)
		symbol->decl_line = line;
	symbol->decl_file =
		source_file(&names->strings, dwarf_attr_integrate(die, DW_AT_decl_file, &attr));
	if (!linkage || !*linkage)
		linkage = elf_name;
	if ((!linkage || !*linkage) && (!name || !*name))
		return -1;
	names_fill(names, symbol, linkage, name);
	return 0;
}

void names_release(struct names *names)
{
	free(names->slots);
	strings_release(&names->strings);
	*names = (struct names){ 0 };
}
