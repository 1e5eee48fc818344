/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks that do not just end: 6 that are detached, whose events are fulfilled once their bodies are done; 8 of a
 * taskgroup that is cancelled before any of them begins, where OMP_CANCELLATION is true; and 6 that a taskwait with
 * dependences waits for.
 */
#include <stdatomic.h>

#include "../work.h"

enum { DETACHED = 6, GROUPED = 8, AWAITED = 6 };

static atomic_int n_done, n_begun;

static NOINLINE void work_for(long n)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, n);
	work_sink = x;
}

static NOINLINE long detach(long n)
{
	for (int i = 0; i < DETACHED; i++) {
		omp_event_handle_t event;

#pragma omp task detach(event) firstprivate(i) /* detached */
		{
			work_for(n);
			atomic_store(&n_done, i + 1);
		}
		while (atomic_load(&n_done) <= i)
			;
		work_for(n);
		omp_fulfill_event(event);
	}
#pragma omp taskwait
	return DETACHED;
}

/* The group is cancelled by a task that is executed at once, so that those after it are not. */
static NOINLINE long cancel(long n)
{
#pragma omp taskgroup
	{
#pragma omp task if (0)
		{
#pragma omp cancel taskgroup
		}
		for (int i = 0; i < GROUPED; i++) {
#pragma omp task /* cancelled */
			work_for(n);
		}
	}
	return GROUPED;
}

static NOINLINE long await(long n)
{
	int data = 0;

	for (int i = 0; i < AWAITED; i++) {
#pragma omp task depend(out : data) shared(data) /* awaited */
		{
			atomic_store(&n_begun, i + 1);
			work_for(10 * n);
			data++;
		}
		while (atomic_load(&n_begun) <= i)
			;
#pragma omp taskwait depend(in : data)
	}
	return data;
}

int main(int argc, char **argv)
{
	long n = work_start(argc, argv, 1), sum = 0;

#pragma omp parallel
#pragma omp single
	sum = detach(n) + cancel(n) + await(n);
	return work_finish("task_ends", sum, DETACHED + GROUPED + AWAITED);
}
