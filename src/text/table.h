/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one layer that tables are printed through. A view declares columns and fills rows of typed
 * cells when it is asked for them; this chooses and orders (-f, -s, -n, --percent-limit), says what was
 * cut, and prints text for people, or CSV or rows of JSON for programs. It knows nothing of profiles.
 *
 * A figure is described once, by its column. In JSON it has the column's JSON key, and its number is written
 * exactly, as in CSV. The order of a row's members in JSON is the table's `members`; what no column has (lists
 * and objects within a row, ids of nodes) the view writes itself, where `members` has a '*'.
 *
 * Nothing of a row is kept but a few numbers: rows are filled again in each pass (what to show, how
 * wide, which names look alike, printing), so a table of a million rows with long names takes memory for
 * the numbers alone. A row must be the same each time it is filled.
 */
#ifndef OMPPROF_SRC_TEXT_TABLE_H
#define OMPPROF_SRC_TEXT_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "profile/shared/diag.h"
#include "src/text/json.h"
#include "src/text/terminal.h"

/* What the cells of a column are, and how they are printed: as text, and as CSV. */
enum table_kind {
	TABLE_SECONDS,  /* value ns. "54.6"; "54.612345678" below KEY_s */
	TABLE_DURATION, /* value ns. "13.2ms"; as seconds below KEY_s */
	TABLE_CHANGE,   /* value ns, an int64_t. "-0.670"; as seconds below KEY_s */
	TABLE_COUNT,    /* value. "1.20M"; "1203412" */
	TABLE_SHARE,  /* value of whole. "41.9" percent; "0.419" below KEY_share if KEY ends in % */
	TABLE_RATIO,  /* value by whole. "1.49"; "1.492537313" */
	TABLE_FACTOR, /* likewise. "0.873"; "0.872983871" */
	TABLE_NUMBER, /* value as it is: a line of the source, an id */
	TABLE_DEPTH,  /* the layer's own: 1 for rows that are below no other */
	TABLE_PATH,   /* the layer's own: the names from the outermost row in, with ';' between */
	TABLE_BAR,    /* value of whole, as the length of a bar; the last column, nothing in CSV */
	TABLE_WORD,   /* text, short: at the left, never cut */
	TABLE_NAME, /* text that is cut in its middle where there is no room, behind a tree's lines */
	TABLE_PLACE, /* text; the last column, at the right edge where there is room */
};

enum table_flag {
	TABLE_IN_TEXT = 1, /* shown as text unless fields or -f say otherwise */
	TABLE_IN_CSV = 2,  /* likewise as CSV, whatever is in it */
	TABLE_IN_BOTH = 3,
	TABLE_IF_ANY = 4, /* as text only if a row has more than zero */
	/* A cell that is empty is 0 or "" in JSON, unless it is */
	TABLE_NULL = 8,    /* null */
	TABLE_ABSENT = 16, /* left out */
};

/* A table of columns ends with key NULL. */
struct table_column {
	const char *key;     /* what -f and -s call it; the heading in CSV but for the unit */
	const char *heading; /* as text, with the unit; -f and -s know it, too */
	enum table_kind kind;
	uint8_t flags; /* enum table_flag */
	uint8_t spare; /* as text without -f: 1 is left out first where the width is too small; 0 never */
	uint8_t width;    /* as text: at least so many columns */
	const char *json; /* the key in JSON; NULL: the heading in CSV */
};

/*
 * A table's columns are one list, COLUMNS(X), of X(ID, KEY, HEADING, ...) with the members of struct
 * table_column. The list makes the numbers of the columns, enum { COLUMNS(TABLE_ENUM) }, and the
 * columns, { COLUMNS(TABLE_COLUMN) { .key = NULL } }.
 */
#define TABLE_ENUM(id, ...)   id,
#define TABLE_COLUMN(id, ...) [id] = { __VA_ARGS__ },

enum { TABLE_MOST_COLUMNS = 40, TABLE_SCRATCH_BYTES = 1 << 15 };

#define TABLE_NO_ROW  SIZE_MAX
#define TABLE_DEFAULT UINT32_MAX

struct table_cell {
	int is_there;          /* else the cell is empty */
	uint64_t value, whole; /* JSON has them though the cell is empty */
	const char *json;      /* the text in JSON, if it differs */
	/* Text as it comes from the profile, in three pieces: CSV is without the last. */
	const char *before, *text, *after;
};

struct table_row {
	struct table_cell cells[TABLE_MOST_COLUMNS]; /* by index of the column */
	size_t parent;     /* the row that it is below, smaller than its own; TABLE_NO_ROW: none */
	uint64_t weight;   /* what --percent-limit looks at */
	uint64_t whole;    /* of which that is a share; 0: the table's */
	uint64_t identity; /* rows that read the same but differ in this are told apart; or 0 */
	int is_kept;       /* no limit cuts it, and none counts it */
	int is_empty;      /* neither shown nor counted */
	size_t used;       /* of scratch */
	char scratch[TABLE_SCRATCH_BYTES]; /* for table_print_text */
};

/* Fills a zeroed row (parent is TABLE_NO_ROW); row n_rows is the total. Text that is made for the row
   goes into its scratch space. */
typedef void table_fill(const void *data, size_t index, struct table_row *row);

/* Writes what the nth '*' (from 0 on) of a table's members means for a row. */
typedef void table_put_more(struct json *json, const void *data, size_t index, int nth);

struct table {
	const struct table_column *columns;
	const char *fields; /* as text, if -f names none; NULL: those flagged */
	uint64_t hidden;    /* columns, by bit, that this run has nothing for: shown by -f alone */
	const char *title;  /* the heading of the first name column as text */
	const char *what;   /* a row, in the singular: "region" */
	const char *order;  /* key of the column that rows are sorted by; NULL: as they come */
	const char *together; /* key of the column whose sum over the rows that were cut is told */
	const char *unit;     /* of that: "s" */
	uint32_t limit_permyriad; /* as text, if nothing else is asked for */
	uint32_t n_most;          /* likewise: rows; 0: all */
	uint64_t whole;           /* of the rows' weights */
	size_t n_rows;
	table_fill *fill;
	const void *data;
	const char *members; /* of a row of JSON: keys of columns and '*', with blanks between */
	table_put_more *put_more;
	int has_total;
	int is_bare;     /* as text: nothing about what was cut */
	unsigned indent; /* as text: blanks before each line */
	int is_tree;    /* draws lines to what is below a row; the heaviest rows go before others */
	int counts_top; /* -n counts rows that are below no other */
};

struct table_options {
	const char *fields;                          /* -f: "KEY,KEY,..." or NULL */
	const char *sort;                            /* -s: a key, or NULL */
	uint32_t limit_permyriad, n_rows, max_depth; /* or TABLE_DEFAULT */
	int is_csv;
};

/* Nothing is asked for. */
#define TABLE_OPTIONS_DEFAULT                                                                      \
	{                                                                                          \
		NULL, NULL, TABLE_DEFAULT, TABLE_DEFAULT, TABLE_DEFAULT, 0                         \
	}

/*
 * Whether all columns that the options name are there: returns 0, or -1 with a sentence in *diag that
 * lists those there are. `view` is the option that asked for the table.
 */
int table_check(const struct table_column *columns, const struct table_options *options,
	const char *view, struct diag *diag);

/* The first of the columns with these bits that the options name: its index, or -1. */
int table_asked(
	const struct table_column *columns, const struct table_options *options, uint64_t bits);

/* Prints it all. Unknown columns in the options are passed over. Returns 0, or -1 when out of memory. */
int table_print(
	const struct table *table, const struct table_options *options, struct terminal *terminal);

/*
 * Writes all rows that are not empty as an array of objects, in the order of their indices. Hidden
 * columns and the total are left out.
 */
void table_put_json(const struct table *table, struct json *json, const char *key);

/* The key that a column has in JSON; room for it. */
enum { TABLE_KEY_BYTES = 64 };
void table_json_key(char key[TABLE_KEY_BYTES], const struct table_column *column);

/* The limit and the number of rows that hold, UINT32_MAX for any number. */
uint32_t table_limit(const struct table *table, const struct table_options *options);
uint32_t table_most(const struct table *table, const struct table_options *options);

/* The column of that key or heading, or -1. */
int table_find(const struct table_column *columns, const char *key, size_t key_bytes);

/* --- for filling --- */
void table_set(struct table_row *row, int column, uint64_t value);
/* Columns beside each other, from `first` on. */
#define table_set_all(row, first, ...)                                                             \
	table_set_numbers(row, first, (const uint64_t[]){ __VA_ARGS__ },                           \
		sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))
void table_set_numbers(struct table_row *row, int first, const uint64_t *values, size_t n);
void table_set_part(struct table_row *row, int column, uint64_t value, uint64_t whole);
void table_set_text(struct table_row *row, int column, const char *text);
/* A name with what stands before and behind it in text; each may be "". */
void table_set_name(
	struct table_row *row, int column, const char *before, const char *text, const char *after);
/* printf into the row's scratch space; cut where that is full. Returns the text. */
const char *table_print_text(struct table_row *row, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
