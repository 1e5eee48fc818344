/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of `ompprof scale`: a program run at several numbers of threads, and what became of its speed-up.
 *
 *   scale_folder_prepare() -> scale_run() -> DIR/t1-1, DIR/t2-1, ...: profiles, one a run
 *   DIR -> scale_load() -> struct scale -> scale_text.c, scale_json.c
 *
 * The runs of one number of threads stand for each other; the one with the median wall time is compared, with
 * that of the fewest threads (diff.h). Used by cmd_scale.c only.
 */
#ifndef OMPPROF_SRC_COMPARE_SCALE_H
#define OMPPROF_SRC_COMPARE_SCALE_H

#include <stddef.h>
#include <stdint.h>

#include "src/compare/diff.h"
#include "src/run/run.h"
#include "src/text/table.h"

enum { SCALE_MOST = 64 /* numbers of threads */ };

/* What is to be run. */
struct scale_options {
	const char *folder;
	uint32_t threads[SCALE_MOST]; /* going up */
	size_t n_threads;
	uint32_t n_repeats;
	const char *frequency, *event, *runtime; /* for `ompprof run`, or NULL */
	int is_quiet;
};

/*
 * Makes an empty folder DIR. What is there of `ompprof scale` is kept as DIR.old, what is of others is left
 * alone. Returns 0, or -1 with the reason in *diag.
 */
int scale_folder_prepare(const char *folder, struct diag *diag);

/* Reads "t4-2": run 2 with 4 threads. Returns 0, or -1: it is no such name. */
int scale_folder_parse(const char *name, uint32_t *n_threads, uint32_t *number);

/*
 * Runs argv with each number of threads, and again for each repeat, so that what changes on the machine
 * meanwhile meets them all. Stops at the first run that fails, is interrupted or leaves no profile, with a
 * message; its folder gets the suffix ".failed". Returns the exit status: 0, that of the program (by the same
 * signal if it had one) or RUN_FAILED.
 */
int scale_run(const struct scale_options *options, char **argv);

/* The runs with one number of threads. */
struct scale_point {
	uint32_t n_asked;      /* OMP_NUM_THREADS */
	struct diff_run *runs; /* shortest first */
	size_t n_runs;
	const struct diff_run *run; /* the median one; of an even number the shorter of both */
	struct diff diff;           /* of `run`, from the first point's */
};

struct scale {
	struct name_tree strings;
	struct scale_point *points; /* fewest threads first */
	size_t n_points;
	int is_weak;
};

/* Loads what a folder has. Returns 0, or -1 with the reason in *diag. Release in either case. */
int scale_load(struct scale *scale, const char *folder, const struct report_options *options,
	int is_weak, struct diag *diag);

/* The same of runs that are loaded: they are taken, the numbers asked for are beside them. For tests, too. */
int scale_make(struct scale *scale, struct diff_run *runs, const uint32_t *n_asked, size_t n_runs,
	int is_weak);

void scale_release(struct scale *scale);

/* Whether a number of threads has several runs. */
int scale_is_repeated(const struct scale *scale);

/*
 * What a wall time of one point can differ by without meaning anything, as a part of it, of the point where
 * that is most: with several runs, what they differ by; with one, twice what is known of it from within
 * (diff_run.noise_ns). Negative: not known.
 */
double scale_noise(const struct scale *scale);

/* Sentence i on what to doubt, or NULL past the last, in the buffer. */
const char *scale_warning(const struct scale *scale, size_t i, char *text, size_t text_bytes);

/* What is shown beside the table of all points: of point `at`. */
struct scale_view {
	size_t at;
	int by; /* -1: causes and changes; else enum diff_table */
	int shows_all;
	const struct table_options *table;
};

/* Each returns 0, or -1 when out of memory. */
int scale_print(
	const struct scale *scale, const struct scale_view *view, struct terminal *terminal);
int scale_print_points(const struct scale *scale, const struct table_options *options,
	const char *fields, struct terminal *terminal);
void scale_put_json(const struct scale *scale, FILE *out);

/* Whether the table of points has the columns that are asked for: as table_check. */
int scale_check(const struct table_options *options, struct diag *diag);

#endif
