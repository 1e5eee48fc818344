/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first library that reload.c loads.
 * Flags: -fPIC -shared
 */
#include "../work.h"

static NOINLINE void one_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

void library_work(long steps)
{
	one_kernel(steps);
	work_sink++;
}
