/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sleeps and polls on every thread in a region, and counts calls that a signal interrupted: under
 * the profiler as without it, none.
 */
#include <errno.h>
#include <poll.h>

#include "../work.h"

static NOINLINE long sleep_a_while(long ns)
{
	struct timespec nap = { 0, ns };

	return nanosleep(&nap, NULL) == -1 && errno == EINTR;
}

static NOINLINE long poll_a_while(int ms)
{
	return poll(NULL, 0, ms) == -1 && errno == EINTR;
}

static NOINLINE void between_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	long interrupted = 0;

#pragma omp parallel reduction(+ : interrupted)
	for (int i = 0; i < 40; i++) {
		interrupted += sleep_a_while(5000000);
		between_kernel(unit);
		interrupted += poll_a_while(5);
	}
	return work_finish("eintr", interrupted, 0);
}
