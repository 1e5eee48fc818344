/* SPDX-License-Identifier: Apache-2.0 */
/* Executions of target regions and their operations; see target_run.h. Not for the signal handler. */
#include "sampler/target_run.h"

#include <omp-tools.h>
#include <stddef.h>

#include "profile/cct.h"
#include "profile/writer.h"
#include "sampler/capture.h"
#include "sampler/construct.h"
#include "sampler/classify.h"
#include "sampler/target.h"
#include "sampler/tasks.h"
#include "sampler/timeline.h"
#include "sampler/wait.h"
#include "sampler/trace.h"

static void lose(struct thread *thread)
{
	writer_count(&thread->record->lost[PROFILE_LOST_WAITS], 1);
}

static int is_transfer(uint32_t event)
{
	return event == PROFILE_EVENT_DATA_TO || event == PROFILE_EVENT_DATA_FROM;
}

/* The execution's task if it is the current one, else NULL. */
static struct task *current_task(struct thread *thread, const struct target_execution *execution)
{
	struct task *task = thread_waiter(thread);

	return task && task->data == execution ? task : NULL;
}

/* Adds n events, of which the ticks are known or 0, to an EVENT leaf. */
static void count(struct thread *thread, uint32_t leaf, uint32_t n, uint64_t amount, uint64_t ticks)
{
	struct profile_node *node;

	if (!leaf) {
		writer_count(&thread->record->lost[PROFILE_LOST_NO_SPACE], 1);
		return;
	}
	node = writer_node(leaf);
	__atomic_store_n(&node->n, node->n + n, __ATOMIC_RELAXED);
	writer_count(&node->events, amount);
	writer_count(&node->time_ns, ticks);
	if (ticks > node->blame_ns)
		__atomic_store_n(&node->blame_ns, ticks, __ATOMIC_RELAXED);
}

static uint32_t event_leaf(struct thread *thread, uint32_t parent, uint32_t event, int device)
{
	return parent ? cct_child(&thread->cct, parent, PROFILE_NODE_EVENT, 0,
				PROFILE_EVENT_KEY(event, (uint32_t)device))
		      : 0;
}

static void begin_wait(struct thread *thread, struct target_execution *execution, uint32_t wait)
{
	if (wait)
		target_begin_wait(thread, current_task(thread, execution), wait);
}

static uint32_t wait_leaf(
	struct thread *thread, const struct target_execution *execution, uint32_t wait)
{
	return cct_child(
		&thread->cct, execution->context, PROFILE_NODE_WAIT, 0, PROFILE_WAIT_KEY(wait, 0));
}

/* The wait of the current task ends; it was one if it `counts`. */
static void end_wait_if(struct thread *thread, struct target_execution *execution, int counts)
{
	struct task *task = current_task(thread, execution);
	struct profile_now *now = &thread->record->now;
	uint64_t ticks, end = tool_time();
	uint32_t leaf;

	if (!task || !task->wait)
		return;
	ticks = pace_between(task->since, end);
	ticks -= task->away < ticks ? task->away : ticks;
	/* A sync region within it, whose end has not come, has made another wait of it. */
	if (!task->since || task->wait < PROFILE_TARGET_DATA)
		counts = 0;
	/* now->leaf can be another one's by now: of a task that ran on top. */
	leaf = counts ? wait_leaf(thread, execution, task->wait) : 0;
	if (leaf) {
		wait_add_to_node(writer_node(leaf), 1, ticks, ticks);
		timeline_wait(thread, task->wait, leaf, task->since, end, ticks);
		thread->record->n_waits++;
		cct_add_blame(&thread->cct, execution->context, 0, PROFILE_WAIT_KEY(task->wait, 0),
			ticks);
		task->gone += ticks;
	}
	task->wait = 0;
	task->since = 0;
	task->sync = OWN_NONE;
	TEAM_WRITE(now->leaf, 0);
	team_publish_wait(thread, 0, 0);
}

static void end_wait(struct thread *thread, struct target_execution *execution)
{
	end_wait_if(thread, execution, 1);
}

/* Regions and tasks that the thread has begun so far. */
static uint64_t work_of(const struct thread *thread)
{
	return thread->record->n_regions + thread->record->n_tasks;
}

/* What an open operation is for, whose end has not come, nobody will know. */
static void lose_op(struct thread *thread, struct target_execution *execution)
{
	if (execution->op_leaf)
		lose(thread);
	execution->op_leaf = 0;
	execution->op_begun = 0;
}

/* Takes the i-th execution and those above it off the thread's. */
static void drop(struct thread *thread, uint32_t i)
{
	struct target_execution *execution = &thread->targets[i];
	uint32_t n = tasks_find(thread, execution);
	uint64_t gone = 0;

	for (uint32_t k = i; k < thread->n_targets; k++)
		lose_op(thread, &thread->targets[k]);
	end_wait(thread, execution);
	if (n) {
		gone = thread->tasks[n - 1].gone;
		tasks_pop(thread, n - 1, 1);
		if (n > 1 && !thread->tasks[n - 2].wait)
			thread->tasks[n - 2].gone += gone;
		tasks_resume(thread);
	}
	thread->n_targets = i;
}

/* Forgets executions that have ended meanwhile: on another thread, or with a task around them; where something
   `begins`, those that were only for an operation, too. */
static void mend(struct thread *thread, int begins)
{
	for (uint32_t i = 0; i < thread->n_targets; i++) {
		struct target_execution *execution = &thread->targets[i];

		if (tasks_find(thread, execution) && !(begins && execution->is_op) &&
			(!execution->is_listed || target_is_listed(execution->id)))
			continue;
		drop(thread, i);
		return;
	}
}

static struct target_execution *find(struct thread *thread, ompt_id_t id)
{
	for (uint32_t i = thread->n_targets; i-- > 0 && id;) {
		if (thread->targets[i].id == id)
			return &thread->targets[i];
	}
	return NULL;
}

/* Of waits for devices; once, as the line is read by all. */
static void say_that_waits_are_timed(void)
{
	const uint32_t bits = 1u << PROFILE_TARGET_DATA | 1u << PROFILE_TARGET_KERNEL;
	uint32_t *waits = &writer_header()->waits;

	if ((__atomic_load_n(waits, __ATOMIC_RELAXED) & bits) != bits)
		__atomic_fetch_or(waits, bits, __ATOMIC_RELAXED);
}

/* The current task is that of an execution from here on; NULL if there is no room for one. */
static struct target_execution *push(
	struct thread *thread, ompt_id_t id, uint32_t node, uint64_t base_cfa)
{
	const struct task *below = thread_task(thread);
	uint8_t has_team = below ? below->has_team : 0;
	struct target_execution *execution;
	struct task *task;
	uint32_t context = node ? wait_note(thread, node)->node : 0;

	if (!context || thread->n_targets >= THREAD_MAX_TARGETS) {
		construct_lose(thread);
		return NULL;
	}
	execution = &thread->targets[thread->n_targets++];
	*execution = (struct target_execution){
		.id = id, .node = node, .context = context, .begun = tool_time()
	};
	task = tasks_push(thread, execution, node);
	task->base_cfa = base_cfa;
	task->is_inline = base_cfa != 0;
	task->has_team = has_team;
	task->signals = thread->record->n_signals;
	team_publish_wait(thread, 0, 0);
	say_that_waits_are_timed();
	return execution;
}

/* Captures where a construct is encountered. Returns its TARGET node, one execution more; 0 without space. */
static __attribute__((noinline)) uint32_t encounter(
	struct thread *thread, uint64_t codeptr, uint8_t kind, uint64_t *base_cfa)
{
	struct creation creation;
	struct walk_registers here;
	uint32_t node;

	walk_registers_here(&here);
	capture(thread, codeptr, NULL, &here, &creation);
	*base_cfa = creation.node ? creation.base_cfa : 0;
	node = construct_target(thread, &creation, kind);
	if (node)
		__atomic_store_n(&writer_node(node)->n, writer_node(node)->n + 1, __ATOMIC_RELAXED);
	return node;
}

static uint8_t flags_of(uint32_t kind)
{
	uint32_t of = kind & PROFILE_TARGET_KIND;

	if (kind & ~15u || of < PROFILE_TARGET_CONSTRUCT || of > PROFILE_TARGET_UPDATE)
		of = PROFILE_TARGET_OTHER;
	return (uint8_t)(of | (kind & PROFILE_TARGET_NOWAIT));
}

void target_run_begin(
	struct thread *thread, uint32_t kind, int device, ompt_id_t *id, uint64_t codeptr)
{
	struct target_execution *execution;
	int is_ours = *id == 0;
	uint64_t base_cfa;
	uint32_t node;

	mend(thread, 1);
	node = encounter(thread, codeptr, flags_of(kind), &base_cfa);
	if (node && is_ours)
		*id = target_make_id(thread, node);
	else if (node)
		target_note(*id, node);
	execution = push(thread, *id, node, base_cfa);
	if (!execution)
		return;
	execution->device = device;
	execution->kind = flags_of(kind);
	execution->is_listed = (uint8_t)target_list(*id, execution->begun);
}

/* One that another thread began, or of which no begin is known. */
static void end_foreign(struct thread *thread, int device, ompt_id_t id)
{
	uint64_t begun = target_unlist(id), now = tool_time();
	uint32_t node = target_node_of(id);
	uint32_t context = node ? wait_note(thread, node)->node : 0;

	if (!context || !begun)
		lose(thread);
	if (context)
		count(thread, event_leaf(thread, context, PROFILE_EVENT_TARGET, device), 1, 0,
			begun ? pace_between(begun, now) : 0);
}

void target_run_end(struct thread *thread, int device, ompt_id_t id)
{
	struct target_execution *execution;

	mend(thread, 0);
	if (!id && thread->n_targets)
		id = thread->targets[thread->n_targets - 1].id;
	execution = find(thread, id);
	if (!execution) {
		end_foreign(thread, device, id);
		return;
	}
	end_wait(thread, execution);
	if (execution->is_listed)
		target_unlist(id);
	count(thread,
		event_leaf(thread, execution->context, PROFILE_EVENT_TARGET, execution->device), 1,
		0, pace_between(execution->begun, tool_time()));
	drop(thread, (uint32_t)(execution - thread->targets));
}

/* The execution that an operation belongs to: the one with its id, else for an operation alone a new one, of the
   target region that another thread began, or without any id the innermost, or of none. NULL without space. */
static struct target_execution *find_of_op(struct thread *thread, const struct target_op *op)
{
	struct target_execution *execution;
	uint32_t node = op->target_id ? target_node_of(op->target_id) : 0;
	ompt_id_t id = op->target_id;
	uint64_t base_cfa = 0;

	execution = find(thread, op->target_id);
	if (!execution && !node && thread->n_targets)
		execution = &thread->targets[thread->n_targets - 1];
	if (execution)
		return execution;
	if (!node) {
		node = encounter(thread, op->codeptr, PROFILE_TARGET_ROUTINE, &base_cfa);
		id = node ? target_make_id(thread, node) : 0;
	}
	execution = push(thread, id, node, base_cfa);
	if (!execution)
		return NULL;
	execution->device = op->device;
	execution->is_op = 1;
	return execution;
}

/* An execution that is only for an operation ends with it. */
static void end_alone(struct thread *thread, struct target_execution *execution)
{
	if ((writer_node(execution->node)->flags & PROFILE_TARGET_KIND) == PROFILE_TARGET_ROUTINE)
		count(thread,
			event_leaf(thread, execution->context, PROFILE_EVENT_TARGET,
				execution->device),
			1, 0, pace_between(execution->begun, tool_time()));
	drop(thread, (uint32_t)(execution - thread->targets));
}

/* What the device is at once an operation has begun there. */
static void set_in_flight(struct target_execution *execution, const struct target_op *op)
{
	if (target_device(op->device)->runs_here)
		return;
	if (op->event == PROFILE_EVENT_KERNEL)
		execution->in_flight = PROFILE_TARGET_KERNEL;
	else if (is_transfer(op->event) && !execution->in_flight)
		execution->in_flight = PROFILE_TARGET_DATA;
}

void target_run_begin_op(struct thread *thread, const struct target_op *op, ompt_id_t *host_op_id)
{
	int is_kernel = op->event == PROFILE_EVENT_KERNEL;
	struct target_execution *execution;

	mend(thread, 1);
	execution = find_of_op(thread, op);
	if (!execution)
		return;
	end_wait(thread, execution);
	lose_op(thread, execution);
	execution->op_leaf = event_leaf(thread, execution->context, op->event, op->device);
	if (host_op_id) {
		*host_op_id = execution->op_leaf ? target_make_id(thread, execution->op_leaf) : 0;
		trace_note_op(op->device, *host_op_id);
	}
	if (!is_kernel)
		begin_wait(thread, execution, PROFILE_TARGET_DATA);
	else if (!target_device(op->device)->runs_here)
		begin_wait(thread, execution, PROFILE_TARGET_KERNEL);
	execution->op_work = work_of(thread);
	execution->op_begun = tool_time();
}

void target_run_end_op(struct thread *thread, const struct target_op *op)
{
	uint64_t now = tool_time(), ticks = 0;
	struct target_execution *execution;
	uint32_t leaf;

	mend(thread, 0);
	execution = find_of_op(thread, op);
	if (!execution)
		return;
	leaf = event_leaf(thread, execution->context, op->event, op->device);
	if (execution->op_leaf == leaf && execution->op_begun)
		ticks = pace_between(execution->op_begun, now);
	else
		lose(thread);
	if (ticks && op->event == PROFILE_EVENT_KERNEL && execution->op_work != work_of(thread))
		target_device(op->device)->runs_here = 1;
	end_wait_if(thread, execution,
		op->event != PROFILE_EVENT_KERNEL || !target_device(op->device)->runs_here);
	count(thread, leaf, 1, op->amount, ticks);
	if (execution->op_leaf == leaf)
		execution->op_leaf = 0;
	execution->op_begun = 0;
	set_in_flight(execution, op);
	if (execution->is_op)
		end_alone(thread, execution);
	else
		begin_wait(thread, execution, execution->in_flight);
}

void target_run_note_op(struct thread *thread, const struct target_op *op, ompt_id_t host_op_id)
{
	struct target_execution *execution;
	uint32_t leaf;

	mend(thread, 1);
	execution = find_of_op(thread, op);
	if (!execution)
		return;
	leaf = event_leaf(thread, execution->context, op->event, op->device);
	count(thread, leaf, 1, op->amount, 0);
	if (leaf && host_op_id)
		target_note_op(host_op_id, leaf);
	trace_note_op(op->device, host_op_id);
	end_wait(thread, execution);
	set_in_flight(execution, op);
	if (execution->is_op)
		end_alone(thread, execution);
	else
		begin_wait(thread, execution, execution->in_flight);
}

void target_run_count(struct thread *thread, const struct target_op *op, uint32_t n)
{
	struct target_execution *execution;

	mend(thread, 0);
	execution = find_of_op(thread, op);
	if (!execution)
		return;
	count(thread, event_leaf(thread, execution->context, op->event, op->device), n, op->amount,
		0);
	if (execution->is_op && !execution->op_leaf)
		end_alone(thread, execution);
}

int target_run_device(struct thread *thread, ompt_id_t id)
{
	const struct target_execution *execution = find(thread, id);

	if (!execution && thread->n_targets)
		execution = &thread->targets[thread->n_targets - 1];
	return execution ? execution->device : PROFILE_NO_DEVICE;
}
