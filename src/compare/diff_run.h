/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is compared of a run: its wall time by cause, and the places in its source with what they take of it.
 *
 *   report (report.h) -> diff_run_make() -> struct diff_run, of which several fit into memory
 *
 * A run keeps nothing of the report that it is made of, so that reports are loaded one after the other. Its
 * strings are in a store that the runs to be compared share: the same text is at the same address in all of
 * them. Used by `ompprof diff` and `ompprof scale`; pure but for diff_run_load.
 *
 * Errors. What samples tell is uncertain as counts are: an amount of n samples by its n-th root. What events
 * tell (waits, executions of regions) is taken to be right within 3 %, two of its errors, which is what `make
 * accuracy` holds. Neither says how much two runs of the same program differ; see diff_run.noise_ns.
 */
#ifndef OMPPROF_SRC_COMPARE_DIFF_RUN_H
#define OMPPROF_SRC_COMPARE_DIFF_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "src/findings/efficiency.h"
#include "src/findings/names.h"
#include "src/report/report.h"

enum { DIFF_TIMED_PERMILLE = 15 /* error of what events tell */ };

/* What a place is; those of one kind can be the same in two runs. */
enum diff_kind {
	DIFF_OUTSIDE,  /* all that is in no parallel region */
	DIFF_REGION,   /* a parallel region */
	DIFF_BODY,     /* a construct's own code, not what it calls */
	DIFF_FUNCTION, /* a function's own code; of serial time what it calls, too */
	DIFF_MUTEX,    /* where a mutex is waited for */
	DIFF_STATE,    /* waiting and the like, as leaves of the call tree have it */
	DIFF_N_KINDS,
};

/* Thread time or, of an event's clock, events; as the tables by function have them. */
struct diff_amounts {
	uint64_t total, self, work, wait, overhead;
};

/* No string is NULL. Wall times: thread time over the slots. */
struct diff_place {
	uint8_t kind;          /* enum diff_kind */
	uint16_t listed;       /* bit k: cause k is counted here, and nowhere else */
	const char *function;  /* that it is, or that contains it; "" not known */
	const char *construct; /* "parallel", "critical(sum)"; "" of functions */
	const char *module;    /* base name of the object */
	const char *build_id;  /* of the object, hexadecimal; "" none */
	const char *file;      /* base name */
	uint32_t line;
	uint32_t decl_line; /* of the function; 0 not known */
	uint64_t order;     /* of constructs of one line within their object */
	const char *where;  /* "solve.c:142", or what there is */
	const char *what;   /* "parallel in solve_cg", or "" */
	uint64_t wall_ns[METRICS_N_CAUSES];
	double variance[METRICS_N_CAUSES]; /* of these, ns^2 */
	uint64_t n;                        /* executions of a region */
	uint64_t region_ns;                /* wall time of a region's executions */
	struct diff_amounts amounts;
};

struct diff_run {
	char *path; /* as it was given */
	char *command;
	char *program;    /* base name of the executable */
	uint32_t n_slots; /* of all processes; see metrics.h */
	uint32_t n_team;  /* the largest team of any process */
	uint32_t n_processes, n_cpus;
	uint64_t wall_ns;
	uint64_t capacity_ns, useful_ns;       /* thread time */
	uint64_t wall_of_ns[METRICS_N_CAUSES]; /* their sum is wall_ns */
	double variance[METRICS_N_CAUSES];     /* of these */
	uint64_t left_ns[EFFICIENCY_N + 1];    /* see efficiency.h */
	uint64_t n_samples;
	double period_ns; /* thread time that a sample stands for on average */
	/* What can be known within one run of how runs differ by themselves: how the executions of each
	   outermost region scatter, and the time that threads were ready without a CPU. One standard
	   deviation; at least so much. */
	double noise_ns;
	uint64_t noise_of_ns;        /* wall time of the regions that it is known of */
	struct diff_amounts amounts; /* of all its threads; self is the total */
	char clock[32];
	int is_event, has_waits, is_complete, is_truncated, is_openmp;
	struct diff_place *places;
	size_t n_places;
};

/* Copies what is compared out of a report of the user view. Returns 0, or -1 with *diag set (out of
   memory). Release with diff_run_release in either case. */
int diff_run_make(struct diff_run *run, const struct report *report, struct name_tree *strings,
	struct diag *diag);

/* Loads the report of the profile at `path` for it, of the user view. Likewise. */
int diff_run_load(struct diff_run *run, const char *path, const struct report_options *options,
	struct name_tree *strings, struct diag *diag);

/* Whether noise_ns is known of at least half of the wall time: of less it says little of all. */
int diff_run_knows_noise(const struct diff_run *run);

/* Harmless on a zeroed struct. */
void diff_run_release(struct diff_run *run);

/* To the next whole number; what is negative, or no number, is 0, and the most is 9 * 10^18. */
uint64_t diff_round(double number);

/* Fills run->places; the part of diff_run_make that looks at places. Returns 0 or -1. */
int diff_places_make(struct diff_run *run, const struct report *report, struct name_tree *strings);

#endif
