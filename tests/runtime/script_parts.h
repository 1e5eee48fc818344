/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of text and names in them, for the files of script.h. Included by script*.c only. */
#ifndef OMPPROF_TESTS_RUNTIME_SCRIPT_PARTS_H
#define OMPPROF_TESTS_RUNTIME_SCRIPT_PARTS_H

#include "tests/runtime/script.h"

enum { SCRIPT_MAX_PARAMETERS = 16 };

/* A line of a file as it is written. */
struct line {
	const char *file;
	int number;
	char *text;
};

/* A name in a line, and the text or number that replaces it. */
struct binding {
	const char *name;
	const char *text;
	long number; /* if is_number: ${NAME+K} */
	int is_number;
};

struct bindings {
	struct binding binding[SCRIPT_MAX_PARAMETERS + SCRIPT_MAX_DEPTH];
	int n;
	int depth;
};

/* As script_fail, of a line. */
void script_fail_at(const struct line *at, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* The text without white space around it; its end is written to. */
char *script_trim(char *text);

/* A line's text with all names replaced, and without its comment; allocated. */
char *script_expand(const struct line *line, const struct bindings *bindings);

/* Splits the statement's text into its words. */
void script_split(struct statement *statement, const struct line *line);

#endif
