/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two runs compared: what changed of the wall time, by cause and by place, and how sure that is. Used by
 * `ompprof diff` and `ompprof scale`. Pure.
 *
 *   struct diff_run x 2 -> diff_make() -> struct diff -> diff_text.c, diff_table.c, diff_data.c,
 *                                                        diff_condition.c
 *
 * With the same number of threads a change is a difference of wall time. With another number each figure of
 * the run before is multiplied by diff.scale first, which makes it what it would be if speed-up were ideal, and
 * a change is wall time that is lost against that. As wall time is thread time over threads, and all thread
 * time is in exactly one cause, the changes of the causes add up to that of the wall time, with any number of
 * threads: so do the changes of the places, up to rounding and to useful work that no sample met.
 */
#ifndef OMPPROF_SRC_COMPARE_DIFF_H
#define OMPPROF_SRC_COMPARE_DIFF_H

#include "src/compare/diff_match.h"
#include "src/compare/diff_run.h"

enum diff_mode {
	DIFF_CHANGE, /* the same number of threads */
	DIFF_STRONG, /* scaling, the work being the same */
	DIFF_WEAK,   /* scaling, the work being in proportion to the threads */
};

/* A figure of both runs. */
struct diff_value {
	uint64_t before_ns, after_ns; /* wall time, as it was */
	double change_ns;             /* after_ns - before_ns * diff.scale */
	double error_ns;              /* of that: one standard deviation */
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
	struct diff_value wall; /* the clock's error is none */
	struct diff_value cause[METRICS_N_CAUSES];
	struct diff_pair *pairs;
	size_t n_pairs;
	struct diff_row *rows; /* largest change first */
	size_t n_rows, n_hidden;
	uint64_t common_ns; /* wall time of the run after at places that both have, and */
	uint64_t placed_ns; /* at all its places, without what is outside of regions */
};

/*
 * Compares; the runs must share their store of strings and outlive *diff. Returns 0, or -1 when out of memory.
 * Release with diff_release in either case.
 */
int diff_make(struct diff *diff, const struct diff_run *before, const struct diff_run *after,
	int is_weak);

void diff_release(struct diff *diff);

/* The place as it is after, or if it is gone, as it was before. */
const struct diff_place *diff_place(const struct diff_pair *pair);

/* One cause of a pair's; a place that a run lacks has none. */
struct diff_value diff_pair_value(
	const struct diff *diff, const struct diff_pair *pair, enum metrics_cause cause);

/* All causes of a pair's together. */
struct diff_value diff_pair_sum(const struct diff *diff, const struct diff_pair *pair);

/* "better", "worse", "new" or "gone". */
const char *diff_row_word(const struct diff_row *row);

/* Speed-up, and what part that is of the ideal one; 0 if a wall time is 0. */
double diff_speed_up(const struct diff_run *before, const struct diff_run *after, int is_weak);
double diff_scaling(const struct diff_run *before, const struct diff_run *after, int is_weak);

/* Parallel efficiency; and useful time before over that after, of work in proportion if weak (POP's
   computation scaling). Their product is the global efficiency. 0 of nothing. */
double diff_parallel_efficiency(const struct diff_run *run);
double diff_computation_scaling(
	const struct diff_run *before, const struct diff_run *after, int is_weak);

/*
 * Sentence i on what makes the comparison doubtful, or NULL past the last, in the buffer. The order is that of
 * weight.
 */
const char *diff_warning(const struct diff *diff, size_t i, char *text, size_t text_bytes);

#endif
