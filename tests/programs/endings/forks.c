/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forks [WORK] [before|after|many]: forks before the first construct of OpenMP, after it, or after a
 * region of 40 threads; parent and child then work in regions of 3 threads: parent_kernel is only in
 * the parent's profile, child_kernel only in the child's, equally on all threads.
 */
#include <string.h>
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
	uint64_t x = 88172645463325253u;

	CHURN(x, steps);
	work_sink = x;
}

int main(int argc, char **argv)
{
	const char *order = argc > 2 ? argv[2] : "after";
	long unit = work_start(argc, argv, 1);
	int status = -1;

	if (strcmp(order, "before") != 0) {
#pragma omp parallel num_threads(strcmp(order, "many") == 0 ? 40 : 3)
		parent_kernel(unit);
	}
	pid_t child = fork();

	if (child == 0) {
		for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(3)
			child_kernel(40 * unit);
		}
		exit(5);
	}
	for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(3)
		parent_kernel(40 * unit);
	}
	waitpid(child, &status, 0);
	return work_finish("forks", WIFEXITED(status) ? WEXITSTATUS(status) : -1, 5);
}
