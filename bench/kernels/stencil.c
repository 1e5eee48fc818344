/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps of a five-point stencil over two grids of 4 MB, a region for each: computing that memory bounds, with
 * barriers now and then. Prints its own time.
 */
#include "bench/kernels/kernel.h"

enum { EDGE = 722, SWEEPS = 5000 };

static double grids[2][EDGE][EDGE];

static NOINLINE void sweep(double (*to)[EDGE], double (*from)[EDGE])
{
#pragma omp parallel for schedule(static)
	for (int i = 1; i < EDGE - 1; i++)
		for (int j = 1; j < EDGE - 1; j++)
			to[i][j] = 0.2 * (from[i][j] + from[i - 1][j] + from[i + 1][j] +
						 from[i][j - 1] + from[i][j + 1]);
}

int main(int argc, char **argv)
{
	long n = work_start(argc, argv, 1) * SWEEPS / UNIT;
	double start = work_clock(CLOCK_MONOTONIC);

	for (int i = 0; i < EDGE; i++)
		grids[0][i][0] = grids[1][i][0] = 1;
	for (long i = 0; i < n; i++)
		sweep(grids[(i + 1) % 2], grids[i % 2]);
	return kernel_finish(
		start, n < 2 || (grids[n % 2][EDGE / 2][1] > 0 && grids[n % 2][EDGE / 2][1] < 1));
}
