/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work by CPU time, the same on a quiet and on a busy machine. A round has serial code (2 ms), even
 * work (8 ms), and work that thread 0 alone has (8 ms). So two threads' 36 ms have 26 ms of useful
 * work, 8 ms of imbalance, and 2 ms in which one thread waits for serial code.
 *
 * contention ROUNDS HOW: at the end prints the seconds that all threads were in the run queue, as
 * the kernel counts. Then it ends, or with HOW "killed" kills itself.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <omp.h>

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void work(double ms)
{
	double end = cpu_s() + 1e-3 * ms;
	volatile double x = 1;

	while (cpu_s() < end)
		for (int i = 0; i < 1000; i++)
			x = x * 1.0000001 + 1e-9;
}

__attribute__((noinline)) static void prepare(void)
{
	work(2);
}

__attribute__((noinline)) static void even(void)
{
	work(8);
}

__attribute__((noinline)) static void uneven(void)
{
	if (omp_get_thread_num() == 0)
		work(8);
}

static double queued_s(void)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *entry;
	char path[300];
	double sum_s = 0;

	while (tasks && (entry = readdir(tasks))) {
		double ran = 0, queued = 0;
		FILE *file;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%s/schedstat", entry->d_name);
		file = fopen(path, "r");
		if (file && fscanf(file, "%lf %lf", &ran, &queued) == 2)
			sum_s += 1e-9 * queued;
		if (file)
			fclose(file);
	}
	return sum_s;
}

int main(int argc, char **argv)
{
	double before_s = queued_s();

	for (int i = 0; i < atoi(argv[1]); i++) {
		prepare();
#pragma omp parallel
		{
			even();
			uneven();
		}
	}
	printf("%.6f\n", queued_s() - before_s);
	fflush(stdout);
	if (argc > 2 && strcmp(argv[2], "killed") == 0)
		raise(SIGKILL);
	return 0;
}
