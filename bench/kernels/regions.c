/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 200,000 regions of a microsecond: what the events of regions cost. Prints its own time. Second
 * argument: calls between main and the regions, at least 1. Third: by how many steps the lengths of
 * their bodies, 500 steps on average, differ. If all have the same length (1), the runtime's
 * threads can fall into step, and lose or win time by that alone.
 */
#include "bench/kernels/kernel.h"

static NOINLINE void compute(long steps)
{
	KERNEL_WORK(steps);
}

static long spread = 200;

static NOINLINE void fork_and_join(long n)
{
	for (long i = 0; i < n; i++) {
		long steps = 500 - spread / 2 + i * 37 % spread;

#pragma omp parallel
		compute(steps);
	}
}

static void call(long calls, long n);
static void (*volatile next_call)(long calls, long n) = call;

static void call(long calls, long n)
{
	if (calls > 1)
		next_call(calls - 1, n);
	else
		fork_and_join(n);
	__asm__ volatile("" ::: "memory");
}

int main(int argc, char **argv)
{
	long n = work_start(argc, argv, 1) / 5;
	long calls = argc > 2 ? atol(argv[2]) : 0;
	double start;

	if (argc > 3 && atol(argv[3]) > 0)
		spread = atol(argv[3]);
	start = work_clock(CLOCK_MONOTONIC);
	if (calls > 1)
		call(calls - 1, n);
	else
		fork_and_join(n);
	return kernel_finish(start, 1);
}
