/* SPDX-License-Identifier: Apache-2.0 */
/* A script's actions on devices; see device.h. */
#include "tests/runtime/device.h"

#include <stdlib.h>
#include <string.h>

#include "tests/runtime/device_parts.h"
#include "tests/runtime/events.h"
#include "tests/runtime/leave_out.h"
#include "tests/runtime/objects.h"

#define V(i) (step->v[i])

static uint64_t id_of(uint64_t object)
{
	const ompt_data_t *data = objects_data((int64_t)object);

	return data ? data->value : 0;
}

/* The device's time for a record: `given`, or if that is UINT64_MAX, its time at host_ns. */
static uint64_t time_of(const struct device *device, uint64_t given, uint64_t host_ns)
{
	return given == UINT64_MAX ? device_time_at(device, host_ns) : given;
}

static struct device_entry *add_entry(struct device *device, size_t bytes, ompt_record_t kind)
{
	struct device_entry *entry;

	bytes = (bytes + sizeof(*entry) + 7) & ~(size_t)7;
	entry = device_room(device, bytes);
	if (entry)
		*entry = (struct device_entry){ .bytes = (uint32_t)bytes, .kind = (uint8_t)kind };
	return entry;
}

static void add_ompt(struct device *device, const ompt_record_ompt_t *record)
{
	struct device_entry *entry = add_entry(device, sizeof(*record), ompt_record_ompt);
	static const uint32_t nothing = LEAVE_OUT_NUMBER;

	if (entry)
		memcpy(entry + 1, record, sizeof(*record));
	if (entry && leave_out_record((int)record->type))
		memcpy(entry + 1, &nothing, sizeof(nothing));
}

/* Whether the tool asked for records of this callback. */
static int is_wanted(const struct device *device, unsigned type)
{
	return type < 64 && device->is_ompt[type];
}

static void add_kernel(const struct step *step)
{
	struct device *device = device_at(V(1));
	uint64_t begin = device_host_ns() - V(2);
	ompt_record_ompt_t record = {
		.type = V(9) ? ompt_callback_target_submit_emi : ompt_callback_target_submit,
		.time = time_of(device, V(4), begin),
		.target_id = V(8) ? V(8) : id_of(V(7)),
		.record.target_kernel = { .host_op_id = id_of(V(0)),
			.requested_num_teams = (unsigned)V(6),
			.granted_num_teams = (unsigned)V(6),
			.end_time = time_of(device, V(5), begin + V(3)) },
	};

	if (is_wanted(device, record.type))
		add_ompt(device, &record);
}

static void add_data(const struct step *step)
{
	struct device *device = device_at(V(2));
	uint64_t begin = device_host_ns() - V(3);
	ompt_record_ompt_t record = {
		.type = V(10) ? ompt_callback_target_data_op_emi : ompt_callback_target_data_op,
		.time = time_of(device, V(5), begin),
		.target_id = V(9) ? V(9) : id_of(V(8)),
		.record.target_data_op = { .host_op_id = id_of(V(1)),
			.optype = (ompt_target_data_op_t)V(0),
			.bytes = V(7),
			.end_time = time_of(device, V(6), begin + V(4)) },
	};

	if (is_wanted(device, record.type))
		add_ompt(device, &record);
}

#define NAME_OF(name, ...) { #name, ompt_callback_##name },

static uint32_t type_of(const char *name)
{
	static const struct {
		const char *name;
		uint32_t type;
	} names[] = { EVENTS(NAME_OF, NAME_OF) };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i].name, name) == 0)
			return names[i].type;
	}
	return (uint32_t)strtoul(name, NULL, 0);
}

static void add_records(const struct step *step)
{
	struct device *device = device_at(V(1));
	ompt_record_ompt_t record = { .time = device_time_at(device, device_host_ns()) };
	uint32_t type = type_of(step->text);

	memcpy(&record.type, &type, sizeof(type));
	for (uint64_t i = 0; i < V(2); i++)
		add_ompt(device, &record);
}

static struct device_entry *add_native(
	struct device *device, const ompt_record_abstract_t *abstract, const char *name)
{
	size_t n = strlen(name) + 1;
	struct device_entry *entry = add_entry(device, sizeof(*abstract) + n, ompt_record_native);

	if (!entry)
		return NULL;
	memcpy(entry + 1, abstract, sizeof(*abstract));
	memcpy((char *)(entry + 1) + sizeof(*abstract), name, n);
	return entry;
}

static void add_native_of(const struct step *step)
{
	struct device *device = device_at(V(1));
	uint64_t begin = device_host_ns() - V(2);
	ompt_record_abstract_t abstract = {
		.rclass = (ompt_record_native_t)V(4),
		.start_time = device_time_at(device, begin),
		.end_time = device_time_at(device, begin + V(3)),
		.hwid = 1,
	};
	struct device_entry *entry;

	if (!device->is_native || leave_out("ompt_record_native"))
		return;
	entry = add_native(device, &abstract, step->text);
	if (entry)
		entry->host_op_id = id_of(V(0));
}

/* Lets the buffer end within its last record. */
static void make_short(struct device *device)
{
	struct device_buffer *buffer = &device->buffer[device->current];

	buffer->used = buffer->last + sizeof(struct device_entry) + 8;
}

static void add_odd(const struct step *step)
{
	static const char *const hows[] = { "right", "null", "wild", "short", "foreign", "unknown",
		"nameless", NULL };
	struct device *device = device_at(V(1));
	uint64_t now = device_time_at(device, device_host_ns());
	ompt_record_ompt_t record = { .type = ompt_callback_target_submit,
		.time = now,
		.record.target_kernel.end_time = now };
	ompt_record_abstract_t abstract = { ompt_record_native_event, NULL, now, now, 1 };
	struct device_entry *entry;
	int how = 0;

	while (hows[how] && strcmp(hows[how], step->text) != 0)
		how++;
	if (how == HOW_UNKNOWN || how == HOW_NAMELESS) {
		entry = add_native(device, &abstract, "odd");
	} else {
		entry = add_entry(device, sizeof(record), ompt_record_ompt);
		if (entry)
			memcpy(entry + 1, &record, sizeof(record));
	}
	if (!entry)
		return;
	/* "invalid", or any other word that is not in the list. */
	if (!hows[how])
		entry->kind = ompt_record_invalid;
	else
		entry->how = (uint8_t)how;
	if (how == HOW_SHORT)
		make_short(device);
}

/* Bytes that are small more often than not, as kinds, types and lengths are. */
static void add_random(const struct step *step)
{
	struct device *device = device_at(V(2));
	size_t bytes = V(1) * 64;
	unsigned char *at = device_room(device, bytes);
	uint64_t random = V(0) * 0x9e3779b97f4a7c15ULL | 1;

	for (size_t i = 0; at && i < bytes; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		at[i] = (unsigned char)(random >> 40);
		if (random >> 60)
			at[i] = (unsigned char)(at[i] & (random >> 62 ? 3 : 63));
	}
	device->random = random;
	device->cursors = CURSORS_RANDOM;
}

static void set_cursors(const struct step *step)
{
	static const char *const hows[] = { "right", "stuck", "ring", "endless" };
	struct device *device = device_at(V(1));

	device->random |= 1;
	for (size_t i = 0; i < sizeof(hows) / sizeof(hows[0]); i++) {
		if (strcmp(hows[i], step->text) == 0)
			device->cursors = (enum device_cursors)i;
	}
}

static void set_clock(const struct step *step)
{
	struct device *device = device_at(V(0));

	if (V(4)) {
		device->offset -= V(4);
		return;
	}
	device->offset = V(1);
	device->rate = V(2);
	device->per = V(3);
}

static void set_answers(const struct step *step)
{
	struct device *device = device_at(V(0));

	device->ompt = (ompt_set_result_t)V(1);
	device->native = (ompt_set_result_t)V(2);
	device->answer = (int)V(3);
	device->newer = (ompt_set_result_t)V(4);
}

/* all, none, or all but -NAME,-NAME. */
static void set_offers(const struct step *step)
{
	char *words = strdup(step->text), *rest = words, *word;

	device_offer(NULL, strcmp(step->text, "none") != 0);
	while ((word = strsep(&rest, ","))) {
		if (word[0] == '-')
			device_offer(word + 1, 0);
	}
	free(words);
}

/* The device keeps the buffers that it has, to be completed by their numbers. */
static void request(const struct step *step)
{
	struct device *device = device_at(V(0));

	for (uint64_t i = 0; i < V(1); i++) {
		device->current = -1;
		if (!device_room(device, 0))
			return;
	}
}

static void complete_of(const struct step *step)
{
	struct device *device = device_at(V(0));
	int i = V(2) == UINT64_MAX ? device->current : (int)V(2);
	struct device_buffer *buffer;
	size_t place = 0, used;

	/* An address that the script gives. */
	if (V(5)) {
		device->complete((int)V(0), (void *)V(5), 64, device_cursor(0), 1);
		return;
	}
	if (i < 0 || i >= DEVICE_MAX_BUFFERS || !device->complete) {
		stage_fail(stage_self, "there is no buffer");
		return;
	}
	buffer = &device->buffer[i];
	used = buffer->used;
	for (uint64_t k = 0; k < V(3) && place < used; k++)
		place += ((struct device_entry *)(buffer->at + place))->bytes;
	device_complete(device, i, V(4) == UINT64_MAX ? used : V(4), place, V(1) != 0);
}

static void expect(const struct step *step)
{
	const struct device *device = device_at(V(2));
	unsigned n_buffers = 0;

	for (int i = 0; i < device->n_buffers; i++)
		n_buffers += device->buffer[i].at != NULL;
	const struct {
		const char *name;
		unsigned n;
	} counts[] = { { "starts", device->n_starts }, { "pauses", device->n_pauses },
		{ "goes_on", device->n_goes_on }, { "flushes", device->n_flushes },
		{ "stops", device->n_stops }, { "refused", device->n_refused },
		{ "native", (unsigned)device->is_native }, { "buffers", n_buffers } };

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		if (strcmp(counts[i].name, step->text) != 0)
			continue;
		if (counts[i].n != V(1))
			stage_fail(stage_self, "%u %s", counts[i].n, step->text);
		return;
	}
	stage_fail(stage_self, "a device has no '%s'", step->text);
}

void device_act(const struct step *step)
{
	switch ((enum device_action)(step->event - DEVICE_FIRST_ACTION)) {
	case DEVICE_trace_offers:
		set_offers(step);
		break;
	case DEVICE_trace_clock:
		set_clock(step);
		break;
	case DEVICE_trace_answers:
		set_answers(step);
		break;
	case DEVICE_trace_kernel:
		add_kernel(step);
		break;
	case DEVICE_trace_data:
		add_data(step);
		break;
	case DEVICE_trace_record:
		add_records(step);
		break;
	case DEVICE_trace_native:
		add_native_of(step);
		break;
	case DEVICE_trace_odd:
		add_odd(step);
		break;
	case DEVICE_trace_random:
		add_random(step);
		break;
	case DEVICE_trace_cursors:
		set_cursors(step);
		break;
	case DEVICE_trace_request:
		request(step);
		break;
	case DEVICE_trace_complete:
		complete_of(step);
		break;
	case DEVICE_trace_flush:
		device_flush(device_at(V(0)));
		break;
	case DEVICE_trace_again:
		device_at(V(0))->is_again = 1;
		break;
	case DEVICE_trace_expect:
		expect(step);
		break;
	default:
		stage_fail(stage_self, "a device cannot do this");
	}
}
