/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of unseen tasks; see unseen.h. Each function returns 1 if that was all of the event; 0
 * if it has to be seen. While tasks are unseen, profile_now.wait is the current task's wait.
 */
#ifndef OMPPROF_SAMPLER_THREADS_UNSEEN_EVENTS_H
#define OMPPROF_SAMPLER_THREADS_UNSEEN_EVENTS_H

#include <omp-tools.h>
#include <stdint.h>

#include "sampler/core/thread_board.h"
#include "sampler/core/thread_self.h"
#include "sampler/core/unseen.h"
#include "sampler/threads/construct.h"
#include "sampler/threads/task_stack.h"

/* The event is over; the current task waits so from now on. Owning thread only. */
static inline int unseen_go_on(struct thread *thread, uint32_t wait)
{
	thread->record->n_callbacks++;
	BOARD_WRITE(thread->record->now.wait, (uint8_t)wait);
	return 1;
}

/*
 * The value of an inline task's task_data. If the frame is too far away, that of another task.
 * Owning thread only.
 */
static inline uint64_t unseen_inline(
	const struct thread *thread, uint32_t node, uint64_t base_cfa, uint32_t number)
{
	uint64_t from = (thread->stack.hi - base_cfa) >> 4;

	if (base_cfa % 16 != 0 || from >= 1 << 20)
		return thread->tasks.data | node;
	return thread->tasks.data >> 52 << 52 | from << 32 | (uint64_t)number << DEPEND_NODE_BITS |
	       node;
}

/*
 * Fills the task that encounters a construct, if that is not the innermost implicit task.
 * Owning thread only.
 */
static inline const struct task *unseen_encountering(
	struct thread *thread, const ompt_data_t *data, struct task *above)
{
	if (data == thread->unseen.implicit)
		return thread_task(thread);
	unseen_fill(thread, above, data);
	return above;
}

/* task_create. Owning thread only. */
static inline int unseen_create(struct thread *thread, const ompt_data_t *encountering,
	const ompt_frame_t *frame, ompt_data_t *data, int flags, const void *codeptr_ra,
	uint64_t here)
{
	const struct create_note *note;
	const struct task *task = NULL;
	struct task above;
	uint64_t base_cfa;

	if (thread_has_news(thread) || !encountering ||
		!tasks_is_known(thread, encountering->value))
		return 0;
	note = construct_note(thread, (uint64_t)codeptr_ra, flags, tasks_node(encountering->value));
	if (note && note->creation)
		task = unseen_encountering(thread, encountering, &above);
	if (!construct_is_again(thread, note, task, frame, here, &base_cfa))
		return 0;
	data->value =
		thread->tasks.data | (uint64_t)UNSEEN_COUNTED << DEPEND_NODE_BITS | note->node;
	if (flags & ompt_task_undeferred)
		data->value = unseen_inline(thread, note->node, base_cfa, UNSEEN_INLINE_COUNTED);
	else
		thread->tasks.has_created |= tasks_created_bit(thread);
	construct_count_task(note->own);
	if (tasks_is_counted(data->value))
		tool_count_32(&note->own->n);
	tool_count(&thread->record->n_tasks);
	return unseen_go_on(thread, 0);
}

/*
 * Counts a task that ends, if it was not counted when it was created. Owning thread only.
 */
static inline void unseen_done(struct thread *thread, uint64_t value)
{
	thread->unseen.n_done += !tasks_is_counted(value);
	thread->unseen.n_stolen += !tasks_is_of_thread(thread, value);
}

/* The current task waits like this, and another task comes on top of it. Owning thread only. */
static inline void unseen_push(struct thread_unseen *unseen, const void *data, uint32_t wait)
{
	unseen->below[unseen->n_below++ % UNSEEN_BELOW] = (uint64_t)data | wait;
}

/* Whether this is the task right below the current task. Owning thread only. */
static inline int unseen_is_below(const struct thread_unseen *unseen, const void *data)
{
	return unseen->n_below && (unseen->below[(unseen->n_below - 1) % UNSEEN_BELOW] &
					  ~(uint64_t)UNSEEN_WAIT) == (uint64_t)data;
}

/*
 * The current task is over, or leaves this thread. Returns the wait of the task below it. If there
 * are too many to be kept, they are a recursion's, which wait for their tasks. Owning thread only.
 */
static inline uint32_t unseen_pop(struct thread_unseen *unseen, const void *next)
{
	uint32_t is_known = unseen_is_below(unseen, next);

	unseen->n_below -= unseen->n_below != 0;
	return is_known ? unseen->below[unseen->n_below % UNSEEN_BELOW] & UNSEEN_WAIT
			: PROFILE_TASKWAIT;
}

/* task_schedule. Owning thread only. */
static inline int unseen_schedule(struct thread *thread, const ompt_data_t *prior,
	ompt_task_status_t status, const ompt_data_t *next)
{
	struct thread_unseen *unseen = &thread->unseen;

	if (!prior || !next || (status != ompt_task_switch && status != ompt_task_complete) ||
		tasks_has_place(prior->value) || tasks_has_place(next->value))
		return 0;
	if (status == ompt_task_complete) {
		unseen_done(thread, prior->value);
	} else if (!unseen_is_below(unseen, next)) {
		/* An untied task comes back: what it was on top of has just been taken off. */
		if (prior == next)
			unseen->n_below++;
		else
			unseen_push(unseen, prior, thread->record->now.wait);
		return unseen_go_on(thread, 0);
	}
	return unseen_go_on(thread, unseen_pop(unseen, next));
}

/* sync_region_wait. Owning thread only. */
static inline int unseen_sync(struct thread *thread, uint32_t kind, ompt_scope_endpoint_t endpoint,
	const void *codeptr_ra)
{
	uint32_t wait = kind == ompt_sync_region_taskwait ? PROFILE_TASKWAIT : PROFILE_TASKGROUP;

	if (kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup)
		return 0;
	if (endpoint == ompt_scope_end)
		return unseen_go_on(thread, 0);
	thread->unseen.n_waits++;
	BOARD_WRITE(thread->record->now.site, (uint64_t)codeptr_ra);
	return unseen_go_on(thread, wait);
}

/*
 * A task was created or begins, on top of the thread's tasks and at work. Tasks are unseen from now
 * on if their events take more than the budget. Owning thread only.
 */
void unseen_consider(struct thread *thread);

/* The same; most events need only this. Owning thread only. */
static inline void unseen_pace(struct thread *thread)
{
	if (++thread->unseen.pace.n >= UNSEEN_PACE)
		unseen_consider(thread);
}

#endif
