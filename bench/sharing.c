/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sharing: what events cost a thread alone, and while another thread has events of its own. The
 * more both write to the same cache lines, the more the cost grows. The two threads have locks,
 * tasks, regions and task waits of their own, which nothing in the program or the runtime makes
 * them share, and tasks of one site within tasks that one thread created. For comparison, the locks
 * come again with a counter that both threads write.
 *
 * Prints a line for each, `NAME ALONE BOTH RATIO`: nanoseconds of a construct in the median loop of
 * the primary thread, and the median ratio of two loops that follow each other. Loops in which the
 * other thread did not run most of the time are left out. If too few remain, the line is
 * `NAME - - -`. Run it with OMP_PROC_BIND=true.
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LOOPS = 401, LEAST_LOOPS = 101, TRIES = 20000, CONSTRUCTS = 200, THREADS = 2, LINE = 64 };

struct own {
	omp_lock_t lock;
	volatile long n;
	double start, end; /* of its latest loop */
} __attribute__((aligned(2 * LINE)));

static struct own own[THREADS];
static long shared __attribute__((aligned(2 * LINE)));
static int n_begun __attribute__((aligned(2 * LINE)));
static int n_to_begin;
static double alone_ns[LOOPS], both_ns[LOOPS], ratio[LOOPS];

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static void locks(struct own *mine, int is_both)
{
	for (int i = 0; i < CONSTRUCTS; i++) {
		omp_set_lock(&mine->lock);
		mine->n++;
		omp_unset_lock(&mine->lock);
	}
}

static void counted_locks(struct own *mine, int is_both)
{
	for (int i = 0; i < CONSTRUCTS; i++) {
		omp_set_lock(&mine->lock);
		__atomic_fetch_add(&shared, 1, __ATOMIC_RELAXED);
		omp_unset_lock(&mine->lock);
	}
}

/* In a team of one: the thread executes them at once. */
static void tasks(struct own *mine, int is_both)
{
#pragma omp parallel num_threads(1)
	for (int i = 0; i < CONSTRUCTS; i++) {
#pragma omp task
		mine->n++;
	}
}

static void task_waits(struct own *mine, int is_both)
{
#pragma omp parallel num_threads(1)
	for (int i = 0; i < CONSTRUCTS; i++) {
#pragma omp task
		mine->n++;
#pragma omp taskwait
	}
}

static void regions(struct own *mine, int is_both)
{
	for (int i = 0; i < CONSTRUCTS; i++) {
#pragma omp parallel num_threads(1)
		mine->n++;
	}
}

static void create(int level, int is_deferred);

/* A task at level 1 creates many, in the loop that is measured. */
static void execute(int level)
{
	struct own *mine = &own[omp_get_thread_num()];

	if (level > 1) {
		mine->n++;
		return;
	}
	__atomic_fetch_add(&n_begun, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&n_begun, __ATOMIC_ACQUIRE) < n_to_begin)
		;
	mine->start = now_ns();
	for (int i = 0; i < CONSTRUCTS; i++)
		create(2, 0);
	mine->end = now_ns();
}

static __attribute__((noinline)) void create(int level, int is_deferred)
{
#pragma omp task if (is_deferred)
	execute(level);
}

/* The primary thread creates a task for each; the other thread takes its own at the barrier. */
static void recursion(struct own *mine, int is_both)
{
	if (mine != own)
		return;
	n_begun = 0;
	n_to_begin = 1 + is_both;
	if (is_both) {
		create(1, 1);
		while (__atomic_load_n(&n_begun, __ATOMIC_ACQUIRE) == 0)
			;
	}
	create(1, 0);
}

static const struct kind {
	const char *name;
	void (*run)(struct own *mine, int is_both);
} kinds[] = {
	{ "locks", locks },
	{ "tasks", tasks },
	{ "taskwaits", task_waits },
	{ "regions", regions },
	{ "recursion", recursion },
	{ "shared-counter", counted_locks },
};

static int compare(const void *a, const void *b)
{
	double difference = *(const double *)a - *(const double *)b;

	return (difference > 0) - (difference < 0);
}

static double median(double *list, int n)
{
	qsort(list, (size_t)n, sizeof(*list), compare);
	return list[n / 2];
}

/* A loop of the primary thread, with or without the other one. */
static void once(const struct kind *kind, struct own *mine, int is_both)
{
#pragma omp barrier
	mine->start = now_ns();
	mine->end = 0;
	if (is_both || mine == own)
		kind->run(mine, is_both);
	if (!mine->end)
		mine->end = now_ns();
#pragma omp barrier
}

static double duration(void)
{
	return (own[0].end - own[0].start) / CONSTRUCTS;
}

/* Whether the other thread's latest loop covers most of the primary one's. */
static int ran_together(void)
{
	double start = own[1].start > own[0].start ? own[1].start : own[0].start;
	double end = own[1].end < own[0].end ? own[1].end : own[0].end;

	return end - start > 0.8 * (own[0].end - own[0].start);
}

/*
 * Adds to the lists, of length *n, the loops in which both threads ran together. The other thread
 * waits at barriers meanwhile.
 */
static void in_team(const struct kind *kind, struct own *mine, volatile int *n)
{
	for (int i = 0; i < TRIES && *n < LOOPS; i++) {
		double alone;

		once(kind, mine, 0);
		alone = duration();
		once(kind, mine, 1);
		if (mine == own && ran_together()) {
			alone_ns[*n] = alone;
			both_ns[*n] = duration();
			ratio[*n] = both_ns[*n] / alone;
			++*n;
		}
#pragma omp barrier
	}
}

int main(void)
{
	for (int i = 0; i < THREADS; i++)
		omp_init_lock(&own[i].lock);
	omp_set_max_active_levels(2);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		volatile int n = 0;

#pragma omp parallel num_threads(THREADS)
		in_team(&kinds[i], &own[omp_get_thread_num()], &n);
		if (n < LEAST_LOOPS)
			printf("%s - - -\n", kinds[i].name);
		else
			printf("%s %.1f %.1f %.2f\n", kinds[i].name, median(alone_ns, n),
				median(both_ns, n), median(ratio, n));
	}
	return 0;
}
