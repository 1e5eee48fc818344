/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A region of 2 threads, each of which starts a region of 2 threads. All work is inner_kernel, in
 * the inner region; its call path is main, outer, outer region, inner, inner region.
 */
#include "../work.h"

static NOINLINE void inner_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE long inner(long unit)
{
	long sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
	{
		for (int i = 0; i < 100; i++)
			inner_kernel(unit);
		sum += 1;
	}
	return sum;
}

static NOINLINE long outer(long unit)
{
	long sum = 0;

#pragma omp parallel num_threads(2) reduction(+ : sum)
	sum += inner(unit);
	return sum;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);

	omp_set_dynamic(0);
	omp_set_max_active_levels(2);
	return work_finish("nested", outer(unit), 4);
}
