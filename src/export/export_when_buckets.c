/* SPDX-License-Identifier: Apache-2.0 */
/* Moments of time that no trace has; see export_when.h. */
#include <stdlib.h>
#include <string.h>

#include "src/export/export_when_internal.h"

/* A time with the amount of a state in it. */
struct span {
	uint64_t begin_ns, end_ns, amount;
};

/* A part of a node's figure. The parts are placed along the spans in ascending order. */
struct part {
	uint64_t order; /* part i of a node's n parts has the position (i + 0.5) / n of the whole */
	uint64_t value;
	uint32_t node;
};

/* The enum profile_time under which the timeline counts a node's figure. */
static int state_of(const struct when *when, const struct export_node *node)
{
	int is_sampled = when->metric == EXPORT_SAMPLES || when->metric == EXPORT_EVENTS ||
			 !tree_is_measured(&when->export->report->profile, node->class);

	if (when->metric == EXPORT_BLAME)
		return PROFILE_TIME_WORK;
	if (node->class >= PROFILE_WAIT_BARRIER && is_sampled)
		return PROFILE_TIME_IN_WAIT;
	return (int)profile_time_of_class(node->class);
}

static int by_order(const void *a, const void *b)
{
	const struct part *one = a, *other = b;

	if (one->order != other->order)
		return one->order < other->order ? -1 : 1;
	return (one->node > other->node) - (one->node < other->node);
}

static size_t n_parts(const struct when *when, const struct when_node *node)
{
	return (size_t)when_scale(node->rest, EXPORT_WHEN_PARTS, when->total) + 1;
}

static int is_of(const struct when *when, const struct when_node *node, int state)
{
	return node->rest && state_of(when, &when->export->nodes[node->node]) == state;
}

/* Splits the figures of a state's nodes. Returns the parts in order, or NULL; *total: their sum. */
static struct part *cut(const struct when *when, int state, size_t *n, uint64_t *total)
{
	struct part *parts;

	*n = 0;
	*total = 0;
	for (size_t i = 0; i < when->n_nodes; i++)
		if (is_of(when, &when->nodes[i], state))
			*n += n_parts(when, &when->nodes[i]);
	parts = malloc((*n + 1) * sizeof(*parts));
	*n = 0;
	for (size_t i = 0; parts && i < when->n_nodes; i++) {
		const struct when_node *node = &when->nodes[i];
		uint64_t count = n_parts(when, node);

		for (uint64_t k = 0; is_of(when, node, state) && k < count; k++)
			parts[(*n)++] = (struct part){
				.order = when_scale((uint64_t)1 << 62, 2 * k + 1, 2 * count),
				.value = when_scale(node->rest, k + 1, count) -
					 when_scale(node->rest, k, count),
				.node = node->node,
			};
		*total += is_of(when, node, state) ? node->rest : 0;
	}
	if (parts)
		qsort(parts, *n, sizeof(*parts), by_order);
	return parts;
}

/*
 * Places the parts, whose sum is `total`, end to end along the spans, whose amounts sum up to
 * `sum`: each span gets parts in proportion to its amount. A part that reaches into the next span
 * is split. Returns 0, or -1 when out of memory.
 */
static int lay(struct when *when, const struct part *parts, size_t n, uint64_t total,
	const struct span *span, uint64_t sum, enum export_known known)
{
	uint64_t at = 0, amount = 0, first = 0, end = when_scale(total, span->amount, sum);

	for (size_t i = 0; i < n; i++) {
		for (uint64_t left = parts[i].value, take; left; left -= take) {
			while (at == end) {
				first = end;
				amount += span->amount;
				span++;
				end = when_scale(total, amount + span->amount, sum);
			}
			take = left < end - at ? left : end - at;
			if (when_add(when, parts[i].node,
				    span->begin_ns + when_scale(span->end_ns - span->begin_ns,
							     2 * (at - first) + take,
							     2 * (end - first)),
				    take, known) != 0)
				return -1;
			at += take;
		}
	}
	return 0;
}

/* Copies a state's amounts to the spans. Returns their sum. */
static uint64_t fill(struct span *spans, const struct when *when,
	uint64_t (*const amounts)[PROFILE_N_TIMES], int state)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < when->timeline->n; i++) {
		spans[i].amount = amounts[i][state];
		sum += spans[i].amount;
	}
	return sum;
}

/* The ns that the nodes have as overhead but the timeline as work: work inside the runtime. */
static uint64_t elided(const struct when *when)
{
	uint64_t overhead = 0, has = 0, work = 0;

	for (size_t i = 0; i < when->n_nodes; i++)
		if (is_of(when, &when->nodes[i], PROFILE_TIME_OVERHEAD))
			overhead += when->nodes[i].rest;
	for (size_t i = 0; i < when->timeline->n; i++) {
		has += when->supply[i][PROFILE_TIME_OVERHEAD];
		work += when->supply[i][PROFILE_TIME_WORK];
	}
	if (strcmp(export_unit(when->metric), "ns") != 0 || overhead <= has)
		return 0;
	return overhead - has < work ? overhead - has : work;
}

/* Moves the elided time from the timeline's work to its overhead, the same share in each bucket. */
static void move_elided(struct when *when)
{
	uint64_t moved = elided(when), work = 0;

	for (size_t i = 0; i < when->timeline->n; i++)
		work += when->supply[i][PROFILE_TIME_WORK];
	for (size_t i = 0; moved && i < when->timeline->n; i++) {
		uint64_t *of = when->supply[i];
		uint64_t part = when_scale(of[PROFILE_TIME_WORK], moved, work);

		of[PROFILE_TIME_WORK] -= part;
		of[PROFILE_TIME_OVERHEAD] += part;
	}
}

/*
 * Sets the spans' amounts for a state: the time that the trace does not explain or, if that is 0,
 * all time in the state. If there is no overhead at all, takes the time in work for it. Returns the
 * sum; 0 if nothing is known.
 */
static uint64_t supply(struct span *spans, const struct when *when, int state)
{
	uint64_t sum;

	if (!when->timeline)
		return 0;
	sum = fill(spans, when, when->supply, state);
	if (!sum)
		sum = fill(spans, when, when->timeline->ns, state);
	if (!sum && state == PROFILE_TIME_OVERHEAD)
		sum = fill(spans, when, when->timeline->ns, PROFILE_TIME_WORK);
	return sum;
}

/* Sets a span to the bucket's part in which the thread lived, or to all of it if it did not. */
static void fill_time(struct span *span, const struct when *when, size_t bucket)
{
	uint64_t begin = profile_bucket_ns(when->timeline, bucket);
	uint64_t end = profile_bucket_ns(when->timeline, bucket + 1);
	uint64_t from = begin < when->begin_ns ? when->begin_ns : begin;
	uint64_t until = end > when->end_ns ? when->end_ns : end;

	span->begin_ns = from < until ? from : begin;
	span->end_ns = from < until ? until : end;
}

static int spread_state(struct when *when, struct span *spans, int state)
{
	const struct span life = { when->begin_ns, when->end_ns, 1 };
	uint64_t total, sum;
	size_t n;
	struct part *parts = cut(when, state, &n, &total);
	int status = parts ? 0 : -1;

	if (parts && n) {
		sum = supply(spans, when, state);
		status = sum ? lay(when, parts, n, total, spans, sum, EXPORT_BY_TIMELINE)
			     : lay(when, parts, n, total, &life, 1, EXPORT_BY_LIFE);
	}
	free(parts);
	return status;
}

int when_spread(struct when *when)
{
	size_t n = when->timeline ? when->timeline->n : 0;
	struct span *spans = calloc(n + 1, sizeof(*spans));
	int status = spans ? 0 : -1;

	for (size_t i = 0; spans && i < n; i++)
		fill_time(&spans[i], when, i);
	if (spans && n)
		move_elided(when);
	for (int state = 0; state < PROFILE_N_TIMES && status == 0; state++)
		status = spread_state(when, spans, state);
	free(spans);
	return status;
}
