/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counted NAME...: how long constructs take that make one kind of events. Prints `NAME NS` for
 * each: the lower quartile of many short loops of thread 0 of a team, whose other threads wait
 * until it has finished.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LOOPS = 301 };

static double loop_ns[LOOPS];
static volatile int is_done;
static volatile int sink;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static void flushes(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp flush
	}
}

static void works(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp for schedule(static) nowait
		for (int k = 0; k < 2; k++)
			sink = k;
	}
}

static void singles(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp single nowait
		sink = i;
	}
}

static void chunks(int n)
{
#pragma omp for schedule(dynamic, 1) nowait
	for (int i = 0; i < n; i++)
		sink = i;
}

static void masked(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp master
		sink = i;
	}
}

static void taskwaits(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp taskwait
	}
}

static void locks(int n)
{
	omp_lock_t lock;

	for (int i = 0; i < n; i++) {
		omp_init_lock(&lock);
		omp_destroy_lock(&lock);
	}
}

static void tasks(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp task if (0)
		sink = i;
	}
}

static void dependences(int n)
{
	int a = 0;

	for (int i = 0; i < n; i++) {
#pragma omp task depend(out : a) if (0)
		sink = i;
	}
	(void)a;
}

static void cancellations(int n)
{
	for (int i = 0; i < n; i++) {
#pragma omp taskgroup
		{
#pragma omp task if (0)
			{
				sink = i;
#pragma omp cancel taskgroup
			}
		}
	}
}

/* Compilers make this call for the error directive. Older runtimes do not have it. */
extern void __kmpc_error(void *location, int severity, const char *message) __attribute__((weak));

static void errors(int n)
{
	for (int i = 0; i < n; i++)
		__kmpc_error(NULL, 1, "a warning");
}

static void awaited(int n)
{
	int a = 0;

	for (int i = 0; i < n; i++) {
#pragma omp task depend(out : a)
		sink = i;
	}
#pragma omp taskwait
	(void)a;
}

static const struct construct {
	const char *name;
	void (*run)(int n);
	int n;
	int is_shared; /* all threads have to meet it */
} constructs[] = {
	{ "flush", flushes, 1000, 0 },
	{ "work", works, 1000, 1 },
	{ "single", singles, 1000, 1 },
	{ "dispatch", chunks, 1000, 1 },
	{ "masked", masked, 1000, 0 },
	{ "taskwait", taskwaits, 1000, 0 },
	{ "lock", locks, 500, 0 },
	{ "task", tasks, 500, 0 },
	{ "dependences", dependences, 300, 0 },
	{ "cancel", cancellations, 300, 0 },
	{ "error", errors, 300, 0 },
	{ "awaited", awaited, 50, 0 },
};

static void once(const struct construct *construct, int loop)
{
	double begin;

#pragma omp barrier
	if (omp_get_thread_num() == 0) {
		begin = now_ns();
		construct->run(construct->n);
		loop_ns[loop] = now_ns() - begin;
		is_done = 1;
	} else {
		while (!is_done)
			;
		if (construct->is_shared)
			construct->run(construct->n);
	}
#pragma omp barrier
	is_done = 0;
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static void measure(const struct construct *construct)
{
#pragma omp parallel
	for (int i = 0; i < LOOPS; i++)
		once(construct, i);
	qsort(loop_ns, LOOPS, sizeof(*loop_ns), compare);
	printf("%s %.2f\n", construct->name, loop_ns[LOOPS / 4] / construct->n);
}

int main(int argc, char **argv)
{
	for (int a = 1; a < argc; a++)
		for (size_t i = 0; i < sizeof(constructs) / sizeof(constructs[0]); i++)
			if (strcmp(argv[a], constructs[i].name) == 0 &&
				(constructs[i].run != errors || __kmpc_error))
				measure(&constructs[i]);
	return 0;
}
