/* SPDX-License-Identifier: Apache-2.0 */
/* Finds units by address, and the inline chain of an address; see symbols_dwarf.h. */
#include "src/symbols/symbols_dwarf.h"

#include <dwarf.h>
#include <stdlib.h>

#include "profile/shared/array.h"

/* Later ranges of a unit are left out. */
enum { RANGES_MAX = 1 << 20 };

static int add_ranges(struct dwarf_index *index, Dwarf_Die *cu, uint32_t unit)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;

	for (int i = 0; i < RANGES_MAX; i++) {
		offset = dwarf_ranges(cu, offset, &base, &low, &high);
		if (offset <= 0)
			return 0;
		if (low >= high)
			continue;
		if (ARRAY_GROW(index->ranges, index->n_ranges, index->n_ranges_allocated) < 0)
			return -1;
		index->ranges[index->n_ranges++] =
			(struct dwarf_range){ .low = low, .high = high, .unit = unit };
	}
	return 0;
}

static int add_unit(struct dwarf_index *index, Dwarf_Die *cu, Dwarf_Die *split)
{
	struct unit *unit;

	if (ARRAY_GROW(index->units, index->n_units, index->n_units_allocated) < 0)
		return -1;
	unit = &index->units[index->n_units];
	*unit = (struct unit){ .cu = *cu, .root = split->addr ? *split : *cu };
	return add_ranges(index, cu, index->n_units++);
}

static int compare_ranges(const void *left, const void *right)
{
	const struct dwarf_range *a = left, *b = right;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->high < b->high) - (a->high > b->high);
}

static void sort_ranges(struct dwarf_index *index)
{
	uint64_t high_max = 0;

	if (index->n_ranges)
		qsort(index->ranges, index->n_ranges, sizeof(*index->ranges), compare_ranges);
	for (size_t i = 0; i < index->n_ranges; i++) {
		if (index->ranges[i].high > high_max)
			high_max = index->ranges[i].high;
		index->ranges[i].high_max = high_max;
	}
}

int dwarf_index_build(struct dwarf_index *index, Dwarf *dwarf, struct strings *strings)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	uint8_t type;
	int status, is_out_of_memory = 0;

	index->strings = strings;
	while ((status = dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, &split)) == 0) {
		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		if (type == DW_UT_compile)
			split.addr = NULL;
		else if (!split.addr)
			index->lacks_part = 1;
		if (add_unit(index, &die, &split) < 0) {
			is_out_of_memory = 1;
			break;
		}
	}
	sort_ranges(index);
	return is_out_of_memory ? 1 : status < 0 ? -1 : 0;
}

/* Sets the caller's file and line: where it calls the inlined `die`. */
static void call_place(struct strings *strings, Dwarf_Die *die, struct dwarf_frame *caller)
{
	Dwarf_Attribute attr;
	Dwarf_Word number;

	caller->line = 0;
	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &number) == 0 &&
		number <= UINT32_MAX)
		caller->line = number;
	caller->file = source_file(strings, dwarf_attr(die, DW_AT_call_file, &attr));
}

/* Fills the frames from the innermost outwards. frames[0] has its file and line already. */
static size_t fill_frames(struct dwarf_index *index, const struct unit *unit, uint32_t function,
	struct dwarf_frame *frames, size_t max)
{
	struct dwarf_frame *callee = NULL;
	size_t n = 0;

	while (function != NO_FUNCTION) {
		struct unit_function *found = &unit->functions[function];
		struct dwarf_frame *frame = &frames[n < max ? n : max - 1];

		if (callee)
			call_place(index->strings, &callee->die, frame);
		frame->die = found->die;
		frame->has_die = 1;
		frame->is_inlined = found->caller != NO_FUNCTION;
		function = found->caller;
		callee = frame;
		n++;
	}
	return n < max ? n : max;
}

static size_t find_in_unit(struct dwarf_index *index, struct unit *unit, uint64_t addr,
	struct dwarf_frame *frames, size_t max)
{
	const struct unit_piece *piece;
	const char *file = NULL;
	int has_line;

	if (!unit->is_walked)
		unit_walk(unit);
	piece = unit_find(unit, addr);
	frames[0] = (struct dwarf_frame){ 0 };
	has_line = unit_line(unit, addr, piece, &file, &frames[0].line) == 0;
	frames[0].file = source_path(index->strings, &unit->cu, file);
	if (!piece)
		return has_line;
	return fill_frames(index, unit, piece->function, frames, max);
}

size_t dwarf_index_find(
	struct dwarf_index *index, uint64_t addr, struct dwarf_frame *frames, size_t max)
{
	size_t low = 0, high = index->n_ranges, n = 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (index->ranges[middle].low <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low > 0 && index->ranges[low - 1].high_max > addr; low--) {
		const struct dwarf_range *range = &index->ranges[low - 1];

		if (range->high <= addr)
			continue;
		n = find_in_unit(index, &index->units[range->unit], addr, frames, max);
		if (n && frames[0].has_die)
			return n;
	}
	return n;
}

void dwarf_index_extent(struct dwarf_index *index, uint64_t low, uint64_t high, const char **file,
	uint32_t *first, uint32_t *last)
{
	for (size_t i = 0; i < index->n_ranges && index->ranges[i].low <= low; i++) {
		struct unit *unit = &index->units[index->ranges[i].unit];
		const char *name = NULL;

		if (index->ranges[i].high <= low)
			continue;
		if (!unit->is_walked)
			unit_walk(unit);
		unit_extent(unit, low, high, &name, first, last);
		if (!name)
			continue;
		*file = source_path(index->strings, &unit->cu, name);
		return;
	}
}

int dwarf_index_md5(
	struct dwarf_index *index, Elf *elf, uint64_t addr, const char *file, uint8_t md5[16])
{
	int status = -1;

	for (size_t i = 0; i < index->n_ranges && index->ranges[i].low <= addr; i++) {
		int found;

		if (index->ranges[i].high <= addr)
			continue;
		found = unit_source_md5(
			&index->units[index->ranges[i].unit], elf, index->strings, file, md5);
		if (found == 0)
			return 0;
		status = found > 0 ? found : status;
	}
	return status;
}

void dwarf_index_release(struct dwarf_index *index)
{
	for (size_t i = 0; i < index->n_units; i++) {
		free(index->units[i].functions);
		free(index->units[i].pieces);
	}
	free(index->units);
	free(index->ranges);
	*index = (struct dwarf_index){ 0 };
}
