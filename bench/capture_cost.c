/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture_cost KIND DEPTH: what the events of a construct cost. One thread executes empty
 * constructs of KIND, `region` or `task`, in many short loops at the bottom of DEPTH calls. Prints
 * the nanoseconds of a construct in the fastest loop, which other load has disturbed least, and in
 * the median loop.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LOOPS = 2001, CONSTRUCTS = 500 };

static double loop_ns[LOOPS];
static volatile int sink;
static int is_task;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static __attribute__((noinline)) void regions(void)
{
	for (int i = 0; i < CONSTRUCTS; i++) {
#pragma omp parallel num_threads(1)
		sink = i;
	}
}

static __attribute__((noinline)) void tasks(void)
{
	for (int i = 0; i < CONSTRUCTS; i++) {
#pragma omp task
		sink = i;
	}
}

static __attribute__((noinline)) void measure(void)
{
	for (int i = 0; i < LOOPS; i++) {
		double start = now_ns();

		if (is_task)
			tasks();
		else
			regions();
		loop_ns[i] = (now_ns() - start) / CONSTRUCTS;
	}
}

/* A frame for each level: what follows the call keeps it from becoming a jump. */
static __attribute__((noinline)) void descend(int depth)
{
	if (depth > 0)
		descend(depth - 1);
	else
		measure();
	sink = depth;
}

static int compare(const void *a, const void *b)
{
	double difference = *(const double *)a - *(const double *)b;

	return (difference > 0) - (difference < 0);
}

int main(int argc, char **argv)
{
	int depth = argc > 2 ? atoi(argv[2]) : 10;

	is_task = argc > 1 && strcmp(argv[1], "task") == 0;
	if (is_task) {
#pragma omp parallel num_threads(1)
		descend(depth);
	} else {
		descend(depth);
	}
	qsort(loop_ns, LOOPS, sizeof(loop_ns[0]), compare);
	printf("%.1f %.1f\n", loop_ns[0], loop_ns[LOOPS / 2]);
	return 0;
}
