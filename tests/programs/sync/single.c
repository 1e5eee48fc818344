/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A `single` that one thread executes for as long as all then work together: the others wait in its
 * implicit barrier, and single_kernel is the cause.
 */
#include "../work.h"

static NOINLINE void single_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void team_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	long singles = 0;

#pragma omp parallel
	for (int i = 0; i < 10; i++) {
#pragma omp single
		{
			single_kernel(25 * unit);
			singles++;
		}
		team_kernel(25 * unit);
	}
	return work_finish("single", singles, 10);
}
