/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The figures of a run that are compared: its wall time by cause, and the places in its source with
 * their parts of it.
 *
 *   report (report.h) -> diff_run_make() -> struct diff_run, of which several fit into memory
 *
 * A run keeps nothing of its report, so that reports can be loaded one after the other. Its strings
 * are in a store that the compared runs share: equal text has the same address in all of them. Used
 * by `ompprof diff` and `ompprof scale`; pure except for diff_run_load.
 *
 * Errors. Sampled figures are as uncertain as counts: n samples have a standard deviation of the
 * square root of n. Figures from events (waits, executions of regions) are assumed to be right
 * within 3 %, which is two standard deviations; `make accuracy` checks this bound. Neither says how
 * much two runs of the same program differ; see diff_run.noise_ns.
 */
#ifndef OMPPROF_SRC_COMPARE_DIFF_RUN_H
#define OMPPROF_SRC_COMPARE_DIFF_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "src/findings/efficiency.h"
#include "src/findings/names.h"
#include "src/report/report.h"

enum { DIFF_TIMED_PERMILLE = 15 /* error of figures from events */ };

/* The kinds of places. Only places of the same kind can be the same in two runs. */
enum diff_kind {
	DIFF_OUTSIDE,  /* all time outside parallel regions */
	DIFF_REGION,   /* a parallel region */
	DIFF_BODY,     /* a construct's own code, without its callees */
	DIFF_FUNCTION, /* a function's own code; for serial time with its callees */
	DIFF_MUTEX,    /* where a mutex is waited for */
	DIFF_STATE,    /* waiting and similar leaves of the call tree */
	DIFF_N_KINDS,
};

/* Thread time, or events if the clock counts events; as in the tables by function. */
struct diff_amounts {
	uint64_t total, self, work, wait, overhead;
};

/* No string is NULL. Wall times are thread time over the slots. */
struct diff_place {
	uint8_t kind;          /* enum diff_kind */
	uint16_t listed;       /* bit k: cause k is listed here, and nowhere else */
	const char *function;  /* the function itself, or the function around it; "" if not known */
	const char *construct; /* "parallel", "critical(sum)"; "" for functions */
	const char *module;    /* base name of the object */
	const char *build_id;  /* of the object, hexadecimal; "" if it has none */
	const char *file;      /* base name */
	uint32_t line;
	uint32_t decl_line; /* of the function; 0 if not known */
	uint64_t order;     /* order among the constructs of a line within their object */
	const char *where;  /* "solve.c:142", or the best name there is */
	const char *what;   /* "parallel in solve_cg", or "" */
	uint64_t wall_ns[METRICS_N_CAUSES];
	double variance[METRICS_N_CAUSES]; /* of wall_ns, in ns^2 */
	uint64_t n;                        /* executions of a region */
	uint64_t region_ns;                /* wall time of a region's executions */
	struct diff_amounts amounts;
};

struct diff_run {
	char *path; /* as the user gave it */
	char *command;
	char *program;    /* base name of the executable */
	uint32_t n_slots; /* of all processes; see metrics.h */
	uint32_t n_team;  /* the largest team of any process */
	uint32_t n_processes, n_cpus;
	uint64_t wall_ns;
	uint64_t capacity_ns, useful_ns;       /* thread time */
	uint64_t wall_of_ns[METRICS_N_CAUSES]; /* their sum is wall_ns */
	double variance[METRICS_N_CAUSES];     /* of wall_of_ns */
	uint64_t left_ns[EFFICIENCY_N + 1];    /* see efficiency.h */
	uint64_t n_samples;
	double period_ns; /* mean thread time that a sample represents */
	/*
	 * How much runs differ by themselves, as far as one run can tell: how the executions of
	 * each outermost region scatter, and the time that threads were ready without a CPU. One
	 * standard deviation, as a lower bound.
	 */
	double noise_ns;
	uint64_t noise_of_ns;        /* wall time of the regions whose scatter is known */
	struct diff_amounts amounts; /* of all its threads; self equals the total */
	char clock[32];
	int is_event, has_waits, is_complete, is_truncated, is_openmp;
	struct diff_place *places;
	size_t n_places;
};

/*
 * Copies the compared figures from a report of the user view. Returns 0, or -1 with *diag set (out
 * of memory). Release with diff_run_release in either case.
 */
int diff_run_make(struct diff_run *run, const struct report *report, struct name_tree *strings,
	struct diag *diag);

/*
 * Loads the report of the profile at `path`, in the user view, and copies its figures. Returns as
 * diff_run_make.
 */
int diff_run_load(struct diff_run *run, const char *path, const struct report_options *options,
	struct name_tree *strings, struct diag *diag);

/*
 * Whether noise_ns covers at least half of the wall time; otherwise it says little about the run.
 */
int diff_run_knows_noise(const struct diff_run *run);

/* Does nothing to a zeroed struct. */
void diff_run_release(struct diff_run *run);

static inline double diff_square(double x)
{
	return x * x;
}

/* Rounds to the nearest whole number, 9 * 10^18 at most. Negative numbers and NaN give 0. */
uint64_t diff_round(double number);

/* Fills run->places, as part of diff_run_make. Returns 0 or -1. */
int diff_places_make(struct diff_run *run, const struct report *report, struct name_tree *strings);

#endif
