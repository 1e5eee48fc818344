/* SPDX-License-Identifier: Apache-2.0 */
/* Signals that are passed on to the program; see run_signals.h. */
#include "src/run/run_signals.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The signals that do not end a process by default. */
static const int left_alone[] = { SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG,
	SIGWINCH };

/* The signals that the kernel sends a process for its own fault. */
static const int faults[] = { SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGSYS };

static const int from_terminal[] = { SIGINT, SIGQUIT };

#define IS_AMONG(number, list) is_among(number, list, sizeof(list) / sizeof((list)[0]))

static struct {
	volatile sig_atomic_t child; /* gets the signals; 0: nobody does */
	volatile sig_atomic_t view;
	volatile sig_atomic_t is_interrupted;
	struct sigaction previous[NSIG];
	sigset_t taken;
	sigset_t mask; /* before run_signals_take */
} state;

static int is_among(int number, const int *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (list[i] == number)
			return 1;
	}
	return 0;
}

/* Whether a process sent the signal: info->si_pid. */
static int has_sender(const siginfo_t *info)
{
	return info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL;
}

/*
 * Whether the program got the signal, too. When the terminal goes away, the kernel sends SIGHUP to
 * the session leader alone, and to the group only when the leader has ended.
 */
static int is_the_groups(int number, const siginfo_t *info)
{
	if (!has_sender(info))
		return IS_AMONG(number, from_terminal) ||
		       (number == SIGHUP && getsid(0) != getpid());
	return info->si_pid == state.child || (state.view && info->si_pid == state.view);
}

static void pass_on(int number, siginfo_t *info, void *context)
{
	int saved = errno;
	pid_t child = (pid_t)state.child;

	(void)context;
	if (info->si_code > 0 && IS_AMONG(number, faults)) {
		/* The signal ends this process when the handler returns. */
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	if (has_sender(info) && info->si_pid == getpid())
		return;
	if (IS_AMONG(number, from_terminal) || child <= 0)
		state.is_interrupted = 1;
	/* A queued signal keeps value and sender; the kernel refuses other signals. */
	if (child > 0 && !is_the_groups(number, info) &&
		syscall(SYS_rt_sigqueueinfo, child, number, info) != 0)
		kill(child, number);
	errno = saved;
}

void run_signals_take(void)
{
	struct sigaction pass = { .sa_sigaction = pass_on, .sa_flags = SA_RESTART | SA_SIGINFO };
	struct sigaction as_usual = { .sa_handler = SIG_DFL };

	sigfillset(&pass.sa_mask);
	sigprocmask(SIG_BLOCK, &pass.sa_mask, &state.mask);
	state.child = state.view = state.is_interrupted = 0;
	sigemptyset(&state.taken);
	/* If SIGCHLD were ignored, the child's status would be lost. */
	sigaction(SIGCHLD, &as_usual, &state.previous[SIGCHLD]);
	for (int number = 1; number < NSIG; number++) {
		if (!IS_AMONG(number, left_alone) &&
			sigaction(number, &pass, &state.previous[number]) == 0)
			sigaddset(&state.taken, number);
	}
}

void run_signals_give_back(void)
{
	sigaction(SIGCHLD, &state.previous[SIGCHLD], NULL);
	for (int number = 1; number < NSIG; number++) {
		if (sigismember(&state.taken, number) == 1)
			sigaction(number, &state.previous[number], NULL);
	}
	sigprocmask(SIG_SETMASK, &state.mask, NULL);
}

void run_signals_begin(pid_t child)
{
	state.child = child > 0 ? child : 0;
	sigprocmask(SIG_SETMASK, &state.mask, NULL);
	/* The program may wait for signals that it inherits as blocked. */
	sigprocmask(SIG_UNBLOCK, &state.taken, NULL);
}

void run_signals_end(void)
{
	state.child = 0;
}

void run_signals_set_view(pid_t view)
{
	state.view = view;
}

int run_signals_were_interrupting(void)
{
	return state.is_interrupted;
}
