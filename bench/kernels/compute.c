/* SPDX-License-Identifier: Apache-2.0 */
/* Plain computing in one region: what sampling alone costs. Prints its own time. */
#include "bench/kernels/kernel.h"

static NOINLINE void compute(long steps)
{
	KERNEL_WORK(steps);
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	double start = work_clock(CLOCK_MONOTONIC);

#pragma omp parallel for schedule(static)
	for (int i = 0; i < 800; i++)
		compute(unit);
	return kernel_finish(start, 1);
}
