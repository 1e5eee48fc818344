/* SPDX-License-Identifier: Apache-2.0 */
/* Registration of the callbacks; see callbacks.h. OpenMP 5.1, 4.5.2. */
#include "sampler/callbacks.h"

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "profile/event_names.h"
#include "profile/writer.h"
#include "sampler/control.h"
#include "sampler/enter.h"
#include "sampler/events.h"
#include "sampler/events_counted.h"
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
		wait_become_idle(thread, tool_time());
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
	wait_finish(thread, tool_time());
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

/* One past the largest number of OpenMP 5.1, ompt_callback_error. */
enum { N_CALLBACKS = 38 };

/* The answers of a runtime. */
struct answers {
	ompt_set_callback_t set_callback;
	char *missing;
	size_t bytes, used;
};

/* Notes what the runtime says of an event that is to be counted. */
static void note_counted(ompt_callbacks_t event, int result)
{
	struct profile_header *header = writer_header();
	uint64_t bit = 1ULL << event & tool.settings.events;

	header->counted |= bit;
	if (result <= ompt_set_impossible)
		header->counted_never |= bit;
	else if (result != ompt_set_always)
		header->counted_sometimes |= bit;
}

/* Asks for an event: for the callback that counts it, if that is wanted. */
static void ask_for(struct answers *answers, ompt_callbacks_t event, ompt_callback_t callback)
{
	ompt_callback_t counted = events_counted_callback(event);
	int n, result = answers->set_callback(event, counted ? counted : callback);

	if (counted)
		note_counted(event, result);
	if (result > ompt_set_impossible)
		writer_header()->waits |= waits_of_event(event);
	/* A runtime that takes no commands makes no profile coarser. */
	if (result > ompt_set_impossible || event == ompt_callback_control_tool ||
		answers->used >= answers->bytes)
		return;
	n = snprintf(answers->missing + answers->used, answers->bytes - answers->used, "%s%s",
		answers->used ? ", " : "", event_name(event));
	answers->used += n > 0 ? (size_t)n : 0;
}

void callbacks_register(ompt_set_callback_t set_callback, char *missing, size_t bytes)
{
	/* Those that contexts, waits and blame need. */
	static const ompt_callback_t defaults[N_CALLBACKS] = {
		[ompt_callback_thread_begin] = (ompt_callback_t)on_thread_begin,
		[ompt_callback_thread_end] = (ompt_callback_t)on_thread_end,
		[ompt_callback_parallel_begin] = (ompt_callback_t)on_parallel_begin,
		[ompt_callback_parallel_end] = (ompt_callback_t)on_parallel_end,
		[ompt_callback_implicit_task] = (ompt_callback_t)on_implicit_task,
		[ompt_callback_task_create] = (ompt_callback_t)on_task_create,
		[ompt_callback_task_schedule] = (ompt_callback_t)on_task_schedule,
		[ompt_callback_task_dependence] = (ompt_callback_t)on_task_dependence,
		[ompt_callback_sync_region_wait] = (ompt_callback_t)on_sync_region_wait,
		[ompt_callback_mutex_acquire] = (ompt_callback_t)on_mutex_acquire,
		[ompt_callback_mutex_acquired] = (ompt_callback_t)on_mutex_acquired,
		[ompt_callback_mutex_released] = (ompt_callback_t)on_mutex_released,
		[ompt_callback_nest_lock] = (ompt_callback_t)on_nest_lock,
		[ompt_callback_reduction] = (ompt_callback_t)on_reduction,
		[ompt_callback_control_tool] = (ompt_callback_t)on_control_tool,
	};
	struct answers answers = { set_callback, missing, bytes, 0 };

	missing[0] = '\0';
	for (int i = 1; i < N_CALLBACKS; i++) {
		ompt_callbacks_t event = (ompt_callbacks_t)i;

		if (defaults[i] || events_counted_callback(event))
			ask_for(&answers, event, defaults[i]);
	}
}
