/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the rows of a table and their order; see table_internal.h. */
#include "src/text/table_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From this level on, chains are not indented; see indent(). */
enum { CHAIN_LEVEL = 8 };

static void add_column(struct plan *plan, int column)
{
	if (column >= 0 && plan->n_columns < TABLE_MOST_COLUMNS)
		plan->columns[plan->n_columns++] = column;
}

static void choose_columns(struct plan *plan)
{
	const struct table *table = plan->table;
	unsigned wanted = plan->options->is_csv ? TABLE_IN_CSV : TABLE_IN_TEXT;
	const char *at = plan->options->fields;

	if (!at && !plan->options->is_csv)
		at = table->fields;
	for (int i = 0; !at && table->columns[i].key; i++)
		if (table->columns[i].flags & wanted && !(table->hidden >> i & 1))
			add_column(plan, i);
	while (at) {
		size_t n = strcspn(at, ",");

		add_column(plan, table_find(table->columns, at, n));
		at = at[n] ? at + n + 1 : NULL;
	}
}

void table_fill_row(const struct table *table, struct table_row *row, size_t index)
{
	memset(row, 0, offsetof(struct table_row, scratch));
	row->parent = TABLE_NO_ROW;
	table->fill(table->data, index, row);
	if (row->whole == 0)
		row->whole = table->whole;
}

void plan_fill(const struct plan *plan, struct table_row *row, size_t index)
{
	table_fill_row(plan->table, row, index);
}

static double sort_key(const struct plan *plan, const struct table_row *row)
{
	const struct table_cell *cell = &row->cells[plan->sort];

	if (!cell->is_there)
		return -INFINITY;
	switch (plan->table->columns[plan->sort].kind) {
	case TABLE_SHARE:
	case TABLE_RATIO:
	case TABLE_FACTOR:
		return cell->whole ? (double)cell->value / (double)cell->whole : 0;
	case TABLE_CHANGE:
		return fabs((double)(int64_t)cell->value);
	default:
		return (double)cell->value;
	}
}

static void note_figures(struct plan *plan, const struct table_row *row)
{
	for (int i = 0; plan->table->columns[i].key; i++)
		if (row->cells[i].is_there &&
			(row->cells[i].value || table_is_text(plan->table->columns[i].kind)))
			plan->has_any |= (uint64_t)1 << i;
}

/* Whether the row is shown, or which limit cuts it. take_most() applies the number of rows. */
static enum plan_state judge(
	const struct plan *plan, const struct plan_row *row, const struct table_row *filled)
{
	uint32_t limit = table_limit(plan->table, plan->options);

	if (filled->is_empty)
		return ROW_EMPTY;
	if (filled->is_kept)
		return ROW_SHOWN;
	if (row->depth > plan->options->max_depth)
		return ROW_TOO_DEEP;
	return (double)filled->weight * 10000.0 < (double)filled->whole * limit ? ROW_BELOW_LIMIT
										: ROW_SHOWN;
}

/* Sets plan->rows and plan->shown. A row below a row that is not shown is not shown either. */
static void survey(struct plan *plan)
{
	for (size_t i = 0; i < plan->table->n_rows; i++) {
		struct plan_row *row = &plan->rows[i];
		const struct plan_row *above;

		plan_fill(plan, &plan->row, i);
		above = plan->row.parent == TABLE_NO_ROW ? NULL : &plan->rows[plan->row.parent];
		*row = (struct plan_row){ .parent = plan->row.parent,
			.weight = plan->row.weight,
			.is_kept = plan->row.is_kept,
			.depth = above ? above->depth + 1 : 1,
			.first = TABLE_NO_ROW };
		if (plan->sort >= 0)
			row->key = sort_key(plan, &plan->row);
		row->state = judge(plan, row, &plan->row);
		if (row->state != ROW_EMPTY)
			note_figures(plan, &plan->row);
		if (row->state == ROW_SHOWN && above && above->state != ROW_SHOWN)
			row->state = above->state;
		if (row->state == ROW_SHOWN)
			plan->shown[plan->n_shown++] = i;
	}
	if (plan->table->has_total) {
		plan_fill(plan, &plan->row, plan->table->n_rows);
		note_figures(plan, &plan->row);
	}
}

static int by_place(const void *left, const void *right)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;

	return a < b ? -1 : a > b;
}

static int by_weight(const void *left, const void *right, void *data)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	const struct plan_row *rows = ((const struct plan *)data)->rows;

	if (rows[a].weight != rows[b].weight)
		return rows[a].weight > rows[b].weight ? -1 : 1;
	return by_place(left, right);
}

/* Compares the text of two rows in the sort column; empty cells come last. */
static int compare_text(struct plan *plan, size_t a, size_t b)
{
	plan_fill(plan, &plan->row, a);
	plan_fill(plan, &plan->other, b);
	const struct table_cell *left = &plan->row.cells[plan->sort];
	const struct table_cell *right = &plan->other.cells[plan->sort];
	int order = strcmp(left->before ? left->before : "", right->before ? right->before : "");

	if (!left->is_there || !right->is_there)
		return right->is_there - left->is_there;
	return order ? order : strcmp(left->text, right->text);
}

/* Orders the rows of a parent by the sort column: numbers from the largest on, text from A on. */
static int by_key(const void *left, const void *right, void *data)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	struct plan *plan = data;
	const struct plan_row *rows = plan->rows;
	int order = 0;

	if (rows[a].parent != rows[b].parent)
		return rows[a].parent < rows[b].parent ? -1 : 1;
	if (plan->sort >= 0 && table_is_text(plan->table->columns[plan->sort].kind))
		order = compare_text(plan, a, b);
	else if (plan->sort >= 0 && rows[a].key != rows[b].key)
		order = rows[a].key > rows[b].key ? -1 : 1;
	return order ? order : by_place(left, right);
}

/*
 * Keeps `n_most` rows: in a tree without counts_top the heaviest, so that no row loses the row
 * above it, elsewhere the first. Rows with is_kept are not counted.
 */
static void take_most(struct plan *plan, uint32_t n_most)
{
	size_t n = 0, to = 0;

	if (n_most == UINT32_MAX)
		return;
	qsort_r(plan->shown, plan->n_shown, sizeof(*plan->shown),
		plan->table->is_tree && !plan->table->counts_top ? by_weight : by_key, plan);
	for (size_t i = 0; i < plan->n_shown; i++) {
		struct plan_row *row = &plan->rows[plan->shown[i]];
		int counts =
			!row->is_kept && (!plan->table->counts_top || row->parent == TABLE_NO_ROW);

		if (counts && n++ >= n_most)
			row->state = ROW_PAST_MOST;
	}
	qsort(plan->shown, plan->n_shown, sizeof(*plan->shown), by_place);
	for (size_t i = 0; i < plan->n_shown; i++) {
		struct plan_row *row = &plan->rows[plan->shown[i]];

		if (row->parent != TABLE_NO_ROW && plan->rows[row->parent].state != ROW_SHOWN)
			row->state = ROW_PAST_MOST;
		if (row->state == ROW_SHOWN)
			plan->shown[to++] = plan->shown[i];
	}
	plan->n_shown = to;
}

/* Counts and sums up the cut rows. Rows below a cut row are part of its figures. */
static void count_cut(struct plan *plan)
{
	const struct table *table = plan->table;
	int column = table->together
			     ? table_find(table->columns, table->together, strlen(table->together))
			     : -1;

	for (size_t i = 0; i < table->n_rows; i++) {
		const struct plan_row *row = &plan->rows[i];
		int is_top = row->parent == TABLE_NO_ROW;

		if (row->state == ROW_SHOWN || row->state == ROW_EMPTY)
			continue;
		if (is_top || !table->counts_top || plan->rows[row->parent].state == ROW_SHOWN) {
			plan->n_below += row->state == ROW_BELOW_LIMIT;
			plan->n_past += row->state == ROW_PAST_MOST;
			plan->n_deep += row->state == ROW_TOO_DEEP;
		}
		if (column < 0 || (!is_top && plan->rows[row->parent].state != ROW_SHOWN))
			continue;
		plan_fill(plan, &plan->row, i);
		plan->together += plan->row.cells[column].value;
	}
}

static int allocate(struct plan *plan)
{
	size_t n = plan->table->n_rows + 2;

	plan->rows = calloc(n, sizeof(*plan->rows));
	plan->shown = calloc(n, sizeof(*plan->shown));
	plan->opener = calloc(n, sizeof(*plan->opener));
	plan->stack = calloc(n, sizeof(*plan->stack));
	return plan->rows && plan->shown && plan->opener && plan->stack ? 0 : -1;
}

int plan_make(struct plan *plan, const struct table *table, const struct table_options *options,
	struct terminal *terminal)
{
	const char *sort = options->sort ? options->sort : table->order;

	memset(plan, 0, offsetof(struct plan, row));
	plan->table = table;
	plan->options = options;
	plan->terminal = terminal;
	plan->sort = sort ? table_find(table->columns, sort, strlen(sort)) : -1;
	if (allocate(plan) != 0)
		return -1;
	choose_columns(plan);
	survey(plan);
	take_most(plan, table_most(table, options));
	count_cut(plan);
	qsort_r(plan->shown, plan->n_shown, sizeof(*plan->shown), by_key, plan);
	plan->first = TABLE_NO_ROW;
	for (size_t k = plan->n_shown; k-- > 0;) {
		size_t parent = plan->rows[plan->shown[k]].parent;

		*(parent == TABLE_NO_ROW ? &plan->first : &plan->rows[parent].first) = k;
	}
	return 0;
}

void plan_release(struct plan *plan)
{
	free(plan->rows);
	free(plan->shown);
	free(plan->opener);
	free(plan->stack);
}

int plan_has_next(const struct plan *plan, size_t at)
{
	return at + 1 < plan->n_shown &&
	       plan->rows[plan->shown[at + 1]].parent == plan->rows[plan->shown[at]].parent;
}

/*
 * Indents each level. From CHAIN_LEVEL on, a row without siblings is not indented, so that chains
 * stay on the screen.
 */
static void indent(struct plan *plan, size_t at)
{
	struct plan_row *row = &plan->rows[plan->shown[at]];
	const struct plan_row *above =
		row->parent == TABLE_NO_ROW ? NULL : &plan->rows[row->parent];
	uint32_t level = above ? above->level : 0;

	if (above && above->first == at && !plan_has_next(plan, at) && level >= CHAIN_LEVEL) {
		row->level = level;
		return;
	}
	row->level = level + 1;
	plan->opener[row->level] = at;
}

/* Keeps its own stack, as a tree may be deeper than this program's stack permits. */
size_t plan_next(struct plan *plan, size_t at)
{
	const struct plan_row *row;
	size_t next = plan->first;

	if (at != TABLE_NO_ROW) {
		row = &plan->rows[plan->shown[at]];
		next = row->first;
		for (uint32_t depth = row->depth; next == TABLE_NO_ROW && depth > 0; depth--)
			if (plan_has_next(plan, plan->stack[depth]))
				next = plan->stack[depth] + 1;
	}
	if (next == TABLE_NO_ROW)
		return next;
	plan->stack[plan->rows[plan->shown[next]].depth] = next;
	indent(plan, next);
	return next;
}
