/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program with locks, or with LIBRARY a runtime that is neither libgomp nor libomp, for
 * modules.sh. Some compilers have such a runtime, or one that does nothing, for serial programs.
 */
#include <stdio.h>

void omp_set_lock(void *lock);
void omp_unset_lock(void *lock);

#ifdef LIBRARY
void omp_set_lock(void *lock)
{
	++*(int *)lock;
}

void omp_unset_lock(void *lock)
{
	printf("%d\n", *(int *)lock);
}
#else
int main(void)
{
	int lock = 0;

	omp_set_lock(&lock);
	omp_unset_lock(&lock);
	return 0;
}
#endif
