/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sites N: executes the first N of 64 parallel regions, ten times each, to see how much of a
 * profile a region takes.
 */
#include <stdlib.h>

#define REGION(i)                                                                                  \
	if (n > (i)) {                                                                             \
		_Pragma("omp parallel") sink = (i);                                                \
	}
#define EIGHT(i)                                                                                   \
	REGION(i)                                                                                  \
	REGION(i + 1)                                                                              \
	REGION(i + 2)                                                                              \
	REGION(i + 3)                                                                              \
	REGION(i + 4)                                                                              \
	REGION(i + 5)                                                                              \
	REGION(i + 6)                                                                              \
	REGION(i + 7)

static volatile int sink, times = 10; /* not unrolled: a call is a path of its own */

static __attribute__((noinline)) void execute(int n)
{
	EIGHT(0)
	EIGHT(8)
	EIGHT(16)
	EIGHT(24)
	EIGHT(32)
	EIGHT(40)
	EIGHT(48)
	EIGHT(56)
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 64;

	for (int i = 0; i < times; i++)
		execute(n);
	return 0;
}
