/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recursion of depth 200 in a parallel region: every sample of deep_kernel has 200 frames of
 * descend above it and none is lost.
 */
#include "../work.h"

static NOINLINE void deep_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

/* The caller's local is read after the call: no compiler turns this into a loop. */
static NOINLINE long descend(int depth, long steps, volatile long *above)
{
	volatile long here = *above + 1;

	if (depth == 0) {
		deep_kernel(steps);
		return here;
	}
	long below = descend(depth - 1, steps, &here);

	return below - here + *above + 1;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	long wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	for (int i = 0; i < 30; i++) {
		volatile long top = 0;

		wrong += descend(199, 10 * unit, &top) != 200;
	}
	return work_finish("recursion", wrong, 0);
}
