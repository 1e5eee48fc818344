/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of printing a table. The plan (table_plan.c) chooses rows and their order. table_text.c
 * and table_csv.c print the rows. table_cells.c makes text of cells. table_names.c makes sure that
 * names which are cut still differ.
 */
#ifndef OMPPROF_SRC_TEXT_TABLE_INTERNAL_H
#define OMPPROF_SRC_TEXT_TABLE_INTERNAL_H

#include "src/text/text.h"
#include "src/text/table.h"

/* The part of a row that the plan keeps. */
struct plan_row {
	size_t parent;
	uint64_t weight;
	double key;     /* the number to sort by */
	size_t first;   /* position in shown[] of the first row below this row, or TABLE_NO_ROW */
	uint32_t depth; /* 1 at the top */
	uint32_t level; /* of indentation, from 1 */
	uint8_t state;  /* enum plan_state */
	uint8_t is_kept;
};

enum plan_state { ROW_SHOWN, ROW_EMPTY, ROW_BELOW_LIMIT, ROW_PAST_MOST, ROW_TOO_DEEP };

struct plan {
	const struct table *table;
	const struct table_options *options;
	struct terminal *terminal;
	int columns[TABLE_MOST_COLUMNS]; /* the chosen columns, in order */
	size_t n_columns;
	int sort; /* the column to sort by, or -1 */
	struct plan_row *rows;
	size_t *shown; /* rows; the rows of one parent are neighbours, in order */
	size_t n_shown;
	size_t first;     /* position of the first row at the top, or TABLE_NO_ROW */
	size_t *opener;   /* by level: position of the row that began the level */
	size_t *stack;    /* by depth: position of the current row */
	uint64_t has_any; /* columns, by bit, with a text or more than zero in a row or the total */
	/* how many rows were cut, by reason, and their sum in the column `together` */
	size_t n_below, n_past, n_deep;
	uint64_t together;
	struct table_row row, other; /* scratch space */
};

/* Returns 0, or -1 when out of memory. Call plan_release in either case. */
int plan_make(struct plan *plan, const struct table *table, const struct table_options *options,
	struct terminal *terminal);
void plan_release(struct plan *plan);

/*
 * Goes through the shown rows: each row, then the rows below it. `at` is the position of the
 * previous row, TABLE_NO_ROW at first. Returns the next, TABLE_NO_ROW after the last.
 */
size_t plan_next(struct plan *plan, size_t at);

/* Whether another row of the same parent follows the row in position `at`. */
int plan_has_next(const struct plan *plan, size_t at);

/* Fills *row, such as plan->row, with row `index` of the table. Row n_rows is the total. */
void table_fill_row(const struct table *table, struct table_row *row, size_t index);
void plan_fill(const struct plan *plan, struct table_row *row, size_t index);

/* table_cells.c */
enum { CELL_BYTES = 64, NAME_MOST_BYTES = 1 << 16, PLACE_BYTES = 1024 };

int table_is_text(enum table_kind kind); /* its cells are text of any length, or bars */

/* A number as text for a person; "" if the cell is empty. */
const char *table_cell_text(
	char text[CELL_BYTES], enum table_kind kind, const struct table_cell *cell);
/* A number as text for a program; "" if the cell is empty. */
const char *table_cell_csv(
	char text[CELL_BYTES], enum table_kind kind, const struct table_cell *cell);

/* A column's heading in CSV: the key and the unit. */
void table_csv_heading(char text[CELL_BYTES], const struct table_column *column);

/* The cell's `before` and `text`, cleaned. */
void table_clean_name(char clean[NAME_MOST_BYTES], const struct table_cell *cell);

/* table_names.c: names and places that look different if they are different */

/* The name and the place of a row as they are shown: cleaned and cut. */
struct table_look {
	char name[NAME_MOST_BYTES];
	char place[PLACE_BYTES];
};

/* The columns of name and place (-1: not shown), and their width on the screen together. */
struct table_space {
	int name, place;
	size_t width;
};

struct table_names;

/* Room for the names of at most n_rows rows. NULL when out of memory. */
struct table_names *table_names_new(size_t n_rows);
void table_names_free(struct table_names *names);

/*
 * table_names_note must have seen all shown rows before the first table_names_look, which is then
 * called for the rows in the same order. It sets *look to what to show: rows that differ get
 * different text. It uses plan->other.
 */
void table_names_note(struct table_names *names, size_t index, const struct table_row *row,
	const struct table_space *space);
void table_names_look(struct table_names *names, struct plan *plan, const struct table_row *row,
	const struct table_space *space, struct table_look *look);

/* Whether a text was given a number ("#2"), so that it differs from the others. */
int table_names_has_numbers(const struct table_names *names);

/* table_path.c: the names from the outermost row to a row */
struct table_path;

/* NULL when out of memory. */
struct table_path *table_path_new(size_t n_rows);
void table_path_free(struct table_path *path);

/* The clean path of plan->row, or "" if it is too long. To be called for all rows, in order. */
const char *table_path_extend(struct table_path *path, const struct plan *plan, uint32_t depth);

/* table_layout.c: columns on the screen */
struct layout {
	struct plan *plan;
	/* by position in plan->columns; the first name column has space.width instead */
	size_t widths[TABLE_MOST_COLUMNS];
	size_t tail; /* position of the name that only its place may follow; or n_columns */
	struct table_space space; /* the space of the first name column */
	size_t edge;              /* columns of that space after which places end, if they can */
	size_t name;              /* position of the first name column, or n_columns */
	struct table_names *names;
	struct table_path *path; /* for columns of TABLE_PATH */
	struct table_look *look;
	int left_out[TABLE_MOST_COLUMNS];
	size_t n_left_out;
};

/* Shares out the screen's width. Returns 0, or -1: out of memory. Release in either case. */
int layout_make(struct layout *layout, struct plan *plan);
void layout_release(struct layout *layout);

enum table_kind layout_kind(const struct plan *plan, size_t position);
const char *layout_heading(const struct layout *layout, size_t position);

/* The width of all columns before a position, with indent and blanks. */
size_t layout_width_before(const struct layout *layout, size_t position);

/* table_notes.c: the notes below a table */
void table_put_notes(const struct layout *layout);

/* printing */
int table_put_text(struct plan *plan); /* each returns 0 or -1 */
int table_put_csv(struct plan *plan);

#endif
