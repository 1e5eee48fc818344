/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares two runs: how the wall time changed by cause and by place, and how certain that is. Used
 * by `ompprof diff` and `ompprof scale`. Pure.
 *
 *   struct diff_run x 2 -> diff_make() -> struct diff -> diff_text.c, diff_table.c, diff_data.c,
 *                                                        diff_condition.c
 *
 * With the same number of threads a change is a difference of wall time. With another number of
 * threads each figure of the first run is multiplied by diff.scale, which gives its value with
 * ideal speed-up; a change then is wall time lost against the ideal. Wall time is thread time over
 * threads, and all thread time is in exactly one cause. So the changes of the causes add up to the
 * change of the wall time, with any number of threads. The changes of the places do so, too, up to
 * rounding and to useful work without samples.
 */
#ifndef OMPPROF_SRC_COMPARE_DIFF_H
#define OMPPROF_SRC_COMPARE_DIFF_H

#include "src/compare/diff_match.h"
#include "src/compare/diff_run.h"

enum diff_mode {
	DIFF_CHANGE, /* the same number of threads */
	DIFF_STRONG, /* scaling with the same work */
	DIFF_WEAK,   /* scaling with work in proportion to the threads */
};

/* A figure of both runs. */
struct diff_value {
	uint64_t before_ns, after_ns; /* wall time, unscaled */
	double change_ns;             /* after_ns - before_ns * diff.scale */
	double error_ns;              /* one standard deviation of the change */
};

/* One cause at one place. */
struct diff_row {
	const struct diff_pair *pair;
	enum metrics_cause cause;
	struct diff_value value;
	int is_hidden; /* the change is below twice its error, or 0.1 % of the wall time */
};

struct diff {
	const struct diff_run *before, *after;
	enum diff_mode mode;
	double scale;
	struct diff_value wall; /* error_ns is 0: a clock measured it */
	struct diff_value cause[METRICS_N_CAUSES];
	struct diff_pair *pairs;
	size_t n_pairs;
	struct diff_row *rows; /* largest change first */
	size_t n_rows, n_hidden;
	uint64_t common_ns; /* wall time of the second run at places that both runs have, and */
	uint64_t placed_ns; /* at all its places, without the time outside regions */
};

/*
 * Compares two runs, which must share their store of strings and outlive *diff. Returns 0, or -1
 * when out of memory. Release with diff_release in either case.
 */
int diff_make(struct diff *diff, const struct diff_run *before, const struct diff_run *after,
	int is_weak);

void diff_release(struct diff *diff);

/* The place in the second run, or in the first run if it is gone. */
const struct diff_place *diff_place(const struct diff_pair *pair);

/* A pair's value for one cause. A run without the place counts as 0. */
struct diff_value diff_pair_value(
	const struct diff *diff, const struct diff_pair *pair, enum metrics_cause cause);

/* The sum over all causes of a pair. */
struct diff_value diff_pair_sum(const struct diff *diff, const struct diff_pair *pair);

/* "better", "worse", "new" or "gone". */
const char *diff_row_word(const struct diff_row *row);

/* The speed-up, and its ratio to the ideal speed-up; 0 if a wall time is 0. */
double diff_speed_up(const struct diff_run *before, const struct diff_run *after, int is_weak);
double diff_scaling(const struct diff_run *before, const struct diff_run *after, int is_weak);

/*
 * The parallel efficiency, and POP's computation scaling: useful time of the first run over the
 * second, for work in proportion to the threads if is_weak. The product of both is the global
 * efficiency. 0 if there is no time.
 */
double diff_parallel_efficiency(const struct diff_run *run);
double diff_computation_scaling(
	const struct diff_run *before, const struct diff_run *after, int is_weak);

/*
 * Writes sentence i on what makes the comparison doubtful into the buffer and returns it; NULL past
 * the last sentence. The weightiest sentence comes first.
 */
const char *diff_warning(const struct diff *diff, size_t i, char *text, size_t text_bytes);

#endif
