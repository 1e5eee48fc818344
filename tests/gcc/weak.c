/* SPDX-License-Identifier: Apache-2.0 */
/* A program that executes a region under a lock if a runtime is there, for modules.sh. */
#include <stdio.h>

__attribute__((weak)) void GOMP_parallel(
	void (*body)(void *), void *data, unsigned n, unsigned flags);
__attribute__((weak)) void omp_set_lock(void *lock);
__attribute__((weak)) void omp_unset_lock(void *lock);

static void body(void *n)
{
	++*(int *)n;
}

int main(void)
{
	int lock = 0, n = 0;

	if (!GOMP_parallel || !omp_set_lock || !omp_unset_lock) {
		puts("without");
		return 0;
	}
	omp_set_lock(&lock);
	GOMP_parallel(body, &n, 0, 0);
	omp_unset_lock(&lock);
	printf("with %d\n", n);
	return 0;
}
