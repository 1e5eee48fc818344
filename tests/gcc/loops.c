/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops over a variable of type TYPE with schedule(SCHEDULE), as -D says, of which gcc makes calls of libgomp's
 * GOMP_loop_* and GOMP_parallel_loop_*: up and down, with steps and bounds at the ends of the types, empty ones,
 * chunks of several sizes, teams of 1 to 3; with -DORDERED in their order. Prints how many iterations there were and a
 * hash of their values, the same on any runtime.
 */
#include <limits.h>
#include <omp.h>
#include <stdio.h>

#ifdef ORDERED
#define HEAD omp for ordered schedule(SCHEDULE)
#define HEAD_NOWAIT HEAD
#else
#define HEAD omp for schedule(SCHEDULE)
#define HEAD_NOWAIT HEAD nowait
#endif
#define STRING(text) #text
#define PRAGMA(text) _Pragma(STRING(text))

/* Bounds and step: from low up to below high, and from high down to above low. */
struct span {
	long low, high, step;
};

static const struct span spans[] = {
	{ 0, 100, 1 },
	{ 0, 0, 1 },
	{ 5, 0, 1 },
	{ 0, 1, 1000 },
	{ -7, 100, 3 },
	{ -1000, 1000, 999 },
	{ 0, 301, 7 },
	{ INT_MIN, INT_MIN + 40L, 1 },
	{ INT_MAX - 40L, INT_MAX, 1 },
	{ INT_MIN + 400000000L, INT_MAX - 400000000L, 400000000 },
	{ 7, 308, 7 },
	{ -60, -10, 3 },
	/* Of long only. */
	{ LONG_MIN, LONG_MIN + 33, 1 },
	{ LONG_MAX - 33, LONG_MAX, 1 },
	{ -(LONG_MAX / 4), LONG_MAX / 4, LONG_MAX / 16 },
	{ -(1L << 40), 1L << 40, 1L << 33 },
};
static const int chunks[] = { 1, 3, 64, 1 << 30 };

enum { N_SPANS = sizeof(spans) / sizeof(spans[0]), N_OF_INT = 12, N_CHUNKS = 4 };

static unsigned long hash, sum, count;

static unsigned long mix(unsigned long value)
{
	value ^= value >> 31;
	value *= 0x9e3779b97f4a7c15UL;
	return value ^ value >> 29;
}

#ifdef ORDERED
static void take(TYPE value)
{
#pragma omp ordered
	{
		hash = hash * 31 + mix((unsigned long)value);
		count++;
	}
}
#else
static void take(TYPE value)
{
#pragma omp atomic
	sum += mix((unsigned long)value);
#pragma omp atomic
	count++;
}

static void run_combined(TYPE low, TYPE high, TYPE step, int chunk, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(SCHEDULE)
	for (TYPE i = low; i < high; i += step)
		take(i);
#pragma omp parallel for num_threads(threads) schedule(SCHEDULE)
	for (TYPE i = high; i > low; i -= step)
		take(~i);
#pragma omp parallel for num_threads(threads) schedule(SCHEDULE) collapse(2)
	for (int k = 3; k > 0; k--)
		for (TYPE i = low; i < high; i += step)
			take(i ^ k);
}
#endif

#ifndef ORDERED
/* gcc makes one call of a region and its loop only where bounds, step and chunk are constants. */
static void run_constant(int threads)
{
	enum { chunk = 3 };

#pragma omp parallel for num_threads(threads) schedule(SCHEDULE)
	for (TYPE i = 0; i < 100; i++)
		take(i);
#pragma omp parallel for num_threads(threads) schedule(SCHEDULE)
	for (TYPE i = 1000; i > 3; i -= 7)
		take(~i);
#pragma omp parallel for num_threads(threads) schedule(SCHEDULE)
	for (TYPE i = (TYPE)-60; i < (TYPE)-10; i += 3)
		take(i);
#pragma omp parallel for num_threads(threads) schedule(SCHEDULE)
	for (TYPE i = INT_MAX; i >= INT_MAX - 40; i--)
		take(i);
#pragma omp parallel for num_threads(threads) schedule(SCHEDULE)
	for (TYPE i = 5; i < 5; i++)
		take(i);
#pragma omp parallel for num_threads(threads) schedule(SCHEDULE)
	for (TYPE i = 2000000000; i > 400000000; i -= 400000000)
		take(i);
}
#endif

static void run_inside(TYPE low, TYPE high, TYPE step, int chunk, int threads)
{
#pragma omp parallel num_threads(threads)
	{
		PRAGMA(HEAD)
		for (TYPE i = low; i < high; i += step)
			take(i);
		PRAGMA(HEAD_NOWAIT)
		for (TYPE i = high; i > low; i -= step)
			take(~i);
		PRAGMA(HEAD_NOWAIT)
		for (TYPE i = low; i <= high - 1; i += step)
			take(i + 1);
		PRAGMA(HEAD)
		for (TYPE i = high; i >= low + 1; i -= step)
			take(i - 1);
	}
}

/* A region and its loop in each thread of another region. */
static void run_nested(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
		int chunk = 2;

#pragma omp parallel num_threads(2)
		{
			PRAGMA(HEAD)
			for (TYPE i = 20; i > 3; i--)
				take(0);
		}
	}
}

int main(void)
{
	int n = sizeof(TYPE) < sizeof(long) ? N_OF_INT : N_SPANS;

	for (int i = 0; i < n * N_CHUNKS; i++) {
		const struct span *span = &spans[i / N_CHUNKS];
		TYPE low = (TYPE)span->low, high = (TYPE)span->high, step = (TYPE)span->step;
		int chunk = chunks[i % N_CHUNKS];
		long most;

#ifdef ORDERED
		/* Threads wait for each other all the time: a third will do. */
		if (i % 3 || span->high - span->low == 301)
			continue;
#endif
		/* libgomp itself and what gcc makes of static loops fail then. */
		if (__builtin_mul_overflow(span->step, 4L * chunk, &most))
			continue;
		/* An unsigned variable would go below zero. */
		if ((TYPE)-1 > 0 && (low < step || high == 0))
			continue;
		/* For schedule(runtime): static, dynamic or guided. */
		omp_set_schedule((omp_sched_t)(1 + i % 3), chunk);
		run_inside(low, high, step, chunk, 1 + i % 3);
#ifndef ORDERED
		run_combined(low, high, step, chunk, 1 + i % 3);
#endif
	}
#ifndef ORDERED
	run_nested();
	for (int threads = 1; threads < 4; threads++)
		run_constant(threads);
#endif
	printf("%lu %lx %lx\n", count, sum, hash);
	return 0;
}
