/* SPDX-License-Identifier: Apache-2.0 */
/* The profiled program as a child; see run.h. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/run.h"

/* Signals that the terminal sends to the whole group, and such that are sent to one process. */
static const int left_to_child[] = { SIGINT, SIGQUIT };
static const int passed_on[] = { SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 };

enum { N_LEFT = 2, N_PASSED = 4 };

static volatile sig_atomic_t child_pid, is_interrupted;

/* They are the program's alone; that they came may end what runs it again and again. */
static void note(int signal)
{
	(void)signal;
	is_interrupted = 1;
}

static void pass_on(int signal)
{
	int saved = errno;

	if (child_pid > 0)
		kill((pid_t)child_pid, signal);
	errno = saved;
}

struct dispositions {
	struct sigaction child; /* SIGCHLD: ignored, the child's status would be lost */
	struct sigaction left[N_LEFT];
	struct sigaction passed[N_PASSED];
};

static void take_signals(struct dispositions *previous)
{
	struct sigaction leave = { .sa_handler = note, .sa_flags = SA_RESTART };
	struct sigaction pass = { .sa_handler = pass_on, .sa_flags = SA_RESTART };
	struct sigaction as_usual = { .sa_handler = SIG_DFL };

	sigaction(SIGCHLD, &as_usual, &previous->child);
	for (int i = 0; i < N_LEFT; i++)
		sigaction(left_to_child[i], &leave, &previous->left[i]);
	for (int i = 0; i < N_PASSED; i++) {
		sigaction(passed_on[i], NULL, &previous->passed[i]);
		if (previous->passed[i].sa_handler != SIG_IGN)
			sigaction(passed_on[i], &pass, NULL);
	}
}

static void give_signals_back(const struct dispositions *previous)
{
	sigaction(SIGCHLD, &previous->child, NULL);
	for (int i = 0; i < N_LEFT; i++)
		sigaction(left_to_child[i], &previous->left[i], NULL);
	for (int i = 0; i < N_PASSED; i++)
		sigaction(passed_on[i], &previous->passed[i], NULL);
}

/* In the child: becomes the program, or tells why not in *error, which the two processes share. */
static void execute(
	char **argv, const struct dispositions *previous, const sigset_t *mask, int *error)
{
	give_signals_back(previous);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], argv);
	*error = errno;
	_exit(RUN_FAILED);
}

/* Waits until the child has ended; only then its pid can be another's, so it is forgotten before. */
static int await(pid_t pid)
{
	siginfo_t info;
	int status = 0;

	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR)
		;
	child_pid = 0;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

void run_child(char **argv, const struct run_care *care, struct run_end *end)
{
	struct dispositions previous;
	sigset_t all, mask;
	int *error;
	pid_t pid;

	*end = (struct run_end){ 0 };
	is_interrupted = 0;
	/* No pipe: where descriptors are few they are the program's. */
	error = mmap(
		NULL, sizeof(*error), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (error == MAP_FAILED) {
		end->error = errno;
		return;
	}
	/* No signal gets lost between the fork and the moment in which child_pid is known. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	take_signals(&previous);
	pid = fork();
	if (pid == 0) {
		care->prepare(care->data);
		execute(argv, &previous, &mask, error);
	}
	end->error = pid < 0 ? errno : 0;
	child_pid = pid;
	sigprocmask(SIG_SETMASK, &mask, NULL);
	if (pid > 0 && care->watch)
		care->watch(care->data, pid);
	if (pid > 0) {
		end->status = await(pid);
		end->error = *error;
	}
	munmap(error, sizeof(*error));
	child_pid = 0;
	give_signals_back(&previous);
	end->is_interrupted = is_interrupted;
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

	if (!WIFSIGNALED(end->status))
		return WEXITSTATUS(end->status);
	/* The program has left its own core file if there was to be one. */
	setrlimit(RLIMIT_CORE, &no_core);
	signal_number = WTERMSIG(end->status);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
	return 128 + signal_number;
}
