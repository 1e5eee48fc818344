/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of several processes, added and put together; see merge.h. */
#include <stdlib.h>
#include <string.h>

#include "attribution/merge_parts.h"
#include "attribution/settle.h"

#define NONE UINT32_MAX

static uint32_t node_of(const struct merge_places *places, uint32_t node)
{
	return node == NONE ? NONE : places->node[node];
}

/*
 * Adds executions by length: buckets are of ticks, and the ticks of two machines differ. Those of a bucket
 * go where its middle is.
 */
static void add_lengths(uint32_t *to, const uint32_t *from, uint64_t to_rate, uint64_t from_rate)
{
	for (unsigned b = 0; b < 128; b++) {
		unsigned at = b;

		if (from[b] && from_rate && to_rate && from_rate != to_rate)
			at = metrics_bucket(
				metrics_bucket_middle(b) * (double)to_rate / (double)from_rate);
		to[at] += from[b];
	}
}

static int add_regions(struct merge_figures *figures, const struct metrics *metrics,
	const struct merge_places *places)
{
	for (size_t i = 0; i < metrics->n_regions; i++) {
		struct metrics_region region = metrics->regions[i];

		region.node = node_of(places, region.node);
		if (region.outer != NONE)
			region.outer = node_of(places, metrics->regions[region.outer].node);
		memset(region.lengths, 0, sizeof(region.lengths));
		add_lengths(region.lengths, metrics->regions[i].lengths, figures->sum.ticks_per_s,
			metrics->ticks_per_s);
		if (merge_append(&figures->regions, &region, sizeof(region)) != 0)
			return -1;
	}
	return 0;
}

static int add_waits(struct merge_figures *figures, const struct metrics *metrics,
	const struct merge_places *places)
{
	for (size_t i = 0; i < metrics->n_waits; i++) {
		struct metrics_wait wait = metrics->waits[i];
		size_t first = figures->blame.n;

		for (size_t k = 0; k < wait.n_causes; k++) {
			struct metrics_blame blame = wait.causes[k];

			blame.node = node_of(places, blame.node);
			blame.thread += places->first_thread;
			if (merge_append(&figures->blame, &blame, sizeof(blame)) != 0)
				return -1;
		}
		wait.causes = NULL;
		wait.node = node_of(places, wait.node);
		wait.region = node_of(places, wait.region);
		wait.wait_id = merge_modules_any(places->modules, wait.wait_id);
		if (merge_append(&figures->waits, &wait, sizeof(wait)) != 0 ||
			merge_append(&figures->firsts, &first, sizeof(first)) != 0)
			return -1;
	}
	return 0;
}

static int add_others(struct merge_figures *figures, const struct metrics *metrics,
	const struct merge_places *places)
{
	for (size_t i = 0; i < metrics->n_locks; i++) {
		struct merge_lock lock = { metrics->locks[i], metrics->locks[i].wait_ns };

		lock.lock.node = node_of(places, lock.lock.node);
		lock.lock.wait_id = merge_modules_any(places->modules, lock.lock.wait_id);
		lock.lock.codeptr = merge_modules_any(places->modules, lock.lock.codeptr);
		if (merge_append(&figures->locks, &lock, sizeof(lock)) != 0)
			return -1;
	}
	for (size_t i = 0; i < metrics->n_tasks; i++) {
		struct metrics_task task = metrics->tasks[i];

		task.node = node_of(places, task.node);
		if (merge_append(&figures->tasks, &task, sizeof(task)) != 0)
			return -1;
	}
	for (size_t i = 0; i < metrics->n_events; i++) {
		struct metrics_event event = metrics->events[i];

		event.node = node_of(places, event.node);
		event.thread += places->first_thread;
		if (merge_append(&figures->events, &event, sizeof(event)) != 0)
			return -1;
	}
	for (size_t i = 0; i < metrics->n_threads; i++)
		if (merge_append(&figures->threads, &metrics->threads[i],
			    sizeof(metrics->threads[i])) != 0)
			return -1;
	return 0;
}

int merge_figures_add(struct merge_figures *figures, const struct merge_process *process,
	const struct merge_places *places)
{
	const struct metrics *metrics = process->metrics;
	uint64_t begin_ns = process->profile->header.start_realtime_ns;
	struct merge_span span = { begin_ns, settle_add(begin_ns, metrics->wall_ns),
		metrics->n_slots };
	struct metrics *sum = &figures->sum;

	sum->n_processes++;
	sum->has_waits |= metrics->has_waits;
	if (!sum->ticks_per_s)
		sum->ticks_per_s = metrics->ticks_per_s;
	if (metrics->n_slots > sum->most_slots)
		sum->most_slots = metrics->n_slots;
	sum->serial_ns = settle_add(sum->serial_ns, metrics->serial_ns);
	sum->walls_ns = settle_add(sum->walls_ns, metrics->wall_ns);
	sum->capacity_ns = settle_add(sum->capacity_ns, metrics->n_slots * metrics->wall_ns);
	for (size_t i = 0; i < METRICS_N_CAUSES; i++) {
		sum->cause_ns[i] = settle_add(sum->cause_ns[i], metrics->cause_ns[i]);
		sum->serial_cause_ns[i] =
			settle_add(sum->serial_cause_ns[i], metrics->serial_cause_ns[i]);
	}
	if (merge_append(&figures->spans, &span, sizeof(span)) != 0 ||
		add_regions(figures, metrics, places) != 0 ||
		add_waits(figures, metrics, places) != 0 ||
		add_others(figures, metrics, places) != 0)
		return -1;
	merge_figures_fold(figures);
	return 0;
}

void merge_figures_release(struct merge_figures *figures)
{
	struct merge_list *const lists[] = { &figures->regions, &figures->waits, &figures->firsts,
		&figures->blame, &figures->threads, &figures->locks, &figures->tasks,
		&figures->events, &figures->spans };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		free(lists[i]->items);
	*figures = (struct merge_figures){ .sum = { 0 } };
}
