/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The work after a sample; see sample_follow.h and unseen.h. Part of the signal-safe core.
 */
#include "sampler/core/sample_follow.h"

#include <stddef.h>

#include "profile/core/cct.h"
#include "profile/core/writer.h"
#include "sampler/core/blame.h"
#include "sampler/core/event_timing.h"
#include "sampler/core/path.h"
#include "sampler/core/run_delay.h"
#include "sampler/core/target.h"
#include "sampler/core/thread.h"
#include "sampler/core/timeline.h"
#include "sampler/core/tool.h"

/* A thread that slept for less than this time is taken to have stayed at the same place. */
#define LONGEST_BREAK_NS 40000000ULL

/*
 * The time for which the thread makes others wait, without its time ready to run. If it had no
 * event since its last sample, it has been at work all the time.
 */
static uint64_t working_ns(
	const struct thread *thread, uint64_t time_ns, const struct sample_gap *gap)
{
	const struct profile_thread *record = thread->record;
	uint64_t since = gap->since_ns > gap->delay_ns ? gap->since_ns - gap->delay_ns : 0;

	if (record->n_callbacks != thread->sample.callbacks || since <= time_ns)
		return time_ns;
	return since - time_ns < LONGEST_BREAK_NS ? since : time_ns;
}

void sample_spread(struct thread *thread, uint32_t leaf, enum profile_class class,
	const struct clock_weight *weight, const struct sample_gap *gap)
{
	uint64_t worked_ns = working_ns(thread, weight->time_ns, gap);

	timeline_sample(thread, leaf, class, weight->time_ns, weight->events);
	if (class == PROFILE_WAIT_TARGET)
		target_begin_wait(thread, thread_waiter(thread), PROFILE_TARGET_KERNEL);
	/* A thread that waits for a device or for another rank makes other threads wait. */
	if (class <= PROFILE_OVERHEAD || class == PROFILE_WAIT_TARGET || class == PROFILE_WAIT_MPI)
		blame_sample(thread, writer_node(leaf)->parent, worked_ns, gap->delay_ns);
}

/* The node that takes the time of a wait that the sample in this leaf shows; 0 without space. */
static uint32_t wait_node(
	struct thread *thread, uint32_t leaf, enum profile_class class, uint64_t ticks)
{
	uint32_t wait = class == PROFILE_WAIT_TASKWAIT ? PROFILE_TASKWAIT : PROFILE_TASKGROUP;
	uint32_t node = cct_child(&thread->cct, writer_node(leaf)->parent, PROFILE_NODE_WAIT,
		PROFILE_UNSEEN, PROFILE_WAIT_KEY(wait, 0));
	uint64_t n = thread->unseen.n_waits - thread->unseen.n_waits_met,
		 now = thread->unseen.since;

	if (!node)
		return 0;
	thread->unseen.n_waits_met = thread->unseen.n_waits;
	writer_node(node)->n += (uint32_t)n;
	writer_count(&thread->record->n_waits, n);
	timeline_wait(thread, wait, node, now - ticks, now, ticks);
	return node;
}

/* The node that takes the time of a task's execution; 0 if that is no task, or without space. */
static uint32_t task_node(struct thread *thread, const struct task *task)
{
	if (!task->context || writer_node(task->context)->kind != PROFILE_NODE_TASK)
		return 0;
	thread->unseen.context = task->context;
	return cct_child(&thread->cct, thread->cct.root, PROFILE_NODE_CONTEXT, PROFILE_UNSEEN,
		task->context);
}

/* The part of these ticks with a CPU. Time without one is where the kernel or an event says. */
static uint64_t with_cpu(
	uint64_t ticks, const struct clock_weight *weight, const struct sample_gap *gap)
{
	if (gap->since_ns <= weight->time_ns)
		return ticks;
	return (uint64_t)((double)ticks * (double)weight->time_ns / (double)gap->since_ns);
}

void unseen_count(struct thread *thread, uint32_t leaf, enum profile_class class,
	const struct clock_weight *weight, const struct sample_gap *gap)
{
	struct thread_unseen *unseen = &thread->unseen;
	struct task *task = thread_waiter(thread);
	uint64_t ticks, worked, now = tool_time();
	uint32_t node = 0;

	/* After the region's end, unseen_end gives away the time up to it. */
	if (!thread->gate.unseen || !task || path_is_over(task))
		return;
	ticks = unseen->left + timing_between(unseen->since, now);
	worked = with_cpu(ticks, weight, gap);
	unseen->since = now;
	unseen->left = 0;
	unseen->has_met = 1;
	unseen->is_above = !task->is_implicit;
	if (unseen->is_above)
		(task - 1)->ticks_on_top += gap->delay_ns ? ticks : worked;
	if (class == PROFILE_WAIT_TASKWAIT || class == PROFILE_WAIT_TASKGROUP)
		node = wait_node(thread, leaf, class, worked);
	else if (unseen->is_above)
		node = task_node(thread, task);
	unseen->latest = node ? writer_node(node) : NULL;
	if (node)
		writer_count(&unseen->latest->time_ns, worked);
}

/* Notes the wait of the task below, which has `task` on top of it. */
static void note_wait(struct profile_open *open, const struct task *task, const struct task *below)
{
	open->wait = below->since ? below->wait : PROFILE_NO_WAIT;
	open->wait_since = below->since + below->ticks_on_top;
	open->wait_until = task->begun;
}

static void note_task(struct thread *thread, const struct task *task)
{
	struct profile_open *open = &thread->record->open;

	__atomic_store_n(&open->task, 0, __ATOMIC_RELEASE);
	open->is_stolen = task->is_stolen;
	open->task_since = task->begun + task->ticks_excluded;
	open->wait = PROFILE_NO_WAIT;
	if (thread->tasks.n > 1)
		note_wait(open, task, task - 1);
	__atomic_store_n(&open->task, task->context, __ATOMIC_RELEASE);
}

static void note_hold(struct thread *thread)
{
	struct profile_open *open = &thread->record->open;
	const struct held_mutex *held = &thread->mutexes.held[thread->mutexes.n_held - 1];

	if (!held->since || !held->slot || open->mutex == held->slot->key)
		return;
	__atomic_store_n(&open->mutex, 0, __ATOMIC_RELEASE);
	open->mutex_since = held->since;
	__atomic_store_n(&open->mutex, held->slot->key, __ATOMIC_RELEASE);
}

void open_intervals_note(struct thread *thread)
{
	const struct task *task = thread_waiter(thread);

	/* An explicit task that is not timed has no known begin. */
	if (task && !task->is_implicit && task->begun)
		note_task(thread, task);
	if (__atomic_load_n(&tool.holds_are_unknown, __ATOMIC_RELAXED))
		open_intervals_forget_mutex(thread);
	else if (thread->mutexes.n_held > 0 && thread->mutexes.n_held <= THREAD_MAX_HELD)
		note_hold(thread);
}

/*
 * A wait that was expected to be too short to be timed has met a sample. It is timed from now on.
 */
static void begin_late(struct thread *thread, uint32_t wait)
{
	struct profile_now *published = &thread->record->now;
	struct task *task = thread_waiter(thread);
	uint64_t now = tool_time();

	if (thread->mutexes.requested.kind) {
		thread->mutexes.requested.since = now;
		published->mutex_since = now;
	} else if (task && task->wait == wait) {
		task->since = now;
		task->ticks_excluded += task->ticks_on_top;
		task->ticks_on_top = 0;
	}
	published->since = now;
}

/* Notes how long a timed wait had lasted when its first sample came. */
static void note_met(struct thread *thread, uint32_t wait)
{
	struct task *task = thread_waiter(thread);
	uint64_t ticks;

	if (!task || task->wait != wait || !task->since || task->unmet)
		return;
	ticks = timing_between(task->since, tool_time());
	task->unmet = ticks > task->ticks_on_top ? ticks - task->ticks_on_top : 1;
}

/*
 * Records the place of a wait that has lasted for about 1 ms, so that the place is known even if
 * the wait never ends.
 */
static void note_open_wait(struct thread *thread, uint32_t leaf, enum profile_class class)
{
	struct profile_now *now = &thread->record->now;
	uint32_t wait = now->wait, *noted;
	uint64_t id = 0;

	if (class == PROFILE_IDLE || !wait)
		return;
	if (!now->since)
		begin_late(thread, wait);
	else
		note_met(thread, wait);
	noted = profile_wait_is(wait, PROFILE_TIME_MUTEX) ? &now->mutex_leaf : &now->leaf;
	if (*noted || timing_between(now->since, tool_time()) < tool.thresholds.long_wait)
		return;
	if (noted == &now->mutex_leaf && wait != PROFILE_ORDERED)
		id = now->mutex;
	*noted = cct_child(&thread->cct, writer_node(leaf)->parent, PROFILE_NODE_WAIT, 0,
		PROFILE_WAIT_KEY(wait, id));
}

void sample_time_tasks(struct thread *thread, uint64_t latest)
{
	uint64_t earliest = timing_between(tool.thresholds.late_begin, latest);

	if (earliest < thread->waits.timings[0].last)
		earliest = thread->waits.timings[0].last;
	if (earliest < thread->sample.ticks)
		earliest = thread->sample.ticks;
	for (uint32_t n = thread->gate.unseen ? 0 : thread_n_entries(thread); n > 0; n--) {
		struct task *task = &thread->tasks.at[n - 1];

		if (task->since && task->since < latest)
			latest = task->since;
		if (!task->begun && !task->is_implicit) {
			task->begun = latest - timing_between(earliest, latest) / 2;
			task->ticks_excluded = 0;
		}
		if (task->begun && task->begun < latest)
			latest = task->begun;
		if (!task->is_implicit)
			task->weight = 1;
	}
}

void sample_note_open(
	struct thread *thread, uint32_t leaf, enum profile_class class, uint64_t delay_ns)
{
	uint64_t now = tool_time();

	if (class > PROFILE_OVERHEAD && !thread->gate.unseen)
		note_open_wait(thread, leaf, class);
	sample_time_tasks(thread, now);
	thread->sample.ticks = now;
	open_intervals_note(thread);
	if (delay_ns)
		run_delay_add(leaf, delay_ns);
}
