/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that test a lock, in vain, and go on working: nobody waits. Half of the work is done in the
 * region, half outside, after the same test.
 */
#include "../work.h"

static NOINLINE void region_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void serial_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	omp_lock_t lock;
	long missed = 0;

	omp_init_lock(&lock);
	omp_set_lock(&lock);
#pragma omp parallel reduction(+ : missed)
	{
		missed += !omp_test_lock(&lock);
		region_kernel(60 * unit);
	}
	missed += !omp_test_lock(&lock);
	serial_kernel(120 * unit);
	omp_unset_lock(&lock);
	omp_destroy_lock(&lock);
	return work_finish("testlock", missed, 3);
}
