/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters of a report: their text on the command line, and the parts of the profile that they
 * select. cmd_report.c reads the filters and report_load.c applies them. The views print the
 * selected parts.
 *
 *   filter_add()       checks and compiles the text of an option, once
 *   filter_select()    --thread, --state: used by attribute(), for each process, because the
 *                      attributed tree no longer has its samples' threads
 *                      (tree_options.selection, tree.kept)
 *   filter_match()     --focus, --ignore, --region: used on the named tree, once for each name
 *   report_filter()    both together: reduces the figures of the report's nodes, and selects rows
 *                      in the tables of regions, waits, locks, tasks and threads (report.h)
 *
 * A sample, a measured wait or blame is selected if its thread, its state and its call path match
 * each kind of filter that is given. If there are several filters of the same kind, one match is
 * enough. So the order of filters does not matter, and a repeated filter changes nothing. The parts
 * that a filter and its opposite select add up to the whole, in every figure. The nodes stay:
 * filters change only figures, and the nodes keep the ids of the whole tree. The metrics
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
	FILTER_FOCUS = 1,  /* selects paths with a function or place that matches */
	FILTER_IGNORE = 2, /* selects paths without such a function or place */
	FILTER_THREAD = 4,
	FILTER_REGION = 8,
	FILTER_STATE = 16,
	FILTER_ALL = 31,
	FILTER_PHASE = 32, /* selects a part of the profile, not of its figures (phases.h) */
};

struct filter_term; /* the text of an option */

struct filter {
	struct filter_term *terms;
	size_t n_terms;
	unsigned given;   /* bits of enum filter_kind for which there are terms */
	uint32_t classes; /* bit k: --state selects enum profile_class k */
	int is_relative;  /* percentages refer to the selected parts */
};

/* The option without its dashes: "focus". */
const char *filter_word(enum filter_kind kind);

/*
 * Adds an option of `kind`. A pattern is a POSIX extended regular expression, which is
 * case-sensitive and may match anywhere. A region is a pattern, FILE:LINE or "none". Threads are
 * numbers, ranges and words of the table of threads. States are the words of JSON and "wait". The
 * text must outlive the filter. Returns 0, or -1 with *diag set. Release with filter_release in
 * either case.
 */
int filter_add(struct filter *filter, enum filter_kind kind, const char *text, struct diag *diag);

/* Frees what *filter owns; harmless on a zeroed struct. */
void filter_release(struct filter *filter);

/* Writes the filters as options: "--focus 'x' --thread 1,3", each kind with its texts. */
void filter_describe(char *text, size_t text_bytes, const struct filter *filter);

/* The i-th text that is given for `kind`, or NULL past the last. */
const char *filter_text(const struct filter *filter, enum filter_kind kind, size_t i);

/*
 * Finds the threads and states of a profile that the filter selects. `filter` may be NULL. Returns
 * 1 if attribute() needs *selection, 0 if everything is selected, -1 when out of memory. The caller
 * frees selection->threads.
 */
int filter_select(const struct filter *filter, const struct profile *profile,
	struct tree_selection *selection);

enum { FILTER_ITEM_BYTES = 32 };

/*
 * Whether a profile has the threads that --thread names; the option must be given. Each number must
 * be that of a thread, and each range must contain the number of a thread. The option as a whole
 * must select a thread. Returns 0, or -1 with the missing item in `missing`, which has
 * FILTER_ITEM_BYTES.
 */
int filter_find_threads(const struct filter *filter, const struct profile *profile, char *missing);

/* Whether --thread, which must be given, selects this thread (index into profile.threads). */
int filter_has_thread(const struct filter *filter, const struct profile *profile, size_t thread);

/* The filters that a path matches. */
enum filter_hit {
	FILTER_HIT_FOCUS = FILTER_FOCUS,
	FILTER_HIT_IGNORE = FILTER_IGNORE,
	FILTER_HIT_REGION = FILTER_REGION, /* is in a region that matches */
	FILTER_IN_REGION = 128,            /* is in a region */
};

/*
 * Returns the kinds, among `kinds`, with a term that matches a text. For regions only patterns are
 * compared.
 */
unsigned filter_match_text(const struct filter *filter, unsigned kinds, const char *text);

/* Whether a term of --region or --phase is "none". */
int filter_has_none(const struct filter *filter);

/* Whether a term of --region is that place. */
int filter_match_line(const struct filter *filter, const char *file, uint32_t line);

/*
 * Finds the hits of each node's path in a named tree, including the node itself. The result is by
 * node; free() it. NULL when out of memory. Only terms of `kinds` are compared. Equal names are
 * compared once.
 */
uint8_t *filter_match(const struct filter *filter, unsigned kinds, const struct name_tree *names);

/*
 * Finds the hits by node of the attributed tree from which `names` was built: the hits of its named
 * node, and of lines in the bodies of constructs, which have no named node of their own. free() the
 * result. NULL when out of memory.
 */
uint8_t *filter_match_tree(
	const struct filter *filter, const struct name_tree *names, const struct tree *tree);

/* Whether a path with these hits is selected. */
int filter_selects(const struct filter *filter, unsigned hits);

/* Whether --region alone selects a region. With hits of 0: whether it selects code in no region. */
int filter_selects_region(const struct filter *filter, unsigned hits);

#endif
