/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faulty MODE: a program whose fault the soak's judge must find, and say whose it is. Under the profiler OMPPROF_PID
 * is set.
 *   good                  none
 *   hangs, hangs-profiled  in both ways, or under the profiler
 *   status, signal, output, speaks  its status, the way it ends, what it prints and what it says on stderr are
 *                         others under the profiler
 *   unsteady FILE         its output is another each time, as FILE has grown
 *   stale                 it says under the profiler what libomp says of another's file in /dev/shm
 *   alone                 it says something without the profiler
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Long enough for a few samples. */
static void work(void)
{
	while (clock() < CLOCKS_PER_SEC / 50)
		continue;
}

/* How often this was called with the file. */
static int turn(const char *name)
{
	FILE *file = fopen(name, "a");
	int n;

	if (!file)
		return 0;
	fputc('x', file);
	n = (int)ftell(file);
	fclose(file);
	return n;
}

int main(int argc, char **argv)
{
	int is_profiled = getenv("OMPPROF_PID") != NULL;
	const char *mode = argc > 1 ? argv[1] : "good";

	work();
	if (strcmp(mode, "hangs") == 0 || (strcmp(mode, "hangs-profiled") == 0 && is_profiled))
		pause();
	if (strcmp(mode, "unsteady") == 0 && argc > 2)
		printf("%d\n", turn(argv[2]));
	if (strcmp(mode, "alone") == 0 && !is_profiled)
		fputs("alone\n", stderr);
	if (is_profiled && strcmp(mode, "signal") == 0)
		raise(SIGSEGV);
	if (is_profiled && strcmp(mode, "output") == 0)
		puts("more");
	if (is_profiled && strcmp(mode, "stale") == 0)
		fputs("OMP: found unknown library already initialized.\n", stderr);
	if (is_profiled && strcmp(mode, "speaks") == 0)
		fputs("speaks\n", stderr);
	puts("done");
	return is_profiled && strcmp(mode, "status") == 0 ? 3 : 4;
}
