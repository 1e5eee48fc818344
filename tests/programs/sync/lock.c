/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two locks, one plain and one nestable and taken twice, each held for three quarters of the work:
 * plain_kernel and nest_kernel hold, and are to blame for the waiting on their own lock only.
 */
#include "../work.h"

static NOINLINE void plain_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void nest_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void free_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static omp_lock_t plain;
static omp_nest_lock_t nest;

static NOINLINE void with_plain(long unit, long *entered)
{
	omp_set_lock(&plain);
	plain_kernel(3 * unit);
	*entered += 1;
	omp_unset_lock(&plain);
}

static NOINLINE void with_nest(long unit, long *entered)
{
	omp_set_nest_lock(&nest);
	omp_set_nest_lock(&nest);
	nest_kernel(3 * unit);
	*entered += 1;
	omp_unset_nest_lock(&nest);
	omp_unset_nest_lock(&nest);
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	long n_plain = 0, n_nest = 0;

	omp_init_lock(&plain);
	omp_init_nest_lock(&nest);
#pragma omp parallel
	for (int i = 0; i < 30; i++) {
		free_kernel(2 * unit);
		with_plain(unit, &n_plain);
#pragma omp barrier
		with_nest(unit, &n_nest);
	}
	omp_destroy_lock(&plain);
	omp_destroy_nest_lock(&nest);
	return work_finish("lock", (n_plain + n_nest) / omp_get_max_threads(), 60);
}
