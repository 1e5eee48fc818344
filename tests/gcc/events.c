/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constructs whose events tests/gcc/events.sh compares with events.txt. `events CASE` executes one,
 * on one thread where nothing else is said. Without a case it prints their names.
 */
#include <malloc.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile int sink;

static void regions(void)
{
#pragma omp parallel num_threads(1)
	{
		sink++;
#pragma omp barrier
	}
}

static void mutexes(void)
{
	omp_lock_t lock;
	omp_nest_lock_t nest;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(1)
	{
#pragma omp critical
		sink++;
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
		if (omp_test_lock(&lock))
			omp_unset_lock(&lock);
		omp_set_nest_lock(&nest);
		omp_set_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
	}
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest);
}

static void ordered(void)
{
#pragma omp parallel for ordered schedule(static, 1) num_threads(1)
	for (int i = 0; i < 2; i++) {
#pragma omp ordered
		sink++;
	}
}

static void doacross(void)
{
#pragma omp parallel for ordered(2) schedule(static) num_threads(1)
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
			sink++;
#pragma omp ordered depend(source)
		}
}

/* Of two threads, of which the second waits for the first. */
static void doacross_ull(void)
{
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(2)
	for (unsigned long long i = 4; i < 6; i++) {
#pragma omp ordered depend(sink : i - 1)
		sink++;
#pragma omp ordered depend(source)
	}
}

/* More dimensions than registers: the waits are not told. */
static void doacross_9(void)
{
	int n = 0;

#pragma omp parallel for ordered(9) num_threads(2) schedule(static, 1)
	for (int a = 0; a < 4; a++)
		for (int b = 0; b < 1; b++)
			for (int c = 0; c < 1; c++)
				for (int d = 0; d < 1; d++)
					for (int e = 0; e < 1; e++)
						for (int f = 0; f < 1; f++)
							for (int g = 0; g < 1; g++)
								for (int h = 0; h < 1; h++)
									for (int i = 0; i < 2;
										i++) {
#pragma omp ordered depend(sink : a - 1, b, c, d, e, f, g, h, i)
#pragma omp atomic
										n += a + i;
#pragma omp ordered depend(source)
									}
	printf("%d\n", n);
}

static void tasks(void)
{
	int x = 0, y = 0;

#pragma omp parallel num_threads(1)
	{
#pragma omp task depend(out : x) depend(in : y)
		sink++;
#pragma omp task if (0)
		sink++;
#pragma omp taskwait
	}
}

static void depobj(void)
{
	int x = 0, y = 0;
	omp_depend_t object;

#pragma omp depobj(object) depend(mutexinoutset : x)
#pragma omp parallel num_threads(1)
	{
#pragma omp task depend(depobj : object) depend(in : y)
		sink++;
	}
#pragma omp depobj(object) destroy
}

/* The second thread executes the task in the closing barrier. */
static void late(void)
{
	omp_event_handle_t event;
	volatile int is_executed = 0;

#pragma omp parallel num_threads(2) shared(is_executed)
	if (omp_get_thread_num() == 0) {
#pragma omp task detach(event) shared(is_executed)
		is_executed = 1;
		while (!is_executed)
			usleep(1000);
		usleep(10000);
		omp_fulfill_event(event);
	}
}

static void early(void)
{
	omp_event_handle_t event;

#pragma omp parallel num_threads(1)
	{
#pragma omp task detach(event)
		omp_fulfill_event(event);
#pragma omp taskwait
	}
}

static void target(void)
{
	int x[4] = { 0 };

#pragma omp target map(tofrom : x)
	x[0] = 1;
#pragma omp target data map(tofrom : x)
	{
#pragma omp target update to(x)
	}
#pragma omp target enter data map(to : x)
#pragma omp target exit data map(from : x)
	printf("%d\n", x[0]);
}

static void league(void)
{
	int n = 0;

#pragma omp target teams num_teams(2) thread_limit(1) map(tofrom : n)
	{
#pragma omp parallel num_threads(1)
		n++;
	}
	printf("%d\n", n);
}

static void teams(void)
{
#pragma omp teams num_teams(2)
	sink++;
}

/* A weak reference, for libgomp does not have the routine. */
extern int omp_control_tool(int command, int modifier, void *arg) __attribute__((weak));

static void control(void)
{
#pragma omp parallel num_threads(1)
	sink++;
	printf("%d\n", omp_control_tool ? omp_control_tool(64, 3, NULL) : -100);
}

static void loops(void)
{
#pragma omp parallel num_threads(1)
	{
#pragma omp for schedule(dynamic, 2)
		for (int i = 0; i < 5; i++)
			sink++;
#pragma omp for schedule(guided) nowait
		for (unsigned long i = 10; i > 4; i -= 2)
			sink++;
	}
#pragma omp parallel for schedule(dynamic, 3) num_threads(1)
	for (int i = 0; i < 4; i++)
		sink++;
}

static void sections(void)
{
#pragma omp parallel num_threads(1)
	{
#pragma omp sections
		{ sink++;
#pragma omp section
	sink++;
}
}
#pragma omp parallel sections num_threads(1)
{
	sink++;
#pragma omp section
	sink++;
}
}

static void single(void)
{
#pragma omp parallel num_threads(1)
	{
#pragma omp single
		sink++;
#pragma omp single nowait
		sink++;
	}
}

static void taskloop(void)
{
#pragma omp parallel num_threads(1)
	{
#pragma omp taskloop num_tasks(2)
		for (int i = 0; i < 4; i++)
			sink++;
	}
}

static void reduction(void)
{
	int n = 0;

#pragma omp parallel num_threads(1)
	{
#pragma omp for reduction(task, + : n) schedule(dynamic)
		for (int i = 0; i < 2; i++) {
#pragma omp task in_reduction(+ : n)
			n += i + 1;
		}
	}
	printf("%d\n", n);
}

static void cancel(void)
{
#pragma omp parallel num_threads(1)
	{
#pragma omp cancel parallel
		sink++;
	}
}

/* The first of the team's tasks is executed, and cancels the others. */
static void discard_tasks(int n)
{
#pragma omp parallel num_threads(1)
#pragma omp taskgroup
	for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
		{
			sink += i + 1;
#pragma omp cancel taskgroup
		}
	}
}

static void discard(void)
{
	discard_tasks(3);
	printf("%d\n", sink);
}

/* Discarded tasks keep no memory. */
static void memory(void)
{
	size_t before;

	discard_tasks(100);
	before = mallinfo2().uordblks;
	for (int i = 0; i < 100; i++)
		discard_tasks(100);
	puts(mallinfo2().uordblks < before + 100000 ? "freed" : "lost");
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
#define CASE(name) { #name, name },
	CASE(regions) CASE(mutexes) CASE(ordered) CASE(doacross) CASE(doacross_ull) CASE(doacross_9)
		CASE(tasks) CASE(depobj) CASE(late) CASE(early) CASE(target) CASE(league) CASE(
			teams) CASE(control) CASE(loops) CASE(sections) CASE(single) CASE(taskloop)
			CASE(reduction) CASE(cancel) CASE(discard) CASE(memory)
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (argc == 1)
			printf("%s\n", cases[i].name);
		else if (strcmp(argv[1], cases[i].name) == 0)
			cases[i].run();
	}
	return 0;
}
