/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks of `target nowait`, which LLVM's runtime executes on threads of its own: two, each with 200 ms of CPU time, that
 * one thread of a team of two creates and waits for; before them a region in which both threads work.
 */
#include <stdio.h>
#include <time.h>

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static __attribute__((noinline)) void spin(double seconds)
{
	double end = now() + seconds;

	while (now() < end)
		;
}

static __attribute__((noinline)) void spin_later(double seconds)
{
	spin(seconds);
}

int main(void)
{
#pragma omp parallel num_threads(2)
	spin(0.1);
#pragma omp parallel num_threads(2)
	{
#pragma omp single nowait
		{
			for (int i = 0; i < 2; i++) {
#pragma omp target nowait
				spin_later(0.2);
			}
#pragma omp taskwait
		}
	}
	puts("hidden_helpers");
	return 0;
}
