/* SPDX-License-Identifier: Apache-2.0 */
/* 400 short regions of equal work: threads wait only for a thread that has no CPU. */
#include "../work.h"

static NOINLINE void even_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1), sum = 0;

	for (int run = 0; run < 400; run++) {
#pragma omp parallel reduction(+ : sum)
		{
			even_kernel(unit / 10);
			sum += 1;
		}
	}
	return work_finish("even", sum / omp_get_max_threads(), 400);
}
