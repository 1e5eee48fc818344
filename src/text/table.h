/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The single layer that prints tables. A view declares columns and fills rows of typed cells on
 * request. This layer chooses and orders the rows (-f, -s, -n, --percent-limit) and says which rows
 * it cut. It prints text for people, or CSV or rows of JSON for programs. It knows nothing about
 * profiles.
 *
 * A figure is described once, by its column. In JSON the figure has the column's JSON key, and its
 * number is written exactly, as in CSV. The order of a row's members in JSON is the table's
 * `members`. The view itself writes members that no column has (lists and objects within a row, ids
 * of nodes), where `members` has a '*'.
 *
 * The layer keeps only a few numbers of each row. It fills the rows again in each pass: to choose
 * rows, to measure widths, to compare names, to print. So a table of a million rows with long names
 * takes memory for the numbers alone. A row must be the same each time it is filled.
 */
#ifndef OMPPROF_SRC_TEXT_TABLE_H
#define OMPPROF_SRC_TEXT_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "profile/shared/diag.h"
#include "src/text/json.h"
#include "src/text/terminal.h"

/* The type of a column's cells, and how they are printed: first as text, then as CSV. */
enum table_kind {
	TABLE_SECONDS,  /* value ns. "54.6"; "54.612345678" below KEY_s */
	TABLE_DURATION, /* value ns. "13.2ms"; as seconds below KEY_s */
	TABLE_CHANGE,   /* value ns, an int64_t. "-0.670"; as seconds below KEY_s */
	TABLE_COUNT,    /* value. "1.20M"; "1203412" */
	TABLE_SHARE,  /* value / whole. "41.9" percent; "0.419" below KEY_share if KEY ends in % */
	TABLE_RATIO,  /* value / whole. "1.49"; "1.492537313" */
	TABLE_FACTOR, /* value / whole. "0.873"; "0.872983871" */
	TABLE_NUMBER, /* value, unchanged: a line of the source, an id */
	TABLE_DEPTH,  /* made by the layer: 1 for rows at the top of the tree */
	/* made by the layer: the names from the outermost row to this row, with ';' between */
	TABLE_PATH,
	/* value / whole as the length of a bar; only as the last column; nothing in CSV */
	TABLE_BAR,
	TABLE_WORD,  /* short text, aligned left, never cut */
	TABLE_NAME,  /* text behind a tree's lines; its middle is cut if there is no room */
	TABLE_PLACE, /* text; the last column, at the right edge where there is room */
};

enum table_flag {
	TABLE_IN_TEXT = 1, /* shown as text unless fields or -f say otherwise */
	/* shown as CSV unless -f says otherwise, also if all its cells are empty */
	TABLE_IN_CSV = 2,
	TABLE_IN_BOTH = 3,
	/* as text without -f: shown only if a row or the total has a text or more than 0 */
	TABLE_IF_ANY = 4,
	/* An empty cell is 0 or "" in JSON, unless the column has one of two flags: */
	TABLE_NULL = 8,    /* null */
	TABLE_ABSENT = 16, /* left out */
};

/* The columns of a table end with a column whose key is NULL. */
struct table_column {
	/* what -f and -s call the column; the heading in CSV, without the unit */
	const char *key;
	const char *heading; /* the heading as text, with the unit; -f and -s accept it, too */
	enum table_kind kind;
	uint8_t flags; /* enum table_flag */
	/* if the width is too small and -f is not given: 1 is left out first, 0 never */
	uint8_t spare;
	uint8_t width;    /* as text: the least number of columns on the screen */
	const char *json; /* the key in JSON; NULL: the heading in CSV */
};

/*
 * A table's columns are one list, COLUMNS(X), of X(ID, KEY, HEADING, ...) with the members of
 * struct table_column. The list makes the numbers of the columns, enum { COLUMNS(TABLE_ENUM) }, and
 * the columns, { COLUMNS(TABLE_COLUMN) { .key = NULL } }.
 */
#define TABLE_ENUM(id, ...)   id,
#define TABLE_COLUMN(id, ...) [id] = { __VA_ARGS__ },

enum { TABLE_MOST_COLUMNS = 40, TABLE_SCRATCH_BYTES = 1 << 15 };

#define TABLE_NO_ROW  SIZE_MAX
#define TABLE_DEFAULT UINT32_MAX

struct table_cell {
	int is_there;          /* else the cell is empty */
	uint64_t value, whole; /* JSON has them for an empty cell, too; see TABLE_NULL */
	int is_estimate;       /* as text, "~" is before the number */
	const char *json;      /* the text in JSON, if it differs from `text` */
	/* Text as it is in the profile, in three pieces. CSV leaves out the last piece. */
	const char *before, *text, *after;
};

struct table_row {
	struct table_cell cells[TABLE_MOST_COLUMNS]; /* by index of the column */
	/* index of the row above this row, smaller than its own; TABLE_NO_ROW: none */
	size_t parent;
	uint64_t weight;   /* compared with --percent-limit */
	uint64_t whole;    /* the whole of which `weight` is a share; 0: the table's */
	uint64_t identity; /* tells apart rows with the same text; 0 if not needed */
	int is_kept;       /* limits cut it only with the row above it, and -n does not count it */
	int is_empty;      /* the row is neither shown nor counted */
	size_t used;       /* bytes used in `scratch` */
	char scratch[TABLE_SCRATCH_BYTES]; /* for table_print_text */
};

/*
 * Fills a zeroed row (its parent is TABLE_NO_ROW). Row n_rows is the total. Text that the function
 * makes goes into the row's scratch space.
 */
typedef void table_fill(const void *data, size_t index, struct table_row *row);

/* Writes the JSON of a row at the nth '*' (from 0 on) of the table's members. */
typedef void table_put_more(struct json *json, const void *data, size_t index, int nth);

struct table {
	const struct table_column *columns;
	/* shown as text, if -f is not given; NULL: the columns with TABLE_IN_TEXT */
	const char *fields;
	/* columns, by bit, for which this run has nothing: only `fields` and -f show them */
	uint64_t hidden;
	const char *title; /* the heading of the first name column as text */
	const char *what;  /* the word for a row, in the singular: "region" */
	const char *order; /* key of the column that rows are sorted by; NULL: not sorted */
	/* key of a column; the note on the rows that were cut has its sum over these rows */
	const char *together;
	const char *unit;         /* the unit of that sum: "s" */
	uint32_t limit_permyriad; /* the limit as text, without an option */
	uint32_t n_most;          /* the most rows as text, without an option; 0: all */
	uint64_t whole;           /* the whole of the rows' weights */
	size_t n_rows;
	table_fill *fill;
	const void *data;
	const char *members; /* of a row in JSON: keys of columns and '*', with blanks between */
	table_put_more *put_more;
	int has_total;
	int is_bare;     /* as text: no notes below the table */
	unsigned indent; /* as text: blanks before each line */
	/* draws lines to the rows below a row; the most rows are the heaviest, unless counts_top */
	int is_tree;
	int counts_top; /* option -n counts only rows at the top */
};

struct table_options {
	const char *fields;                          /* -f: "KEY,KEY,..." or NULL */
	const char *sort;                            /* -s: a key, or NULL */
	uint32_t limit_permyriad, n_rows, max_depth; /* or TABLE_DEFAULT */
	int is_csv;
};

/* The options when the user gives none. */
#define TABLE_OPTIONS_DEFAULT                                                                      \
	{                                                                                          \
		NULL, NULL, TABLE_DEFAULT, TABLE_DEFAULT, TABLE_DEFAULT, 0                         \
	}

/*
 * Whether all columns exist that the options name. Returns 0, or -1 with a sentence in *diag that
 * lists the existing columns. `view` is the option that asked for the table.
 */
int table_check(const struct table_column *columns, const struct table_options *options,
	const char *view, struct diag *diag);

/* Returns the index of the first of the columns in `bits` that the options name, or -1. */
int table_asked(
	const struct table_column *columns, const struct table_options *options, uint64_t bits);

/* Prints the table. Ignores unknown columns in the options. Returns 0, or -1 when out of memory. */
int table_print(
	const struct table *table, const struct table_options *options, struct terminal *terminal);

/*
 * Writes the rows as an array of objects, by index; without rows that are is_empty, columns that
 * are hidden, and the total.
 */
void table_put_json(const struct table *table, struct json *json, const char *key);

/* Room for the key that a column has in JSON. */
enum { TABLE_KEY_BYTES = 64 };
void table_json_key(char key[TABLE_KEY_BYTES], const struct table_column *column);

/* The limit and the number of rows that apply. UINT32_MAX: any number of rows. */
uint32_t table_limit(const struct table *table, const struct table_options *options);
uint32_t table_most(const struct table *table, const struct table_options *options);

/* Returns the column with that key or heading, or -1. */
int table_find(const struct table_column *columns, const char *key, size_t key_bytes);

/* The functions below are for filling rows. */
void table_set(struct table_row *row, int column, uint64_t value);
/* Sets the cells of neighbouring columns, from `first` on. */
#define table_set_all(row, first, ...)                                                             \
	table_set_numbers(row, first, (const uint64_t[]){ __VA_ARGS__ },                           \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))
void table_set_numbers(struct table_row *row, int first, const uint64_t *values, size_t n);
void table_set_part(struct table_row *row, int column, uint64_t value, uint64_t whole);
void table_set_text(struct table_row *row, int column, const char *text);
/* Sets a name with the text before and after it; each may be "". */
void table_set_name(
	struct table_row *row, int column, const char *before, const char *text, const char *after);
/*
 * Sets the cell to how much of the row's figures is an estimate, if any is. If this is more than
 * one percent, marks the columns of `marked`, by bit.
 */
void table_set_estimated(
	struct table_row *row, int column, uint64_t part, uint64_t whole, uint64_t marked);
/* Prints into the row's scratch space; cut if that is full. Returns the text. */
const char *table_print_text(struct table_row *row, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
