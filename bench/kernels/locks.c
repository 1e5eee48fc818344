/* SPDX-License-Identifier: Apache-2.0 */
/* Half a million turns of a contended lock: what the events of locks cost. Prints its own time. */
#include "bench/kernels/kernel.h"

static NOINLINE void compute(long steps)
{
	KERNEL_WORK(steps);
}

int main(int argc, char **argv)
{
	long n = work_start(argc, argv, 1) / 2, held = 0;
	omp_lock_t lock;

	omp_init_lock(&lock);
	double start = work_clock(CLOCK_MONOTONIC);

#pragma omp parallel for schedule(static)
	for (long i = 0; i < n; i++) {
		compute(150);
		omp_set_lock(&lock);
		compute(50);
		held++;
		omp_unset_lock(&lock);
	}
	omp_destroy_lock(&lock);
	return kernel_finish(start, held == n);
}
