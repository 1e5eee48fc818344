/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A region whose barriers are in functions that end with a jump into the runtime, which the region
 * calls in different ways. Thread 0 works before each barrier, and the others wait.
 */
#include "../work.h"

static long steps;

static NOINLINE void work_first(void)
{
	uint64_t x = 88172645463325252u;

	if (omp_get_thread_num() == 0)
		CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void by_name(void)
{
	work_first();
#pragma omp barrier /* BY NAME */
}

/* The program's own function, though its name begins as the runtime's functions do. */
NOINLINE void omp_smooth_rows(void)
{
	work_first();
#pragma omp barrier /* OMP */
}

static NOINLINE void by_pointer(void)
{
	work_first();
#pragma omp barrier
}

static void (*volatile pointer)(void) = by_pointer;

static NOINLINE void in_a_loop(void)
{
	for (int i = 0; i < 3; i++) {
		work_first();
#pragma omp barrier /* LOOP */
		work_first();
	}
}

int main(int argc, char **argv)
{
	int turns = 20;

	steps = work_start(argc, argv, 1);
#pragma omp parallel /* REGION */
	{
		for (int i = 0; i < turns; i++) {
			by_name();
			omp_smooth_rows();
			pointer(); /* POINTER */
			in_a_loop();
		}
		work_first();
#pragma omp barrier /* LAST */
	}
	return work_finish("calls", turns, 20);
}
