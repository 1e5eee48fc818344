/* SPDX-License-Identifier: Apache-2.0 */
/* Waits of doacross loops; see doacross.h. Not for the signal handler. */
#include "sampler/threads/doacross.h"

#include <omp-tools.h>

#include "sampler/core/classify.h"
#include "sampler/threads/callback_enter.h"
#include "sampler/threads/mutex.h"

static void begin(void)
{
	struct thread *thread = enter();
	struct task *task;

	if (!thread)
		return;
	task = thread_waiter(thread);
	if (task)
		task->mutex = OWN_ORDERED;
	mutex_ask(thread, PROFILE_ORDERED, 0);
	leave(thread);
}

void doacross_on_wait(int endpoint, const void *codeptr_ra)
{
	struct thread *thread;

	if (endpoint != ompt_scope_end) {
		begin();
		return;
	}
	thread = callback_enter_with_mutex();
	if (!thread)
		return;
	callback_forget_mutex(thread);
	mutex_end_turn(thread, codeptr_ra);
	leave(thread);
}
