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

/* Options for the runs. */
struct scale_options {
	const char *folder;
	uint32_t threads[SCALE_MOST]; /* ascending */
	size_t n_threads;
	uint32_t n_repeats;
	const char *frequency, *event, *runtime; /* options of `ompprof run`, or NULL */
	int is_quiet;
};

/*
 * Makes an empty folder DIR. Earlier runs of `ompprof scale` in it are kept as DIR.old; a folder
 * with other files is left alone. Returns 0, or -1 with the reason in *diag.
 */
int scale_folder_prepare(const char *folder, struct diag *diag);

/* Reads a name such as "t4-2": run 2 with 4 threads. Returns 0, or -1 if it is no such name. */
int scale_folder_parse(const char *name, uint32_t *n_threads, uint32_t *number);

/*
 * Runs argv with each number of threads, then repeats the whole series, so that changes of the
 * machine affect all numbers of threads alike. Stops with a message at the first run that fails, is
 * interrupted or leaves no profile; its folder gets the suffix ".failed". Returns the exit status:
 * 0, the program's status (or its signal, raised again), or RUN_FAILED.
 */
int scale_run(const struct scale_options *options, char **argv);

/* The runs with one number of threads. */
struct scale_point {
	uint32_t n_asked;      /* OMP_NUM_THREADS */
	struct diff_run *runs; /* sorted by wall time, shortest first */
	size_t n_runs;
	/* the median run; if the number is even, the shorter of the two in the middle */
	const struct diff_run *run;
	struct diff diff; /* `run` compared with the first point's run */
};

struct scale {
	struct name_tree strings;
	struct scale_point *points; /* fewest threads first */
	size_t n_points;
	int is_weak;
};

/* Loads the runs of a folder. Returns 0, or -1 with the reason in *diag. Release in either case. */
int scale_load(struct scale *scale, const char *folder, const struct report_options *options,
	int is_weak, struct diag *diag);

/*
 * Makes *scale of loaded runs, which it takes over; n_asked has the number of threads asked for by
 * run. Also for tests.
 */
int scale_make(struct scale *scale, struct diff_run *runs, const uint32_t *n_asked, size_t n_runs,
	int is_weak);

void scale_release(struct scale *scale);

/* Whether a number of threads has several runs. */
int scale_is_repeated(const struct scale *scale);

/*
 * The largest difference of wall times that means nothing, as a part of a point's wall time, over
 * all points. With several runs it is how much they differ; with one run it is twice its
 * diff_run.noise_ns. Negative: not known.
 */
double scale_noise(const struct scale *scale);

/*
 * Writes sentence i on what to doubt into the buffer and returns it; NULL past the last sentence.
 */
const char *scale_warning(const struct scale *scale, size_t i, char *text, size_t text_bytes);

/* Details that follow the table of all points. */
struct scale_view {
	size_t at;
	/*
	 * -1: causes and changes; else enum diff_table
	 */
	int by;
	int shows_all;
	const struct table_options *table;
};

/* Return 0, or -1 when out of memory. */
int scale_print(
	const struct scale *scale, const struct scale_view *view, struct terminal *terminal);
int scale_print_points(const struct scale *scale, const struct table_options *options,
	const char *fields, struct terminal *terminal);
void scale_put_json(const struct scale *scale, FILE *out);

/* Checks that the table of points has the requested columns, as table_check. */
int scale_check(const struct table_options *options, struct diag *diag);

#endif
