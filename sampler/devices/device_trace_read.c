/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of one buffer, from the first cursor to the content of each record. The runtime gives
 * addresses of records, in the buffer or in its own memory. A record in the buffer must end there.
 * Other memory is copied by the kernel, which does not fault. Not for the signal handler.
 */
#include "sampler/devices/device_trace_collector.h"

#include <string.h>

#include "sampler/devices/device_trace_cursor.h"
#include "unwinder/core/remote.h"

/* Memory in the buffer's mapping can be read directly. */
struct room {
	uintptr_t lo, hi; /* the filled part of the buffer */
	uintptr_t end;    /* of its mapping */
};

/*
 * Copies up to n bytes. Returns how many: in the buffer, the bytes up to the end of its filled
 * part.
 */
static size_t fetch(const struct room *room, const void *from, void *to, size_t n)
{
	uintptr_t at = (uintptr_t)from;

	if (at >= room->lo && at < room->end) {
		if (at >= room->hi)
			return 0;
		n = n < room->hi - at ? n : room->hi - at;
		memcpy(to, from, n);
		return n;
	}
	return at && remote_read(at, to, n) == 0 ? n : 0;
}

static void take(struct device_trace_device *device, const struct device_trace_record *record,
	enum device_trace_verdict verdict)
{
	if (verdict == DEVICE_TRACE_OK)
		device_trace_device_add(device, record);
	else
		device_trace_device_lose(device, verdict == DEVICE_TRACE_SHORT
							 ? PROFILE_TRACE_SHORT
							 : PROFILE_TRACE_UNKNOWN);
}

static void read_ompt(struct device_trace_device *device, const struct room *room,
	ompt_buffer_t *buffer, ompt_buffer_cursor_t at)
{
	const void *from = device->call.get_record_ompt(buffer, at);
	struct device_trace_record record;
	ompt_record_ompt_t copy;
	size_t n = fetch(room, from, &copy, sizeof(copy));

	take(device, &record, device_trace_record_read(&record, &copy, n));
}

static void keep_name(struct device_trace_device *device, const struct room *room, const char *name)
{
	char *to = device->record->native;
	size_t n = sizeof(device->record->native) - 1;

	for (size_t i = 0; name && !device->record->n_of_type[0] && i < n; i++) {
		if (fetch(room, name + i, to + i, 1) != 1)
			to[i] = '\0';
		if (!to[i])
			break;
	}
}

static void read_native(struct device_trace_device *device, const struct room *room,
	ompt_buffer_t *buffer, ompt_buffer_cursor_t at)
{
	ompt_id_t host_op_id = 0;
	void *native = device->call.get_record_native(buffer, at, &host_op_id);
	ompt_record_abstract_t abstract;
	struct device_trace_record record = { 0 };
	enum device_trace_verdict verdict;
	size_t n = 0;

	if (native)
		n = fetch(room, device->call.get_record_abstract(native), &abstract,
			sizeof(abstract));
	verdict =
		n ? device_trace_record_read_abstract(&record, &abstract, n) : DEVICE_TRACE_UNKNOWN;
	if (verdict == DEVICE_TRACE_OK)
		keep_name(device, room, abstract.type);
	record.host_op_id = host_op_id;
	take(device, &record, verdict);
}

static void read_one(struct device_trace_device *device, const struct room *room,
	ompt_buffer_t *buffer, ompt_buffer_cursor_t at)
{
	const struct device_trace_entry_points *call = &device->call;
	ompt_record_t kind = call->get_record_type(buffer, at);

	if (kind == ompt_record_ompt && call->get_record_ompt)
		read_ompt(device, room, buffer, at);
	else if (kind == ompt_record_native && call->get_record_native && call->get_record_abstract)
		read_native(device, room, buffer, at);
	else
		device_trace_device_lose(device, PROFILE_TRACE_UNKNOWN);
}

void device_trace_read(struct device_trace_device *device, ompt_buffer_t *buffer, size_t bytes,
	size_t available, ompt_buffer_cursor_t begin)
{
	size_t filled = bytes < available ? bytes : available, n;
	struct room room = { (uintptr_t)buffer, (uintptr_t)buffer + filled,
		(uintptr_t)buffer + available };
	struct device_trace_cursors cursors = { device->call.advance_buffer_cursor, device->device,
		buffer, filled };
	ompt_buffer_cursor_t at = begin;
	int is_odd;

	if (filled < DEVICE_TRACE_LEAST_BYTES)
		return;
	/* Without pairs of clocks a device's time has no meaning. */
	if (!device_trace_time_is_known(&device->time))
		device_trace_device_pair(device);
	n = device_trace_cursor_count(&cursors, begin, &is_odd);
	if (is_odd || bytes > available)
		device_trace_device_lose(device, PROFILE_TRACE_CURSOR);
	for (size_t i = 0; i < n; i++) {
		read_one(device, &room, buffer, at);
		if (i + 1 < n && !cursors.advance(device->device, buffer, filled, at, &at))
			return;
	}
}
