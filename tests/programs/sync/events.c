/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Known numbers of OpenMP's events that are counted if one asks for it; tests/live/events.sh knows them.
 * `events N F`: N executions of each function, and F flushes. With OMP_NUM_THREADS=2 and OMP_CANCELLATION=true.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double sink;

/* What follows a region keeps its call from being a jump, which would hide the function. */
static volatile int n_regions;

static void work(int n)
{
	double x = 1;

	for (int i = 0; i < n; i++)
		x = x * 1.0000001 + 1e-9;
	sink = x;
}

/* 100 iterations in chunks of 10: thread 0 waits in its first one until the other has had all the rest. */
__attribute__((noinline)) static void uneven(int *n_done)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 10)
		for (int i = 0; i < 100; i++) {
			if (i == 0) {
				while (__atomic_load_n(n_done, __ATOMIC_ACQUIRE) < 90)
					;
			}
			__atomic_fetch_add(n_done, 1, __ATOMIC_RELEASE);
		}
	}
	n_regions++;
}

__attribute__((noinline)) static void constructs(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(static)
		for (int i = 0; i < 64; i++)
			work(10);
#pragma omp sections
		{
#pragma omp section
			work(10);
#pragma omp section
			work(10);
#pragma omp section
			work(10);
		}
#pragma omp single
		work(10);
#pragma omp flush
#pragma omp barrier
#pragma omp master
		work(10);
	}
	n_regions++;
}

__attribute__((noinline)) static void cancels(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(static)
		for (int i = 0; i < 64; i++) {
#pragma omp cancel for if (i == 0)
			work(10);
		}
	}
	n_regions++;
}

/* Iteration i waits for i - 1. */
__attribute__((noinline)) static void ordered(void)
{
#pragma omp parallel
	{
#pragma omp for ordered(1)
		for (int i = 0; i < 8; i++) {
#pragma omp ordered depend(sink : i - 1)
			work(10);
#pragma omp ordered depend(source)
		}
	}
	n_regions++;
}

__attribute__((noinline)) static void warns(void)
{
#if defined(__clang__) && __clang_major__ >= 16
#pragma omp error at(execution) severity(warning) message("of no account")
#endif
	n_regions++;
}

/* So many that their call paths are not all looked at. */
__attribute__((noinline)) static void flushes(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp flush
	}
}

__attribute__((noinline)) static void locks(void)
{
	omp_lock_t lock;
	omp_nest_lock_t nest;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
	omp_destroy_nest_lock(&nest);
	omp_destroy_lock(&lock);
}

__attribute__((noinline)) static void tasks(void)
{
	int a = 0, b = 0;

#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 5; i++) {
#pragma omp task depend(out : a) shared(a)
			a = i;
#pragma omp task depend(in : a) depend(inout : b) shared(a, b)
			b = a;
		}
#pragma omp taskwait
#pragma omp task final(1)
		work(10);
	}
	sink = b;
	n_regions++;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1, cancellation = omp_get_cancellation();
	int n_flushes = argc > 2 ? atoi(argv[2]) : 0;

	for (int i = 0; i < n; i++) {
		int n_done = 0;

		uneven(&n_done);
		constructs();
		cancels();
		locks();
		tasks();
		ordered();
		warns();
	}
	flushes(n_flushes);
	printf("%d threads, cancellation %d\n", omp_get_max_threads(), cancellation);
	return 0;
}
