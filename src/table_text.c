/* SPDX-License-Identifier: Apache-2.0 */
/* Tables as text for people; see table_parts.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/table_parts.h"

/*
 * A name column has at least so many, and a place that is not at the right edge at most. For NAMED_LEAST
 * of a name and its place, if they need that, other columns make room.
 */
enum { NAME_LEAST = 16, PLACE_MOST = 26, PREFIX_BYTES = 512, BAR_MOST = 24, NAMED_LEAST = 22 };

/* Columns on the screen. */
struct layout {
	struct plan *plan;
	size_t widths
		[TABLE_MOST_COLUMNS]; /* by position in plan->columns; of the tail what is left */
	size_t tail; /* position of the name, with the place behind it, that end the line */
	struct table_space space; /* of the first name column */
	size_t name;              /* its position, or n_columns */
	struct table_names *names;
	struct table_path *path; /* if a column is one */
	struct table_look *look;
	int left_out[TABLE_MOST_COLUMNS];
	size_t n_left_out;
};

static enum table_kind kind_at(const struct plan *plan, size_t position)
{
	return plan->table->columns[plan->columns[position]].kind;
}

static void drop_column(struct plan *plan, size_t position)
{
	memmove(plan->columns + position, plan->columns + position + 1,
		(plan->n_columns - position - 1) * sizeof(plan->columns[0]));
	plan->n_columns--;
}

/* Columns that would have nothing but zeros. */
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

/* Widens the columns as plan->row needs it. */
static void measure_row(struct layout *layout, uint32_t depth)
{
	struct plan *plan = layout->plan;
	char text[CELL_BYTES];

	for (size_t i = 0; i < plan->n_columns; i++) {
		const struct table_cell *cell = &plan->row.cells[plan->columns[i]];
		enum table_kind kind = kind_at(plan, i);
		size_t width = kind == TABLE_DEPTH                       ? strlen("100")
			       : kind == TABLE_PATH || kind == TABLE_BAR ? 0
			       : table_is_text(kind)                     ? width_of_text(cell)
						     : strlen(table_cell_text(text, kind, cell));

		if (kind == TABLE_NAME)
			width += depth ? 2 * (depth - 1) : 0;
		if (kind == TABLE_PLACE && width > PLACE_MOST)
			width = PLACE_MOST;
		if (width > layout->widths[i])
			layout->widths[i] = width;
	}
}

static const char *heading_at(const struct layout *layout, size_t position)
{
	const struct table *table = layout->plan->table;

	if (position == layout->name && table->title)
		return table->title;
	return table->columns[layout->plan->columns[position]].heading;
}

/* What the columns before the tail take, with what separates them. */
static size_t width_before(const struct layout *layout, size_t position)
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
		size_t heading = kind_at(plan, i) == TABLE_NAME ? NAME_LEAST
								: text_width(heading_at(layout, i));

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

/* Which column is the first name, and what ends the line: a name, and a place behind it. */
static void find_tail(struct layout *layout)
{
	const struct plan *plan = layout->plan;
	size_t n = plan->n_columns;

	layout->tail = layout->name = n;
	layout->space.name = layout->space.place = -1;
	for (size_t i = n; i-- > 0;)
		if (kind_at(plan, i) == TABLE_NAME)
			layout->name = i;
	if (layout->name == n)
		return;
	layout->space.name = plan->columns[layout->name];
	if (layout->name + 1 == n) {
		layout->tail = layout->name;
	} else if (layout->name + 2 == n && kind_at(plan, n - 1) == TABLE_PLACE) {
		layout->tail = layout->name;
		layout->space.place = plan->columns[n - 1];
	}
}

/* What a name and its place need of the end of the line, or what is to be made room for. */
static size_t width_needed(const struct layout *layout)
{
	size_t width = 0;

	for (size_t i = layout->tail; i < layout->plan->n_columns; i++)
		width += layout->widths[i] + (width && layout->widths[i]);
	return width < NAME_LEAST ? NAME_LEAST : width > NAMED_LEAST ? NAMED_LEAST : width;
}

/* Leaves columns that can be spared out until a name has room; those that -f names stay. */
static void spare_columns(struct layout *layout)
{
	struct plan *plan = layout->plan;

	while (!plan->options->fields && width_before(layout, layout->tail) + width_needed(layout) >
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

/* A name that does not end the line gets what the others leave, or what it needs. */
static void fit_names(struct layout *layout)
{
	size_t n = layout->plan->n_columns, width = layout->plan->terminal->width, others;

	if (layout->tail < n) {
		size_t used = width_before(layout, layout->tail);

		layout->space.width = width > used + NAME_LEAST ? width - used : NAME_LEAST;
		return;
	}
	if (layout->name == n)
		return;
	others = width_before(layout, n) - layout->widths[layout->name];
	if (layout->widths[layout->name] + others > width)
		layout->widths[layout->name] =
			width > others + NAME_LEAST ? width - others : NAME_LEAST;
	layout->space.width = layout->widths[layout->name];
}

static void put_heading(const struct layout *layout)
{
	const struct plan *plan = layout->plan;
	FILE *out = plan->terminal->out;

	fprintf(out, "%s%*s", terminal_style(plan->terminal, STYLE_HEADING),
		(int)plan->table->indent, "");
	for (size_t i = 0; i < plan->n_columns; i++) {
		char text[128];
		size_t width = i == layout->name ? layout->space.width : layout->widths[i], n;

		if (i > layout->tail || kind_at(plan, i) == TABLE_BAR)
			break;
		snprintf(text, sizeof(text), "%s", heading_at(layout, i));
		if (i == layout->name)
			text_cut(text, width);
		n = i + 1 < plan->n_columns && i < layout->tail && width > text_width(text)
			    ? width - text_width(text)
			    : 0;
		fputs(i == 0 ? "" : i == layout->tail ? "  " : " ", out);
		if (table_is_text(kind_at(plan, i)))
			fprintf(out, "%s%*s", text, (int)n, "");
		else
			fprintf(out, "%*s", (int)width, text);
	}
	fprintf(out, "%s\n", terminal_style(plan->terminal, STYLE_NONE));
}

/*
 * "| " for each level that goes on, "+-" for a row that begins a level; two blanks a level where no lines
 * are drawn. The left end is cut when that takes more than a part of the screen.
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

/* A name, with the place where both end the line. */
static void put_name(const struct layout *layout, const char *prefix, const struct table_look *look)
{
	struct terminal *terminal = layout->plan->terminal;
	int is_state = look->name[0] == '[' || look->name[0] == '<';
	size_t used = strlen(prefix) + text_width(look->name) + text_width(look->place);
	size_t is_tail = layout->tail == layout->name;
	size_t gap = layout->space.width > used ? layout->space.width - used : is_tail;

	fprintf(terminal->out, "%s%s%s%s", prefix,
		is_state ? terminal_style(terminal, STYLE_STATE) : "", look->name,
		is_state ? terminal_style(terminal, STYLE_NONE) : "");
	if (look->place[0] || !is_tail)
		fprintf(terminal->out, "%*s%s", (int)gap, "", look->place);
}

static void put_text(const struct layout *layout, size_t position)
{
	const struct plan *plan = layout->plan;
	const struct table_cell *cell = &plan->row.cells[plan->columns[position]];
	char clean[PLACE_BYTES] = "";
	size_t width = layout->widths[position];
	int is_last = position + 1 == plan->n_columns;

	for (int i = 0; cell->is_there && i < 3; i++) {
		const char *piece = (const char *[]){ cell->before, cell->text, cell->after }[i];
		size_t n = strlen(clean);

		text_clean(clean + n, sizeof(clean) - n, piece ? piece : "");
	}
	text_shorten(clean, width);
	fprintf(plan->terminal->out, "%s%*s", clean, is_last ? 0 : (int)(width - text_width(clean)),
		"");
}

/* Where the line has room for it; the largest has as much as there is. */
static void put_bar(const struct layout *layout, size_t position)
{
	const struct plan *plan = layout->plan;
	const struct table_cell *cell = &plan->row.cells[plan->columns[position]];
	size_t used = width_before(layout, position) + 1, width = plan->terminal->width;
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

/* plan->row, which stands at `depth`; 0 is the total. */
static void put_row(const struct layout *layout, const char *prefix, uint32_t depth)
{
	const struct plan *plan = layout->plan;
	FILE *out = plan->terminal->out;
	char text[CELL_BYTES];

	fprintf(out, "%*s", (int)plan->table->indent, "");
	for (size_t i = 0; i < plan->n_columns && i <= layout->tail; i++) {
		enum table_kind kind = kind_at(plan, i);

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
			put_text(layout, i);
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

static const char *plural_end(const char *word)
{
	size_t n = strlen(word);

	return n && word[n - 1] == 's' ? "es" : "s";
}

/* "0.5" of 50. */
static const char *percent_text(char text[CELL_BYTES], uint32_t permyriad)
{
	uint32_t hundredths = permyriad % 100;

	if (hundredths == 0)
		snprintf(text, CELL_BYTES, "%u", permyriad / 100);
	else if (hundredths % 10 == 0)
		snprintf(text, CELL_BYTES, "%u.%u", permyriad / 100, hundredths / 10);
	else
		snprintf(text, CELL_BYTES, "%u.%02u", permyriad / 100, hundredths);
	return text;
}

/* Why rows were cut, in the order of the limits; with more than one reason how many each. */
static void put_reasons(const struct plan *plan)
{
	const struct table_options *options = plan->options;
	char percent[CELL_BYTES], reasons[3][2 * CELL_BYTES];
	size_t n[] = { plan->n_below, plan->n_past, plan->n_deep }, n_left = 0;
	int is_one;

	for (size_t i = 0; i < 3; i++)
		n_left += n[i] > 0;
	is_one = n_left == 1;
	snprintf(reasons[0], sizeof(reasons[0]), "below %s %%",
		percent_text(percent, table_limit(plan->table, options)));
	snprintf(reasons[1], sizeof(reasons[1]), "past the first %u",
		table_most(plan->table, options));
	snprintf(reasons[2], sizeof(reasons[2]), "below level %u", options->max_depth);
	fputs(is_one ? " " : ": ", plan->terminal->out);
	for (size_t i = 0; i < 3; i++) {
		if (n[i] == 0)
			continue;
		if (!is_one)
			fprintf(plan->terminal->out, "%zu ", n[i]);
		n_left--;
		fprintf(plan->terminal->out, "%s%s", reasons[i],
			n_left > 1    ? ", "
			: n_left == 1 ? " and "
				      : "");
	}
}

/* "(23 more regions below 0.5 %, together 0.120 s)" */
static void put_cut(const struct plan *plan)
{
	const struct table *table = plan->table;
	size_t n = plan->n_below + plan->n_past + plan->n_deep;
	FILE *out = plan->terminal->out;

	if (n == 0)
		return;
	fprintf(out, "(%zu more %s%s", n, table->what, n == 1 ? "" : plural_end(table->what));
	put_reasons(plan);
	if (table->together) {
		int column = table_find(table->columns, table->together, strlen(table->together));
		struct table_cell cell = { .is_there = 1, .value = plan->together };
		char text[CELL_BYTES];

		fprintf(out, ", together %s%s%s",
			table_cell_text(text, table->columns[column].kind, &cell),
			table->unit ? " " : "", table->unit ? table->unit : "");
	}
	fputs(")\n", out);
}

static void put_notes(const struct layout *layout)
{
	const struct plan *plan = layout->plan;
	char text[256] = "(no room for";

	put_cut(plan);
	for (size_t i = 0; i < layout->n_left_out; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s %s", i ? "," : "",
			plan->table->columns[layout->left_out[i]].heading);
	if (layout->n_left_out) {
		text_cut(text, plan->terminal->width - strlen("; see -f)"));
		fprintf(plan->terminal->out, "%s; see -f)\n", text);
	}
	if (table_names_has_numbers(layout->names))
		fputs("(#2, #3: others that look the same when cut; see CSV)\n",
			plan->terminal->out);
}

int table_put_text(struct plan *plan)
{
	struct layout layout = {
		.plan = plan,
		.names = table_names_new(plan->n_shown + 1),
		.path = table_path_new(plan->table->n_rows),
		.look = calloc(1, sizeof(struct table_look)),
	};
	int status = layout.names && layout.path && layout.look ? 0 : -1;

	if (status == 0) {
		if (!plan->options->fields)
			drop_empty(plan);
		find_tail(&layout);
		measure(&layout);
		spare_columns(&layout);
		fit_names(&layout);
		note_names(&layout);
		put_heading(&layout);
		put_rows(&layout);
		if (!plan->table->is_bare)
			put_notes(&layout);
	}
	table_names_free(layout.names);
	table_path_free(layout.path);
	free(layout.look);
	return status;
}
