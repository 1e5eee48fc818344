/* SPDX-License-Identifier: Apache-2.0 */
/* The timelines of the threads, and the trace. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "profile/reader/reader_internal.h"

/* With this shift a bucket is longer than any machine has run. */
#define MOST_SHIFT 52

uint64_t profile_bucket_ns(const struct profile_timeline *timeline, size_t i)
{
	return timeline->begin_ns +
	       (uint64_t)((unsigned __int128)timeline->span_ns * i / PROFILE_TIMELINE_BUCKETS);
}

void profile_drop_timelines(struct profile *profile)
{
	for (size_t i = 0; profile->timelines && i < profile->n_threads; i++)
		free(profile->timelines[i].ns);
	free(profile->timelines);
	free(profile->moments);
	profile->timelines = NULL;
	profile->moments = NULL;
	profile->n_moments = 0;
}

uint32_t profile_time_of_wait(uint32_t wait)
{
	static const uint8_t times[] = {
#define WAIT(NAME, value, script, label, word, class, time, ...) [value] = PROFILE_TIME_##time,
#include "profile/shared/waits.def"
	};

	return times[wait];
}

uint32_t profile_time_of_class(uint32_t class)
{
	static const uint8_t times[] = {
#define CLASS(NAME, value, word, label, time, ...) [value] = PROFILE_TIME_##time,
#include "profile/shared/classes.def"
	};

	return times[class];
}

static void add_counts(uint32_t *to, const uint32_t *from)
{
	for (int k = 0; k < PROFILE_N_TIMES; k++)
		to[k] = to[k] > UINT32_MAX - from[k] ? UINT32_MAX : to[k] + from[k];
}

/* Joins the rest of the buckets in pairs, where the writer had begun to; see layout.h. */
static void finish_merge(struct profile_timeline_segment *from)
{
	uint32_t half = PROFILE_TIMELINE_BUCKETS / 2;

	for (uint32_t i = from->merged < half ? from->merged : half; i < half; i++) {
		uint32_t sum[PROFILE_N_TIMES];

		memcpy(sum, from->count[2 * i], sizeof(sum));
		add_counts(sum, from->count[2 * i + 1]);
		memcpy(from->count[i], sum, sizeof(sum));
	}
	memcpy(from->count[0], from->first, sizeof(from->first));
	memset(from->count[half], 0, half * sizeof(*from->count));
}

static size_t n_used(const struct profile_timeline_segment *from)
{
	static const uint32_t nothing[PROFILE_N_TIMES];
	size_t n = PROFILE_TIMELINE_BUCKETS;

	while (n > 0 && memcmp(from->count[n - 1], nothing, sizeof(nothing)) == 0)
		n--;
	return n;
}

static uint64_t time_of(const struct profile *profile, uint32_t count, int time)
{
	uint64_t amount = (uint64_t)count * PROFILE_TIMELINE_UNIT;

	return time <= PROFILE_TIME_IN_WAIT ? amount : reader_ns(profile, amount);
}

/* Ticks as ns since the profile's start. */
static uint64_t moment_ns(const struct profile *profile, uint64_t ticks)
{
	uint64_t start = profile->header.start_ticks;

	return ticks > start ? reader_ns(profile, ticks - start) : 0;
}

static int read_timeline(struct profile *profile, struct profile_timeline *timeline,
	struct profile_timeline_segment *from)
{
	uint32_t shift = from->shift + (from->settled != from->begun);

	if (from->settled != from->begun)
		finish_merge(from);
	timeline->is_torn = from->settled != from->begun;
	timeline->n_dropped = from->n_dropped;
	timeline->dropped_from_ns =
		from->dropped_from ? moment_ns(profile, from->dropped_from) : UINT64_MAX;
	timeline->ns = calloc(PROFILE_TIMELINE_BUCKETS, sizeof(*timeline->ns));
	if (!timeline->ns)
		return -1;
	timeline->shift = shift;
	timeline->span_ns = reader_ns(profile, (uint64_t)PROFILE_TIMELINE_BUCKETS << shift);
	timeline->n = n_used(from);
	for (size_t i = 0; i < timeline->n; i++) {
		for (int k = 0; k < PROFILE_N_TIMES; k++)
			timeline->ns[i][k] = time_of(profile, from->count[i][k], k);
	}
	return 0;
}

/* Copies segment `number` and returns 1 if it is a timeline; otherwise returns 0. */
static int find_timeline(
	const struct reader_input *input, uint32_t number, struct profile_timeline_segment *copy)
{
	size_t start = (size_t)number * PROFILE_SEGMENT_BYTES;

	if (input->size - start < sizeof(*copy))
		return 0;
	memcpy(&copy->segment, input->bytes + start, sizeof(copy->segment));
	if (copy->segment.kind != PROFILE_SEGMENT_TIMELINE)
		return 0;
	memcpy(copy, input->bytes + start, sizeof(*copy));
	return 1;
}

int reader_read_timelines(struct profile *profile, struct reader_work *work)
{
	struct profile_timeline_segment segment;

	if (!profile->has_ticks || profile->header.version < 5)
		return 0;
	profile->timelines = calloc(profile->n_threads + 1, sizeof(*profile->timelines));
	if (!profile->timelines)
		return -1;
	for (uint32_t i = 1; i < work->input->n_segments; i++) {
		size_t thread;

		if (!find_timeline(work->input, i, &segment))
			continue;
		thread = reader_find_thread(profile, segment.segment.owner);
		if (thread == profile->n_threads || profile->timelines[thread].ns ||
			segment.shift >= MOST_SHIFT) {
			profile->n_dropped++;
			continue;
		}
		if (read_timeline(profile, &profile->timelines[thread], &segment))
			return -1;
	}
	return 0;
}

/* Joins buckets in pairs, as the writer does when time exceeds the last bucket. */
static void widen(const struct profile *profile, struct profile_timeline *timeline)
{
	static const uint64_t nothing[PROFILE_N_TIMES];

	for (size_t i = 0; i < PROFILE_TIMELINE_BUCKETS; i++) {
		const uint64_t *second =
			2 * i + 1 < PROFILE_TIMELINE_BUCKETS ? timeline->ns[2 * i + 1] : nothing;
		const uint64_t *first =
			2 * i < PROFILE_TIMELINE_BUCKETS ? timeline->ns[2 * i] : nothing;

		for (int k = 0; k < PROFILE_N_TIMES; k++)
			timeline->ns[i][k] = first[k] + second[k];
	}
	timeline->n = (timeline->n + 1) / 2;
	timeline->shift++;
	timeline->span_ns =
		reader_ns(profile, (uint64_t)PROFILE_TIMELINE_BUCKETS << timeline->shift);
}

/* Adds an unfinished wait to the trace. */
static void add_moment(struct profile *profile, uint32_t node, uint64_t from, uint64_t until)
{
	const struct profile_tree_node *leaf = &profile->nodes[node];

	if (!profile->n_moments || until < from)
		return;
	profile->moments[profile->n_moments++] = (struct profile_moment_record){
		.begin_ns = from,
		.end_ns = until,
		.ns = until - from,
		.thread = leaf->owner,
		.node = node,
		.kind = PROFILE_MOMENT_WAIT,
		.time = (uint8_t)profile_time_of_wait(leaf->wait),
		.what = leaf->wait,
		.is_open = 1,
	};
}

void reader_add_to_timeline(struct profile *profile, uint32_t node, uint64_t begin, uint64_t end)
{
	uint32_t thread = profile->nodes[node].owner;
	uint32_t wait = profile->nodes[node].wait;
	struct profile_timeline *timeline = profile->timelines ? &profile->timelines[thread] : NULL;
	uint64_t from = moment_ns(profile, begin), until = moment_ns(profile, end);

	add_moment(profile, node, from, until);
	if (!timeline || !timeline->ns || timeline->span_ns == 0)
		return;
	while (timeline->span_ns < until && timeline->shift < MOST_SHIFT)
		widen(profile, timeline);
	for (size_t i = 0; i < PROFILE_TIMELINE_BUCKETS && from < until; i++) {
		uint64_t next = profile_bucket_ns(timeline, i + 1), part;

		if (i + 1 == PROFILE_TIMELINE_BUCKETS || next > until)
			next = until;
		if (next <= from)
			continue;
		part = next - from;
		timeline->ns[i][profile_time_of_wait(wait)] += part;
		timeline->n = i >= timeline->n ? i + 1 : timeline->n;
		from = next;
	}
}

static int compare_moments(const void *a, const void *b)
{
	const struct profile_moment_record *one = a, *other = b;

	if (one->end_ns != other->end_ns)
		return one->end_ns < other->end_ns ? -1 : 1;
	return (one->thread > other->thread) - (one->thread < other->thread);
}

/* The node of a moment if it belongs to the thread, or READER_NONE. */
static uint32_t node_of(const struct profile *profile, const struct reader_work *work,
	const struct profile_moment *from, size_t thread)
{
	uint32_t node = reader_node_of(profile, work, from->node,
		from->kind == PROFILE_MOMENT_SAMPLE ? PROFILE_NODE_SAMPLES : PROFILE_NODE_WAIT);

	return node != READER_NONE && profile->nodes[node].owner == thread ? node : READER_NONE;
}

/* Fills *to. Returns 0 if the record makes no sense. */
static int read_moment(const struct profile *profile, const struct reader_work *work,
	const unsigned char *bytes, size_t thread, struct profile_moment_record *to)
{
	struct profile_moment from;
	int is_sample;
	uint64_t length;

	memcpy(&from, bytes, sizeof(from));
	is_sample = from.kind == PROFILE_MOMENT_SAMPLE;
	if ((!is_sample && (from.kind != PROFILE_MOMENT_WAIT || from.what == PROFILE_NO_WAIT)) ||
		from.time >= PROFILE_N_TIMES ||
		from.what >= (is_sample ? (int)PROFILE_N_CLASSES : (int)PROFILE_N_WAITS) ||
		is_sample != (from.time <= PROFILE_TIME_IN_WAIT))
		return 0;
	length = is_sample ? from.length : reader_ns(profile, from.length);
	*to = (struct profile_moment_record){
		.end_ns = moment_ns(profile, from.end),
		.ns = is_sample ? from.length : reader_ns(profile, from.amount),
		.events = is_sample && from.amount < PROFILE_MOST_NS ? from.amount : 0,
		.thread = (uint32_t)thread,
		.node = node_of(profile, work, &from, thread),
		.kind = from.kind,
		.time = from.time,
		.what = from.what,
	};
	reader_limit(&to->ns);
	to->begin_ns = to->end_ns > length ? to->end_ns - length : 0;
	return 1;
}

static void read_moments_of(struct profile *profile, const struct reader_records *records,
	const struct reader_work *work)
{
	size_t thread = reader_find_thread(profile, records->owner);

	if (thread == profile->n_threads) {
		profile->n_dropped += records->n;
		return;
	}
	for (size_t j = 0; j < records->n; j++) {
		struct profile_moment_record *to = &profile->moments[profile->n_moments];

		if (read_moment(profile, work, records->first + j * records->bytes, thread, to))
			profile->n_moments++;
		else
			profile->n_dropped++;
	}
}

int reader_read_moments(struct profile *profile, struct reader_work *work)
{
	struct reader_records records;

	if (!profile->has_ticks)
		return 0;
	profile->moments = reader_alloc(work->input, PROFILE_SEGMENT_MOMENTS,
		sizeof(*profile->moments), READER_OPEN_NODES * profile->n_threads);
	if (!profile->moments)
		return -1;
	for (uint32_t i = 1; i < work->input->n_segments; i++) {
		if (reader_records(
			    work->input, i, PROFILE_SEGMENT_MOMENTS, &records, &profile->n_dropped))
			read_moments_of(profile, &records, work);
	}
	return 0;
}

void reader_sort_moments(struct profile *profile)
{
	if (profile->n_moments)
		qsort(profile->moments, profile->n_moments, sizeof(*profile->moments),
			compare_moments);
}
