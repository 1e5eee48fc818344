/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread that blocks the tool's signal has no clock: no signal of ours is pending, so sigwait, signalfd,
 * sigsuspend, pselect and sigpending see the program's signals alone. wrap_sigmask.c stands in front of the C
 * library's pthread_sigmask and sigprocmask, where the library is preloaded, and follows what they change;
 * wrap_sigmask_old.c in front of X/Open's sighold, sigrelse and sigset and BSD's sigblock and sigsetmask. What
 * else blocks the signal (the mask of a handler that runs, siglongjmp, setcontext) does not stop the clock. What
 * else opens it again is seen when the thread begins its next parallel region, or by the next such call.
 */
#ifndef OMPPROF_SAMPLER_THREADS_WRAP_SIGMASK_H
#define OMPPROF_SAMPLER_THREADS_WRAP_SIGMASK_H

#include <signal.h>

#include "sampler/core/thread.h"

/*
 * Finds the functions that those of this module stand in front of; until then they make the system call.
 * Any thread.
 */
void sigmask_prepare(void);

/*
 * What the program's call of sigprocmask does. Returns 0, or -1 with errno.
 * Owning thread only.
 */
int sigmask_change(int how, const sigset_t *set, sigset_t *old);

/*
 * Pauses the calling thread's clock if the thread blocks the tool's signal now, or else resumes it.
 * Owning thread only.
 */
void sigmask_look(struct thread *thread);

#endif
