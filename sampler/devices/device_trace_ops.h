/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the host began its latest operations on devices. With it, the time that an operation waited
 * in the device's queue is known when its trace record comes. A table without locks: whoever begins
 * an operation overwrites the entry of its id; a reader takes only a complete entry with its id.
 */
#ifndef OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_OPS_H
#define OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_OPS_H

#include <omp-tools.h>
#include <stdint.h>

enum { DEVICE_TRACE_N_OPS = 4096 }; /* a power of two */

/* Remembers that the operation with this id began at `ticks`. Any thread. */
void device_trace_ops_begin(ompt_id_t host_op_id, uint64_t ticks);

/* When the operation began; 0 if that is not known, or not any more. Any thread. */
uint64_t device_trace_ops_begun(ompt_id_t host_op_id);

/* Forgets them all. Owning thread only. */
void device_trace_ops_forget_all(void);

#endif
