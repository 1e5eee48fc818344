/* SPDX-License-Identifier: Apache-2.0 */
/* Makes readable names of functions; see symbols_names.h. */
#include "src/symbols/symbols_names.h"

#include <dwarf.h>
#include <stdint.h>
#include <string.h>

#include "src/symbols/symbols_dwarf.h"

/* Interns at most NAME_MOST bytes of a name. */
static const char *intern_name(struct strings *strings, const char *name)
{
	char text[NAME_MOST + 1];

	if (!name || strnlen(name, NAME_MOST + 1) <= NAME_MOST)
		return strings_intern(strings, name);
	memcpy(text, name, NAME_MOST);
	text[NAME_MOST] = '\0';
	return strings_intern(strings, text);
}

void names_fill(
	struct strings *strings, struct symbol *symbol, const char *linkage, const char *name)
{
	int has_source_name = name && *name;

	if (!linkage || !*linkage)
		linkage = name;
	symbol->linkage = intern_name(strings, linkage);
	symbol->name = strings_demangle(strings, symbol->linkage);
	if (symbol->name == symbol->linkage && has_source_name)
		symbol->name = strings_demangle(strings, intern_name(strings, name));
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

int names_fill_die(
	struct strings *strings, struct symbol *symbol, Dwarf_Die *die, const char *elf_name)
{
	const char *linkage = linkage_name(die), *name = dwarf_diename(die);
	Dwarf_Attribute attr;
	Dwarf_Word line;

	if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_line, &attr), &line) == 0 &&
		line <= UINT32_MAX)
		symbol->decl_line = line;
	symbol->decl_file = source_file(strings, dwarf_attr_integrate(die, DW_AT_decl_file, &attr));
	if (!linkage || !*linkage)
		linkage = elf_name;
	if ((!linkage || !*linkage) && (!name || !*name))
		return -1;
	names_fill(strings, symbol, linkage, name);
	return 0;
}
