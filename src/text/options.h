/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of a verb, each stated once. One table of rows makes getopt_long's tables, the text
 * of --help and bash's completion. A row is made by one of three macros, or without a macro if it
 * has put_words. The macros require the help and, of an option with an argument, its kind, so no
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

struct option_row {
	const char *name;     /* without "--"; NULL: a heading, whose text is `help` */
	int code;             /* the letter of the option; 256 or more if it has no letter */
	unsigned kind;        /* enum argument_kind */
	const char *argument; /* as the help names it; NULL: the words, as in "text|json" */
	const char *const *words;
	const char *help; /* printing breaks it into lines, also at '\n' */
	/* NULL, or prints the words, with blanks between; for words that are not checked. */
	void (*put_words)(FILE *file);
};

/* A heading of the rows that follow; `help` includes the colon. */
#define OPTION_HEADING(help)                                                                       \
	{                                                                                          \
		NULL, 0, ARGUMENT_NONE, NULL, NULL, (help), NULL                                   \
	}
/* An option without an argument. */
#define OPTION_FLAG(code, name, help)                                                              \
	{                                                                                          \
		(name), (code), ARGUMENT_NONE, NULL, NULL, (help), NULL                            \
	}
/* An option that takes an argument. `words` ends in NULL, or is NULL. */
#define OPTION_TAKES(code, name, argument, kind, words, help)                                      \
	{                                                                                          \
		(name), (code), (kind), (argument), (words), (help), NULL                          \
	}

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
 * Takes an option: its code, its argument or NULL, and the argument's index among the row's words
 * or -1. Returns 0, or -1 after a message.
 */
typedef int option_apply(void *data, int code, const char *text, int word);

enum { OPTIONS_GO_ON = -1 };

/*
 * Reads a command line; (*argv)[0] is ignored. Gives each option to `apply`, unless it has
 * ARGUMENT_OPERAND. Returns OPTIONS_GO_ON with the operands in *argc and *argv, first the arguments
 * of options with ARGUMENT_OPERAND; or, after --help or a message, the exit status. With
 * ARGUMENT_COMMAND the first operand ends the options. Not for several threads, because getopt is
 * not.
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
