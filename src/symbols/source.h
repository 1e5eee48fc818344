/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds source files and reads their lines. Debug information names the place of a file when it was
 * compiled. Since then the file may have moved, or the name may be that of anything. Only regular
 * files of at most SOURCE_MOST_BYTES are read. The code that prints the text must keep it from
 * harming a terminal: see text_clean().
 */
#ifndef OMPPROF_SRC_SYMBOLS_SOURCE_H
#define OMPPROF_SRC_SYMBOLS_SOURCE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "profile/shared/diag.h"

enum {
	SOURCE_MOST_BYTES = 16 << 20, /* of a file */
	SOURCE_LINE_BYTES = 4096,     /* of a line that is shown; longer lines are cut */
	SOURCE_MOST_RULES = 64,
};

/*
 * Where to look. A rule is "A=B" (in a path that begins with A, B replaces A) or a folder, below
 * which the last parts of the path are looked for, as many of them as possible. The strings belong
 * to the caller.
 */
struct source_rules {
	const char *rules[SOURCE_MOST_RULES];
	size_t n;
};

struct source {
	char path[PATH_MAX]; /* where the file was found */
	struct timespec changed;
	char *text;
	size_t n_bytes;
	uint32_t *starts; /* offsets of lines, and one past the last line */
	size_t n_lines;
};

/*
 * Finds the file that was compiled as `recorded`: by the rules, then in its recorded place, then
 * below the current folder. Returns 0, or -1 if there is no such regular file.
 */
int source_find(char path[PATH_MAX], const char *recorded, const struct source_rules *rules);

/* As source_find, but only by the rules: only where the user says. */
int source_find_by_rules(
	char path[PATH_MAX], const char *recorded, const struct source_rules *rules);

/* Finds and reads the file. Returns 0, or -1 with *diag set. Release `source` in either case. */
int source_open(struct source *source, const char *recorded, const struct source_rules *rules,
	struct diag *diag);
void source_release(struct source *source);

/* Line n, from 1 on, without its end; NULL if there is no such line. *n_bytes is its length. */
const char *source_line(const struct source *source, uint32_t n, size_t *n_bytes);

/*
 * Copies line n, or the part of it that fits. Tab stops are every `tab_columns` characters; with 0
 * the tabs stay. "" if there is no such line. Control characters stay: see text_clean().
 */
void source_text(char *text, size_t text_bytes, const struct source *source, uint32_t n,
	unsigned tab_columns);

#endif
