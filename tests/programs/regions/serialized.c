/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions of one thread, by if(0) and by num_threads(1), with equal work: both are regions with a
 * name and a place, and the work in them is if_kernel's and one_kernel's.
 */
#include "../work.h"

static NOINLINE void if_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void one_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	long threads = 0;

	for (int i = 0; i < 10; i++) {
#pragma omp parallel if (0)
		{
			if_kernel(20 * unit);
			threads += omp_get_num_threads();
		}
#pragma omp parallel num_threads(1)
		{
			one_kernel(20 * unit);
			threads += omp_get_num_threads();
		}
	}
	return work_finish("serialized", threads, 20);
}
