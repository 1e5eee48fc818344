/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program without OpenMP: it runs unharmed, from an errno of 0 on, and the profiler says that it saw no
 * OpenMP.
 * Flags: -fno-openmp
 */
#include <errno.h>

#include "../work.h"

static NOINLINE void plain_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

int main(int argc, char **argv)
{
	int at_start = errno;
	long unit = work_start(argc, argv, 1);

	plain_kernel(200 * unit);
	return work_finish("noomp", at_start ? at_start : 200, 200);
}
