/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Losses of a known cause, for a team of two: causes NAME [FACTOR]. Each case loses about 150 units of work of one
 * thread to a single cause.
 */
#include <pthread.h>
#include <string.h>

#include "../work.h"

static NOINLINE void work_for(long n)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, n);
	work_sink = x;
}

/* Tasks of equal length, and a long one that is created last. */
static void long_task(long n)
{
#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 20; i++) {
#pragma omp task
			work_for(3 * n);
		}
#pragma omp task
		work_for(150 * n);
	}
}

/* The creator waits for a taskgroup of one task, and so does the other thread, or it executes the task. */
static void group(long n)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 3; i++) {
#pragma omp taskgroup
		{
#pragma omp task
			work_for(50 * n);
		}
	}
}

/* The creator needs three times as long for a task as its execution takes. */
static void starve(long n)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 50; i++) {
		work_for(3 * n);
#pragma omp task
		work_for(n);
	}
}

static NOINLINE long fib(int n)
{
	long a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fib(n - 1);
#pragma omp task shared(b)
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}

/* Millions of tasks are there to be taken. */
static void tiny(long n)
{
	(void)n;
#pragma omp parallel
#pragma omp single
	work_sink = (uint64_t)fib(22);
}

/* libomp does not know the call by which gcc's code makes such a task. */
#ifdef __clang__
static omp_event_handle_t events[3];

static void *fulfill(void *data)
{
	struct timespec pause = { 0, 80000000L };

	for (int i = 0; i < 3; i++) {
		nanosleep(&pause, NULL);
		omp_fulfill_event(events[i]);
	}
	return data;
}

/* Short tasks end with an event of a thread that sleeps. */
static void detached(long n)
{
	pthread_t thread;

#pragma omp parallel
#pragma omp single
	{
		for (int i = 0; i < 3; i++) {
			omp_event_handle_t event;

#pragma omp task detach(event)
			work_for(n);
			events[i] = event;
		}
		pthread_create(&thread, NULL, fulfill, NULL);
	}
	pthread_join(thread, NULL);
}
#endif

/* The first chunk of the schedule is a quarter of the iterations, and these are the long ones. */
static void guided(long n)
{
#pragma omp parallel for schedule(guided)
	for (int i = 0; i < 100; i++)
		work_for(i < 25 ? 6 * n : n / 4);
}

/* The last iteration is long. */
static void tail(long n)
{
#pragma omp parallel for schedule(dynamic, 1)
	for (int i = 0; i < 41; i++)
		work_for(i == 40 ? 150 * n : n);
}

static void in_sections(long n)
{
#pragma omp parallel
	for (int i = 0; i < 6; i++) {
#pragma omp sections
		{
#pragma omp section
			work_for(30 * n);
#pragma omp section
			work_for(5 * n);
		}
	}
}

static void in_single(long n)
{
#pragma omp parallel
	for (int i = 0; i < 6; i++) {
		long value;

#pragma omp single copyprivate(value)
		{
			work_for(25 * n);
			value = n;
		}
		work_for(value);
	}
}

static void in_master(long n)
{
#pragma omp parallel
	for (int i = 0; i < 6; i++) {
#pragma omp master
		work_for(25 * n);
#pragma omp barrier
		work_for(n);
	}
}

/* Each thread's part begins when its neighbour's has ended, as a flag says. */
static void flag(long n)
{
	int turn = 0;

#pragma omp parallel shared(turn)
	for (int i = 0; i < 8; i++) {
		int mine = 0;

		while (!mine) {
#pragma omp flush
#pragma omp atomic read
			mine = turn;
			mine = mine % 2 == omp_get_thread_num();
		}
		work_for(20 * n);
#pragma omp atomic
		turn++;
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(long n);
	} cases[] = { { "long_task", long_task }, { "group", group }, { "starve", starve },
		{ "tiny", tiny },
#ifdef __clang__
		{ "detached", detached },
#endif
		{ "guided", guided }, { "tail", tail }, { "sections", in_sections },
		{ "single", in_single }, { "master", in_master }, { "flag", flag } };
	long n = work_start(argc, argv, 2), done = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (argc > 1 && strcmp(cases[i].name, argv[1]) == 0) {
			cases[i].run(n);
			done++;
		}
	}
	return work_finish("causes", done, 1);
}
