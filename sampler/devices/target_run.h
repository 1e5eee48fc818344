/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a thread does in target regions: their executions and operations, and what it waits for the device meanwhile.
 * Called by events_target.c; the handler is kept out.
 *
 * A thread that executes a target region has a task of its own for it on its stack of tasks, so that whatever it
 * does there, samples and regions of a kernel that runs on the host as well, is in the context of the TARGET node.
 * What it waits for the device is measured where events say so, and each such wait is blamed on the target region itself:
 *
 *   in a data operation                                  PROFILE_TARGET_DATA
 *   in a submit                                          PROFILE_TARGET_KERNEL
 *   after a transfer or a submit, up to the next         the same, as both only begin what the device then does;
 *   operation or the region's end                        after a submit it is the kernel that is waited for
 *
 * On a device whose kernels run on the submitting thread neither a submit nor what follows is waiting.
 *
 * Events can be missing. An execution of which no end comes goes with the task around it; one that another thread has ended when
 * this one's next target event comes; an operation of which no end comes with the next operation. What is not known of
 * an event's length is counted (PROFILE_LOST_WAITS), the event itself counts all the same.
 */
#ifndef OMPPROF_SAMPLER_DEVICES_TARGET_RUN_H
#define OMPPROF_SAMPLER_DEVICES_TARGET_RUN_H

#include <omp-tools.h>
#include <stdint.h>

#include "sampler/core/thread.h"

/* No execution's id. */
#define TARGET_UNKNOWN ((ompt_id_t)1 << 51)

/* An operation on a device. */
struct target_op {
	ompt_id_t
		target_id; /* of the target region; 0, or one that is not known: the innermost one,
				or with none a TARGET node of its own */
	uint32_t event;    /* enum profile_event */
	int device;
	uint64_t amount;
	uint64_t codeptr;
};

/*
 * A target region of this ompt_target_t begins; with *id 0 its id is made and put there.
 * Owning thread only.
 */
void target_run_begin(
	struct thread *thread, uint32_t kind, int device, ompt_id_t *id, uint64_t codeptr);

/*
 * The one with this id ends, with id 0 the innermost one, with TARGET_UNKNOWN one that is not known. It may be another
 * thread's.
 * Owning thread only.
 */
void target_run_end(struct thread *thread, int device, ompt_id_t id);

/*
 * An operation begins, or ends. At its begin *host_op_id, unless that is NULL, becomes its id.
 * Owning thread only.
 */
void target_run_begin_op(struct thread *thread, const struct target_op *op, ompt_id_t *host_op_id);
void target_run_end_op(struct thread *thread, const struct target_op *op);

/*
 * An operation of which the runtime tells once, and not how long it took; its id is the runtime's.
 * Owning thread only.
 */
void target_run_note_op(struct thread *thread, const struct target_op *op, ompt_id_t host_op_id);

/*
 * n things that take no time: the amount is theirs together.
 * Owning thread only.
 */
void target_run_count(struct thread *thread, const struct target_op *op, uint32_t n);

/*
 * The device of the target region with this id, or else of the innermost one; PROFILE_NO_DEVICE without any.
 * Owning thread only.
 */
int target_run_device(struct thread *thread, ompt_id_t id);

#endif
