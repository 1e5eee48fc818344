/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A league in a target region on the host. The program calls GOMP_teams4 before each team, executes
 * the team itself if the result is 1, and leaves the league if it is 0.
 */
#include <stddef.h>
#include <stdlib.h>

#include "gomp/region.h"

#define FLAGS (ompt_parallel_invoker_program | ompt_parallel_league)

static void begin_league(struct thread *thread, struct gomp_task *task,
	const struct gomp_functions *next, unsigned n_teams, const void *caller)
{
	struct gomp_region *region = malloc(sizeof(*region));

	if (!region)
		return;
	*region = (struct gomp_region){
		.team = { .next = next, .encountering = task, .primary = thread },
		.caller = caller,
		.outer = thread->league,
	};
	thread->league = region;
	GOMP_TELL(parallel_begin, &task->data, &task->frame, &region->team.parallel_data,
		n_teams ? n_teams : 1, FLAGS, caller);
}

static void end_league(struct thread *thread, struct gomp_region *region)
{
	thread->league = region->outer;
	GOMP_TELL(parallel_end, &region->team.parallel_data, &region->team.encountering->data,
		FLAGS, region->caller);
	free(region);
}

/* The team's initial task becomes the current task. */
static void begin_team(struct thread *thread, struct gomp_region *region)
{
	struct gomp_task *task = &region->implicit;

	*task = (struct gomp_task){
		.flags = ompt_task_initial,
		.n_threads = 1,
		.team = &region->team,
		.outer = region->team.encountering,
	};
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	thread->task = task;
	GOMP_TELL(implicit_task, ompt_scope_begin, &region->team.parallel_data, &task->data, 1, 0,
		ompt_task_initial);
}

static void end_team(struct thread *thread, struct gomp_region *region)
{
	thread->task = region->team.encountering;
	GOMP_TELL(implicit_task, ompt_scope_end, NULL, &region->implicit.data, 0, 0,
		ompt_task_initial);
}

_Bool GOMP_teams4(unsigned n_teams_lower, unsigned n_teams, unsigned thread_limit, _Bool is_first)
{
	struct thread *thread = &gomp_self;
	struct gomp_region *region;
	_Bool is_team;
	GOMP_PASS_WITHOUT_TOOL(GOMP_teams4, (n_teams_lower, n_teams, thread_limit, is_first));

	if (is_first)
		begin_league(thread, task, next, n_teams, GOMP_CALLER);
	else if (thread->league)
		end_team(thread, thread->league);
	is_team = next->GOMP_teams4(n_teams_lower, n_teams, thread_limit, is_first);
	region = thread->league;
	if (region && is_team)
		begin_team(thread, region);
	else if (region)
		end_league(thread, region);
	return is_team;
}
