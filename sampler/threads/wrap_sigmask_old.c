/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls of X/Open and BSD that set a thread's mask, in front of the C library's. The C
 * library's own do not use its sigprocmask. Each function here does the same by sigmask_change; see
 * wrap_sigmask.h. sigpause is not among them: it waits and leaves the mask as it was.
 */
#include <signal.h>
#include <string.h>

#include "sampler/threads/wrap_sigmask.h"

/* The C library's headers warn whoever uses these functions. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define FOR_PROGRAMS __attribute__((visibility("default")))

static int change_one(int how, int signal, sigset_t *old)
{
	sigset_t set;

	sigemptyset(&set);
	return sigaddset(&set, signal) == 0 ? sigmask_change(how, &set, old) : -1;
}

FOR_PROGRAMS int sighold(int signal)
{
	return change_one(SIG_BLOCK, signal, NULL);
}

FOR_PROGRAMS int sigrelse(int signal)
{
	return change_one(SIG_UNBLOCK, signal, NULL);
}

FOR_PROGRAMS __sighandler_t sigset(int signal, __sighandler_t handler)
{
	struct sigaction action = { .sa_handler = handler }, was;
	int is_hold = handler == SIG_HOLD;
	sigset_t old;

	if ((!is_hold && sigaction(signal, &action, &was) != 0) ||
		change_one(is_hold ? SIG_BLOCK : SIG_UNBLOCK, signal, &old) != 0 ||
		(is_hold && sigaction(signal, NULL, &was) != 0))
		return SIG_ERR;
	return sigismember(&old, signal) ? SIG_HOLD : was.sa_handler;
}

/* BSD's masks have only the first 32 signals. */
static int change_first(int how, int mask)
{
	unsigned int bits = (unsigned int)mask;
	sigset_t set, old;

	sigemptyset(&set);
	memcpy(&set, &bits, sizeof(bits));
	if (sigmask_change(how, &set, &old) != 0)
		return -1;
	memcpy(&bits, &old, sizeof(bits));
	return (int)bits;
}

FOR_PROGRAMS int sigblock(int mask)
{
	return change_first(SIG_BLOCK, mask);
}

FOR_PROGRAMS int sigsetmask(int mask)
{
	return change_first(SIG_SETMASK, mask);
}
