/* SPDX-License-Identifier: Apache-2.0 */
/* Begin and end of the time in which tasks are unseen; see unseen.h. Not for the signal handler. */

#include <omp-tools.h>
#include <stddef.h>
#include <string.h>

#include "profile/core/writer.h"
#include "sampler/core/classify.h"
#include "sampler/core/run_delay.h"
#include "sampler/threads/task_stack.h"
#include "sampler/threads/unseen_events.h"
#include "sampler/threads/wait.h"

/* The index, plus 1, of the innermost implicit task; 0: there is none with a team of its own. */
static uint32_t innermost_implicit(const struct thread *thread)
{
	uint32_t n = thread_n_entries(thread);

	while (n > 0 && !thread->tasks.at[n - 1].is_implicit)
		n--;
	return n > 0 && thread->tasks.at[n - 1].region && thread->tasks.at[n - 1].own ? n : 0;
}

/* Whether all that the tasks from the n-th on do can be told by samples. */
static int are_plain(const struct thread *thread, uint32_t n)
{
	const struct task *implicit = &thread->tasks.at[n - 1];

	if (thread->waits.team_weight != 1 || thread->waits.reduction_since ||
		thread->mutexes.requested.kind || thread->targets.n || implicit->wait_weight > 1)
		return 0;
	for (; n <= thread_n_entries(thread); n++) {
		if (thread->tasks.at[n - 1].depend || thread->tasks.at[n - 1].sync == OWN_TARGET)
			return 0;
	}
	return 1;
}

/*
 * Notes the tasks from the n-th, which is implicit, to the last. If tasks below the next have left
 * the stack, those are noted already.
 */
static void note_below(struct thread *thread, uint32_t n, uint32_t last)
{
	struct thread_unseen *unseen = &thread->unseen;
	const struct task *task = &thread->tasks.at[n - 1];
	int is_noted = n < thread->tasks.n && task[1].is_met && unseen->implicit == task->data;

	if (unseen->implicit != task->data) {
		unseen->implicit = task->data;
		unseen->latest = NULL;
		unseen->left = 0;
		unseen->is_above = 1;
	}
	if (is_noted) {
		task++;
		n++;
	} else {
		unseen->n_below = 0;
	}
	for (; n <= last; n++, task++) {
		if (n <= THREAD_MAX_TASKS)
			unseen_push(unseen, task->data, task->wait);
		else
			unseen_push(unseen, NULL, PROFILE_TASKWAIT);
	}
}

/* Ends what is measured of the tasks on top of the n-th, innermost first. */
static void leave_tasks(struct thread *thread, uint32_t n, uint64_t now)
{
	thread->tasks.n = thread_n_entries(thread);
	while (thread->tasks.n > n) {
		wait_cut(thread, &thread->tasks.at[thread->tasks.n - 1], now);
		tasks_pop(thread, thread->tasks.n - 1, 0);
	}
}

int unseen_make_room(struct thread *thread)
{
	uint32_t n = innermost_implicit(thread);

	/* Counts of events are by the task's place. */
	if (!n || n == THREAD_MAX_TASKS || thread->counts || !are_plain(thread, n))
		return 0;
	note_below(thread, n, thread->tasks.n);
	leave_tasks(thread, n, tool_time());
	thread_task(thread)->n_above = 0;
	return 1;
}

static void begin(struct thread *thread, uint32_t n, uint64_t now)
{
	struct task *implicit = &thread->tasks.at[n - 1];

	note_below(thread, n, thread->tasks.n - 1);
	if (n < thread->tasks.n)
		thread->unseen.context = thread_task(thread)->context;
	leave_tasks(thread, n, now);
	if (implicit->wait == PROFILE_TASKWAIT || implicit->wait == PROFILE_TASKGROUP)
		wait_cut(thread, implicit, now);
	thread->unseen.since = now;
	thread->unseen.has_met = 0;
	thread->unseen.pace.callbacks = thread->record->n_callbacks;
	board_publish_wait(thread, 0, 0);
	thread->gate.unseen = UNSEEN_YES;
}

/* By default none on libgomp: a thread sleeps in its waits for tasks, which samples do not see. */
static uint64_t budget(void)
{
	static const char libgomp[] = "GCC libgomp";

	if (tool.settings.is_default_budget &&
		strncmp(tool.runtime, libgomp, sizeof(libgomp) - 1) == 0)
		return 0;
	return tool.settings.task_budget;
}

void unseen_consider(struct thread *thread)
{
	struct thread_unseen *unseen = &thread->unseen;
	uint64_t percent = budget(), now, cost;
	uint32_t n = unseen->pace.n, at;

	unseen->pace.n = 0;
	if (!percent || tool.settings.events || tool.settings.trace_bytes || tool_is_paused())
		return;
	now = tool_time();
	cost = (uint64_t)n * tool.thresholds.task_event * 100;
	at = timing_between(unseen->pace.since, now) * percent < cost ? innermost_implicit(thread)
								      : 0;
	unseen->pace.since = now;
	if (at && now > unseen->pace.not_yet && are_plain(thread, at) &&
		timing_between(thread->tasks.at[at - 1].begun, now) > tool.thresholds.unseen_from)
		begin(thread, at, now);
}

/* The tasks that ended unseen count at the site of the task that a sample met last. */
static void count_done(struct thread *thread)
{
	struct thread_unseen *unseen = &thread->unseen;
	struct profile_node *own = wait_own_node(thread, unseen->context);

	if (!own || writer_node(unseen->context)->kind != PROFILE_NODE_TASK)
		return;
	own->n += (uint32_t)unseen->n_done;
	own->blame_ns += unseen->n_stolen;
	unseen->n_done = unseen->n_stolen = 0;
}

/* The ticks of `ticks` until `now` in which the thread had a CPU and its region lasted. */
static uint64_t ticks_at_work(
	struct thread *thread, const struct task *implicit, uint64_t ticks, uint64_t now)
{
	uint64_t end = wait_end_of_region(implicit, now), most;
	struct clock_weight weight;

	/* Nobody else can read its clock. */
	if (!end || thread != thread_self())
		return 0;
	tool.clock->read(&thread->clock, &weight);
	most = run_delay_ticks(weight.time_ns < UINT32_MAX ? weight.time_ns : UINT32_MAX);
	if (most < ticks)
		ticks = most;
	return ticks > now - end ? ticks - (now - end) : 0;
}

/* The time after the latest sample goes where that sample's time went. */
static void give_rest(struct thread *thread, struct task *implicit, uint64_t now)
{
	struct thread_unseen *unseen = &thread->unseen;
	uint64_t ticks = unseen->left + timing_between(unseen->since, now);

	ticks = ticks_at_work(thread, implicit, ticks, now);
	if (unseen->is_above)
		implicit->ticks_on_top += ticks;
	if (unseen->latest)
		writer_count(&unseen->latest->time_ns, ticks);
	unseen->left = 0;
	/* Events that have to be seen come more often than samples. */
	if (!unseen->has_met)
		unseen->pace.not_yet = now + tool.thresholds.unseen_from;
}

/*
 * The task waits for its team or for tasks, and has been counted. The rest of its wait counts if
 * it is long.
 */
static void put_in_wait(struct task *task, uint32_t wait, uint64_t now)
{
	if (classify_wait(wait) == OWN_NONE)
		return;
	task->wait = (uint8_t)wait;
	task->sync = (uint8_t)classify_wait(wait);
	task->wait_weight = 0;
	task->since = now;
	task->ticks_on_top = task->unmet = 0;
}

/* The current task comes back onto the thread's tasks. */
static void find_current(struct thread *thread)
{
	const ompt_data_t *data = unseen_current(thread);
	uint32_t wait = thread->record->now.wait;
	struct task *task;

	if (!data)
		return;
	task = tasks_push(thread, data, 0);
	unseen_fill(thread, task, data);
	task->is_met = 1;
	task->signals = thread->record->n_signals;
	if (tasks_has_place(data->value))
		task->depend = depend_find(data->value);
	if (task->context && writer_node(task->context)->kind == PROFILE_NODE_TASK)
		task->own = wait_own_node(thread, task->context);
	put_in_wait(task, wait, thread->unseen.pace.since);
}

/* The wait of the innermost implicit task. In a recursion that is too deep it waits for tasks. */
static uint32_t wait_of_implicit(const struct thread *thread)
{
	const struct thread_unseen *unseen = &thread->unseen;

	if (!unseen->n_below)
		return thread->record->now.wait;
	return unseen->n_below <= UNSEEN_BELOW ? unseen->below[0] & UNSEEN_WAIT : PROFILE_TASKWAIT;
}

void unseen_finish(struct thread *thread, uint64_t now)
{
	struct task *implicit = thread_task(thread);

	if (!thread->gate.unseen)
		return;
	thread->gate.unseen = UNSEEN_NO;
	thread->unseen.pace.n = 0;
	thread->unseen.pace.since = now;
	writer_count(&thread->record->more.n_unseen,
		thread->record->n_callbacks - thread->unseen.pace.callbacks);
	count_done(thread);
	if (implicit)
		give_rest(thread, implicit, now);
	if (implicit && !implicit->wait)
		put_in_wait(implicit, wait_of_implicit(thread), now);
}

void unseen_end(struct thread *thread)
{
	unseen_finish(thread, tool_time());
	find_current(thread);
	tasks_resume(thread);
}

void unseen_meet_in_event(struct thread *thread)
{
	unseen_meet(thread, &thread->unseen.top);
	thread->gate.unseen = UNSEEN_MET;
}

void unseen_part_in_event(struct thread *thread)
{
	unseen_part(thread, &thread->unseen.top);
	thread->unseen.pace.callbacks +=
		thread->record->n_callbacks - thread->unseen.top.callbacks + 1;
	thread->gate.unseen = thread->mutexes.requested.kind ? UNSEEN_ASKED : UNSEEN_YES;
}

void unseen_continue(struct thread *thread, struct task *task)
{
	uint32_t wait = unseen_pop(&thread->unseen, task->data);

	task->is_met = 1;
	if (!wait)
		return;
	task->sync = (uint8_t)classify_wait(wait);
	wait_begin(thread, task, wait);
}
