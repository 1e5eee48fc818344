/* SPDX-License-Identifier: Apache-2.0 */
/* Moments of stacks, for time that a trace has; see export_when.h. */
#include <stdlib.h>
#include <string.h>

#include "profile/shared/array.h"
#include "src/export/export_when_internal.h"

const struct profile_timeline *export_timeline(const struct export *export, uint32_t thread)
{
	const struct profile_timeline *timelines = export->report->profile.timelines;

	return timelines && thread != EXPORT_NONE && timelines[thread].ns &&
			       timelines[thread].span_ns
		       ? &timelines[thread]
		       : NULL;
}

/* A thread's start counts from the start of its own process. */
void export_life(const struct export *export, uint32_t thread, uint64_t *begin_ns, uint64_t *end_ns)
{
	const struct profile_timeline *timeline = export_timeline(export, thread);
	uint64_t wall = export->report->totals.wall_ns, first = timeline ? timeline->begin_ns : 0;

	*begin_ns = export->report->profile.part.begin_ns;
	*end_ns = *begin_ns + wall;
	if (thread == EXPORT_NONE || export->report->profile.part.is_cut)
		return;
	const struct profile_thread *record = &export->report->profile.threads[thread];
	if (first + record->start_ns < wall)
		*begin_ns = first + record->start_ns;
	if (first + record->end_ns > *begin_ns && record->end_ns && first + record->end_ns < wall)
		*end_ns = first + record->end_ns;
}

int when_add(
	struct when *when, uint32_t node, uint64_t at_ns, uint64_t value, enum export_known known)
{
	struct export_moments *out = when->out;

	if (ARRAY_GROW(out->items, out->n, out->capacity) != 0)
		return -1;
	out->items[out->n++] = (struct export_moment){ at_ns, value, node };
	out->known[known] += value;
	return 0;
}

static int by_node(const void *a, const void *b)
{
	const struct when_node *one = a, *other = b;

	return (one->node > other->node) - (one->node < other->node);
}

static struct when_node *find(const struct when *when, uint32_t node)
{
	const struct when_node key = { .node = node };

	return bsearch(&key, when->nodes, when->n_nodes, sizeof(key), by_node);
}

static uint64_t time_of(const struct when *when, const struct profile_moment_record *moment,
	enum profile_class class)
{
	int is_wait = moment->kind == PROFILE_MOMENT_WAIT;

	if (is_wait ? moment->what == PROFILE_REDUCTION
		    : tree_is_measured(&when->export->report->profile, class))
		return 0;
	return moment->ns;
}

/*
 * The amount that a moment adds to the metric, in ns or samples; with events it is the number of
 * samples. *node becomes its node, or NULL.
 */
static uint64_t value_of(const struct when *when, const struct profile_moment_record *moment,
	struct when_node **node)
{
	enum profile_class class;
	uint32_t at = export_moment_node(when->export, moment, &class);

	*node = at == EXPORT_NONE ? NULL : find(when, at);
	if (!*node)
		return 0;
	switch (when->metric) {
	case EXPORT_SAMPLES:
	case EXPORT_EVENTS:
		return moment->kind == PROFILE_MOMENT_SAMPLE;
	case EXPORT_TIME:
		return time_of(when, moment, class);
	case EXPORT_WORK:
		return class == PROFILE_WORK ? time_of(when, moment, class) : 0;
	case EXPORT_OVERHEAD:
		return class == PROFILE_OVERHEAD ? time_of(when, moment, class) : 0;
	case EXPORT_WAIT:
		return class >= PROFILE_WAIT_BARRIER ? time_of(when, moment, class) : 0;
	default:
		return 0;
	}
}

/*
 * The part of a node's figure that the trace explains: all of it if the rest is only rounding or if
 * filters left less. Events have the same part as samples.
 */
static uint64_t traced_part(const struct when *when, const struct when_node *node)
{
	const uint64_t *self = when->export->nodes[node->node].self;
	uint64_t figure = node->rest, slack = node->n_traced + 1;

	if (when->metric == EXPORT_EVENTS)
		return node->traced < self[EXPORT_SAMPLES]
			       ? when_scale(figure, node->traced, self[EXPORT_SAMPLES])
			       : figure;
	if (when->metric == EXPORT_SAMPLES)
		slack = 0;
	return node->traced + slack < figure ? node->traced : figure;
}

/* Subtracts a moment's time from the timeline's time that has no moment yet. */
static void take_supply(struct when *when, const struct profile_moment_record *moment)
{
	const struct profile_timeline *timeline = when->timeline;
	uint64_t from = moment->begin_ns, length = moment->end_ns - moment->begin_ns;

	if (!timeline)
		return;
	for (size_t i = (size_t)when_scale(from, PROFILE_TIMELINE_BUCKETS, timeline->span_ns);
		i < timeline->n; i++) {
		uint64_t next = profile_bucket_ns(timeline, i + 1);
		uint64_t until = next < moment->end_ns ? next : moment->end_ns;
		uint64_t part = until <= from ? 0 : until - from;
		uint64_t *left = &when->supply[i][moment->time];

		part = length ? when_scale(moment->ns, part, length) : moment->ns;
		*left -= part < *left ? part : *left;
		from = until > from ? until : from;
		if (next >= moment->end_ns)
			return;
	}
}

/* Adds a sample as one moment, and a wait as several short moments. */
static int add_moment(struct when *when, const struct profile_moment_record *moment, uint32_t node,
	uint64_t value)
{
	uint64_t life = when->end_ns - when->begin_ns;
	uint64_t length = moment->end_ns - moment->begin_ns, n = 1;

	if (moment->kind == PROFILE_MOMENT_SAMPLE)
		return when_add(when, node, moment->end_ns, value, EXPORT_BY_TRACE);
	if (life && length <= life)
		n += when_scale(length, EXPORT_WHEN_PARTS, life);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t at = moment->begin_ns + when_scale(length, 2 * i + 1, 2 * n);
		uint64_t piece = when_scale(value, i + 1, n) - when_scale(value, i, n);

		if (piece && when_add(when, node, at, piece, EXPORT_BY_TRACE) != 0)
			return -1;
	}
	return 0;
}

static int add_traced(struct when *when, const struct profile_moment_record *moment)
{
	struct when_node *node;
	uint64_t value = value_of(when, moment, &node), part, before;

	if (!value)
		return 0;
	take_supply(when, moment);
	part = traced_part(when, node);
	before = when_scale(part, node->given, node->traced);
	node->given += value;
	value = when_scale(part, node->given, node->traced) - before;
	return value ? add_moment(when, moment, node->node, value) : 0;
}

static int add_trace(struct when *when, const struct export_threads *threads, uint32_t thread)
{
	const struct profile_moment_record *all = when->export->report->profile.moments;
	size_t first = threads->first_moment[thread], end = threads->first_moment[thread + 1];
	struct when_node *node;

	for (size_t i = first; i < end; i++) {
		uint64_t value = value_of(when, &all[threads->moment[i]], &node);

		if (value) {
			node->traced += value;
			node->n_traced++;
		}
	}
	for (size_t i = first; i < end; i++)
		if (add_traced(when, &all[threads->moment[i]]) != 0)
			return -1;
	for (size_t i = 0; i < when->n_nodes; i++)
		if (when->nodes[i].traced)
			when->nodes[i].rest -= traced_part(when, &when->nodes[i]);
	return 0;
}

static int list_nodes(struct when *when, const struct export_threads *threads, uint32_t thread)
{
	size_t first = threads->first_node[thread], end = threads->first_node[thread + 1];

	when->nodes = calloc(end - first + 1, sizeof(*when->nodes));
	if (!when->nodes)
		return -1;
	for (size_t i = first; i < end; i++) {
		uint64_t figure = when->export->nodes[threads->node[i]].self[when->metric];

		if (!figure)
			continue;
		when->nodes[when->n_nodes++] =
			(struct when_node){ .node = threads->node[i], .rest = figure };
		when->total += figure;
	}
	return 0;
}

static int copy_supply(struct when *when)
{
	size_t n = when->timeline ? when->timeline->n : 0;

	when->supply = malloc((n + 1) * sizeof(*when->supply));
	if (when->supply && n)
		memcpy(when->supply, when->timeline->ns, n * sizeof(*when->supply));
	return when->supply ? 0 : -1;
}

static int compare(const void *a, const void *b)
{
	const struct export_moment *one = a, *other = b;

	if (one->at_ns != other->at_ns)
		return one->at_ns < other->at_ns ? -1 : 1;
	return (one->node > other->node) - (one->node < other->node);
}

int export_when(const struct export_threads *threads, uint32_t thread, enum export_metric metric,
	struct export_moments *moments)
{
	uint32_t number = export_thread_number(threads, thread);
	struct when when = { .export = threads->export,
		.metric = metric,
		.timeline = export_timeline(threads->export, thread),
		.out = moments };
	int status;

	*moments = (struct export_moments){ 0 };
	export_life(when.export, thread, &when.begin_ns, &when.end_ns);
	status = list_nodes(&when, threads, number);
	if (status == 0)
		status = copy_supply(&when);
	if (status == 0 && when.n_nodes)
		status = add_trace(&when, threads, number);
	if (status == 0)
		status = when_spread(&when);
	if (status == 0 && moments->n)
		qsort(moments->items, moments->n, sizeof(*moments->items), compare);
	free(when.nodes);
	free(when.supply);
	return status;
}
