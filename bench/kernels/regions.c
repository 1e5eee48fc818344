/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 200,000 regions of a microsecond: what the events of regions cost. Prints its own time. Second
 * argument: calls between main and the regions.
 */
#include "bench/kernels/kernel.h"

static NOINLINE void compute(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void fork_and_join(long n)
{
	for (long i = 0; i < n; i++) {
#pragma omp parallel
		compute(500);
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
	double start = work_clock(CLOCK_MONOTONIC);

	if (calls > 1)
		call(calls - 1, n);
	else
		fork_and_join(n);
	return kernel_finish(start, 1);
}
