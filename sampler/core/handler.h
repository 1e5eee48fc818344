/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The signal handler: one sample a signal. What it may do is written in docs/signal-safety.md; a gate
 * checks the symbols it can reach.
 */
#ifndef OMPPROF_SAMPLER_CORE_HANDLER_H
#define OMPPROF_SAMPLER_CORE_HANDLER_H

#include <signal.h>

#include "sampler/core/thread.h"

/* What the handler uses at most of the stack that it interrupts, beside the kernel's frame; see signal_stack.h. */
enum { HANDLER_STACK_BYTES = 1024 };

/*
 * Handler of the tool's signal, installed with SA_SIGINFO, SA_RESTART, SA_ONSTACK and all signals
 * blocked. Keeps errno. Signals that are not from the tool's clocks go to the program's own
 * previous handler.
 * Signal-safe.
 */
void handler_on_signal(int signal, siginfo_t *info, void *ucontext);

/*
 * Takes the sample of a signal that met a callback (thread->is_pending), when the callback is about to
 * end: it counts as overhead in the current task's context. Call with in_tool set.
 * Owning thread only.
 */
void handler_settle(struct thread *thread);

/*
 * A pause begins, or ends, by the calling thread: what its clock has advanced since its last sample up to the pause is
 * its next sample's, and what it advances in the pause nobody's. Others drop what the samples of the pause say.
 * Owning thread only.
 */
void handler_pause(struct thread *thread);
void handler_start(struct thread *thread);

#endif
