/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The signal handler takes at most one sample for each signal. docs/signal-safety.md has the rules
 * for its code. A gate checks the symbols that it can reach.
 */
#ifndef OMPPROF_SAMPLER_CORE_HANDLER_H
#define OMPPROF_SAMPLER_CORE_HANDLER_H

#include <signal.h>
#include <stdint.h>

#include "sampler/core/frames.h"

struct thread;

/*
 * The most that the handler uses of the interrupted stack, apart from the kernel's frame; see
 * arch_call_on_stack.
 */
enum { HANDLER_STACK_BYTES = 1024 };

/*
 * The latest sample of a thread: a part of struct thread. The handler writes it, or an event while
 * gate.in_tool is set.
 */
struct thread_sample {
	uint64_t callbacks;        /* n_callbacks at the sample */
	uint64_t ticks;            /* when it was taken */
	uint32_t helped_for;       /* hidden helper: context of the sampled task */
	uint32_t helped_region;    /* and the region around this task; 0 none */
	uint32_t leaf;             /* SAMPLES node; 0: no sample in the present phase yet */
	uint8_t is_guessed;        /* its path has a guessed frame */
	uint8_t has_python;        /* its path, or the latest creation's, has the interpreter's */
	uint8_t class;             /* enum profile_class */
	uint8_t mark;              /* enum profile_state */
	struct frames_marks marks; /* of its path, or of the latest creation's */
	uint64_t random;           /* xorshift state, to choose other threads; 0 at first */
};

/*
 * Handler of the tool's signal, installed with SA_SIGINFO, SA_RESTART, SA_ONSTACK and all signals
 * blocked. Keeps errno. Signals that are not from the tool's clocks go to the program's own
 * previous handler; without one they are ignored. Signal-safe.
 */
void handler_on_signal(int signal, siginfo_t *info, void *ucontext);

/*
 * Takes the sample of a signal that came during a callback (gate.is_pending), when the callback is
 * about to end. The sample is overhead in the current task's context, or a wait for a lock if the
 * task tests one in a loop. In a pause it is dropped. Call with in_tool set. Owning thread only.
 */
void handler_take_pending(struct thread *thread);

/*
 * The calling thread begins a pause of the tool: the advance of its clock since its last sample is
 * kept for its next sample. Owning thread only.
 */
void handler_pause(struct thread *thread);

/*
 * Drops what the thread's clock has advanced since its last sample: when the thread ends a pause of
 * the tool, and for each sample in a pause. Signal-safe.
 */
void handler_drop(struct thread *thread);

#endif
