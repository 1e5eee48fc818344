/* SPDX-License-Identifier: Apache-2.0 */
/* How waits and executions are counted in the nodes of the tree. */
#ifndef OMPPROF_SAMPLER_CORE_WAIT_COUNT_H
#define OMPPROF_SAMPLER_CORE_WAIT_COUNT_H

#include <stdint.h>

#include "sampler/core/thread.h"
#include "sampler/core/tool.h"

/* Whether there is nothing to count, because all of the time was in a pause. Signal-safe. */
static inline int wait_is_unmeasured(uint64_t ticks)
{
	return ticks == 0 && tool_is_paused();
}

/* Adds n waits to a WAIT node, or executions to a CONTEXT node. Owning thread only. */
static inline void wait_add_to_node(
	struct profile_node *node, uint32_t n, uint64_t ticks, uint64_t longest)
{
	if (wait_is_unmeasured(ticks))
		return;
	__atomic_store_n(&node->n, node->n + n, __ATOMIC_RELAXED);
	__atomic_store_n(&node->time_ns, node->time_ns + ticks, __ATOMIC_RELAXED);
	if (longest > node->events)
		__atomic_store_n(&node->events, longest, __ATOMIC_RELAXED);
}

/* Counts an execution of a worker run that has ended. Owning thread only. */
static inline void wait_end_in_run(const struct task *task)
{
	if (task->own)
		tool_count_32(&task->own->n);
}

/*
 * A worker has no team from now on: it is idle, since this moment if it is not 0.
 * Owning thread only.
 */
static inline void wait_become_idle(struct thread *thread, uint64_t since)
{
	thread->idle.is_idle = 1;
	thread->idle.since = since;
}

#endif
