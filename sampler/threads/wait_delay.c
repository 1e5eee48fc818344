/* SPDX-License-Identifier: Apache-2.0 */
/* Where a thread had no CPU, as events tell; see wait_delay.h. Not for the signal handler. */
#include "sampler/threads/wait_delay.h"

#include <time.h>

#include "profile/core/cct.h"
#include "profile/core/writer.h"
#include "sampler/core/blame.h"
#include "sampler/core/region.h"
#include "sampler/threads/wait_internal.h"

/*
 * How long the thread slept since `from`, if it was ready for delay_ns of the time without a CPU.
 */
static uint64_t asleep_since(
	const struct thread_delay *from, uint64_t now_ns, uint64_t cpu_ns, uint64_t delay_ns)
{
	return clock_less(clock_less(now_ns, from->wall_ns), cpu_ns - from->cpu_ns + delay_ns);
}

uint64_t wait_delay_look(struct thread *thread)
{
	const struct thread_delay before = thread->life.delay;
	struct thread_delay *delay = &thread->life.delay;
	uint64_t now_ns = tool_now_ns(), cpu_ns, delay_ns;

	/* Another thread may end this thread's record. */
	if (clock_cpu_of(thread->record->tid, &cpu_ns) != 0)
		return 0;
	delay_ns = run_delay_look(thread, now_ns, cpu_ns);
	/* If it looked at too little time to ask the kernel, the next look sees this time again. */
	delay->asleep_ns = delay->wall_ns == before.wall_ns
				   ? 0
				   : asleep_since(&before, now_ns, cpu_ns, delay_ns);
	return delay_ns;
}

/* The part of delay_ns that can have been in so many ticks. */
static uint64_t part_in(uint64_t delay_ns, uint64_t ticks)
{
	uint64_t ns = run_delay_ns(ticks);

	return delay_ns < ns ? delay_ns : ns;
}

/*
 * The sleep that the latest look found was in a wait of so many ticks. If the wait was not to be
 * timed, nobody looked at its begin, and some of the sleep can have been in the code before it.
 */
static void add_asleep(struct thread *thread, uint64_t ticks)
{
	writer_count(&thread->record->more.waited_asleep_ns,
		part_in(thread->life.delay.asleep_ns, ticks));
	thread->life.delay.asleep_ns = 0;
}

static void add_to(uint32_t node, uint64_t ns)
{
	if (node && ns)
		run_delay_add(node, ns);
}

/* The leaf of samples of this class in a task of the thread, whose place in it is not known. */
static uint32_t leaf_in(struct thread *thread, const struct task *task, enum profile_class class)
{
	uint32_t context = task ? task->context : 0;
	uint32_t parent = context ? wait_note(thread, context)->node : thread->cct.root;

	return parent ? cct_child(&thread->cct, parent, PROFILE_NODE_SAMPLES, 0, class) : 0;
}

static void add_to_work(struct thread *thread, uint32_t leaf, uint64_t ns)
{
	if (!leaf || !ns)
		return;
	run_delay_add(leaf, ns);
	blame_sample(thread, writer_node(leaf)->parent, 0, ns);
}

/*
 * The thread had no CPU before this event, in code of the task, and made others wait. If this is
 * the first event since the thread's latest sample, the code is the sampled code. If it slept, that
 * was in no wait.
 */
static void add_to_code(struct thread *thread, const struct task *task, uint64_t ns)
{
	const struct thread_sample *sample = &thread->sample;
	int is_known = sample->leaf && sample->class <= PROFILE_OVERHEAD &&
		       thread->record->n_callbacks - sample->callbacks <= 1;

	thread->life.delay.asleep_ns = 0;
	if (ns)
		add_to_work(
			thread, is_known ? sample->leaf : leaf_in(thread, task, PROFILE_WORK), ns);
}

void wait_delay_begin(struct thread *thread)
{
	add_to_code(thread, thread_task(thread), wait_delay_look(thread));
}

uint64_t wait_delay_ticks(uint64_t delay_ns, uint64_t ticks)
{
	uint64_t delay = run_delay_ticks(delay_ns);

	return delay < ticks ? delay : ticks;
}

void wait_delay_end(struct thread *thread, uint32_t leaf, uint64_t ticks, uint64_t delay_ns)
{
	uint64_t in_wait = part_in(delay_ns, ticks);

	add_asleep(thread, ticks);
	if (!delay_ns)
		return;
	add_to(leaf, in_wait);
	add_to(leaf_in(thread, thread_task(thread), PROFILE_WORK), delay_ns - in_wait);
}

/*
 * The team's region has not ended, as the thread that ends it passes the closing barrier. If it had
 * no CPU after the last thread had come, the others waited for that.
 */
static void blame_late_end(struct thread *thread, uint32_t leaf, uint64_t delay_ns, uint64_t now)
{
	uint64_t ticks = region_since_arrivals(thread_task(thread), now);

	delay_ns = part_in(delay_ns, ticks);
	if (leaf && delay_ns)
		blame_sample(thread, writer_node(leaf)->parent, 0, delay_ns);
}

uint64_t wait_delay_closing(
	struct thread *thread, uint32_t leaf, uint64_t ticks, uint64_t end, uint64_t now)
{
	uint64_t delay_ns = wait_delay_look(thread),
		 idle_ns = part_in(delay_ns, timing_between(end, now));

	add_asleep(thread, ticks + timing_between(end, now));
	thread->idle.delay_ns += idle_ns;
	add_to(leaf, delay_ns - idle_ns);
	if (delay_ns && end == now)
		blame_late_end(thread, leaf, delay_ns, now);
	return wait_delay_ticks(delay_ns - idle_ns, ticks);
}

uint64_t wait_delay_finish(struct thread *thread, uint32_t leaf, uint64_t ticks)
{
	struct thread_delay *delay = &thread->life.delay;
	uint64_t delay_ns = thread->idle.delay_ns, late_ns, cpu_ns;

	thread->idle.delay_ns = 0;
	if (ticks < tool.thresholds.run_delay)
		return 0;
	late_ns = clock_less(run_delay_of(thread->record->tid), delay->asked_ns);
	delay_ns += late_ns;
	if (clock_cpu_of(thread->record->tid, &cpu_ns) == 0) {
		delay->asleep_ns = asleep_since(delay, tool_now_ns(), cpu_ns, late_ns);
		add_asleep(thread, ticks);
	}
	add_to(leaf, part_in(delay_ns, ticks));
	return wait_delay_ticks(delay_ns, ticks);
}

uint64_t wait_delay_idle(struct thread *thread, uint64_t ticks)
{
	uint64_t lacked = wait_delay_ticks(thread->idle.lacked_ns, ticks);

	thread->idle.lacked_ns = 0;
	return lacked;
}

/* When its idle time began; in a worker run, when the run did; `now` if neither is known. */
static uint64_t idle_since(const struct thread *thread, uint64_t now)
{
	const struct worker_runs *runs = &thread->regions.runs;

	if (thread->idle.since)
		return thread->idle.since;
	return runs->n ? runs->begun : now;
}

uint64_t wait_delay_implicit(struct thread *thread, uint64_t begun)
{
	const struct task *task = thread_task(thread);
	uint64_t delay_ns = thread->idle.delay_ns + wait_delay_look(thread), late_ns;
	uint64_t region = 0;

	if (task->region)
		region = __atomic_load_n(&task->region->begun, __ATOMIC_RELAXED);
	thread->idle.delay_ns = 0;
	if (!thread->idle.is_idle) {
		add_to_code(thread, thread->tasks.n > 1 ? task - 1 : NULL, delay_ns);
		return begun;
	}
	add_asleep(thread, timing_between(idle_since(thread, begun), begun));
	/* The region may be unknown, and its begin may not be stored yet. */
	if (region < thread->idle.since)
		region = begun;
	late_ns = part_in(delay_ns, timing_between(region, begun));
	thread->idle.lacked_ns += delay_ns - late_ns;
	add_to(wait_idle_leaf(thread), delay_ns - late_ns);
	add_to_work(thread, leaf_in(thread, task, PROFILE_OVERHEAD), late_ns);
	return begun - run_delay_ticks(late_ns);
}
