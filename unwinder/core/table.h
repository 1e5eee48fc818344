/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call frame information of one object, compiled: the rule of every address.
 *
 *   index[b]   the first row within block b of 256 bytes; one more entry at the end
 *   rows[i]    this rule holds from this offset in its block to the next row
 *   rules[r]   each rule once; rules[0] means that there is no rule
 *
 * functions[f] and code_rows[i] are functions without rules, and where their frames lie by their
 * instructions. They are apart from the rules because they are only believed where they are proven.
 *
 * The rule of an address is that of the last row at or before it, in its block or, if the block has
 * no such row, at the end of an earlier block. A table never changes after it was built. Addresses
 * are addresses in this process.
 */
#ifndef OMPPROF_UNWINDER_CORE_TABLE_H
#define OMPPROF_UNWINDER_CORE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "unwinder/core/code_rows.h"
#include "unwinder/core/table_memory.h"
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
	uint32_t row; /* its first row */
};

struct table {
	uint64_t lo; /* the table covers [lo, lo + size) */
	uint64_t size;
	const uint32_t *index;
	const struct table_row *rows;
	const struct rule *rules;
	uint64_t text_lo, text_bytes;           /* readable code; not known for all objects */
	const struct table_function *functions; /* by address, with one more entry at the end */
	const struct code_row *code_rows;
	uint32_t n_functions;
	void *memory; /* of all these arrays, n_bytes; NULL: there is no table */
	size_t n_bytes;
	uint32_t n_rows;
	uint32_t n_rules;
	uint64_t covered; /* bytes of code that have a rule */
	uint64_t in_gaps; /* bytes without a rule between bytes that have one, except padding */
};

/*
 * The row at pc, which the table covers. At most 9 rounds, since a block has at most 256 rows.
 * Signal-safe.
 */
static inline __attribute__((always_inline)) const struct table_row *table_row(
	const struct table *table, uint64_t pc)
{
	uint64_t offset = pc - table->lo;
	const uint32_t *index = &table->index[offset >> TABLE_BLOCK_SHIFT];
	uint32_t wanted = offset & ((1u << TABLE_BLOCK_SHIFT) - 1);
	/* The row before the block's first row holds at the block's begin. rows[0] is there for
	   this. */
	const struct table_row *row = &table->rows[index[0] - 1];
	uint32_t left = index[1] - index[0] + 1, half;

	while (left > 1) {
		half = left / 2;
		row += row[half].offset <= wanted ? half : 0;
		left -= half;
	}
	return row;
}

/* The rule at pc; rules[0] if the table does not cover pc. Signal-safe. */
const struct rule *table_find(const struct table *table, uint64_t pc);

/*
 * Does what table_find does, and remembers the result in *seen, which must belong to the same list
 * of objects. Signal-safe.
 */
static inline __attribute__((always_inline)) const struct rule *table_find_again(
	const struct table *table, uint64_t pc, struct walk_recent_rules *seen)
{
	uint64_t *word = &seen->word[(pc ^ pc >> 9) % WALK_RECENT_RULES];

	if (pc - table->lo >= table->size)
		return table->rules;
	if (*word >> 16 != pc)
		*word = pc << 16 | (uint64_t)(table_find(table, pc) - table->rules);
	return &table->rules[*word & 0xffff];
}

/*
 * Stores the code without rules around pc in [*lo, *hi), from 0 or to UINT64_MAX outside the code
 * that the table covers. Returns whether pc is in such code. At most 32 rounds. Signal-safe.
 */
int table_gap(const struct table *table, uint64_t pc, uint64_t *lo, uint64_t *hi);

/*
 * The row at pc in a function without rules, and the function's first byte in *begin. NULL if there
 * is no such function, or its row is CODE_ROW_UNKNOWN. At most 64 rounds. Signal-safe.
 */
const struct code_row *table_code_row(const struct table *table, uint64_t pc, uint64_t *begin);

/* The code of an object. */
struct table_code {
	uint64_t lo, hi;           /* the functions that begin in [lo, hi) are compiled */
	uint64_t text_lo, text_hi; /* code that may be read; equal: none may */
};

/* Memory for the making of tables, one after the other. All zero at first. */
struct table_scratch {
	struct scratch entries, index, rows, rules, hash;
	struct scratch functions, code_rows; /* objects_functions.h */
};

/* Frees the memory. Not in a handler. Any thread. */
void table_scratch_release(struct table_scratch *scratch);

/*
 * Compiles the frame descriptions of `image` for the code into *table, in memory of its own; then
 * the frame descriptions of `more` for code that `image` does not describe. `more` may be NULL.
 *
 * A frame description can be empty: it says of all instructions of a function that nothing was
 * saved and that the return address is in the link register. If the function calls another, that
 * is wrong. Hand-written code has such descriptions, for example the function of LLVM's runtime by
 * which the threads of a region call its body. So the instructions of a function with an
 * empty description are read (code_rows.h), and are believed where they are understood.
 *
 * An image that cfi_image_init has refused is accepted if its section is known. No other
 * thread may use the scratch meanwhile. Returns 0, or -1 if there are no descriptions or not enough
 * memory; then *table is all zero. Any thread.
 */
int table_build(struct table *table, struct cfi_image *image, struct cfi_image *more,
	const struct table_code *code, struct table_scratch *scratch);

/*
 * Makes the table of an object without frame descriptions, whose code begins at `lo`: no code has a
 * rule. Some vdsos are such objects. No other thread may use the scratch meanwhile.
 * Returns 0, or -1 without memory; then *table is all zero. Any thread.
 */
int table_build_bare(struct table *table, uint64_t lo, struct table_scratch *scratch);

/*
 * Adds n functions without rules, and their rows, to a table that has none. They are sorted by
 * address, and functions[n] has only `row`, the number of rows. Returns 0, or -1 without memory;
 * then the table is unchanged. Any thread.
 */
int table_add_functions(struct table *table, uint64_t text_lo,
	const struct table_function *functions, uint32_t n, const struct code_row *rows);

/* Frees the memory of a table, if it has any. Any thread. */
void table_free(struct table *table);

#endif
