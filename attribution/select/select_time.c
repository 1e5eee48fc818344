/* SPDX-License-Identifier: Apache-2.0 */
/* Reduces a profile to a part of the run; see select_time.h. */
#include "attribution/select/select_time.h"

#include <stdlib.h>
#include <string.h>

#include "attribution/select/select_phase.h"
#include "attribution/tree/add_saturated.h"

#define NONE UINT32_MAX

struct part {
	struct profile *profile;
	uint64_t begin_ns, end_ns; /* UINT64_MAX: no end */
	uint64_t wall_ns;
	uint32_t *roots; /* by thread: its first root, or NONE */
	/* by thread and enum profile_wait: see unplaced_node; NONE: not made yet */
	uint32_t *unplaced;
};

/*
 * The share before `moment` of an amount that is spread evenly from `begin` to `end`. All of it if
 * the span is empty and ends no later.
 */
static uint64_t before(uint64_t amount, uint64_t begin, uint64_t end, uint64_t moment)
{
	if (moment >= end)
		return amount;
	return moment <= begin
		       ? 0
		       : (uint64_t)((unsigned __int128)amount * (moment - begin) / (end - begin));
}

/* Whether a sample or wait that ended at end_ns belongs to the part. */
static int is_in(const struct part *part, uint64_t end_ns)
{
	return (end_ns > part->begin_ns || part->begin_ns == 0) && end_ns <= part->end_ns;
}

static uint64_t share(const struct part *part, uint64_t amount, uint64_t begin, uint64_t end)
{
	if (begin >= end)
		return is_in(part, end) ? amount : 0;
	return before(amount, begin, end, part->end_ns) -
	       before(amount, begin, end, part->begin_ns);
}

int select_traced(const struct profile *profile, uint64_t *traced_ns)
{
	uint64_t traced = UINT64_MAX, *last = calloc(profile->n_threads + 1, sizeof(*last));

	if (!last)
		return -1;
	for (size_t i = 0; i < profile->n_moments; i++)
		if (!profile->moments[i].is_open)
			last[profile->moments[i].thread] = profile->moments[i].end_ns;
	for (size_t i = 0; profile->timelines && i < profile->n_threads; i++) {
		const struct profile_timeline *timeline = &profile->timelines[i];

		if (!timeline->n_dropped)
			continue;
		if (last[i] < traced)
			traced = last[i];
		/* A dropped moment may have begun before the end of the last kept moment. */
		if (timeline->dropped_from_ns < traced)
			traced = timeline->dropped_from_ns;
	}
	free(last);
	*traced_ns = !profile->n_moments ? 0 : traced ? traced : 1;
	return 0;
}

/* Clears the figures; some of them are known only of the whole run, others are filled later. */
static void clear(struct profile *profile)
{
	for (size_t i = 0; i < profile->n_nodes; i++)
		select_clear_node(&profile->nodes[i]);
	for (size_t i = 0; i < profile->n_regions; i++)
		select_clear_region(&profile->regions[i]);
	profile->n_locks = profile->n_devices = 0;
	profile->n_phases = 0;
	for (size_t i = 0; i < profile->n_nodes; i++)
		profile->nodes[i].phase = 0;
	profile->n_open_waits = 0;
	memset(profile->header.lost, 0, sizeof(profile->header.lost));
}

static void clear_thread(struct profile_thread *thread)
{
	thread->n_samples = thread->n_same = thread->n_frames = thread->n_signals = 0;
	thread->handler_ticks = thread->capture_ticks = thread->n_captures = 0;
	thread->n_regions = thread->n_tasks = thread->n_overruns = thread->n_guessed = 0;
	thread->n_cut_captures = thread->n_guessed_captures = thread->n_waits = 0;
	thread->run_delay_ns = thread->more.run_delay_at_ns = thread->unsampled_ns = 0;
	thread->more.waited_asleep_ns = 0;
	memset(thread->lost, 0, sizeof(thread->lost));
	memset(thread->ends, 0, sizeof(thread->ends));
	memset(thread->time_ns, 0, sizeof(thread->time_ns));
}

/* If threads share a record, only the begin of the first and the end of the last are known. */
static void cut_life(const struct part *part, struct profile_thread *thread)
{
	uint64_t whole_ns = profile_life_ns(thread, part->wall_ns);
	uint64_t begin = thread->start_ns, end = thread->end_ns ? thread->end_ns : part->wall_ns;
	uint64_t from = begin > part->begin_ns ? begin : part->begin_ns;
	uint64_t until = end < part->end_ns ? end : part->end_ns;
	uint64_t kept_ns = until > from ? until - from : 0;

	if (kept_ns > whole_ns)
		kept_ns = whole_ns;
	clear_thread(thread);
	thread->start_ns = thread->begun_ns = thread->lived_ns = thread->cpu_start_ns = 0;
	thread->end_ns = kept_ns ? kept_ns : 1; /* 0 is a life that has not ended */
	thread->cpu_last_ns = 0;
}

static void cut_buckets(const struct part *part, struct profile_timeline *timeline)
{
	for (size_t i = 0; i < timeline->n; i++) {
		uint64_t begin = profile_bucket_ns(timeline, i);
		uint64_t end = profile_bucket_ns(timeline, i + 1);

		/* A wait that had not ended may extend beyond all buckets. */
		if (i + 1 == PROFILE_TIMELINE_BUCKETS && part->wall_ns > end)
			end = part->wall_ns;
		for (int k = 0; k < PROFILE_N_TIMES; k++)
			timeline->ns[i][k] = share(part, timeline->ns[i][k], begin, end);
	}
}

/* Adds the share of a moment that is in the part to the buckets. */
static void add_to_buckets(const struct part *part, struct profile_timeline *timeline,
	const struct profile_moment_record *moment)
{
	size_t last = PROFILE_TIMELINE_BUCKETS - 1;
	uint64_t width = timeline->span_ns / PROFILE_TIMELINE_BUCKETS;
	size_t i = width ? moment->begin_ns / (width + 1) : 0;
	uint64_t given = 0;

	for (i = i < last ? i : last; i <= last; i++) {
		uint64_t end = i < last ? profile_bucket_ns(timeline, i + 1) : UINT64_MAX;
		struct part until = *part;
		uint64_t sum;

		until.end_ns = end < part->end_ns ? end : part->end_ns;
		sum = end > part->begin_ns
			      ? share(&until, moment->ns, moment->begin_ns, moment->end_ns)
			      : 0;
		timeline->ns[i][moment->time] += sum - given;
		if (sum != given && i >= timeline->n)
			timeline->n = i + 1;
		given = sum;
		if (end >= moment->end_ns)
			break;
	}
}

/* The WAIT node under the thread's root for waits whose place the trace lacks, or NONE. */
static uint32_t unplaced_node(struct part *part, uint32_t thread, uint8_t wait)
{
	struct profile *profile = part->profile;
	uint32_t *node = &part->unplaced[(size_t)thread * PROFILE_N_WAITS + wait];

	if (*node != NONE || part->roots[thread] == NONE)
		return *node;
	*node = (uint32_t)profile->n_nodes;
	profile->nodes[profile->n_nodes++] =
		(struct profile_tree_node){ .parent = part->roots[thread],
			.context = NONE,
			.owner = thread,
			.kind = PROFILE_NODE_WAIT,
			.wait = wait };
	profile->waits |= 1u << wait;
	return *node;
}

/* Finds the roots, and makes room for unplaced_node. Returns 0, or -1 when out of memory. */
static int make_room(struct part *part)
{
	struct profile *profile = part->profile;
	size_t n = profile->n_threads * PROFILE_N_WAITS;
	struct profile_tree_node *nodes =
		realloc(profile->nodes, (profile->n_nodes + n + 1) * sizeof(*nodes));

	if (nodes)
		profile->nodes = nodes;
	part->unplaced = malloc((n + 1) * sizeof(*part->unplaced));
	part->roots = malloc((profile->n_threads + 1) * sizeof(*part->roots));
	if (!nodes || !part->unplaced || !part->roots)
		return -1;
	memset(part->unplaced, 0xff, (n + 1) * sizeof(*part->unplaced));
	memset(part->roots, 0xff, (profile->n_threads + 1) * sizeof(*part->roots));
	for (size_t i = profile->n_nodes; i-- > 0;)
		if (nodes[i].kind == PROFILE_NODE_THREAD)
			part->roots[nodes[i].owner] = (uint32_t)i;
	return 0;
}

/* How many waits a wait in the trace represents. */
static uint32_t n_waits(const struct profile_moment_record *moment)
{
	uint64_t length = moment->end_ns - moment->begin_ns;
	uint64_t n = length ? (moment->ns + length / 2) / length : 1;

	return n < 1 ? 1 : n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static void add_to_node(const struct part *part, struct profile_tree_node *node,
	const struct profile_moment_record *moment, uint64_t ns)
{
	int is_sample = moment->kind == PROFILE_MOMENT_SAMPLE;

	node->time_ns = add_saturated(node->time_ns, ns);
	node->events = add_saturated(
		node->events, share(part, moment->events, moment->begin_ns, moment->end_ns));
	if (!is_in(part, moment->end_ns))
		return;
	node->n = (uint32_t)(node->n + (uint64_t)(is_sample ? 1 : n_waits(moment)) < UINT32_MAX
				     ? node->n + (is_sample ? 1 : n_waits(moment))
				     : UINT32_MAX);
	if (!is_sample && moment->end_ns - moment->begin_ns > node->longest_ns)
		node->longest_ns = moment->end_ns - moment->begin_ns;
}

static void add_moment(struct part *part, const struct profile_moment_record *moment)
{
	struct profile *profile = part->profile;
	struct profile_thread *thread = &profile->threads[moment->thread];
	uint64_t ns = share(part, moment->ns, moment->begin_ns, moment->end_ns);
	uint32_t node = moment->node;

	if (ns == 0 && !is_in(part, moment->end_ns))
		return;
	if (profile->timelines[moment->thread].ns)
		add_to_buckets(part, &profile->timelines[moment->thread], moment);
	if (moment->kind == PROFILE_MOMENT_SAMPLE) {
		thread->n_samples += is_in(part, moment->end_ns);
		thread->time_ns[moment->what] += ns;
		thread->cpu_last_ns += ns;
	} else if (node == NONE) {
		node = unplaced_node(part, moment->thread, moment->what);
	}
	if (node != NONE)
		add_to_node(part, &profile->nodes[node], moment, ns);
}

/* Fills the figures from the trace. */
static void count_moments(struct part *part)
{
	struct profile *profile = part->profile;

	for (size_t i = 0; i < profile->n_threads; i++) {
		struct profile_timeline *timeline = &profile->timelines[i];

		if (timeline->ns)
			memset(timeline->ns, 0, PROFILE_TIMELINE_BUCKETS * sizeof(*timeline->ns));
		timeline->n = 0;
	}
	for (size_t i = 0; i < profile->n_moments; i++)
		add_moment(part, &profile->moments[i]);
}

/* The timelines do not tell the class of samples in waits: they count as IDLE. */
static void count_buckets(struct part *part)
{
	struct profile *profile = part->profile;

	for (size_t i = 0; i < profile->n_threads; i++) {
		struct profile_thread *thread = &profile->threads[i];
		struct profile_timeline *timeline = &profile->timelines[i];

		cut_buckets(part, timeline);
		for (size_t k = 0; k < timeline->n; k++) {
			thread->time_ns[PROFILE_WORK] += timeline->ns[k][PROFILE_TIME_WORK];
			thread->time_ns[PROFILE_OVERHEAD] += timeline->ns[k][PROFILE_TIME_OVERHEAD];
			thread->time_ns[PROFILE_IDLE] += timeline->ns[k][PROFILE_TIME_IN_WAIT];
		}
		thread->cpu_last_ns = thread->time_ns[PROFILE_WORK] +
				      thread->time_ns[PROFILE_OVERHEAD] +
				      thread->time_ns[PROFILE_IDLE];
	}
}

/* Keeps the moments in the part, shortened to it. */
static void keep_moments(const struct part *part)
{
	struct profile *profile = part->profile;
	size_t n = 0;

	for (size_t i = 0; i < profile->n_moments; i++) {
		struct profile_moment_record moment = profile->moments[i];

		if (moment.end_ns <= part->begin_ns || moment.begin_ns >= part->end_ns)
			continue;
		moment.ns = share(part, moment.ns, moment.begin_ns, moment.end_ns);
		moment.events = share(part, moment.events, moment.begin_ns, moment.end_ns);
		if (moment.begin_ns < part->begin_ns)
			moment.begin_ns = part->begin_ns;
		if (moment.end_ns > part->end_ns)
			moment.end_ns = part->end_ns;
		profile->moments[n++] = moment;
	}
	profile->n_moments = n;
}

static void describe(const struct part *part)
{
	struct profile *profile = part->profile;
	struct profile_part *to = &profile->part;

	to->is_cut = 1;
	to->begin_ns = part->begin_ns;
	to->end_ns = part->end_ns < part->wall_ns ? part->end_ns : part->wall_ns;
	if (to->end_ns < to->begin_ns)
		to->end_ns = to->begin_ns;
	to->whole_ns = part->wall_ns;
	for (size_t i = 0; i < profile->n_threads; i++) {
		const struct profile_timeline *timeline = &profile->timelines[i];
		uint64_t bucket_ns = timeline->span_ns / PROFILE_TIMELINE_BUCKETS;

		to->n_unknown += !timeline->ns;
		if (!to->has_paths && bucket_ns > to->bucket_ns)
			to->bucket_ns = bucket_ns;
	}
	profile->header.end_ns = profile->header.last_ns = to->end_ns - to->begin_ns;
	profile->cut_ns = part->wall_ns - profile->header.end_ns;
}

int select_time(struct profile *profile, uint64_t begin_ns, uint64_t end_ns)
{
	struct part part = {
		.profile = profile, .begin_ns = begin_ns, .wall_ns = select_wall(profile)
	};
	int status = 0;

	part.end_ns = end_ns >= part.wall_ns ? UINT64_MAX : end_ns;
	if (!profile->timelines)
		profile->timelines = calloc(profile->n_threads + 1, sizeof(*profile->timelines));
	if (!profile->timelines || select_traced(profile, &profile->part.traced_ns) != 0)
		return -1;
	profile->part.has_paths =
		profile->part.traced_ns == UINT64_MAX || profile->part.traced_ns >= part.end_ns;
	clear(profile);
	for (size_t i = 0; i < profile->n_threads; i++)
		cut_life(&part, &profile->threads[i]);
	if (!profile->part.has_paths)
		count_buckets(&part);
	else if ((status = make_room(&part)) == 0)
		count_moments(&part);
	free(part.unplaced);
	free(part.roots);
	keep_moments(&part);
	describe(&part);
	return status;
}
