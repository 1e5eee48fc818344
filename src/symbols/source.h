/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source files: where they are now, and their lines. Debug information names the place that a file had
 * when it was compiled; it may have moved, or be anything. Regular files alone are opened, and read
 * up to a bound; what their text does to a terminal is the printer's care (source_text).
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
	SOURCE_LINE_BYTES = 4096,     /* of a line that is shown; the rest of it is cut */
	SOURCE_MOST_RULES = 64,
};

/*
 * Where to look: each rule is "A=B" (a path that begins with A has B instead) or a folder, below which
 * the path's last parts are looked for, as many as there are. Strings belong to the caller.
 */
struct source_rules {
	const char *rules[SOURCE_MOST_RULES];
	size_t n;
};

struct source {
	char path[PATH_MAX]; /* where it was found */
	struct timespec changed;
	char *text;
	size_t n_bytes;
	uint32_t *starts; /* of lines, and one past the last */
	size_t n_lines;
};

/*
 * Finds the file that was compiled as `recorded`, by the rules, then where it was, then below the current
 * folder. Returns 0, or -1: no such regular file.
 */
int source_find(char path[PATH_MAX], const char *recorded, const struct source_rules *rules);

/* By the rules alone: what a person has named as the place of sources. Returns as that. */
int source_find_by_rules(
	char path[PATH_MAX], const char *recorded, const struct source_rules *rules);

/* Finds and reads it. Returns 0, or -1 with *diag set. Release in either case. */
int source_open(struct source *source, const char *recorded, const struct source_rules *rules,
	struct diag *diag);
void source_release(struct source *source);

/* Line n, from 1 on, without its end; NULL if there is none. *n_bytes is its length. */
const char *source_line(const struct source *source, uint32_t n, size_t *n_bytes);

/*
 * Copies line n, or as much of it as fits, with tab stops every `tab_columns` characters, 0: tabs stay.
 * "" if there is no such line. Control characters stay: see text_clean().
 */
void source_text(char *text, size_t text_bytes, const struct source *source, uint32_t n,
	unsigned tab_columns);

#endif
