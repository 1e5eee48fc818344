/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The routines omp_* one group after the other: each NAME prints what they return in the places where a program can
 * call them, also with odd arguments, the same on any runtime; without a NAME the names.
 */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

#include "cases.h"

static void levels(const char *where)
{
	printf("%s: thread %d of %d, level %d, active %d, in parallel %d\n", where,
		omp_get_thread_num(), omp_get_num_threads(), omp_get_level(),
		omp_get_active_level(), omp_in_parallel());
	for (int level = -1; level < 5; level++)
		printf(" %d/%d", omp_get_ancestor_thread_num(level), omp_get_team_size(level));
	printf("\n");
}

static void run_levels(void)
{
	levels("outside");
#pragma omp parallel num_threads(1)
	levels("a team of one");
#pragma omp parallel if (0)
	levels("if");
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp for ordered schedule(static, 1)
	for (int i = 0; i < 2; i++) {
#pragma omp ordered
		{
			levels("a team of two");
#pragma omp parallel num_threads(2)
#pragma omp for ordered schedule(static, 1)
			for (int k = 0; k < 2; k++) {
#pragma omp ordered
				{
					levels("inside");
#pragma omp parallel num_threads(2)
					levels("too deep");
				}
			}
		}
	}
	levels("after");
}

/* What a thread of a region sets holds for it alone, until the region ends. */
static void run_settings(void)
{
	static const int threads[] = { 3, 1, 0, -5, 2 };

	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		int n = 0;

		omp_set_num_threads(threads[i]);
#pragma omp parallel
#pragma omp master
		n = omp_get_num_threads();
		printf("set %d: most %d, team %d\n", threads[i], omp_get_max_threads(), n);
	}
	for (int dynamic = -1; dynamic < 3; dynamic++) {
		omp_set_dynamic(dynamic);
		printf("dynamic %d: %d\n", dynamic, omp_get_dynamic());
	}
	omp_set_dynamic(0);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 1) {
			omp_set_num_threads(9);
			omp_set_dynamic(1);
		}
#pragma omp barrier
#pragma omp for ordered schedule(static, 1)
		for (int i = 0; i < 2; i++) {
#pragma omp ordered
			printf("thread %d: %d %d\n", i, omp_get_max_threads(), omp_get_dynamic());
		}
	}
	printf("after: %d %d\n", omp_get_max_threads(), omp_get_dynamic());
}

static int inner_team(void)
{
	int n = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp parallel num_threads(2)
#pragma omp single
	n = omp_get_num_threads();
	return n;
}

static void run_nesting(void)
{
	printf("at first: %d %d\n", omp_get_nested(), inner_team());
	for (int nested = -1; nested < 3; nested++) {
		omp_set_nested(nested);
		printf("nested %d: %d %d\n", nested, omp_get_nested(), inner_team());
	}
	omp_set_nested(0);
	for (int levels = -1; levels < 4; levels++) {
		omp_set_max_active_levels(levels);
		printf("levels %d: %d %d\n", levels, omp_get_nested(), inner_team());
	}
}

static void run_defaults(void)
{
	printf("processors %d, most threads %d, limit %d\n", omp_get_num_procs(),
		omp_get_max_threads(), omp_get_thread_limit());
	printf("devices %d, default %d, initial %d, is initial %d\n", omp_get_num_devices(),
		omp_get_default_device(), omp_get_initial_device(), omp_is_initial_device());
	printf("cancellation %d, priority %d, teams %d, team %d\n", omp_get_cancellation(),
		omp_get_max_task_priority(), omp_get_num_teams(), omp_get_team_num());
#pragma omp parallel num_threads(2)
#pragma omp single
	printf("processors %d, limit %d, teams %d, team %d, final %d\n", omp_get_num_procs(),
		omp_get_thread_limit(), omp_get_num_teams(), omp_get_team_num(), omp_in_final());
}

static void run_final(void)
{
	printf("%d", omp_in_final());
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		printf(" %d", omp_in_final());
#pragma omp task final(1) if (0)
		printf(" %d", omp_in_final());
#pragma omp task final(0) if (0)
		printf(" %d", omp_in_final());
	}
	printf(" %d\n", omp_in_final());
}

static void run_time(void)
{
	double begin = omp_get_wtime(), last = begin, took;
	int is_back = 0;

	for (int i = 0; i < 1000; i++) {
		double now = omp_get_wtime();

		is_back |= now < last;
		last = now;
	}
	begin = omp_get_wtime();
	usleep(50000);
	took = omp_get_wtime() - begin;
	printf("%d %d %d\n", begin > 0, is_back, took >= 0.0499 && took < 10);
}

/* Locks side by side, with what is between them; set in one thread and unset in another one. */
static void run_locks(void)
{
	struct {
		int before;
		omp_lock_t lock;
		int after;
	} many[16];
	long sum = 0;

	memset(many, 0x5a, sizeof(many));
	for (int i = 0; i < 16; i++)
		omp_init_lock(&many[i].lock);
	printf("%d", omp_test_lock(&many[3].lock));
	printf("%d", omp_test_lock(&many[3].lock));
	omp_unset_lock(&many[3].lock);
#pragma omp parallel for num_threads(3)
	for (int i = 0; i < 3000; i++) {
		omp_set_lock(&many[i / 1000].lock);
		omp_set_lock(&many[15].lock);
		sum += i;
		omp_unset_lock(&many[15].lock);
		omp_unset_lock(&many[i / 1000].lock);
	}
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0)
			omp_set_lock(&many[0].lock);
#pragma omp barrier
		if (omp_get_thread_num() == 1) {
			printf("%d", omp_test_lock(&many[0].lock));
			omp_unset_lock(&many[0].lock);
			printf("%d", omp_test_lock(&many[0].lock));
			omp_unset_lock(&many[0].lock);
		}
	}
	for (int i = 0; i < 16; i++) {
		omp_destroy_lock(&many[i].lock);
		sum += many[i].before == 0x5a5a5a5a && many[i].after == 0x5a5a5a5a;
	}
	omp_init_lock(&many[1].lock);
	printf("%d %ld\n", omp_test_lock(&many[1].lock), sum);
}

static const struct gcc_case cases[] = {
	{ "levels", run_levels },
	{ "settings", run_settings },
	{ "nesting", run_nesting },
	{ "defaults", run_defaults },
	{ "final", run_final },
	{ "time", run_time },
	{ "locks", run_locks },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	return run_cases(cases, argc, argv);
}
