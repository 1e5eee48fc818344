/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Target regions as the host's events report them (OpenMP 5.1, 4.5.2.25 to 4.5.2.28), and the data
 * that device records are matched with: the ids of the host's target regions and operations, and
 * the devices.
 *
 * In the tree each target construct is a TARGET node under the path that encountered it. A routine
 * such as omp_target_memcpy outside any construct also gets a TARGET node, so every operation
 * belongs to one. A thread's time in the region is in its own tree, under a CONTEXT node of the
 * TARGET (layout.h). The EVENT leaves that count the region's operations are there too: one leaf
 * for each kind of operation and device. A thread writes only to leaves of its own tree.
 *
 * Ids that the tool makes (EMI) need no table:
 *
 *   bits 63..52  epoch of the process that made it (tool.epoch): a child made by fork has
 *                other nodes
 *   bits 51..32  a number that distinguishes executions of the same node, for a while; not 0
 *   bits 31..0   node id: the TARGET node for a target_data (a record's target_id),
 *                the EVENT leaf for a host_op_id
 *
 * All other ids are made by the runtime: target_id and host_op_id of the older callbacks. The
 * latest TARGET_N_IDS of them, of each kind, are in a table, without locks. No id of the tool is 0.
 * A runtime's id is not taken for the tool's unless its highest bits are the epoch, which no
 * runtime that counts from 1 reaches.
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
	THREAD_MAX_TARGETS = 8, /* target regions that a thread is in at once; more are lost */
	TARGET_N_IDS =
		4096, /* ids of the runtime that are remembered, of each kind; a power of two */
	TARGET_N_DEVICES = 64, /* places for facts about devices; see target_device */
};

/* A target region that the thread executes, or an operation outside any target region. */
struct target_execution {
	uint64_t id;    /* the tool's or the runtime's */
	uint64_t begun; /* ticks */
	/* ticks: begin of the operation in progress; 0: none, or it is not timed */
	uint64_t op_begun;
	uint64_t op_work; /* regions and tasks that the thread had begun before the operation */
	uint32_t node;    /* its TARGET node */
	uint32_t context; /* the CONTEXT node that represents it in the thread's own tree */
	uint32_t op_leaf; /* EVENT leaf of the operation in progress; 0 none */
	int32_t device;
	uint8_t kind;      /* flags of the TARGET node */
	uint8_t in_flight; /* enum profile_wait: the device's current work; 0: none */
	uint8_t is_op;     /* it exists only for the operation, and ends with it */
	uint8_t is_listed; /* other threads can end it */
};

/* The target regions of a thread: a part of struct thread. The thread's callbacks write it. */
struct thread_targets {
	uint32_t n;     /* open target regions */
	uint32_t n_ids; /* ids made so far */
	struct target_execution at[THREAD_MAX_TARGETS];
};

/*
 * The EVENT leaf that counts the host's operation with this id. 0 if it is not known: the id is not
 * from this process, or is too old. The leaf may belong to another thread, and must then only be
 * read. Its parent is the CONTEXT node of the target region, whose addr is the TARGET node.
 * Signal-safe.
 */
uint32_t target_leaf_of_op(ompt_id_t host_op_id);

/*
 * The TARGET node of the execution with this id: the value of target_data, a record's target_id. 0
 * if it is not known. The node may belong to another thread, and must then only be read. A thread
 * that has figures to add makes a CONTEXT node for it in its own tree (wait_own_node). Signal-safe.
 */
uint32_t target_node_of(ompt_id_t target_id);

/* The TARGET node of the operation with this id; 0 if that is not known. Signal-safe. */
uint32_t target_node_of_op(ompt_id_t host_op_id);

/*
 * Adds n operations to their EVENT leaf, which is in the caller's tree. `amount` is the sum of all.
 * `ticks` is the length if n is 1, or 0 if there is none or it is not known. Owning thread only.
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

/* The known facts about a device. */
struct target_device {
	/* its kernels run on the thread that submits them: the device is the host */
	uint8_t runs_here;
};

/*
 * The device with this number. All numbers that are too large share one device, and all negative
 * numbers share another. Any thread.
 */
struct target_device *target_device(int number);

/* In a child made by fork: forgets all ids. Owning thread only. */
void target_forget(void);

/* Makes an id of the tool for a node of the thread's own tree. Owning thread only. */
uint64_t target_make_id(struct thread *thread, uint32_t node);

/* Remembers an id of the runtime. Any thread. */
void target_note(ompt_id_t target_id, uint32_t node);
void target_note_op(ompt_id_t host_op_id, uint32_t leaf);

/*
 * Target regions that another thread may end. target_list records when a region began, and returns
 * whether there was room. target_unlist returns that time, once, and 0 if the region is not listed.
 * Any thread.
 */
int target_list(uint64_t id, uint64_t begun);
int target_is_listed(uint64_t id);
uint64_t target_unlist(uint64_t id);

/*
 * The target region that this task of the thread represents; NULL for any other task. Signal-safe.
 */
struct target_execution *target_of_task(struct thread *thread, const struct task *task);

/*
 * If the task represents a target region, and does not wait already, it waits for the device from
 * now on. `wait` is an enum profile_wait. The handler calls it for the current task when the
 * runtime's state says that the thread waits for a device. Signal-safe.
 */
void target_begin_wait(struct thread *thread, struct task *task, uint32_t wait);

#endif
