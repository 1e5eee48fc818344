/* SPDX-License-Identifier: Apache-2.0 */
/*
 * many_paths SECONDS: each thread spends that much of its CPU time at the ends of call paths of 40 frames of
 * left and right in random order: nearly every sample has a path of its own, the profile grows with
 * each.
 */
#include "../work.h"

static NOINLINE long right(uint64_t turns, int depth);

static NOINLINE void leaf_kernel(void)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, 20000);
	work_sink = x;
}

static NOINLINE long left(uint64_t turns, int depth)
{
	if (depth == 0) {
		leaf_kernel();
		return 1;
	}
	return 1 + (turns & 1 ? left(turns >> 1, depth - 1) : right(turns >> 1, depth - 1));
}

static NOINLINE long right(uint64_t turns, int depth)
{
	if (depth == 0) {
		leaf_kernel();
		return 2;
	}
	return 2 + (turns & 1 ? right(turns >> 1, depth - 1) : left(turns >> 1, depth - 1));
}

static NOINLINE long walk_all(double seconds, uint64_t turns)
{
	double end = work_clock(CLOCK_THREAD_CPUTIME_ID) + seconds;
	long sum = 0;

	while (work_clock(CLOCK_THREAD_CPUTIME_ID) < end) {
		CHURN(turns, 1);
		sum += left(turns, 40);
	}
	return sum > 0;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	long threads = 0;

	work_start(0, argv, 1);
#pragma omp parallel reduction(+ : threads)
	threads += walk_all(seconds, 88172645463325252u + (uint64_t)omp_get_thread_num());
	return work_finish("many_paths", threads, omp_get_max_threads());
}
