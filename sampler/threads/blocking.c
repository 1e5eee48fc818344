/* SPDX-License-Identifier: Apache-2.0 */
/* How long a call slept, and whom that made wait; see blocking.h. Not for the signal handler. */
#include "sampler/threads/blocking.h"

#include <errno.h>

#include "profile/core/plain_calls.h"
#include "profile/core/writer.h"
#include "sampler/core/blame.h"
#include "sampler/core/capture.h"
#include "sampler/core/path.h"
#include "sampler/core/run_delay.h"
#include "sampler/core/sample_follow.h"
#include "sampler/threads/callback_enter.h"
#include "sampler/threads/mpi_wait.h"
#include "sampler/threads/wait.h"

/* A shorter time off the CPU is not worth the question how much of it was no sleep. */
#define ASK_DELAY_NS 50000
/* Less than this is no sleep: clocks are read one after the other. */
#define LEAST_NS 1000

/*
 * A thread that the program created is in no cause unless OpenMP knows it. It can sleep for all of
 * the run, as the threads of MPI libraries do.
 */
static int is_beside_openmp(const struct thread *thread)
{
	return thread->record->start && !thread->record->type;
}

static int may_measure(const struct thread *thread)
{
	return tool_is_on() && !is_beside_openmp(thread) && !thread->gate.in_tool &&
	       !tool_is_paused() && writer_header()->clock_kind != PROFILE_CLOCK_WALL;
}

/* Reads the thread's clocks. The waiting for a CPU is asked for only if there can be some. */
static struct blocking_moment read_clocks(const struct thread *thread)
{
	const struct blocking_moment *latest = &thread->blocking.latest;
	struct blocking_moment now = {
		.ticks = tool_time(),
		.ns = tool_now_ns(),
		.cpu_ns = clock_now_ns(CLOCK_THREAD_CPUTIME_ID),
		.delay_ns = latest->delay_ns,
		.tid = thread->record->tid,
	};

	if (latest->tid != now.tid ||
		clock_less(now.ns - latest->ns, now.cpu_ns - latest->cpu_ns) >= ASK_DELAY_NS)
		now.delay_ns = run_delay_of(now.tid);
	return now;
}

void blocking_look(void)
{
	struct thread *thread = thread_self();
	struct thread_blocking *blocking;
	int saved = errno;

	if (!thread)
		return;
	blocking = &thread->blocking;
	blocking->since = 0;
	if (!may_measure(thread))
		return;
	if (!switched_offset && blocking->latest.tid == thread->record->tid) {
		blocking->since = tool_time();
		return;
	}
	switched_arm();
	blocking->latest = read_clocks(thread);
	blocking->since = blocking->latest.ticks;
	errno = saved;
}

/*
 * The ticks of sleep between two moments, of which `most` ticks can be of the call. Returns 0 if
 * there was none.
 */
static uint64_t sleep_between(
	const struct blocking_moment *from, const struct blocking_moment *to, uint64_t most)
{
	uint64_t ns = to->ns - from->ns;
	uint64_t off_ns = clock_less(ns, to->cpu_ns - from->cpu_ns);
	uint64_t slept = clock_less(off_ns, to->delay_ns - from->delay_ns);
	uint64_t ticks;

	if (slept < LEAST_NS || to->ticks <= from->ticks)
		return 0;
	ticks = (uint64_t)((double)(to->ticks - from->ticks) * (double)slept / (double)ns);
	return ticks < most ? ticks : most;
}

/* Holds that were expected to be too short to be timed are timed from now on. */
static void begin_holds(struct thread *thread, uint64_t since)
{
	for (uint32_t i = 0; i < thread->mutexes.n_held && i < THREAD_MAX_HELD; i++) {
		struct held_mutex *held = &thread->mutexes.held[i];

		if (held->since || !held->slot)
			continue;
		held->since = since;
		held->weight = 1;
	}
}

/*
 * Whether the OpenMP runtime called the function. A call that returns to the runtime can also be
 * the last call of the function that is made of a region or task, which is a tail call. Then the
 * task has not called the runtime, and does not wait.
 */
static int is_runtimes(struct thread *thread, uint64_t caller)
{
	const struct profile_now *now = &thread->record->now;
	struct path_place place;

	if (!runtime_code_has(tool.runtime_code, caller))
		return 0;
	path_find_place(thread, NULL, &place);
	return now->wait || now->is_idle || place.frames.enter_frame || !place.context;
}

static void add_sleep(struct thread *thread, uint64_t function, uint64_t caller, uint64_t ticks)
{
	uint64_t now = thread->blocking.latest.ticks;
	const struct wait_span span = { now - ticks, now, ticks, ticks };
	uint64_t key = PROFILE_WAIT_KEY(PROFILE_BLOCKED, function);
	int is_worth_a_walk = ticks >= tool.thresholds.worth_a_walk;
	uint32_t leaf;

	thread->gate.in_tool++;
	atomic_signal_fence(memory_order_seq_cst);
	if (thread->gate.unseen)
		unseen_end(thread);
	catch_up(thread);
	/* The next sample is not to count the time since the previous sample as work. */
	thread->sample.callbacks = UINT64_MAX;
	if (mpi_is_in(thread)) {
		if (is_worth_a_walk)
			blame_sleep(thread, capture_here(thread, caller), span.begin, span.end);
	} else if (!is_runtimes(thread, caller)) {
		run_delay_leave_out(thread, ticks);
		begin_holds(thread, span.begin);
		sample_time_tasks(thread, span.begin);
		leaf = wait_add(thread, key, (const void *)caller, 1, &span);
		if (leaf && is_worth_a_walk)
			blame_sleep(thread, writer_node(leaf)->parent, span.begin, span.end);
	}
	leave(thread);
}

/* Reads the clocks, if the call may be measured and was not short. Returns its ticks of sleep. */
static uint64_t measure(struct thread *thread)
{
	struct thread_blocking *blocking = &thread->blocking;
	const struct blocking_moment from = blocking->latest;
	uint64_t since = blocking->since;

	blocking->since = 0;
	if (!since || !may_measure(thread) ||
		(!switched_offset && tool_time() - since < tool.thresholds.worth_a_walk))
		return 0;
	switched_arm();
	blocking->latest = read_clocks(thread);
	blocking->since = blocking->latest.ticks;
	return sleep_between(&from, &blocking->latest, blocking->latest.ticks - since);
}

void blocking_add(uint64_t function, uint64_t caller)
{
	struct thread *thread = thread_self();
	int saved = errno;
	uint64_t ticks = thread ? measure(thread) : 0;

	/* A child between vfork and exec uses the thread's memory. */
	if (ticks && (uint32_t)plain_gettid() == thread->record->tid)
		add_sleep(thread, function, caller, ticks);
	errno = saved;
}
