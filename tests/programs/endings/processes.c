/* SPDX-License-Identifier: Apache-2.0 */
/*
 * processes HOW [FACTOR]: the ways in which a program makes others. What the first one works at is
 * first_kernel, before it makes the other; the other's is other_kernel.
 *  work    no other: other_kernel alone
 *  spawn   posix_spawn of itself as `work`
 *  vfork   vfork, then exec of itself as `work`
 *  vexit   vfork, then _exit
 *  quiet   fork; the child works, but never uses OpenMP
 *  chain   exec of itself as `work`
 *  daemon  fork, setsid, fork: the grandchild works after its parents have ended
 */
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../work.h"

extern char **environ;

static NOINLINE void first_kernel(long steps)
{
	uint64_t x = 88172645463325252u;

	CHURN(x, steps);
	work_sink = x;
}

static NOINLINE void other_kernel(long steps)
{
	uint64_t x = 88172645463325253u;

	CHURN(x, steps);
	work_sink = x;
}

static void other_work(long unit)
{
#pragma omp parallel
	other_kernel(100 * unit);
}

static int status_of(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int spawn(char **args)
{
	pid_t pid;

	return posix_spawn(&pid, args[0], NULL, NULL, args, environ) ? -1 : status_of(pid);
}

static int make_child(const char *how, char **args)
{
	pid_t pid = vfork();

	if (pid == 0) {
		if (how[1] == 'e')
			_exit(0);
		execv(args[0], args);
		_exit(9);
	}
	return status_of(pid);
}

static int work_quietly(long unit)
{
	pid_t pid = fork();

	if (pid == 0) {
		other_kernel(100 * unit);
		exit(0);
	}
	return status_of(pid);
}

/* Ends the first two processes; the third goes on. */
static void become_daemon(void)
{
	if (fork() != 0)
		_exit(0);
	setsid();
	if (fork() != 0)
		_exit(0);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "work";
	long unit = work_start(argc, argv, 2);
	char *args[] = { argv[0], "work", argc > 2 ? argv[2] : "1", NULL };
	int status = 0;

	if (strcmp(how, "daemon") == 0) {
		printf("processes: 0\n");
		fflush(stdout);
		become_daemon();
		other_work(unit);
		return 0;
	}
	if (strcmp(how, "spawn") != 0 && how[0] != 'v' && how[0] != 'q' && how[0] != 'c') {
		other_work(unit);
		return 0;
	}
#pragma omp parallel
	first_kernel(100 * unit);
	if (how[0] == 'c')
		execv(args[0], args);
	else
		status = how[0] == 's'   ? spawn(args)
			 : how[0] == 'v' ? make_child(how, args)
					 : work_quietly(unit);
	return work_finish("processes", status, 0);
}
