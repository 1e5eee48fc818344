/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses what is annotated, by what a person typed. Pure. */
#ifndef OMPPROF_SRC_ANNOTATE_ANNOTATE_CHOOSE_H
#define OMPPROF_SRC_ANNOTATE_ANNOTATE_CHOOSE_H

#include "src/annotate/annotate.h"

enum { ANNOTATE_MOST_OTHERS = 5 };

struct annotate_target {
	uint32_t function; /* node of places; NAMES_NONE: `file` as a whole is annotated */
	const char *file;  /* the file that was asked for; NULL if a function was */
	uint32_t line;     /* the line that was asked for, or 0 */
	/* Other matches, largest first: functions, or files if a file was asked for. */
	uint32_t others[ANNOTATE_MOST_OTHERS];
	const char *other_files[ANNOTATE_MOST_OTHERS];
	size_t n_others; /* may be more than ANNOTATE_MOST_OTHERS */
};

/*
 * Tries `text` in this order as: a function's whole name; FILE or FILE:LINE, where FILE is the end
 * of a path; a function's name without its parameters, or also without its class; a part of a name,
 * where ".." replaces what a report left out; a regular expression (POSIX, extended). Among several
 * matches, chooses the function or file with most time itself. NULL is the function with most work.
 * `annotate` was made with ANNOTATE_FUNCTIONS. Returns 0, or -1 with *diag set.
 */
int annotate_choose(struct annotate_target *target, const struct annotate *annotate,
	const char *text, struct diag *diag);

#endif
