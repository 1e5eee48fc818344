/* SPDX-License-Identifier: Apache-2.0 */
/* A thread's CPU timer, which tells the thread's CPU time when it is armed again: what each sample weighs, and how many
   there are. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "profile/core/writer.h"
#include "sampler/core/clock.h"
#include "sampler/core/tool.h"

enum {
	SIGNAL = SIGURG,
	MOST = 2000,
	TRIES = 5,
	HELD = 3, /* seconds: more than a timer takes to repeat, and than it and an interval do */
};

#define NS_PER_S  UINT64_C(1000000000)
#define PERIOD_NS UINT64_C(5000000)

struct tool tool;

static struct profile_header header = { .n_cpus = 1 };
static struct thread_clock timed;

/* What a signal found: the CPU time that was told, and the moments around it. */
static struct found {
	uint64_t before, told, after, weight;
	int overrun;
} found[MOST];
static volatile size_t n_found;

struct profile_header *writer_header(void)
{
	return &header;
}

static uint64_t cpu_ns(void)
{
	return clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
	struct clock_weight weight;
	struct found *now = &found[n_found];

	(void)signal;
	(void)context;
	if (n_found == MOST)
		return;
	now->before = cpu_ns();
	clock_timer.turn(&timed, info, &weight);
	now->after = cpu_ns();
	now->told = weight.cpu_ns;
	now->weight = weight.time_ns;
	now->overrun = info->si_overrun;
	n_found++;
}

static void burn(uint64_t ns)
{
	uint64_t end = cpu_ns() + ns;

	while (cpu_ns() < end)
		;
}

static int set_up(void **state)
{
	struct sigaction action = { .sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO | SA_RESTART };
	struct timespec tick;

	(void)state;
	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	memset(&timed, 0, sizeof(timed));
	timed.random = 88172645463325252u;
	n_found = 0;
	header.lost[PROFILE_LOST_THREADS] = 0;
	clock_timer_use(CLOCK_THREAD_CPUTIME_ID, (uint64_t)tick.tv_nsec);
	tool.settings.period = PERIOD_NS;
	tool.settings.signal = SIGNAL;
	sigaction(SIGNAL, &action, NULL);
	return clock_timer.start(&timed);
}

static int tear_down(void **state)
{
	(void)state;
	clock_timer.stop(&timed);
	return 0;
}

/* Each was told a moment of its own, and weighs what went by since the one before. */
static void assert_true_to_clock(uint64_t since)
{
	for (size_t i = 0; i < n_found; i++) {
		assert_in_range(found[i].told, found[i].before, found[i].after);
		assert_int_equal(found[i].weight, found[i].told - since);
		since = found[i].told;
	}
}

static void weighs_what_went_by(void **state)
{
	uint64_t since = timed.last_ns;

	(void)state;
	burn(NS_PER_S);
	assert_true_to_clock(since);
}

/* The intervals' mean is the period, however late in its tick each signal is. A thread that shares its CPU misses whole
   ticks: then once more. */
static void keeps_the_rate(void **state)
{
	uint64_t begin, expected = 1;
	size_t n = 0;

	(void)state;
	for (int i = 0; i < TRIES && n < expected * 96 / 100; i++) {
		begin = timed.last_ns;
		n_found = 0;
		burn(4 * NS_PER_S);
		expected = (timed.last_ns - begin) / PERIOD_NS;
		n = n_found;
	}
	assert_in_range(n, expected * 96 / 100, expected * 104 / 100);
}

/* What is pending meanwhile is one signal: the timer has expired more often than that. */
static void weighs_what_was_held(void **state)
{
	sigset_t signals;
	uint64_t since = timed.last_ns;
	size_t n;

	(void)state;
	sigemptyset(&signals);
	sigaddset(&signals, SIGNAL);
	for (uint64_t held = 1; held <= HELD; held++) {
		sigprocmask(SIG_BLOCK, &signals, NULL);
		n = n_found;
		burn(held * NS_PER_S + NS_PER_S / 20);
		sigprocmask(SIG_UNBLOCK, &signals, NULL);
		assert_true(n_found > n);
		assert_true(found[n].weight >= held * NS_PER_S);
		burn(NS_PER_S / 20);
		/* 10 are due; what was missed does not come after all. */
		assert_true(n_found - n <= 40);
	}
	assert_true_to_clock(since);
}

/* One that somebody else sends looks like the timer's, which is not due yet. */
static void weighs_another_signal(void **state)
{
	uint64_t since = timed.last_ns;

	(void)state;
	for (int i = 0; i < 20; i++) {
		raise(SIGNAL);
		burn(PERIOD_NS / 4);
	}
	assert_true(n_found >= 20);
	assert_true_to_clock(since);
}

/* A timer that is gone, at a sample that is late: it can neither be armed as planned nor from now on. */
static void is_lost_once(void **state)
{
	const siginfo_t info = { .si_code = SI_TIMER };
	struct clock_weight weight;
	uint64_t since;
	timer_t timer;

	(void)state;
	memcpy(&timer, timed.own, sizeof(timer));
	timer_delete(timer);
	since = timed.last_ns;
	burn(NS_PER_S / 10);
	clock_timer.turn(&timed, &info, &weight);
	assert_true(weight.time_ns >= NS_PER_S / 10);
	assert_int_equal(timed.last_ns, since + weight.time_ns);
	assert_int_equal(header.lost[PROFILE_LOST_THREADS], 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(weighs_what_went_by, set_up, tear_down),
		cmocka_unit_test_setup_teardown(keeps_the_rate, set_up, tear_down),
		cmocka_unit_test_setup_teardown(weighs_what_was_held, set_up, tear_down),
		cmocka_unit_test_setup_teardown(weighs_another_signal, set_up, tear_down),
		cmocka_unit_test_setup_teardown(is_lost_once, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
