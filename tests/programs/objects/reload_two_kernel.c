/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second library that reload.c loads.
 * Flags: -fPIC -shared
 */
#include "../work.h"

static NOINLINE void two_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

void library_work(long steps)
{
	two_kernel(steps);
	work_sink++;
}
