/* SPDX-License-Identifier: Apache-2.0 */
/* The intervals that a sample finds open; see open_intervals.h. Part of the signal-safe core. */
#include "sampler/core/open_intervals.h"

#include "sampler/core/tool.h"

/* Notes the wait of the task below, which has `task` on top of it. */
static void note_wait(struct profile_open *open, const struct task *task, const struct task *below)
{
	open->wait = below->since ? below->wait : PROFILE_NO_WAIT;
	open->wait_since = below->since + below->ticks_on_top;
	open->wait_until = task->begun;
}

static void note_task(struct thread *thread, const struct task *task)
{
	struct profile_open *open = &thread->record->open;

	__atomic_store_n(&open->task, 0, __ATOMIC_RELEASE);
	open->is_stolen = task->is_stolen;
	open->task_since = task->begun + task->ticks_excluded;
	open->wait = PROFILE_NO_WAIT;
	if (thread->tasks.n > 1)
		note_wait(open, task, task - 1);
	__atomic_store_n(&open->task, task->context, __ATOMIC_RELEASE);
}

static void note_hold(struct thread *thread)
{
	struct profile_open *open = &thread->record->open;
	const struct held_mutex *held = &thread->mutexes.held[thread->mutexes.n_held - 1];

	if (!held->since || !held->slot || open->mutex == held->slot->key)
		return;
	__atomic_store_n(&open->mutex, 0, __ATOMIC_RELEASE);
	open->mutex_since = held->since;
	__atomic_store_n(&open->mutex, held->slot->key, __ATOMIC_RELEASE);
}

void open_intervals_note(struct thread *thread)
{
	const struct task *task = thread_waiter(thread);

	/* An explicit task that is not timed has no known begin. */
	if (task && !task->is_implicit && task->begun)
		note_task(thread, task);
	if (__atomic_load_n(&tool.holds_are_unknown, __ATOMIC_RELAXED))
		open_intervals_forget_mutex(thread);
	else if (thread->mutexes.n_held > 0 && thread->mutexes.n_held <= THREAD_MAX_HELD)
		note_hold(thread);
}
