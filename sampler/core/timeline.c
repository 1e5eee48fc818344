/* SPDX-License-Identifier: Apache-2.0 */
/* Timelines and traces; see timeline.h. Part of the signal-safe core. */
#include "sampler/core/timeline.h"

#include <stddef.h>

#include "profile/core/writer.h"
#include "sampler/core/thread.h"
#include "sampler/core/tool.h"

enum {
	LEAST_SHIFT = 12, /* a bucket of PROFILE_TIMELINE_UNIT ticks */
	FIRST_SHIFT = 20, /* of the first buckets, unless thresholds.first_bucket is shorter */
	LAST_SHIFT = 48,
	HALF = PROFILE_TIMELINE_BUCKETS / 2,
	MOMENTS = (PROFILE_SEGMENT_BYTES - (int)sizeof(struct profile_segment)) /
		  PROFILE_MOMENT_BYTES,
};

_Static_assert(1 << LEAST_SHIFT == PROFILE_TIMELINE_UNIT, "the shortest bucket");

static struct {
	uint32_t n;         /* records that have asked for a timeline */
	int64_t n_segments; /* segments of the trace for which there is room */
	int is_traced;
} timelines;

#define READ(field)         __atomic_load_n(&(field), __ATOMIC_RELAXED)
#define WRITE(field, value) __atomic_store_n(&(field), value, __ATOMIC_RELAXED)

/* Ticks of measured time since the profile began. */
static uint64_t since_start(uint64_t moment)
{
	return moment > tool.start_ticks ? moment - tool.start_ticks : 0;
}

void timeline_begin_all(uint64_t trace_bytes)
{
	timelines.n = 0;
	timelines.is_traced = trace_bytes > 0;
	timelines.n_segments = (int64_t)(trace_bytes / PROFILE_SEGMENT_BYTES);
}

void timeline_find(struct thread *thread)
{
	uint32_t number = thread->record->timeline;

	thread->timeline.segment =
		number ? writer_at((uint64_t)number * PROFILE_SEGMENT_BYTES) : NULL;
	thread->timeline.moments = NULL;
}

/* The buckets of a thread that begins now are as short as the whole time allows. */
static uint32_t first_shift(void)
{
	uint32_t shift = FIRST_SHIFT;

	while (shift > LEAST_SHIFT && 1u << shift > tool.thresholds.first_bucket)
		shift--;
	while (shift < LAST_SHIFT && since_start(tool_time()) >> shift >= PROFILE_TIMELINE_BUCKETS)
		shift++;
	return shift;
}

void timeline_open(struct thread *thread)
{
	struct profile_timeline_segment *timeline;
	uint32_t number;

	if (__atomic_fetch_add(&timelines.n, 1, __ATOMIC_RELAXED) >= TIMELINE_MOST)
		return;
	timeline = (struct profile_timeline_segment *)writer_segment(
		PROFILE_SEGMENT_TIMELINE, PROFILE_NODE_BYTES, thread->record->index, &number);
	if (!timeline)
		return;
	WRITE(timeline->shift, first_shift());
	__atomic_store_n(&timeline->segment.used, PROFILE_SEGMENT_BYTES / PROFILE_NODE_BYTES - 1,
		__ATOMIC_RELEASE);
	WRITE(thread->record->timeline, number);
	timeline_find(thread);
}

static void add(uint32_t *count, uint64_t n)
{
	uint64_t sum = READ(*count) + n;

	WRITE(*count, (uint32_t)(sum < UINT32_MAX ? sum : UINT32_MAX));
}

/* Writes both fields in one store, so that they fit each other whenever the program ends. */
static void settle(struct profile_timeline_segment *timeline, uint32_t settled, uint32_t shift)
{
	typedef uint64_t __attribute__((may_alias)) pair;

	_Static_assert(offsetof(struct profile_timeline_segment, settled) % sizeof(pair) == 0 &&
			       offsetof(struct profile_timeline_segment, shift) ==
				       offsetof(struct profile_timeline_segment, settled) + 4,
		"one store");
	__atomic_store_n(
		(pair *)&timeline->settled, (uint64_t)shift << 32 | settled, __ATOMIC_RELEASE);
}

static void merge_pair(uint32_t *to, const uint32_t *from)
{
	for (int k = 0; k < PROFILE_N_TIMES; k++) {
		uint64_t sum = (uint64_t)from[k] + from[PROFILE_N_TIMES + k];

		WRITE(to[k], (uint32_t)(sum < UINT32_MAX ? sum : UINT32_MAX));
	}
}

/* Merges pairs of buckets. Bounded by their number. */
static void merge(struct profile_timeline_segment *timeline)
{
	uint32_t n = READ(timeline->begun) + 1;

	WRITE(timeline->merged, 0);
	merge_pair(timeline->first, timeline->count[0]);
	__atomic_store_n(&timeline->begun, n, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	for (uint32_t i = 0; i < HALF; i++) {
		merge_pair(timeline->count[i], timeline->count[2 * i]);
		__atomic_store_n(&timeline->merged, i + 1, __ATOMIC_RELEASE);
		/* For a killed program: a thread's stores end at one of them, in this order. */
		__atomic_signal_fence(__ATOMIC_RELEASE);
	}
	for (uint32_t i = HALF; i < PROFILE_TIMELINE_BUCKETS; i++) {
		for (int k = 0; k < PROFILE_N_TIMES; k++)
			WRITE(timeline->count[i][k], 0);
	}
	__atomic_thread_fence(__ATOMIC_RELEASE);
	settle(timeline, n, timeline->shift + 1);
}

static void put(
	struct profile_timeline_segment *timeline, uint64_t bucket, uint32_t time, uint64_t amount)
{
	uint64_t rest = timeline->rest[time] + amount;

	WRITE(timeline->rest[time], (uint32_t)(rest % PROFILE_TIMELINE_UNIT));
	if (rest >= PROFILE_TIMELINE_UNIT)
		add(&timeline->count[bucket][time], rest / PROFILE_TIMELINE_UNIT);
}

/* Divides the amount evenly among the buckets from `begin` to `end`. */
static void spread(struct profile_timeline_segment *timeline, uint32_t time, uint64_t begin,
	uint64_t end, uint64_t amount)
{
	uint64_t last, first, given = 0;
	double each;

	begin = since_start(begin);
	end = since_start(end);
	while (end >> timeline->shift >= PROFILE_TIMELINE_BUCKETS && timeline->shift < LAST_SHIFT)
		merge(timeline);
	last = end >> timeline->shift;
	first = begin >> timeline->shift;
	if (last >= PROFILE_TIMELINE_BUCKETS)
		return;
	each = end > begin ? (double)amount / (double)(end - begin) : 0;
	for (; first < last; first++) {
		uint64_t next = (first + 1) << timeline->shift;
		uint64_t until = (uint64_t)((double)(next - begin) * each);

		until = until < amount ? until : amount;
		put(timeline, first, time, until - given);
		given = until;
	}
	put(timeline, last, time, amount - given);
}

/*
 * The segment for the thread's next moment, or NULL. A signal handler of the program can have an
 * event of its own in the middle of this one, so thread->timeline.moments is read once.
 */
static struct profile_segment *segment_with_room(struct thread *thread)
{
	struct profile_segment *segment = thread->timeline.moments;
	uint32_t number;

	if (segment && READ(segment->used) < MOMENTS)
		return segment;
	segment = NULL;
	if (READ(timelines.n_segments) > 0 &&
		__atomic_fetch_sub(&timelines.n_segments, 1, __ATOMIC_RELAXED) > 0)
		segment = writer_segment(PROFILE_SEGMENT_MOMENTS, PROFILE_MOMENT_BYTES,
			thread->record->index, &number);
	thread->timeline.moments = segment;
	return segment;
}

/* A handler of the program may interrupt this and call it again. */
static void drop(struct profile_timeline_segment *timeline, uint64_t begin)
{
	uint64_t former = READ(timeline->dropped_from);

	begin = begin ? begin : 1;
	while ((former == 0 || begin < former) &&
		!__atomic_compare_exchange_n(&timeline->dropped_from, &former, begin, 1,
			__ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	writer_count(&timeline->n_dropped, 1);
}

/* `begin` is in ticks. */
static void note(struct thread *thread, uint64_t begin, const struct profile_moment *moment)
{
	struct profile_timeline_segment *timeline = thread->timeline.segment;
	struct profile_segment *segment = segment_with_room(thread);
	uint32_t used = segment ? READ(segment->used) : MOMENTS;

	if (used >= MOMENTS) {
		drop(timeline, begin);
		return;
	}
	((struct profile_moment *)(segment + 1))[used] = *moment;
	__atomic_store_n(&segment->used, used + 1, __ATOMIC_RELEASE);
	writer_count(&timeline->n_moments, 1);
}

/* Calls of MPI have no time but that of their samples. */
static uint32_t time_of(enum profile_class class)
{
	if (class == PROFILE_WAIT_MPI)
		return PROFILE_TIME_WORK;
	return class < PROFILE_WAIT_BARRIER ? (uint32_t) class : PROFILE_TIME_IN_WAIT;
}

void timeline_sample(struct thread *thread, uint32_t leaf, enum profile_class class,
	uint64_t time_ns, uint64_t events)
{
	uint32_t time = time_of(class);
	uint64_t now, ticks, begin;

	if (!thread->timeline.segment)
		return;
	now = tool_time();
	ticks = (uint64_t)((double)time_ns * (double)READ(writer_header()->ticks_per_s) / 1e9);
	begin = now > ticks ? now - ticks : 0;
	spread(thread->timeline.segment, time, begin, now, time_ns);
	if (timelines.is_traced)
		note(thread, begin,
			&(struct profile_moment){
				.end = now,
				.length = time_ns,
				.amount = events,
				.node = leaf,
				.kind = PROFILE_MOMENT_SAMPLE,
				.time = (uint8_t)time,
				.what = (uint8_t) class,
			});
}

static const uint8_t times[] = {
#define WAIT(NAME, value, script, label, word, class, time, ...) [value] = PROFILE_TIME_##time,
#include "profile/shared/waits.def"
};

void timeline_wait(struct thread *thread, uint32_t wait, uint32_t leaf, uint64_t begin,
	uint64_t end, uint64_t ticks)
{
	if (!thread->timeline.segment || ticks == 0)
		return;
	if (ticks > end - begin)
		begin = ticks < end ? end - ticks : 0;
	spread(thread->timeline.segment, times[wait], begin, end, ticks);
	if (timelines.is_traced)
		note(thread, begin,
			&(struct profile_moment){
				.end = end,
				.length = end - begin,
				.amount = ticks,
				.node = leaf,
				.kind = PROFILE_MOMENT_WAIT,
				.time = times[wait],
				.what = (uint8_t)wait,
			});
}
