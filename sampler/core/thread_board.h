/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The thread board, where threads publish their states for each other. Each thread publishes its
 * current state on two cache lines of its own record (struct profile_now), and no other thread
 * writes there until its record is closed. From a list of threads' lines the handler sees how
 * many threads of a team wait. The thread that has passed a barrier as thread 0, or has released a
 * mutex, sees how long the others waited. All these values may be a moment old, and are only used
 * for sums.
 */
#ifndef OMPPROF_SAMPLER_CORE_THREAD_BOARD_H
#define OMPPROF_SAMPLER_CORE_THREAD_BOARD_H

#include <stddef.h>
#include <stdint.h>

#include "sampler/core/thread.h"

enum {
	BOARD_MAX_THREADS = 4096, /* threads that are listed at once */
	BOARD_LOOK = 64,          /* threads that a sample looks at, at most */
};

/*
 * board_join puts a thread's lines on the list, and returns 0; -1 if the list is full. board_leave
 * takes them off it, if they are on it. Call both with the lock of the list of threads held.
 * board_forget_all empties the list; call it only while no other thread is alive. Any thread.
 */
int board_join(struct profile_now *now);
void board_leave(struct profile_now *now);
void board_forget_all(void);

/* The number of indices for board_at. An index can be free. Signal-safe. */
uint32_t board_n_listed(void);

/* The lines of the thread at this index; NULL if no thread has it now. Signal-safe. */
struct profile_now *board_at(uint32_t index);

/* For fields of struct profile_now, which other threads read and write meanwhile. */
#define BOARD_READ(field)         __atomic_load_n(&(field), __ATOMIC_RELAXED)
#define BOARD_ACQUIRE(field)      __atomic_load_n(&(field), __ATOMIC_ACQUIRE)
#define BOARD_WRITE(field, value) __atomic_store_n(&(field), value, __ATOMIC_RELAXED)

/* Values of profile_now.mutex_until that are no times. */
enum {
	MUTEX_WAITS = 0,    /* the thread waits for the mutex */
	MUTEX_HOLDS = 1,    /* it holds the mutex, since a moment that is not known */
	MUTEX_HAS_HELD = 2, /* it has held the mutex, and released it */
};

/* The innermost region of which the calling thread is in the team, or NULL. Owning thread only. */
static inline const struct region *board_region(const struct profile_now *now)
{
	return (const struct region *)BOARD_READ(now->team);
}

/*
 * The innermost region whose team the lines' owner is in, as it has published, and the number of
 * its execution. NULL if there is none, or if the owner changes it meanwhile: it sets `team` to 0
 * before it stores the other fields. Signal-safe.
 */
static inline const struct region *board_team(const struct profile_now *now, uint32_t *instance)
{
	uint64_t team = BOARD_ACQUIRE(now->team);

	*instance = BOARD_READ(now->instance);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return BOARD_READ(now->team) == team ? (const struct region *)team : NULL;
}

/*
 * Whether the lines' owner waits for this mutex, or waited for it last: since when, and until when.
 * False while the owner changes that, as in board_team. The owner may ask for the same mutex again,
 * so `mutex_until` is read first: if it is of this wait, `mutex_since` is, too. Signal-safe.
 */
static inline int board_asks(
	const struct profile_now *now, uint64_t mutex, uint64_t *since, uint64_t *until)
{
	if (BOARD_ACQUIRE(now->mutex) != mutex)
		return 0;
	*until = BOARD_ACQUIRE(now->mutex_until);
	*since = BOARD_READ(now->mutex_since);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return BOARD_READ(now->mutex) == mutex;
}

/* Whether this execution of the region has ended. Signal-safe. */
static inline int board_is_over(const struct region *region, uint32_t instance)
{
	return __atomic_load_n(&region->generation, __ATOMIC_RELAXED) != instance;
}

/*
 * Publishes the team of which the thread is a member: the team of its innermost implicit task.
 * Owning thread only.
 */
void board_publish(struct thread *thread);

/*
 * Does as board_publish(), given the thread's innermost implicit task: NULL if there is none, or if
 * its region is not known. Owning thread only.
 */
static inline void board_publish_task(struct thread *thread, const struct task *task)
{
	struct profile_now *now = &thread->record->now;

	BOARD_WRITE(now->team, 0);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	if (!task) {
		BOARD_WRITE(now->region, 0);
		BOARD_WRITE(now->is_idle, thread->idle.is_idle);
		thread->waits.team_weight = 1;
		return;
	}
	BOARD_WRITE(now->instance, task->generation);
	BOARD_WRITE(now->thread_num, task->thread_num);
	BOARD_WRITE(now->region, task->context);
	BOARD_WRITE(now->is_idle, 0);
	thread->waits.team_weight = task->weight;
	__atomic_store_n(&now->team, (uint64_t)task->region, __ATOMIC_RELEASE);
}

/*
 * Publishes the call in which the current task waits, unless it waits at a closing barrier.
 * Owning thread only.
 */
static inline void board_publish_site(struct thread *thread, struct task *task, const void *codeptr)
{
	task->codeptr = codeptr;
	BOARD_WRITE(thread->record->now.site, (uint64_t)codeptr);
}

/*
 * Publishes what the current task waits for; 0: it does not wait. Whoever sees this also sees all
 * that the thread has published before, and the waits that it has added. Owning thread only.
 */
static inline void board_publish_wait(struct thread *thread, uint32_t wait, uint64_t since)
{
	BOARD_WRITE(thread->record->now.since, since);
	__atomic_store_n(&thread->record->now.wait, (uint8_t)wait, __ATOMIC_RELEASE);
}

/*
 * Publishes the mutex for which the thread asks. `mutex` is stored last. Nothing changes if that is
 * published already, so a holder that releases the mutex at the same time finds the wait.
 * Owning thread only.
 */
static inline void board_publish_mutex(
	struct profile_now *now, uint64_t mutex, uint32_t kind, uint64_t since)
{
	if (now->mutex != mutex)
		BOARD_WRITE(now->mutex, 0);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	if (now->mutex_leaf)
		BOARD_WRITE(now->mutex_leaf, 0);
	if (now->mutex_since != since)
		BOARD_WRITE(now->mutex_since, since);
	if (now->mutex_until != MUTEX_WAITS)
		__atomic_store_n(&now->mutex_until, MUTEX_WAITS, __ATOMIC_RELEASE);
	if (now->mutex_kind != kind)
		BOARD_WRITE(now->mutex_kind, kind);
	__atomic_store_n(&now->mutex, mutex, __ATOMIC_RELEASE);
}

/*
 * Publishes since when the thread is a member of the task's team, if that is known.
 * Owning thread only.
 */
static inline void board_publish_begun(struct thread *thread, const struct task *task)
{
	struct profile_now *now = &thread->record->now;

	BOARD_WRITE(now->begun, task->begun);
	BOARD_WRITE(now->begun_region, task->context);
	BOARD_WRITE(now->begun_instance, task->generation);
}

/*
 * The thread does not wait any more for the mutex that it asked for. The mutex that it has
 * published stays: the thread that owned it before may look only now. Owning thread only.
 */
static inline void board_end_mutex(struct thread *thread)
{
	struct task *task = thread_waiter(thread);

	thread->mutexes.requested.kind = PROFILE_NO_WAIT;
	board_publish_wait(thread, task ? task->wait : 0,
		task && task->since ? task->since + task->ticks_on_top : 0);
}

/* Does as board_end_mutex() for a thread that goes on without the mutex. Owning thread only. */
static inline void board_give_up_mutex(struct thread *thread)
{
	BOARD_WRITE(thread->record->now.mutex, 0);
	if (thread->mutexes.requested.slot)
		thread->mutexes.requested.slot->n_owed += thread->mutexes.requested.n_owed;
	board_end_mutex(thread);
}

#endif
