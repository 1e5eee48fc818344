/* SPDX-License-Identifier: Apache-2.0 */
/* The profiled program as a child; see run.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/run/run.h"
#include "src/run/run_signals.h"
#include "src/text/signal_name.h"

/* In the child: executes the program, or sets *error, which both processes share. */
static void execute(char **argv, int *error)
{
	run_signals_give_back();
	execvp(argv[0], argv);
	*error = errno;
	_exit(RUN_FAILED);
}

/* Waits for the child. Stops passing signals before it is reaped: its pid may be reused then. */
static int await(pid_t pid)
{
	siginfo_t info;
	int status = 0;

	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
		;
	run_signals_end();
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* Starts the child. Returns as fork(). *error is shared with the child. */
static pid_t start(char **argv, const struct run_care *care, int *error)
{
	pid_t pid = fork();

	if (pid == 0) {
		care->prepare(care->data);
		execute(argv, error);
	}
	return pid;
}

void run_child(char **argv, const struct run_care *care, struct run_end *end)
{
	int *error;
	pid_t pid;

	*end = (struct run_end){ 0 };
	/* Shared memory instead of a pipe: if descriptors are scarce, the program needs them. */
	error = mmap(
		NULL, sizeof(*error), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (error == MAP_FAILED) {
		end->error = errno;
		return;
	}
	/* Signals are blocked, so that none is lost before the child's pid is stored. */
	run_signals_take();
	pid = start(argv, care, error);
	end->error = pid < 0 ? errno : 0;
	run_signals_begin(pid);
	if (pid > 0 && care->watch)
		care->watch(care->data, pid);
	if (pid > 0) {
		end->status = await(pid);
		end->error = *error;
	}
	munmap(error, sizeof(*error));
	run_signals_give_back();
	end->is_interrupted = run_signals_were_interrupting();
}

void run_rewind_input(off_t at)
{
	int null = -1;

	if (at < 0 || lseek(STDIN_FILENO, at, SEEK_SET) < 0)
		null = open("/dev/null", O_RDONLY);
	if (null > STDIN_FILENO) {
		dup2(null, STDIN_FILENO);
		close(null);
	}
}

int run_end_is_good(const struct run_end *end)
{
	return !end->error && WIFEXITED(end->status) && WEXITSTATUS(end->status) == 0 &&
	       !end->is_interrupted;
}

const char *run_end_describe(char text[RUN_END_BYTES], const struct run_end *end)
{
	const char *name = WIFSIGNALED(end->status) ? signal_name(WTERMSIG(end->status)) : NULL;

	if (end->error)
		snprintf(text, RUN_END_BYTES, "could not be run");
	else if (name)
		snprintf(text, RUN_END_BYTES, "was killed by SIG%s", name);
	else if (WIFSIGNALED(end->status))
		snprintf(text, RUN_END_BYTES, "was killed by signal %d", WTERMSIG(end->status));
	else if (WEXITSTATUS(end->status))
		snprintf(text, RUN_END_BYTES, "ended with status %d", WEXITSTATUS(end->status));
	else
		snprintf(text, RUN_END_BYTES, "%s",
			end->is_interrupted ? "was interrupted" : "wrote no profile");
	return text;
}

int run_status_of_error(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return RUN_NOT_FOUND;
	case EACCES:
	case ENOEXEC:
	case EISDIR:
	case EPERM:
		return RUN_NOT_EXECUTABLE;
	default:
		return RUN_FAILED;
	}
}

int run_end_like(const struct run_end *end)
{
	struct rlimit no_core = { 0, 0 };
	int signal_number;
	sigset_t set;

	if (!WIFSIGNALED(end->status))
		return WEXITSTATUS(end->status);
	/* The program has written its own core file, if one was wanted. */
	setrlimit(RLIMIT_CORE, &no_core);
	signal_number = WTERMSIG(end->status);
	signal(signal_number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, signal_number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(signal_number);
	return 128 + signal_number;
}
