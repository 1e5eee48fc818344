/* SPDX-License-Identifier: Apache-2.0 */
/* Names of variables in an ELF file, and which one a call of a critical section is passed. */
#include "src/symbols_elf.h"

#include <string.h>

/*
 * How far before a call its argument is set, and how long a function may be. FIRST and THIRD are the
 * numbers of the registers of arguments, as instructions encode them.
 */
enum { NEAR_BYTES = 48, FAR_BYTES = 1 << 16, FIRST = 7, THIRD = 2, CALL_BYTES = 5 };

static const char prefix[] = ".gomp_critical_user_";

/* A symbol table under way. */
struct variables {
	Elf *from;
	GElf_Shdr header;
	Elf_Data *data;
	size_t n;
};

static int open_variables(struct variables *variables, Elf *elf, Elf *debug)
{
	Elf_Scn *scn = elf_find_table(&variables->from, elf, debug, &variables->header);

	variables->data = scn ? elf_getdata(scn, NULL) : NULL;
	if (!variables->data || !variables->header.sh_entsize)
		return 0;
	variables->n = variables->data->d_size / variables->header.sh_entsize;
	return 1;
}

/* The name of symbol i, if it is a variable; fills *sym. */
static const char *variable_name(const struct variables *variables, size_t i, GElf_Sym *sym)
{
	const char *name;

	if (!gelf_getsym(variables->data, i, sym) || GELF_ST_TYPE(sym->st_info) != STT_OBJECT ||
		sym->st_shndx == SHN_UNDEF)
		return NULL;
	name = elf_strptr(variables->from, variables->header.sh_link, sym->st_name);
	return name && *name ? name : NULL;
}

const char *elf_find_variable(struct strings *strings, Elf *elf, Elf *debug, uint64_t addr)
{
	struct variables variables;

	if (!open_variables(&variables, elf, debug))
		return NULL;
	for (size_t i = 0; i < variables.n && i < INT32_MAX; i++) {
		GElf_Sym sym;
		const char *name = variable_name(&variables, i, &sym);

		if (name && addr >= sym.st_value &&
			addr - sym.st_value < (sym.st_size ? sym.st_size : 1))
			return strings_intern(strings, name);
	}
	return NULL;
}

/* The bytes of code in [low, high), or NULL. */
static const unsigned char *find_code(Elf *elf, uint64_t low, uint64_t high)
{
	for (Elf_Scn *scn = elf_nextscn(elf, NULL); scn; scn = elf_nextscn(elf, scn)) {
		GElf_Shdr header;
		Elf_Data *data;

		if (!gelf_getshdr(scn, &header) || !(header.sh_flags & SHF_EXECINSTR) ||
			header.sh_type == SHT_NOBITS || low < header.sh_addr ||
			high - header.sh_addr > header.sh_size || high < low)
			continue;
		data = elf_rawdata(scn, NULL);
		if (data && data->d_buf && data->d_size >= high - header.sh_addr)
			return (const unsigned char *)data->d_buf + (low - header.sh_addr);
	}
	return NULL;
}

/* Code of a function up to a call, and the critical sections' variables. */
struct search {
	const unsigned char *code;
	uint64_t low, end; /* addresses of code, and behind its last byte */
	struct variables variables;
};

static int32_t word_at(const unsigned char *bytes)
{
	int32_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

/* The critical section's variable at exactly this address, or NULL. */
static const char *critical_at(const struct search *search, uint64_t addr)
{
	for (size_t i = 0; i < search->variables.n && i < INT32_MAX; i++) {
		GElf_Sym sym;
		const char *name = variable_name(&search->variables, i, &sym);

		if (name && sym.st_value == addr && strncmp(name, prefix, sizeof(prefix) - 1) == 0)
			return name;
	}
	return NULL;
}

/*
 * The variable whose address the instruction at `at` loads into a register: `lea x(%rip), %reg` or
 * `mov $x, %reg`; NULL if it is no such.
 */
static const char *loaded_at(const struct search *search, uint64_t at, unsigned reg)
{
	const unsigned char *bytes = search->code + (at - search->low);
	unsigned rex = 0x48 | (reg >> 3) << 2;

	if (at + 7 <= search->end && bytes[0] == rex && bytes[1] == 0x8d &&
		bytes[2] == (0x05 | (reg & 7) << 3))
		return critical_at(search, at + 7 + (uint64_t)(int64_t)word_at(bytes + 3));
	if (at + 7 <= search->end && bytes[0] == (0x48 | reg >> 3) && bytes[1] == 0xc7 &&
		bytes[2] == (0xc0 | (reg & 7)))
		return critical_at(search, (uint64_t)(int64_t)word_at(bytes + 3));
	if (at + 6 <= search->end && reg >= 8 && bytes[0] == 0x41 && bytes[1] == (0xb8 | (reg & 7)))
		return critical_at(search, (uint32_t)word_at(bytes + 2));
	if (at + 5 <= search->end && reg < 8 && bytes[0] == (0xb8 | reg))
		return critical_at(search, (uint32_t)word_at(bytes + 1));
	return NULL;
}

/* The register that the instruction at `at` copies into `to`, or -1. */
static int copied_at(const struct search *search, uint64_t at, unsigned to)
{
	const unsigned char *bytes = search->code + (at - search->low);

	if (at + 3 > search->end || (bytes[0] & 0xfb) != 0x48 || bytes[1] != 0x89 ||
		(bytes[2] & 0xc7) != (0xc0 | to))
		return -1;
	return (bytes[0] & 4) << 1 | (bytes[2] >> 3 & 7);
}

/* Whether the instruction at `at` loads `to` from memory: then it is not known what. */
static int is_reload(const struct search *search, uint64_t at, unsigned to)
{
	const unsigned char *bytes = search->code + (at - search->low);

	return at + 4 <= search->end && bytes[0] == 0x48 && bytes[1] == 0x8b &&
	       (bytes[2] & 0xc0) != 0xc0 && (bytes[2] >> 3 & 7) == to;
}

/* What the function keeps in a register: a variable if it loads no other into it, or NULL. */
static const char *kept_in(const struct search *search, unsigned reg)
{
	const char *kept = NULL;

	for (uint64_t at = search->low; at < search->end; at++) {
		const char *name = loaded_at(search, at, reg);

		if (name && kept && strcmp(name, kept) != 0)
			return NULL;
		kept = name ? name : kept;
	}
	return kept;
}

/* The variable in the argument's register at the call: what was done to it last decides. */
static const char *passed_in(const struct search *search, unsigned reg)
{
	uint64_t first =
		search->end - search->low > NEAR_BYTES ? search->end - NEAR_BYTES : search->low;

	for (uint64_t at = search->end; at-- > first;) {
		const char *name = loaded_at(search, at, reg);
		int from = copied_at(search, at, reg);

		if (name)
			return name;
		if (from >= 0)
			return kept_in(search, (unsigned)from);
		if (is_reload(search, at, reg))
			return NULL;
	}
	return NULL;
}

uint64_t elf_find_callee(Elf *elf, uint64_t addr)
{
	const unsigned char *call =
		elf && addr > CALL_BYTES ? find_code(elf, addr - CALL_BYTES, addr) : NULL;

	return call && call[0] == 0xe8 ? addr + (uint64_t)(int64_t)word_at(call + 1) : 0;
}

const char *elf_find_critical(struct strings *strings, const struct elf_call *call)
{
	struct search search = { .low = call->low, .end = call->addr - CALL_BYTES };
	const char *name;
	unsigned reg;

	if (strncmp(call->callee, "__kmpc_critical", 15) == 0)
		reg = THIRD;
	else if (strncmp(call->callee, "GOMP_critical_name_start", 24) == 0)
		reg = FIRST;
	else
		return NULL;
	if (search.end <= search.low || search.end - search.low > FAR_BYTES)
		return NULL;
	search.code = find_code(call->elf, search.low, search.end);
	if (!search.code || !open_variables(&search.variables, call->elf, call->debug))
		return NULL;
	name = passed_in(&search, reg);
	return name ? strings_intern(strings, name) : NULL;
}
