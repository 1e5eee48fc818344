/* SPDX-License-Identifier: Apache-2.0 */
/* Measured waiting, from its begin to its end; see wait.h. Not for the signal handler. */
#include "sampler/threads/wait.h"

#include <omp-tools.h>
#include <stddef.h>
#include <string.h>

#include "profile/core/cct.h"
#include "profile/core/writer.h"
#include "sampler/core/capture.h"
#include "sampler/threads/worker_run.h"
#include "sampler/core/region.h"
#include "sampler/core/timeline.h"
#include "sampler/threads/wait_internal.h"
#include "sampler/threads/wait_across_phases.h"
#include "sampler/threads/wait_delay.h"

static void lose_waits(struct thread *thread, uint64_t n)
{
	thread->record->lost[PROFILE_LOST_WAITS] += n;
}

void wait_add_to_leaf(
	struct thread *thread, uint32_t leaf, uint32_t n, uint64_t ticks, uint64_t longest)
{
	if (!leaf) {
		lose_waits(thread, n);
		return;
	}
	if (wait_is_unmeasured(ticks))
		return;
	wait_add_to_node(writer_node(leaf), n, ticks, longest);
	thread->record->n_waits += n;
}

/* A wait in a call is within a frame of the called function, whose address is the key's id. */
static uint32_t wait_leaf(struct thread *thread, uint32_t parent, uint64_t key)
{
	uint32_t kind = PROFILE_WAIT_KIND(key);

	if ((kind == PROFILE_BLOCKED || kind == PROFILE_MPI) && parent && PROFILE_WAIT_ID(key)) {
		parent = cct_child(&thread->cct, parent, PROFILE_NODE_FRAME, PROFILE_FRAME_EXACT,
			PROFILE_WAIT_ID(key));
		key = PROFILE_WAIT_KEY(kind, 0);
	}
	return parent ? cct_child(&thread->cct, parent, PROFILE_NODE_WAIT, 0, key) : 0;
}

/*
 * A carry that has no timed wait yet needs a moment from which the wait's ticks are bounded. In an
 * execution of a region that represents others, this is the end of the previous timed execution.
 * Elsewhere it is the end of the latest timed wait of the kind, at any place; for executions of
 * tasks, of the latest timed closing barrier.
 */
static void find_last(const struct thread *thread, struct weight_carry *due, uint32_t kind)
{
	if (!due->last)
		due->last = thread->waits.team_weight > 1 ? thread->waits.timed_before
							  : thread->waits.timings[kind].last;
}

struct context_note *wait_make_note(struct thread *thread, uint32_t context)
{
	struct context_note *note = &thread->waits.contexts[context % THREAD_N_CONTEXTS];

	/* In another phase the context has another node. */
	if (note->context == context)
		*note = (struct context_note){
			.context = context, .due = note->due, .owed = note->owed
		};
	else
		*note = (struct context_note){ .context = context };
	note->node = cct_child(&thread->cct, thread->cct.root, PROFILE_NODE_CONTEXT, 0, context);
	note->own = note->node ? writer_node(note->node) : NULL;
	return note;
}

uint32_t wait_find_closing(struct thread *thread, uint32_t context)
{
	struct context_note *note;

	if (!context)
		return wait_leaf(
			thread, thread->cct.root, PROFILE_WAIT_KEY(PROFILE_BARRIER_CLOSING, 0));
	note = wait_note(thread, context);
	return note->closing =
		       wait_leaf(thread, note->node, PROFILE_WAIT_KEY(PROFILE_BARRIER_CLOSING, 0));
}

uint32_t wait_open_leaf(struct thread *thread, uint32_t context, uint64_t key)
{
	uint32_t parent = context ? wait_note(thread, context)->node : thread->cct.root;

	return wait_leaf(thread, parent, key);
}

static void flush(struct thread *thread, struct wait_note *note)
{
	if (note->n || note->ticks)
		wait_add_to_leaf(thread, note->leaf, note->n, note->ticks, note->longest);
	note->n = 0;
	note->ticks = note->longest = 0;
}

void wait_flush(struct thread *thread)
{
	for (uint32_t i = 0; i < THREAD_N_WAITS; i++) {
		flush(thread, &thread->waits.at[i]);
		thread->waits.at[i].leaf = 0;
	}
}

static struct wait_note *find_note(
	struct thread *thread, uint64_t key, uint64_t codeptr, uint32_t context)
{
	uint64_t hash = (key ^ key >> 56 ^ codeptr << 7 ^ context) * 0x9e3779b97f4a7c15ULL;
	struct wait_note *note = &thread->waits.at[hash >> 32 & (THREAD_N_WAITS - 1)];

	if (note->key == key && note->codeptr == codeptr && note->context == context)
		return note;
	flush(thread, note);
	*note = (struct wait_note){
		.key = key,
		.codeptr = codeptr,
		.context = context,
	};
	return note;
}

static struct wait_note *note_here(struct thread *thread, uint64_t key, const void *codeptr_ra)
{
	const struct task *task = thread_task(thread);

	return find_note(thread, key, (uint64_t)codeptr_ra, task ? task->context : 0);
}

uint64_t wait_carry(struct thread *thread, uint64_t key, const void *codeptr_ra, uint64_t begun,
	uint64_t now, uint64_t ticks)
{
	struct weight_carry *due = &note_here(thread, key, codeptr_ra)->due;

	find_last(thread, due, PROFILE_WAIT_KIND(key));
	return timing_pay(due, ticks, begun, now);
}

uint64_t wait_pay(struct thread *thread, uint64_t key, const void *codeptr_ra, uint32_t weight,
	uint64_t begun, uint64_t now, uint64_t ticks)
{
	uint64_t sum = wait_carry(thread, key, codeptr_ra, begun, now, ticks);

	timing_came(&thread->waits.timings[PROFILE_WAIT_KIND(key)], weight, ticks / weight, now);
	return sum;
}

uint32_t wait_add_in_phase(struct thread *thread, uint64_t key, const void *codeptr_ra, uint32_t n,
	uint64_t ticks, uint64_t longest)
{
	struct wait_note *note = note_here(thread, key, codeptr_ra);
	uint32_t leaf;

	if (wait_is_unmeasured(ticks))
		return note->leaf;
	note->n += n;
	note->ticks += ticks;
	if (longest > note->longest)
		note->longest = longest;
	if (note->leaf && note->ticks < tool.thresholds.worth_a_walk)
		return note->leaf;
	leaf = wait_leaf(thread, capture_here(thread, (uint64_t)codeptr_ra), key);
	if (leaf)
		note->leaf = leaf;
	flush(thread, note);
	return note->leaf;
}

uint32_t wait_add(struct thread *thread, uint64_t key, const void *codeptr_ra, uint32_t n,
	const struct wait_span *span)
{
	if (!phase_is_spread(thread, span->begin))
		return wait_add_in_phase(thread, key, codeptr_ra, n, span->ticks, span->longest);
	wait_spread_here(thread, key, codeptr_ra, n, span);
	return 0;
}

/* How many executions of the task's region have ended since the task's own execution began. */
static uint32_t n_ended_of(const struct task *task)
{
	return task->region ? region_n_ended(task->region, task->generation) : 0;
}

uint64_t wait_end_of_region(const struct task *task, uint64_t now)
{
	uint32_t n_ended = n_ended_of(task);

	if (n_ended == 0)
		return now;
	return region_end_of(task->region, task->generation, task->n_threads, n_ended);
}

void wait_begin_timed(struct thread *thread, struct task *task, int is_of_team)
{
	struct profile_now *published = &thread->record->now;
	uint8_t created = tasks_created_bit(thread);
	uint64_t now = tool_time();

	if (run_delay_is_due(thread, now)) {
		/* The kernel may take the CPU away as it answers. That is before the wait. */
		wait_delay_begin(thread);
		now = tool_time();
	}
	task->since = now;
	if (!is_of_team)
		return;
	BOARD_WRITE(published->arrived[task->barrier & 1],
		(task->since & ~63ULL) | (uint64_t)(task->barrier & 31) << 1 |
			!!(thread->tasks.has_created & created));
	thread->tasks.has_created &= (uint8_t)(created - 1);
}

/*
 * A wait that was not chosen for timing, but met a sample, counts only for itself, and only if it
 * was long or its length is not known. The timed waits represent the short waits. In an execution
 * that is not timed hardly any wait is long, unless the region has just become slow.
 */
int wait_is_long(const struct thread *thread, const struct task *task, uint64_t now)
{
	uint64_t end = task->wait == PROFILE_BARRIER_CLOSING ? wait_end_of_region(task, now) : now;

	return !end || wait_between(task->since, end, task->ticks_on_top) >=
			       (thread->waits.team_weight ? tool.thresholds.region_long
							  : tool.thresholds.region_late);
}

uint32_t wait_all_weight(const struct thread *thread, const struct task *task)
{
	if (!task->wait_weight)
		return 1;
	return (uint32_t)task->wait_weight *
	       (thread->waits.team_weight ? thread->waits.team_weight : 1);
}

/*
 * The ticks of all waits that a wait of so many ticks represents. Its weight multiplies only the
 * ticks that are not known of the other waits: before a sample met it, and with a CPU. `lacked`:
 * its ticks without a CPU, which the kernel tells of every wait.
 */
static uint64_t represented(
	const struct task *task, uint32_t weight, uint64_t ticks, uint64_t lacked)
{
	uint64_t known = task->unmet && ticks > task->unmet ? ticks - task->unmet : 0;

	if (known < tool.thresholds.region_long)
		known = 0;
	if (known < lacked)
		known = lacked;
	if (task->wait_weight <= 1)
		return ticks * weight;
	return (ticks - known) * weight + known * (weight / task->wait_weight);
}

static uint64_t pay_closing(struct thread *thread, const struct task *task, uint32_t weight,
	uint64_t now, uint64_t ticks)
{
	struct weight_carry unknown = { 0 };
	struct weight_carry *due =
		task->context ? &wait_note(thread, task->context)->due : &unknown;

	find_last(thread, due, PROFILE_BARRIER_CLOSING);
	timing_came(&thread->waits.timings[PROFILE_BARRIER_CLOSING], weight, ticks, now);
	return timing_pay(due, represented(task, weight, ticks, 0), task->since, now);
}

void wait_end_closing(
	struct thread *thread, struct task *task, uint32_t leaf, uint32_t weight, uint64_t now)
{
	uint64_t end = wait_end_of_region(task, now);
	uint64_t ticks = wait_between(task->since, end, task->ticks_on_top);
	struct wait_span span = { task->since, end, .longest = ticks };
	uint64_t lacked = 0;

	if (!end) {
		lose_waits(thread, weight);
		return;
	}
	span.ticks = pay_closing(thread, task, weight, now, ticks);
	if (run_delay_is_due(thread, now))
		lacked = wait_delay_closing(thread, leaf, ticks, end, now);
	timeline_wait(thread, PROFILE_BARRIER_CLOSING, leaf, task->since, end,
		clock_less(span.ticks, lacked));
	wait_add_span(thread, task->context, PROFILE_WAIT_KEY(PROFILE_BARRIER_CLOSING, 0), leaf,
		weight, &span);
}

static void end_other(struct thread *thread, struct task *task, const void *codeptr_ra,
	uint32_t weight, uint64_t now)
{
	uint64_t ticks = wait_between(task->since, now, task->ticks_on_top);
	uint64_t key =
		PROFILE_WAIT_KEY(task->wait, task->wait == PROFILE_MPI ? thread->mpi.function : 0);
	uint64_t delay_ns = run_delay_is_due(thread, now) ? wait_delay_look(thread) : 0;
	uint64_t lacked = wait_delay_ticks(delay_ns, ticks);
	uint64_t sum = wait_pay(thread, key, codeptr_ra, weight, task->since, now,
		represented(task, weight, ticks, lacked));
	const struct wait_span span = { task->since, now, sum, ticks };
	uint32_t leaf = wait_add(thread, key, codeptr_ra, weight, &span);

	/* A timeline has time in MPI as samples. */
	if (task->wait != PROFILE_MPI)
		timeline_wait(thread, task->wait, leaf, task->since, now, clock_less(sum, lacked));
	wait_delay_end(thread, leaf, ticks, delay_ns);
}

uint32_t wait_end_since(struct thread *thread, struct task *task, const void *codeptr_ra)
{
	uint32_t weight;
	uint64_t now;
	int is_seen;

	/* wait_end_of_region will read this line. */
	if (task->wait == PROFILE_BARRIER_CLOSING && task->region)
		__builtin_prefetch(&task->region->generation);
	now = wait_stamp(thread);
	is_seen = !task->wait_weight && wait_is_long(thread, task, now);
	if (!task->is_implicit && timing_between(task->since, now) >= tool.thresholds.quick)
		sample_time_tasks(thread, task->since);
	if (!task->wait_weight &&
		wait_between(task->since, now, task->ticks_on_top) >= tool.thresholds.quick)
		timing_was_slow(&thread->waits.timings[task->wait]);
	weight = task->wait_weight || is_seen ? wait_all_weight(thread, task) : 0;
	if (weight && task->wait == PROFILE_BARRIER_CLOSING)
		wait_end_closing(
			thread, task, wait_closing_leaf(thread, task->context), weight, now);
	else if (weight)
		end_other(thread, task, codeptr_ra, weight, now);
	task->ticks_excluded += timing_between(task->since, now);
	task->wait = 0;
	task->since = 0;
	return is_seen ? 1 : task->wait_weight;
}

uint64_t wait_find_end(struct thread *thread, const struct task *task)
{
	return n_ended_of(task) ? wait_end_of_region(task, 0) : wait_stamp_again(thread);
}

void wait_find_idle(struct thread *thread)
{
	thread->idle.between_leaf =
		wait_open_leaf(thread, 0, PROFILE_WAIT_KEY(PROFILE_IDLE_BETWEEN, 0));
	thread->idle.leaf = wait_open_leaf(thread, 0, PROFILE_WAIT_KEY(PROFILE_IDLE_AFTER, 0));
}

static uint32_t idle_kind(const struct thread *thread)
{
	return thread->idle.has_had_team ? PROFILE_IDLE_BETWEEN : PROFILE_IDLE_BEFORE;
}

uint32_t wait_idle_leaf(struct thread *thread)
{
	if (thread->idle.has_had_team && thread->idle.between_leaf)
		return thread->idle.between_leaf;
	return wait_open_leaf(thread, 0, PROFILE_WAIT_KEY(idle_kind(thread), 0));
}

static void add_idle(struct thread *thread, uint64_t since, uint64_t now)
{
	uint64_t ticks = wait_between(since, now, 0);
	const struct wait_span span = { since, now, ticks, ticks };
	uint32_t kind = idle_kind(thread);

	timeline_wait(thread, kind, thread->idle.between_leaf, since, now,
		ticks - wait_delay_idle(thread, ticks));
	wait_add_span(thread, 0, PROFILE_WAIT_KEY(kind, 0), wait_idle_leaf(thread), 1, &span);
}

void wait_end_idle(struct thread *thread, uint64_t now)
{
	if (!thread->idle.is_idle)
		return;
	thread->idle.is_idle = 0;
	if (thread->idle.since)
		add_idle(thread, thread->idle.since, now);
	thread->idle.since = 0;
}

/*
 * Whether the thread is in the task's context already, as in a league's initial task that the
 * runtime then makes a team of.
 */
static int is_there_already(struct thread *thread, const struct task *task)
{
	const struct task *below = thread->tasks.n > 1 ? task - 1 : NULL;

	return below && below->is_implicit && below->context == task->context;
}

/* The task is in no worker run. */
static void begin_timed(struct thread *thread, struct task *task)
{
	task->weight = task->region ? task->region->weight : 1;
	if (task->weight > 1)
		thread->waits.timed_before = task->region->timed_before;
	/* The members of a quick region begin when it does, within the time of a fork. */
	task->begun = task->weight ? 0 : task->region->begun;
	if (!task->begun)
		task->begun = wait_stamp_again(thread);
	if (run_delay_is_due(thread, task->begun) || thread->idle.delay_ns)
		task->begun = wait_delay_implicit(thread, task->begun);
	if (!is_there_already(thread, task))
		board_publish_begun(thread, task);
	/* On top of other tasks the thread is neither idle nor between two executions. */
	if (thread->tasks.n == 1)
		worker_run_begin_timed(thread, task);
}

void wait_begin_implicit(struct thread *thread, struct task *task)
{
	if (!task->has_team)
		return;
	if (!task->own && task->context && !is_there_already(thread, task))
		task->own = wait_own_node(thread, task->context);
	if (task->is_in_run)
		worker_run_begin(thread, task);
	else
		begin_timed(thread, task);
	wait_drop_stamp(thread);
	thread->idle.has_had_team = 1;
	/* Made now: at the end another thread may have to fill the leaves. */
	if (!thread->idle.leaf && thread->record->type == ompt_thread_worker)
		wait_find_idle(thread);
}

void wait_end_timed_implicit(struct thread *thread, const struct task *task)
{
	uint64_t end = wait_when_region_ended(thread, task);
	uint64_t ticks = wait_between(task->begun, end, 0);
	const struct wait_span span = { task->begun, end, ticks, ticks };

	worker_run_end_timed(thread, task, end, ticks);
	wait_add_stay(thread, task, 1, &span);
}

/* The task below has lost so many ticks to the task on top of it. */
static void add_away(struct thread *thread, uint32_t n, uint64_t ticks)
{
	struct task *below = n > 0 ? &thread->tasks.at[n - 1] : NULL;

	if (below && below->wait)
		below->ticks_on_top += ticks;
	else if (below)
		below->ticks_excluded += ticks;
}

/*
 * The ticks of a task, and of the tasks that it represents. Time in tasks on top is subtracted with
 * these tasks' weights. If that is more than the task's time, the rest is taken off later
 * executions: the sum is right on average, also where most tasks on top are not timed.
 */
static uint64_t pay_task(struct thread *thread, const struct task *task, uint64_t now)
{
	struct context_note *note = wait_note(thread, task->context);
	uint64_t weight = (uint64_t)task->weight *
			  (thread->waits.team_weight ? thread->waits.team_weight : 1);
	uint64_t sum = weight * timing_between(task->begun, now);
	uint64_t owed = (uint64_t)note->owed * OWED_TICKS + weight * task->ticks_excluded;
	uint64_t taken = owed < sum ? owed : sum;
	uint64_t left = (owed - taken) / OWED_TICKS;

	note->owed = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
	find_last(thread, &note->due, PROFILE_BARRIER_CLOSING);
	return timing_pay(&note->due, sum - taken, task->begun, now);
}

void wait_end_timed(struct thread *thread, uint32_t n, const struct task *task, int is_done)
{
	uint64_t now = tool_time(), ticks = timing_between(task->begun, now), sum = 0, busy;

	/* A long task says nothing of others if that is because of the quick tasks on top of it. */
	if (task->is_rough)
		thread->waits.timings[0].last = now;
	else if (task->weight)
		timing_came(&thread->waits.timings[0], task->weight, ticks, now);
	else if (ticks >= tool.thresholds.quick)
		timing_was_slow(&thread->waits.timings[0]);
	busy = wait_between(task->begun, now, task->ticks_excluded);
	add_away(thread, n - 1, task->is_exact ? ticks : ticks * task->weight);
	if (!task->own)
		return;
	if (task->weight)
		sum = task->context ? pay_task(thread, task, now) : busy * task->weight;
	wait_add_stay(thread, task, (uint32_t)is_done,
		&(struct wait_span){ task->begun, now, sum, task->is_rough ? 0 : busy });
}
