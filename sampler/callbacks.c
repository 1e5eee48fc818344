/* SPDX-License-Identifier: Apache-2.0 */
/* The OMPT callbacks; see callbacks.h. OpenMP 5.1, 4.5.2. */
#include "sampler/callbacks.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "profile/writer.h"
#include "sampler/capture.h"
#include "sampler/classify.h"
#include "sampler/construct.h"
#include "sampler/handler.h"
#include "sampler/mask.h"
#include "sampler/modules.h"
#include "sampler/mutex.h"
#include "sampler/mutex_quick.h"
#include "sampler/region.h"
#include "sampler/self.h"
#include "sampler/team.h"
#include "sampler/thread.h"
#include "sampler/tool.h"
#include "sampler/wait.h"

/* The current task waits for no mutex any more. */
static void forget_mutex(struct thread *thread)
{
	struct task *task = thread_waiter(thread);

	if (task)
		task->mutex = OWN_NONE;
}

/* A mutex that was asked for before, the thread did not get: it would have said so at once. */
static __attribute__((noinline)) void settle_mutex(struct thread *thread)
{
	if (thread->quick.phase)
		mutex_quick_leave(thread);
	if (!thread->asked.kind)
		return;
	forget_mutex(thread);
	team_give_up_mutex(thread);
}

/* Keeps the handler out until leave. */
static inline void enter_as(struct thread *thread)
{
	thread->in_tool++;
	atomic_signal_fence(memory_order_seq_cst);
	thread->record->n_callbacks++;
}

/* Begins a callback: the thread's struct with the handler kept out, or NULL if there is nothing to
   do. A callback that got one ends with leave. This one is for what may end a wait for a mutex. */
static inline struct thread *enter_with_mutex(void)
{
	struct thread *thread = tool_is_on() ? thread_self() : NULL;

	if (thread)
		enter_as(thread);
	return thread;
}

/* Likewise, for all other events. */
static inline struct thread *enter(void)
{
	struct thread *thread = enter_with_mutex();

	if (thread && (thread->asked.kind | thread->quick.phase))
		settle_mutex(thread);
	return thread;
}

/* The struct of a thread that never said thread_begin: the one that forked, in the child. */
static __attribute__((noinline)) struct thread *adopt(uint32_t type)
{
	if (tool_is_inherited())
		tool_start();
	return tool_is_on() ? thread_adopt(type) : NULL;
}

/* As enter, for the events that such a thread can begin with. */
static struct thread *enter_first(uint32_t type)
{
	struct thread *thread = tool_is_on() ? thread_self() : NULL;

	if (!thread || !thread->is_openmp)
		thread = adopt(type);
	if (!thread)
		return NULL;
	enter_as(thread);
	if (thread->asked.kind | thread->quick.phase)
		settle_mutex(thread);
	return thread;
}

static void leave(struct thread *thread)
{
	if (thread->is_pending)
		handler_settle(thread);
	atomic_signal_fence(memory_order_seq_cst);
	thread->in_tool--;
}

/* For objects that came or went since. */
static void prepare_walker(void)
{
	if (tool.walker->refresh)
		tool.walker->refresh();
}

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

/* A region or task is without its creation path, on a thread that is not known. */
static void lose_context_of_none(void)
{
	if (tool_is_on())
		__atomic_fetch_add(
			&writer_header()->lost[PROFILE_LOST_CONTEXT], 1, __ATOMIC_RELAXED);
}

/* The leagues that are open, for the initial tasks of their teams: elsewhere the parallel_data of an
   initial task is the runtime's implicit region's, in which we never stored anything. */
static const struct region *leagues[16];

enum { N_LEAGUES = sizeof(leagues) / sizeof(leagues[0]) };

/* Puts `to` in the place of one entry that is `from`. Returns 0, or -1 if there is none. */
static int replace_league(const struct region *from, const struct region *to)
{
	for (int i = 0; i < N_LEAGUES; i++) {
		const struct region *expected = from;

		if (__atomic_compare_exchange_n(
			    &leagues[i], &expected, to, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return 0;
	}
	return -1;
}

/* The open league that an initial task belongs to, or NULL. */
static const struct region *league_of(const ompt_data_t *parallel_data)
{
	const void *region = parallel_data ? parallel_data->ptr : NULL;

	for (int i = 0; i < N_LEAGUES && region; i++) {
		if (__atomic_load_n(&leagues[i], __ATOMIC_ACQUIRE) == region)
			return region;
	}
	return NULL;
}

static void on_parallel_begin(ompt_data_t *encountering_task_data,
	const ompt_frame_t *encountering_task_frame, ompt_data_t *parallel_data,
	unsigned int requested_parallelism, int flags, const void *codeptr_ra)
{
	struct thread *thread = enter_first(ompt_thread_initial);
	struct walk_registers here;
	struct creation creation;
	struct region *region;
	uint8_t node_flags = flags & ompt_parallel_league ? PROFILE_REGION_LEAGUE : 0;

	parallel_data->ptr = NULL;
	if (!thread) {
		lose_context_of_none();
		return;
	}
	if (thread->clock.is_paused)
		mask_look(thread);
	thread->record->n_regions++;
	if (thread->n_regions++ < THREAD_MAX_REGIONS) {
		prepare_walker();
		walk_registers_here(&here);
		capture(thread, (uint64_t)codeptr_ra, encountering_task_frame, &here, &creation);
		region = &thread->regions[thread->n_regions - 1];
		region->epoch = tool.epoch;
		region->is_users = !capture_is_doubtful((uint64_t)codeptr_ra);
		region->base_cfa = creation.base_cfa;
		region->codeptr = (uint64_t)codeptr_ra;
		__atomic_store_n(&region->context,
			construct_region(thread, &creation, node_flags, &region->is_within),
			__ATOMIC_RELAXED);
		region_begin(thread, region);
		parallel_data->ptr = region;
		if (flags & ompt_parallel_league && replace_league(NULL, region) != 0)
			construct_lose(thread);
	} else {
		construct_lose(thread);
	}
	leave(thread);
}

/* The region that ends is the thread's latest. What parallel_data points to is not looked at: libomp has given
   the team that it is in to other threads by now, which can have begun another region with it, or freed it. */
static void on_parallel_end(ompt_data_t *parallel_data, ompt_data_t *encountering_task_data,
	int flags, const void *codeptr_ra)
{
	struct thread *thread = enter();
	struct region *region = NULL;

	if (!thread)
		return;
	if (thread->n_regions > 0 && thread->n_regions <= THREAD_MAX_REGIONS)
		region = &thread->regions[thread->n_regions - 1];
	/* One that began before a fork has its record in the parent's profile. */
	if (region && region->epoch == tool.epoch) {
		region_end(thread, region);
		if (flags & ompt_parallel_league)
			replace_league(region, NULL);
	}
	if (thread->n_regions > 0)
		thread->n_regions--;
	leave(thread);
}

/* Makes a task of what a former one has left. In place: a copy of a struct that has just been filled costs
   more than all the rest of an event. */
static void clear_task(struct task *task, const void *data, uint32_t context)
{
	_Static_assert(sizeof(*task) > 64 && sizeof(*task) <= 128, "two halves");
	/* Larger ones a compiler clears by an instruction that takes 20 ns to begin. */
	memset(task, 0, 64);
	memset((char *)task + 64, 0, sizeof(*task) - 64);
	task->data = data;
	task->context = context;
}

/* Puts a task on top of the thread's stack of tasks and returns it, to be filled. One that lies too deep to
   have an entry counts for the deepest that has one, which is right if both are of one context. */
static struct task *push(struct thread *thread, const void *data, uint32_t context)
{
	uint32_t n = thread->n_tasks++;

	if (n >= THREAD_MAX_TASKS) {
		if (thread->tasks[THREAD_MAX_TASKS - 1].context != context)
			construct_lose(thread);
		n = THREAD_MAX_TASKS; /* a place that nobody looks at */
	}
	clear_task(&thread->tasks[n], data, context);
	return &thread->tasks[n];
}

/* One past the uppermost task with this identity, or 0. Bounded by THREAD_MAX_TASKS. */
static uint32_t find(const struct thread *thread, const void *data)
{
	uint32_t n = thread->n_tasks < THREAD_MAX_TASKS ? thread->n_tasks : THREAD_MAX_TASKS;

	while (n > 0 && thread->tasks[n - 1].data != data)
		n--;
	return n;
}

/* What is kept in the runtime's task_data: a context's node id, in which epoch it is one, and which
   thread created the task. */
static uint64_t to_task_data(const struct thread *thread, uint32_t context)
{
	return (uint64_t)tool.epoch << 52 | (uint64_t)(thread->record->index & 0xfffff) << 32 |
	       context;
}

static int is_of_thread(const struct thread *thread, uint64_t value)
{
	return (value >> 32 & 0xfffff) == (thread->record->index & 0xfffff);
}

/* The context of a task; one of a task whose creation was not seen is lost. */
static uint32_t from_task_data(struct thread *thread, uint64_t value)
{
	if (value >> 52 == (tool.epoch & 0xfff))
		return (uint32_t)value;
	construct_lose(thread);
	return 0;
}

/* The tasks from the n-th on end, or go elsewhere: they are taken off the thread's tasks, uppermost
   first. */
static void pop(struct thread *thread, uint32_t n, int is_done)
{
	uint32_t top = thread->n_tasks < THREAD_MAX_TASKS ? thread->n_tasks : THREAD_MAX_TASKS;

	for (; top > n; top--)
		wait_end_task(thread, top, is_done);
	if (n < thread->n_tasks)
		thread->n_tasks = n;
}

/* The current task goes on with what it did before another one ran on top of it. */
static void resume(struct thread *thread)
{
	const struct task *task = thread_waiter(thread);

	if (task)
		team_publish_wait(thread, task->wait, task->since ? task->since + task->away : 0);
}

/* A worker's tasks are over, and it has been idle since its region's end. */
static void leave_team(struct thread *thread)
{
	uint64_t since;

	if (thread->n_tasks == 0)
		return;
	since = wait_when_region_ended(thread, &thread->tasks[0]);
	pop(thread, 0, 1);
	wait_become_idle(thread, since);
}

static void begin_implicit(struct thread *thread, const struct region *region,
	const ompt_data_t *task_data, unsigned int n_threads, unsigned int index, int flags)
{
	struct task *task;

	/* The runtime never says that a worker's former implicit task ended before the next one
	   begins; what is left of it goes with it. */
	if (thread->record->type == ompt_thread_worker && region &&
		!(region >= thread->regions && region < thread->regions + THREAD_MAX_REGIONS))
		leave_team(thread);
	task = push(thread, task_data, region ? region->context : 0);
	task->is_implicit = 1;
	task->thread_num = (uint16_t)index;
	task->n_threads = n_threads;
	task->has_team = region || !(flags & ompt_task_initial);
	if (region) {
		task->region = region;
		task->generation = __atomic_load_n(&region->generation, __ATOMIC_ACQUIRE);
		if (region >= thread->regions && region < thread->regions + THREAD_MAX_REGIONS) {
			task->base_cfa = region->base_cfa;
			task->is_inline = n_threads == 1 && region->is_users;
			region_has_team((struct region *)region, n_threads);
		}
	}
	wait_begin_task(thread);
	team_publish(thread);
	team_publish_wait(thread, 0, 0);
}

/* The implicit task that is the n-th of the thread's tasks ends, and with it those above it. */
static void end_implicit(struct thread *thread, uint32_t n)
{
	uint64_t since = 0;

	if (n > 0) {
		since = wait_when_region_ended(thread, &thread->tasks[n - 1]);
		pop(thread, n - 1, 1);
	} else if (thread->n_tasks > THREAD_MAX_TASKS) {
		thread->n_tasks--;
	}
	if (thread->n_tasks == 0 && thread->record->type == ompt_thread_worker)
		wait_become_idle(thread, since);
	team_publish(thread);
	resume(thread);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
	ompt_data_t *task_data, unsigned int actual_parallelism, unsigned int index, int flags)
{
	struct thread *thread = enter_first(index ? ompt_thread_worker : ompt_thread_initial);

	if (!thread)
		return;
	if (endpoint == ompt_scope_begin) {
		const struct region *region = NULL;

		if (flags & ompt_task_initial)
			region = league_of(parallel_data);
		else if (parallel_data)
			region = parallel_data->ptr;
		if (region && region->epoch != tool.epoch) {
			construct_lose(thread);
			region = NULL;
		}
		task_data->value = to_task_data(thread, region ? region->context : 0);
		begin_implicit(thread, region, task_data, actual_parallelism, index, flags);
	} else {
		end_implicit(thread, find(thread, task_data));
	}
	leave(thread);
}

static void on_task_create(ompt_data_t *encountering_task_data,
	const ompt_frame_t *encountering_task_frame, ompt_data_t *new_task_data, int flags,
	int has_dependences, const void *codeptr_ra)
{
	struct creation creation = { .ip = (uint64_t)codeptr_ra };
	struct thread *thread;
	struct walk_registers here;

	if (!(flags & (ompt_task_explicit | ompt_task_target)) || !new_task_data)
		return;
	thread = enter();
	if (!thread) {
		lose_context_of_none();
		return;
	}
	thread->record->n_tasks++;
	prepare_walker();
	walk_registers_here(&here);
	new_task_data->value = to_task_data(
		thread, construct_task(thread, &creation, flags, encountering_task_frame, &here));
	thread->has_created |= !(flags & ompt_task_undeferred);
	thread->created_data = new_task_data;
	thread->created_cfa = flags & ompt_task_undeferred ? creation.base_cfa : 0;
	leave(thread);
}

static int has_ended(ompt_task_status_t status)
{
	return status != ompt_task_yield && status != ompt_task_switch;
}

/* A task that is not among the thread's begins, or goes on, on top of them. */
static void begin_explicit(struct thread *thread, const ompt_data_t *data)
{
	struct task *task = push(thread, data, from_task_data(thread, data->value));

	task->has_team = 1;
	task->is_stolen = !is_of_thread(thread, data->value);
	if (task->context && task->context == thread->created.node)
		task->own = thread->created.own;
	else if (task->context && writer_node(task->context)->kind == PROFILE_NODE_TASK)
		task->own = wait_own_node(thread, task->context);
	if (thread->created_data == data) {
		task->base_cfa = thread->created_cfa;
		task->is_inline = task->base_cfa != 0;
		/* The runtime may use the address again. */
		thread->created_data = NULL;
	}
	wait_begin_task(thread);
}

static void on_task_schedule(ompt_data_t *prior_task_data, ompt_task_status_t prior_task_status,
	ompt_data_t *next_task_data)
{
	struct thread *thread = enter();
	uint32_t n;

	if (!thread)
		return;
	n = next_task_data ? find(thread, next_task_data) : thread->n_tasks;
	if (n > 0) {
		pop(thread, n, has_ended(prior_task_status));
		resume(thread);
	} else if (has_ended(prior_task_status) && thread->n_tasks > THREAD_MAX_TASKS) {
		thread->n_tasks--;
	} else if (next_task_data) {
		begin_explicit(thread, next_task_data);
	}
	leave(thread);
}

/* The kind of barrier that old runtimes do not tell apart: only the closing one has no place of its own
   in the user's code. */
static uint32_t wait_of_sync_region(const struct task *task, uint32_t kind, const void *codeptr_ra)
{
	switch (kind) {
	case ompt_sync_region_barrier_implicit_parallel:
		return PROFILE_BARRIER_CLOSING;
	case 2: /* ompt_sync_region_barrier_implicit, deprecated */
		return !codeptr_ra || (task->region &&
					      task->region->codeptr == (uint64_t)codeptr_ra)
			       ? PROFILE_BARRIER_CLOSING
			       : PROFILE_BARRIER_WORKSHARE;
	case ompt_sync_region_barrier_explicit:
		return PROFILE_BARRIER_EXPLICIT;
	case ompt_sync_region_barrier_implicit_workshare:
		return PROFILE_BARRIER_WORKSHARE;
	case 1: /* ompt_sync_region_barrier, deprecated */
	case ompt_sync_region_barrier_implementation:
	case ompt_sync_region_barrier_teams:
		return PROFILE_BARRIER_OTHER;
	case ompt_sync_region_taskwait:
		return PROFILE_TASKWAIT;
	case ompt_sync_region_taskgroup:
		return PROFILE_TASKGROUP;
	default:
		return PROFILE_NO_WAIT;
	}
}

static void begin_sync(
	struct thread *thread, struct task *task, uint32_t kind, const void *codeptr_ra)
{
	uint32_t wait = wait_of_sync_region(task, kind, codeptr_ra);

	task->sync = (uint8_t)classify_sync_region(kind);
	if (wait && task->has_team)
		wait_begin(thread, task, wait);
}

static void end_sync(struct thread *thread, struct task *task, const void *codeptr_ra)
{
	uint32_t wait = task->wait, weight = wait_end(thread, task, codeptr_ra);

	task->sync = OWN_NONE;
	if (weight && wait <= PROFILE_BARRIER_OTHER && task->thread_num == 0 && task->is_implicit &&
		task->n_threads > 1 && task->region)
		region_passed_barrier(thread, task, weight);
	/* Only the closing barrier is followed by the ends of task and region; where the runtime tells a
	   worker of it at once, by idle time. */
	if (wait != PROFILE_BARRIER_CLOSING || task->thread_num != 0)
		wait_drop_stamp(thread);
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt_data_t *parallel_data, ompt_data_t *task_data, const void *codeptr_ra)
{
	struct thread *thread = enter();
	struct task *task;

	if (!thread)
		return;
	task = thread_waiter(thread);
	if (task && endpoint == ompt_scope_begin)
		begin_sync(thread, task, kind, codeptr_ra);
	else if (task)
		end_sync(thread, task, codeptr_ra);
	leave(thread);
}

static void begin_reduction(struct thread *thread)
{
	const struct task *task = thread_waiter(thread);
	/* A wait that is timed must not have it in it. */
	int is_timed = task && task->wait && task->since;

	thread->reduction_weight =
		(uint8_t)(thread->team_weight ? pace_weight(&thread->paces[PROFILE_REDUCTION]) : 0);
	thread->reduction_since = thread->reduction_weight || is_timed ? tool_ticks() : 0;
}

static void end_reduction(struct thread *thread, const void *codeptr_ra)
{
	struct task *task = thread_waiter(thread);
	uint32_t weight = (uint32_t)thread->reduction_weight * thread->team_weight;
	uint64_t now, ticks;

	if (!thread->reduction_since)
		return;
	now = tool_ticks();
	ticks = pace_between(thread->reduction_since, now);
	if (weight)
		wait_add(thread, PROFILE_WAIT_KEY(PROFILE_REDUCTION, 0), codeptr_ra, weight,
			pace_took(&thread->paces[PROFILE_REDUCTION], weight, ticks, now), ticks);
	if (task && task->wait)
		task->away += ticks;
	thread->reduction_since = 0;
}

/* A reduction's combining of values can happen inside a barrier, of whose wait it is no part. */
static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt_data_t *parallel_data, ompt_data_t *task_data, const void *codeptr_ra)
{
	struct thread *thread = enter();

	if (!thread)
		return;
	if (endpoint == ompt_scope_begin)
		begin_reduction(thread);
	else
		end_reduction(thread, codeptr_ra);
	leave(thread);
}

static void on_mutex_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int impl,
	ompt_wait_id_t wait_id, const void *codeptr_ra)
{
	enum own_wait own = classify_mutex(kind);
	struct thread *thread;
	struct task *task;

	if (mutex_quick_event(wait_id, kind, QUICK_NONE, QUICK_ASKED))
		return;
	thread = enter();
	if (!thread)
		return;
	task = thread_waiter(thread);
	if (task)
		task->mutex = (uint8_t)own;
	if (own != OWN_NONE)
		mutex_ask(thread, mutex_kind(kind), wait_id);
	leave(thread);
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra)
{
	struct thread *thread;

	if (mutex_quick_event(wait_id, kind, QUICK_ASKED, QUICK_HELD))
		return;
	thread = enter_with_mutex();
	if (!thread)
		return;
	if (thread->quick.phase)
		mutex_quick_leave(thread);
	forget_mutex(thread);
	mutex_got(thread, mutex_kind(kind), wait_id, codeptr_ra);
	leave(thread);
}

/* A nested lock that the thread held already was set or unset: it did not wait. */
static void on_nest_lock(
	ompt_scope_endpoint_t endpoint, ompt_wait_id_t wait_id, const void *codeptr_ra)
{
	struct thread *thread = enter();

	if (thread)
		leave(thread);
}

static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra)
{
	struct thread *thread;

	if (mutex_quick_event(wait_id, kind, QUICK_HELD, QUICK_NONE))
		return;
	thread = enter();
	if (!thread)
		return;
	mutex_released(thread, kind, wait_id, codeptr_ra);
	leave(thread);
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
