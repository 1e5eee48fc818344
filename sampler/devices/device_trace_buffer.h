/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The buffers that devices write their trace records to. There are TRACE_N_BUFFERS at most, of TRACE_BUFFER_BYTES
 * each, for all devices together; they are mapped when they are first needed, counted in header.bytes_private, and
 * never given back to the system, so a late word about one is never about memory of somebody else. Called in callbacks on any
 * thread of the runtime, known to the tool or not: nothing here allocates but by mmap.
 *
 *            lend                    begin ... end
 *   free ----------> the device's ----------------> the device's   (a part of it, not owned)
 *    ^                                      |
 *    +--------------------------------------+ end(owned), when the last of those that read it is done
 */
#ifndef OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_BUFFER_H
#define OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

enum {
	TRACE_N_BUFFERS = 32,
	TRACE_BUFFER_BYTES = 262144,
};

/*
 * A buffer for a device to write to, TRACE_BUFFER_BYTES long; NULL if all are lent, or without memory.
 * Any thread.
 */
void *trace_buffer_lend(void);

/*
 * Begins to read records at `at`, which lie in a buffer that is lent. Returns its number, and in *available how many
 * bytes there are from there to its end; -1 if `at` is in none, as the buffer has been given back, or never was
 * one. To be ended by trace_buffer_end.
 * Any thread.
 */
int trace_buffer_begin(const void *at, size_t *available);

/*
 * Ends to read; the tool has the buffer back if it is_owned, once nobody else reads it.
 * Any thread.
 */
void trace_buffer_end(int number, int is_owned);

/* How many are lent. Any thread. */
uint32_t trace_buffer_n_lent(void);

/*
 * In a child made by fork: forgets all buffers; devices of the parent's write to none of the child's.
 * Owning thread only.
 */
void trace_buffer_forget_all(void);

#endif
