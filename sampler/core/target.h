/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Target regions as the host's events tell of them (OpenMP 5.1, 4.5.2.25 to 4.5.2.28), and what device records are
 * matched with: the ids of the host's target regions and operations, and the devices. events_target.c calls it.
 *
 * In the tree each target construct is a TARGET node under the path that encountered it. So is what a routine such
 * as omp_target_memcpy does outside any construct: every operation belongs to a TARGET node. What a thread does in the region lies
 * in the thread's own tree, under a CONTEXT node of the TARGET (layout.h), and so do the EVENT leaves that count its
 * operations: one for each kind of operation and device. A thread writes to leaves of its own tree alone.
 *
 * Ids. Where the tool makes them (EMI), they need no table:
 *
 *   bits 63..52  epoch, of the process that made it (tool.epoch): a child made by fork has other nodes
 *   bits 51..32  a number that tells executions of the same node apart, for a while; not 0
 *   bits 31..0   node id: of a target_data (a record's target_id) the TARGET node, of a host_op_id the EVENT leaf
 *
 * The others are the runtime's: target_id and host_op_id of the older callbacks. Of these the latest TARGET_N_IDS
 * are in a table, without locks. No tool's id is 0, none of the runtime's is taken for one of the tool's: which there
 * are is known since the callbacks were registered.
 */
#ifndef OMPPROF_SAMPLER_CORE_TARGET_H
#define OMPPROF_SAMPLER_CORE_TARGET_H

#include <omp-tools.h>
#include <stdint.h>
#include <string.h>

#include "profile/core/writer.h"

struct thread;
struct task;

enum {
	THREAD_MAX_TARGETS = 8, /* target regions that one thread is in at once */
	TARGET_N_IDS =
		4096, /* of the runtime's that are remembered, of each kind; a power of two */
	TARGET_N_DEVICES = 64, /* devices that are told apart; those beyond count as the last */
};

/* A target region that the thread executes, or an operation outside any. */
struct target_execution {
	uint64_t id;       /* the tool's or the runtime's */
	uint64_t begun;    /* ticks */
	uint64_t op_begun; /* ticks: the operation in progress; 0 none, or it is not timed */
	uint64_t op_work;  /* regions and tasks of the thread when it began */
	uint32_t node;     /* TARGET */
	uint32_t context;  /* the CONTEXT node that stands for it in the thread's own tree */
	uint32_t op_leaf;  /* EVENT leaf of the operation in progress; 0 none */
	int32_t device;
	uint8_t kind;      /* flags of the TARGET node */
	uint8_t in_flight; /* enum profile_wait: for what the device is at work; 0 nothing */
	uint8_t is_op;     /* it is only for the operation, and ends with it */
	uint8_t is_listed; /* others can end it */
};

/* The target regions of a thread: a part of struct thread. Its callbacks write it. */
struct thread_targets {
	uint32_t n;     /* open ones */
	uint32_t n_ids; /* made so far */
	struct target_execution at[THREAD_MAX_TARGETS];
};

/* Any thread. */
static inline void thread_targets_clear(struct thread_targets *targets)
{
	memset(targets, 0, sizeof(*targets));
}

/*
 * The EVENT leaf in which the host's operation with this id counts; 0 if that is not known: not one of this
 * process' ids, or too old. The leaf may be another thread's: read only. Its parent is the CONTEXT node of the
 * target region, whose addr is the TARGET node.
 * Signal-safe.
 */
uint32_t target_leaf_of_op(ompt_id_t host_op_id);

/*
 * The TARGET node of the execution with this id: the value of target_data, a record's target_id. 0 if that is not
 * known. The node may be another thread's: read only; whoever has something to add to it makes a CONTEXT node of it in
 * its own thread's tree (wait_own_node).
 * Signal-safe.
 */
uint32_t target_node_of(ompt_id_t target_id);

/*
 * The TARGET node of the operation with this id; 0 if that is not known.
 * Signal-safe.
 */
uint32_t target_node_of_op(ompt_id_t host_op_id);

/*
 * Adds n operations with this amount together, of which the longest took so many ticks, or 0: not known, to their EVENT leaf.
 * The leaf is of the caller's tree.
 * Owning thread only.
 */
static inline void target_add_to_leaf(uint32_t leaf, uint32_t n, uint64_t amount, uint64_t ticks)
{
	struct profile_node *node = writer_node(leaf);

	__atomic_store_n(&node->n, node->n + n, __ATOMIC_RELAXED);
	writer_count(&node->events, amount);
	writer_count(&node->time_ns, ticks);
	if (ticks > node->blame_ns)
		__atomic_store_n(&node->blame_ns, ticks, __ATOMIC_RELAXED);
}

/* What is known of a device. */
struct target_device {
	uint8_t runs_here; /* its kernels run on the thread that submits them: the host itself */
};

/*
 * The device of this number. Those with numbers that are too large are one, and so are those with negative ones.
 * Any thread.
 */
struct target_device *target_device(int number);

/*
 * Forgets ids, in a child made by fork.
 * Owning thread only.
 */
void target_forget(void);

/* --- for events_target.c and the handler --- */

/* An id of the tool's for a node of the thread's own. Owning thread only. */
uint64_t target_make_id(struct thread *thread, uint32_t node);

/* Remembers an id of the runtime's. Any thread. */
void target_note(ompt_id_t target_id, uint32_t node);
void target_note_op(ompt_id_t host_op_id, uint32_t leaf);

/*
 * Target regions that another thread can end than began them: target_list says when one began and returns whether
 * there was room; target_unlist returns that, once, and 0 if it is not listed.
 * Any thread.
 */
int target_list(uint64_t id, uint64_t begun);
int target_is_listed(uint64_t id);
uint64_t target_unlist(uint64_t id);

/* The target region that this task of the thread's stands for; NULL: it is another task. Signal-safe. */
struct target_execution *target_of_task(struct thread *thread, const struct task *task);

/*
 * The task, if it stands for a target region, waits for the device from now on, unless it does so already: for what
 * enum profile_wait says. In the handler for the current task, where the runtime's state says that it does.
 * Signal-safe.
 */
void target_begin_wait(struct thread *thread, struct task *task, uint32_t wait);

#endif
