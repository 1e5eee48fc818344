/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread-local pointer to the thread's struct. It is initial-exec, so that reading it calls no
 * function.
 */
#ifndef OMPPROF_SAMPLER_CORE_THREAD_SELF_H
#define OMPPROF_SAMPLER_CORE_THREAD_SELF_H

#include "sampler/core/thread.h"
#include "sampler/core/tool.h"

/* Only thread_self and the fast paths may read it. */
extern __thread struct thread *self_thread
	__attribute__((visibility("hidden"), tls_model("initial-exec")));

/* This thread's struct, or NULL. Signal-safe. */
static inline struct thread *thread_self(void)
{
	struct thread *self = self_thread;

	/* A struct that a child inherited by fork belongs to an earlier epoch. */
	return self && self->gate.epoch == tool.epoch ? self : NULL;
}

/* Sets the struct that thread_self returns. Owning thread only. */
void thread_set_self(struct thread *thread);

#endif
