/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One region, and what it loses at: six orphaned loops in three functions in two files, three
 * critical sections, two taskwaits. In loop K one thread works 4 K units and the other none, in
 * critical section K each thread works 2 K units inside.
 */
#include "../work.h"

static long steps;

static NOINLINE void work_for(int units)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps * units);
	work_sink = x;
}

static NOINLINE void work_late(int i, int loop)
{
	if (i == 1)
		work_for(4 * loop);
}

#include "constructs.h"

static NOINLINE void one_loops(void)
{
#pragma omp for schedule(static, 1) /* LOOP 1 */
	for (int i = 0; i < 2; i++)
		work_late(i, 1);
#pragma omp for schedule(static, 1) /* LOOP 2 */
	for (int i = 0; i < 2; i++)
		work_late(i, 2);
}

static NOINLINE void two_loops(void)
{
#pragma omp for schedule(static, 1) /* LOOP 3 */
	for (int i = 0; i < 2; i++)
		work_late(i, 3);
#pragma omp for schedule(static, 1) /* LOOP 4 */
	for (int i = 0; i < 2; i++)
		work_late(i, 4);
}

static NOINLINE void near_tasks(void)
{
#pragma omp task
	work_for(8);
#pragma omp taskwait /* TASKWAIT 1 */
}

static NOINLINE void criticals(void)
{
#pragma omp critical(first) /* CRITICAL 1 */
	work_for(2);
#pragma omp barrier
#pragma omp critical(second) /* CRITICAL 2 */
	work_for(4);
#pragma omp barrier
#pragma omp critical(third) /* CRITICAL 3 */
	work_for(6);
}

int main(int argc, char **argv)
{
	long rounds = 0;

	steps = work_start(argc, argv, 1);
#pragma omp parallel reduction(+ : rounds)
	for (int round = 0; round < 10; round++) {
		one_loops();
		two_loops();
		far_loops();
#pragma omp master
		{
			near_tasks();
			far_tasks();
		}
#pragma omp barrier
		criticals();
#pragma omp barrier
		rounds++;
	}
	return work_finish("constructs", rounds / omp_get_max_threads(), 10);
}
