/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three phases of some length by the clock, of two threads: serial code; a region of which one member arrives late at
 * the barrier; one of which a member holds a lock that the other wants. Prints for each its begin and its end, in
 * seconds since the epoch, and the CPU time of the first thread in it.
 */
#include "../work.h"

#include <omp.h>

enum { N_PHASES = 3 };

static struct {
	double begin, end, cpu;
} phases[N_PHASES];

static NOINLINE void busy_kernel(double seconds)
{
	double end = work_clock(CLOCK_MONOTONIC) + seconds;
	uint64_t x = 88172645463325252u;

	while (work_clock(CLOCK_MONOTONIC) < end)
		CHURN(x, 20000);
	work_sink = x;
}

static void measured(int phase, double seconds)
{
	double cpu = work_clock(CLOCK_THREAD_CPUTIME_ID);

	phases[phase].begin = work_clock(CLOCK_REALTIME);
	busy_kernel(seconds);
	phases[phase].end = work_clock(CLOCK_REALTIME);
	phases[phase].cpu = work_clock(CLOCK_THREAD_CPUTIME_ID) - cpu;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 0.3;
	omp_lock_t lock;
	int n_threads = 0;

	omp_init_lock(&lock);
	omp_set_num_threads(2);
#pragma omp parallel
#pragma omp atomic
	n_threads++;
	measured(0, seconds);
#pragma omp parallel
	if (omp_get_thread_num() == 0)
		measured(1, seconds);
#pragma omp parallel
	{
		if (omp_get_thread_num() == 0)
			omp_set_lock(&lock);
#pragma omp barrier
		if (omp_get_thread_num() == 0)
			measured(2, seconds);
		else
			omp_set_lock(&lock);
		omp_unset_lock(&lock);
	}
	for (int i = 0; i < N_PHASES; i++)
		printf("%.6f %.6f %.6f\n", phases[i].begin, phases[i].end, phases[i].cpu);
	return n_threads != 2;
}
