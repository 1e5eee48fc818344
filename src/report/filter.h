/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters of a report. src/request/shared_options.c reads them from the command line;
 * report_process.c and report_filter.c apply them. annotate_choose.c only matches names.
 *
 *  filter_add()       checks and compiles the text of an option, once
 *  filter_select()    --thread, --state: used by attribute(), for each process, because the
 *                     attributed tree no longer has its samples' threads
 *                     (tree_options.selection, tree.kept)
 *  filter_match()     --focus, --ignore, --region: used on the named tree, once for each name
 *  report_filter()    both together: reduces the figures of the report's nodes, and selects rows
 *                     in the tables of struct report_rows (report.h)
 *
 * A sample, a measured wait or blame is selected if its thread, its state and its call path match
 * each kind of filter that is given. One match is enough if there are several filters of a kind,
 * but a path with a match of any --ignore is not selected. So the order of filters does not matter.
 * The parts that a filter and its opposite select add up to the whole, in all figures except
 * executions. Nodes without selected figures stay, with the ids of the whole tree. The metrics
 * (attribution/metrics/metrics.h) describe the whole run, as they cannot be reduced.
 */
#ifndef OMPPROF_SRC_REPORT_FILTER_H
#define OMPPROF_SRC_REPORT_FILTER_H

#include <stddef.h>
#include <stdint.h>

#include "attribution/tree/tree.h"
#include "profile/shared/diag.h"
#include "src/findings/names.h"

enum filter_kind {
	FILTER_FOCUS = 1,  /* selects call paths with a function or place that matches */
	FILTER_IGNORE = 2, /* selects call paths without a function or place that matches */
	FILTER_THREAD = 4,
	FILTER_REGION = 8,
	FILTER_STATE = 16,
	FILTER_ALL = 31,
	FILTER_PHASE = 32, /* reduces the profile itself, before figures are made (phases.h) */
};

struct filter_term; /* the text of an option */

struct filter {
	struct filter_term *terms;
	size_t n_terms;
	unsigned given;   /* bits of enum filter_kind for which there are terms */
	uint32_t classes; /* bit k: --state selects enum profile_class k */
	int is_relative;  /* percentages are of the selected part; else of the whole run */
};

/* The option's name: "focus". */
const char *filter_word(enum filter_kind kind);

/*
 * Adds an option of `kind`. A pattern is a POSIX extended regular expression that may match
 * anywhere in a name. --region takes a pattern, FILE:LINE or "none", --phase a pattern or "none",
 * --thread a list of numbers, ranges and the words of names_thread_word, --state a list of the
 * words of JSON and "wait". `text` must outlive the filter. Returns 0, or -1 with *diag set;
 * release in either case.
 */
int filter_add(struct filter *filter, enum filter_kind kind, const char *text, struct diag *diag);

/* Frees what *filter owns; harmless on a zeroed struct. */
void filter_release(struct filter *filter);

/* Writes the filters as options: "--focus 'x' --thread 1,3". --phase is left out. */
void filter_describe(char *text, size_t text_bytes, const struct filter *filter);

/* The i-th text that is given for `kind`, or NULL past the last. */
const char *filter_text(const struct filter *filter, enum filter_kind kind, size_t i);

/*
 * Fills *selection with the threads and states that the filter, which may be NULL, selects. Returns
 * 1, or 0 if there is neither --thread nor --state, or -1 when out of memory. The caller frees
 * selection->threads.
 */
int filter_select(const struct filter *filter, const struct profile *profile,
	struct tree_selection *selection);

enum { FILTER_ITEM_BYTES = 32 };

/*
 * Checks that a profile has the threads that --thread, which must be given, names: each number, a
 * thread in each range, and for the whole option at least one thread. Returns 0, or -1 with the
 * item that selects none in `missing`, which has FILTER_ITEM_BYTES.
 */
int filter_find_threads(const struct filter *filter, const struct profile *profile, char *missing);

/* Whether --thread, which must be given, selects this thread (index into profile.threads). */
int filter_has_thread(const struct filter *filter, const struct profile *profile, size_t thread);

/* Facts on a call path. The first three are the filters that the path matches. */
enum filter_hit {
	FILTER_HIT_FOCUS = FILTER_FOCUS,
	FILTER_HIT_IGNORE = FILTER_IGNORE,
	FILTER_HIT_REGION = FILTER_REGION, /* the path is in a region that matches */
	FILTER_IN_REGION = 128,            /* the path is in a region */
};

/*
 * Returns the kinds, among `kinds`, that have a pattern which matches the text. Other terms, such
 * as FILE:LINE, are not compared.
 */
unsigned filter_match_text(const struct filter *filter, unsigned kinds, const char *text);

/* Whether a term of --region or --phase is "none". */
int filter_has_none(const struct filter *filter);

/* Whether --region names this line; FILE may be the end of the path `file`. */
int filter_match_line(const struct filter *filter, const char *file, uint32_t line);

/*
 * The hits of each node's path in a named tree, the node included, for the given filters among
 * `kinds`. Array by node, which the caller frees; NULL when out of memory. Equal names are compared
 * once.
 */
uint8_t *filter_match(const struct filter *filter, unsigned kinds, const struct name_tree *names);

/*
 * As filter_match(), but by node of the attributed tree that `names` was made from, and for all
 * given filters. For --focus and --ignore, lines in the bodies of constructs, which have no named
 * node of their own, also hit.
 */
uint8_t *filter_match_tree(
	const struct filter *filter, const struct name_tree *names, const struct tree *tree);

/* Whether a path with these hits is selected. */
int filter_selects(const struct filter *filter, unsigned hits);

/* Whether --region, if it is given, selects a region with these hits; 0: code in no region. */
int filter_selects_region(const struct filter *filter, unsigned hits);

#endif
