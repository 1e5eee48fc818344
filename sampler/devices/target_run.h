/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's activity in target regions: their executions and operations, and its waits for the
 * device. Called by events_target.c, with the handler kept out.
 *
 * A thread that executes a target region gets a task for it on its stack of tasks. So everything
 * that it does there is in the context of the TARGET node, including samples and regions of a
 * kernel that runs on the host. Waits for the device are measured where events show them, and each
 * such wait is blamed on the target region itself:
 *
 *   in a data operation                            PROFILE_TARGET_DATA
 *   in a submit                                    PROFILE_TARGET_KERNEL
 *   in a transfer after a submit                   PROFILE_TARGET_KERNEL: it ends after the kernel
 *   after a transfer or a submit, up to the next   the same, because both only start the device;
 *   operation or the region's end                  once there was a submit, PROFILE_TARGET_KERNEL
 *   in a target region, from a sample on that      PROFILE_TARGET_KERNEL
 *   finds the thread waiting for a device
 *
 * On a device whose kernels run on the submitting thread, neither a submit nor the time after an
 * operation is waiting.
 *
 * Events can be missing. An execution without an end ends with the task around it. An execution
 * that another thread has ended ends at this thread's next target event. An operation without an
 * end does not count; at the next operation, or at the region's end, it is added to
 * PROFILE_LOST_WAITS. An operation without a begin counts with an unknown length, and is added
 * there, too. So is the end of an execution whose begin was not seen. Such an execution counts if
 * its TARGET node is known.
 */
#ifndef OMPPROF_SAMPLER_DEVICES_TARGET_RUN_H
#define OMPPROF_SAMPLER_DEVICES_TARGET_RUN_H

#include <omp-tools.h>
#include <stdint.h>

#include "sampler/core/thread.h"

/* The id of an unknown execution: no execution gets it. */
#define TARGET_UNKNOWN ((ompt_id_t)1 << 51)

/* An operation on a device. */
struct target_op {
	/* 0 or unknown: of the innermost target region; without any it gets its own TARGET node */
	ompt_id_t target_id;
	uint32_t event; /* enum profile_event */
	int device;
	uint64_t amount;
	uint64_t codeptr;
};

/*
 * A target region of this ompt_target_t begins. If *id is 0, its id is made and stored there; it
 * stays 0 without space. Owning thread only.
 */
void target_run_begin(
	struct thread *thread, uint32_t kind, int device, ompt_id_t *id, uint64_t codeptr);

/*
 * The target region with this id ends; id 0: the innermost one; TARGET_UNKNOWN: an unknown one. It
 * may be another thread's. Owning thread only.
 */
void target_run_end(struct thread *thread, int device, ompt_id_t id);

/*
 * An operation begins, or ends. At its begin *host_op_id becomes its id, unless host_op_id is NULL
 * or there is no space. Owning thread only.
 */
void target_run_begin_op(struct thread *thread, const struct target_op *op, ompt_id_t *host_op_id);
void target_run_end_op(struct thread *thread, const struct target_op *op);

/*
 * An operation that the runtime reports once, without its length; its id is the runtime's.
 * Owning thread only.
 */
void target_run_note_op(struct thread *thread, const struct target_op *op, ompt_id_t host_op_id);

/* n operations that take no time; `amount` is their total. Owning thread only. */
void target_run_count(struct thread *thread, const struct target_op *op, uint32_t n);

/*
 * The device of the target region with this id, or else of the innermost region; PROFILE_NO_DEVICE
 * without any. Owning thread only.
 */
int target_run_device(struct thread *thread, ompt_id_t id);

#endif
