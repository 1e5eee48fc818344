/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A libgomp of the future, as far as a program needs one that has a parallel region: it has a version that nobody knows
 * yet (newer.map), and a region has one thread.
 */
void GOMP_parallel(void (*body)(void *), void *data, unsigned n_threads, unsigned flags);
void GOMP_barrier(void);
int omp_get_thread_num(void);
int omp_get_num_threads(void);

void GOMP_parallel(void (*body)(void *), void *data, unsigned n_threads, unsigned flags)
{
	(void)n_threads, (void)flags;
	body(data);
}

void GOMP_barrier(void)
{
}

int omp_get_thread_num(void)
{
	return 0;
}

int omp_get_num_threads(void)
{
	return 1;
}
