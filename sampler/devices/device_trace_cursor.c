/* SPDX-License-Identifier: Apache-2.0 */
/* Cursors; see device_trace_cursor.h. */
#include "sampler/devices/device_trace_cursor.h"

static int step(const struct device_trace_cursors *cursors, ompt_buffer_cursor_t *at)
{
	ompt_buffer_cursor_t next = *at;

	if (!cursors->advance(cursors->device, cursors->buffer, cursors->bytes, *at, &next))
		return 0;
	*at = next;
	return 1;
}

/* How many cursors come before the first one of a ring that has `ring` cursors. */
static size_t count_before(const struct device_trace_cursors *cursors, ompt_buffer_cursor_t begin,
	size_t ring, size_t most)
{
	ompt_buffer_cursor_t behind = begin, ahead = begin;
	size_t n = 0;

	for (size_t i = 0; i < ring; i++)
		step(cursors, &ahead);
	for (; behind != ahead && n < most; n++) {
		if (!step(cursors, &behind) || !step(cursors, &ahead))
			break;
	}
	return n;
}

/* Brent's algorithm finds a ring: a mark set at the cursors 1, 2, 4, 8 ... is met again. */
size_t device_trace_cursor_count(
	const struct device_trace_cursors *cursors, ompt_buffer_cursor_t begin, int *is_odd)
{
	size_t most = cursors->bytes / DEVICE_TRACE_LEAST_BYTES, n = 1, since = 0, until = 1;
	ompt_buffer_cursor_t mark = begin, at = begin;

	*is_odd = 0;
	while (step(cursors, &at)) {
		since++;
		if (at == mark) {
			size_t all = count_before(cursors, begin, since, most) + since;

			*is_odd = 1;
			return all < most ? all : most;
		}
		if (n++ >= most) {
			*is_odd = 1;
			return most;
		}
		if (since == until) {
			mark = at;
			until *= 2;
			since = 0;
		}
	}
	return n < most || most == 0 ? n : most;
}
