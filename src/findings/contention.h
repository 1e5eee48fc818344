/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether threads lacked a CPU for so long that the first screen has to begin with it, why they
 * did, and what helps.
 */
#ifndef OMPPROF_SRC_FINDINGS_CONTENTION_H
#define OMPPROF_SRC_FINDINGS_CONTENTION_H

#include <stddef.h>
#include <stdint.h>

#include "attribution/metrics/metrics.h"
#include "profile/reader/reader.h"

/* The OpenMP threads that ran at one time on one host, their processes, and the CPUs they had. */
struct contention_crowd {
	uint32_t n_threads, n_processes, n_cpus;
};

struct contention {
	uint64_t lost_ns;  /* time of threads without a CPU, or that waited for such threads */
	uint64_t whole_ns; /* the capacity; without measured waits the time of threads with work */
	struct contention_crowd crowd;
	uint32_t n_cpus, machine_cpus;      /* the CPUs of all processes, and of a machine */
	uint64_t quota_per_s, throttled_ns; /* as in struct profile_contention */
	uint64_t
		others_ns; /* CPU time of other processes on the program's CPUs; 0 also not known */
	uint64_t wall_ns;
	uint32_t n_asked;         /* OMP_NUM_THREADS of the run; 0: not set, or not known */
	uint64_t spun_ns, cpu_ns; /* CPU time in waits, and all */
};

/* `crowd`: where the threads per CPU were most. It has no processes if only one process ran. */
void contention_find(struct contention *contention, const struct profile *profile,
	const struct metrics *metrics, const struct contention_crowd *crowd);

/* Whether it took more than 5 % of the threads' time. */
int contention_is_large(const struct contention *contention);

/* "no CPU for 87.5 % of the threads' time: other jobs used 1.8 of its 2 CPUs" */
void contention_describe(char *text, size_t text_bytes, const struct contention *contention);

/* The remedy for the reason: "OMP_NUM_THREADS=4; OMP_WAIT_POLICY=passive" */
void contention_advise(char *text, size_t text_bytes, const struct contention *contention);

#endif
