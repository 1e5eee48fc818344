/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computing at the bottom of a recursion: what the depth of call paths costs. Each thread goes down
 * anew for each 40 us of computing. Prints its own time. Second argument: the depth.
 */
#include "bench/kernels/kernel.h"

static NOINLINE void compute(long steps)
{
	KERNEL_WORK(steps);
}

static void descend(long depth);
static void (*volatile next_descend)(long depth) = descend;

static void descend(long depth)
{
	if (depth > 1)
		next_descend(depth - 1);
	else
		compute(20000);
	__asm__ volatile("" ::: "memory");
}

int main(int argc, char **argv)
{
	long n = work_start(argc, argv, 1) / 25;
	long depth = argc > 2 ? atol(argv[2]) : 50;
	double start = work_clock(CLOCK_MONOTONIC);

#pragma omp parallel for schedule(static)
	for (long i = 0; i < n; i++)
		next_descend(depth);
	return kernel_finish(start, 1);
}
