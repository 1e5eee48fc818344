/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measured waiting. A wait lasts from its begin event to its end event, whether the thread spins or
 * sleeps. Times are ticks.
 *
 *   event                          work here
 *   sync_region_wait begin         wait_begin: the current task waits from now on
 *   task_schedule                  wait_begin_explicit, wait_end_explicit: the time while another
 *                                  task runs on top is no wait
 *   sync_region_wait end           wait_end: the sum goes to the tree
 *   implicit_task begin and end    the thread's time in the region; after the end a worker is idle
 *   parallel_end                   ends the closing barrier for all members of the team
 *
 * Runtimes can deliver a worker's end of the closing barrier, and of its implicit task, as late as
 * when the next region begins. So both are cut at the end of the region, which its primary thread
 * notes (struct region.last_end, .ends). The time after it is idle time.
 *
 * Events that follow each other quickly are not all timed; the timed events represent the others
 * (event_timing.h). This choice is made for
 *
 * - the waits in executions of a region (region_timing.h): all its members time the same executions
 *   (struct region.weight);
 * - barriers within one execution (struct region.team.is_quick): by the barrier's number;
 * - tasks, and waits of each other kind: on each thread.
 *
 * A wait belongs to the path of the code that waits. A walk takes longer than a short wait. So
 * waits at one place (kind, mutex, return address, context) add up until they are worth a walk,
 * about 20 us. Then all of them go to the path of the latest wait. A longer wait goes to its own
 * path. No wait is lost by this: waits that are not in the tree when the thread ends go to the path
 * of the waits before. A closing barrier needs no walk, because its only path is the region.
 */
#ifndef OMPPROF_SAMPLER_THREADS_WAIT_H
#define OMPPROF_SAMPLER_THREADS_WAIT_H

#include <stddef.h>
#include <stdint.h>

#include "sampler/core/sample_follow.h"
#include "sampler/core/event_timing.h"
#include "sampler/core/thread_board.h"
#include "sampler/core/thread.h"
#include "sampler/core/tool.h"
#include "sampler/core/wait_count.h"

/*
 * The time of an event. The events right after it can use it, too: wait_stamp_again.
 * Owning thread only.
 */
static inline uint64_t wait_stamp(struct thread *thread)
{
	thread->waits.stamp_callbacks = thread->record->n_callbacks;
	return thread->waits.stamp = tool_time();
}

/*
 * The time of an event: the time of the event right before it, if that event has read the clock.
 * Owning thread only.
 */
static inline uint64_t wait_stamp_again(struct thread *thread)
{
	if (!thread->waits.stamp || thread->record->n_callbacks - thread->waits.stamp_callbacks > 1)
		return wait_stamp(thread);
	thread->waits.stamp_callbacks = thread->record->n_callbacks;
	return thread->waits.stamp;
}

/*
 * Makes the next event read the clock, as code of the program runs before it. Owning thread only.
 */
static inline void wait_drop_stamp(struct thread *thread)
{
	thread->waits.stamp = 0;
}

/*
 * The note on the node that represents a context under the thread's root; its node is 0 without
 * space. Owning thread only.
 */
struct context_note *wait_make_note(struct thread *thread, uint32_t context);

/* The same, and faster if the note is there already. Owning thread only. */
static inline struct context_note *wait_note(struct thread *thread, uint32_t context)
{
	struct context_note *note = &thread->waits.contexts[context % THREAD_N_CONTEXTS];

	return note->context == context && note->node ? note : wait_make_note(thread, context);
}

/*
 * The node that represents a context under the thread's root; NULL for context 0 and without space.
 * Owning thread only.
 */
static inline struct profile_node *wait_own_node(struct thread *thread, uint32_t context)
{
	return context ? wait_note(thread, context)->own : NULL;
}

/* Finds the leaf for the closing barrier of a region; 0 without space. Owning thread only. */
uint32_t wait_find_closing(struct thread *thread, uint32_t context);

/* The same, and faster if the leaf is known already. Owning thread only. */
static inline uint32_t wait_closing_leaf(struct thread *thread, uint32_t context)
{
	uint32_t leaf = context ? wait_note(thread, context)->closing : 0;

	return leaf ? leaf : wait_find_closing(thread, context);
}

/* Whether it is a wait at a barrier of the task's team, which has other members. Any thread. */
static inline int wait_is_team_barrier(const struct task *task, uint32_t wait)
{
	return wait <= PROFILE_BARRIER_OTHER && task->is_implicit && task->n_threads > 1 &&
	       task->region;
}

/* How many waits the wait that begins represents; 0: it is not timed. Owning thread only. */
static inline uint32_t wait_weight_of(
	struct thread *thread, struct task *task, uint32_t wait, int is_of_team)
{
	if (thread->waits.team_weight == 0)
		return 0;
	if (!is_of_team)
		return timing_weight_within(
			&thread->waits.timings[wait], thread->waits.team_weight);
	if (!__atomic_load_n(&task->region->team.is_quick, __ATOMIC_RELAXED))
		return 1;
	return timing_is_chosen(task->barrier) ? TIMING_OF : 0;
}

/* Begins a wait that is timed. Owning thread only. */
void wait_begin_timed(struct thread *thread, struct task *task, int is_of_team);

/* A wait of this enum profile_wait begins for the thread's current task. Owning thread only. */
static inline void wait_begin(struct thread *thread, struct task *task, uint32_t wait)
{
	struct profile_now *published = &thread->record->now;
	int is_of_team = wait_is_team_barrier(task, wait);

	if (task->wait) { /* a wait within a wait: both count as one wait, of the inner kind */
		task->wait = (uint8_t)wait;
		board_publish_wait(thread, wait, task->since);
		return;
	}
	task->barrier += (uint32_t)is_of_team;
	task->wait = (uint8_t)wait;
	task->wait_weight = (uint8_t)wait_weight_of(thread, task, wait, is_of_team);
	task->since = 0;
	task->ticks_on_top = task->unmet = 0;
	task->n_above = 0;
	if (task->wait_weight)
		wait_begin_timed(thread, task, is_of_team);
	if (wait == PROFILE_BARRIER_CLOSING)
		BOARD_WRITE(published->leaf, wait_closing_leaf(thread, task->context));
	else if (published->leaf)
		BOARD_WRITE(published->leaf, 0);
	board_publish_wait(thread, wait, task->since);
}

/* Ends a wait that is timed. Owning thread only. */
uint32_t wait_end_since(struct thread *thread, struct task *task, const void *codeptr_ra);

/*
 * Ends the current task's wait, if the task waits. Returns how many waits it represents; 0: it was
 * not timed, or there was none. Owning thread only.
 */
static inline uint32_t wait_end(struct thread *thread, struct task *task, const void *codeptr_ra)
{
	if (!task->wait)
		return 0;
	board_publish_wait(thread, 0, 0);
	if (task->since)
		return wait_end_since(thread, task, codeptr_ra);
	task->ticks_excluded += task->ticks_on_top;
	task->wait = 0;
	return 0;
}

/*
 * A timed wait at the current path has ended. It lasted from `begun` to `now`, and represents
 * `weight` waits of so many ticks together. Returns the ticks that are added now. `key` is made by
 * PROFILE_WAIT_KEY. Owning thread only.
 */
uint64_t wait_pay(struct thread *thread, uint64_t key, const void *codeptr_ra, uint32_t weight,
	uint64_t begun, uint64_t now, uint64_t ticks);

/*
 * As wait_pay, but the wait does not decide how waits of its kind are timed. `ticks` is less than
 * its length times its weight if a part was no waiting. Owning thread only.
 */
uint64_t wait_carry(struct thread *thread, uint64_t key, const void *codeptr_ra, uint64_t begun,
	uint64_t now, uint64_t ticks);

/* An interval in measured ticks, and the waiting that it adds to the tree. */
struct wait_span {
	uint64_t begin, end;
	uint64_t ticks;   /* of all waits that it represents */
	uint64_t longest; /* of these waits */
};

/*
 * Adds n waits to the current path, in each phase of the program that the span is in. `key` is made
 * by PROFILE_WAIT_KEY. Returns the leaf that took the latest waits at this place; 0 if there is
 * none, or if the span is in several phases. Owning thread only.
 */
uint32_t wait_add(struct thread *thread, uint64_t key, const void *codeptr_ra, uint32_t n,
	const struct wait_span *span);

/* Ends the thread's present time without a team, if there is one. Owning thread only. */
void wait_end_idle(struct thread *thread, uint64_t now);

/* An implicit task has begun, on top of the thread's tasks. Owning thread only. */
void wait_begin_implicit(struct thread *thread, struct task *task);

/* Ends an implicit task that has its `own` node and is in no worker run. Owning thread only. */
void wait_end_timed_implicit(struct thread *thread, const struct task *task);

/* The implicit task on top of the thread's tasks ends. Owning thread only. */
static inline void wait_end_implicit(struct thread *thread, const struct task *task)
{
	if (task->is_in_run)
		wait_end_in_run(task);
	else if (task->own)
		wait_end_timed_implicit(thread, task);
}

/*
 * An explicit task that was timed, the n-th of the thread's tasks, ends here. is_done: it is
 * completed, or the thread or the profile ends; otherwise it is cancelled, moved to another thread,
 * or was counted when it was created. Its ticks, and the ticks of the tasks that it represents, go
 * to its node. If it was timed only because of the wait below it (weight 0), its node gets no
 * ticks: other tasks represent it. Owning thread only.
 */
void wait_end_timed(struct thread *thread, uint32_t n, const struct task *task, int is_done);

/*
 * Time in tasks is no part of a wait. So the first WAIT_TASKS_TIMED tasks during a timed wait are
 * all timed, and of the tasks after them only some, which represent the others.
 */
enum { WAIT_TASKS_TIMED = 16 };

/* Whether the explicit task on top is timed because of the wait below it. Owning thread only. */
static inline int wait_is_exact(struct thread *thread, struct task *task)
{
	struct task *below = thread->tasks.n > 1 ? task - 1 : NULL;

	return below && below->wait && below->since && below->n_above < WAIT_TASKS_TIMED &&
	       ++below->n_above;
}

/* How many tasks the explicit task on top represents; 0: it is not timed. Owning thread only. */
static inline uint32_t wait_weight_of_task(struct thread *thread, const struct task *task)
{
	if (thread->waits.team_weight == 1 && thread->tasks.n > 1 && !(task - 1)->is_implicit)
		return timing_weight_by_chance(&thread->waits.timings[0]);
	return timing_weight_within(&thread->waits.timings[0], thread->waits.team_weight);
}

/* An explicit task has begun, on top of the thread's tasks. Owning thread only. */
static inline void wait_begin_explicit(struct thread *thread, struct task *task)
{
	task->signals = thread->record->n_signals;
	task->weight = (uint8_t)wait_weight_of_task(thread, task);
	task->is_exact = (uint8_t)wait_is_exact(thread, task);
	if (task->weight != 1 && !task->is_exact && thread->tasks.n > 1)
		(task - 1)->is_rough = 1;
	if (task->weight | task->is_exact)
		task->begun = tool_time();
	board_publish_wait(thread, 0, 0);
}

/* As wait_end_timed, for any explicit task on top. Owning thread only. */
static inline void wait_end_explicit(
	struct thread *thread, uint32_t n, const struct task *task, int is_done)
{
	struct profile_node *own = task->own;

	open_intervals_forget_task(thread);
	if (task->begun) {
		wait_end_timed(thread, n, task, is_done && !task->is_counted);
	} else {
		if (thread->record->n_signals != task->signals)
			timing_was_slow(&thread->waits.timings[0]);
		if (own && is_done && !task->is_counted)
			tool_count_32(&own->n);
	}
	if (task->is_stolen && is_done && own)
		tool_count(&own->blame_ns);
}

/*
 * When the execution of the region that the task belongs to ended. Returns `now` while the
 * execution lasts or without a region, and 0 if the end is not known. Owning thread only.
 */
uint64_t wait_end_of_region(const struct task *task, uint64_t now);

/*
 * As wait_end_of_region, but returns the time of this event while the execution lasts.
 * Owning thread only.
 */
uint64_t wait_find_end(struct thread *thread, const struct task *task);

/* As wait_find_end; 0 also for an execution in a worker run. Owning thread only. */
static inline uint64_t wait_when_region_ended(struct thread *thread, const struct task *task)
{
	return task->is_in_run ? 0 : wait_find_end(thread, task);
}

/*
 * Ends the wait of a task, if it waits, as if it were over now. The walk that would find its path
 * is left out. Owning thread only.
 */
void wait_cut(struct thread *thread, struct task *task, uint64_t now);

/*
 * Puts the sums of waits at each place into the tree, and forgets the places' leaves. The thread
 * must not be in an event, unless it is the calling thread. Any thread.
 */
void wait_flush(struct thread *thread);

/*
 * Finds the leaves of a worker's idle time under the tree's root. The thread must not be in an
 * event, unless it is the calling thread. Any thread.
 */
void wait_find_idle(struct thread *thread);

/*
 * Ends all that is open at the end of the thread or of the profile. The thread must not be in an
 * event, unless it is the calling thread. Any thread.
 */
void wait_finish(struct thread *thread, uint64_t now);

#endif
