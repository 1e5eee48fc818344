/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols that an ELF file needs and defines, with their versions; see elf_dynamic.h. */
#include <stdlib.h>
#include <string.h>

#include "profile/shared/array.h"
#include "src/run/elf_dynamic.h"
#include "src/symbols/symbols_elf.h"

/* HIDDEN: a bit beside a version's number. FIRST_VERSION: lower numbers mean no version. */
enum { HIDDEN = 0x8000, FIRST_VERSION = 2, MAX_VERSIONS = 4096 };

struct version {
	const char *name; /* NULL: not a version of that library */
	int is_weak;
};

/* The dynamic symbols and, by the same index, their versions' numbers. */
struct table {
	Elf *elf;
	GElf_Word strings;
	Elf_Data *symbols;
	Elf_Data *numbers; /* NULL: the file has no versions */
	struct version version[MAX_VERSIONS];
};

static Elf_Data *data_of_type(Elf *elf, GElf_Word type, GElf_Word *strings)
{
	GElf_Shdr header;
	Elf_Scn *scn = elf_find_type(elf, type, &header);

	*strings = scn ? header.sh_link : 0;
	return elf_getdata(scn, NULL);
}

static struct table *open_table(const struct elf_dynamic *file)
{
	struct table *table = calloc(1, sizeof(*table));
	GElf_Word ignored;

	if (!table)
		return NULL;
	table->elf = file->elf;
	table->symbols = data_of_type(file->elf, SHT_DYNSYM, &table->strings);
	table->numbers = data_of_type(file->elf, SHT_GNU_versym, &ignored);
	return table;
}

/* Reads symbol i; *version may be NULL. Returns its name, or NULL after the last symbol. */
static const char *symbol_at(
	const struct table *table, int i, GElf_Sym *symbol, const struct version **version)
{
	GElf_Versym number = 0;

	if (!table->symbols || !gelf_getsym(table->symbols, i, symbol))
		return NULL;
	if (table->numbers)
		gelf_getversym(table->numbers, i, &number);
	number &= HIDDEN - 1;
	*version =
		number >= FIRST_VERSION && number < MAX_VERSIONS ? &table->version[number] : NULL;
	return elf_strptr(table->elf, table->strings, symbol->st_name);
}

/* Notes the versions of `library` that the file needs. */
static void read_needed(struct table *table, const char *library)
{
	GElf_Word strings = 0;
	Elf_Data *data = data_of_type(table->elf, SHT_GNU_verneed, &strings);
	GElf_Verneed need;
	GElf_Vernaux one;
	int at = 0;

	while (data && gelf_getverneed(data, at, &need)) {
		const char *of = elf_strptr(table->elf, strings, need.vn_file);
		int aux = at + (int)need.vn_aux;

		for (int i = 0; i < need.vn_cnt && gelf_getvernaux(data, aux, &one); i++) {
			struct version *version = &table->version[one.vna_other % MAX_VERSIONS];

			if (of && strcmp(of, library) == 0) {
				version->name = elf_strptr(table->elf, strings, one.vna_name);
				version->is_weak = (one.vna_flags & VER_FLG_WEAK) != 0;
			}
			aux += (int)one.vna_next;
		}
		/* The offset only grows, whatever the file says, so the loop ends. */
		if ((int)need.vn_next <= 0)
			break;
		at += (int)need.vn_next;
	}
}

static int each_symbol(const struct table *table, elf_need *each, void *data)
{
	const struct version *version;
	const char *name;
	GElf_Sym symbol;

	for (int i = 1; (name = symbol_at(table, i, &symbol, &version)) != NULL; i++) {
		int is_weak = GELF_ST_BIND(symbol.st_info) == STB_WEAK, status;

		/* The symbol is defined here, or its version is of another library. */
		if (symbol.st_shndx != SHN_UNDEF || (version && !version->name))
			continue;
		status = each(data, name, version ? version->name : NULL, is_weak);
		if (status != 0)
			return status;
	}
	return 0;
}

int elf_dynamic_each_need(
	const struct elf_dynamic *file, const char *library, elf_need *each, void *data)
{
	struct table *table = open_table(file);
	int status;

	if (!table)
		return 0;
	read_needed(table, library);
	status = each_symbol(table, each, data);
	for (int i = 0; i < MAX_VERSIONS && status == 0; i++) {
		const struct version *version = &table->version[i];

		if (version->name)
			status = each(data, NULL, version->name, version->is_weak);
	}
	free(table);
	return status;
}

int elf_dynamic_has_function(const struct elf_dynamic *file, const char *name)
{
	GElf_Word strings;
	Elf_Data *data = data_of_type(file->elf, SHT_SYMTAB, &strings);
	GElf_Sym symbol;

	for (int i = 1; data && gelf_getsym(data, i, &symbol); i++) {
		const char *found = elf_strptr(file->elf, strings, symbol.st_name);

		if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
			found && strcmp(found, name) == 0)
			return 1;
	}
	return 0;
}

static int add(struct elf_definitions *all, const char *name, const char *version)
{
	if (ARRAY_GROW(all->list, all->n, all->n_allocated) != 0)
		return -1;
	all->list[all->n++] = (struct elf_definition){ name, version, elf_hash(name) };
	return 0;
}

static int read_defined(struct table *table, struct elf_definitions *all)
{
	GElf_Word strings = 0;
	Elf_Data *data = data_of_type(table->elf, SHT_GNU_verdef, &strings);
	GElf_Verdef definition;
	GElf_Verdaux one;
	int at = 0;

	while (data && gelf_getverdef(data, at, &definition)) {
		struct version *version = &table->version[definition.vd_ndx % MAX_VERSIONS];

		if (gelf_getverdaux(data, at + (int)definition.vd_aux, &one))
			version->name = elf_strptr(table->elf, strings, one.vda_name);
		if (version->name && add(all, "", version->name) != 0)
			return -1;
		if ((int)definition.vd_next <= 0)
			break;
		at += (int)definition.vd_next;
	}
	return 0;
}

int elf_definitions_read(struct elf_definitions *all, const struct elf_dynamic *file)
{
	struct table *table = open_table(file);
	const struct version *version;
	const char *name;
	GElf_Sym symbol;
	int status;

	*all = (struct elf_definitions){ 0 };
	if (!table)
		return -1;
	status = read_defined(table, all);
	for (int i = 1; status == 0 && (name = symbol_at(table, i, &symbol, &version)); i++) {
		if (symbol.st_shndx == SHN_UNDEF || GELF_ST_BIND(symbol.st_info) == STB_LOCAL)
			continue;
		status = add(all, name, NULL);
		if (status == 0 && version && version->name)
			status = add(all, name, version->name);
	}
	free(table);
	if (status != 0)
		elf_definitions_release(all);
	return status;
}

static int is_it(const struct elf_definition *one, const char *name, const char *version)
{
	if (strcmp(one->name, name) != 0 || !one->version != !version)
		return 0;
	return !version || strcmp(one->version, version) == 0;
}

int elf_definitions_has(const struct elf_definitions *all, const char *name, const char *version)
{
	unsigned long hash;

	name = name ? name : "";
	hash = elf_hash(name);
	for (size_t i = 0; i < all->n; i++)
		if (all->list[i].hash == hash && is_it(&all->list[i], name, version))
			return 1;
	return 0;
}

void elf_definitions_release(struct elf_definitions *all)
{
	free(all->list);
	*all = (struct elf_definitions){ 0 };
}
