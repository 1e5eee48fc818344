/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Works in a region, forks, and parent and child each work in a region of their own: parent_kernel
 * is only in the parent's profile, child_kernel only in the child's.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "../work.h"

static NOINLINE void parent_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void child_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

int main(int argc, char **argv)
{
	long unit = work_start(argc, argv, 1);
	int status = -1;

#pragma omp parallel
	parent_kernel(100 * unit);
	pid_t child = fork();

	if (child == 0) {
#pragma omp parallel
		child_kernel(200 * unit);
		exit(5);
	}
#pragma omp parallel
	parent_kernel(100 * unit);
	waitpid(child, &status, 0);
	return work_finish("fork", WIFEXITED(status) ? WEXITSTATUS(status) : -1, 5);
}
