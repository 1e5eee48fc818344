/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the files of wait.h add a span to the tree. A span that began before the thread's present
 * phase of the program is divided: each phase gets its part, and the phase in which the span ends
 * counts it. Besides the functions here only wait_add divides. The thread must not be in an event,
 * unless it is the calling thread.
 */
#ifndef OMPPROF_SAMPLER_THREADS_WAIT_ACROSS_PHASES_H
#define OMPPROF_SAMPLER_THREADS_WAIT_ACROSS_PHASES_H

#include "sampler/core/phase.h"
#include "sampler/threads/wait_internal.h"

/* Each adds to all phases of the span, of which there are several. Any thread. */
void wait_spread_to_leaf(struct thread *thread, uint32_t context, uint64_t key, uint32_t n,
	const struct wait_span *span);
void wait_spread_here(struct thread *thread, uint64_t key, const void *codeptr_ra, uint32_t n,
	const struct wait_span *span);
void wait_spread_stay(
	struct thread *thread, uint32_t context, uint32_t n, const struct wait_span *span);

/*
 * Adds n waits of a key under a context, or under the tree's root for context 0. `leaf` is their
 * WAIT leaf in the present phase; 0: none, waits of that phase are lost. Any thread.
 */
static inline void wait_add_span(struct thread *thread, uint32_t context, uint64_t key,
	uint32_t leaf, uint32_t n, const struct wait_span *span)
{
	if (phase_is_spread(thread, span->begin))
		wait_spread_to_leaf(thread, context, key, n, span);
	else
		wait_add_to_leaf(thread, leaf, n, span->ticks, span->longest);
}

/* Adds n executions of a task that has a node, or a part of an execution if n is 0. Any thread. */
static inline void wait_add_stay(
	struct thread *thread, const struct task *task, uint32_t n, const struct wait_span *span)
{
	if (phase_is_spread(thread, span->begin))
		wait_spread_stay(thread, task->context, n, span);
	else
		wait_add_to_node(task->own, n, span->ticks, span->longest);
}

#endif
