/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of a verb, each stated once. One table of rows makes getopt_long's tables, the text
 * of --help and bash's completion. A row is made by one of the macros, or without a macro if it has
 * put_words. The macros require the help and, of an option with an argument, its kind, so no
 * option can lack them.
 *
 *   cmd_*.c: a table -> options_read()        the command line, option by option
 *                    -> options_print_help()  --help
 *                    -> completion_tables.c   what bash offers
 *
 * -h, --help is the last row of each table; no table writes it.
 */
#ifndef OMPPROF_SRC_TEXT_OPTIONS_H
#define OMPPROF_SRC_TEXT_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The kinds of an argument, as bits. Completion offers values of every kind that is set. */
enum argument_kind {
	ARGUMENT_NONE = 0,
	/* one of the row's words; other text is refused unless another bit is set */
	ARGUMENT_WORD = 1 << 0,
	ARGUMENT_LIST = 1 << 1,    /* several of the row's words with commas between; not checked */
	ARGUMENT_FILE = 1 << 2,    /* a file: completion offers files; any text is taken */
	ARGUMENT_FOLDER = 1 << 3,  /* a folder */
	ARGUMENT_NUMBER = 1 << 4,  /* a number: completion offers nothing */
	ARGUMENT_TEXT = 1 << 5,    /* a text: completion offers nothing */
	ARGUMENT_COMMAND = 1 << 6, /* for operands: a command with its own arguments */
	ARGUMENT_VERB = 1 << 7,    /* for operands: a verb of ompprof */
	ARGUMENT_OPERAND = 1 << 8, /* of an option: the argument becomes one of the operands */
};

/* How an option is stored without a call: */
enum option_store {
	STORE_NOTHING, /* it is not: `apply` takes it */
	STORE_SET,     /* an int becomes 1 */
	STORE_CLEAR,   /* an int becomes 0 */
	STORE_TEXT,    /* a const char * becomes the argument */
	STORE_WORD,    /* an int or an enum becomes the argument's index among the words */
	STORE_NUMBER,  /* a uint32_t becomes a whole number, `least` at least */
	STORE_PERCENT, /* a uint32_t becomes a percentage, see options_percent */
};

/* The member in which an option is stored; `offset` is from the `data` of options_read. */
struct option_place {
	enum option_store how;
	uint32_t least;
	size_t offset;
};

#define OPTION_NOWHERE                                                                             \
	{                                                                                          \
		STORE_NOTHING, 0, 0                                                                \
	}
/* The member must have the size of `type`: an array of -1 items would not compile. */
#define OPTION_PLACE(how, least, type, request, member)                                            \
	{                                                                                          \
		(how), (least),                                                                    \
			offsetof(request, member) +                                                \
				0 * sizeof(char[sizeof(((request *)0)->member) == sizeof(type)     \
							? 1                                        \
							: -1])                                     \
	}
#define INTO_SET(request, member)    OPTION_PLACE(STORE_SET, 0, int, request, member)
#define INTO_CLEAR(request, member)  OPTION_PLACE(STORE_CLEAR, 0, int, request, member)
#define INTO_TEXT(request, member)   OPTION_PLACE(STORE_TEXT, 0, const char *, request, member)
#define INTO_WORD(request, member)   OPTION_PLACE(STORE_WORD, 0, int, request, member)
#define INTO_NUMBER(request, member) INTO_NUMBER_FROM(1, request, member)
#define INTO_NUMBER_FROM(least, request, member)                                                   \
	OPTION_PLACE(STORE_NUMBER, (least), uint32_t, request, member)
#define INTO_PERCENT(request, member) OPTION_PLACE(STORE_PERCENT, 0, uint32_t, request, member)

/* The code of an option that has neither a letter nor, for `apply`, a code of its own. */
enum { OPTION_LONG = 2047 };

struct option_row {
	const char *name;     /* without "--"; NULL: a heading, whose text is `help` */
	int code;             /* the letter of the option; 256 or more if it has no letter */
	unsigned kind;        /* enum argument_kind */
	const char *argument; /* as the help names it; NULL: the words, as in "text|json" */
	const char *const *words;
	const char *help; /* printing breaks it into lines, also at '\n' */
	/* NULL, or prints the words, with blanks between; for words that are not checked. */
	void (*put_words)(FILE *file);
	struct option_place into;
};

/* An option that options_read stores: without an argument, or with one. */
#define OPTION_SETS(code, name, into, help)                                                        \
	{                                                                                          \
		(name), (code), ARGUMENT_NONE, NULL, NULL, (help), NULL, into                      \
	}
/* `words` ends in NULL, or is NULL. */
#define OPTION_KEEPS(code, name, argument, kind, words, into, help)                                \
	{                                                                                          \
		(name), (code), (kind), (argument), (words), (help), NULL, into                    \
	}
/* The same options, given to `apply`. */
#define OPTION_FLAG(code, name, help) OPTION_SETS(code, name, OPTION_NOWHERE, help)
#define OPTION_TAKES(code, name, argument, kind, words, help)                                      \
	OPTION_KEEPS(code, name, argument, kind, words, OPTION_NOWHERE, help)
/* A heading of the rows that follow; `help` includes the colon. */
#define OPTION_HEADING(help) OPTION_FLAG(0, NULL, help)

/* The most rows of a table, without --help, and the columns of a line of help. */
enum { OPTIONS_MOST = 64, OPTIONS_COLUMNS = 80 };

/* How often options with ARGUMENT_OPERAND can be given. */
enum { OPTIONS_MOST_OPERANDS = 64 };

struct option_table {
	const char *verb;  /* NULL: ompprof itself */
	const char *usage; /* the beginning of the help; its lines end in '\n' */
	const struct option_row *rows;
	size_t n_rows;
	const char *notes;              /* the end of the help; its lines end in '\n'; or NULL */
	void (*print_more)(FILE *file); /* prints text between usage and options; or NULL */
	/* enum argument_kind; the kind of what may follow the options */
	unsigned operands;
	/* the most operands; any number with ARGUMENT_COMMAND */
	int n_operands;
};

/*
 * Takes an option that has no place: its code, its argument or NULL, and the argument's index among
 * the row's words or -1. Returns 0, or -1 after a message.
 */
typedef int option_apply(void *data, int code, const char *text, int word);

enum { OPTIONS_GO_ON = -1 };

/*
 * Reads a command line; (*argv)[0] is ignored. Stores an option at its place below `data`, or gives
 * it to `apply`, unless it has ARGUMENT_OPERAND. `apply` may be NULL if all options have places.
 * Returns OPTIONS_GO_ON with the operands in *argc and *argv, first the arguments of options with
 * ARGUMENT_OPERAND; or, after --help or a message, the exit status. With ARGUMENT_COMMAND the first
 * operand ends the options. Not for several threads, because getopt is not.
 */
int options_read(
	const struct option_table *table, int *argc, char ***argv, option_apply *apply, void *data);

/* Prints the whole text of --help. */
void options_print_help(const struct option_table *table, FILE *file);

/* The row after the last of each table: -h, --help. */
extern const struct option_row options_help_row;

/* A whole number from `least` to 999999999. Returns 0, or -1 with a message about '--name'. */
int options_number(const char *name, const char *text, uint32_t least, uint32_t *number);

/*
 * A percentage from 0 to 100 with at most two decimals, as 1/100 of a percent. Returns 0, or -1
 * with a message about '--name'.
 */
int options_percent(const char *name, const char *text, uint32_t *permyriad);

#endif
