/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares two runs: how the wall time changed by cause and by place, and how certain that is. Used
 * by `ompprof diff` and `ompprof scale`. Without side effects.
 *
 *  struct diff_run x 2 -> diff_make() -> struct diff -> diff_text.c, diff_table.c, diff_data.c,
 *                                                       diff_condition.c
 *
 * With the same number of threads a change is a difference of wall time. With another number, a
 * figure of the first run times diff.scale is the ideal for the second run, and a change is wall
 * time lost against the ideal. Wall time is thread time over threads, and all thread time is in
 * exactly one cause. So the changes of the causes add up to the change of the wall time. The
 * changes of the places do so, too, up to rounding and to useful work without samples.
 */
#ifndef OMPPROF_SRC_COMPARE_DIFF_H
#define OMPPROF_SRC_COMPARE_DIFF_H

#include "src/compare/diff_match.h"
#include "src/compare/diff_run.h"

enum diff_mode {
	DIFF_CHANGE, /* the same number of threads */
	DIFF_STRONG, /* another number of threads, the same work */
	DIFF_WEAK,   /* another number of threads, and work in proportion to it */
};

struct diff_value {
	uint64_t before_ns, after_ns; /* wall time as measured */
	double change_ns;             /* after_ns - before_ns * diff.scale */
	double error_ns;              /* its standard deviation */
};

struct diff_row {
	const struct diff_pair *pair;
	enum metrics_cause cause;
	struct diff_value value;
	int is_hidden; /* the change is below twice its error, or below 0.1 % of the wall time */
};

/* A node of both call trees: the pair of the function is below the same nodes in both runs. */
struct diff_node {
	uint32_t parent;         /* smaller than its own index; UINT32_MAX: the whole run */
	uint32_t function;       /* index into diff.functions; UINT32_MAX: the whole run */
	struct diff_value value; /* thread time or events, with all below it */
};

struct diff {
	const struct diff_run *before, *after;
	enum diff_mode mode;
	double scale;
	/* measured by a clock: error_ns is 0, unless diff_is_repeated */
	struct diff_value wall;
	struct diff_value cause[METRICS_N_CAUSES];
	struct diff_pair *pairs;
	size_t n_pairs;
	struct diff_row *rows; /* largest change first */
	size_t n_rows, n_hidden;
	struct diff_pair **functions; /* functions, bodies and states; largest change first */
	struct diff_pair **regions;   /* likewise, with the time outside of them */
	size_t n_functions, n_regions;
	struct diff_node *nodes; /* a node for each that either run has, if both have paths */
	size_t n_nodes;
	/*
	 * wall time of the second run at places that both runs have, without the time outside of
	 * regions
	 */
	uint64_t common_ns;
	uint64_t placed_ns; /* likewise, at all places of the second run */
};

/*
 * Compares two runs, which must share their strings and outlive *diff. is_weak matters only with
 * different numbers of threads. Returns 0, or -1 when out of memory. Release with diff_release in
 * either case.
 */
int diff_make(struct diff *diff, const struct diff_run *before, const struct diff_run *after,
	int is_weak);

void diff_release(struct diff *diff);

/* The place in the second run, or in the first run if it is gone. */
const struct diff_place *diff_place(const struct diff_pair *pair);

/* One cause of a pair. A run without the place counts as 0. */
struct diff_value diff_pair_value(
	const struct diff *diff, const struct diff_pair *pair, enum metrics_cause cause);

/* The sum over all causes of a pair. */
struct diff_value diff_pair_sum(const struct diff *diff, const struct diff_pair *pair);

/*
 * Thread time, or events if the clock counts events: the amounts of a place, which are 0 for NULL;
 * and of a function itself and with its callees. A change is against the ideal, as for wall time.
 */
const struct diff_amounts *diff_amounts(const struct diff_place *place);
struct diff_value diff_pair_self(const struct diff *diff, const struct diff_pair *pair);
struct diff_value diff_pair_total(const struct diff *diff, const struct diff_pair *pair);

/* The factor of the first run's thread time that gives its ideal. */
double diff_thread_scale(const struct diff *diff);

/* Compares thread time or events, given the variances of both amounts. */
struct diff_value diff_thread_value(const struct diff *diff, uint64_t before_ns, uint64_t after_ns,
	double before_variance, double after_variance);

/* Whether the change is more than twice its error. */
int diff_is_beyond_error(const struct diff_value *value);

/*
 * How much the wall times differ by themselves (diff_run.noise_ns of both runs), and whether that
 * is known of both.
 */
double diff_noise_ns(const struct diff *diff);
int diff_knows_noise(const struct diff *diff);

/* Whether both are medians of several runs, so that all errors say how runs differ. */
int diff_is_repeated(const struct diff *diff);

/* "better", "worse", "same", "new" (only in the second run) or "gone". */
const char *diff_pair_word(const struct diff_pair *pair, const struct diff_value *value);
const char *diff_row_word(const struct diff_row *row);

/*
 * The speed-up, and the speed-up over the ideal; 0 if the second wall time is 0. With is_weak, more
 * work counts as faster.
 */
double diff_speed_up(const struct diff_run *before, const struct diff_run *after, int is_weak);
double diff_scaling(const struct diff_run *before, const struct diff_run *after, int is_weak);

/*
 * The parallel efficiency of a run; and POP's computation scaling: useful time of the first run
 * over that of the second, multiplied with the ratio of threads if is_weak. Their product is the
 * global efficiency. 0 if there is no time.
 */
double diff_parallel_efficiency(const struct diff_run *run);
double diff_computation_scaling(
	const struct diff_run *before, const struct diff_run *after, int is_weak);

/*
 * Writes warning i into the buffer and returns the buffer; NULL past the last. The most important
 * warning comes first.
 */
const char *diff_warning(const struct diff *diff, size_t i, char *text, size_t text_bytes);

/*
 * Whether the runs have so much in common that their changes mean something. If not, text has the
 * warnings first.
 */
int diff_is_comparable(const struct diff *diff);

/* Writes why they have not into the buffer, and returns the buffer; NULL if they have. */
const char *diff_why_not(const struct diff *diff, char *text, size_t text_bytes);

#endif
