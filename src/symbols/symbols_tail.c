/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the function that ended with a jump into the OpenMP runtime; see symbols_tail(). */
#include <stdio.h>
#include <string.h>

#include "src/symbols/symbols_internal.h"

/* The most functions that are read for one call. */
enum { FUNCTIONS_MOST = 64 };

/* A called function, the functions that it jumps to, and their jumps into the runtime. */
struct tail {
	struct symbols *symbols;
	struct object *object;
	const struct elf_symbol *functions[FUNCTIONS_MOST];
	size_t n_functions;
	uint64_t at;    /* the address of a jump to a function that may wait; 0: none was found */
	int is_unclear; /* there are jumps at several places, or a way that cannot be followed */
};

int symbols_find_call(struct symbols *symbols, struct object *object, uint64_t addr,
	struct elf_call *call, uint64_t *to)
{
	const struct elf_symbol *function;

	*call = (struct elf_call){
		.elf = object->file.main.elf, .debug = object->file.debug.elf, .addr = addr
	};
	if (!call->elf || addr == 0)
		return -1;
	function = symbols_find_elf(symbols, object, addr - 1);
	if (function) {
		call->low = function->low;
		call->high = function->high;
	}
	return elf_find_callee(call, to) ? 0 : -1;
}

const char *symbols_name_at(struct symbols *symbols, struct object *object, uint64_t to)
{
	const struct elf_symbol *found = to ? symbols_find_elf(symbols, object, to) : NULL;

	if (found)
		return found->name;
	return to ? elf_find_imported(&symbols->strings, object->file.main.elf, to) : NULL;
}

/* Whether threads may wait in this function of the runtime. */
static int may_wait(const char *name)
{
	return !strstr(name, "unset") && !strstr(name, "nowait");
}

/* Programs have functions with names that begin with omp_, too. */
static int is_runtimes(const char *name)
{
	static const char *const locks[] = { "omp_set_lock", "omp_set_nest_lock", "omp_unset_lock",
		"omp_unset_nest_lock" };

	for (size_t i = 0; i < sizeof(locks) / sizeof(locks[0]); i++) {
		size_t n = strlen(locks[i]);

		if (strncmp(name, locks[i], n) == 0 && name[n + (name[n] == '_')] == '@')
			return 1;
	}
	return elf_is_runtimes(name);
}

/* Whether the function is a compiler's, and continues at an address from a register. */
static int is_thunk(const char *name)
{
	return strstr(name, "_indirect_thunk") || strstr(name, "_retpoline") ||
	       strstr(name, "_lvi_thunk");
}

static const struct elf_symbol *function_at(const struct tail *tail, uint64_t addr)
{
	const struct elf_symbol *found = symbols_find_elf(tail->symbols, tail->object, addr);

	return found && found->low == addr ? found : NULL;
}

/* Whether two jumps have a line and are in the same functions, at each level, at the same lines. */
static int is_same_place(const struct tail *tail, uint64_t left, uint64_t right)
{
	struct symbol here[SYMBOLS_MAX_DEPTH], there[SYMBOLS_MAX_DEPTH];
	size_t n = symbols_look_up(tail->symbols, tail->object, left, here);

	if (n != symbols_look_up(tail->symbols, tail->object, right, there))
		return 0;
	for (size_t i = 0; i < n; i++)
		if (!here[i].line || here[i].line != there[i].line ||
			strcmp(here[i].file, there[i].file) != 0 ||
			strcmp(here[i].linkage, there[i].linkage) != 0)
			return 0;
	return 1;
}

static void add_jump(struct tail *tail, uint64_t addr)
{
	if (!tail->at)
		tail->at = addr;
	else if (!is_same_place(tail, tail->at, addr))
		tail->is_unclear = 1;
}

static void add_function(struct tail *tail, const struct elf_symbol *function)
{
	for (size_t i = 0; i < tail->n_functions; i++)
		if (tail->functions[i] == function)
			return;
	if (tail->n_functions < FUNCTIONS_MOST)
		tail->functions[tail->n_functions++] = function;
	else
		tail->is_unclear = 1;
}

/* Adds a jump from one address to another; `to` is as elf_next_jump() has it. */
static void follow(struct tail *tail, uint64_t from, uint64_t to)
{
	const char *name = symbols_name_at(tail->symbols, tail->object, to);

	if (name && is_runtimes(name)) {
		if (may_wait(name))
			add_jump(tail, from);
	} else if (name && !strchr(name, '@') && !is_thunk(name)) {
		add_function(tail, symbols_find_elf(tail->symbols, tail->object, to));
	} else {
		tail->is_unclear = 1;
	}
}

/* Finds the jumps of a function, and of the functions that it jumps to. */
static void find_jumps(struct tail *tail, const struct elf_symbol *first)
{
	add_function(tail, first);
	for (size_t i = 0; i < tail->n_functions && !tail->is_unclear; i++) {
		struct elf_call code = { .elf = tail->object->file.main.elf,
			.low = tail->functions[i]->low,
			.high = tail->functions[i]->high };
		uint64_t at = code.low, jump, to;
		int found;

		while ((found = elf_next_jump(&code, &at, &jump, &to)) > 0)
			follow(tail, jump, to);
		tail->is_unclear |= found < 0;
	}
}

void symbols_find_tail(
	struct symbols *symbols, struct object *object, uint64_t addr, struct symbol *found)
{
	struct tail tail = { .symbols = symbols, .object = object };
	struct elf_call call;
	uint64_t to;
	const char *name;
	char text[512] = "unknown function";

	if (symbols_find_call(symbols, object, addr, &call, &to) != 0)
		return;
	name = symbols_name_at(symbols, object, to);
	if (name && is_runtimes(name))
		return;
	if (name && strchr(name, '@')) {
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(name, "@"), name);
	} else if (name && function_at(&tail, to) && !is_thunk(name)) {
		find_jumps(&tail, function_at(&tail, to));
		found->line = tail.at && !tail.is_unclear;
		snprintf(text, sizeof(text), "0x%llx",
			(unsigned long long)(found->line ? tail.at : to));
	}
	found->name = strings_intern(&symbols->strings, text);
}
