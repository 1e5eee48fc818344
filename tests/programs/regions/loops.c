/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two parallel loops, one static and one dynamic, of equal work. In each of them heavy_kernel has
 * three quarters and light_kernel one quarter of the work. Nothing is out of balance.
 */
#include "../work.h"

static NOINLINE void heavy_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void light_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE long loop_static(long unit)
{
	long sum = 0;

#pragma omp parallel for schedule(static) reduction(+ : sum)
	for (int i = 0; i < 60; i++) {
		heavy_kernel(3 * unit);
		light_kernel(unit);
		sum += i;
	}
	return sum;
}

static NOINLINE long loop_dynamic(long unit)
{
	long sum = 0;

#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
	for (int i = 0; i < 60; i++) {
		heavy_kernel(3 * unit);
		light_kernel(unit);
		sum += i;
	}
	return sum;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	long sum = loop_static(unit) + loop_dynamic(unit);

	return work_finish("loops", sum, 2 * 60 * 59 / 2);
}
