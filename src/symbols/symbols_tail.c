/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the function that ended with a jump into the OpenMP runtime; see symbols_tail(). */
#include <stdio.h>
#include <string.h>

#include "src/symbols/machine.h"
#include "src/symbols/symbols_internal.h"

enum {
	DEPTH_MOST = 4, /* a jump to a function that jumps, and so on */
	FUNCTIONS_MOST = 64,
};

struct tail {
	struct symbols *symbols;
	struct object *object;
	uint64_t at;    /* the address of a jump to a function that waits; 0: none was found */
	int is_unclear; /* there are jumps at several lines, or code that cannot be read */
	unsigned n_functions;
};

/* Whether threads wait in a function of this name that compilers or programs call. */
static int is_wait(const char *name)
{
	static const char *const parts[] = { "_barrier", "_taskwait", "_taskgroup", "loop_end",
		"sections_end", "set_lock", "set_nest_lock" };

	if (strstr(name, "unset") || strstr(name, "nowait"))
		return 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strstr(name, parts[i]))
			return 1;
	return 0;
}

static int is_runtimes(const char *name)
{
	return elf_is_runtimes(name) || strncmp(name, "omp_", 4) == 0;
}

static const struct elf_symbol *function_at(const struct tail *tail, uint64_t addr)
{
	const struct elf_symbol *found = symbols_find_elf(tail->symbols, tail->object, addr);

	return found && found->low == addr ? found : NULL;
}

/* The line of an address, and its file; 0 if not known. */
static uint32_t line_of(const struct tail *tail, uint64_t addr, const char **file)
{
	struct dwarf_frame frames[SYMBOLS_MAX_DEPTH];

	*file = "";
	if (!tail->object->file.dwarf ||
		!dwarf_index_find(&tail->object->index, addr, frames, SYMBOLS_MAX_DEPTH))
		return 0;
	*file = frames[0].file;
	return frames[0].line;
}

static int has_same_line(const struct tail *tail, uint64_t addr)
{
	const char *here, *there;
	uint32_t line = line_of(tail, addr, &here);

	return line == line_of(tail, tail->at, &there) && strcmp(here, there) == 0;
}

static void add_jump(struct tail *tail, uint64_t addr)
{
	if (!tail->at)
		tail->at = addr;
	else if (!has_same_line(tail, addr))
		tail->is_unclear = 1;
}

/* Finds the jumps of a function, and of the functions that it jumps to. */
static void find_jumps(struct tail *tail, const struct elf_symbol *function, unsigned depth)
{
	struct elf_call code = {
		.elf = tail->object->file.main.elf, .low = function->low, .high = function->high
	};
	uint64_t at = code.low, jump, addr;
	int found = -1;

	if (depth < DEPTH_MOST && tail->n_functions++ < FUNCTIONS_MOST)
		while ((found = elf_next_jump(&code, &at, &jump, &addr)) > 0) {
			const struct elf_symbol *to = function_at(tail, addr);

			if (to && is_runtimes(to->name) && is_wait(to->name))
				add_jump(tail, jump);
			else if (to && !strchr(to->name, '@'))
				find_jumps(tail, to, depth + 1);
		}
	tail->is_unclear |= found < 0;
}

/* The function of this object that an entry of the PLT, NAME@plt, leads to; or NULL. */
static const struct elf_symbol *behind_plt(
	const struct tail *tail, const char *name, size_t n_bytes)
{
	const struct elf_symbols *table = &tail->object->elf_symbols;

	for (size_t i = 0; i < table->n; i++)
		if (strncmp(table->symbols[i].name, name, n_bytes) == 0 &&
			!table->symbols[i].name[n_bytes])
			return function_at(tail, table->symbols[i].low);
	return NULL;
}

void symbols_find_tail(
	struct symbols *symbols, struct object *object, uint64_t addr, struct symbol *found)
{
	struct tail tail = { .symbols = symbols, .object = object };
	uint64_t to = object->file.main.elf ? elf_find_callee(object->file.main.elf, addr) : 0;
	const struct elf_symbol *callee = to ? function_at(&tail, to) : NULL;
	const char *name = callee ? callee->name : NULL;
	char text[512];

	if (!callee || is_runtimes(name))
		return;
	if (strchr(name, '@'))
		callee = behind_plt(&tail, name, strcspn(name, "@"));
	if (callee) {
		find_jumps(&tail, callee, 0);
		found->line = tail.at && !tail.is_unclear;
		snprintf(text, sizeof(text), "0x%llx",
			(unsigned long long)(found->line ? tail.at : callee->low));
	} else {
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(name, "@"), name);
	}
	found->name = strings_intern(&symbols->strings, text);
}
