/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the test programs share: work that no compiler removes, the optional work factor, and the
 * closing line. Work is counted in steps of one dependent chain, not timed, so that the shares of
 * two functions are known. CHURN is a macro: the function that uses it is the innermost frame.
 */
#ifndef OMPPROF_TESTS_PROGRAMS_WORK_H
#define OMPPROF_TESTS_PROGRAMS_WORK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* gcc makes one function of two with the same body if it is let. */
#if defined(__GNUC__) && !defined(__clang__)
#define NOINLINE __attribute__((noinline, no_icf))
#else
#define NOINLINE __attribute__((noinline))
#endif

/* Steps of about 2 ms with optimisation on a machine of 2020. */
#define UNIT 1000000L

/* Advances the chain x by n steps. */
#define CHURN(x, n)                                                                                \
	for (long churn_left = (long)(n); churn_left > 0; churn_left--) {                          \
		x ^= x << 13;                                                                      \
		x ^= x >> 7;                                                                       \
		x ^= x << 17;                                                                      \
	}

static volatile uint64_t work_sink;

/* Sets the default of 2 threads and returns steps per unit, by the work factor argv[index]. */
static inline long work_start(int argc, char **argv, int index)
{
#ifdef _OPENMP
	if (!getenv("OMP_NUM_THREADS"))
		omp_set_num_threads(2);
#endif
	double factor = argc > index ? atof(argv[index]) : 1.0;

	return (long)(UNIT * factor) + 1;
}

/* Prints the one line of a program. Returns its exit status: 1 when the result is wrong. */
static inline int work_finish(const char *name, long got, long expected)
{
	printf("%s: %ld\n", name, got);
	if (got == expected)
		return 0;
	fprintf(stderr, "%s: expected %ld\n", name, expected);
	return 1;
}

static inline double work_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
