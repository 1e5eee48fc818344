/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is to be annotated: from a function's name, a file, FILE:LINE, or a label as reports print it, to a
 * function or file of the profile. Pure.
 */
#ifndef OMPPROF_SRC_ANNOTATE_ANNOTATE_CHOOSE_H
#define OMPPROF_SRC_ANNOTATE_ANNOTATE_CHOOSE_H

#include "src/annotate/annotate.h"

enum { ANNOTATE_MOST_OTHERS = 5 };

struct annotate_target {
	uint32_t function; /* node of places, or NAMES_NONE: the file */
	const char *file;  /* the one that was asked for, or NULL: a function was */
	uint32_t line;     /* that was asked for, or 0 */
	/* Others that fit as well, largest first: functions, or files if one was asked for. */
	uint32_t others[ANNOTATE_MOST_OTHERS];
	const char *other_files[ANNOTATE_MOST_OTHERS];
	size_t n_others; /* may be more than are listed */
};

/*
 * `text` is, in this order: a function's whole name; FILE or FILE:LINE, FILE being the end of a path; a
 * function's name without parameters, or without its class as well; a part of a name, ".." standing for
 * what a report left out; a regular expression (POSIX, extended). Of several the one with most time itself is
 * taken. NULL: the function with most work. `annotate` is of functions. Returns 0, or -1 with *diag set.
 */
int annotate_choose(struct annotate_target *target, const struct annotate *annotate,
	const char *text, struct diag *diag);

#endif
