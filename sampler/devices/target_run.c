/* SPDX-License-Identifier: Apache-2.0 */
/* Executions of target regions; see target_run.h. Not for the signal handler. */
#include "sampler/devices/target_run.h"

#include <omp-tools.h>
#include <stddef.h>

#include "profile/core/cct.h"
#include "profile/core/writer.h"
#include "sampler/core/capture.h"
#include "sampler/core/phase.h"
#include "sampler/threads/construct.h"
#include "sampler/core/target.h"
#include "sampler/devices/target_run_internal.h"
#include "sampler/threads/task_stack.h"
#include "sampler/core/timeline.h"
#include "sampler/threads/wait.h"

void target_run_lose(struct thread *thread)
{
	writer_count(&thread->record->lost[PROFILE_LOST_WAITS], 1);
}

struct task *target_run_task(struct thread *thread, const struct target_execution *execution)
{
	struct task *task = thread_waiter(thread);

	return task && task->data == execution ? task : NULL;
}

void target_run_add(
	struct thread *thread, uint32_t leaf, uint32_t n, uint64_t amount, uint64_t ticks)
{
	if (leaf)
		target_add_to_leaf(leaf, n, amount, ticks);
	else
		writer_count(&thread->record->lost[PROFILE_LOST_NO_SPACE], 1);
}

uint32_t target_run_leaf(struct thread *thread, uint32_t parent, uint32_t event, int device)
{
	return parent ? cct_child(&thread->cct, parent, PROFILE_NODE_EVENT, 0,
				PROFILE_EVENT_KEY(event, (uint32_t)device))
		      : 0;
}

void target_run_add_execution(struct thread *thread, uint32_t parent, int device, uint64_t ticks)
{
	target_run_add(
		thread, target_run_leaf(thread, parent, PROFILE_EVENT_TARGET, device), 1, 0, ticks);
}

/* A wait for a device: which target region waits, and for what. */
struct device_wait {
	uint32_t target; /* TARGET node */
	uint32_t leaf;   /* WAIT leaf of its last part; 0: none, or no space */
	uint64_t key;
};

/* Adds a part of a wait, and blames the target region itself for it: nobody else can be blamed. */
static void take_wait(struct thread *thread, void *data, uint64_t ticks, int is_last)
{
	struct device_wait *wait = data;
	uint32_t context = wait_note(thread, wait->target)->node;

	wait->leaf =
		context ? cct_child(&thread->cct, context, PROFILE_NODE_WAIT, 0, wait->key) : 0;
	if (!wait->leaf)
		return;
	wait_add_to_node(writer_node(wait->leaf), (uint32_t)is_last, ticks, ticks);
	cct_add_blame(&thread->cct, context, 0, wait->key, ticks);
}

void target_run_end_wait(struct thread *thread, struct target_execution *execution, int counts)
{
	struct task *task = target_run_task(thread, execution);
	struct profile_now *now = &thread->record->now;
	struct device_wait wait = { .target = execution->node };
	uint64_t ticks, end = tool_time();

	if (!task || !task->wait)
		return;
	wait.key = PROFILE_WAIT_KEY(task->wait, 0);
	ticks = timing_between(task->since, end);
	ticks -= task->ticks_on_top < ticks ? task->ticks_on_top : ticks;
	/* A sync region within it, whose end is missing, has changed the wait. */
	if (!task->since || task->wait < PROFILE_TARGET_DATA)
		counts = 0;
	/* take_wait finds the leaf: now->leaf can belong to a task that ran on top meanwhile. */
	if (counts)
		phase_spread(thread, task->since, end, ticks, take_wait, &wait);
	if (wait.leaf) {
		timeline_wait(thread, task->wait, wait.leaf, task->since, end, ticks);
		thread->record->n_waits++;
		task->ticks_excluded += ticks;
	}
	task->wait = 0;
	task->since = 0;
	task->sync = OWN_NONE;
	BOARD_WRITE(now->leaf, 0);
	board_publish_wait(thread, 0, 0);
}

void target_run_lose_op(struct thread *thread, struct target_execution *execution)
{
	if (execution->op_leaf)
		target_run_lose(thread);
	execution->op_leaf = 0;
	execution->op_begun = 0;
}

void target_run_drop(struct thread *thread, uint32_t i)
{
	struct target_execution *execution = &thread->targets.at[i];
	uint32_t n = tasks_find(thread, execution);
	uint64_t gone = 0;

	for (uint32_t k = i; k < thread->targets.n; k++)
		target_run_lose_op(thread, &thread->targets.at[k]);
	target_run_end_wait(thread, execution, 1);
	if (n) {
		gone = thread->tasks.at[n - 1].ticks_excluded;
		tasks_pop(thread, n - 1, 1);
		if (n > 1 && !thread->tasks.at[n - 2].wait)
			thread->tasks.at[n - 2].ticks_excluded += gone;
		tasks_resume(thread);
	}
	thread->targets.n = i;
}

void target_run_mend(struct thread *thread, int begins)
{
	for (uint32_t i = 0; i < thread->targets.n; i++) {
		struct target_execution *execution = &thread->targets.at[i];

		if (tasks_find(thread, execution) && !(begins && execution->is_op) &&
			(!execution->is_listed || target_is_listed(execution->id)))
			continue;
		target_run_drop(thread, i);
		return;
	}
}

struct target_execution *target_run_find(struct thread *thread, ompt_id_t id)
{
	for (uint32_t i = thread->targets.n; i-- > 0 && id;) {
		if (thread->targets.at[i].id == id)
			return &thread->targets.at[i];
	}
	return NULL;
}

/* Says in the header that waits for devices are measured. Looks first: all threads read it. */
static void say_that_waits_are_timed(void)
{
	const uint32_t bits = 1u << PROFILE_TARGET_DATA | 1u << PROFILE_TARGET_KERNEL;
	uint32_t *waits = &writer_header()->waits;

	if ((__atomic_load_n(waits, __ATOMIC_RELAXED) & bits) != bits)
		__atomic_fetch_or(waits, bits, __ATOMIC_RELAXED);
}

struct target_execution *target_run_push(
	struct thread *thread, ompt_id_t id, uint32_t node, uint64_t base_cfa)
{
	const struct task *below = thread_task(thread);
	uint8_t has_team = below ? below->has_team : 0;
	struct target_execution *execution;
	struct task *task;
	uint32_t context = node ? wait_note(thread, node)->node : 0;

	if (!context || thread->targets.n >= THREAD_MAX_TARGETS) {
		construct_lose(thread);
		return NULL;
	}
	execution = &thread->targets.at[thread->targets.n++];
	*execution = (struct target_execution){
		.id = id, .node = node, .context = context, .begun = tool_time()
	};
	task = tasks_push(thread, execution, node);
	task->base_cfa = base_cfa;
	task->is_inline = base_cfa != 0;
	task->has_team = has_team;
	task->signals = thread->record->n_signals;
	board_publish_wait(thread, 0, 0);
	say_that_waits_are_timed();
	return execution;
}

__attribute__((noinline)) uint32_t target_run_encounter(
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

	target_run_mend(thread, 1);
	node = target_run_encounter(thread, codeptr, flags_of(kind), &base_cfa);
	if (node && is_ours)
		*id = target_make_id(thread, node);
	else if (node)
		target_note(*id, node);
	execution = target_run_push(thread, *id, node, base_cfa);
	if (!execution)
		return;
	execution->device = device;
	execution->kind = flags_of(kind);
	execution->is_listed = (uint8_t)target_list(*id, execution->begun);
}

/* Ends an execution that another thread began, or whose begin is not known. */
static void end_foreign(struct thread *thread, int device, ompt_id_t id)
{
	uint64_t begun = target_unlist(id), now = tool_time();
	uint32_t node = target_node_of(id);
	uint32_t context = node ? wait_note(thread, node)->node : 0;

	if (!context || !begun)
		target_run_lose(thread);
	if (context)
		target_run_add_execution(
			thread, context, device, begun ? timing_between(begun, now) : 0);
}

void target_run_end(struct thread *thread, int device, ompt_id_t id)
{
	struct target_execution *execution;

	target_run_mend(thread, 0);
	if (!id && thread->targets.n)
		id = thread->targets.at[thread->targets.n - 1].id;
	execution = target_run_find(thread, id);
	if (!execution) {
		end_foreign(thread, device, id);
		return;
	}
	target_run_end_wait(thread, execution, 1);
	if (execution->is_listed)
		target_unlist(id);
	target_run_add_execution(thread, execution->context, execution->device,
		timing_between(execution->begun, tool_time()));
	target_run_drop(thread, (uint32_t)(execution - thread->targets.at));
}

int target_run_device(struct thread *thread, ompt_id_t id)
{
	const struct target_execution *execution = target_run_find(thread, id);

	if (!execution && thread->targets.n)
		execution = &thread->targets.at[thread->targets.n - 1];
	return execution ? execution->device : PROFILE_NO_DEVICE;
}
