/* SPDX-License-Identifier: Apache-2.0 */
/* Events of mutexes; see events.h. OpenMP 5.1, 4.5.2. */
#include <omp-tools.h>

#include "sampler/core/classify.h"
#include "sampler/tool/events.h"
#include "sampler/threads/mutex.h"
#include "sampler/core/mutex_fast.h"
#include "sampler/core/thread.h"

static __attribute__((noinline)) void acquire(ompt_mutex_t kind, unsigned int hint,
	unsigned int impl, ompt_wait_id_t wait_id, const void *codeptr_ra)
{
	enum own_wait own = classify_mutex(kind);
	uint32_t wait = mutex_kind(kind);
	struct thread *thread;
	uint64_t since;
	struct task *task;

	thread = callback_enter_with_mutex();
	if (!thread)
		return;
	if (thread->quick.phase)
		mutex_fast_leave(thread);
	since = mutex_try(thread, wait, wait_id, codeptr_ra);
	if (since)
		own = OWN_LOCK;
	else if (thread->mutexes.requested.kind)
		board_give_up_mutex(thread);
	task = thread_waiter(thread);
	if (task)
		task->mutex = (uint8_t)own;
	if (since)
		mutex_ask_again(thread, wait, wait_id, since);
	else if (own != OWN_NONE)
		mutex_ask(thread, wait, wait_id);
	if (own != OWN_NONE)
		mutex_note_impl(thread, impl, hint);
	leave(thread);
}

void on_mutex_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int impl,
	ompt_wait_id_t wait_id, const void *codeptr_ra)
{
	if (!mutex_fast_event(wait_id, kind, MUTEX_FAST_NONE, MUTEX_FAST_ASKED))
		acquire(kind, hint, impl, wait_id, codeptr_ra);
}

static __attribute__((noinline)) void acquired(
	ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra)
{
	struct thread *thread = callback_enter_with_mutex();
	uint32_t wait;

	if (!thread)
		return;
	if (thread->quick.phase)
		mutex_fast_leave(thread);
	callback_forget_mutex(thread);
	wait = mutex_kind(kind);
	/* No request was noted for a mutex of an unknown kind. */
	if (wait != PROFILE_NO_WAIT)
		mutex_got(thread, wait, wait_id, codeptr_ra);
	leave(thread);
}

void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra)
{
	if (!mutex_fast_event(wait_id, kind, MUTEX_FAST_ASKED, MUTEX_FAST_HELD))
		acquired(kind, wait_id, codeptr_ra);
}

/* A nested lock that the thread held already was set or unset: it did not wait. */
void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id, const void *codeptr_ra)
{
	struct thread *thread = enter();

	if (thread)
		leave(thread);
}

static __attribute__((noinline)) void released(
	ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra)
{
	struct thread *thread = callback_enter_release();

	if (!thread)
		return;
	mutex_released(thread, kind, wait_id, codeptr_ra);
	leave(thread);
}

void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra)
{
	if (!mutex_fast_event(wait_id, kind, MUTEX_FAST_HELD, MUTEX_FAST_NONE))
		released(kind, wait_id, codeptr_ra);
}
