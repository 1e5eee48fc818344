/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Half a million barriers with a microsecond between them: what the events of barriers cost.
 * Prints its own time.
 */
#include "bench/kernels/kernel.h"

static NOINLINE void compute(long steps)
{
	KERNEL_WORK(steps);
}

int main(int argc, char **argv)
{
	long n = work_start(argc, argv, 1) / 2;
	double start = work_clock(CLOCK_MONOTONIC);

#pragma omp parallel
	for (long i = 0; i < n; i++) {
		compute(500);
#pragma omp barrier
	}
	return kernel_finish(start, 1);
}
