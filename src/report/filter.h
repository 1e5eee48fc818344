/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Filters of a report: what the command line says of them, and what they select. Used by cmd_report.c,
 * which reads them, and report_load.c, which applies them; the views print what is left.
 *
 *   filter_add()       an option's text is checked and compiled, once
 *   filter_select()    --thread, --state: to attribute(), for each process, as the attributed tree
 *                      no longer tells its samples' threads (tree_options.selection, tree.kept)
 *   filter_match()     --focus, --ignore, --region: to the named tree, each name once
 *   report_filter()    both together: the figures of the report's nodes become what is left, and
 *                      which rows of the tables of regions, waits, locks, tasks and threads are (report.h)
 *
 * A sample, a measured wait or blame is left if its thread, its state and its call path meet each kind of
 * filter that is given; of one kind any of several will do. So filters compose whatever their order, the
 * same one twice changes nothing, and what a filter selects and what its opposite selects are together
 * the whole, in every figure. Nodes stay: filters change figures alone, and the nodes' ids are those of
 * the whole tree. The metrics (attribution/metrics/metrics.h) are of the whole run, as they cannot be cut.
 */
#ifndef OMPPROF_SRC_REPORT_FILTER_H
#define OMPPROF_SRC_REPORT_FILTER_H

#include <stddef.h>
#include <stdint.h>

#include "attribution/tree/tree.h"
#include "profile/shared/diag.h"
#include "src/findings/names.h"

enum filter_kind {
	FILTER_FOCUS = 1,  /* paths with a function or place that a pattern matches */
	FILTER_IGNORE = 2, /* and those without */
	FILTER_THREAD = 4,
	FILTER_REGION = 8,
	FILTER_STATE = 16,
	FILTER_ALL = 31,
	FILTER_PHASE = 32, /* is none of these: it cuts the profile, not its figures (phases.h) */
};

struct filter_term; /* one option's text */

struct filter {
	struct filter_term *terms;
	size_t n_terms;
	unsigned given;   /* enum filter_kind that there are terms of */
	uint32_t classes; /* bit k: --state selects enum profile_class k */
	int is_relative;  /* percentages are of what is left */
};

/* The option without its dashes: "focus". */
const char *filter_word(enum filter_kind kind);

/*
 * Adds what option `kind` says. A pattern is a POSIX extended regular expression, searched for anywhere and
 * with case; a region is that, FILE:LINE or "none"; threads are numbers, ranges and words of the table of
 * threads; states are the words of JSON and "wait". The text must outlive the filter. Returns 0, or -1 with
 * *diag set. Release with filter_release in either case.
 */
int filter_add(struct filter *filter, enum filter_kind kind, const char *text, struct diag *diag);

/* Frees what *filter owns; harmless on a zeroed struct. */
void filter_release(struct filter *filter);

/* "--focus 'x' --thread 1,3": the filters as options, each kind with what is given for it. */
void filter_describe(char *text, size_t text_bytes, const struct filter *filter);

/* The i-th text that is given for `kind`, or NULL past the last. */
const char *filter_text(const struct filter *filter, enum filter_kind kind, size_t i);

/*
 * The threads and states of a profile that the filter selects. `filter` may be NULL. Returns 1 if
 * *selection is something to attribute with, 0 if all is selected, -1 when out of memory. The caller frees
 * selection->threads.
 */
int filter_select(const struct filter *filter, const struct profile *profile,
	struct tree_selection *selection);

enum { FILTER_ITEM_BYTES = 32 };

/*
 * Whether a profile has the threads that --thread, which must be given, names: each number, at least one of each range,
 * which has to begin with a number that threads have, and one of the words. Returns 0, or -1 with what is missing in
 * `missing`, of FILTER_ITEM_BYTES.
 */
int filter_find_threads(const struct filter *filter, const struct profile *profile, char *missing);

/* Whether --thread, which must be given, selects this thread (index into profile.threads). */
int filter_has_thread(const struct filter *filter, const struct profile *profile, size_t thread);

/* What a path has met, of the filters by name. */
enum filter_hit {
	FILTER_HIT_FOCUS = FILTER_FOCUS,
	FILTER_HIT_IGNORE = FILTER_IGNORE,
	FILTER_HIT_REGION = FILTER_REGION, /* is in a region that matches */
	FILTER_IN_REGION = 128,            /* is in a region */
};

/* The terms of these kinds that match a text: the kinds. Of regions patterns alone. */
unsigned filter_match_text(const struct filter *filter, unsigned kinds, const char *text);

/* Whether a term is "none", of --region or --phase. */
int filter_has_none(const struct filter *filter);

/* Whether a term of --region is this place. */
int filter_match_line(const struct filter *filter, const char *file, uint32_t line);

/*
 * The hits of each node's path in a named tree, its own included, by node; free() it. NULL when out of memory.
 * Only terms of these kinds are looked for. Names that are equal are matched once.
 */
uint8_t *filter_match(const struct filter *filter, unsigned kinds, const struct name_tree *names);

/*
 * The hits by node of the attributed tree that `names` was built of: those of its named node, and of the
 * lines in bodies of constructs, which have no node of their own. Likewise.
 */
uint8_t *filter_match_tree(
	const struct filter *filter, const struct name_tree *names, const struct tree *tree);

/* Whether a path with these hits is selected. */
int filter_selects(const struct filter *filter, unsigned hits);

/* Whether a region, or with 0 what is in none, is selected by --region alone. */
int filter_selects_region(const struct filter *filter, unsigned hits);

#endif
