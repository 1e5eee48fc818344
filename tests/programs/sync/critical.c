/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A critical section that holds three quarters of each thread's work: with 2 threads each of them
 * waits for a third of its time, and held_kernel, in the holder, is to blame for it.
 */
#include "../work.h"

static NOINLINE void held_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void free_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	long entered = 0;

#pragma omp parallel
	for (int i = 0; i < 60; i++) {
		free_kernel(unit);
#pragma omp critical(counter)
		{
			held_kernel(3 * unit);
			entered++;
		}
	}
	return work_finish("critical", entered / omp_get_max_threads(), 60);
}
