/* SPDX-License-Identifier: Apache-2.0 */
/* The entry points of the scripted device, and its buffers; see device.h. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/runtime/device.h"
#include "tests/runtime/device_parts.h"
#include "tests/runtime/leave_out.h"

struct device devices[DEVICE_N];

struct device *device_at(uint64_t number)
{
	struct device *device = &devices[number % DEVICE_N];

	if (!device->is_known) {
		*device = (struct device){ .is_known = 1,
			.rate = 1,
			.per = 1,
			.current = -1,
			.ompt = ompt_set_always,
			.newer = ompt_set_always,
			.native = ompt_set_always,
			.answer = 1 };
	}
	return device;
}

int device_number(const struct device *device)
{
	return (int)(device - devices);
}

ompt_device_t *device_of(int number)
{
	return device_at((unsigned)number);
}

uint64_t device_host_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t device_time_at(const struct device *device, uint64_t host_ns)
{
	return device->offset + (uint64_t)((unsigned __int128)host_ns * device->rate / device->per);
}

void device_complete(struct device *device, int i, size_t bytes, size_t from, int is_owned)
{
	struct device_buffer buffer = device->buffer[i];

	if (is_owned) {
		device->buffer[i] = (struct device_buffer){ 0 };
		if (device->current == i)
			device->current = -1;
	}
	if (leave_out("ompt_callback_buffer_complete"))
		return;
	device->complete(device_number(device), buffer.at, bytes, device_cursor(from), is_owned);
}

void device_flush(struct device *device)
{
	if (device->current >= 0)
		device_complete(
			device, device->current, device->buffer[device->current].used, 0, 1);
}

static int ask(struct device *device)
{
	struct device_buffer buffer = { 0 };
	ompt_buffer_t *at = NULL;
	int i = device->n_buffers;

	if (!leave_out("ompt_callback_buffer_request"))
		device->request(device_number(device), &at, &buffer.bytes);
	buffer.at = at;
	if (!buffer.bytes) {
		device->is_refused = 1;
		device->n_refused++;
		return -1;
	}
	/* The first place that is free. */
	for (int k = device->n_buffers; k-- > 0;) {
		if (!device->buffer[k].at)
			i = k;
	}
	if (i == DEVICE_MAX_BUFFERS)
		return -1;
	if (i == device->n_buffers)
		device->n_buffers++;
	device->buffer[i] = buffer;
	device->current = i;
	return 0;
}

void *device_room(struct device *device, size_t n)
{
	struct device_buffer *buffer;
	void *at;

	if (!device->is_recording || device->is_paused || device->is_refused)
		return NULL;
	if (device->current >= 0 &&
		device->buffer[device->current].used + n > device->buffer[device->current].bytes)
		device_flush(device);
	if (device->current < 0 && ask(device) != 0)
		return NULL;
	buffer = &device->buffer[device->current];
	at = buffer->at + buffer->used;
	buffer->last = buffer->used;
	buffer->used += n;
	buffer->n++;
	return at;
}

/* The entry points. */

static int get_device_num_procs(ompt_device_t *device)
{
	return 80 + device_number(device);
}

static ompt_device_time_t get_device_time(ompt_device_t *device)
{
	return device_time_at(device, device_host_ns());
}

/* Seconds of a clock of its own, 1000 s ahead of the host's. */
static double translate_time(ompt_device_t *at, ompt_device_time_t time)
{
	const struct device *device = at;

	return (double)(uint64_t)((unsigned __int128)(time - device->offset) * device->per /
				  device->rate) *
		       1e-9 +
	       1000;
}

static ompt_set_result_t set_trace_ompt(ompt_device_t *at, unsigned enable, unsigned type)
{
	struct device *device = at;
	int is_newer = type >= ompt_callback_target_emi && type <= ompt_callback_target_map_emi;
	ompt_set_result_t result = is_newer ? device->newer : device->ompt;

	if (result > ompt_set_impossible && type < 64)
		device->is_ompt[type] = (int)enable;
	return result;
}

static ompt_set_result_t set_trace_native(ompt_device_t *at, int enable, int flags)
{
	struct device *device = at;

	if (device->native > ompt_set_impossible)
		device->is_native = enable ? flags : 0;
	return device->native;
}

static int start_trace(ompt_device_t *at, ompt_callback_buffer_request_t request,
	ompt_callback_buffer_complete_t complete)
{
	struct device *device = at;

	device->n_starts++;
	if (!device->answer)
		return 0;
	device->request = request;
	device->complete = complete;
	device->is_recording = 1;
	device->is_refused = 0;
	return 1;
}

static int pause_trace(ompt_device_t *at, int is_begin)
{
	struct device *device = at;

	device->is_paused = is_begin;
	*(is_begin ? &device->n_pauses : &device->n_goes_on) += 1;
	return 1;
}

static int flush_trace(ompt_device_t *at)
{
	struct device *device = at;

	device->n_flushes++;
	device_flush(device);
	return 1;
}

static int stop_trace(ompt_device_t *at)
{
	struct device *device = at;

	device->n_stops++;
	device_flush(device);
	device->is_recording = 0;
	return 1;
}

static uint64_t random_of(struct device *device)
{
	device->random ^= device->random << 13;
	device->random ^= device->random >> 7;
	device->random ^= device->random << 17;
	return device->random;
}

static int advance_buffer_cursor(ompt_device_t *at, ompt_buffer_t *buffer, size_t size,
	ompt_buffer_cursor_t current, ompt_buffer_cursor_t *next)
{
	struct device *device = at;
	size_t place = (size_t)device_cursor((size_t)current);
	struct device_entry entry;

	if (device->is_again) {
		device->is_again = 0;
		device->complete(device_number(device), buffer, size, device_cursor(0), 0);
	}
	/* Records of any bytes: from the same cursor the way is always the same. */
	if (device->cursors == CURSORS_RANDOM) {
		uint64_t mixed = (place + 1) * 0x9e3779b97f4a7c15ULL ^ device->random;

		*next = device_cursor((mixed >> 20) % (size + 64));
		return (mixed & 63) != 0;
	}
	if (device->cursors == CURSORS_ENDLESS) {
		*next = device_cursor(random_of(device) % size & ~(size_t)7);
		return 1;
	}
	memcpy(&entry, (const char *)buffer + place, sizeof(entry));
	if (device->cursors == CURSORS_STUCK) {
		*next = current;
		return 1;
	}
	if (place + entry.bytes >= size) {
		*next = device_cursor(0);
		return device->cursors == CURSORS_RING;
	}
	*next = device_cursor(place + entry.bytes);
	return 1;
}

static const struct device_entry *entry_at(ompt_buffer_t *buffer, ompt_buffer_cursor_t current)
{
	return (const void *)((const char *)buffer + (size_t)device_cursor((size_t)current));
}

static struct device_entry header_at(ompt_buffer_t *buffer, ompt_buffer_cursor_t current)
{
	struct device_entry entry;

	memcpy(&entry, entry_at(buffer, current), sizeof(entry));
	return entry;
}

/* Cursors into random bytes may point beyond the buffer. Such records are invalid. */
static int is_beyond(ompt_buffer_t *buffer, ompt_buffer_cursor_t current)
{
	size_t place = (size_t)device_cursor((size_t)current);

	return place > 262144 - sizeof(struct device_entry) - 8;
}

static ompt_record_t get_record_type(ompt_buffer_t *buffer, ompt_buffer_cursor_t current)
{
	if (is_beyond(buffer, current))
		return ompt_record_invalid;
	return (ompt_record_t)header_at(buffer, current).kind;
}

#define NOWHERE ((void *)0x10)

static ompt_record_ompt_t *get_record_ompt(ompt_buffer_t *buffer, ompt_buffer_cursor_t current)
{
	static __thread ompt_record_ompt_t own;
	struct device_entry entry = header_at(buffer, current);
	void *record = (char *)entry_at(buffer, current) + sizeof(entry);

	switch (entry.how) {
	case HOW_NULL:
		return NULL;
	case HOW_WILD:
		return NOWHERE;
	case HOW_FOREIGN:
		memcpy(&own, record, sizeof(own));
		return &own;
	default:
		return record;
	}
}

static void *get_record_native(
	ompt_buffer_t *buffer, ompt_buffer_cursor_t current, ompt_id_t *host_op_id)
{
	*host_op_id = header_at(buffer, current).host_op_id;
	return (void *)entry_at(buffer, current);
}

static ompt_record_abstract_t *get_record_abstract(void *native)
{
	static __thread ompt_record_abstract_t own;
	struct device_entry entry;

	memcpy(&entry, native, sizeof(entry));
	if (entry.how == HOW_UNKNOWN)
		return NULL;
	memcpy(&own, (char *)native + sizeof(entry), sizeof(own));
	own.type =
		entry.how == HOW_NAMELESS ? NOWHERE : (char *)native + sizeof(entry) + sizeof(own);
	return &own;
}

#define ENTRY_POINTS(X)                                                                            \
	X(get_device_num_procs)                                                                    \
	X(get_device_time)                                                                         \
	X(translate_time)                                                                          \
	X(set_trace_ompt)                                                                          \
	X(set_trace_native)                                                                        \
	X(start_trace)                                                                             \
	X(pause_trace)                                                                             \
	X(flush_trace)                                                                             \
	X(stop_trace)                                                                              \
	X(advance_buffer_cursor)                                                                   \
	X(get_record_type)                                                                         \
	X(get_record_ompt)                                                                         \
	X(get_record_native)                                                                       \
	X(get_record_abstract)

#define ENTRY_POINT(name) { "ompt_" #name, (ompt_interface_fn_t)name },

static const struct {
	const char *name;
	ompt_interface_fn_t function;
} entry_points[] = { ENTRY_POINTS(ENTRY_POINT) };

enum { N_ENTRY_POINTS = sizeof(entry_points) / sizeof(entry_points[0]) };

static int is_offered[N_ENTRY_POINTS];

void device_offer(const char *name, int is)
{
	for (int i = 0; i < N_ENTRY_POINTS; i++) {
		if (!name || strcmp(entry_points[i].name + strlen("ompt_"), name) == 0)
			is_offered[i] = is;
	}
}

ompt_interface_fn_t device_lookup(const char *name)
{
	if (leave_out(name))
		return NULL;
	for (int i = 0; i < N_ENTRY_POINTS; i++) {
		if (strcmp(entry_points[i].name, name) == 0)
			return is_offered[i] ? entry_points[i].function : NULL;
	}
	return NULL;
}
