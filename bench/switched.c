/* SPDX-License-Identifier: Apache-2.0 */
/*
 * switched LIBRARY KERNEL SECONDS: what profiling costs `compute` or `stencil`, in turns of about
 * 50 ms within one process (proxy.h). Samples come to an empty handler, 200 a second and thread,
 * or are the profiler's, whose signal is blocked otherwise. Callbacks return at once ("ignored"),
 * or are the profiler's:
 *
 *             samples   events                    samples    events
 *   bare      none      none          events      empty      profiler's
 *   empty     empty     none          samples     profiler's ignored
 *   ignored   empty     ignored       profiled    profiler's profiler's
 *
 * Every second round has the opposite order. Prints `turn NS`, the median CPU time of a bare turn,
 * and `WAY R` for each other way: the median ratio of its CPU time to bare in the same round.
 * Status 77, with a reason, like in_turns.
 */
#include <omp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/kernels/sweep.h"
#include "bench/proxy.h"

enum { MOST_ROUNDS = 5000, MOST_THREADS = 64, TURN_NS = 50000000, PERIOD_NS = 5000000 };
enum { STEPS = 20000, CALIBRATING = 100 };
enum samples { NO_SAMPLES, EMPTY_SAMPLES, OWN_SAMPLES };
enum { BARE, EMPTY, IGNORED, EVENTS, SAMPLES, PROFILED, N_WAYS };

static const struct way {
	const char *name;
	enum samples samples;
	enum proxy_way events;
} ways[N_WAYS] = {
	[BARE] = { "turn", NO_SAMPLES, PROXY_WITHOUT },
	[EMPTY] = { "empty", EMPTY_SAMPLES, PROXY_WITHOUT },
	[IGNORED] = { "ignored", EMPTY_SAMPLES, PROXY_IGNORED },
	[EVENTS] = { "events", EMPTY_SAMPLES, PROXY_PROFILED },
	[SAMPLES] = { "samples", OWN_SAMPLES, PROXY_IGNORED },
	[PROFILED] = { "profiled", OWN_SAMPLES, PROXY_PROFILED },
};

static double cpu_ns[MOST_ROUNDS][N_WAYS];
static timer_t timers[MOST_THREADS];

static void on_signal(int signal)
{
	(void)signal;
}

/*
 * Makes a timer for each thread: SIGPROF, for the handler that does nothing. Returns how many could
 * not be made.
 */
static int make_timers(void)
{
	int n_failed = 0;

#pragma omp parallel reduction(+ : n_failed)
	{
		struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF };

		event._sigev_un._tid = gettid();
		n_failed += omp_get_num_threads() > MOST_THREADS ||
			    timer_create(CLOCK_THREAD_CPUTIME_ID, &event,
				    &timers[omp_get_thread_num()]) != 0;
	}
	return n_failed;
}

/* SIGURG is the profiler's. */
static void go_over_to(const struct way *way)
{
	long period_ns = way->samples == EMPTY_SAMPLES ? PERIOD_NS : 0;

	proxy_go_over_to(PROXY_WITHOUT);
#pragma omp parallel
	{
		struct itimerspec every = { { 0, period_ns }, { 0, period_ns } };
		sigset_t own;

		sigemptyset(&own);
		sigaddset(&own, SIGURG);
		timer_settime(timers[omp_get_thread_num()], 0, &every, NULL);
		pthread_sigmask(way->samples == OWN_SAMPLES ? SIG_UNBLOCK : SIG_BLOCK, &own, NULL);
	}
	proxy_go_over_to(way->events);
}

static NOINLINE void compute(long n)
{
#pragma omp parallel for schedule(static)
	for (long i = 0; i < n; i++)
		KERNEL_WORK(STEPS);
}

static NOINLINE void stencil(long n)
{
	for (long i = 0; i < n; i++)
		sweep(i);
}

static double time_of(int way, void (*kernel)(long), long n)
{
	double begin;

	go_over_to(&ways[way]);
	kernel(n / 8 + 1);
	begin = work_clock(CLOCK_PROCESS_CPUTIME_ID);
	kernel(n);
	return 1e9 * (work_clock(CLOCK_PROCESS_CPUTIME_ID) - begin);
}

static int compare(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* The CPU time of the way's turns: in ns for bare, else as a ratio to bare in the same round. */
static double median(int n_rounds, int way)
{
	static double sorted[MOST_ROUNDS];

	for (int i = 0; i < n_rounds; i++)
		sorted[i] = way == BARE ? cpu_ns[i][BARE] : cpu_ns[i][way] / cpu_ns[i][BARE];
	qsort(sorted, (size_t)n_rounds, sizeof(sorted[0]), compare);
	return sorted[n_rounds / 2];
}

int main(int argc, char **argv)
{
	void (*kernel)(long) = argc > 2 && strcmp(argv[2], "stencil") == 0 ? stencil : compute;
	double begin, end;
	const char *why;
	int round = 0;
	long n;

	if (argc < 4) {
		fprintf(stderr, "usage: switched LIBRARY compute|stencil SECONDS\n");
		return 2;
	}
	proxy.path = argv[1];
	sweep_prepare();
	signal(SIGPROF, on_signal);
	why = make_timers() ? "no timers" : proxy_find();
	if (why) {
		fprintf(stderr, "switched: %s\n", why);
		return 77;
	}
	kernel(CALIBRATING);
	begin = work_clock(CLOCK_MONOTONIC);
	kernel(CALIBRATING);
	n = (long)(CALIBRATING * (TURN_NS / 1e9) / (work_clock(CLOCK_MONOTONIC) - begin)) + 1;
	end = work_clock(CLOCK_MONOTONIC) + atof(argv[3]);
	for (; round < MOST_ROUNDS && (work_clock(CLOCK_MONOTONIC) < end || round == 0); round++) {
		for (int i = 0; i < N_WAYS; i++) {
			int way = (round / 2 + (round % 2 ? N_WAYS - i : i)) % N_WAYS;

			cpu_ns[round][way] = time_of(way, kernel, n);
		}
	}
	go_over_to(&ways[PROFILED]);
	for (int way = 0; way < N_WAYS; way++)
		printf(way == BARE ? "%s %.0f\n" : "%s %.5f\n", ways[way].name, median(round, way));
	return 0;
}
