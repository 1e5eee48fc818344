/* SPDX-License-Identifier: Apache-2.0 */
/* The lookups that walks rarely make in a table; see table.h. Part of the signal-safe core. */
#include "unwinder/core/table.h"

const struct rule *table_find(const struct table *table, uint64_t pc)
{
	if (pc - table->lo >= table->size)
		return table->rules;
	return &table->rules[table_row(table, pc)->rule];
}

/* The address where a row begins to hold. */
static uint64_t address_of(const struct table *table, uint32_t row)
{
	uint32_t block = 0;
	uint32_t left = (uint32_t)((table->size - 1) >> TABLE_BLOCK_SHIFT) + 1, half;

	/* Find the last block whose first row is at or before `row`. */
	while (left > 1) {
		half = left / 2;
		block += table->index[block + half] <= row ? half : 0;
		left -= half;
	}
	return table->lo + ((uint64_t)block << TABLE_BLOCK_SHIFT) + table->rows[row].offset;
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
	const struct table_function *function = table->functions;
	const struct code_row *row;
	uint64_t at = pc - table->text_lo;
	uint32_t left = table->n_functions, half;

	if (left == 0 || pc < table->text_lo)
		return NULL;
	while (left > 1) {
		half = left / 2;
		function += function[half].begin <= at ? half : 0;
		left -= half;
	}
	if (at - function->begin >= function->size)
		return NULL;
	*begin = table->text_lo + function->begin;
	at -= function->begin;
	row = &table->code_rows[function->row];
	left = function[1].row - function->row;
	while (left > 1) {
		half = left / 2;
		row += row[half].at <= at ? half : 0;
		left -= half;
	}
	return row->reg == CODE_ROW_UNKNOWN ? NULL : row;
}
