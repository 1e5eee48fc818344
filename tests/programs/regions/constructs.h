/* SPDX-License-Identifier: Apache-2.0 */
/* The part of constructs.c that is in another file: a loop and a taskwait. */

static NOINLINE void far_loops(void)
{
#pragma omp for schedule(static, 1) /* LOOP 5 */
	for (int i = 0; i < 2; i++)
		work_late(i, 5);
#pragma omp for schedule(static, 1) /* LOOP 6 */
	for (int i = 0; i < 2; i++)
		work_late(i, 6);
}

static NOINLINE void far_tasks(void)
{
#pragma omp task
	work_for(4);
#pragma omp taskwait /* TASKWAIT 2 */
}
