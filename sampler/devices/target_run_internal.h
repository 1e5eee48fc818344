/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of target_run.h share: a thread's executions of target regions, and the EVENT leaves below them.
 */
#ifndef OMPPROF_SAMPLER_DEVICES_TARGET_RUN_INTERNAL_H
#define OMPPROF_SAMPLER_DEVICES_TARGET_RUN_INTERNAL_H

#include <omp-tools.h>
#include <stdint.h>

#include "sampler/core/thread.h"

/* Counts something of which the length is not known. Owning thread only. */
void target_run_lose(struct thread *thread);

/* The EVENT leaf under the CONTEXT node `parent` for this enum profile_event and device; 0 without space or parent.
   Owning thread only. */
uint32_t target_run_leaf(struct thread *thread, uint32_t parent, uint32_t event, int device);

/* Adds n events, of which the ticks are known or 0, to an EVENT leaf; with leaf 0 they are lost. Owning thread only. */
void target_run_add(
	struct thread *thread, uint32_t leaf, uint32_t n, uint64_t amount, uint64_t ticks);

/* The execution's task if it is the current one, else NULL. Owning thread only. */
struct task *target_run_task(struct thread *thread, const struct target_execution *execution);

/* The wait of the current task ends; it was one if it `counts`. Owning thread only. */
void target_run_end_wait(struct thread *thread, struct target_execution *execution, int counts);

/* What an open operation is for, whose end has not come, nobody will know. Owning thread only. */
void target_run_lose_op(struct thread *thread, struct target_execution *execution);

/* Takes the i-th execution and those above it off the thread's. Owning thread only. */
void target_run_drop(struct thread *thread, uint32_t i);

/* Forgets executions that have ended meanwhile: on another thread, or with a task around them; where something
   `begins`, those that were only for an operation, too. Owning thread only. */
void target_run_mend(struct thread *thread, int begins);

/* The thread's execution with this id; NULL: none, or id 0. Owning thread only. */
struct target_execution *target_run_find(struct thread *thread, ompt_id_t id);

/* The current task is that of an execution from here on; NULL if there is no room for one. Owning thread only. */
struct target_execution *target_run_push(
	struct thread *thread, ompt_id_t id, uint32_t node, uint64_t base_cfa);

/* Captures where a construct is encountered. Returns its TARGET node, one execution more; 0 without space.
   Owning thread only. */
uint32_t target_run_encounter(
	struct thread *thread, uint64_t codeptr, uint8_t kind, uint64_t *base_cfa);

#endif
