/* SPDX-License-Identifier: Apache-2.0 */
/* The event beside the timer: which signal is a sample, and what happens where the event is gone. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "profile/core/writer.h"
#include "sampler/core/clock.h"
#include "sampler/core/tool.h"
#include "unwinder/core/arch.h"

#define PERIOD_NS UINT64_C(5000000)
#define BURNT_NS  UINT64_C(1000000000)

/* While BURNT_NS pass; a quiet machine has fewer. */
#define MANY_SWITCHES 500

struct tool tool;

static struct profile_header header = { .n_cpus = 1 };
static struct thread_clock timed;
static volatile int is_in_kernel;
static volatile uint64_t n_ticks, n_events, weight_ns;

struct profile_header *writer_header(void)
{
	return &header;
}

int arch_is_after_syscall(const void *ucontext)
{
	(void)ucontext;
	return is_in_kernel;
}

static uint64_t cpu_ns(void)
{
	return clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* What the handler does. */
static void on_signal(int signal, siginfo_t *info, void *context)
{
	struct clock_weight weight;

	(void)signal;
	if (!clock_mixed.owns(&timed, info) || clock_mixed.skips(&timed, info, context))
		return;
	clock_mixed.turn(&timed, info, &weight);
	weight_ns += weight.time_ns;
	if (info->si_code == SI_TIMER)
		n_ticks++;
	else
		n_events++;
}

static void burn(uint64_t ns)
{
	uint64_t end = cpu_ns() + ns;

	while (cpu_ns() < end) {
		for (volatile int i = 0; i < 100000; i++)
			;
	}
}

static long n_switches(void)
{
	struct rusage now;

	getrusage(RUSAGE_THREAD, &now);
	return now.ru_nvcsw + now.ru_nivcsw;
}

static int set_up(void **state)
{
	struct sigaction action = { .sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO | SA_RESTART };
	struct perf_event event;
	struct timespec tick;

	(void)state;
	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	memset(&timed, 0, sizeof(timed));
	timed.random = 88172645463325252u;
	n_ticks = n_events = weight_ns = 0;
	is_in_kernel = 0;
	tool.settings.period = PERIOD_NS;
	tool.settings.signal = SIGURG;
	clock_timer_use(CLOCK_THREAD_CPUTIME_ID, (uint64_t)tick.tv_nsec);
	clock_mixed_use();
	perf_event_find("task-clock", &event);
	clock_perf_use(&event, clock_mixed_period(PERIOD_NS));
	sigaction(SIGURG, &action, NULL);
	return clock_mixed.start(&timed);
}

static int tear_down(void **state)
{
	(void)state;
	clock_mixed.stop(&timed);
	return 0;
}

/* A hundred events a second; the weights are the time up to the last of them. */
static void the_event_samples_the_program(void **state)
{
	long n_before = n_switches();
	uint64_t began;

	(void)state;
	if (!timed.looks.has_event)
		skip();
	/* On a slow machine there was a sample since the clock began. */
	began = timed.last_ns;
	weight_ns = 0;
	burn(BURNT_NS);
	/* A thread that switches often has no event. */
	if (n_switches() - n_before > MANY_SWITCHES) {
		print_message("# the machine is busy: %ld switches\n", n_switches() - n_before);
		return;
	}
	assert_in_range(n_events, 30, 120);
	assert_true(n_events > n_ticks);
	assert_int_equal(weight_ns, timed.last_ns - began);
	assert_in_range(weight_ns, BURNT_NS - 100000000, BURNT_NS + 10000000);
}

/* The event has no part in the kernel's time: half of the 200 ticks stay. */
static void ticks_sample_the_kernel(void **state)
{
	(void)state;
	if (!timed.looks.has_event)
		skip();
	is_in_kernel = 1;
	burn(BURNT_NS);
	assert_in_range(n_ticks, 40, 150);
}

/* The program has closed all descriptors: no time is lost. */
static void the_timer_samples_alone(void **state)
{
	(void)state;
	if (!timed.looks.has_event)
		skip();
	for (int fd = 3; fd < 4096; fd++)
		close(fd);
	n_ticks = n_events = 0;
	burn(BURNT_NS / 2);
	assert_in_range(n_ticks, 30, 130);
	assert_int_equal(timed.looks.has_event, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_event_samples_the_program, set_up, tear_down),
		cmocka_unit_test_setup_teardown(ticks_sample_the_kernel, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_timer_samples_alone, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
