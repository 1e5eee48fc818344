/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that several files of the reader use: bytes of a file, records of a segment, the clock.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/reader/reader_internal.h"

int reader_cannot_read(struct diag *diag, const char *path, int error)
{
	return diag_set(diag, "cannot read '%s': %s", path, strerror(error));
}

int reader_read_at(int fd, void *bytes, size_t n, uint64_t offset)
{
	size_t got = 0;

	while (got < n) {
		ssize_t step = pread(fd, (char *)bytes + got, n - got, (off_t)(offset + got));

		if (step < 0 && errno == EINTR)
			continue;
		if (step < 0)
			return -1;
		if (step == 0)
			break;
		got += (size_t)step;
	}
	return 0;
}

size_t reader_claimed_bytes(const struct profile_header *header, uint64_t file_bytes)
{
	uint64_t claimed = (uint64_t)header->n_segments * PROFILE_SEGMENT_BYTES;

	if (memcmp(header->magic, PROFILE_MAGIC, sizeof(header->magic)) != 0)
		claimed = sizeof(*header);
	if (claimed < sizeof(*header))
		claimed = sizeof(*header);
	if (claimed > PROFILE_MAX_BYTES)
		claimed = PROFILE_MAX_BYTES;
	return (size_t)(claimed < file_bytes ? claimed : file_bytes);
}

int reader_records(const struct reader_input *input, uint32_t number,
	enum profile_segment_kind kind, struct reader_records *records, size_t *n_dropped)
{
	static const uint16_t record_bytes[PROFILE_SEGMENT_N_KINDS] = {
		[PROFILE_SEGMENT_RUN] = 1,
		[PROFILE_SEGMENT_THREADS] = PROFILE_THREAD_BYTES,
		[PROFILE_SEGMENT_MODULES] = PROFILE_MODULE_BYTES,
		[PROFILE_SEGMENT_NODES] = PROFILE_NODE_BYTES,
		[PROFILE_SEGMENT_REGIONS] = PROFILE_REGION_BYTES,
		[PROFILE_SEGMENT_LOCKS] = PROFILE_LOCK_BYTES,
		[PROFILE_SEGMENT_DEVICES] = PROFILE_DEVICE_BYTES,
		[PROFILE_SEGMENT_PHASES] = PROFILE_PHASE_BYTES,
		[PROFILE_SEGMENT_MOMENTS] = PROFILE_MOMENT_BYTES,
		[PROFILE_SEGMENT_COLLECTIVES] = sizeof(struct profile_collective),
	};
	size_t start = (size_t)number * PROFILE_SEGMENT_BYTES, bytes = record_bytes[kind];
	size_t first =
		bytes > sizeof(struct profile_segment) ? bytes : sizeof(struct profile_segment);
	size_t there = input->size - start;
	struct profile_segment segment;

	if (there > PROFILE_SEGMENT_BYTES)
		there = PROFILE_SEGMENT_BYTES;
	if (there < sizeof(segment))
		return 0;
	memcpy(&segment, input->bytes + start, sizeof(segment));
	if (segment.kind != kind)
		return 0;
	if (segment.record_bytes != bytes) {
		++*n_dropped;
		return 0;
	}
	*records = (struct reader_records){
		.first = input->bytes + start + first,
		.n = there < first ? 0 : (there - first) / bytes,
		.bytes = bytes,
		.owner = segment.owner,
		.offset = start + first,
	};
	if (segment.used > (PROFILE_SEGMENT_BYTES - first) / bytes)
		++*n_dropped;
	if (records->n > segment.used)
		records->n = segment.used;
	return 1;
}

void *reader_alloc(const struct reader_input *input, enum profile_segment_kind kind,
	size_t item_bytes, size_t more)
{
	struct reader_records records;
	size_t n = 0, unused = 0;

	for (uint32_t i = 1; i < input->n_segments; i++) {
		if (reader_records(input, i, kind, &records, &unused))
			n += records.n;
	}
	return calloc(n + more + 1, item_bytes);
}

void reader_each(struct profile *profile, struct reader_work *work, enum profile_segment_kind kind,
	reader_take *take)
{
	struct reader_records records;

	for (uint32_t i = 1; i < work->input->n_segments; i++) {
		if (!reader_records(work->input, i, kind, &records, &profile->n_dropped))
			continue;
		for (size_t j = 0; j < records.n; j++)
			profile->n_dropped +=
				!take(profile, work, records.first + j * records.bytes);
	}
}

uint32_t reader_node_of(const struct profile *profile, const struct reader_work *work, uint32_t id,
	enum profile_node_kind kind)
{
	uint32_t node = id < work->n_ids ? work->index_of_id[id] : READER_NONE;

	return node != READER_NONE && profile->nodes[node].kind == kind ? node : READER_NONE;
}

int reader_compare_u32(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

/* Whether a tick counter can have this rate: 1 MHz to 100 GHz. */
static int is_rate(uint64_t ticks_per_s)
{
	return ticks_per_s >= 1000000 && ticks_per_s <= 100000000000;
}

uint64_t profile_end_ns(const struct profile_header *header)
{
	return header->end_ns && header->flags & PROFILE_COMPLETE ? header->end_ns
								  : header->last_ns;
}

/* The tick counter at this moment of the profile; 0: not known. */
static uint64_t ticks_at(const struct profile *profile, uint64_t ns)
{
	const struct profile_header *header = &profile->header;
	unsigned __int128 ticks =
		(unsigned __int128)ns * header->ticks_per_s / 1000000000 + header->start_ticks;

	return header->start_ticks && ticks <= INT64_MAX ? (uint64_t)ticks : 0;
}

void reader_read_clock(struct profile *profile, struct reader_work *work)
{
	const struct profile_header *header = &profile->header;

	profile->has_ticks = is_rate(header->ticks_per_s);
	if (!profile->has_ticks)
		return;
	profile->waits = header->waits & ((1u << PROFILE_N_WAITS) - 2);
	work->last_ticks = ticks_at(profile, profile_end_ns(header));
}

uint64_t reader_end_of(
	const struct profile *profile, const struct reader_work *work, uint32_t thread)
{
	uint64_t end_ns = profile->threads[thread].end_ns;
	uint64_t end = end_ns ? ticks_at(profile, end_ns) : work->last_ticks;

	return end < work->last_ticks ? end : work->last_ticks;
}

uint64_t reader_ns(const struct profile *profile, uint64_t ticks)
{
	unsigned __int128 ns = (unsigned __int128)ticks * 1000000000;

	if (!profile->has_ticks)
		return 0;
	ns /= profile->header.ticks_per_s;
	return ns < PROFILE_MOST_NS ? (uint64_t)ns : PROFILE_MOST_NS;
}

void reader_limit(uint64_t *figure)
{
	if (*figure > PROFILE_MOST_NS)
		*figure = PROFILE_MOST_NS;
}

struct profile_entry *profile_list_add(struct profile_list *list, char *path)
{
	struct profile_entry *entries = NULL;

	if (path)
		entries = realloc(list->entries, (list->n + 1) * sizeof(*entries));
	if (!entries) {
		free(path);
		return NULL;
	}
	list->entries = entries;
	entries[list->n] = (struct profile_entry){ .path = path };
	return &entries[list->n++];
}
