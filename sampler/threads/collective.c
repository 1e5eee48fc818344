/* SPDX-License-Identifier: Apache-2.0 */
/* The records of collective calls; see collective.h. Not for the signal handler. */
#include "sampler/threads/collective.h"

#include <stddef.h>

#include "profile/core/writer.h"
#include "sampler/core/tool.h"

enum {
	MOST_SEGMENTS = 8,
	RECORDS = (PROFILE_SEGMENT_BYTES - sizeof(struct profile_segment)) /
		  sizeof(struct profile_collective), /* of a segment */
};

static uint32_t n_begun;
static __thread uint64_t outer_frame; /* of the call that the thread is in; 0: none */

/* The records of one profile. The thread that has set `is_busy` uses the other fields. */
static struct {
	char is_busy;
	uint32_t epoch; /* as tool.epoch: a child made by fork has another profile */
	uint32_t n_segments;
	uint32_t next; /* the next record that may be free */
	uint32_t level;
	struct profile_segment *segments[MOST_SEGMENTS];
} table;

struct collective collective_begin(uint64_t frame)
{
	struct collective begun = { 0, 0, 0 };

	if (frame < outer_frame)
		return begun;
	outer_frame = frame;
	begun.number = __atomic_add_fetch(&n_begun, 1, __ATOMIC_RELAXED);
	if (profile_is_kept(begun.number, __atomic_load_n(&table.level, __ATOMIC_RELAXED)))
		begun.begin = tool_ticks();
	return begun;
}

/* The record with this index, counted over all segments. NULL without space for its segment. */
static struct profile_collective *record_at(uint32_t i)
{
	uint32_t segment;

	if (i / RECORDS == table.n_segments) {
		struct profile_segment *claimed = writer_segment(PROFILE_SEGMENT_COLLECTIVES,
			sizeof(struct profile_collective), 0, &segment);

		if (!claimed)
			return NULL;
		table.segments[table.n_segments++] = claimed;
	}
	return (struct profile_collective *)(table.segments[i / RECORDS] + 1) + i % RECORDS;
}

static void raise_level(void)
{
	__atomic_store_n(&table.level, table.level + 1, __ATOMIC_RELAXED);
	__atomic_store_n(&writer_header()->collectives.level, table.level, __ATOMIC_RELEASE);
	table.next = 0;
}

/* A record that is empty or not kept any more; NULL: there is no space for any. */
static struct profile_collective *find_free(void)
{
	for (;;) {
		struct profile_collective *record =
			table.next < MOST_SEGMENTS * RECORDS ? record_at(table.next) : NULL;

		if (!record && !table.next)
			return NULL;
		if (!record) {
			raise_level();
			continue;
		}
		table.next++;
		if (!record->number || !profile_is_kept(record->number, table.level))
			return record;
	}
}

static void keep(const struct collective *collective, const void *caller)
{
	uint64_t end = tool_ticks();
	struct profile_segment *segment;
	struct profile_collective *record;

	if (table.epoch != tool.epoch) {
		table.n_segments = table.next = table.level = 0;
		table.epoch = tool.epoch;
	}
	record = find_free();
	if (!record)
		return;
	__atomic_store_n(&record->number, 0, __ATOMIC_RELEASE);
	record->begin = collective->begin;
	record->end = end;
	record->caller = (uint64_t)caller;
	record->root = collective->root;
	__atomic_store_n(&record->number, collective->number, __ATOMIC_RELEASE);
	segment = table.segments[(table.next - 1) / RECORDS];
	if (segment->used < (table.next - 1) % RECORDS + 1)
		__atomic_store_n(&segment->used, (table.next - 1) % RECORDS + 1, __ATOMIC_RELEASE);
}

void collective_end(const struct collective *collective, int is_timed, const void *caller)
{
	if (!collective->number)
		return;
	outer_frame = 0;
	if (!is_timed || !tool_is_on())
		return;
	__atomic_store_n(&writer_header()->collectives.n, collective->number, __ATOMIC_RELAXED);
	if (!collective->begin || __atomic_test_and_set(&table.is_busy, __ATOMIC_ACQUIRE))
		return;
	keep(collective, caller);
	__atomic_clear(&table.is_busy, __ATOMIC_RELEASE);
}
