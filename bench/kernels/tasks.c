/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A million tasks of a microsecond from one creator: what the events of tasks cost. Prints its own
 * time.
 */
#include "bench/kernels/kernel.h"

static NOINLINE void compute(long steps)
{
	KERNEL_WORK(steps);
}

int main(int argc, char **argv)
{
	long n = work_start(argc, argv, 1);
	double start = work_clock(CLOCK_MONOTONIC);

#pragma omp parallel
#pragma omp single
	for (long i = 0; i < n; i++) {
#pragma omp task
		compute(500);
	}
	return kernel_finish(start, 1);
}
