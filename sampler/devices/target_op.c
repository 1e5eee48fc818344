/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of target regions; see target_run.h. Not for the signal handler. */
#include <omp-tools.h>
#include <stddef.h>

#include "profile/core/writer.h"
#include "sampler/core/target.h"
#include "sampler/devices/target_run.h"
#include "sampler/devices/target_run_internal.h"
#include "sampler/core/tool.h"
#include "sampler/devices/device_trace.h"

static int is_transfer(uint32_t event)
{
	return event == PROFILE_EVENT_DATA_TO || event == PROFILE_EVENT_DATA_FROM;
}

static void begin_wait(struct thread *thread, struct target_execution *execution, uint32_t wait)
{
	if (wait)
		target_begin_wait(thread, target_run_task(thread, execution), wait);
}

/* Regions and tasks that the thread has begun so far. */
static uint64_t work_of(const struct thread *thread)
{
	return thread->record->n_regions + thread->record->n_tasks;
}

/*
 * The execution to which an operation belongs, after target_run_mend: the execution with its id. An
 * operation with the id of another thread's target region, or outside of all target regions, gets
 * an execution of its own. Any other operation belongs to the innermost execution. NULL without
 * space.
 */
static struct target_execution *find_of_op(
	struct thread *thread, const struct target_op *op, int begins)
{
	struct target_execution *execution;
	uint32_t node = op->target_id ? target_node_of(op->target_id) : 0;
	ompt_id_t id = op->target_id;
	uint64_t base_cfa = 0;

	target_run_mend(thread, begins);
	execution = target_run_find(thread, op->target_id);
	if (!execution && !node && thread->targets.n)
		execution = &thread->targets.at[thread->targets.n - 1];
	if (execution)
		return execution;
	if (!node) {
		node = target_run_encounter(thread, op->codeptr, PROFILE_TARGET_ROUTINE, &base_cfa);
		id = node ? target_make_id(thread, node) : 0;
	}
	execution = target_run_push(thread, id, node, base_cfa);
	if (!execution)
		return NULL;
	execution->device = op->device;
	execution->is_op = 1;
	return execution;
}

static uint32_t leaf_of(
	struct thread *thread, const struct target_execution *execution, const struct target_op *op)
{
	return target_run_leaf(thread, execution->context, op->event, op->device);
}

/* An execution that was made only for this operation ends with it. */
static void end_alone(struct thread *thread, struct target_execution *execution)
{
	if ((writer_node(execution->node)->flags & PROFILE_TARGET_KIND) == PROFILE_TARGET_ROUTINE)
		target_run_add_execution(thread, execution->context, execution->device,
			timing_between(execution->begun, tool_time()));
	target_run_drop(thread, (uint32_t)(execution - thread->targets.at));
}

/*
 * Whether the operation queues behind a kernel of this execution. Its event then ends when both
 * have ended, so its own length is not known.
 */
static int is_behind_kernel(const struct target_execution *execution, const struct target_op *op)
{
	return execution->in_flight == PROFILE_TARGET_KERNEL && is_transfer(op->event);
}

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

	execution = find_of_op(thread, op, 1);
	if (!execution)
		return;
	target_run_end_wait(thread, execution, 1);
	target_run_lose_op(thread, execution);
	execution->op_leaf = leaf_of(thread, execution, op);
	if (host_op_id) {
		*host_op_id = execution->op_leaf ? target_make_id(thread, execution->op_leaf) : 0;
		device_trace_note_op(op->device, *host_op_id);
	}
	if (!is_kernel)
		begin_wait(thread, execution,
			is_behind_kernel(execution, op) ? PROFILE_TARGET_KERNEL
							: PROFILE_TARGET_DATA);
	else if (!target_device(op->device)->runs_here)
		begin_wait(thread, execution, PROFILE_TARGET_KERNEL);
	execution->op_work = work_of(thread);
	execution->op_begun = tool_time();
}

/* The event of the operation has ended: the thread continues in its construct, if it has one. */
static void go_on_beside(
	struct thread *thread, struct target_execution *execution, const struct target_op *op)
{
	set_in_flight(execution, op);
	if (execution->is_op)
		end_alone(thread, execution);
	else
		begin_wait(thread, execution, execution->in_flight);
}

void target_run_end_op(struct thread *thread, const struct target_op *op)
{
	uint64_t now = tool_time(), ticks = 0;
	struct target_execution *execution;
	uint32_t leaf;

	execution = find_of_op(thread, op, 0);
	if (!execution)
		return;
	leaf = leaf_of(thread, execution, op);
	if (execution->op_leaf == leaf && execution->op_begun)
		ticks = timing_between(execution->op_begun, now);
	else
		target_run_lose(thread);
	if (ticks && op->event == PROFILE_EVENT_KERNEL && execution->op_work != work_of(thread))
		target_device(op->device)->runs_here = 1;
	target_run_end_wait(thread, execution,
		op->event != PROFILE_EVENT_KERNEL || !target_device(op->device)->runs_here);
	target_run_add(thread, leaf, 1, op->amount, is_behind_kernel(execution, op) ? 0 : ticks);
	if (execution->op_leaf == leaf)
		execution->op_leaf = 0;
	execution->op_begun = 0;
	go_on_beside(thread, execution, op);
}

void target_run_note_op(struct thread *thread, const struct target_op *op, ompt_id_t host_op_id)
{
	struct target_execution *execution;
	uint32_t leaf;

	execution = find_of_op(thread, op, 1);
	if (!execution)
		return;
	leaf = leaf_of(thread, execution, op);
	target_run_add(thread, leaf, 1, op->amount, 0);
	if (leaf && host_op_id)
		target_note_op(host_op_id, leaf);
	device_trace_note_op(op->device, host_op_id);
	target_run_end_wait(thread, execution, 1);
	go_on_beside(thread, execution, op);
}

void target_run_count(struct thread *thread, const struct target_op *op, uint32_t n)
{
	struct target_execution *execution;

	execution = find_of_op(thread, op, 0);
	if (!execution)
		return;
	target_run_add(thread, leaf_of(thread, execution, op), n, op->amount, 0);
	if (execution->is_op && !execution->op_leaf)
		end_alone(thread, execution);
}
