/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime's own team; see helper.h. Not for the signal handler. */
#include "sampler/helper.h"

#include <stddef.h>
#include <unistd.h>

#include "sampler/classify.h"
#include "sampler/tasks.h"
#include "sampler/team.h"
#include "sampler/tool.h"

/* Whether the thread executes nothing but what the runtime begins a thread with. */
static int has_begun(const struct thread *thread)
{
	return thread->n_regions > 0 || thread->n_tasks > 1 ||
	       (thread->n_tasks == 1 && thread->tasks[0].has_team);
}

int helper_is_region(const struct thread *thread, int flags, const void *codeptr_ra)
{
	return tool_is_runtimes(codeptr_ra) && !(flags & ompt_parallel_league) &&
	       thread->record->type != ompt_thread_worker && !thread->start.routine &&
	       thread->record->tid != (uint32_t)getpid() && !has_begun(thread);
}

void helper_become(struct thread *thread)
{
	struct profile_thread *record = thread->record;

	record->type = ompt_thread_other;
	__atomic_fetch_or(&record->flags, PROFILE_THREAD_HELPER, __ATOMIC_RELAXED);
	/* The runtime has begun it as a worker. */
	thread->is_idle = 0;
	thread->idle_since = 0;
}

/* It has no team that others could wait in, and its wait is not timed: neither is it among those that work, nor among
   those that wait for them. */
void helper_begin(struct thread *thread, const ompt_data_t *task_data)
{
	struct task *task;

	if (!(thread->record->flags & PROFILE_THREAD_HELPER))
		helper_become(thread);
	task = tasks_push(thread, task_data, 0);
	task->is_implicit = 1;
	task->sync = OWN_BARRIER;
	task->wait = PROFILE_IDLE_BEFORE;
	team_publish_task(thread, NULL);
	team_publish_wait(thread, PROFILE_IDLE_BEFORE, 0);
}
