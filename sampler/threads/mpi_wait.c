/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of MPI as measured waits; see mpi_wait.h. Not for the signal handler. */
#include "sampler/threads/mpi_wait.h"

#include <errno.h>
#include <stddef.h>

#include "profile/core/writer.h"
#include "sampler/core/classify.h"
#include "sampler/threads/callback_enter.h"
#include "sampler/threads/wait.h"

/* Whether the current task begins to wait for MPI: it is in no wait, and in no call of MPI. */
static int may_begin(struct thread *thread, struct task *task, uint64_t frame)
{
	if (!task || thread->gate.in_tool > 1)
		return 0;
	if (task->wait == PROFILE_MPI && frame >= thread->mpi.frame)
		wait_cut(thread, task, tool_time());
	return !task->wait && task->sync == OWN_NONE;
}

/* From now on the profile has measured waits for MPI. */
static void note_measured(void)
{
	uint32_t *waits = &writer_header()->waits, bit = 1u << PROFILE_MPI;

	if (!(__atomic_load_n(waits, __ATOMIC_RELAXED) & bit))
		__atomic_fetch_or(waits, bit, __ATOMIC_RELAXED);
}

int mpi_begin(uint64_t function, uint64_t frame)
{
	int saved = errno, is_begun;
	struct thread *thread = enter();
	struct task *task;

	if (!thread)
		return 0;
	task = thread_waiter(thread);
	is_begun = may_begin(thread, task, frame);
	if (is_begun) {
		note_measured();
		thread->mpi = (struct thread_mpi){ function, frame };
		task->sync = OWN_MPI;
		wait_begin(thread, task, PROFILE_MPI);
	}
	leave(thread);
	errno = saved;
	return is_begun;
}

void mpi_end(const void *caller)
{
	int saved = errno;
	struct thread *thread = enter();

	if (!thread)
		return;
	if (mpi_is_in(thread)) {
		struct task *task = thread_waiter(thread);

		wait_end(thread, task, caller);
		task->sync = OWN_NONE;
		wait_drop_stamp(thread);
	}
	leave(thread);
	errno = saved;
}
