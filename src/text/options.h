/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The options of a verb, said once: a table of rows from which getopt_long's tables, the text of
 * --help and bash's completion are made. A row is made by one of three macros, none of which lets
 * the help or the kind of the argument out; so no option can be without them.
 *
 *   cmd_*.c: a table -> options_read()        the command line, option by option
 *                    -> options_print_help()  --help
 *                    -> completion_print()    what bash offers
 *
 * -h, --help is the last row of each table without being written there.
 */
#ifndef OMPPROF_SRC_TEXT_OPTIONS_H
#define OMPPROF_SRC_TEXT_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What an argument can be; completion offers all that is set. */
enum argument_kind {
	ARGUMENT_NONE = 0,
	ARGUMENT_WORD = 1 << 0,    /* one of the row's words; alone, nothing else is accepted */
	ARGUMENT_LIST = 1 << 1,    /* several of the row's words with commas between; not checked */
	ARGUMENT_FILE = 1 << 2,    /* a file, or what is said to be one */
	ARGUMENT_FOLDER = 1 << 3,  /* a folder */
	ARGUMENT_NUMBER = 1 << 4,  /* nothing that can be offered */
	ARGUMENT_TEXT = 1 << 5,    /* nothing that can be offered */
	ARGUMENT_COMMAND = 1 << 6, /* of operands: a command with its own arguments */
	ARGUMENT_VERB = 1 << 7,    /* of operands: a verb of ompprof */
};

struct option_row {
	const char *name;     /* without "--"; NULL: a heading, whose text is `help` */
	int code;             /* the letter, or from 256 on if it has none */
	unsigned kind;        /* enum argument_kind */
	const char *argument; /* as help names it; NULL: the words, as in "text|json" */
	const char *const *words;
	const char *help; /* in one piece: printing breaks lines; so does '\n' */
	/* In place of words that are not checked: prints them, with blanks between; or NULL. */
	void (*put_words)(FILE *file);
};

/* A heading of the rows after it, with its colon. */
#define OPTION_HEADING(help)                                                                       \
	{                                                                                          \
		NULL, 0, ARGUMENT_NONE, NULL, NULL, (help), NULL                                   \
	}
/* An option without an argument. */
#define OPTION_FLAG(code, name, help)                                                              \
	{                                                                                          \
		(name), (code), ARGUMENT_NONE, NULL, NULL, (help), NULL                            \
	}
/* An option that takes an argument; words end in NULL, and are NULL if there are none. */
#define OPTION_TAKES(code, name, argument, kind, words, help)                                      \
	{                                                                                          \
		(name), (code), (kind), (argument), (words), (help), NULL                          \
	}

/* Rows of one table, --help not counted, and columns of a line of help. */
enum { OPTIONS_MOST = 64, OPTIONS_COLUMNS = 80 };

struct option_table {
	const char *verb;  /* NULL: ompprof itself */
	const char *usage; /* what help begins with, lines that end in '\n' */
	const struct option_row *rows;
	size_t n_rows;
	const char *notes;              /* what help ends with, likewise, or NULL */
	void (*print_more)(FILE *file); /* between usage and options, or NULL */
	unsigned operands;              /* enum argument_kind; what may follow the options */
	int n_operands;                 /* at most; of ARGUMENT_COMMAND any number */
};

/*
 * Takes an option: its code, its argument (NULL if it takes none) and the index of that among the
 * row's words, or -1. Returns 0, or -1 when it has said with message() what is wrong.
 */
typedef int option_apply(void *data, int code, const char *text, int word);

enum { OPTIONS_GO_ON = -1 };

/*
 * Reads the options of a command line, of which (*argv)[0] is not looked at, and gives each to
 * `apply`. With operands of ARGUMENT_COMMAND the first operand ends the options. Returns
 * OPTIONS_GO_ON, *argc and *argv then being those of the operands alone; or the exit status to
 * end with, after --help or a message. Not for several threads: getopt is not.
 */
int options_read(
	const struct option_table *table, int *argc, char ***argv, option_apply *apply, void *data);

/* All that --help prints. */
void options_print_help(const struct option_table *table, FILE *file);

/* The row after the last of each table: -h, --help. */
extern const struct option_row options_help_row;

/* A whole number from `least` to 999999999. Returns 0, or -1 with a message about '--name'. */
int options_number(const char *name, const char *text, uint32_t least, uint32_t *number);

/*
 * A percentage from 0 to 100 with up to two decimals, in 1/100 of a percent. Returns 0, or -1 with
 * a message about '--name'.
 */
int options_percent(const char *name, const char *text, uint32_t *permyriad);

#endif
