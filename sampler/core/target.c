/* SPDX-License-Identifier: Apache-2.0 */
/* Ids of target regions and operations, and devices; see target.h. Part of the signal-safe core. */
#include "sampler/core/target.h"

#include <stddef.h>

#include "profile/core/cct.h"
#include "profile/core/writer.h"
#include "sampler/core/classify.h"
#include "sampler/core/thread_board.h"
#include "sampler/core/tool.h"

enum {
	N_OPEN = 256, /* target regions at once that other threads can end; a power of two */
	N_PLACES = 8, /* places in the list that an id can have */
};

/* A target region that has begun. */
struct open_target {
	uint64_t id; /* 0 free, TAKEN while it is filled; stored last */
	uint64_t begun;
};

#define TAKEN UINT64_MAX

/*
 * `targets` and `ops` hold the low half of a runtime's id, which distinguishes ids, and the node.
 */
static struct {
	uint64_t targets[TARGET_N_IDS];
	uint64_t ops[TARGET_N_IDS];
	struct open_target open[N_OPEN];
	struct target_device devices[TARGET_N_DEVICES];
} known;

static uint64_t mix(uint64_t id)
{
	return id * 0x9e3779b97f4a7c15ULL;
}

void target_forget(void)
{
	for (size_t i = 0; i < TARGET_N_IDS; i++)
		known.targets[i] = known.ops[i] = 0;
	for (size_t i = 0; i < N_OPEN; i++)
		known.open[i].id = 0;
}

uint64_t target_make_id(struct thread *thread, uint32_t node)
{
	uint64_t number = ++thread->targets.n_ids & 0xfffff;

	if (!number)
		number = ++thread->targets.n_ids & 0xfffff;
	return (thread->tasks.data >> 52 << 52) | number << 32 | node;
}

/* The node in an id of the tool; 0 if the id is not the tool's, or is from another process. */
static uint32_t node_in(uint64_t id)
{
	return (id >> 32 & 0xfffff) && id >> 52 == (tool.epoch & 0xfff) ? (uint32_t)id : 0;
}

static void note(uint64_t *table, uint64_t id, uint32_t node)
{
	__atomic_store_n(&table[mix(id) % TARGET_N_IDS], id << 32 | node, __ATOMIC_RELAXED);
}

static uint32_t look_up(const uint64_t *table, uint64_t id)
{
	uint64_t entry = __atomic_load_n(&table[mix(id) % TARGET_N_IDS], __ATOMIC_RELAXED);

	return entry >> 32 == (id & 0xffffffff) ? (uint32_t)entry : 0;
}

void target_note_op(ompt_id_t host_op_id, uint32_t leaf)
{
	note(known.ops, host_op_id, leaf);
}

void target_note(ompt_id_t target_id, uint32_t node)
{
	note(known.targets, target_id, node);
}

/* The node with this id, if it is of this kind. The id can be from anywhere, or damaged. */
static uint32_t of_kind(uint32_t id, uint8_t kind)
{
	const struct profile_node *node = id ? cct_find(id) : NULL;

	return node && node->kind == kind ? id : 0;
}

uint32_t target_leaf_of_op(ompt_id_t host_op_id)
{
	uint32_t leaf = node_in(host_op_id);

	return of_kind(leaf ? leaf : look_up(known.ops, host_op_id), PROFILE_NODE_EVENT);
}

uint32_t target_node_of(ompt_id_t target_id)
{
	uint32_t node = node_in(target_id);

	return of_kind(node ? node : look_up(known.targets, target_id), PROFILE_NODE_TARGET);
}

uint32_t target_node_of_op(ompt_id_t host_op_id)
{
	uint32_t leaf = target_leaf_of_op(host_op_id);
	const struct profile_node *context = leaf ? cct_find(writer_node(leaf)->parent) : NULL;

	return context && context->kind == PROFILE_NODE_CONTEXT
		       ? of_kind((uint32_t)context->addr, PROFILE_NODE_TARGET)
		       : 0;
}

static struct open_target *place_of(uint64_t id, uint32_t i)
{
	return &known.open[((mix(id) >> 32) + i) & (N_OPEN - 1)];
}

/* The place that has the id now; NULL if there is none. */
static struct open_target *find_open(uint64_t id)
{
	uint32_t i = 0;

	while (i < N_PLACES && __atomic_load_n(&place_of(id, i)->id, __ATOMIC_ACQUIRE) != id)
		i++;
	return i < N_PLACES ? place_of(id, i) : NULL;
}

int target_list(uint64_t id, uint64_t begun)
{
	for (uint32_t i = 0; i < N_PLACES; i++) {
		struct open_target *open = place_of(id, i);
		uint64_t free = 0;

		if (!__atomic_compare_exchange_n(
			    &open->id, &free, TAKEN, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		__atomic_store_n(&open->begun, begun, __ATOMIC_RELAXED);
		__atomic_store_n(&open->id, id, __ATOMIC_RELEASE);
		return 1;
	}
	return 0;
}

int target_is_listed(uint64_t id)
{
	return find_open(id) != NULL;
}

uint64_t target_unlist(uint64_t id)
{
	struct open_target *open = find_open(id);
	uint64_t begun = open ? __atomic_load_n(&open->begun, __ATOMIC_ACQUIRE) : 0;

	/* The begin belongs to this target region only if the id is still there. */
	if (!open || !__atomic_compare_exchange_n(
			     &open->id, &id, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return 0;
	return begun;
}

struct target_device *target_device(int number)
{
	int last = TARGET_N_DEVICES - 1, host = last - 1;
	int place = number < 0 ? host : number < host ? number : last;

	return &known.devices[place];
}

struct target_execution *target_of_task(struct thread *thread, const struct task *task)
{
	const struct target_execution *of = task ? task->data : NULL;

	for (uint32_t i = 0; i < THREAD_MAX_TARGETS && i < thread->targets.n; i++) {
		if (of == &thread->targets.at[i])
			return &thread->targets.at[i];
	}
	return NULL;
}

void target_begin_wait(struct thread *thread, struct task *task, uint32_t wait)
{
	struct target_execution *execution = target_of_task(thread, task);
	uint32_t leaf;

	if (!execution || task->wait)
		return;
	leaf = cct_child(
		&thread->cct, execution->context, PROFILE_NODE_WAIT, 0, PROFILE_WAIT_KEY(wait, 0));
	if (!leaf)
		return;
	task->wait = (uint8_t)wait;
	task->wait_weight = 1;
	task->sync = OWN_TARGET;
	task->ticks_on_top = 0;
	task->n_above = 0;
	task->since = tool_time();
	BOARD_WRITE(thread->record->now.leaf, leaf);
	board_publish_wait(thread, wait, task->since);
}
