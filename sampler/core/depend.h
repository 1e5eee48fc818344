/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dependences between tasks: how long tasks of one site could not begin because a task of another
 * site had not ended.
 *
 *   event                    thread          what it does here
 *   task_create, for a task  that creates    depend_create: the task gets a place, whose number is
 *   with dependences                         in its task_data
 *   task_dependence(a, b)    that creates b  depend_on: b's place notes a's place, and a's place
 *                                            notes that a task waits for it
 *   task_schedule: b begins  that executes b depend_begin: b waited from its creation to the last
 *                                            end of a task that its place notes
 *   task_schedule: a ends    that executes a depend_end: a's place notes when
 *
 * A runtime announces a dependence only if the earlier task has not ended, and a task begins only
 * after the tasks on which it depends. So the sum is the time in which a task had been created and
 * was not ready, as far as dependences decide. This is no thread's time. Samples tell what it
 * costs. If a thread works at a task for which others wait, while members of its team have nothing
 * to do, it makes them wait by a dependence (PROFILE_BLAME_DEPENDENCE).
 *
 * A place is a cache line in memory of the creating thread. It is written by that thread, and then
 * by the thread that executes the task. Once that thread has begun the task, no other thread stores
 * to anything but `n_sinks`, and `ended` of a detached task. A place is used up to the task's end.
 * A later task gets it then; `number` tells uses apart. A thread has at most DEPEND_PLACES, and
 * begins with few. A task that gets no place is not followed, and the next task with a place
 * represents it, too. If a task waits for more than DEPEND_SOURCES others, only the latest
 * DEPEND_SOURCES of the first 255 are noted.
 *
 * Programs without dependences pay for the test of a flag at creation, begin and end of a task.
 */
#ifndef OMPPROF_SAMPLER_CORE_DEPEND_H
#define OMPPROF_SAMPLER_CORE_DEPEND_H

#include <stdint.h>

#include "sampler/core/thread.h"

enum {
	DEPEND_SOURCES = 4,
	/* places are numbered from 1 on; greater numbers are of unseen tasks (unseen.h) */
	DEPEND_PLACES = 1020,
	/* task_data: a context's node id, then the number of the place; see task_data.h. */
	DEPEND_NODE_BITS = 22,
};

_Static_assert(PROFILE_MAX_BYTES / PROFILE_NODE_BYTES <= 1 << DEPEND_NODE_BITS, "ids of nodes");

/* A task that has dependences, from its creation to its end. */
struct depend_place {
	uint64_t created; /* ticks */
	uint64_t ended;   /* ticks; 0 not yet. Release order, by the thread that ends it */
	uint32_t context; /* node id of its site; 0 while the place has never been used */
	uint32_t weight;  /* tasks that it represents */
	uint16_t number;  /* of this use of the place */
	uint8_t n_sources;
	uint8_t n_sinks; /* tasks that wait for its end; 255: or more */
	uint32_t reserved;
	uint64_t source
		[DEPEND_SOURCES]; /* a place's address, 48 bits, above the number of its use */
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct depend_place) == 64, "a cache line");

/*
 * A task with dependences is created, in this context. Returns the number of its place, as it is in
 * task_data above the context; 0 without a place. Owning thread only.
 */
uint64_t depend_create(struct thread *thread, uint32_t context);

/*
 * The task with the task_data `sink` cannot begin before the task with `source` has ended. Each may
 * be any value. Owning thread only.
 */
void depend_on(uint64_t source, uint64_t sink);

/* The place of the task with this task_data; NULL if it has none. Any thread. */
struct depend_place *depend_find(uint64_t value);

/* The explicit task on top of the thread's tasks begins. It has a place. Owning thread only. */
void depend_begin(struct thread *thread, const struct task *task);

/* The task at the place has ended. Any thread. */
void depend_end(struct depend_place *place);

/*
 * Whether others wait for the end of a task that the thread executes, or has suspended.
 * Signal-safe.
 */
static inline int depend_is_awaited(const struct thread *thread)
{
	uint32_t n = thread_n_entries(thread);

	for (; n > 0; n--) {
		const struct depend_place *place = thread->tasks.at[n - 1].depend;

		if (place && __atomic_load_n(&place->n_sinks, __ATOMIC_RELAXED))
			return 1;
	}
	return 0;
}

#endif
