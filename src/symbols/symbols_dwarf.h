/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An index over libdw: compile units by address range, and the ranges of functions and inlined
 * calls for each unit that was used. One walk of the unit's DIEs finds them. A lookup is then a
 * binary search per level. It returns DIEs and lines; the caller finds the names.
 */
#ifndef OMPPROF_SRC_SYMBOLS_SYMBOLS_DWARF_H
#define OMPPROF_SRC_SYMBOLS_SYMBOLS_DWARF_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

#include "src/symbols/symbols_strings.h"

/* A DW_TAG_subprogram with code, or a DW_TAG_inlined_subroutine. */
struct unit_function {
	Dwarf_Die die;
	uint32_t caller; /* index of the function into which it was inlined, or NO_FUNCTION */
};

#define NO_FUNCTION UINT32_MAX

/* A range of a function's code. A function may have several ranges. */
struct unit_piece {
	uint64_t low, high;
	uint32_t function;
	uint32_t depth; /* of the DIE */
	uint32_t outer; /* index of the piece around this piece, or NO_FUNCTION */
};

struct unit {
	Dwarf_Die cu;   /* contains the line table */
	Dwarf_Die root; /* contains the functions: cu, or its split unit in a .dwo file */
	int is_walked;
	struct unit_function *functions;
	size_t n_functions, n_functions_allocated;
	struct unit_piece *pieces; /* sorted by low once the unit was walked */
	size_t n_pieces, n_pieces_allocated;
};

/* Collects the functions and pieces of `unit` (symbols_unit.c). Malformed entries are left out. */
void unit_walk(struct unit *unit);

/* The innermost piece that covers `addr`, or NULL. The unit must have been walked. */
const struct unit_piece *unit_find(const struct unit *unit, uint64_t addr);

/*
 * The path of `file` in a unit's line table, interned. A relative path gets the directory of the
 * compilation in front (symbols_line.c).
 */
const char *source_path(struct strings *strings, Dwarf_Die *cu, const char *file);

/* As source_path(), by a file's number in `attr` (DW_AT_call_file, ...). "" for NULL. */
const char *source_file(struct strings *strings, Dwarf_Attribute *attr);

/*
 * The file (as source_path() takes it) and the line of `addr` by the unit's line table. `piece` is
 * the innermost piece at `addr`, or NULL. If the row has line 0, another row of the same function
 * is used. Returns 0, or -1 when there is no row.
 */
int unit_line(struct unit *unit, uint64_t addr, const struct unit_piece *piece, const char **file,
	uint32_t *line);

/*
 * The file (as source_path() takes it) and the line of the first row at `low`, and the last line of
 * its function in that file within [low, high), without inlined code. Does not change them if there
 * is no line.
 */
void unit_extent(struct unit *unit, uint64_t low, uint64_t high, const char **file, uint32_t *first,
	uint32_t *last);

/*
 * The MD5 of `file` (as source_path() returns it) in the line table of the unit, whose debug
 * information is in `elf` (symbols_md5.c). Returns 0. Returns 1 if the unit names the file without
 * an MD5 that can be read, and -1 if the unit does not name the file.
 */
int unit_source_md5(
	struct unit *unit, Elf *elf, struct strings *strings, const char *file, uint8_t md5[16]);

struct dwarf_range {
	uint64_t low, high;
	uint64_t high_max; /* the largest `high` of this range and all earlier ranges */
	uint32_t unit;
};

struct dwarf_index {
	struct strings *strings; /* for paths; not owned */
	struct unit *units;
	size_t n_units, n_units_allocated;
	struct dwarf_range *ranges; /* sorted by low */
	size_t n_ranges, n_ranges_allocated;
	int lacks_part; /* the .dwo file of a unit does not exist */
};

/* A level of an address' inline chain. The innermost level comes first. */
struct dwarf_frame {
	Dwarf_Die die; /* valid if has_die */
	int has_die;   /* 0: a line without a function; then this is the only frame */
	int is_inlined;
	const char *file; /* interned; "" if unknown */
	uint32_t line;
};

/*
 * Returns 0. If not all units could be read, returns -1 with the error of libdw, or 1 when out of
 * memory. The others are there.
 */
int dwarf_index_build(struct dwarf_index *index, Dwarf *dwarf, struct strings *strings);

/*
 * Fills at most `max` (> 1) frames and returns their number, 0 if there is no debug information for
 * `addr`. A longer chain loses frames before its last frame, which is the function that contains
 * the code.
 */
size_t dwarf_index_find(
	struct dwarf_index *index, uint64_t addr, struct dwarf_frame *frames, size_t max);

/* The file, interned, and the lines of the function at `low`; see unit_extent(). */
void dwarf_index_extent(struct dwarf_index *index, uint64_t low, uint64_t high, const char **file,
	uint32_t *first, uint32_t *last);

/* The same as unit_source_md5() for the units at `addr`. */
int dwarf_index_md5(
	struct dwarf_index *index, Elf *elf, uint64_t addr, const char *file, uint8_t md5[16]);

void dwarf_index_release(struct dwarf_index *index);

#endif
