/* SPDX-License-Identifier: Apache-2.0 */
/* Lookups in a table; see table.h. Part of the signal-safe core. */
#include "unwinder/core/table.h"

const struct rule *table_find(const struct table *table, uint64_t pc)
{
	if (pc - table->lo >= table->size)
		return table->rules;
	return &table->rules[table_row(table, pc)->rule];
}

/*
 * The last of n > 0 items whose first member, a uint32_t, is at most `wanted`; the first item if
 * there is none. The items are in the order of this member.
 */
static const void *last_at_most(const void *items, size_t item_bytes, uint32_t n, uint64_t wanted)
{
	const char *item = items;
	uint32_t half;

	for (; n > 1; n -= half) {
		half = n / 2;
		if (*(const uint32_t *)(const void *)(item + half * item_bytes) <= wanted)
			item += half * item_bytes;
	}
	return item;
}

/* The address where a row begins to hold. */
static uint64_t address_of(const struct table *table, uint32_t row)
{
	uint32_t n_blocks = (uint32_t)((table->size - 1) >> TABLE_BLOCK_SHIFT) + 1;
	const uint32_t *first = last_at_most(table->index, sizeof(*first), n_blocks, row);
	uint64_t block = (uint64_t)(first - table->index);

	return table->lo + (block << TABLE_BLOCK_SHIFT) + table->rows[row].offset;
}

int table_gap(const struct table *table, uint64_t pc, uint64_t *lo, uint64_t *hi)
{
	uint32_t row;

	*lo = pc < table->lo ? 0 : table->lo + table->size;
	*hi = pc < table->lo ? table->lo : UINT64_MAX;
	if (pc - table->lo >= table->size)
		return 1;
	row = (uint32_t)(table_row(table, pc) - table->rows);
	if (table->rules[table->rows[row].rule].kind != RULE_NONE)
		return 0;
	*lo = row ? address_of(table, row) : table->lo;
	*hi = row + 1 < table->n_rows ? address_of(table, row + 1) : table->lo + table->size;
	return 1;
}

const struct code_row *table_code_row(const struct table *table, uint64_t pc, uint64_t *begin)
{
	const struct table_function *function;
	const struct code_row *row;
	uint64_t at = pc - table->text_lo;

	if (table->n_functions == 0 || pc < table->text_lo)
		return NULL;
	function = last_at_most(table->functions, sizeof(*function), table->n_functions, at);
	if (at - function->begin >= function->size)
		return NULL;
	*begin = table->text_lo + function->begin;
	row = last_at_most(&table->code_rows[function->row], sizeof(*row),
		function[1].row - function->row, at - function->begin);
	return row->reg == CODE_ROW_UNKNOWN ? NULL : row;
}
