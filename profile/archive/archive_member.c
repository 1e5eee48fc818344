/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, kinds and records of a part; see archive_member.h. */
#include <stdlib.h>
#include <string.h>

#include "profile/archive/archive_internal.h"

const struct part_kind part_kinds[PROFILE_SEGMENT_N_KINDS] = {
	[PROFILE_SEGMENT_RUN] = { 1, PART_BYTES },
	[PROFILE_SEGMENT_THREADS] = { PROFILE_THREAD_BYTES, PART_WORDS },
	[PROFILE_SEGMENT_MODULES] = { PROFILE_MODULE_BYTES, PART_BYTES },
	[PROFILE_SEGMENT_NODES] = { PROFILE_NODE_BYTES, PART_NODES },
	[PROFILE_SEGMENT_REGIONS] = { PROFILE_REGION_BYTES, PART_WORDS },
	[PROFILE_SEGMENT_LOCKS] = { PROFILE_LOCK_BYTES, PART_WORDS },
	[PROFILE_SEGMENT_DEVICES] = { PROFILE_DEVICE_BYTES, PART_BYTES },
	[PROFILE_SEGMENT_PHASES] = { PROFILE_PHASE_BYTES, PART_BYTES },
	[PROFILE_SEGMENT_TIMELINE] = { 64, PART_TIMELINE },
	[PROFILE_SEGMENT_MOMENTS] = { PROFILE_MOMENT_BYTES, PART_LONG_WORDS },
};

const uint8_t part_order[PROFILE_SEGMENT_N_KINDS - 1] = { PROFILE_SEGMENT_RUN,
	PROFILE_SEGMENT_MODULES, PROFILE_SEGMENT_PHASES, PROFILE_SEGMENT_DEVICES,
	PROFILE_SEGMENT_THREADS, PROFILE_SEGMENT_REGIONS, PROFILE_SEGMENT_LOCKS,
	PROFILE_SEGMENT_NODES, PROFILE_SEGMENT_TIMELINE, PROFILE_SEGMENT_MOMENTS };

const struct part_figure part_figures[part_n_figures] = {
	{ offsetof(struct profile_node, n), 4 },
	{ offsetof(struct profile_node, time_ns), 8 },
	{ offsetof(struct profile_node, events), 8 },
	{ offsetof(struct profile_node, blame_ns), 8 },
	{ offsetof(struct profile_node, spare), 8 },
};

static int make_room(struct part_output *out, size_t n)
{
	size_t room = out->room ? out->room : 4096;
	uint8_t *bytes;

	if (out->has_failed)
		return -1;
	if (out->room - out->n >= n)
		return 0;
	while (room - out->n < n)
		room *= 2;
	bytes = realloc(out->bytes, room);
	if (!bytes) {
		out->has_failed = 1;
		return -1;
	}
	out->bytes = bytes;
	out->room = room;
	return 0;
}

void part_put_bytes(struct part_output *out, const void *bytes, size_t n)
{
	if (n == 0 || make_room(out, n) != 0)
		return;
	memcpy(out->bytes + out->n, bytes, n);
	out->n += n;
}

void part_put_number(struct part_output *out, uint64_t number)
{
	if (make_room(out, 10) != 0)
		return;
	while (number >= 0x80) {
		out->bytes[out->n++] = (uint8_t)(number | 0x80);
		number >>= 7;
	}
	out->bytes[out->n++] = (uint8_t)number;
}

void part_put_difference(struct part_output *out, uint64_t number, uint64_t from)
{
	uint64_t difference = number - from;

	part_put_number(out, difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0));
}

void part_take_bytes(struct part_input *in, void *bytes, size_t n)
{
	if (n > in->n - in->at) {
		in->has_failed = 1;
		return;
	}
	memcpy(bytes, in->bytes + in->at, n);
	in->at += n;
}

uint64_t part_take_number(struct part_input *in)
{
	uint64_t number = 0;

	for (unsigned shift = 0; in->at < in->n && shift < 64; shift += 7) {
		uint8_t byte = in->bytes[in->at++];

		number |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return number;
	}
	in->has_failed = 1;
	return 0;
}

uint64_t part_take_difference(struct part_input *in, uint64_t from)
{
	uint64_t number = part_take_number(in);

	return from + (number >> 1 ^ (number & 1 ? UINT64_MAX : 0));
}

uint64_t part_take_limited(struct part_input *in, uint64_t most)
{
	uint64_t number = part_take_number(in);

	if (number <= most)
		return number;
	in->has_failed = 1;
	return 0;
}

struct part_records part_records_of(
	const struct profile_segment *segment, uint32_t number, size_t size)
{
	struct part_records records = { 0 };
	size_t start = (size_t)number * PROFILE_SEGMENT_BYTES, there = size - start, first;

	if (segment->kind >= PROFILE_SEGMENT_N_KINDS ||
		segment->record_bytes != part_kinds[segment->kind].record_bytes ||
		part_kinds[segment->kind].form == PART_NOTHING)
		return records;
	if (there > PROFILE_SEGMENT_BYTES)
		there = PROFILE_SEGMENT_BYTES;
	first = segment->record_bytes > sizeof(*segment) ? segment->record_bytes : sizeof(*segment);
	records.offset = start + first;
	records.bytes = segment->record_bytes;
	records.n = there < first ? 0 : (there - first) / records.bytes;
	if (records.n > segment->used)
		records.n = segment->used;
	return records;
}

size_t part_count_nodes(const struct profile_segment *segments, const uint32_t *numbers,
	uint32_t n_numbers, size_t size)
{
	size_t n = 0;

	for (uint32_t i = 0; i < n_numbers; i++)
		n += part_records_of(&segments[numbers[i]], numbers[i], size).n;
	return n;
}

uint64_t *part_find_starts(const uint8_t *file, size_t size, const struct profile_segment *segments)
{
	uint64_t *starts = calloc(UINT16_MAX + 1, sizeof(*starts));

	for (uint32_t i = 1; starts && i < part_count_segments(size); i++) {
		struct part_records records = part_records_of(&segments[i], i, size);

		if (segments[i].kind != PROFILE_SEGMENT_MODULES)
			continue;
		for (size_t k = 0; k < records.n; k++) {
			struct profile_module module;

			memcpy(&module, file + records.offset + k * records.bytes, sizeof(module));
			if (module.generation <= UINT16_MAX)
				starts[module.generation] = module.start;
		}
	}
	return starts;
}

/* A segment of nodes, and whose they are. */
struct owned {
	uint32_t owner, number;
};

static int compare_owned(const void *left, const void *right)
{
	const struct owned *a = left, *b = right;

	if (a->owner != b->owner)
		return a->owner < b->owner ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

uint32_t *part_sort_nodes(
	const struct profile_segment *segments, uint32_t n_segments, size_t size, uint32_t *n)
{
	struct owned *owned = calloc(n_segments + 1, sizeof(*owned));
	uint32_t *numbers = calloc(n_segments + 1, sizeof(*numbers));

	*n = 0;
	for (uint32_t i = 1; owned && i < n_segments; i++)
		if (segments[i].kind == PROFILE_SEGMENT_NODES &&
			part_records_of(&segments[i], i, size).n)
			owned[(*n)++] = (struct owned){ segments[i].owner, i };
	if (owned && *n)
		qsort(owned, *n, sizeof(*owned), compare_owned);
	for (uint32_t i = 0; owned && numbers && i < *n; i++)
		numbers[i] = owned[i].number;
	if (!owned) {
		free(numbers);
		numbers = NULL;
	}
	free(owned);
	return numbers;
}
