/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the kernels of `make bench`. Each does a fixed amount of work and prints how long that
 * took, its CPU time and its peak memory. A parent process could not tell the latter two from a
 * tool's own processes. Other programs here use KERNEL_WORK, too.
 */
#ifndef OMPPROF_BENCH_KERNELS_KERNEL_H
#define OMPPROF_BENCH_KERNELS_KERNEL_H

#include <string.h>

#include "tests/programs/work.h"

/* Work of so many steps. A macro: the function that uses it is the innermost frame. */
#define KERNEL_WORK(steps)                                                                         \
	do {                                                                                       \
		uint64_t kernel_x = 88172645463325252u;                                            \
		CHURN(kernel_x, steps);                                                            \
		work_sink = kernel_x;                                                              \
	} while (0)

/* Peak memory of this process in KB, or 0. */
static inline long kernel_peak_kb(void)
{
	char line[256];
	long kb = 0;
	FILE *status = fopen("/proc/self/status", "r");

	while (status && fgets(line, sizeof(line), status))
		if (strncmp(line, "VmHWM:", 6) == 0)
			kb = atol(line + 6);
	if (status)
		fclose(status);
	return kb;
}

/*
 * Prints the figures of work that began at `start` (CLOCK_MONOTONIC). Returns the program's exit
 * status.
 */
static inline int kernel_finish(double start, int is_right)
{
	printf("inner_ns %.0f\n", 1e9 * (work_clock(CLOCK_MONOTONIC) - start));
	printf("cpu_ns %.0f\n", 1e9 * work_clock(CLOCK_PROCESS_CPUTIME_ID));
	printf("peak_kb %ld\n", kernel_peak_kb());
	return is_right ? 0 : 1;
}

#endif
