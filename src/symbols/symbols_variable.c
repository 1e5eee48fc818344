/* SPDX-License-Identifier: Apache-2.0 */
/* Finds names of variables, and the address that a call passes to the OpenMP runtime. */
#include "src/symbols/symbols_elf.h"

#include <string.h>

#include "src/symbols/machine.h"

/* The most bytes of code before a call that are read. */
enum { FAR_BYTES = 1 << 16 };

static const char prefix[] = ".gomp_critical_user_";

/* A symbol table. */
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

/* Reads symbol i into *sym. Returns its name if it is a variable, else NULL. */
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

/* The code in [low, high), or NULL if no section of the file has all of it. */
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

/* A function's code. */
struct search {
	const struct machine *machine;
	const unsigned char *code;
	/* the address of the first byte of code, of the call, and behind the last byte */
	uint64_t low, end, high;
};

/* The variable of a critical section at exactly this address, or NULL. */
static const char *critical_at(const struct variables *variables, uint64_t addr)
{
	for (size_t i = 0; i < variables->n && i < INT32_MAX; i++) {
		GElf_Sym sym;
		const char *name = variable_name(variables, i, &sym);

		if (name && sym.st_value == addr && strncmp(name, prefix, sizeof(prefix) - 1) == 0)
			return name;
	}
	return NULL;
}

/* Reads an instruction and moves *at behind it. Returns 0 at the call or if it is not known. */
static int next_code(const struct search *search, uint64_t *at, struct code_instruction *code)
{
	if (*at >= search->end || !search->machine->read(code, search->code + (*at - search->low),
					  (size_t)(search->end - *at), *at))
		return 0;
	*at += code->length;
	if (code->kind == CODE_CALL)
		code->writes |= search->machine->scratch;
	return 1;
}

/* Whether all instructions before the call can be read. */
static int is_readable(const struct search *search)
{
	struct code_instruction code;
	uint64_t at = search->low;

	while (next_code(search, &at, &code))
		;
	return at == search->end;
}

/* Whether the function gets to `to` only by running from `from` on. */
static int is_straight(const struct search *search, uint64_t from, uint64_t to)
{
	struct search all = *search;
	struct code_instruction code;

	all.end = all.high;
	for (uint64_t at = all.low, begin = at; next_code(&all, &at, &code); begin = at) {
		int is_inside = begin >= from && begin < to;

		if (code.kind == CODE_JUMP && !code.value)
			return 0;
		if (code.kind != CODE_JUMP && code.kind != CODE_BRANCH && code.kind != CODE_END)
			continue;
		if (is_inside ? code.kind != CODE_BRANCH : code.value >= from && code.value <= to)
			return 0;
	}
	return 1;
}

static int is_address(const struct code_instruction *code)
{
	return code->kind == CODE_ADDRESS || (code->kind == CODE_LOAD && !code->is_by_register);
}

/*
 * The address that the function keeps in a register that calls preserve. 0 if the function puts
 * anything else into the register; behind the call it may restore the caller's value.
 */
static uint64_t kept_in(const struct search *search, unsigned reg)
{
	struct search all = *search;
	struct code_instruction code;
	uint64_t at = search->low, kept = 0;

	all.end = all.high;
	while (next_code(&all, &at, &code)) {
		if (!(code.writes >> reg & 1) || (at > search->end && code.kind == CODE_OTHER))
			continue;
		if (!is_address(&code) || (kept && code.value != kept))
			return 0;
		kept = code.value;
	}
	return kept;
}

/* The last instruction before `until` that writes a register; *begin and *end: where it is. */
static struct code_instruction last_write(
	const struct search *search, unsigned reg, uint64_t until, uint64_t *begin, uint64_t *end)
{
	struct code_instruction code, last = { .kind = CODE_OTHER };
	uint64_t at = search->low, from = at;

	for (; from < until && next_code(search, &at, &code); from = at) {
		if (!(code.writes >> reg & 1))
			continue;
		last = code;
		*begin = from;
		*end = at;
	}
	return last;
}

/*
 * The address in a register at the call, or of the word that was loaded into it, as the last write
 * decides; 0: not known. A sum with the loaded word is not known.
 */
static uint64_t passed_in(const struct search *search, unsigned reg)
{
	uint64_t begin = search->end, end = search->end, more = 0;
	int is_loaded = 0;

	for (;;) {
		struct code_instruction last = last_write(search, reg, begin, &begin, &end);
		int is_load = last.kind == CODE_LOAD;

		if (is_load && (more || is_loaded))
			return 0;
		if ((!is_load && last.kind != CODE_ADDRESS && last.kind != CODE_COPY) ||
			!is_straight(search, end, search->end))
			return more || is_loaded || search->machine->scratch >> reg & 1
				       ? 0
				       : kept_in(search, reg);
		more += last.value;
		if (is_address(&last))
			return more;
		is_loaded |= is_load;
		reg = last.from;
	}
}

/* The machine of the file if its calls can be read; or NULL. */
static const struct machine *find_machine(Elf *elf)
{
	const struct machine *machine = elf_machine(elf);

	return machine && machine->read ? machine : NULL;
}

/* Fills *search for the function around a call, with its end at `end`. Returns 0 or -1. */
static int open_search(struct search *search, const struct elf_call *call,
	const struct machine *machine, uint64_t end)
{
	*search = (struct search){ .machine = machine, .low = call->low, .high = call->high };
	search->end = end;
	if (end <= call->low || call->high < end || call->high - call->low > FAR_BYTES)
		return -1;
	search->code = find_code(call->elf, call->low, call->high);
	return search->code ? 0 : -1;
}

/*
 * Reads the call that ends at call->addr. Returns 0 if there is none. Only the instructions from
 * the function's begin on tell where a call by a register begins.
 */
static int read_call(
	const struct elf_call *call, const struct machine *machine, struct code_instruction *code)
{
	struct search search;
	uint64_t at = call->low;

	for (const uint8_t *bytes = machine->call_bytes; *bytes && call->addr > *bytes; bytes++) {
		uint64_t from = call->addr - *bytes;
		const unsigned char *begin = find_code(call->elf, from, call->addr);

		if (begin && machine->read(code, begin, *bytes, from) && code->length == *bytes &&
			code->kind == CODE_CALL)
			return 1;
	}
	*code = (struct code_instruction){ .kind = CODE_OTHER };
	if (open_search(&search, call, machine, call->addr) != 0)
		return 0;
	while (next_code(&search, &at, code))
		;
	return at == call->addr && code->kind == CODE_CALL;
}

/* The address that the call passes in a register, or of the word that was loaded into it; or 0. */
static uint64_t find_passed(
	const struct elf_call *call, const struct machine *machine, unsigned reg)
{
	struct code_instruction code;
	struct search search;

	if (!read_call(call, machine, &code) ||
		open_search(&search, call, machine, call->addr - code.length) != 0)
		return 0;
	return is_readable(&search) ? passed_in(&search, reg) : 0;
}

int elf_find_callee(const struct elf_call *call, uint64_t *to)
{
	const struct machine *machine = find_machine(call->elf);
	struct code_instruction code;

	if (!machine || !read_call(call, machine, &code))
		return 0;
	*to = code.is_by_register ? find_passed(call, machine, code.from) : code.value;
	return 1;
}

int elf_next_jump(const struct elf_call *call, uint64_t *at, uint64_t *jump, uint64_t *to)
{
	struct search search = { .machine = find_machine(call->elf), .low = call->low };
	struct code_instruction code;

	search.end = call->high;
	if (!search.machine || call->high - call->low > FAR_BYTES)
		return -1;
	search.code = find_code(call->elf, call->low, call->high);
	if (!search.code)
		return -1;
	for (*jump = *at; next_code(&search, at, &code); *jump = *at) {
		*to = code.value;
		if ((code.kind == CODE_JUMP || code.kind == CODE_BRANCH) &&
			(code.value < call->low || code.value >= call->high))
			return 1;
	}
	return *at == call->high ? 0 : -1;
}

static int begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

const char *elf_find_critical(struct strings *strings, const struct elf_call *call)
{
	const struct machine *machine = find_machine(call->elf);
	struct variables variables;
	const char *name;
	uint64_t passed;
	unsigned reg;

	if (!machine)
		return NULL;
	if (begins(call->callee, "__kmpc_critical"))
		reg = machine->third_argument;
	else if (begins(call->callee, "GOMP_critical_name_start"))
		reg = machine->first_argument;
	else
		return NULL;
	if (!open_variables(&variables, call->elf, call->debug))
		return NULL;
	passed = find_passed(call, machine, reg);
	name = critical_at(&variables, passed);
	if (!name && passed)
		name = critical_at(&variables, elf_find_loaded(call->elf, passed));
	return name ? strings_intern(strings, name) : NULL;
}

uint64_t elf_find_body(const struct elf_call *call)
{
	const struct machine *machine = find_machine(call->elf);

	if (!machine)
		return 0;
	if (begins(call->callee, "__kmpc_fork_"))
		return find_passed(call, machine, machine->third_argument);
	if (begins(call->callee, "GOMP_parallel") || begins(call->callee, "GOMP_teams_reg") ||
		begins(call->callee, "GOMP_taskloop") || strcmp(call->callee, "GOMP_task") == 0 ||
		begins(call->callee, "GOMP_task@"))
		return find_passed(call, machine, machine->first_argument);
	return 0;
}

int elf_is_runtimes(const char *callee)
{
	return begins(callee, "__kmpc_") || begins(callee, "GOMP_") || begins(callee, "__tgt_");
}
