/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one thread-local variable of the tool: initial-exec, so that reading it calls nothing.
 */
#ifndef OMPPROF_SAMPLER_SELF_H
#define OMPPROF_SAMPLER_SELF_H

#include "sampler/thread.h"

/*
 * Sets what thread_self returns.
 * Owning thread only.
 */
void thread_set_self(struct thread *thread);

#endif
