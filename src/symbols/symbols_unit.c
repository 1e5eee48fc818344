/* SPDX-License-Identifier: Apache-2.0 */
/* Walks once over a unit's DIEs, and looks up the results; see symbols_dwarf.h. */
#include <dwarf.h>
#include <stdlib.h>

#include "profile/shared/array.h"
#include "src/symbols/symbols_dwarf.h"

/* Left out are DIEs nested deeper than DEPTH_MAX, and ranges of a DIE beyond RANGES_MAX. */
enum { DEPTH_MAX = 256, RANGES_MAX = 1 << 16 };

struct walk {
	struct unit *unit;
	/* address of the latest DIE. It must grow, else the siblings form a loop */
	const void *last;
};

static uint32_t add_function(struct unit *unit, const Dwarf_Die *die, uint32_t caller)
{
	if (ARRAY_GROW(unit->functions, unit->n_functions, unit->n_functions_allocated) < 0)
		return NO_FUNCTION;
	unit->functions[unit->n_functions] = (struct unit_function){ *die, caller };
	return unit->n_functions++;
}

/* Adds the ranges of `die`, but not ranges that a linker dropped. Returns their number. */
static size_t add_pieces(struct unit *unit, Dwarf_Die *die, uint32_t function, uint32_t depth)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;
	size_t n = 0;

	for (int i = 0; i < RANGES_MAX; i++) {
		offset = dwarf_ranges(die, offset, &base, &low, &high);
		if (offset <= 0)
			break;
		if (low == 0 || low >= high)
			continue;
		if (ARRAY_GROW(unit->pieces, unit->n_pieces, unit->n_pieces_allocated) < 0)
			break;
		unit->pieces[unit->n_pieces++] = (struct unit_piece){
			.low = low, .high = high, .function = function, .depth = depth
		};
		n++;
	}
	return n;
}

/* Adds `die` if it is code. Returns the function into which its children are inlined. */
static uint32_t visit(struct unit *unit, Dwarf_Die *die, int tag, uint32_t caller, uint32_t depth)
{
	uint32_t function;

	if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
		return caller;
	function = add_function(unit, die, tag == DW_TAG_subprogram ? NO_FUNCTION : caller);
	if (function == NO_FUNCTION)
		return caller;
	if (add_pieces(unit, die, function, depth) == 0 && tag == DW_TAG_subprogram) {
		unit->n_functions--;
		return NO_FUNCTION;
	}
	return function;
}

/*
 * Whether functions with code may be below a DIE with this tag. Types only declare their functions,
 * and they are a large part of a C++ unit.
 */
static int is_scope(int tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_common_block:
		return 1;
	default:
		return 0;
	}
}

static void walk_children(struct walk *walk, Dwarf_Die *parent, uint32_t caller, uint32_t depth)
{
	Dwarf_Die die;

	if (depth == DEPTH_MAX || dwarf_child(parent, &die) != 0)
		return;
	do {
		int tag = dwarf_tag(&die);

		if ((const char *)die.addr <= (const char *)walk->last)
			return;
		walk->last = die.addr;
		if (is_scope(tag)) {
			uint32_t function = visit(walk->unit, &die, tag, caller, depth);

			walk_children(walk, &die, function, depth + 1);
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

static int compare_pieces(const void *left, const void *right)
{
	const struct unit_piece *a = left, *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->depth > b->depth) - (a->depth < b->depth);
}

/* Links each piece to the latest piece before it that covers its start. */
static void link_pieces(struct unit *unit)
{
	for (uint32_t i = 0; i < unit->n_pieces; i++) {
		uint32_t outer = i ? i - 1 : NO_FUNCTION;

		while (outer != NO_FUNCTION && unit->pieces[outer].high <= unit->pieces[i].low)
			outer = unit->pieces[outer].outer;
		unit->pieces[i].outer = outer;
	}
}

void unit_walk(struct unit *unit)
{
	struct walk walk = { .unit = unit, .last = unit->root.addr };

	unit->is_walked = 1;
	walk_children(&walk, &unit->root, NO_FUNCTION, 0);
	if (unit->n_pieces)
		qsort(unit->pieces, unit->n_pieces, sizeof(*unit->pieces), compare_pieces);
	link_pieces(unit);
}

const struct unit_piece *unit_find(const struct unit *unit, uint64_t addr)
{
	size_t low = 0, high = unit->n_pieces;
	uint32_t at;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (unit->pieces[middle].low <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	at = low ? low - 1 : NO_FUNCTION;
	while (at != NO_FUNCTION && unit->pieces[at].high <= addr)
		at = unit->pieces[at].outer;
	return at == NO_FUNCTION ? NULL : &unit->pieces[at];
}
