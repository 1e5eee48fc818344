/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The value that the tool keeps in the runtime's task_data. Above the context's node id it has the
 * number of a place, if the task has dependences (depend.h), or a number of unseen.h. Above these
 * it has thread->tasks.data of the creating thread, whose epoch tells whether all this is valid.
 */
#ifndef OMPPROF_SAMPLER_CORE_TASK_DATA_H
#define OMPPROF_SAMPLER_CORE_TASK_DATA_H

#include <stdint.h>

#include "sampler/core/depend.h"
#include "sampler/core/thread.h"
#include "sampler/core/unseen.h"

/* Whether the tool has seen the task's creation. Signal-safe. */
static inline int tasks_is_known(const struct thread *thread, uint64_t value)
{
	return (value ^ thread->tasks.data) >> 52 == 0;
}

/* The node id of the context in a value of task_data. Any thread. */
static inline uint32_t tasks_node(uint64_t value)
{
	return value & ((1u << DEPEND_NODE_BITS) - 1);
}

/* The number of the task's place, or a number of unseen.h. Any thread. */
static inline uint32_t tasks_number(uint64_t value)
{
	return (uint32_t)value >> DEPEND_NODE_BITS;
}

/* Whether the task has a place in a table of tasks with dependences. Any thread. */
static inline int tasks_has_place(uint64_t value)
{
	return tasks_number(value) != 0 && tasks_number(value) <= DEPEND_PLACES;
}

/* Whether the task's execution was counted when it was created. Any thread. */
static inline int tasks_is_counted(uint64_t value)
{
	uint32_t number = tasks_number(value);

	return number == UNSEEN_COUNTED || number == UNSEEN_INLINE_COUNTED;
}

/* Whether it is an inline task, with the place of a frame in the value. Any thread. */
static inline int tasks_is_inline(uint64_t value)
{
	uint32_t number = tasks_number(value);

	return number == UNSEEN_INLINE || number == UNSEEN_INLINE_COUNTED;
}

/* Whether the thread that created the task is this thread. Signal-safe. */
static inline int tasks_is_of_thread(const struct thread *thread, uint64_t value)
{
	return tasks_is_inline(value) || ((value ^ thread->tasks.data) >> 32 & 0xfffff) == 0;
}

/* The value of this thread's task as if another thread had created it. Any thread. */
static inline uint64_t tasks_of_another(uint64_t value)
{
	return value ^ (uint64_t)1 << 32;
}

#endif
