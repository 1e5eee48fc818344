/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dependences between tasks: how long tasks of one site could not begin because one of another site had not ended.
 *
 *   event                      on                          what it does here
 *   task_create, with some     the creating thread         depend_create: the task gets a place; its task_data says which
 *   task_dependence(a, b)      the creating thread of b    depend_on: b's place notes a's, a's that somebody waits for it
 *   task_schedule: b begins    the thread that executes b  depend_begin: b waited from its creation to the end of
 *                                                          the last of those that its place notes
 *   task_schedule: a ends      the thread that executes a  depend_end: a's place notes when
 *
 * A runtime tells of a dependence only where the earlier task has not ended, and a task begins only when those that it
 * depends on have: so what is summed up is the time in which a task was created and, for all that its
 * dependences let be, not ready. That is no thread's time. What it costs, samples tell: a thread that works at a task that
 * others wait for, while others of its team have nothing to do, makes them wait by a dependence
 * (PROFILE_BLAME_DEPENDENCE).
 *
 * A place is a cache line in memory of the creating thread's own. It is written by that thread, then by the one that
 * executes the task, in this order but for two sorts of stores that may meet: `n_sinks` and the rest. Its use
 * ends with the task's end, and a later task gets it; `number` tells uses apart. A thread has at most DEPEND_PLACES, and
 * begins with few: a task for which there is none is not followed, and the next one that is counts for it too.
 * Of a task that waits for more than DEPEND_SOURCES others the latest so many are noted.
 *
 * Programs without dependences pay for a test of a flag at creation, begin and end of a task.
 */
#ifndef OMPPROF_SAMPLER_CORE_DEPEND_H
#define OMPPROF_SAMPLER_CORE_DEPEND_H

#include <stdint.h>

#include "sampler/core/thread.h"

enum {
	DEPEND_SOURCES = 4,
	DEPEND_PLACES = 1023, /* places have numbers from 1 on */
	/* task_data: a context's node id, then the number of the place; see task_stack.h. */
	DEPEND_NODE_BITS = 22,
};

_Static_assert(PROFILE_MAX_BYTES / PROFILE_NODE_BYTES <= 1 << DEPEND_NODE_BITS, "ids of nodes");

/* A task that has dependences, from its creation to its end. */
struct depend_place {
	uint64_t created; /* ticks */
	uint64_t ended;   /* ticks; 0 not yet. Release, by the thread that executes it */
	uint32_t context; /* node id of its site; 0 while the place has never been used */
	uint32_t weight;  /* tasks that it stands for */
	uint16_t number;  /* of the use of the place */
	uint8_t n_sources;
	uint8_t n_sinks; /* of those that wait for its end; 255: or more */
	uint32_t reserved;
	uint64_t source
		[DEPEND_SOURCES]; /* a place's address, 48 bits, above the number of its use */
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct depend_place) == 64, "a cache line");

/*
 * A task with dependences is created, in this context. Returns what its task_data has of it beside the context.
 * Owning thread only.
 */
uint64_t depend_create(struct thread *thread, uint32_t context);

/*
 * The task with the task_data `sink` cannot begin before that with `source` has ended. Each may be any value.
 * Owning thread only.
 */
void depend_on(uint64_t source, uint64_t sink);

/* The place of the task with this task_data; NULL if it has none. Any thread. */
struct depend_place *depend_find(uint64_t value);

/*
 * The explicit task that is on top of the thread's tasks, and has a place, begins.
 * Owning thread only.
 */
void depend_begin(struct thread *thread, const struct task *task);

/*
 * The task at the place has ended.
 * Any thread.
 */
void depend_end(struct depend_place *place);

/*
 * Whether others wait for the end of a task that the thread executes, or has suspended.
 * Signal-safe.
 */
static inline int depend_is_awaited(const struct thread *thread)
{
	uint32_t n = thread->tasks.n < THREAD_MAX_TASKS ? thread->tasks.n : THREAD_MAX_TASKS;

	for (; n > 0; n--) {
		const struct depend_place *place = thread->tasks.at[n - 1].depend;

		if (place && __atomic_load_n(&place->n_sinks, __ATOMIC_RELAXED))
			return 1;
	}
	return 0;
}

#endif
