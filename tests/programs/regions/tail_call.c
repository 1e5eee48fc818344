/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A region whose body is one call, which an optimising compiler makes a jump: the function that is
 * jumped to stands where the body's own frame would be. A second region calls the same function for
 * as long and does something after it.
 */
#include "../work.h"

static long steps;

static NOINLINE void kernel(void)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE long call_kernel(void)
{
	long n = 0;

#pragma omp parallel
	{
		kernel();
#pragma omp atomic
		n++;
	}
	return n;
}

int main(int argc, char **argv)
{
	long rounds = 0;

	steps = 100 * work_start(argc, argv, 1);
	for (int round = 0; round < 5; round++) {
#pragma omp parallel
		kernel();
		rounds += call_kernel();
	}
	return work_finish("tail_call", rounds / omp_get_max_threads(), 5);
}
