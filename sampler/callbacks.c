/* SPDX-License-Identifier: Apache-2.0 */
/* Registration of the callbacks; see callbacks.h. OpenMP 5.1, 4.5.2. */
#include "sampler/callbacks.h"

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "profile/writer.h"
#include "sampler/enter.h"
#include "sampler/events.h"
#include "sampler/team.h"
#include "sampler/thread.h"
#include "sampler/tool.h"
#include "sampler/wait.h"

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread_data)
{
	struct thread *thread;

	if (tool_is_inherited())
		tool_start();
	if (!tool_is_on())
		return;
	thread = thread_register(type);
	if (!thread)
		return;
	thread->is_openmp = 1;
	if (type == ompt_thread_worker)
		wait_become_idle(thread, tool_ticks());
	team_publish(thread);
}

static void on_thread_end(ompt_data_t *thread_data)
{
	struct thread *thread = enter();

	if (!thread)
		return;
	/* The process's first thread and the program's own outlive the runtime. */
	thread->is_openmp = 0;
	thread->n_regions = 0;
	wait_finish(thread, tool_ticks());
	leave(thread);
	if (thread->record->tid != (uint32_t)getpid() && !thread->start.routine)
		thread_unregister();
}

/* What the runtime tells of waits, as bits by enum profile_wait. */
static uint32_t waits_of_event(ompt_callbacks_t event)
{
	switch (event) {
	case ompt_callback_sync_region_wait:
		return (1u << PROFILE_LOCK) - (1u << PROFILE_BARRIER_CLOSING);
	case ompt_callback_mutex_acquired:
		return (1u << PROFILE_REDUCTION) - (1u << PROFILE_LOCK);
	case ompt_callback_reduction:
		return 1u << PROFILE_REDUCTION;
	case ompt_callback_implicit_task:
		return (1u << PROFILE_N_WAITS) - (1u << PROFILE_IDLE_BEFORE);
	default:
		return 0;
	}
}

void callbacks_register(ompt_set_callback_t set_callback, char *missing, size_t bytes)
{
	static const struct {
		ompt_callbacks_t event;
		ompt_callback_t callback;
		const char *name;
	} table[] = {
		{ ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin, "thread_begin" },
		{ ompt_callback_thread_end, (ompt_callback_t)on_thread_end, "thread_end" },
		{ ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin,
			"parallel_begin" },
		{ ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end, "parallel_end" },
		{ ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task, "implicit_task" },
		{ ompt_callback_task_create, (ompt_callback_t)on_task_create, "task_create" },
		{ ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule, "task_schedule" },
		{ ompt_callback_task_dependence, (ompt_callback_t)on_task_dependence,
			"task_dependence" },
		{ ompt_callback_sync_region_wait, (ompt_callback_t)on_sync_region_wait,
			"sync_region_wait" },
		{ ompt_callback_mutex_acquire, (ompt_callback_t)on_mutex_acquire, "mutex_acquire" },
		{ ompt_callback_mutex_acquired, (ompt_callback_t)on_mutex_acquired,
			"mutex_acquired" },
		{ ompt_callback_mutex_released, (ompt_callback_t)on_mutex_released,
			"mutex_released" },
		{ ompt_callback_nest_lock, (ompt_callback_t)on_nest_lock, "nest_lock" },
		{ ompt_callback_reduction, (ompt_callback_t)on_reduction, "reduction" },
	};
	size_t used = 0;

	missing[0] = '\0';
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		int n, result = set_callback(table[i].event, table[i].callback);

		if (result > ompt_set_impossible)
			writer_header()->waits |= waits_of_event(table[i].event);
		if (result > ompt_set_impossible || used >= bytes)
			continue;
		n = snprintf(missing + used, bytes - used, "%s%s", used ? ", " : "", table[i].name);
		used += n > 0 ? (size_t)n : 0;
	}
}
