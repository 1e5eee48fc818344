/* SPDX-License-Identifier: Apache-2.0 */
/* Events of regions and implicit tasks; see events.h. OpenMP 5.1, 4.5.2. */
#include <omp-tools.h>
#include <stddef.h>

#include "sampler/threads/construct.h"
#include "sampler/threads/encounter.h"
#include "sampler/tool/events.h"
#include "sampler/threads/hidden_helper.h"
#include "sampler/threads/wrap_sigmask.h"
#include "sampler/threads/worker_run.h"
#include "sampler/core/region.h"
#include "sampler/core/region_fast.h"
#include "sampler/threads/region_fast_begin.h"
#include "sampler/threads/task_stack.h"
#include "sampler/core/thread_board.h"
#include "sampler/threads/wait.h"

/*
 * The open leagues, for the initial tasks of their teams. Any other initial task has the
 * parallel_data of the runtime's implicit region, in which the tool stored nothing.
 */
static const struct region *leagues[16];

enum { N_LEAGUES = sizeof(leagues) / sizeof(leagues[0]) };

/* Puts `to` in the place of an entry that is `from`. Returns 0, or -1 if there is none. */
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

/*
 * The open league that an initial task belongs to, or NULL. The data of the league's region are
 * *packed. At the only team of a league LLVM's runtime names another region: then it is the league
 * that the thread itself has just begun.
 */
static const struct region *league_of(
	struct thread *thread, uint64_t *packed, unsigned int n_teams, unsigned int index)
{
	const struct region *region = region_of(*packed), *own = encounter_open(thread);

	for (int i = 0; i < N_LEAGUES && region; i++) {
		if (__atomic_load_n(&leagues[i], __ATOMIC_ACQUIRE) == region)
			return region;
	}
	if (!own || !(own->own.flags & ompt_parallel_league) || n_teams != 1 || index)
		return NULL;
	*packed = region_pack(own, own->generation, own->weight ? REGION_TIMED : 0);
	return own;
}

void event_parallel_begin(
	const ompt_frame_t *frame, ompt_data_t *parallel_data, int flags, const void *codeptr_ra)
{
	struct thread *thread = callback_enter_first(ompt_thread_initial);
	ompt_data_t nowhere;

	if (!parallel_data)
		parallel_data = &nowhere;
	parallel_data->value = 0;
	if (!thread) {
		construct_lose_of_none();
		return;
	}
	if (thread->clock.is_paused)
		sigmask_look(thread);
	if (hidden_helper_is_region(thread, frame, flags, codeptr_ra)) {
		hidden_helper_become(thread);
		parallel_data->value = REGION_OF_HELPERS;
		leave(thread);
		return;
	}
	tool_count(&thread->record->n_regions);
	parallel_data->value = encounter_begin(thread, frame, flags, (uint64_t)codeptr_ra);
	if (flags & ompt_parallel_league && parallel_data->value &&
		replace_league(NULL, region_of(parallel_data->value)) != 0)
		construct_lose(thread);
	leave(thread);
}

/*
 * The region that ends is the thread's latest. parallel_data is not looked at: libomp has given the
 * team to other threads by now, which may have begun another region with it, or freed it.
 */
void event_parallel_end(int flags)
{
	struct thread *thread = enter();
	struct region *region;

	if (!thread)
		return;
	region = encounter_open(thread);
	/* A region that began before a fork has its record in the parent's profile. */
	if (region && region->team.epoch == tool.epoch) {
		region_end(thread, region);
		if (flags & ompt_parallel_league)
			replace_league(region, NULL);
	}
	if (thread->regions.n > 0)
		thread->regions.n--;
	leave(thread);
}

/* Ends a worker's tasks, if any: it has been idle since its region's end. */
static void leave_team(struct thread *thread)
{
	uint64_t since;

	if (thread->tasks.n == 0)
		return;
	since = wait_when_region_ended(thread, &thread->tasks.at[0]);
	tasks_pop(thread, 0, 1);
	wait_become_idle(thread, since);
}

/* Whether the thread itself encountered the region. */
static int is_own(const struct thread *thread, const struct region *region)
{
	return thread->regions.at && region >= thread->regions.at &&
	       region < thread->regions.at + THREAD_MAX_REGIONS;
}

/* The task belongs to the team that parallel_data names. */
static inline void join_team(struct thread *thread, struct task *task, uint64_t packed)
{
	struct region *region = region_of(packed);

	task->region = region;
	task->generation = region_generation(packed);
	if (is_own(thread, region)) {
		task->base_cfa = region->team.base_cfa;
		task->is_inline = task->n_threads == 1 && region->team.is_users;
		region_has_team(region, task->n_threads);
	} else {
		task->is_in_run = !region_is_timed(packed) && thread->tasks.n == 1 &&
				  thread->record->type == ompt_thread_worker;
	}
}

/* Keeps the thread's number in its teams. In a team of one thread the number tells nothing. */
static inline void note_number(struct thread *thread, unsigned int n_threads, unsigned int index)
{
	uint64_t *noted = &thread->record->more.team_number;
	uint64_t number = (uint64_t)index + 1;

	if (n_threads > 1 && *noted != number)
		__atomic_store_n(noted, *noted ? PROFILE_TEAM_NUMBERS : number, __ATOMIC_RELAXED);
}

/* Finds the thread's own nodes of a region that it encountered. */
static void find_own(struct thread *thread, struct region *region)
{
	region->own.node = wait_own_node(thread, region->team.context);
	region->own.closing =
		region->own.node ? wait_closing_leaf(thread, region->team.context) : 0;
}

/*
 * Begins the task if it continues a run of a worker, or if it is the encountering thread's in an
 * execution that is not timed. Returns whether it did.
 */
static inline int begin_untimed(struct thread *thread, uint64_t packed, ompt_data_t *task_data,
	unsigned int n_threads, unsigned int index)
{
	struct worker_run *run = worker_run_of(thread, packed);
	struct region *region = region_of(packed);

	if (region_is_timed(packed) || !task_data || thread->tasks.n >= THREAD_MAX_TASKS)
		return 0;
	if (worker_run_goes_on(thread, run, packed, index)) {
		region_fast_begin(thread,
			region_fast_go_on(thread, run, task_data, n_threads, index), run->closing);
	} else if (is_own(thread, region) && region->team.context && !region->team.is_within &&
		   !(thread->regions.runs.n | thread->idle.is_idle)) {
		if (!region->own.closing) {
			note_number(thread, n_threads, 0);
			find_own(thread, region);
		}
		region_fast_begin(thread,
			region_fast_begin_own(thread, packed, task_data, n_threads),
			region->own.closing);
	} else {
		return 0;
	}
	wait_drop_stamp(thread);
	return 1;
}

static inline void begin_implicit(struct thread *thread, const struct region *region,
	uint64_t packed, const ompt_data_t *task_data, unsigned int n_threads, unsigned int index,
	int flags)
{
	struct task *task;

	/*
	 * A runtime may report the next implicit task of a worker without the end of the former
	 * task.
	 */
	if (region && thread->record->type == ompt_thread_worker && !is_own(thread, region))
		leave_team(thread);
	task = tasks_push(thread, task_data, region ? region->team.context : 0);
	task->is_implicit = 1;
	task->thread_num = (uint16_t)index;
	task->n_threads = n_threads;
	task->has_team = region || !(flags & ompt_task_initial);
	if (region) {
		note_number(thread, n_threads, index);
		join_team(thread, task, packed);
	}
	if (thread->tasks.n <= THREAD_MAX_TASKS) {
		wait_begin_implicit(thread, task);
		board_publish_task(thread, task->region ? task : NULL);
		if (task->is_in_run)
			region_fast_begin(thread, task, thread->regions.runs.latest->closing);
	} else {
		board_publish(thread);
	}
	board_publish_wait(thread, 0, 0);
}

/*
 * The index, plus 1, of the task whose end the runtime reports; 0: none. libomp reports the end of
 * a worker's task with another address of task_data than its begin, as the team may be gone. It is
 * then the worker's only task.
 */
static inline uint32_t find_ending(
	const struct thread *thread, const ompt_data_t *task_data, unsigned int index, int flags)
{
	uint32_t n = tasks_find(thread, task_data);
	const struct task *first = &thread->tasks.at[0];

	if (n > 0 || thread->tasks.n != 1)
		return n;
	return thread->record->type == ompt_thread_worker && !(flags & ompt_task_initial) &&
	       first->is_implicit && first->region && index && first->thread_num == index;
}

/*
 * The n-th task, an implicit task, ends, and with it the tasks above it. n is 0 if its entry is not
 * known.
 */
static inline void end_implicit(struct thread *thread, uint32_t n)
{
	uint64_t since = 0;

	if (n > 0) {
		if (n == 1 && thread->record->type == ompt_thread_worker)
			since = wait_when_region_ended(thread, &thread->tasks.at[0]);
		tasks_pop(thread, n - 1, 1);
	} else if (thread->tasks.n > THREAD_MAX_TASKS) {
		thread->tasks.n--;
	}
	if (thread->tasks.n == 0 && thread->record->type == ompt_thread_worker) {
		wait_become_idle(thread, since);
		/* Where the runtime reports the end at once, the next task can begin much later. */
		wait_drop_stamp(thread);
	}
	if (thread->tasks.n == 0)
		board_publish_task(thread, NULL);
	else
		board_publish(thread);
	tasks_resume(thread);
}

void event_implicit_task(ompt_scope_endpoint_t endpoint, const ompt_data_t *parallel_data,
	ompt_data_t *task_data, unsigned int n_threads, unsigned int index, int flags)
{
	/* An initial task that belongs to no team has index 1 (OpenMP 5.1, 4.5.2.11). */
	struct thread *thread = callback_enter_first(
		index && !(flags & ompt_task_initial) ? ompt_thread_worker : ompt_thread_initial);
	uint64_t packed = parallel_data ? parallel_data->value : 0;
	const struct region *region;

	if (!thread)
		return;
	if (endpoint == ompt_scope_end) {
		end_implicit(thread, find_ending(thread, task_data, index, flags));
	} else if (packed == REGION_OF_HELPERS && !(flags & ompt_task_initial)) {
		if (task_data)
			task_data->value = thread->tasks.data;
		hidden_helper_begin(thread, task_data);
	} else if (flags & ompt_task_initial || !parallel_data ||
		   !begin_untimed(thread, packed, task_data, n_threads, index)) {
		region = flags & ompt_task_initial ? league_of(thread, &packed, n_threads, index)
						   : region_of(packed);
		if (region && region->team.epoch != tool.epoch) {
			construct_lose(thread);
			region = NULL;
		}
		if (task_data)
			task_data->value = thread->tasks.data | (region ? region->team.context : 0);
		begin_implicit(thread, region, packed, task_data, n_threads, index, flags);
	}
	leave(thread);
}
