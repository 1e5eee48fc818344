/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An ordered loop whose ordered part is half of each iteration: threads wait for their turn in
 * `ordered`, and turn_kernel is what they wait for.
 */
#include "../work.h"

static NOINLINE void turn_kernel(long steps)
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
	long last = -1, misplaced = 0;

#pragma omp parallel for ordered schedule(static, 1)
	for (int i = 0; i < 200; i++) {
		free_kernel(unit);
#pragma omp ordered
		{
			turn_kernel(unit);
			misplaced += last != i - 1;
			last = i;
		}
	}
	return work_finish("ordered", last * 1000 + misplaced, 199000);
}
