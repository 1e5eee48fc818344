/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread has four times the work of each other one, in 20 regions: the others wait in the
 * closing barrier of the loop, and slow_kernel is to blame for it.
 */
#include "../work.h"

static NOINLINE void slow_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void fast_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE long uneven(int threads, long unit)
{
	long sum = 0;

#pragma omp parallel for schedule(static, 1) reduction(+ : sum)
	for (int i = 0; i < threads; i++) {
		if (i == 0)
			slow_kernel(20 * unit);
		else
			fast_kernel(5 * unit);
		sum += 1;
	}
	return sum;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	int threads = omp_get_max_threads();
	long sum = 0;

	for (int run = 0; run < 20; run++)
		sum += uneven(threads, unit);
	return work_finish("imbalance", sum / threads, 20);
}
