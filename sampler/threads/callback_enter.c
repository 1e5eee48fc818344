/* SPDX-License-Identifier: Apache-2.0 */
/* The rare ways into a callback; see callback_enter.h. Not for the signal handler. */
#include "sampler/threads/callback_enter.h"

#include "sampler/core/classify.h"
#include "sampler/core/thread_board.h"

void callback_forget_mutex(struct thread *thread)
{
	struct task *task = thread_waiter(thread);

	if (task)
		task->mutex = OWN_NONE;
}

void callback_catch_up(struct thread *thread)
{
	if (thread->gate.unseen && thread->gate.unseen != UNSEEN_MET)
		unseen_end(thread);
	if (thread->quick.phase)
		mutex_fast_leave(thread);
	if (thread->mutexes.requested.kind) {
		callback_forget_mutex(thread);
		board_give_up_mutex(thread);
	}
	if (thread_has_news(thread))
		phase_follow(thread);
}
