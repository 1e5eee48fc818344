/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a table is printed, in steps: plan (table_plan.c) chooses rows and their order, table_text.c and
 * table_csv.c go through them, table_cells.c makes text of cells, table_names.c keeps names that are cut
 * apart.
 */
#ifndef OMPPROF_SRC_TEXT_TABLE_INTERNAL_H
#define OMPPROF_SRC_TEXT_TABLE_INTERNAL_H

#include "src/text/text.h"
#include "src/text/table.h"

/* A row as the plan keeps it. */
struct plan_row {
	size_t parent;
	uint64_t weight;
	double key;     /* to sort by */
	size_t first;   /* position in shown[] of the first row below it, or TABLE_NO_ROW */
	uint32_t depth; /* 1 at the top */
	uint32_t level; /* of indentation */
	uint8_t state;  /* enum plan_state */
	uint8_t is_kept;
};

enum plan_state { ROW_SHOWN, ROW_EMPTY, ROW_BELOW_LIMIT, ROW_PAST_MOST, ROW_TOO_DEEP };

struct plan {
	const struct table *table;
	const struct table_options *options;
	struct terminal *terminal;
	int columns[TABLE_MOST_COLUMNS]; /* chosen, in order */
	size_t n_columns;
	int sort; /* column, or -1 */
	struct plan_row *rows;
	size_t *shown; /* rows, those of one parent beside each other, in order */
	size_t n_shown;
	size_t first;     /* position of the first row at the top, or TABLE_NO_ROW */
	size_t *opener;   /* by level: position of the row that began it */
	size_t *stack;    /* by depth: position */
	uint64_t has_any; /* columns, by bit, with more than zero in a row or the total */
	/* What was cut. */
	size_t n_below, n_past, n_deep;
	uint64_t together;
	struct table_row row, other; /* scratch */
};

/* Returns 0, or -1 when out of memory. Release with plan_release in either case. */
int plan_make(struct plan *plan, const struct table *table, const struct table_options *options,
	struct terminal *terminal);
void plan_release(struct plan *plan);

/*
 * Goes through the shown rows, outermost first, those below a row right after it: `at` is the position of
 * the last one, TABLE_NO_ROW to begin with. Returns the next position, or TABLE_NO_ROW after the last.
 */
size_t plan_next(struct plan *plan, size_t at);

/* Whether another row of the same parent follows that at `at`. */
int plan_has_next(const struct plan *plan, size_t at);

/* Fills plan->row, or another row, with row `index`; n_rows is the total. */
void table_fill_row(const struct table *table, struct table_row *row, size_t index);
void plan_fill(const struct plan *plan, struct table_row *row, size_t index);

/* --- table_cells.c --- */
enum { CELL_BYTES = 64, NAME_MOST_BYTES = 1 << 16, PLACE_BYTES = 1024 };

int table_is_text(enum table_kind kind); /* its cells are text of any length */

/* A cell that is not text, as text for a person; "" if it is not there. */
const char *table_cell_text(
	char text[CELL_BYTES], enum table_kind kind, const struct table_cell *cell);
/* Likewise for a program. */
const char *table_cell_csv(
	char text[CELL_BYTES], enum table_kind kind, const struct table_cell *cell);

/* A column's heading in CSV. */
void table_csv_heading(char text[CELL_BYTES], const struct table_column *column);

/* A name without what stands behind it, clean. */
void table_clean_name(char clean[NAME_MOST_BYTES], const struct table_cell *cell);

/* --- table_names.c: names and places that do not look alike though they differ --- */

/* What is shown of a row's name and place, clean and cut to the room. */
struct table_look {
	char name[NAME_MOST_BYTES];
	char place[PLACE_BYTES];
};

/* Where they stand: columns of the table (-1: not shown) and columns on the screen. */
struct table_space {
	int name, place;
	size_t width;
};

struct table_names;

/* Names of at most n_rows rows. NULL when out of memory. */
struct table_names *table_names_new(size_t n_rows);
void table_names_free(struct table_names *names);

/*
 * First each row that is shown is noted; then, in the same order, table_names_look gives what is to be
 * shown of it, different for rows that differ. It uses plan->other.
 */
void table_names_note(struct table_names *names, size_t index, const struct table_row *row,
	const struct table_space *space);
void table_names_look(struct table_names *names, struct plan *plan, const struct table_row *row,
	const struct table_space *space, struct table_look *look);

/* Whether a look had to be numbered ("#2"). */
int table_names_has_numbers(const struct table_names *names);

/* --- table_path.c: the names from the outermost row in --- */
struct table_path;

/* NULL when out of memory. */
struct table_path *table_path_new(size_t n_rows);
void table_path_free(struct table_path *path);

/* The path of plan->row, which is at `depth`, in clean text; "" where it is too long. Asked for each row in
   order. */
const char *table_path_extend(struct table_path *path, const struct plan *plan, uint32_t depth);

/* --- table_layout.c: columns on the screen --- */
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

/* Measures the rows and shares the screen's width out. Returns 0 or -1; release in either case. */
int layout_make(struct layout *layout, struct plan *plan);
void layout_release(struct layout *layout);

/* What the column at a position is, and its heading. */
enum table_kind layout_kind(const struct plan *plan, size_t position);
const char *layout_heading(const struct layout *layout, size_t position);

/* What the columns before a position take, with what separates them. */
size_t layout_width_before(const struct layout *layout, size_t position);

/* --- table_notes.c: what is said below a table --- */
void table_put_notes(const struct layout *layout);

/* --- printing --- */
int table_put_text(struct plan *plan); /* each returns 0 or -1 */
int table_put_csv(struct plan *plan);

#endif
