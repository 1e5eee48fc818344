/* SPDX-License-Identifier: Apache-2.0 */
/* Prints tables as text for people; see table_internal.h. */
#include <stdio.h>
#include <string.h>

#include "src/text/table_internal.h"

enum { PREFIX_BYTES = 4096, HEADING_BYTES = 1024, BAR_MOST = 24 };

static void put_heading(const struct layout *layout)
{
	const struct plan *plan = layout->plan;
	FILE *out = plan->terminal->out;

	fprintf(out, "%s%*s", terminal_style(plan->terminal, STYLE_HEADING),
		(int)plan->table->indent, "");
	for (size_t i = 0; i < plan->n_columns; i++) {
		char text[HEADING_BYTES];
		size_t width = i == layout->name ? layout->space.width : layout->widths[i], n;

		if (i > layout->tail || layout_kind(plan, i) == TABLE_BAR)
			break;
		snprintf(text, sizeof(text), "%s", layout_heading(layout, i));
		if (i == layout->name)
			text_cut(text, width);
		n = i + 1 < plan->n_columns && i < layout->tail && width > text_width(text)
			    ? width - text_width(text)
			    : 0;
		fputs(i == 0 ? "" : i == layout->tail ? "  " : " ", out);
		if (table_is_text(layout_kind(plan, i)))
			fprintf(out, "%s%*s", text, (int)n, "");
		else
			fprintf(out, "%*s", (int)width, text);
	}
	fprintf(out, "%s\n", terminal_style(plan->terminal, STYLE_NONE));
}

/*
 * Makes the indentation of a row: in a tree "| " for each level that continues and "+-" for a row
 * that begins a level, elsewhere two blanks for each level. If it needs too much of the screen, its
 * left end is cut.
 */
static void make_prefix(const struct layout *layout, size_t at, char *prefix)
{
	const struct plan *plan = layout->plan;
	const struct plan_row *row = &plan->rows[plan->shown[at]];
	size_t columns = (plan->terminal->width - 32) / 4 * 2;
	uint32_t level = row->level, from = 2;
	int begins = plan->opener[level] == at;

	prefix[0] = '\0';
	if (level <= 1)
		return;
	if (columns > PREFIX_BYTES - 8)
		columns = PREFIX_BYTES - 8;
	if ((level - 1) * 2 > columns) {
		from = level - columns / 2 + 2;
		strcpy(prefix, ": ");
	}
	for (; from < level + !begins; from++)
		strcat(prefix, plan->table->is_tree && plan_has_next(plan, plan->opener[from])
				       ? "| "
				       : "  ");
	if (begins)
		strcat(prefix, plan->table->is_tree ? "+-" : "  ");
}

static struct table_space space_beside(const struct layout *layout, const char *prefix)
{
	struct table_space space = layout->space;

	space.width -= strlen(prefix) < space.width ? strlen(prefix) : space.width - 1;
	return space;
}

/* Prints a name, and the place behind it if that ends the line. */
static void put_name(const struct layout *layout, const char *prefix, const struct table_look *look)
{
	struct terminal *terminal = layout->plan->terminal;
	int is_state = look->name[0] == '[' || look->name[0] == '<';
	size_t used = strlen(prefix) + text_width(look->name) + text_width(look->place);
	size_t is_tail = layout->tail == layout->name;
	size_t gap = layout->edge > used ? layout->edge - used : is_tail;

	fprintf(terminal->out, "%s%s%s%s", prefix,
		is_state ? terminal_style(terminal, STYLE_STATE) : "", look->name,
		is_state ? terminal_style(terminal, STYLE_NONE) : "");
	if (look->place[0] || !is_tail)
		fprintf(terminal->out, "%*s%s", (int)gap, "", look->place);
}

static void put_text(const struct layout *layout, size_t position, int is_last)
{
	const struct plan *plan = layout->plan;
	const struct table_cell *cell = &plan->row.cells[plan->columns[position]];
	char clean[PLACE_BYTES] = "";
	size_t width = layout->widths[position];

	for (int i = 0; cell->is_there && i < 3; i++) {
		const char *piece = (const char *[]){ cell->before, cell->text, cell->after }[i];
		size_t n = strlen(clean);

		text_clean(clean + n, sizeof(clean) - n, piece ? piece : "");
	}
	text_shorten(clean, width);
	fprintf(plan->terminal->out, "%s%*s", clean, is_last ? 0 : (int)(width - text_width(clean)),
		"");
}

/* Prints a bar. A bar of the whole fills the room that the line has, BAR_MOST at most. */
static void put_bar(const struct layout *layout, size_t position)
{
	const struct plan *plan = layout->plan;
	const struct table_cell *cell = &plan->row.cells[plan->columns[position]];
	size_t used = layout_width_before(layout, position) + 1, width = plan->terminal->width;
	size_t room = width > used ? width - used : 0, n;
	char bar[BAR_MOST + 1];

	if (room > BAR_MOST)
		room = BAR_MOST;
	n = cell->is_there && cell->whole
		    ? (size_t)((double)cell->value * (double)room / (double)cell->whole + 0.5)
		    : 0;
	memset(bar, '#', BAR_MOST);
	bar[n < room ? n : room] = '\0';
	if (bar[0])
		fprintf(plan->terminal->out, "  %s%s%s", terminal_style(plan->terminal, STYLE_BAR),
			bar, terminal_style(plan->terminal, STYLE_NONE));
}

/* The position after the last cell of plan->row that has text, so that no line ends in blanks. */
static size_t find_end(const struct layout *layout, uint32_t depth)
{
	const struct plan *plan = layout->plan;
	size_t end = layout->tail < plan->n_columns ? layout->tail + 1 : plan->n_columns;

	while (end > 1 && end - 1 != layout->name &&
		!plan->row.cells[plan->columns[end - 1]].is_there &&
		!(depth && (layout_kind(plan, end - 1) == TABLE_DEPTH ||
				   layout_kind(plan, end - 1) == TABLE_PATH)))
		end--;
	return end;
}

/* Prints plan->row, whose depth is `depth`; 0: the total. */
static void put_row(const struct layout *layout, const char *prefix, uint32_t depth)
{
	const struct plan *plan = layout->plan;
	FILE *out = plan->terminal->out;
	size_t end = find_end(layout, depth);
	char text[CELL_BYTES];

	fprintf(out, "%*s", (int)plan->table->indent, "");
	for (size_t i = 0; i < end; i++) {
		enum table_kind kind = layout_kind(plan, i);

		if (kind == TABLE_BAR) {
			put_bar(layout, i);
			continue;
		}
		fputs(i == 0 ? "" : i == layout->tail ? "  " : " ", out);
		if (i == layout->name)
			put_name(layout, prefix, layout->look);
		else if (kind == TABLE_DEPTH && depth)
			fprintf(out, "%*u", (int)layout->widths[i], depth);
		else if (kind == TABLE_PATH)
			fputs(depth ? table_path_extend(layout->path, plan, depth) : "", out);
		else if (table_is_text(kind))
			put_text(layout, i, i + 1 == end);
		else
			fprintf(out, "%*s", (int)layout->widths[i],
				kind == TABLE_DEPTH ? ""
						    : table_cell_text(text, kind,
							      &plan->row.cells[plan->columns[i]]));
	}
	fputc('\n', out);
}

static void note_names(struct layout *layout)
{
	struct plan *plan = layout->plan;
	char prefix[PREFIX_BYTES];
	size_t at = TABLE_NO_ROW;

	while (layout->space.name >= 0 && (at = plan_next(plan, at)) != TABLE_NO_ROW) {
		struct table_space space;

		make_prefix(layout, at, prefix);
		space = space_beside(layout, prefix);
		plan_fill(plan, &plan->row, plan->shown[at]);
		table_names_note(layout->names, plan->shown[at], &plan->row, &space);
	}
}

static void put_rows(struct layout *layout)
{
	struct plan *plan = layout->plan;
	char prefix[PREFIX_BYTES];
	size_t at = TABLE_NO_ROW;

	while ((at = plan_next(plan, at)) != TABLE_NO_ROW) {
		struct table_space space;

		make_prefix(layout, at, prefix);
		space = space_beside(layout, prefix);
		plan_fill(plan, &plan->row, plan->shown[at]);
		if (space.name >= 0)
			table_names_look(layout->names, plan, &plan->row, &space, layout->look);
		put_row(layout, prefix, plan->rows[plan->shown[at]].depth);
	}
	if (!plan->table->has_total)
		return;
	plan_fill(plan, &plan->row, plan->table->n_rows);
	if (layout->space.name >= 0)
		table_names_look(layout->names, plan, &plan->row, &layout->space, layout->look);
	put_row(layout, "", 0);
}

int table_put_text(struct plan *plan)
{
	struct layout layout;
	int status = layout_make(&layout, plan);

	if (status == 0) {
		note_names(&layout);
		put_heading(&layout);
		put_rows(&layout);
		if (!plan->table->is_bare)
			table_put_notes(&layout);
	}
	layout_release(&layout);
	return status;
}
