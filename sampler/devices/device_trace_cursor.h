/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way through a buffer of trace records. Only the runtime knows what a cursor means, and it
 * tells which cursor comes next. In a damaged buffer the way may lead nowhere, or round in a ring.
 */
#ifndef OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_CURSOR_H
#define OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_CURSOR_H

#include <omp-tools.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer, and the function that knows its cursors. */
struct device_trace_cursors {
	ompt_advance_buffer_cursor_t advance;
	ompt_device_t *device;
	ompt_buffer_t *buffer;
	size_t bytes;
};

/* The length of the shortest record. */
enum { DEVICE_TRACE_LEAST_BYTES = 8 };

/*
 * How many different cursors there are from `begin` on, including `begin`, but no more than records
 * fit into the buffer. *is_odd: the way does not end, or is longer. At most four steps for each
 * cursor. Any thread.
 */
size_t device_trace_cursor_count(
	const struct device_trace_cursors *cursors, ompt_buffer_cursor_t begin, int *is_odd);

#endif
