/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the host began its latest operations on devices: how long one waited in the device's queue is known when
 * the record of its begin comes. A table without locks: whoever begins an operation writes the entry of its id,
 * over an older one; whoever reads takes only what is whole and of that id.
 */
#ifndef OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_OPS_H
#define OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_OPS_H

#include <omp-tools.h>
#include <stdint.h>

enum { TRACE_N_OPS = 4096 }; /* a power of two */

/*
 * Remembers that the operation with this id was begun at `ticks`.
 * Any thread.
 */
void trace_ops_begin(ompt_id_t host_op_id, uint64_t ticks);

/*
 * When it was begun; 0 if that is not known, or not any more.
 * Any thread.
 */
uint64_t trace_ops_begun(ompt_id_t host_op_id);

/* Forgets them all. Owning thread only. */
void trace_ops_forget_all(void);

#endif
