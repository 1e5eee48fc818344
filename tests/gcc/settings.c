/* SPDX-License-Identifier: Apache-2.0 */
/* What a program sees of the settings of OpenMP in its environment: tests/gcc/settings.sh compares runtimes. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The processors that a thread may run on, as bits. */
static unsigned long may_run_on(void)
{
	unsigned long bits = 0;
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	for (int i = 0; i < 64; i++)
		bits |= CPU_ISSET(i, &set) ? 1UL << i : 0;
	return bits;
}

static void print_teams(void)
{
	int outer = 0, inner = 0, asked = 0;

#pragma omp parallel
	{
#pragma omp single
		outer = omp_get_num_threads();
#pragma omp single
#pragma omp parallel
#pragma omp single
		inner = omp_get_num_threads();
	}
#pragma omp parallel num_threads(6)
#pragma omp single
	asked = omp_get_num_threads();
	printf("teams %d, %d, %d\n", outer, inner, asked);
}

/* Which thread gets what, if the user has asked for a static schedule. */
static void print_shares(void)
{
	const char *schedule = getenv("OMP_SCHEDULE");
	int mine[24] = { 0 }, sum = 0;

#pragma omp parallel for schedule(runtime) num_threads(3)
	for (int i = 0; i < 24; i++)
		mine[i] = schedule && strstr(schedule, "static") ? omp_get_thread_num() : 1;
	for (int i = 0; i < 24; i++)
		sum = sum * 3 + mine[i];
	printf("shares %d\n", sum);
}

static void print_places(void)
{
	unsigned long bits[2] = { 0 };

#pragma omp parallel num_threads(2)
	bits[omp_get_thread_num()] = may_run_on();
	printf("places %lx %lx\n", bits[0], bits[1]);
}

int main(void)
{
	printf("threads %d, limit %d, dynamic %d, nested %d, processors %d\n",
		omp_get_max_threads(), omp_get_thread_limit(), omp_get_dynamic(), omp_get_nested(),
		omp_get_num_procs());
	printf("cancellation %d, priority %d, device %d\n", omp_get_cancellation(),
		omp_get_max_task_priority(), omp_get_default_device());
	print_teams();
	print_shares();
	print_places();
	return 0;
}
