/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the columns and their widths for a table of text; see table_internal.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/text/table_internal.h"

/*
 * NAME_LEAST is the least width of a name column. PLACE_MOST is the most that is planned for a
 * place. A name and its place together get NAMED_LEAST columns if they need them, and columns that
 * can be spared make room.
 */
enum { NAME_LEAST = 16, PLACE_MOST = 26, NAMED_LEAST = 22 };

enum table_kind layout_kind(const struct plan *plan, size_t position)
{
	return plan->table->columns[plan->columns[position]].kind;
}

static void drop_column(struct plan *plan, size_t position)
{
	memmove(plan->columns + position, plan->columns + position + 1,
		(plan->n_columns - position - 1) * sizeof(plan->columns[0]));
	plan->n_columns--;
}

static void drop_empty(struct plan *plan)
{
	for (size_t i = plan->n_columns; i-- > 0;)
		if (plan->table->columns[plan->columns[i]].flags & TABLE_IF_ANY &&
			!(plan->has_any >> plan->columns[i] & 1))
			drop_column(plan, i);
}

static size_t width_of_text(const struct table_cell *cell)
{
	char clean[PLACE_BYTES];
	size_t width = 0;
	const char *pieces[] = { cell->before, cell->text, cell->after };

	for (size_t i = 0; cell->is_there && i < 3; i++) {
		text_clean(clean, sizeof(clean), pieces[i] ? pieces[i] : "");
		width += text_width(clean);
	}
	return width;
}

/* Makes the columns wide enough for plan->row. Depth 0: the total. */
static void measure_row(struct layout *layout, uint32_t depth)
{
	struct plan *plan = layout->plan;
	char text[CELL_BYTES];

	for (size_t i = 0; i < plan->n_columns; i++) {
		const struct table_cell *cell = &plan->row.cells[plan->columns[i]];
		enum table_kind kind = layout_kind(plan, i);
		size_t width = kind == TABLE_DEPTH                       ? strlen("100")
			       : kind == TABLE_PATH || kind == TABLE_BAR ? 0
			       : table_is_text(kind)                     ? width_of_text(cell)
						     : strlen(table_cell_text(text, kind, cell));

		if (kind == TABLE_NAME)
			width += depth ? 2 * (depth - 1) : 0;
		if (kind == TABLE_PLACE && width > PLACE_MOST &&
			!terminal_is_endless((size_t)plan->terminal->width))
			width = PLACE_MOST;
		if (width > layout->widths[i])
			layout->widths[i] = width;
	}
}

const char *layout_heading(const struct layout *layout, size_t position)
{
	const struct table *table = layout->plan->table;

	if (position == layout->name && table->title)
		return table->title;
	return table->columns[layout->plan->columns[position]].heading;
}

size_t layout_width_before(const struct layout *layout, size_t position)
{
	size_t width = layout->plan->table->indent;

	for (size_t i = 0; i < position; i++)
		width += layout->widths[i] + 1;
	return position == layout->tail && position ? width + 1 : width;
}

static void measure(struct layout *layout)
{
	struct plan *plan = layout->plan;
	size_t at = TABLE_NO_ROW;

	for (size_t i = 0; i < plan->n_columns; i++) {
		size_t least = plan->table->columns[plan->columns[i]].width;
		size_t heading = layout_kind(plan, i) == TABLE_NAME
					 ? NAME_LEAST
					 : text_width(layout_heading(layout, i));

		layout->widths[i] = heading > least ? heading : least;
	}
	while ((at = plan_next(plan, at)) != TABLE_NO_ROW) {
		plan_fill(plan, &plan->row, plan->shown[at]);
		measure_row(layout, plan->rows[plan->shown[at]].depth);
	}
	if (plan->table->has_total) {
		plan_fill(plan, &plan->row, plan->table->n_rows);
		measure_row(layout, 0);
	}
}

/* Finds the first name column, and whether no column follows it except its place. */
static void find_tail(struct layout *layout)
{
	const struct plan *plan = layout->plan;
	size_t n = plan->n_columns;

	layout->tail = layout->name = n;
	layout->space.name = layout->space.place = -1;
	for (size_t i = n; i-- > 0;)
		if (layout_kind(plan, i) == TABLE_NAME)
			layout->name = i;
	if (layout->name == n)
		return;
	layout->space.name = plan->columns[layout->name];
	if (layout->name + 1 == n) {
		layout->tail = layout->name;
	} else if (layout->name + 2 == n && layout_kind(plan, n - 1) == TABLE_PLACE) {
		layout->tail = layout->name;
		layout->space.place = plan->columns[n - 1];
	}
}

/* The width that the tail gets at least: what it needs, within NAME_LEAST and NAMED_LEAST. */
static size_t width_needed(const struct layout *layout)
{
	size_t width = 0;

	for (size_t i = layout->tail; i < layout->plan->n_columns; i++)
		width += layout->widths[i] + (width && layout->widths[i]);
	return width < NAME_LEAST ? NAME_LEAST : width > NAMED_LEAST ? NAMED_LEAST : width;
}

/* Leaves out columns that can be spared until the tail has room. Columns that -f names stay. */
static void spare_columns(struct layout *layout)
{
	struct plan *plan = layout->plan;

	while (!plan->options->fields &&
		layout_width_before(layout, layout->tail) + width_needed(layout) >
			(size_t)plan->terminal->width) {
		size_t best = plan->n_columns;
		uint8_t least = UINT8_MAX;

		for (size_t i = 0; i < plan->n_columns; i++) {
			uint8_t spare = plan->table->columns[plan->columns[i]].spare;

			if (spare && spare < least) {
				least = spare;
				best = i;
			}
		}
		if (best == plan->n_columns)
			return;
		layout->left_out[layout->n_left_out++] = plan->columns[best];
		memmove(layout->widths + best, layout->widths + best + 1,
			(plan->n_columns - best - 1) * sizeof(layout->widths[0]));
		drop_column(plan, best);
		find_tail(layout);
	}
}

/*
 * On a wide screen, makes the tail narrower, so that places are not far from their names. Without a
 * limit only rows that need it are longer than usual.
 */
static void leave_room(struct layout *layout, size_t used)
{
	size_t usual = used < TERMINAL_USUAL ? TERMINAL_USUAL - used : 0, needed = 1;

	for (size_t i = layout->tail; i < layout->plan->n_columns; i++)
		needed += layout->widths[i] + 1;
	if (needed < usual)
		needed = usual;
	layout->edge = needed < layout->space.width ? needed : layout->space.width;
	if (terminal_is_endless(layout->space.width))
		layout->edge = usual;
	else
		layout->space.width = layout->edge;
}

/* Sets the name column's width: at the end of the line all that is left, else what it needs. */
static void fit_names(struct layout *layout)
{
	size_t n = layout->plan->n_columns, width = layout->plan->terminal->width, others;

	if (layout->tail < n) {
		size_t used = layout_width_before(layout, layout->tail);

		layout->space.width = width > used + NAME_LEAST ? width - used : NAME_LEAST;
		leave_room(layout, used);
		return;
	}
	if (layout->name == n)
		return;
	others = layout_width_before(layout, n) - layout->widths[layout->name];
	if (layout->widths[layout->name] + others > width)
		layout->widths[layout->name] =
			width > others + NAME_LEAST ? width - others : NAME_LEAST;
	layout->edge = layout->space.width = layout->widths[layout->name];
}

int layout_make(struct layout *layout, struct plan *plan)
{
	*layout = (struct layout){
		.plan = plan,
		.names = table_names_new(plan->n_shown + 1),
		.path = table_path_new(plan->table->n_rows),
		.look = calloc(1, sizeof(struct table_look)),
	};
	if (!layout->names || !layout->path || !layout->look)
		return -1;
	if (!plan->options->fields)
		drop_empty(plan);
	find_tail(layout);
	measure(layout);
	spare_columns(layout);
	fit_names(layout);
	return 0;
}

void layout_release(struct layout *layout)
{
	table_names_free(layout->names);
	table_path_free(layout->path);
	free(layout->look);
}
