/* SPDX-License-Identifier: Apache-2.0 */
/* The work after a sample; see sample_follow.h. Part of the signal-safe core. */
#include "sampler/core/sample_follow.h"

#include <stddef.h>

#include "profile/core/writer.h"
#include "sampler/core/blame.h"
#include "sampler/core/open_intervals.h"
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
	/* A thread that waits for a device makes other threads wait. */
	if (class <= PROFILE_OVERHEAD || class == PROFILE_WAIT_TARGET)
		blame_sample(thread, writer_node(leaf)->parent, worked_ns, gap->delay_ns);
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

void sample_note_open(
	struct thread *thread, uint32_t leaf, enum profile_class class, uint64_t delay_ns)
{
	if (class > PROFILE_OVERHEAD)
		note_open_wait(thread, leaf, class);
	open_intervals_note(thread);
	if (delay_ns)
		run_delay_add(leaf, delay_ns);
}
