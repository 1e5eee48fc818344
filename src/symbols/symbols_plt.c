/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names the entries of a PLT, which have no symbols. An entry jumps through a slot of the global
 * offset table, and the slot's relocation names the function. Also finds the address that the
 * loader stores in a word. See symbols_elf.h.
 */
#include "src/symbols/symbols_elf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/symbols/machine.h"

struct plt_slot {
	uint64_t addr;
	const char *name; /* name of the dynamic symbol; lives as long as the Elf */
};

struct plt_slots {
	struct plt_slot *slots; /* sorted by addr */
	size_t n;
	const struct machine *machine;
};

static int compare_slots(const void *left, const void *right)
{
	const struct plt_slot *a = left, *b = right;

	return (a->addr > b->addr) - (a->addr < b->addr);
}

/* The next section after `scn`, or the first, with relocations that the loader does; or NULL. */
static Elf_Scn *next_relocations(Elf *elf, Elf_Scn *scn, GElf_Shdr *header)
{
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, header) && header->sh_type == SHT_RELA &&
			header->sh_flags & SHF_ALLOC)
			return scn;
	return NULL;
}

/* Whether the word of a relocation gets the address of a symbol. */
static int is_import(const struct machine *machine, const GElf_Rela *rela)
{
	return GELF_R_TYPE(rela->r_info) == machine->jump_slot ||
	       GELF_R_TYPE(rela->r_info) == machine->global_data;
}

static const char *relocated_name(Elf *elf, const GElf_Shdr *header, const GElf_Rela *rela)
{
	Elf_Scn *scn = elf_getscn(elf, header->sh_link);
	GElf_Shdr symbols;
	GElf_Sym sym;

	if (!scn || !gelf_getshdr(scn, &symbols) ||
		!gelf_getsym(elf_getdata(scn, NULL), GELF_R_SYM(rela->r_info), &sym))
		return NULL;
	return elf_strptr(elf, symbols.sh_link, sym.st_name);
}

static void read_relocations(struct plt_slots *slots, Elf *elf, Elf_Scn *scn, GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
	struct plt_slot *grown = reallocarray(slots->slots, slots->n + n + 1, sizeof(*grown));

	if (!grown)
		return;
	slots->slots = grown;
	for (size_t i = 0; i < n; i++) {
		struct plt_slot slot;
		GElf_Rela rela;

		if (!gelf_getrela(data, i, &rela))
			return;
		if (!is_import(slots->machine, &rela))
			continue;
		slot.addr = rela.r_offset;
		slot.name = relocated_name(elf, header, &rela);
		if (slot.name && *slot.name)
			slots->slots[slots->n++] = slot;
	}
}

/* Interns NAME without a version as NAME@suffix. */
static const char *intern_as(struct strings *strings, const char *name, const char *suffix)
{
	char text[512];

	snprintf(text, sizeof(text), "%.*s@%s", (int)strcspn(name, "@"), name, suffix);
	return strings_intern(strings, text);
}

static void name_entries(struct elf_symbols *table, struct strings *strings,
	const struct plt_slots *slots, Elf_Data *data, const GElf_Shdr *header)
{
	size_t at = 0, entry_bytes = header->sh_entsize == 8 ? 8 : 16;

	if (slots->machine->plt_entry)
		entry_bytes = slots->machine->plt_entry(data->d_buf, data->d_size, &at);
	for (; at + entry_bytes <= data->d_size; at += entry_bytes) {
		uint64_t addr = header->sh_addr + at;
		struct plt_slot key = { .addr = slots->machine->plt_slot(
						(uint8_t *)data->d_buf + at, entry_bytes, addr) };
		struct plt_slot *slot =
			bsearch(&key, slots->slots, slots->n, sizeof(key), compare_slots);
		struct elf_symbol symbol = { .low = addr, .high = addr + entry_bytes };

		if (!slot)
			continue;
		symbol.name = intern_as(strings, slot->name, "plt");
		if (elf_symbols_add(table, &symbol) < 0)
			return;
	}
}

/* Reads the words of a file that get addresses of functions; no words if their use is not known. */
static struct plt_slots read_slots(Elf *elf)
{
	struct plt_slots slots = { 0 };
	GElf_Shdr header;

	slots.machine = elf_machine(elf);
	if (!slots.machine || !slots.machine->plt_slot)
		return slots;
	for (Elf_Scn *scn = next_relocations(elf, NULL, &header); scn;
		scn = next_relocations(elf, scn, &header))
		read_relocations(&slots, elf, scn, &header);
	if (slots.n)
		qsort(slots.slots, slots.n, sizeof(*slots.slots), compare_slots);
	return slots;
}

void elf_symbols_add_plt(struct elf_symbols *table, struct strings *strings, Elf *elf)
{
	static const char *const sections[] = { ".plt", ".plt.sec", ".plt.got" };
	struct plt_slots slots = read_slots(elf);
	GElf_Shdr header;

	for (size_t i = 0; slots.n && i < sizeof(sections) / sizeof(sections[0]); i++) {
		Elf_Scn *scn = elf_find_section(elf, sections[i], &header);
		Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;

		if (data && data->d_buf)
			name_entries(table, strings, &slots, data, &header);
	}
	free(slots.slots);
}

/* Finds the relocation of the word at `addr`, and the header of its section. Returns 0 or -1. */
static int find_relocation(Elf *elf, uint64_t addr, GElf_Shdr *header, GElf_Rela *rela)
{
	for (Elf_Scn *scn = next_relocations(elf, NULL, header); scn;
		scn = next_relocations(elf, scn, header)) {
		Elf_Data *data = elf_getdata(scn, NULL);

		for (int k = 0; data && gelf_getrela(data, k, rela); k++)
			if (rela->r_offset == addr)
				return 0;
	}
	return -1;
}

const char *elf_find_imported(struct strings *strings, Elf *elf, uint64_t addr)
{
	const struct machine *machine = elf_machine(elf);
	const char *name;
	GElf_Shdr header;
	GElf_Rela rela;

	if (!machine || find_relocation(elf, addr, &header, &rela) != 0 ||
		!is_import(machine, &rela))
		return NULL;
	name = relocated_name(elf, &header, &rela);
	return name && *name ? intern_as(strings, name, "got") : NULL;
}

/* The address in the file that a relocation puts into its word; 0: none. */
static uint64_t relocated_address(
	Elf *elf, const struct machine *machine, const GElf_Shdr *header, const GElf_Rela *rela)
{
	Elf_Scn *scn = elf_getscn(elf, header->sh_link);
	GElf_Sym sym;

	if (GELF_R_TYPE(rela->r_info) == machine->relative)
		return (uint64_t)rela->r_addend;
	if (GELF_R_TYPE(rela->r_info) != machine->global_data || !scn ||
		!gelf_getsym(elf_getdata(scn, NULL), (int)GELF_R_SYM(rela->r_info), &sym))
		return 0;
	return sym.st_shndx == SHN_UNDEF ? 0 : sym.st_value + (uint64_t)rela->r_addend;
}

uint64_t elf_find_loaded(Elf *elf, uint64_t addr)
{
	const struct machine *machine = elf_machine(elf);
	GElf_Shdr header;
	GElf_Rela rela;

	return machine && find_relocation(elf, addr, &header, &rela) == 0
		       ? relocated_address(elf, machine, &header, &rela)
		       : 0;
}
