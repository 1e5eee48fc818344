/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pause [FACTOR]: works in a region, gives the runtime's resources back (omp_pause_resource_all, which
 * ends the tool), works without OpenMP, and exits. paused_kernel is on one thread only.
 */
#include "../work.h"

static NOINLINE void region_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void paused_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	int is_paused;

#pragma omp parallel
	region_kernel(100 * unit);
	is_paused = omp_pause_resource_all(omp_pause_hard) == 0;
	paused_kernel(100 * unit);
	return work_finish("pause", is_paused, 1);
}
