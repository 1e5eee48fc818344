/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of filters share: reports of made-up profiles with filters, and random profiles. */
#ifndef OMPPROF_TESTS_UNIT_COMMAND_FILTERED_H
#define OMPPROF_TESTS_UNIT_COMMAND_FILTERED_H

#include "src/report/filter.h"
#include "src/report/report.h"
#include "tests/unit/scenes/build_profile.h"

/* Options as on a command line; the kind 0 ends them. */
struct given {
	enum filter_kind kind;
	const char *text;
};

/* Sets a filter, which filter_release() frees; fails the test if an option is refused. */
void set_filter(struct filter *filter, const struct given *given);

/*
 * The report of what was built, filtered unless `filter` is NULL; report_release() it. Functions are alpha,
 * beta, gamma, delta and epsilon of /src/dir/m.c, some with a call inlined, which is "inner"; some addresses
 * have none.
 */
void make_report(struct report *report, const struct build *b, enum tree_view view, int by_thread,
	const struct filter *filter);

/* The user view of it with functions of any names. */
void make_named(struct report *report, const struct build *b, const struct filter *filter,
	names_lookup *lookup);

/* Fails unless the figures are the same, but for executions, of which each part has all. */
void same_figures(struct tree_metrics a, struct tree_metrics b);

/* Calls `check` with 60 random profiles, half of them with regions in rings. */
void for_each_profile(void (*check)(const struct build *b));

#endif
