/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least that a sampler can cost: an OMPT tool that gives every OpenMP thread a timer on its own
 * CPU time, at BENCH_HZ (200; 0: none), with a handler that does nothing. This is the kernel's
 * delivery of signals; everything beyond it is ompprof's own cost. With BENCH_IGNORE it also takes
 * the events of events.h and ignores them: this is the runtime's cost of announcing them. If a
 * thread cannot have its timer, the program ends with a reason and status 1.
 */
#include <errno.h>
#include <omp-tools.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/events.h"

enum { NS_PER_S = 1000000000 };

static struct timespec period;
static int is_sampling;
static __thread timer_t timer;
static __thread int has_timer;

static void on_signal(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF };
	struct itimerspec every = { period, period };

	(void)type;
	(void)data;
	event._sigev_un._tid = gettid();
	has_timer = timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0;
	if (!has_timer || timer_settime(timer, 0, &every, NULL) != 0) {
		fprintf(stderr, "empty_handler: a thread has no timer: %s\n", strerror(errno));
		_exit(1);
	}
}

static void on_thread_end(ompt_data_t *data)
{
	(void)data;
	if (has_timer)
		timer_delete(timer);
	has_timer = 0;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
	struct sigaction action = { .sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO | SA_RESTART };
	long hz = getenv("BENCH_HZ") ? atol(getenv("BENCH_HZ")) : 200;

	(void)device;
	(void)data;
	if (hz > 0) {
		period.tv_sec = NS_PER_S / hz / NS_PER_S;
		period.tv_nsec = NS_PER_S / hz % NS_PER_S;
		is_sampling = 1;
		sigaction(SIGPROF, &action, NULL);
		set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
		set(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
	}
	if (getenv("BENCH_IGNORE"))
		events_ignore(set);
	return 1;
}

/* A timer of a thread that lives on must not fire when the handler's code is gone. */
static void finalize(ompt_data_t *data)
{
	(void)data;
	if (is_sampling)
		signal(SIGPROF, SIG_IGN);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime)
{
	static ompt_start_tool_result_t result = { initialize, finalize, { 0 } };

	(void)version;
	(void)runtime;
	return &result;
}
