/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The figures of a run that are compared: its wall time by cause, and the places in its source with
 * their parts of it.
 *
 *  report (report.h) -> diff_run_make() -> struct diff_run, of which several fit into memory
 *
 * A run keeps nothing of its report, so that reports can be loaded one after the other. The
 * compared runs share their strings: equal text has the same address. Used by `ompprof diff` and
 * `ompprof scale`.
 *
 * Errors. Sampled figures are as uncertain as counts: n samples have a standard deviation of the
 * square root of n. Figures from events (waits, executions of regions) are assumed to be right
 * within 3 %, which is two standard deviations; `make accuracy` checks this bound. Waits of unseen
 * tasks are as uncertain as other sampled figures (diff_unseen). Neither says how
 * much two runs of the same program differ; see diff_run.noise_ns. Several runs of `ompprof run
 * --repeat` become one run, whose figures are medians and whose errors say how the runs differ.
 */
#ifndef OMPPROF_SRC_COMPARE_DIFF_RUN_H
#define OMPPROF_SRC_COMPARE_DIFF_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "src/findings/efficiency.h"
#include "src/findings/names.h"
#include "src/report/report.h"

enum { DIFF_TIMED_PERMILLE = 15 /* standard deviation of figures from events */ };

/* The kinds of places. Places of two runs can be the same only if their kinds are. */
enum diff_kind {
	DIFF_OUTSIDE,  /* all time outside parallel regions */
	DIFF_REGION,   /* the team of a parallel region */
	DIFF_BODY,     /* a construct's own code, without its callees */
	DIFF_FUNCTION, /* a function's own code; its serial time includes callees */
	DIFF_MUTEX,    /* where a mutex is waited for */
	DIFF_STATE,    /* no code: waits, runtime overhead, truncated paths, ... */
	DIFF_N_KINDS,
};

/* Thread time, or events if the clock counts events, as --by function shows them. */
struct diff_amounts {
	uint64_t total, self, work, wait, overhead;
	double total_variance, self_variance; /* of a place */
};

/* No string is NULL. Wall time is thread time over the slots. */
struct diff_place {
	uint8_t kind;          /* enum diff_kind */
	uint16_t listed;       /* bit k: the place has a row for cause k */
	const char *function;  /* the function, or the function around it; "" if not known */
	const char *construct; /* "parallel", "critical(sum)"; "" for functions */
	const char *module;    /* object file, without folders */
	const char *build_id;  /* of the object, in hexadecimal; "" if it has none */
	const char *path;      /* the source file of the line, as the debug information has it */
	const char *file;      /* its base name */
	uint32_t line;
	uint32_t decl_line; /* of the function's declaration; 0 if not known */
	uint64_t order;     /* orders the constructs of one line: see diff_places_order */
	const char *where;  /* "solve.c:142", else a name; "" if `what` has it */
	const char *what;   /* "parallel in solve_cg", "solve_cg" */
	uint64_t wall_ns[METRICS_N_CAUSES];
	double variance[METRICS_N_CAUSES]; /* of wall_ns, in ns^2 */
	uint64_t n;                        /* executions of a region */
	uint64_t region_ns; /* wall time of a region's executions, or outside of regions */
	double region_variance;
	struct diff_amounts amounts;
};

/*
 * A node of the call tree in the user view. Calls of one function from different lines are one
 * node, as in --tree.
 */
struct diff_path {
	uint32_t parent; /* smaller than its own index; the first node is the whole run */
	uint32_t place;  /* index into diff_run.places; not of the whole run */
	uint64_t total;  /* thread time, or events, with all below it */
};

struct diff_run {
	char *path; /* the path of the profile as given */
	char *command;
	char *program;    /* the executable, without folders */
	char *label;      /* of `run --label`, or "" */
	uint32_t n_slots; /* as in struct metrics, at least 1 */
	uint32_t n_team;  /* the largest team of any process */
	uint32_t n_processes, n_cpus;
	uint32_t n_runs;            /* 1; the figures of several are medians */
	uint64_t least_ns, most_ns; /* the wall times of several runs */
	uint64_t wall_ns;
	uint64_t capacity_ns, useful_ns;       /* thread time; of several the median run's */
	uint64_t wall_of_ns[METRICS_N_CAUSES]; /* their sum is wall_ns, but for several runs */
	double variance[METRICS_N_CAUSES];     /* of wall_of_ns */
	uint64_t left_ns[EFFICIENCY_N + 1];    /* see efficiency.h; of several the median run's */
	uint64_t n_samples;
	size_t n_unread;  /* files in its folder that should be profiles and are none */
	double period_ns; /* mean thread time that a sample represents */
	/*
	 * A lower bound of the standard deviation of the wall time between runs, as far as one run
	 * can tell: by the scatter of the executions of outermost regions, and the time that
	 * threads were ready without a CPU. For several runs it is the error of their median.
	 */
	double noise_ns;
	uint64_t noise_of_ns;        /* wall time of the regions whose scatter is known */
	struct diff_amounts amounts; /* of the whole run; self equals total */
	char clock[32];
	char host[sizeof(((struct profile_header *)0)->host)];
	uint64_t begun_ns; /* since 1970 */
	int is_event, has_waits, is_complete, is_truncated, is_openmp;
	struct diff_place *places;
	size_t n_places;
	struct diff_path *paths; /* if they were asked for; of several runs the median run's */
	size_t n_paths;
};

/*
 * Fills *run from a report of the user view, with the call paths if has_paths. Returns 0, or -1
 * with *diag set (out of memory). Release with diff_run_release in either case.
 */
int diff_run_make(struct diff_run *run, const struct report *report, struct name_tree *strings,
	int has_paths, struct diag *diag);

/* Runs that were loaded. */
struct diff_runs {
	struct diff_run *runs;
	size_t n;
	int has_paths; /* the runs get their call paths */
};

/*
 * Adds the run at `path`, or each of its repeated runs; loads them by `options`, which must ask for
 * the user view. Returns 0, or -1 with *diag set; some of the runs can be there then.
 */
int diff_runs_add(struct diff_runs *runs, const char *path, const struct report_options *options,
	struct name_tree *strings, struct diag *diag);
void diff_runs_release(struct diff_runs *runs);

/*
 * Makes *run of n runs, which it takes over: of one run as it is, of several their medians, with
 * the description of the median run. Returns 0, or -1 when out of memory.
 */
int diff_run_join(struct diff_run *run, struct diff_run *runs, size_t n);

/* Both together: makes *run of the profile at `path`. Returns as diff_run_make. */
int diff_run_load(struct diff_run *run, const char *path, const struct report_options *options,
	struct name_tree *strings, int has_paths, struct diag *diag);

/* Whether noise_of_ns is at least half of the wall time; otherwise noise_ns says little. */
int diff_run_knows_noise(const struct diff_run *run);

enum { DIFF_UNREAD_BYTES = 4096 + 128 };

/* Says that a run can be missing, as files of its folder are no profiles. Returns 0 if none is. */
int diff_run_say_unread(const struct diff_run *run, char *text, size_t text_bytes);

/* Frees what *run owns; harmless on a zeroed struct. */
void diff_run_release(struct diff_run *run);

static inline double diff_square(double x)
{
	return x * x;
}

/* The 97.5 % quantile of Student's distribution; within 0.3 %, but for 1 to 3 degrees exact. */
double diff_student(size_t freedom);

/* Rounds to the nearest whole number: 0 for negative numbers and NaN, 9 * 10^18 at most. */
uint64_t diff_round(double number);

/* Fills run->places, and run->paths; a part of diff_run_make. Returns 0, or -1: out of memory. */
int diff_places_make(struct diff_run *run, const struct report *report, struct name_tree *strings,
	int has_paths);

/* The part of a timed cause's time that samples tell, if they tell unseen_ns of all waits. */
uint64_t diff_unseen(
	enum metrics_cause cause, const uint64_t cause_ns[METRICS_N_CAUSES], uint64_t unseen_ns);

#endif
