/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of a thread that blocks the tool's signal is paused. Then no signal of ours is pending:
 * sigwait, signalfd, sigsuspend, pselect and sigpending see only the program's signals. Where the
 * library is preloaded, wrap_sigmask.c defines pthread_sigmask and sigprocmask in front of the C
 * library's, and the clock follows the changes that they make. wrap_sigmask_old.c does the same for
 * X/Open's sighold, sigrelse and sigset and BSD's sigblock and sigsetmask. Other ways to block the
 * signal (the mask of a handler that runs, siglongjmp, setcontext) do not stop the clock. Other
 * ways to unblock it are noticed when the thread begins its next parallel region, or at its next
 * call of these functions.
 */
#ifndef OMPPROF_SAMPLER_THREADS_WRAP_SIGMASK_H
#define OMPPROF_SAMPLER_THREADS_WRAP_SIGMASK_H

#include <signal.h>

#include "sampler/core/thread.h"

/*
 * Finds the functions that this module's functions stand in front of; until then they make the
 * system call. Any thread.
 */
void sigmask_prepare(void);

/*
 * Does the work of the program's call of sigprocmask. Returns 0, or -1 with errno.
 * Owning thread only.
 */
int sigmask_change(int how, const sigset_t *set, sigset_t *old);

/*
 * Pauses the calling thread's clock if the thread blocks the tool's signal now, and resumes it if
 * not. Owning thread only.
 */
void sigmask_look(struct thread *thread);

#endif
