/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of scripts (see README): makes statements of files. Knows macros, repetitions and words,
 * but not what the words mean.
 */
#ifndef OMPPROF_TESTS_RUNTIME_SCRIPT_H
#define OMPPROF_TESTS_RUNTIME_SCRIPT_H

#include <stddef.h>

enum { SCRIPT_MAX_WORDS = 48, SCRIPT_MAX_DEPTH = 16 };

/* A line after macros: its words, split at blanks; "..." holds them together. */
struct statement {
	const char *file;
	int line;          /* of the innermost text that it comes from */
	char *text;        /* the whole of it */
	char **word;       /* NULL after the last */
	const char **rest; /* of `text`, from this word on */
	int n_words;
};

/* The statements of a case. */
struct script_case {
	char *name;
	const char *file;
	int line;
	struct statement *statements;
	size_t n_statements;
};

struct script {
	struct script_case *cases;
	size_t n_cases;
};

/* Reports an error at a statement, "FILE:LINE: ...", and ends the program with status 99. */
void script_fail(const struct statement *at, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/*
 * Reads the script at `path`, after the macros of the file `prelude`. Any error ends the program,
 * as script_fail does. The result lives as long as the program.
 */
struct script *script_read(const char *path, const char *prelude);

#endif
