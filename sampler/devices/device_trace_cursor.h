/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way through a buffer of trace records: cursors mean something to the runtime alone, and it says which one is
 * the next. A damaged buffer may lead nowhere, or round in a ring.
 */
#ifndef OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_CURSOR_H
#define OMPPROF_SAMPLER_DEVICES_DEVICE_TRACE_CURSOR_H

#include <omp-tools.h>
#include <stddef.h>
#include <stdint.h>

/* A buffer, and who knows its cursors. */
struct trace_cursors {
	ompt_advance_buffer_cursor_t advance;
	ompt_device_t *device;
	ompt_buffer_t *buffer;
	size_t bytes;
};

/* No record is shorter. */
enum { TRACE_LEAST_BYTES = 8 };

/*
 * How many different cursors there are from `begin` on, that one included, but no more than records fit into the
 * buffer. *is_odd says that the way does not end, or is longer than that. Constant memory, and no more than four steps
 * for each cursor.
 * Any thread.
 */
size_t trace_cursor_count(
	const struct trace_cursors *cursors, ompt_buffer_cursor_t begin, int *is_odd);

#endif
