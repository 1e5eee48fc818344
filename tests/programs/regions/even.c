/* SPDX-License-Identifier: Apache-2.0 */
/* 400 short regions of equal work: threads wait only for a thread that has no CPU. */
#include "../work.h"

static NOINLINE void even_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE long even(long steps)
{
	long sum = 0;

#pragma omp parallel reduction(+ : sum)
	{
		even_kernel(steps);
		sum += 1;
	}
	return sum;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	int threads = omp_get_max_threads();
	long sum = 0;

	for (int run = 0; run < 400; run++)
		sum += even(unit / 10);
	return work_finish("even", sum / threads, 400);
}
