/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of `ompprof scale`, which runs a program at several numbers of threads and says where
 * its speed-up was lost.
 *
 *   scale_folder_prepare() -> scale_run() -> DIR/t1-1, DIR/t2-1, ...: a profile for each run
 *   DIR -> scale_load() -> struct scale -> scale_text.c, scale_json.c
 *
 * The run with the median wall time represents all runs with its number of threads. It is compared
 * with the median run with the fewest threads (diff.h). Used by cmd_scale.c only.
 */
#ifndef OMPPROF_SRC_COMPARE_SCALE_H
#define OMPPROF_SRC_COMPARE_SCALE_H

#include <stddef.h>
#include <stdint.h>

#include "src/compare/diff.h"
#include "src/run/run.h"
#include "src/text/table.h"

enum { SCALE_MOST = 64 /* numbers of threads */ };

/* Options of scale_run. */
struct scale_options {
	const char *folder;
	uint32_t threads[SCALE_MOST]; /* smallest first */
	size_t n_threads;
	uint32_t n_repeats;
	const char *frequency, *event, *runtime; /* options of `ompprof run`, or NULL */
	int is_quiet;
};

/*
 * Makes an empty folder DIR. If it has earlier runs of `ompprof scale`, it becomes DIR.old. With
 * other files in it, or another owner, this fails. Returns 0, or -1 with the reason in *diag.
 */
int scale_folder_prepare(const char *folder, struct diag *diag);

/* Reads a name such as "t4-2": run 2 with 4 threads. Returns 0; -1 for other names. */
int scale_folder_parse(const char *name, uint32_t *n_threads, uint32_t *number);

/*
 * Runs argv with each number of threads, then repeats this, so that changes of the machine affect
 * all numbers alike. Stops with a message at the first run that fails, is interrupted or leaves no
 * profile, and adds ".failed" to its folder's name. Returns the exit status: 0, the program's
 * status (or its signal, raised again), or RUN_FAILED.
 */
int scale_run(const struct scale_options *options, char **argv);

/* The runs with one number of threads. */
struct scale_point {
	uint32_t n_asked;      /* OMP_NUM_THREADS */
	struct diff_run *runs; /* sorted by wall time, shortest first */
	size_t n_runs;
	/* the median run; of an even number the shorter of the two in the middle */
	const struct diff_run *run;
	struct diff diff; /* `run` compared with the first point's run */
};

struct scale {
	struct name_tree strings;
	struct scale_point *points; /* fewest threads first */
	size_t n_points;
	int is_weak;
};

/* Loads the runs in a folder. Returns 0, or -1 with the reason in *diag; release in either case. */
int scale_load(struct scale *scale, const char *folder, const struct report_options *options,
	int is_weak, struct diag *diag);

/*
 * Makes *scale of loaded runs, which then belong to it; scale->strings must be theirs. n_asked: by
 * run, OMP_NUM_THREADS, smallest first. Returns 0, or -1 when out of memory. Also for tests.
 */
int scale_make(struct scale *scale, struct diff_run *runs, const uint32_t *n_asked, size_t n_runs,
	int is_weak);

void scale_release(struct scale *scale);

/* Whether a number of threads has several runs. */
int scale_is_repeated(const struct scale *scale);

/*
 * Differences of wall times up to this part of a wall time mean nothing: the largest value of a
 * point. With several runs it is how much they differ, with one run twice its diff_run.noise_ns.
 * Negative: not known.
 */
double scale_noise(const struct scale *scale);

/* Writes warning i into the buffer and returns the buffer; NULL past the last. */
const char *scale_warning(const struct scale *scale, size_t i, char *text, size_t text_bytes);

/*
 * Details below the table of all points: the comparison of point `at` with the first; none if `at`
 * is 0.
 */
struct scale_view {
	size_t at;
	/* -1: causes and changes; else an enum diff_table */
	int by;
	int shows_all;
	const struct table_options *table;
};

/*
 * Print the whole text; only the table of points, with these columns (NULL: the default); and JSON.
 * Return 0, or -1 when out of memory.
 */
int scale_print(
	const struct scale *scale, const struct scale_view *view, struct terminal *terminal);
int scale_print_points(const struct scale *scale, const struct table_options *options,
	const char *fields, struct terminal *terminal);
void scale_put_json(const struct scale *scale, FILE *out);

/* Checks the options of the table of points, as table_check does. */
int scale_check(const struct table_options *options, struct diag *diag);

#endif
