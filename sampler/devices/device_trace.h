/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Traces of devices (OpenMP 5.1, 4.2.5, 4.6.2 and 4.5.2.23 to 4.5.2.28). A device that can be
 * traced writes records of its kernels and transfers into the tool's buffers
 * (device_trace_buffer.h). The records are summed up in EVENT leaves under the host's target
 * constructs to which they belong, and in a record of the device (layout.h).
 *
 * Each device has a tree of its own, whose CONTEXT nodes name TARGET nodes of threads. It is
 * changed only under the device's lock, by whatever thread the runtime completes a buffer on. The
 * lock is never held while an entry point is called that may call back (start, pause, flush, stop).
 * A thread with a target event only tries to get the lock, or tries for 2 ms where a trace could
 * not be restarted. Other threads that the runtime calls try for 2 ms, or for a second if they
 * bring records. Only device_initialize waits for the lock: as long as the device is not open, who
 * holds the lock calls no entry point. So no order of the runtime's own locks can cause a deadlock.
 */
#ifndef OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_H
#define OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_H

#include <omp-tools.h>
#include <stdint.h>

enum { DEVICE_TRACE_N_DEVICES = 16 };

/*
 * A device has been initialized: makes its record, and starts its trace if it offers a trace.
 * Any thread.
 */
void device_trace_begin(
	int number, const char *type, ompt_device_t *device, ompt_function_lookup_t lookup);

/* The device is about to be finalized: stops its trace. Later records count as lost. Any thread. */
void device_trace_end(int number);

/* How many devices are traced. Outside of device_trace.c only device_trace_note_op may use it. */
extern uint32_t trace_n_active;

/* device_trace_note_op where devices are traced. Any thread. */
void device_trace_note_op_traced(int number, ompt_id_t host_op_id);

/*
 * The calling thread begins an operation on device `number`. Remembers when, for the operation's
 * time in the device's queue. Now and then compares the device's clock with the host's; restarts a
 * trace that ran out of buffers. Any thread.
 */
static inline void device_trace_note_op(int number, ompt_id_t host_op_id)
{
	if (__builtin_expect(__atomic_load_n(&trace_n_active, __ATOMIC_RELAXED) != 0, 0))
		device_trace_note_op_traced(number, host_op_id);
}

/* All devices hand over what they have recorded so far. Any thread. */
void device_trace_flush_all(void);

/* All devices pause or continue. Any thread. */
void device_trace_pause_all(int is_begin);

/* As device_trace_end, for every device that is left. Any thread. */
void device_trace_end_all(void);

/* In a child made by fork: forgets the parent's devices. Owning thread only. */
void device_trace_forget_all(void);

#endif
