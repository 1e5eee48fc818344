/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call frame information of one object, compiled: for every address the rule that holds there.
 *
 *   index[b]   the first row within block b of 256 bytes; one more entry at the end
 *   rows[i]    from this offset in its block up to the next row this rule holds
 *   rules[r]   each rule once; rules[0] says that there is none
 *
 *   functions[f], code_rows[i]   of functions that have no rules, what their instructions say of their
 *              frames; apart from the rules: it is only believed where it can be proven
 *
 * The rule at an address is that of the last row at or before it, within its block or, where the
 * block has none so far, at the end of an earlier one. Immutable once built. Addresses are those in
 * this process.
 */
#ifndef OMPPROF_UNWINDER_CORE_TABLE_H
#define OMPPROF_UNWINDER_CORE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "unwinder/core/code_rows.h"
#include "unwinder/core/prepare.h"
#include "unwinder/core/rule.h"

#define TABLE_BLOCK_SHIFT 8

struct table_row {
	uint16_t offset; /* in the block */
	uint16_t rule;
};

/* A function without call frame information. */
struct table_function {
	uint32_t begin; /* from text_lo */
	uint32_t size;
	uint32_t row; /* its first */
};

struct table {
	uint64_t lo; /* the code that it covers, [lo, lo + size) */
	uint64_t size;
	const uint32_t *index;
	const struct table_row *rows;
	const struct rule *rules;
	uint64_t text_lo, text_bytes;           /* code that can be read; not known for all */
	const struct table_function *functions; /* by address; one more at the end */
	const struct code_row *code_rows;
	uint32_t n_functions;
	void *memory; /* holds all these; NULL: there is no table */
	size_t n_bytes;
	uint32_t n_rows;
	uint32_t n_rules;
	uint64_t covered; /* bytes of code that have a rule */
	uint64_t
		in_gaps; /* bytes that have none, between others, but for what is no more than padding */
};

/*
 * The row that holds at pc, which is in what the table covers. Bounded by the rows of a block, 256 at
 * most: by 9 rounds.
 * Signal-safe.
 */
static inline __attribute__((always_inline)) const struct table_row *table_row(
	const struct table *table, uint64_t pc)
{
	uint64_t offset = pc - table->lo;
	const uint32_t *index = &table->index[offset >> TABLE_BLOCK_SHIFT];
	uint32_t wanted = offset & ((1u << TABLE_BLOCK_SHIFT) - 1);
	/* The row before the block's first holds at its beginning: row 0 is one for that purpose. */
	const struct table_row *row = &table->rows[index[0] - 1];
	uint32_t left = index[1] - index[0] + 1, half;

	while (left > 1) {
		half = left / 2;
		row += row[half].offset <= wanted ? half : 0;
		left -= half;
	}
	return row;
}

/*
 * The rule at pc.
 * Signal-safe.
 */
const struct rule *table_find(const struct table *table, uint64_t pc);

/*
 * As table_find, and remembers. The table is of the list that *seen is of.
 * Signal-safe.
 */
static inline __attribute__((always_inline)) const struct rule *table_find_again(
	const struct table *table, uint64_t pc, struct walk_seen *seen)
{
	uint64_t *word = &seen->word[(pc ^ pc >> 9) % WALK_SEEN];

	if (pc - table->lo >= table->size)
		return table->rules;
	if (*word >> 16 != pc)
		*word = pc << 16 | (uint64_t)(table_find(table, pc) - table->rules);
	return &table->rules[*word & 0xffff];
}

/*
 * The code without call frame information that pc is in, [*lo, *hi): before what the table covers *lo is
 * 0, past its end *hi is UINT64_MAX. Returns whether it is in such code. Bounded by 32 rounds.
 * Signal-safe.
 */
int table_gap(const struct table *table, uint64_t pc, uint64_t *lo, uint64_t *hi);

/*
 * What the code of a function without call frame information says of its frame at pc, and the function's
 * first byte; NULL if it says nothing. Bounded by 64 rounds.
 * Signal-safe.
 */
const struct code_row *table_code_row(const struct table *table, uint64_t pc, uint64_t *begin);

/* Where tables are made, one after the other, before each is put into memory of its own: all zero at first. */
struct table_rooms {
	struct prepare_room entries, index, rows, rules, hash;
	struct prepare_room functions, code_rows; /* objects_functions.h */
};

/* Gives the rooms back. Not in a handler. Any thread. */
void table_rooms_give(struct table_rooms *rooms);

/*
 * Compiles all frame descriptions of `image`, and of `more` for what is not in the first, that begin in
 * [lo, hi) into *table, in memory of its own. `more` may be NULL; an image that cfi_image_init has refused
 * will do if its section is known. No other thread uses the rooms meanwhile. Returns 0, or -1 if there are none or
 * not enough memory: then *table is all zero.
 * Any thread.
 */
int table_build(struct table *table, struct cfi_image *image, struct cfi_image *more, uint64_t lo,
	uint64_t hi, struct table_rooms *rooms);

/*
 * Adds functions without call frame information to a table that has none, n of them in the order of their
 * addresses and one more that has only `row`, and their rows. Returns 0, or -1 without memory: the table
 * is as it was.
 * Any thread.
 */
int table_add_functions(struct table *table, uint64_t text_lo,
	const struct table_function *functions, uint32_t n, const struct code_row *rows);

/* Gives the memory of a table back. Harmless without one. Any thread. */
void table_free(struct table *table);

#endif
