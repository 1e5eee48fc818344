/* SPDX-License-Identifier: Apache-2.0 */
/* Events that are counted (--events); see events.h. OpenMP 5.1, 4.5.2. */
#include "sampler/tool/events.h"

#include <stddef.h>

#include "profile/shared/event_names.h"
#include "sampler/tool/control.h"
#include "sampler/threads/count.h"
#include "sampler/threads/task_stack.h"

/* Kinds of dispatch of OpenMP 5.2, in which instance points to a chunk. */
enum { DISPATCH_WS_LOOP_CHUNK = 3, DISPATCH_DISTRIBUTE_CHUNK = 5 };

/* Higher types of dependences count as type 0. */
enum { COUNT_DEPENDENCE_TYPES = 8 };

struct dispatch_chunk {
	uint64_t start;
	uint64_t iterations;
};

static int is_asked_for(enum profile_event event)
{
	return (tool.settings.events >> event & 1) != 0;
}

/*
 * Begins a callback that changes nothing of the thread's state, and does not count as an event:
 * other code draws conclusions from events and from their absence.
 */
static inline struct thread *enter_to_count(void)
{
	struct thread *thread = tool_is_on() ? thread_self() : NULL;

	if (!thread)
		return NULL;
	thread->gate.in_tool++;
	atomic_signal_fence(memory_order_seq_cst);
	if (thread_has_news(thread)) {
		region_fast_flush(thread);
		phase_follow(thread);
	} else {
		region_fast_flush_if_left(thread);
	}
	return thread;
}

static inline void count(enum profile_event event, uint64_t detail, const void *codeptr_ra)
{
	struct thread *thread = enter_to_count();

	if (!thread)
		return;
	count_here(thread, PROFILE_EVENT_KEY(event, detail), codeptr_ra, 0);
	leave(thread);
}

/* Whether the parts of a construct of this type are handed out one by one. */
static int has_parts(ompt_work_t wstype)
{
	return wstype != ompt_work_single_executor && wstype != ompt_work_single_other &&
	       wstype != ompt_work_workshare && wstype != ompt_work_scope;
}

static void on_work_counted(ompt_work_t wstype, ompt_scope_endpoint_t endpoint,
	ompt_data_t *parallel_data, ompt_data_t *task_data, uint64_t amount, const void *codeptr_ra)
{
	struct thread *thread = enter_to_count();
	struct count_note *note;
	uint32_t is_looked = 0;

	if (!thread)
		return;
	if (endpoint == ompt_scope_end) {
		if (has_parts(wstype))
			count_end_work(thread);
		leave(thread);
		return;
	}
	note = count_site(thread, PROFILE_EVENT_KEY(PROFILE_EVENT_WORK, wstype),
		(uint64_t)codeptr_ra, &is_looked);
	if (is_asked_for(PROFILE_EVENT_WORK))
		count_note(thread, note, is_looked, amount);
	if (note && has_parts(wstype))
		count_begin_work(thread, note->path, is_looked);
	leave(thread);
}

static void on_dispatch_counted(ompt_data_t *parallel_data, ompt_data_t *task_data,
	ompt_dispatch_t kind, ompt_data_t instance)
{
	struct thread *thread = enter_to_count();
	const struct dispatch_chunk *chunk = instance.ptr;
	uint64_t iterations = 1;

	if (!thread)
		return;
	if ((int)kind >= DISPATCH_WS_LOOP_CHUNK && (int)kind <= DISPATCH_DISTRIBUTE_CHUNK)
		iterations = chunk ? chunk->iterations : 0;
	count_part(thread, PROFILE_EVENT_KEY(PROFILE_EVENT_DISPATCH, kind), iterations);
	leave(thread);
}

static void on_masked_counted(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
	ompt_data_t *task_data, const void *codeptr_ra)
{
	if (endpoint != ompt_scope_end)
		count(PROFILE_EVENT_MASKED, 0, codeptr_ra);
}

static void on_sync_region_counted(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt_data_t *parallel_data, ompt_data_t *task_data, const void *codeptr_ra)
{
	if (endpoint != ompt_scope_end)
		count(PROFILE_EVENT_SYNC_REGION, kind, codeptr_ra);
}

static void on_lock_init_counted(ompt_mutex_t kind, unsigned int hint, unsigned int impl,
	ompt_wait_id_t wait_id, const void *codeptr_ra)
{
	count(PROFILE_EVENT_LOCK_INIT, kind, codeptr_ra);
}

static void on_lock_destroy_counted(
	ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra)
{
	count(PROFILE_EVENT_LOCK_DESTROY, kind, codeptr_ra);
}

static void on_flush_counted(ompt_data_t *thread_data, const void *codeptr_ra)
{
	count(PROFILE_EVENT_FLUSH, 0, codeptr_ra);
}

static void on_cancel_counted(ompt_data_t *task_data, int flags, const void *codeptr_ra)
{
	count(PROFILE_EVENT_CANCEL, (uint32_t)flags, codeptr_ra);
}

static void on_error_counted(
	ompt_severity_t severity, const char *message, size_t length, const void *codeptr_ra)
{
	count(PROFILE_EVENT_ERROR, severity, codeptr_ra);
}

static int on_control_tool_counted(
	uint64_t command, uint64_t modifier, void *arg, const void *codeptr_ra)
{
	count(PROFILE_EVENT_CONTROL_TOOL, command, codeptr_ra);
	return on_control_tool(command, modifier, arg, codeptr_ra);
}

/*
 * The return address of the task's creation, if the thread created it last; else NULL. The note is
 * of an older construct if the task has no node of its own.
 */
static const void *codeptr_of(const struct thread *thread, const ompt_data_t *task_data)
{
	const struct create_note *note = thread->paths.latest;

	if (!note || !task_data || thread->tasks.created_data != task_data ||
		tasks_node(task_data->value) != note->node)
		return NULL;
	return (const void *)note->addr;
}

/* An event counts once for each type of dependence in it, with the number of these dependences. */
static void on_dependences_counted(ompt_data_t *task_data, const ompt_dependence_t *deps, int n)
{
	struct thread *thread = enter_to_count();
	uint32_t n_of[COUNT_DEPENDENCE_TYPES] = { 0 };

	if (!thread)
		return;
	for (int i = 0; i < n; i++) {
		uint32_t type = (uint32_t)deps[i].dependence_type;

		n_of[type < COUNT_DEPENDENCE_TYPES ? type : 0]++;
	}
	for (uint32_t type = 0; type < COUNT_DEPENDENCE_TYPES; type++) {
		if (n_of[type])
			count_here(thread, PROFILE_EVENT_KEY(PROFILE_EVENT_DEPENDENCES, type),
				codeptr_of(thread, task_data), n_of[type]);
	}
	leave(thread);
}

static void on_task_dependence_counted(ompt_data_t *source, ompt_data_t *sink)
{
	struct thread *thread;

	on_task_dependence(source, sink);
	thread = enter_to_count();
	if (!thread)
		return;
	count_here(thread, PROFILE_EVENT_KEY(PROFILE_EVENT_TASK_DEPENDENCE, 0),
		codeptr_of(thread, sink), 0);
	leave(thread);
}

static void on_task_create_counted(ompt_data_t *encountering_task_data,
	const ompt_frame_t *encountering_task_frame, ompt_data_t *new_task_data, int flags,
	int has_dependences, const void *codeptr_ra)
{
	on_task_create(encountering_task_data, encountering_task_frame, new_task_data, flags,
		has_dependences, codeptr_ra);
	count(PROFILE_EVENT_TASK_CREATE, (uint32_t)flags, codeptr_ra);
}

static uint32_t node_of_task(struct thread *thread, const ompt_data_t *data)
{
	uint64_t value = data ? data->value : 0;
	uint32_t context = tasks_is_known(thread, value) ? tasks_node(value) : 0;

	return context ? wait_note(thread, context)->node : thread->cct.root;
}

/* The prior task is counted first: its data is gone after the event. */
static void on_task_schedule_counted(ompt_data_t *prior_task_data,
	ompt_task_status_t prior_task_status, ompt_data_t *next_task_data)
{
	struct thread *thread = enter_to_count();

	if (thread) {
		count_under(thread,
			PROFILE_EVENT_KEY(PROFILE_EVENT_TASK_SCHEDULE, prior_task_status),
			node_of_task(thread, prior_task_data));
		leave(thread);
	}
	on_task_schedule(prior_task_data, prior_task_status, next_task_data);
}

ompt_callback_t events_counted_callback(ompt_callbacks_t event)
{
	static const ompt_callback_t callbacks[] = {
#define COUNTED(NAME, number, name, ...)                                                           \
	[ompt_callback_##name] = (ompt_callback_t)on_##name##_counted,
#include "profile/shared/events.def"
	};
	int is_needed = is_asked_for((enum profile_event)event);

	/* Parts that are handed out need the event of their construct. */
	if (event == ompt_callback_work)
		is_needed |= is_asked_for(PROFILE_EVENT_DISPATCH);
	if (!is_needed || (size_t)event >= sizeof(callbacks) / sizeof(callbacks[0]))
		return NULL;
	return callbacks[event];
}
