/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exits HOW [FACTOR]: works in a region and then ends by `exit` (status 7), `_exit` (status 3),
 * `abort`, `kill` (SIGKILL to itself) or `exec` (of true, status 0). Each way must look the same under
 * the profiler, and each leaves a profile with before_kernel in it.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "../work.h"

static NOINLINE void before_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "exit";
	long unit = work_start(argc, argv, 2);

#pragma omp parallel
	before_kernel(150 * unit);
	printf("exits: %s\n", how);
	fflush(stdout);
	if (!strcmp(how, "exit"))
		exit(7);
	if (!strcmp(how, "_exit"))
		_exit(3);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(how, "exec"))
		execlp("true", "true", (char *)NULL);
	return 1;
}
