/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The buffers into which devices write their trace records. All devices share them: at most
 * DEVICE_TRACE_N_BUFFERS, of DEVICE_TRACE_BUFFER_BYTES each. A buffer is mapped when it is first
 * needed, counted in header.bytes_private, and not given back to the system (except in a child made
 * by fork). So a late callback about a buffer never means somebody else's memory. Called in
 * callbacks on any thread of the runtime, known to the tool or not. Nothing here allocates except
 * by mmap.
 *
 *            lend                    begin ... end
 *   free ----------> the device's ----------------> the device's   (a part of it, not owned)
 *    ^                                      |
 *    +--------------------------------------+ end(owned), when its last reader is done
 */
#ifndef OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_BUFFER_H
#define OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

enum {
	DEVICE_TRACE_N_BUFFERS = 32,
	DEVICE_TRACE_BUFFER_BYTES = 262144,
};

/*
 * A buffer for a device to write to, DEVICE_TRACE_BUFFER_BYTES long; NULL if all are lent, or
 * without memory. Any thread.
 */
void *device_trace_buffer_lend(void);

/*
 * Begins to read records at `at`. Returns the number of the lent buffer that `at` is in, for
 * device_trace_buffer_end, and in *available the bytes from `at` to its end; -1 if `at` is in no
 * lent buffer: it was given back, or never was one. Any thread.
 */
int device_trace_buffer_begin(const void *at, size_t *available);

/*
 * Ends reading. If it is_owned, the tool has the buffer back once nobody else reads it. Any thread.
 */
void device_trace_buffer_end(int number, int is_owned);

/* How many buffers are lent. Any thread. */
uint32_t device_trace_buffer_n_lent(void);

/*
 * In a child made by fork: unmaps all buffers, to which no device of the child writes.
 * Owning thread only.
 */
void device_trace_buffer_forget_all(void);

#endif
