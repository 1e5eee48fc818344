/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of one buffer, from the first cursor to the content of each record. The runtime gives
 * addresses of records, in the buffer or in its own memory. A record in the buffer must end there.
 * Other memory is copied by the kernel, which does not fault.
 */
#ifndef OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_READ_H
#define OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_READ_H

#include <omp-tools.h>
#include <stddef.h>

#include "sampler/devices/device_trace_collector.h"

/*
 * Adds the records of a buffer: `bytes` are said to be filled, `available` can be read. Under the
 * device's lock. Any thread.
 */
void device_trace_read(struct device_trace_device *device, ompt_buffer_t *buffer, size_t bytes,
	size_t available, ompt_buffer_cursor_t begin);

#endif
