/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps of a five-point stencil over two grids of 4 MB, a region for each: computing that waits
 * for memory.
 */
#ifndef OMPPROF_BENCH_KERNELS_SWEEP_H
#define OMPPROF_BENCH_KERNELS_SWEEP_H

#include "bench/kernels/kernel.h"

enum { EDGE = 722 };

static double grids[2][EDGE][EDGE];

static inline void sweep_prepare(void)
{
	for (int i = 0; i < EDGE; i++)
		grids[0][i][0] = grids[1][i][0] = 1;
}

/* The i-th sweep. */
static NOINLINE void sweep(long i)
{
	double(*to)[EDGE] = grids[(i + 1) % 2], (*from)[EDGE] = grids[i % 2];

#pragma omp parallel for schedule(static)
	for (int y = 1; y < EDGE - 1; y++)
		for (int x = 1; x < EDGE - 1; x++)
			to[y][x] = 0.2 * (from[y][x] + from[y - 1][x] + from[y + 1][x] +
						 from[y][x - 1] + from[y][x + 1]);
}

#endif
