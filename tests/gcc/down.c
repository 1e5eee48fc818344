/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that count down in size_t or with a pointer, of which libomp runs no iteration: a program that prints how many
 * there were, the same as on libgomp or something is wrong; with -DLIBRARY a library for late.c.
 */
#include <stddef.h>
#include <stdio.h>

static long with_size(size_t n)
{
	long count = 0;

#pragma omp parallel for schedule(dynamic, 10) reduction(+ : count)
	for (size_t i = n; i > 0; i--)
		count++;
#pragma omp parallel for schedule(guided) reduction(+ : count)
	for (size_t i = n; i > 0; i -= 2)
		count++;
#pragma omp parallel for schedule(runtime) reduction(+ : count)
	for (size_t i = n; i > 0; i -= 5)
		count++;
	return count;
}

static long with_pointer(const char *begin, const char *end)
{
	long count = 0;

#pragma omp parallel for ordered reduction(+ : count)
	for (const char *p = end; p > begin; p--) {
#pragma omp ordered
		count++;
	}
	return count;
}

/* As a library it works long enough for some samples: without one, nothing tells that libgomp was loaded. */
#ifdef LIBRARY
enum { TIMES = 300 };
#else
enum { TIMES = 1 };
#endif

long work_kernel(long n)
{
	static char all[1000];
	long count = 0;

	for (int i = 0; i < TIMES; i++)
		count += with_size((size_t)n % 1000000 + 1000) +
			 with_pointer(all, all + sizeof(all));
	return count;
}

#ifndef LIBRARY
int main(void)
{
	printf("%ld\n", work_kernel(0));
	return 0;
}
#endif
