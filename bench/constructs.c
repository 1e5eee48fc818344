/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constructs [DEPTH [NAME...]]: what a construct costs, in the manner of the EPCC micro-benchmarks:
 * many short loops of each construct around a small delay, at the bottom of DEPTH calls
 * (default 8). Prints a line `NAME NS` for each: the nanoseconds of a construct, delay included, by
 * the clock of the primary thread. It is the lower quartile of the loops, as other load on the
 * machine only adds.
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LOOPS = 501, MAX_THREADS = 64, DELAY_STEPS = 20, LINE = 64 };

struct own {
	omp_lock_t lock;
	uint64_t x;
} __attribute__((aligned(2 * LINE)));

static double loop_ns[LOOPS];
static struct own own[MAX_THREADS];
static omp_lock_t lock;
static volatile int sink;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static __attribute__((noinline)) void delay(void)
{
	uint64_t *own_x = &own[omp_get_thread_num()].x, x = *own_x | 1;

	for (int i = 0; i < DELAY_STEPS; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	*own_x = x;
}

static void parallel(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp parallel
		delay();
	}
}

/* The following are called by every thread of a team, or by the primary one alone. */

static void loop(int n)
{
	int n_threads = omp_get_num_threads();

	for (int i = 0; i < n; i++) {
#pragma omp for schedule(static)
		for (int j = 0; j < n_threads; j++)
			delay();
	}
}

static void barrier(int n)
{
	for (int i = 0; i < n; i++) {
		delay();
#pragma omp barrier
	}
}

static void critical(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp critical
		delay();
	}
}

static void locks(int n)
{
	for (int i = 0; i < n; i++) {
		omp_set_lock(&lock);
		delay();
		omp_unset_lock(&lock);
	}
}

static void own_locks(int n)
{
	omp_lock_t *mine = &own[omp_get_thread_num()].lock;

	for (int i = 0; i < n; i++) {
		omp_set_lock(mine);
		delay();
		omp_unset_lock(mine);
	}
}

static void tasks(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp task
		delay();
	}
#pragma omp taskwait
}

/* A task at a time: created, executed and waited for. */
static void task_waits(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp task
		delay();
#pragma omp taskwait
	}
}

enum who { OUTSIDE, ALL, ONE, TEAM_OF_ONE };

static const struct construct {
	const char *name;
	void (*run)(int n);
	int n;
	enum who who;
} constructs[] = {
	{ "parallel", parallel, 50, OUTSIDE },
	{ "for", loop, 100, ALL },
	{ "barrier", barrier, 100, ALL },
	{ "critical", critical, 200, ALL },
	{ "critical-alone", critical, 200, ONE },
	{ "lock", locks, 200, ALL },
	{ "lock-own", own_locks, 200, ALL },
	{ "lock-alone", locks, 200, ONE },
	{ "task", tasks, 100, ALL },
	{ "task-alone", tasks, 100, ONE },
	{ "task-serial", tasks, 100, TEAM_OF_ONE },
	{ "task-taskwait", task_waits, 100, ALL },
};

enum { N_CONSTRUCTS = sizeof(constructs) / sizeof(constructs[0]) };

/* Threads start each loop together. */
static __attribute__((noinline)) void in_team(const struct construct *construct)
{
	int is_primary = omp_get_thread_num() == 0;

	for (int i = 0; i < LOOPS; i++) {
		double start;

#pragma omp barrier
		start = is_primary ? now_ns() : 0;
		if (construct->who != ONE || is_primary)
			construct->run(construct->n);
		if (is_primary)
			loop_ns[i] = (now_ns() - start) / construct->n;
	}
}

static __attribute__((noinline)) void outside(const struct construct *construct)
{
	for (int i = 0; i < LOOPS; i++) {
		double start = now_ns();

		construct->run(construct->n);
		loop_ns[i] = (now_ns() - start) / construct->n;
	}
}

static int compare(const void *a, const void *b)
{
	double difference = *(const double *)a - *(const double *)b;

	return (difference > 0) - (difference < 0);
}

/* Whether the names include the construct, or there are no names. */
static int is_wanted(const struct construct *construct, char **names)
{
	int is_any = !*names;

	for (; *names; names++)
		is_any |= strcmp(*names, construct->name) == 0;
	return is_any;
}

static __attribute__((noinline)) void measure(char **names)
{
	for (int i = 0; i < N_CONSTRUCTS; i++) {
		const struct construct *construct = &constructs[i];

		if (!is_wanted(construct, names))
			continue;
		if (construct->who == OUTSIDE) {
			outside(construct);
		} else {
			int n = construct->who == TEAM_OF_ONE ? 1 : omp_get_max_threads();

#pragma omp parallel num_threads(n)
			in_team(construct);
		}
		qsort(loop_ns, LOOPS, sizeof(loop_ns[0]), compare);
		printf("%s %.1f\n", construct->name, loop_ns[LOOPS / 4]);
	}
}

/* A frame for each level: what follows the call keeps it from becoming a jump. */
static __attribute__((noinline)) void descend(int depth, char **names)
{
	if (depth > 0)
		descend(depth - 1, names);
	else
		measure(names);
	sink = depth;
}

int main(int argc, char **argv)
{
	omp_init_lock(&lock);
	for (int i = 0; i < MAX_THREADS; i++)
		omp_init_lock(&own[i].lock);
	if (omp_get_max_threads() > MAX_THREADS)
		omp_set_num_threads(MAX_THREADS);
	descend(argc > 1 ? atoi(argv[1]) : 8, argc > 2 ? argv + 2 : argv + argc);
	return 0;
}
