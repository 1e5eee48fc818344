/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps of a stencil (sweep.h), with barriers now and then. Prints its own time. */
#include "bench/kernels/sweep.h"

enum { SWEEPS = 5000 };

int main(int argc, char **argv)
{
	long n = work_start(argc, argv, 1) * SWEEPS / UNIT;
	double start = work_clock(CLOCK_MONOTONIC);

	sweep_prepare();
	for (long i = 0; i < n; i++)
		sweep(i);
	return kernel_finish(
		start, n < 2 || (grids[n % 2][EDGE / 2][1] > 0 && grids[n % 2][EDGE / 2][1] < 1));
}
