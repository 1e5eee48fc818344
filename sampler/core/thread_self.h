/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one thread-local variable of the tool: initial-exec, so that reading it calls nothing.
 */
#ifndef OMPPROF_SAMPLER_CORE_THREAD_SELF_H
#define OMPPROF_SAMPLER_CORE_THREAD_SELF_H

#include "sampler/core/thread.h"
#include "sampler/core/tool.h"

/* Not to be used but by thread_self. */
extern __thread struct thread *self_thread
	__attribute__((visibility("hidden"), tls_model("initial-exec")));

/* This thread's struct, or NULL. Signal-safe. */
static inline struct thread *thread_self(void)
{
	struct thread *self = self_thread;

	/* What a child made by fork inherited belongs to an earlier epoch. */
	return self && self->gate.epoch == tool.epoch ? self : NULL;
}

/*
 * Sets what thread_self returns.
 * Owning thread only.
 */
void thread_set_self(struct thread *thread);

#endif
