/* SPDX-License-Identifier: Apache-2.0 */
/* A thread's executions of target regions, and the EVENT leaves below them; for target_*.c. */
#ifndef OMPPROF_SAMPLER_DEVICES_TARGET_RUN_INTERNAL_H
#define OMPPROF_SAMPLER_DEVICES_TARGET_RUN_INTERNAL_H

#include <omp-tools.h>
#include <stdint.h>

#include "sampler/core/thread.h"

/* Counts an event of unknown length. Owning thread only. */
void target_run_lose(struct thread *thread);

/*
 * The EVENT leaf under the CONTEXT node `parent` for this enum profile_event and device; 0 without
 * space or parent. Owning thread only.
 */
uint32_t target_run_leaf(struct thread *thread, uint32_t parent, uint32_t event, int device);

/*
 * Adds n events to an EVENT leaf; their ticks are known, or 0. With leaf 0 they are lost.
 * Owning thread only.
 */
void target_run_add(
	struct thread *thread, uint32_t leaf, uint32_t n, uint64_t amount, uint64_t ticks);

/* Adds an execution of a target region, under its CONTEXT node `parent`. Owning thread only. */
void target_run_add_execution(struct thread *thread, uint32_t parent, int device, uint64_t ticks);

/* The execution's task if it is the current task, else NULL. Owning thread only. */
struct task *target_run_task(struct thread *thread, const struct target_execution *execution);

/*
 * Ends the current task's wait for the device. It is added and blamed only if it `counts`.
 * Owning thread only.
 */
void target_run_end_wait(struct thread *thread, struct target_execution *execution, int counts);

/*
 * Gives up the operation in progress, if there is one: its length will never be known.
 * Owning thread only.
 */
void target_run_lose_op(struct thread *thread, struct target_execution *execution);

/* Removes the i-th execution of the thread and the executions above it. Owning thread only. */
void target_run_drop(struct thread *thread, uint32_t i);

/*
 * Removes executions that have ended meanwhile: on another thread, or with a task around them. If
 * something `begins`, also removes executions that were made only for an operation.
 * Owning thread only.
 */
void target_run_mend(struct thread *thread, int begins);

/* The thread's execution with this id; NULL: none, or id 0. Owning thread only. */
struct target_execution *target_run_find(struct thread *thread, ompt_id_t id);

/*
 * Begins an execution, with a task of its own on the stack of tasks. NULL, counted as lost, if
 * there is no room or the node is 0. Owning thread only.
 */
struct target_execution *target_run_push(
	struct thread *thread, ompt_id_t id, uint32_t node, uint64_t base_cfa);

/*
 * Captures where a construct is encountered. Returns its TARGET node and counts an execution of it;
 * 0 without space. Owning thread only.
 */
uint32_t target_run_encounter(
	struct thread *thread, uint64_t codeptr, uint8_t kind, uint64_t *base_cfa);

#endif
