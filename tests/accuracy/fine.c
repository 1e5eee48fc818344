/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fine KIND HOLD_NS OUT_NS SECONDS: two threads take a critical section or a lock again and again, hold
 * it for HOLD_NS, and stay out of it for OUT_NS. KIND is critical, lock, rare: a lock that is held for no
 * time but once in 500, or alone: then each thread has a lock of its own. Prints the thread-seconds that were waiting: from before a construct until inside, less
 * what it takes when nobody else wants it, which thread 0 measures first; the thread-seconds in all; and
 * how often a thread lost its CPU, which the threads then wait for, too.
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../programs/work.h"

enum { N_FREE = 1000, N_TRIES = 20 };

static struct {
	omp_lock_t lock;
} __attribute__((aligned(128))) locks[2];
static int is_critical, is_alone, is_rare;
static uint64_t hold_ticks, out_ticks;

static inline uint64_t ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	uint64_t value;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
	return value;
#endif
}

static inline void spin(uint64_t n)
{
	for (uint64_t until = ticks() + n; n && ticks() < until;)
		;
}

static inline void hold(void)
{
	static __thread uint32_t n;
	uint32_t random = ++n * 0x85ebca6bu;

	/* Not in the rhythm in which the profiler chooses. */
	random = (random ^ random >> 13) * 0xc2b2ae35u;
	if (!is_rare || random < UINT32_MAX / 500)
		spin(hold_ticks);
}

/* Returns the ticks from before the construct until inside. */
static inline uint64_t enter_once(omp_lock_t *lock)
{
	uint64_t begin = ticks(), inside;

	if (is_critical && lock == &locks[1].lock) {
#pragma omp critical(other)
		{
			inside = ticks();
			hold();
		}
	} else if (is_critical) {
#pragma omp critical(fine)
		{
			inside = ticks();
			hold();
		}
	} else {
		omp_set_lock(lock);
		inside = ticks();
		hold();
		omp_unset_lock(lock);
	}
	return inside - begin;
}

/* Returns the ticks that all acquisitions took; *n is their number. */
static NOINLINE uint64_t take(uint64_t until, omp_lock_t *lock, long *n)
{
	uint64_t sum = 0;

	for (*n = 0; ticks() < until; ++*n) {
		sum += enter_once(lock);
		spin(out_ticks);
	}
	return sum;
}

/*
 * The ticks of N_FREE acquisitions that nobody else wants. The profiler has a fast path for a mutex
 * that is acquired again and again; it does not take this path for two mutexes in turn, nor for a
 * mutex that is waited for.
 */
static uint64_t take_free(void)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < N_TRIES; i++) {
		uint64_t sum = 0;

		for (int j = 0; j < N_FREE; j++)
			sum += enter_once(&locks[j % 2].lock);
		least = sum < least ? sum : least;
	}
	return least;
}

/* Ticks per ns. */
static double find_rate(void)
{
	double from = work_clock(CLOCK_MONOTONIC);
	uint64_t begin = ticks();

	while (work_clock(CLOCK_MONOTONIC) < from + 0.02)
		;
	return (double)(ticks() - begin) / (work_clock(CLOCK_MONOTONIC) - from) * 1e-9;
}

static long n_lost(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nivcsw;
}

static double argument(int argc, char **argv, int index)
{
	return argc > index ? atof(argv[index]) : 0;
}

int main(int argc, char **argv)
{
	double in = 0, rate = find_rate();
	uint64_t all = 0, free_ticks = 0;
	long lost = 0;

	is_critical = argc > 1 && strcmp(argv[1], "critical") == 0;
	is_alone = argc > 1 && strcmp(argv[1], "alone") == 0;
	is_rare = argc > 1 && strcmp(argv[1], "rare") == 0;
	hold_ticks = (uint64_t)(argument(argc, argv, 2) * rate);
	out_ticks = (uint64_t)(argument(argc, argv, 3) * rate);
	omp_init_lock(&locks[0].lock);
	omp_init_lock(&locks[1].lock);
#pragma omp parallel num_threads(2) reduction(+ : in, all)
	{
		int thread = omp_get_thread_num();
		uint64_t start, sum;
		long n;

		if (thread == 0) {
			free_ticks = take_free();
			lost = n_lost();
		}
#pragma omp barrier
		start = ticks();
		sum = take(start + (uint64_t)(argument(argc, argv, 4) * 1e9 * rate),
			&locks[is_alone ? thread : 0].lock, &n);
		all = ticks() - start;
		in = (double)sum - (double)free_ticks / N_FREE * (double)n;
	}
	printf("%.5f %.5f %ld\n", is_alone ? 0 : in / rate * 1e-9, (double)all / rate * 1e-9,
		n_lost() - lost);
	return 0;
}
