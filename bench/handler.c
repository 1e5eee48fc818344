/* SPDX-License-Identifier: Apache-2.0 */
/*
 * handler DEPTH same|new SAMPLES [timer]: how long ompprof's handler takes. The samples have call
 * paths of DEPTH calls: all the same, or each new from the outermost call on. The program runs
 * under `ompprof run`, puts a handler in front of the tool's own and times it.
 *
 * The program sends itself the signals, one soon after the other; with `timer` they come from the
 * tool's timer, with other work in between. Prints `NAME NS` lines: least, quartile1, median,
 * quartile3, p99, and the system calls of the handler by themselves, read_clock and set_timer. A
 * signal of the timer needs only the latter. Status 77: there is no handler.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "bench/kernels/kernel.h"

enum { UNCOUNTED = 200, N_CALLS = 20000, SIGNAL = SIGURG };

static struct {
	struct sigaction tools;
	siginfo_t info; /* of a signal of the tool's own timer */
	double *ticks;
	volatile long n;
	long most;
	int by_timer;
} timed;

static void on_signal(int number, siginfo_t *info, void *context)
{
	uint64_t begin = __rdtsc(), end;

	timed.tools.sa_sigaction(number, info, context);
	end = __rdtsc();
	if (info->si_code == SI_TIMER && !timed.info.si_code)
		timed.info = *info;
	else if (timed.n < timed.most)
		timed.ticks[timed.n++] = (double)(end - begin);
}

static __attribute__((noinline)) void compute(long steps)
{
	KERNEL_WORK(steps);
}

static __attribute__((noinline)) void take_one(void)
{
	long before = timed.n;

	compute(200);
	if (!timed.by_timer)
		syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGNAL, &timed.info);
	while (timed.n == before)
		compute(20000);
}

static void left(uint64_t turns, long depth);

static __attribute__((noinline)) void right(uint64_t turns, long depth)
{
	if (depth <= 1)
		take_one();
	else
		(turns & 1 ? left : right)(turns >> 1, depth - 1);
	__asm__ volatile("" ::: "memory");
}

static __attribute__((noinline)) void left(uint64_t turns, long depth)
{
	if (depth <= 1)
		take_one();
	else
		(turns & 1 ? left : right)(turns >> 1, depth - 1);
	__asm__ volatile("" ::: "memory");
}

static double now_ns(void)
{
	return 1e9 * work_clock(CLOCK_MONOTONIC);
}

static int compare(const void *a, const void *b)
{
	double difference = *(const double *)a - *(const double *)b;

	return (difference > 0) - (difference < 0);
}

/*
 * The median of N_CALLS reads of the thread's clock, or of N_CALLS calls that set a timer like the
 * tool's while it runs.
 */
static double call_ticks(int is_timer)
{
	static double ticks[N_CALLS];
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGNAL };
	struct itimerspec later = { .it_interval.tv_sec = 1000000 }, before;
	struct timespec now;
	timer_t timer;

	event._sigev_un._tid = gettid();
	timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer);
	for (int i = 0; i < N_CALLS; i++) {
		uint64_t begin = __rdtsc();

		later.it_value.tv_sec = 1000000 + i;
		if (is_timer)
			timer_settime(timer, TIMER_ABSTIME, &later, &before);
		else
			clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		ticks[i] = (double)(__rdtsc() - begin);
	}
	timer_delete(timer);
	qsort(ticks, N_CALLS, sizeof(ticks[0]), compare);
	return ticks[N_CALLS / 2];
}

static void print(double ns_per_tick, long n)
{
	static const struct {
		const char *name;
		double part;
	} parts[] = { { "least", 0 }, { "quartile1", 0.25 }, { "median", 0.5 },
		{ "quartile3", 0.75 }, { "p99", 0.99 } };

	qsort(timed.ticks, (size_t)n, sizeof(timed.ticks[0]), compare);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		printf("%s %.0f\n", parts[i].name,
			ns_per_tick * timed.ticks[(long)(parts[i].part * (double)(n - 1))]);
	printf("read_clock %.0f\nset_timer %.0f\n", ns_per_tick * call_ticks(0),
		ns_per_tick * call_ticks(1));
}

int main(int argc, char **argv)
{
	long depth = argc > 1 ? atol(argv[1]) : 30;
	int is_new = argc > 2 && strcmp(argv[2], "new") == 0;
	long n = argc > 3 ? atol(argv[3]) : 2000;
	struct sigaction mine;
	uint64_t begin, turns = 0;
	double begin_ns;

	timed.by_timer = argc > 4;
	timed.most = n + UNCOUNTED;
	timed.ticks = calloc((size_t)timed.most, sizeof(timed.ticks[0]));
	sigaction(SIGNAL, NULL, &timed.tools);
	if (!timed.ticks || !(timed.tools.sa_flags & SA_SIGINFO))
		return 77;
	mine = timed.tools;
	mine.sa_sigaction = on_signal;
	sigaction(SIGNAL, &mine, NULL);
	begin = __rdtsc();
	begin_ns = now_ns();
	while (!timed.info.si_code)
		compute(20000);
	while (timed.n < timed.most)
		left(is_new ? turns++ : 0, depth);
	sigaction(SIGNAL, &timed.tools, NULL);
	memmove(timed.ticks, timed.ticks + UNCOUNTED, (size_t)n * sizeof(timed.ticks[0]));
	print((now_ns() - begin_ns) / (double)(__rdtsc() - begin), n);
	return 0;
}
