/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces of devices (OpenMP 5.1, 4.2.5, 4.6.2 and 4.5.2.23 to 4.5.2.28): a device that can be traced writes records of
 * its kernels and transfers to buffers of the tool's (device_trace_buffer.h). What they say is added up, in EVENT leaves under
 * the target constructs of the host that they belong to, and in a record of the device (layout.h). Called by the
 * callbacks of events_target.c and by the tool's life.
 *
 * Each device has a tree of its own, which is no thread's: its CONTEXT nodes name TARGET nodes of threads. It is
 * changed under the device's lock alone, by whatever thread the runtime completes a buffer on. The lock is never held
 * while an entry point is called that may call back (start, pause, flush, stop); a thread that has a target event
 * only tries to get it, others that the runtime calls try for 2 ms, or for a second where they bring records. So no
 * order of the runtime's own locks ends in a deadlock.
 *
 * What is bounded: TRACE_N_DEVICES at once, the buffers, and what one buffer may say: no more records than fit into
 * it, each of them once.
 */
#ifndef OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_H
#define OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_H

#include <omp-tools.h>
#include <stdint.h>

enum { TRACE_N_DEVICES = 16 };

/*
 * A device has been initialized: makes its record and starts its trace, if it offers one. Returns whether it is traced
 * now.
 * Any thread.
 */
int trace_begin(int number, const char *type, ompt_device_t *device, ompt_function_lookup_t lookup);

/*
 * The device is about to be finalized: flushes and stops its trace. What it says after that is counted as lost.
 * Any thread.
 */
void trace_end(int number);

/* How many devices are traced; not to be used but by trace_note_op. */
extern uint32_t trace_n_active;

/* The way of trace_note_op when devices are traced. Any thread. */
void trace_note_op_traced(int number, ompt_id_t host_op_id);

/*
 * The calling thread begins an operation on device `number`: when that was is remembered, for the time that it waits
 * in the device's queue, the device's clock is compared with the host's now and then, and a trace that lacked
 * buffers is started again. Does not wait for a lock of a device.
 * Any thread.
 */
static inline void trace_note_op(int number, ompt_id_t host_op_id)
{
	if (__builtin_expect(__atomic_load_n(&trace_n_active, __ATOMIC_RELAXED) != 0, 0))
		trace_note_op_traced(number, host_op_id);
}

/*
 * All devices hand over what they have recorded so far.
 * Any thread.
 */
void trace_flush_all(void);

/*
 * All devices pause, or go on.
 * Any thread.
 */
void trace_pause_all(int is_begin);

/*
 * As trace_end, for every device that is left.
 * Any thread.
 */
void trace_end_all(void);

/*
 * In a child made by fork: forgets all devices; they are the parent's.
 * Owning thread only.
 */
void trace_forget_all(void);

#endif
