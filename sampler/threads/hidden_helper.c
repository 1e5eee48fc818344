/* SPDX-License-Identifier: Apache-2.0 */
/* The runtime's own team; see hidden_helper.h. Not for the signal handler. */
#include "sampler/threads/hidden_helper.h"

#include <stddef.h>
#include <unistd.h>
#include <sys/auxv.h>

#include "sampler/core/classify.h"
#include "sampler/core/path.h"
#include "sampler/threads/task_stack.h"
#include "sampler/core/thread_board.h"
#include "sampler/core/tool.h"
#include "unwinder/core/loaded.h"

static int is_within(uint64_t ip, uint64_t lo, uint64_t hi)
{
	return ip >= lo && ip < hi;
}

int hidden_helper_is_runtime_code(const void *address)
{
	return runtime_code_has(tool.runtime_code, (uint64_t)address) &&
	       !runtime_code_has(tool.runtime_code, getauxval(AT_PHDR));
}

/* Whether the thread executes more than the task that the runtime begins each thread with. */
static int has_begun(const struct thread *thread)
{
	return thread->regions.n > 0 || thread->tasks.n > 1 ||
	       (thread->tasks.n == 1 && thread->tasks.at[0].has_team);
}

/*
 * Whether only the runtime is on the thread's stack, between the C library, which starts threads,
 * and the tool.
 */
static int is_alone(struct thread *thread, const ompt_frame_t *frame)
{
	const struct walk_path *path = &thread->path;
	struct walk_registers here;
	struct walk_bounds bounds = { .hi = thread->stack.hi };
	struct path_place place;
	struct loaded library;
	uint32_t n, i;

	walk_registers_here(&here);
	bounds.lo = here.reg[WALK_SP];
	if (bounds.lo < thread->stack.lo || bounds.lo >= bounds.hi)
		return 0;
	path_find_place(thread, frame, &place);
	if (tool.walker->refresh)
		tool.walker->refresh();
	path_walk(thread, &place, &here, &bounds);
	n = path->n;
	if (path->end != WALK_COMPLETE || !n || loaded_find(path->frame[n - 1].ip, &library) != 0)
		return 0;
	while (n > 0 && is_within(path->frame[n - 1].ip, library.lo, library.hi))
		n--;
	for (i = 0; i < n && is_within(path->frame[i].ip, tool.tool_lo, tool.tool_hi);)
		i++;
	while (i < n && runtime_code_has(tool.runtime_code, path->frame[i].ip))
		i++;
	return i == n;
}

int hidden_helper_is_region(
	struct thread *thread, const ompt_frame_t *frame, int flags, const void *codeptr_ra)
{
	return hidden_helper_is_runtime_code(codeptr_ra) && !(flags & ompt_parallel_league) &&
	       thread->record->type != ompt_thread_worker && !thread->start.routine &&
	       thread->record->tid != (uint32_t)getpid() && !has_begun(thread) &&
	       is_alone(thread, frame);
}

void hidden_helper_become(struct thread *thread)
{
	struct profile_thread *record = thread->record;

	record->type = ompt_thread_other;
	__atomic_fetch_or(&record->flags, PROFILE_THREAD_HELPER, __ATOMIC_RELAXED);
	/* The runtime has begun the thread as a worker. */
	thread->idle.is_idle = 0;
	thread->idle.since = 0;
}

/*
 * The helper has no team that others could wait in, and its wait is not timed. So it neither counts
 * as a working thread nor as a thread that waits for working threads.
 */
void hidden_helper_begin(struct thread *thread, const ompt_data_t *task_data)
{
	struct task *task;

	if (!(thread->record->flags & PROFILE_THREAD_HELPER))
		hidden_helper_become(thread);
	task = tasks_push(thread, task_data, 0);
	task->is_implicit = 1;
	task->sync = OWN_BARRIER;
	task->wait = PROFILE_IDLE_BEFORE;
	board_publish_task(thread, NULL);
	board_publish_wait(thread, PROFILE_IDLE_BEFORE, 0);
}
