/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits SECONDS [wall]: thread 1 waits in one construct after another while thread 0 is in
 * hold_kernel, until thread 1 has waited for SECONDS of its own CPU time (or of wall time). A line
 * on stderr for each construct says how long that was: the function that waits, and the seconds. The
 * last one is about thread 1 outside of regions.
 */
#include <pthread.h>
#include <string.h>

#include "../work.h"

static clockid_t waiter_clock;
static double need;
static volatile int is_held;
static volatile double began, ended; /* of the wait; 0: not yet */
static double outside, outside_since;
static omp_lock_t lock;
static omp_nest_lock_t nest_lock;

static NOINLINE void begin_wait(void)
{
	began = work_clock(waiter_clock);
}

static NOINLINE void end_wait(void)
{
	ended = work_clock(waiter_clock);
}

/* What all wait for: ends when thread 1 has waited long enough. */
static NOINLINE void hold_kernel(void)
{
	uint64_t x = 88172645463325252u;
	double limit = work_clock(CLOCK_MONOTONIC) + 30; /* a thread that sleeps uses no CPU time */

	is_held = 1;
	while ((began == 0 || work_clock(waiter_clock) - began < need) &&
		work_clock(CLOCK_MONOTONIC) < limit)
		CHURN(x, 2000);
	work_sink = x;
}

/* Thread 1 goes on when thread 0 holds what it will wait for. */
static NOINLINE void await_kernel(void)
{
	uint64_t x = 88172645463325252u;

	while (!is_held)
		CHURN(x, 2000);
	work_sink = x;
}

static NOINLINE void enter_critical(int thread)
{
	if (thread == 1) {
		await_kernel();
		begin_wait();
	}
#pragma omp critical(door)
	{
		if (thread == 1)
			end_wait();
		else
			hold_kernel();
	}
}

static NOINLINE void enter_hinted(int thread)
{
	if (thread == 1) {
		await_kernel();
		begin_wait();
	}
#pragma omp critical(side_door) hint(omp_sync_hint_uncontended)
	{
		if (thread == 1)
			end_wait();
		else
			hold_kernel();
	}
}

static NOINLINE void set_lock(int thread)
{
	if (thread == 1) {
		await_kernel();
		begin_wait();
		omp_set_lock(&lock);
		end_wait();
	} else {
		omp_set_lock(&lock);
		hold_kernel();
	}
	omp_unset_lock(&lock);
}

static NOINLINE void set_nest_lock(int thread)
{
	if (thread == 1) {
		await_kernel();
		begin_wait();
		omp_set_nest_lock(&nest_lock);
		end_wait();
	} else {
		omp_set_nest_lock(&nest_lock);
		hold_kernel();
	}
	omp_unset_nest_lock(&nest_lock);
}

static NOINLINE void take_turns(int thread)
{
#pragma omp for ordered schedule(static, 1) nowait
	for (int i = 0; i < 2; i++) {
		if (i == 1) {
			await_kernel();
			begin_wait();
		}
#pragma omp ordered
		{
			if (i == 1)
				end_wait();
			else
				hold_kernel();
		}
	}
}

static NOINLINE void meet(int thread)
{
	if (thread == 1) {
		await_kernel();
		begin_wait();
	} else {
		hold_kernel();
	}
#pragma omp barrier
	if (thread == 1)
		end_wait();
}

static NOINLINE void share_single(int thread)
{
	if (thread == 1) {
		await_kernel();
		begin_wait();
	}
#pragma omp single
	hold_kernel();
	if (thread == 1)
		end_wait();
}

static NOINLINE void share_sections(int thread)
{
	static int n_done;

	if (thread == 1) {
		await_kernel();
		begin_wait();
	}
#pragma omp sections
	{
#pragma omp section
		hold_kernel();
#pragma omp section
		n_done++;
	}
	if (thread == 1)
		end_wait();
}

static NOINLINE void share_loop(int thread)
{
#pragma omp for schedule(static, 1)
	for (int i = 0; i < 2; i++) {
		if (i == 1) {
			await_kernel();
			begin_wait();
		} else {
			hold_kernel();
		}
	}
	if (thread == 1)
		end_wait();
}

/* Thread 0, in the closing barrier of the region, executes the task. */
static NOINLINE void wait_for_child(int thread)
{
	if (thread == 0)
		return;
#pragma omp task
	hold_kernel();
	await_kernel();
	begin_wait();
#pragma omp taskwait
	end_wait();
}

static NOINLINE void wait_for_group(int thread)
{
	if (thread == 0)
		return;
#pragma omp taskgroup
	{
#pragma omp task
		hold_kernel();
		await_kernel();
		begin_wait();
	}
	end_wait();
}

static void before_region(void)
{
	outside += work_clock(waiter_clock) - outside_since;
	began = ended = 0;
	is_held = 0;
}

static void after_region(const char *name)
{
	outside_since = work_clock(waiter_clock);
	fprintf(stderr, "%s %.6f\n", name, (ended > 0 ? ended : outside_since) - began);
}

static NOINLINE void run_region(const char *name, void (*body)(int thread))
{
	before_region();
#pragma omp parallel num_threads(2)
	{
		body(omp_get_thread_num());
		__asm__ volatile(""); /* no tail call: the region's own frame stays */
	}
	after_region(name);
}

/* Its closing barrier is what thread 1 waits in. */
static NOINLINE void run_uneven(void)
{
	before_region();
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1) {
			await_kernel();
			begin_wait();
		} else {
			hold_kernel();
		}
	}
	after_region("run_uneven");
}

static void find_clock(int is_wall)
{
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1)
			pthread_getcpuclockid(pthread_self(), &waiter_clock);
	}
	if (is_wall)
		waiter_clock = CLOCK_MONOTONIC;
	outside_since = work_clock(waiter_clock);
}

int main(int argc, char **argv)
{
	need = argc > 1 ? atof(argv[1]) : 0.1;
	work_start(0, argv, 1);
	omp_init_lock(&lock);
	omp_init_nest_lock(&nest_lock);
	find_clock(argc > 2 && !strcmp(argv[2], "wall"));
	run_region("enter_critical", enter_critical);
	run_region("enter_hinted", enter_hinted);
	run_region("set_lock", set_lock);
	run_region("set_nest_lock", set_nest_lock);
	run_region("take_turns", take_turns);
	run_region("meet", meet);
	run_region("share_single", share_single);
	run_region("share_sections", share_sections);
	run_region("share_loop", share_loop);
	run_uneven();
	run_region("wait_for_child", wait_for_child);
	run_region("wait_for_group", wait_for_group);
	began = outside_since;
	hold_kernel();
	before_region();
	fprintf(stderr, "outside %.6f\n", outside);
	return work_finish("waits", 0, 0);
}
