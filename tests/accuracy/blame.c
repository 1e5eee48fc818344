/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blame CASE [FACTOR]: threads make others wait, for two or three causes in known parts. Prints who
 * waited for whom how long (truth.h).
 */
#include "truth.h"

static double factor = 1;
static omp_lock_t lock;
static volatile int n_made, n_begun; /* tasks */
static volatile int n_done;          /* by the bystander */

BURNER(first_kernel)
BURNER(second_kernel)
BURNER(third_kernel)
BURNER(quick_kernel)
BURNER(bystander_kernel)

static void meet(void)
{
	struct truth_now was = truth_enter(TRUTH_BARRIER);
#pragma omp barrier
	truth_back(was);
}

/* Thread 0 delays thread 1 by one function for 70 % of the time, by another for 30 %. */
static void delay_at_barrier(int thread, int round)
{
	(void)round;
	if (thread == 0) {
		first_kernel(0.037 * factor);
		second_kernel(0.015 * factor);
	} else {
		quick_kernel(0.002 * factor);
	}
	meet();
}

/* Thread 0 delays in the first phase, thread 1 in the second, nobody in the third. */
static void go_through_phases(int thread, int round)
{
	(void)round;
	if (thread == 0)
		first_kernel(0.032 * factor);
	else
		quick_kernel(0.002 * factor);
	meet();
	if (thread == 1)
		second_kernel(0.022 * factor);
	else
		quick_kernel(0.002 * factor);
	meet();
	third_kernel(0.01 * factor);
	meet();
}

static void sleep_until_done(int round)
{
	while (n_done <= round)
		usleep(200);
}

/* The last of three threads always comes first; the others do not compete with it for CPUs. */
static void stand_by(int thread, int round)
{
	if (thread == 2) {
		bystander_kernel(0.003 * factor);
		n_done = round + 1;
	} else {
		sleep_until_done(round);
		if (thread == 0)
			first_kernel(0.04 * factor);
		else
			second_kernel(0.02 * factor);
	}
	meet();
}

static NOINLINE void hold_long(void)
{
	first_kernel(0.02 * factor);
	second_kernel(0.01 * factor);
	__asm__ volatile("");
}

static NOINLINE void hold_short(void)
{
	third_kernel(0.01 * factor);
	__asm__ volatile("");
}

/* Each thread waits for the other's hold: it comes as soon as that has begun. */
static void hold_lock(int thread, int round)
{
	struct truth_now was;

	(void)round;
	if (thread == 1)
		quick_kernel(0.001 * factor);
	for (int i = 0; i < 5; i++) {
		was = truth_enter(TRUTH_LOCK);
		omp_set_lock(&lock);
		truth_back(was);
		truth_hold(1);
		if (thread == 0)
			hold_long();
		else
			hold_short();
		truth_hold(0);
		omp_unset_lock(&lock);
		quick_kernel(0.002 * factor);
	}
	meet();
}

static void hold_critical(int thread, int round)
{
	struct truth_now was;

	(void)round;
	if (thread == 1)
		quick_kernel(0.001 * factor);
	for (int i = 0; i < 5; i++) {
		was = truth_enter(TRUTH_CRITICAL);
#pragma omp critical(door)
		{
			truth_back(was);
			truth_hold(1);
			if (thread == 0)
				hold_long();
			else
				hold_short();
			truth_hold(0);
		}
		quick_kernel(0.002 * factor);
	}
	meet();
}

static NOINLINE void await(const volatile int *n, int round)
{
	double limit = work_clock(CLOCK_MONOTONIC) + 0.2;

	while (*n <= round && work_clock(CLOCK_MONOTONIC) < limit)
		;
}

static NOINLINE void do_task(int round)
{
	n_begun = round + 1;
	if (round % 2)
		first_kernel(0.06 * factor);
	else
		second_kernel(0.04 * factor);
}

/* Creates a task that the other thread executes, and waits for it. */
static void make_task(int round)
{
	struct truth_now was;

#pragma omp task
	do_task(round);
	n_made = round + 1;
	await(&n_begun, round);
	was = truth_enter(TRUTH_TASKWAIT);
#pragma omp taskwait
	truth_back(was);
}

/* Thread 1 creates a task and waits; thread 0, in a barrier, executes it. */
static void wait_for_task(int thread, int round)
{
	if (thread == 0)
		await(&n_made, round);
	else
		make_task(round);
	meet();
}

/* The same, but it is a task of thread 1 that creates the other task and waits. */
static void wait_in_task(int thread, int round)
{
	if (thread == 0) {
		await(&n_made, round);
	} else {
#pragma omp task if (0)
		make_task(round);
	}
	meet();
}

/* The team that thread 0 makes delays the others of its own team. */
static void nest(int thread, int round)
{
	struct truth_now was = truth_me()->now;

	(void)round;
	if (thread == 0) {
		int team = truth_team();

#pragma omp parallel num_threads(2)
		{
			truth_join(team);
			if (omp_get_thread_num() == 0)
				first_kernel(0.04 * factor);
			else
				bystander_kernel(0.001 * factor);
			truth_close();
		}
		truth_end(team, was);
	} else {
		quick_kernel(0.002 * factor);
	}
	meet();
}

struct plan {
	const char *name;
	int n_threads;
	int n_rounds;
	void (*round)(int thread, int round);
};

static const struct plan plans[] = {
	{ "barrier", 2, 20, delay_at_barrier },
	{ "phases", 2, 15, go_through_phases },
	{ "bystander", 3, 20, stand_by },
	{ "lock", 2, 5, hold_lock },
	{ "critical", 2, 5, hold_critical },
	{ "taskwait", 2, 20, wait_for_task },
	{ "tasks_wait", 2, 20, wait_in_task },
	{ "nested", 2, 20, nest },
};

static void run_rounds(const struct plan *plan)
{
	struct truth_now was = truth_me()->now;
	int team = truth_team();

#pragma omp parallel num_threads(plan->n_threads)
	{
		truth_join(team);
		for (int i = 0; i < plan->n_rounds; i++)
			plan->round(omp_get_thread_num(), i);
		truth_close();
	}
	truth_end(team, was);
}

/* Between regions, one function runs for 60 % of the time, another for 40 %. */
static void run_serial(void)
{
	struct truth_now was = truth_me()->now;

	for (int i = 0; i < 20; i++) {
		int team = truth_team();

#pragma omp parallel num_threads(2)
		{
			truth_join(team);
			quick_kernel(0.001 * factor);
			truth_close();
		}
		truth_end(team, was);
		first_kernel(0.03 * factor);
		second_kernel(0.02 * factor);
	}
}

static int run(const char *name)
{
	if (!strcmp(name, "serial")) {
		run_serial();
		return 0;
	}
	for (size_t i = 0; i < sizeof(plans) / sizeof(*plans); i++) {
		if (!strcmp(name, plans[i].name)) {
			run_rounds(&plans[i]);
			return 0;
		}
	}
	return -1;
}

int main(int argc, char **argv)
{
	if (argc > 2)
		factor = atof(argv[2]);
	truth_me();
	omp_init_lock(&lock);
	omp_set_max_active_levels(2);
	if (argc < 2 || run(argv[1])) {
		fprintf(stderr, "usage: blame CASE [FACTOR]\n");
		return 2;
	}
	truth_print(argv[1]);
	return 0;
}
