/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic updates of one counter by all threads, in add_all, between pieces of free_kernel. Compilers
 * make them instructions: no runtime reports a wait for them, they are work of add_all.
 */
#include "../work.h"

static NOINLINE void free_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static long counter;

static NOINLINE void add_all(long n)
{
	for (long i = 0; i < n; i++) {
#pragma omp atomic
		counter++;
	}
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);

#pragma omp parallel
	for (int i = 0; i < 50; i++) {
		free_kernel(2 * unit);
		add_all(unit / 10);
	}
	long expected = 50 * (unit / 10) * omp_get_max_threads();

	return work_finish("atomic", counter - expected, 0);
}
