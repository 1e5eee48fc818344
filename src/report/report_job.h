/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes of a run: the work of each process, and all processes as one report. Used by
 * report_load.c and by the views that show processes.
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
 * A process that wrote a file. Some processes do not count in the figures. If OpenMP began in any
 * process of the run, a process without OpenMP (such as the shell of a script) does not count,
 * unless a launcher gave it a rank. If no process has OpenMP, a process without samples does not
 * count when others have samples.
 */
struct report_process {
	char *path;
	uint32_t rank; /* the rank + 1; 0: no rank */
	uint32_t n_ranks;
	uint32_t pid;
	char host[64];
	char *program; /* name of the executable */
	char **args;   /* n_args strings */
	size_t n_args;
	size_t n_threads; /* without native threads if the process uses OpenMP */
	uint32_t n_openmp_threads;
	uint32_t n_slots;
	uint32_t n_cpus, machine_cpus;
	uint64_t begin_ns; /* since the epoch */
	uint64_t wall_ns;
	uint64_t n_samples;
	/*
	 * The parts of the time of its slots, whose sum it is. For a plain process with native
	 * threads, the parts of the time of its threads.
	 */
	uint64_t useful_ns, mpi_ns, wait_ns, other_ns;
	int is_counted;
	int is_complete;
	int is_running; /* it ran on this host when its file was read */
	int has_openmp;
	/* without OpenMP, and without a rank in a job that uses OpenMP; see useful_ns */
	int is_plain;
	int is_replaced; /* it executed another program (exec), which has a file of its own */
};

/* Selects which of a run's processes to show. */
struct report_selection {
	int has_rank, has_pid;
	uint32_t rank, pid;
};

struct report_job {
	struct report_process *processes; /* ordered by rank, then by when they began */
	size_t n, n_counted;
	size_t n_unreadable;    /* files that were left out */
	size_t n_programs;      /* number of programs of the processes that count */
	struct profile_list of; /* the list of the files */
	/*
	 * For the host with the worst ratio: the most OpenMP threads at one time, and the CPUs for
	 * them.
	 */
	uint32_t most_threads, most_cpus;
};

/* Lists the files of the run that `selection` selects. Returns 0, or -1 with *diag set. */
int report_job_find(struct report_job *job, const char *path,
	const struct report_selection *selection, struct diag *diag);

/*
 * Fills the list of the processes, and everything in the report except names: its profile, trees,
 * figures and totals. They are the sum over the processes that count. If only one process counts,
 * they belong to the process itself. Returns 0, or -1 with *diag set.
 */
int report_job_load(struct report *report, const struct report_options *options, struct diag *diag);

/* Fills most_threads and most_cpus. */
void report_job_find_hosts(struct report_job *job);

/* The number of CPUs of the processes on all hosts, each CPU counted once. */
uint32_t report_job_count_cpus(const struct report_job *job);

void report_job_release(struct report_job *job);

/* "ranks" if each process that counts has a rank of its own, else "processes". */
const char *report_job_word(const struct report_job *job);

/* Sums over the processes that count, and the largest value of a process. */
struct report_job_sums {
	uint64_t useful_ns, mpi_ns, wait_ns, other_ns, most_useful_ns;
	size_t n_threads;
	size_t most; /* index of the process with the most useful work */
};
struct report_job_sums report_job_sum(const struct report_job *job);

#endif
