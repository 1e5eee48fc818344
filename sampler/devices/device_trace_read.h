/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of one buffer: from the cursor at which they begin to what each of them says. The runtime gives
 * addresses of records, in the buffer or in memory of its own; what lies in the buffer must end there, all other memory
 * is copied by the kernel, which does not fault.
 */
#ifndef OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_READ_H
#define OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_READ_H

#include <omp-tools.h>
#include <stddef.h>

#include "sampler/devices/device_trace_collector.h"

/*
 * Adds the records of the buffer, of which `available` bytes can be read and `bytes` are said to be there. Under the
 * device's lock.
 * Any thread.
 */
void trace_read(struct trace_device *device, ompt_buffer_t *buffer, size_t bytes, size_t available,
	ompt_buffer_cursor_t begin);

#endif
