/* SPDX-License-Identifier: Apache-2.0 */
/* The processes of a run, and all of them as one report. */
#ifndef OMPPROF_SRC_REPORT_REPORT_JOB_H
#define OMPPROF_SRC_REPORT_REPORT_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "attribution/metrics/metrics.h"
#include "profile/shared/diag.h"
#include "profile/reader/reader.h"
#include "src/findings/contention.h"

struct report;
struct report_options;

/*
 * A process that wrote a file. A process counts in the figures if OpenMP began in it, or if a
 * launcher gave it a rank. If OpenMP began in no process of the run, processes with samples also
 * count, or all if none has samples. A process whose file is damaged never counts.
 */
struct report_process {
	char *path;
	uint32_t rank; /* the rank + 1; 0: no rank */
	uint32_t n_ranks;
	uint32_t pid;
	char host[64];
	char *program;
	char **args;
	size_t n_args;
	/* if the process uses OpenMP, without native threads and hidden helpers */
	size_t n_threads;
	uint32_t n_openmp_threads;
	uint32_t n_slots;
	uint32_t n_cpus, machine_cpus;
	uint64_t begin_ns; /* since the epoch */
	uint64_t wall_ns;
	uint64_t busy_ns, process_ns; /* as in struct profile_contention */
	uint64_t n_samples;
	/*
	 * Parts of the time of its slots, which they add up to; if is_plain and there are native
	 * threads, of the time of its threads.
	 */
	uint64_t useful_ns, mpi_ns, wait_ns, other_ns;
	uint64_t cause_ns[METRICS_N_CAUSES]; /* of its slots' time; 0 if the parts are of threads */
	int is_counted;
	int is_complete;
	int is_running; /* it was running on this host when its file was read */
	int has_openmp;
	/* without OpenMP; in a job that uses OpenMP, also without a rank */
	int is_plain;
	int is_replaced; /* it executed another program, which has a file of its own */
};

/*
 * The processes to load: all, or only processes with this rank, this pid, or both. After
 * `ompprof run --repeat` they are of the median run, unless run_id names another run.
 */
struct report_selection {
	int has_rank, has_pid;
	uint32_t rank, pid;
	uint64_t run_id;
};

struct report_job {
	struct report_process *processes; /* ordered by rank, then by when they began */
	size_t n, n_counted;
	size_t n_unselected; /* files that the selection left out */
	size_t n_unreadable; /* damaged files that were left out */
	/* different programs of the processes that count; 0 if only one process counts */
	size_t n_programs;
	struct profile_list of; /* the files, in the order of `processes` */
	/* where the threads per CPU were most; 0 if only one process counts */
	struct contention_crowd crowd;
};

/*
 * Lists the files of the run that `selection` selects; none is an error. Returns 0, or -1 with
 * *diag set.
 */
int report_job_find(struct report_job *job, const char *path,
	const struct report_selection *selection, struct diag *diag);

/*
 * Fills the processes, and everything in the report that needs no names: profile, trees, metrics
 * and totals, put together from the processes that count. Returns 0, or -1 with *diag set.
 */
int report_job_load(struct report *report, const struct report_options *options, struct diag *diag);

/* Fills `crowd`. */
void report_job_find_hosts(struct report_job *job);

/*
 * The CPUs of the processes of each host, at most the host's CPUs, summed up over the hosts. Sets
 * *machine_cpus to the sum of the hosts' CPUs.
 */
uint32_t report_job_count_cpus(const struct report_job *job, uint32_t *machine_cpus);

/*
 * Sums busy_ns and process_ns over the processes that count, which ran on n_cpus CPUs for wall_ns
 * of wall time. CPUs that several processes had at the same time are busy once. Both are 0 if they
 * are not known of a process that took time.
 */
void report_job_find_busy(const struct report_job *job, uint32_t n_cpus, uint64_t wall_ns,
	struct profile_contention *contention);

void report_job_release(struct report_job *job);

/* "ranks" if all processes that count have a rank of their own, else "processes". */
const char *report_job_word(const struct report_job *job);

/*
 * Sums over the processes that count; most_useful_ns is the largest useful_ns, of process `most`.
 */
struct report_job_sums {
	uint64_t useful_ns, mpi_ns, wait_ns, other_ns, most_useful_ns;
	uint64_t cause_ns[METRICS_N_CAUSES];
	size_t n_threads;
	size_t most;
};
struct report_job_sums report_job_sum(const struct report_job *job);

#endif
