/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The OMPT callbacks. They keep each thread's context current for the thread's handler (its tasks,
 * its regions, its wait), and capture creation paths. A callback runs on the thread that has the
 * event, and keeps the handler out while it works. In a child made by fork the tool is off at
 * first. Events that can be a thread's first event start it there: the begin of a thread or of a
 * region, implicit tasks, target constructs and their operations, devices, and commands. All other
 * callbacks return at once while the tool is off. on_control_tool is in control.h.
 */
#ifndef OMPPROF_SAMPLER_TOOL_EVENTS_H
#define OMPPROF_SAMPLER_TOOL_EVENTS_H

#include <omp-tools.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/threads/callback_enter.h"

/*
 * The struct of a thread that never had a thread_begin event, such as the only thread of a child
 * made by fork, where it starts the tool first. NULL if the tool is off, or without space.
 * Owning thread only.
 */
struct thread *callback_adopt(uint32_t type);

/*
 * Begins a callback of an event that can be the first event of a thread without a thread_begin
 * event. Returns as `enter` does. Owning thread only.
 */
static inline struct thread *callback_enter_first(uint32_t type)
{
	struct thread *thread = tool_is_on() ? thread_self() : NULL;

	if (!thread || !thread->life.is_openmp)
		thread = callback_adopt(type);
	if (thread)
		callback_enter_known(thread);
	return thread;
}

/*
 * Registers the callbacks that the runtime has. A missing callback makes the profile coarser:
 * `missing` (of `bytes`) gets the names, "" if none is missing. Callbacks of devices and of
 * control_tool are never missing in this sense. Owning thread only.
 */
void callbacks_register(ompt_set_callback_t set_callback, char *missing, size_t bytes);

/*
 * The callback that counts this event (count.h). Where the event has another callback, it calls
 * that, too. NULL if the user did not ask for the event (tool.settings.events; dispatch needs work,
 * too), or if it cannot be counted. Owning thread only.
 */
ompt_callback_t events_counted_callback(ompt_callbacks_t event);

/* Owning thread only. */
void on_parallel_begin(ompt_data_t *encountering_task_data,
	const ompt_frame_t *encountering_task_frame, ompt_data_t *parallel_data,
	unsigned int requested_parallelism, int flags, const void *codeptr_ra);
void on_parallel_end(ompt_data_t *parallel_data, ompt_data_t *encountering_task_data, int flags,
	const void *codeptr_ra);
void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
	ompt_data_t *task_data, unsigned int actual_parallelism, unsigned int index, int flags);
void on_task_create(ompt_data_t *encountering_task_data,
	const ompt_frame_t *encountering_task_frame, ompt_data_t *new_task_data, int flags,
	int has_dependences, const void *codeptr_ra);
void on_task_schedule(ompt_data_t *prior_task_data, ompt_task_status_t prior_task_status,
	ompt_data_t *next_task_data);
void on_task_dependence(ompt_data_t *src_task_data, ompt_data_t *sink_task_data);
void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt_data_t *parallel_data, ompt_data_t *task_data, const void *codeptr_ra);
void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt_data_t *parallel_data, ompt_data_t *task_data, const void *codeptr_ra);
void on_mutex_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int impl,
	ompt_wait_id_t wait_id, const void *codeptr_ra);
void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra);
void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id, const void *codeptr_ra);
void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra);

/*
 * Registers the callbacks of target regions and devices. Most programs have no target regions, so
 * nothing is reported as missing. Only one form of each pair is registered: the older form where
 * the runtime does not have the newer form, or reports the older form more surely.
 * Owning thread only.
 */
void events_target_register(ompt_set_callback_t set_callback);

/* Events of the region fast path (region_fast.h) when it is not their turn. Owning thread only. */
void event_parallel_begin(
	const ompt_frame_t *frame, ompt_data_t *parallel_data, int flags, const void *codeptr_ra);
void event_parallel_end(int flags);
void event_implicit_task(ompt_scope_endpoint_t endpoint, const ompt_data_t *parallel_data,
	ompt_data_t *task_data, unsigned int n_threads, unsigned int index, int flags);
void event_sync_region_wait(uint32_t kind, ompt_scope_endpoint_t endpoint, const void *codeptr_ra);

/* Whether the event is all over, because the thread's tasks are unseen. Owning thread only. */
int events_unseen_sync(uint32_t kind, ompt_scope_endpoint_t endpoint, const void *codeptr_ra);

#endif
