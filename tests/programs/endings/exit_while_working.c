/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exit_while_working HOW: ends while other threads work on: `region`, thread 1 calls exit in a region; `thread`,
 * the main thread returns while a thread of the program's own computes; `pthread`, the main thread
 * ends by pthread_exit and that thread goes on, works in a region, and ends the process. Status 6.
 * Flags: -pthread
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "../work.h"

static long unit;

static NOINLINE void busy_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static void in_region(void)
{
#pragma omp parallel num_threads(2)
	{
		busy_kernel(50 * unit);
		if (omp_get_thread_num() == 1) {
			printf("exit_while_working: now\n");
			exit(6);
		}
		for (;;)
			busy_kernel(unit);
	}
}

static void *endless(void *unused)
{
	for (;;)
		busy_kernel(unit);
	return unused;
}

static void *finish(void *unused)
{
	busy_kernel(50 * unit);
#pragma omp parallel num_threads(2)
	busy_kernel(50 * unit);
	printf("exit_while_working: now\n");
	exit(6);
	return unused;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "thread";
	pthread_t thread;

	unit = work_start(argc, argv, 2);
	if (!strcmp(how, "region"))
		in_region();
	pthread_create(&thread, NULL, strcmp(how, "pthread") ? endless : finish, NULL);
	if (!strcmp(how, "pthread"))
		pthread_exit(NULL);
#pragma omp parallel num_threads(2)
	busy_kernel(50 * unit);
	printf("exit_while_working: now\n");
	return 6;
}
