/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A module for modules.c. Some of its functions, and bodies of regions, end with a call of libgomp,
 * which gcc makes a jump.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int count;
static omp_lock_t lock;

static __attribute__((noinline)) void add(void)
{
	__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
}

/* Nothing is passed to the region: a jump to GOMP_parallel. */
void region(void)
{
#pragma omp parallel num_threads(3)
	add();
}

void region_critical(void)
{
#pragma omp parallel num_threads(3)
	{
#pragma omp critical
		add();
	}
}

void region_barrier(void)
{
#pragma omp parallel num_threads(3)
	{
		add();
#pragma omp barrier
	}
}

void critical(void)
{
#pragma omp critical
	add();
}

void barrier(void)
{
#pragma omp barrier
}

void taskwait(void)
{
	add();
#pragma omp taskwait
}

void locked(void)
{
	omp_set_lock(&lock);
	add();
	omp_unset_lock(&lock);
}

/* Each thread of a team of two calls the function, 100 times. */
void call(void (*function)(void))
{
	int n = 0;

#pragma omp parallel num_threads(2) reduction(+ : n)
	for (int i = 0; i < 100; i++) {
		function();
#pragma omp barrier
#pragma omp for
		for (int j = 0; j < 7; j++)
			n++;
	}
	count += n;
}

/* What omp_set_num_threads has left is gone when libgomp is loaded again. */
int get(void)
{
	int n;

#pragma omp critical
	n = count++ * 10 + omp_get_max_threads();
	omp_set_num_threads(7);
	return n;
}

/* Waits for the program, at most WAITS hundredths of a second. */
static void wait_for_program(void)
{
	int *is_begun = dlsym(RTLD_DEFAULT, "is_begun"),
	    *is_passed = dlsym(RTLD_DEFAULT, "is_passed");

	if (!is_begun || !getenv("WAITS"))
		return;
	__atomic_store_n(is_begun, 1, __ATOMIC_RELEASE);
	for (int i = atoi(getenv("WAITS")); i > 0 && !__atomic_load_n(is_passed, __ATOMIC_ACQUIRE);
		i--)
		usleep(10000);
}

static void *region_in_thread(void *data)
{
	region_critical();
	return data;
}

/*
 * CONSTRUCT: the names of the modules that execute a region as they are loaded; with IN_THREAD in
 * a thread that they wait for.
 */
__attribute__((constructor)) static void begin(void)
{
	pthread_t thread;

	omp_init_lock(&lock);
	if (!getenv("CONSTRUCT") || !strstr(getenv("CONSTRUCT"), NAME))
		return;
	wait_for_program();
	if (getenv("IN_THREAD") && pthread_create(&thread, NULL, region_in_thread, NULL) == 0)
		pthread_join(thread, NULL);
	else
		region_critical();
}

__attribute__((destructor)) static void end(void)
{
	printf("end of %s with %d\n", NAME, count);
	fflush(stdout);
}
