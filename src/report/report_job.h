/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes of a run: what each of them did, and all of them as one report. Used by report_load.c, and
 * by the views that show them.
 */
#ifndef OMPPROF_SRC_REPORT_REPORT_JOB_H
#define OMPPROF_SRC_REPORT_REPORT_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "profile/shared/diag.h"
#include "profile/reader/reader.h"

struct report;
struct report_options;

/*
 * One process, which wrote a file. A process in which no OpenMP runtime began, such as the shell of a
 * script, does not count in the figures of a run in which one did, unless a launcher gave it a rank. Nor
 * does one without a sample, if others have some and none has OpenMP.
 */
struct report_process {
	char *path;
	uint32_t rank; /* + 1; 0: it has none */
	uint32_t n_ranks;
	uint32_t pid;
	char host[64];
	char *program; /* name of the executable */
	char **args;   /* n_args of them */
	size_t n_args;
	size_t n_threads; /* without native ones if it uses OpenMP */
	uint32_t n_openmp_threads;
	uint32_t n_slots;
	uint32_t n_cpus, machine_cpus;
	uint64_t begin_ns; /* since the epoch */
	uint64_t wall_ns;
	uint64_t n_samples;
	/* Of its slots' time, which is the sum; of a plain process with native threads, of its threads': */
	uint64_t useful_ns, mpi_ns, wait_ns, other_ns;
	int is_counted;
	int is_complete;
	int is_running; /* when its file was read, on this host */
	int has_openmp;
	int is_plain;    /* without OpenMP, and no rank of a job that uses it: see useful_ns */
	int is_replaced; /* another program went on in its place (exec): it has a file of its own */
};

/* Which of a run's processes to show. */
struct report_selection {
	int has_rank, has_pid;
	uint32_t rank, pid;
};

struct report_job {
	struct report_process *processes; /* by rank, then as they began */
	size_t n, n_counted;
	size_t n_unreadable;    /* files that were left out */
	size_t n_programs;      /* of those that count */
	struct profile_list of; /* the files */
	/* Of the host on which it is worst: OpenMP threads at one time, and CPUs for them. */
	uint32_t most_threads, most_cpus;
};

/* Lists the run's files that `selection` is about. Returns 0, or -1 with *diag set. */
int report_job_find(struct report_job *job, const char *path,
	const struct report_selection *selection, struct diag *diag);

/*
 * Fills the list of the processes, and the report with all but names: its profile, trees, figures and totals. They are
 * the sum of the processes that count, or the only process that counts as it is. Returns 0, or -1 with *diag set.
 */
int report_job_load(struct report *report, const struct report_options *options, struct diag *diag);

/* Fills most_threads and most_cpus. */
void report_job_find_hosts(struct report_job *job);

/* CPUs that the processes of all hosts have, each CPU once. */
uint32_t report_job_count_cpus(const struct report_job *job);

void report_job_release(struct report_job *job);

/* "ranks" if all that count have one of their own, else "processes". */
const char *report_job_word(const struct report_job *job);

/* Sums over the processes that count, and the most of one of them. */
struct report_job_sums {
	uint64_t useful_ns, mpi_ns, wait_ns, other_ns, most_useful_ns;
	size_t n_threads;
	size_t most; /* index of the one with most useful work */
};
struct report_job_sums report_job_sum(const struct report_job *job);

#endif
