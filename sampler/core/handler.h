/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The signal handler: one sample a signal. What it may do is written in docs/signal-safety.md; a gate
 * checks the symbols it can reach.
 */
#ifndef OMPPROF_SAMPLER_CORE_HANDLER_H
#define OMPPROF_SAMPLER_CORE_HANDLER_H

#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "sampler/core/frames.h"

struct thread;

/* What the handler uses at most of the stack that it interrupts, beside the kernel's frame; see arch_call_on_stack. */
enum { HANDLER_STACK_BYTES = 1024 };

/* The latest sample of a thread: a part of struct thread. The handler writes it, or an event while gate.in_tool is set. */
struct thread_sample {
	uint64_t callbacks;  /* n_callbacks then */
	uint32_t helped_for; /* of a hidden helper: context of the task that the sample was in, */
	uint32_t helped_region;    /* and the region around that; 0 none */
	uint32_t leaf;             /* SAMPLES node */
	uint8_t is_guessed;        /* its path has a guessed frame */
	uint8_t class;             /* enum profile_class */
	uint8_t mark;              /* enum profile_state */
	struct frames_marks marks; /* of its path, or of the latest creation's */
	uint64_t random;           /* xorshift state for looks at other threads; 0 at first */
};

/* Any thread. */
static inline void thread_sample_clear(struct thread_sample *sample)
{
	memset(sample, 0, sizeof(*sample));
}

/*
 * Handler of the tool's signal, installed with SA_SIGINFO, SA_RESTART, SA_ONSTACK and all signals
 * blocked. Keeps errno. Signals that are not from the tool's clocks go to the program's own
 * previous handler.
 * Signal-safe.
 */
void handler_on_signal(int signal, siginfo_t *info, void *ucontext);

/*
 * Takes the sample of a signal that met a callback (gate.is_pending), when the callback is about to
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
