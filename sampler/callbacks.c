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

/*
 * Target regions and devices, of which most runtimes and programs have none: nothing is missing then. Of each pair only
 * one is asked for, the older form where the runtime does not have the other, or that one more surely.
 */
static void register_target(ompt_set_callback_t set_callback)
{
	static const struct {
		ompt_callbacks_t event, older;
		ompt_callback_t callback, older_callback;
	} pairs[] = {
		{ ompt_callback_target_emi, ompt_callback_target, (ompt_callback_t)on_target_emi,
			(ompt_callback_t)on_target },
		{ ompt_callback_target_data_op_emi, ompt_callback_target_data_op,
			(ompt_callback_t)on_target_data_op_emi,
			(ompt_callback_t)on_target_data_op },
		{ ompt_callback_target_submit_emi, ompt_callback_target_submit,
			(ompt_callback_t)on_target_submit_emi, (ompt_callback_t)on_target_submit },
		{ ompt_callback_target_map_emi, ompt_callback_target_map,
			(ompt_callback_t)on_target_map_emi, (ompt_callback_t)on_target_map },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		int result = set_callback(pairs[i].event, pairs[i].callback);

		/* Begin and end come both, or neither: that is enough. */
		if (result >= ompt_set_sometimes_paired)
			continue;
		if (result == ompt_set_sometimes)
			set_callback(pairs[i].event, NULL);
		if (set_callback(pairs[i].older, pairs[i].older_callback) > ompt_set_sometimes ||
			result != ompt_set_sometimes)
			continue;
		set_callback(pairs[i].older, NULL);
		set_callback(pairs[i].event, pairs[i].callback);
	}
	set_callback(ompt_callback_device_initialize, (ompt_callback_t)on_device_initialize);
	set_callback(ompt_callback_device_finalize, (ompt_callback_t)on_device_finalize);
	set_callback(ompt_callback_device_load, (ompt_callback_t)on_device_load);
	set_callback(ompt_callback_device_unload, (ompt_callback_t)on_device_unload);
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
	register_target(set_callback);
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
