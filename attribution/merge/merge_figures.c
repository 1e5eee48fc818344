/* SPDX-License-Identifier: Apache-2.0 */
/* Adds and joins the figures of several processes; see merge.h. */
#include <stdlib.h>
#include <string.h>

#include "attribution/merge/merge_internal.h"
#include "attribution/tree/add_saturated.h"

#define NONE UINT32_MAX

static uint32_t node_of(const struct merge_places *places, uint32_t node)
{
	return node == NONE ? NONE : places->node[node];
}

/*
 * Executions by length, which the caller frees, or NULL. Buckets are of ticks, and the ticks of two
 * machines differ. The executions of a bucket go where the bucket's middle is.
 */
static uint32_t *copy_lengths(const uint32_t *from, uint64_t to_rate, uint64_t from_rate)
{
	uint32_t *to = calloc(METRICS_N_LENGTHS, sizeof(*to));

	for (unsigned b = 0; to && b < METRICS_N_LENGTHS; b++) {
		unsigned at = b;

		if (from[b] && from_rate && to_rate && from_rate != to_rate)
			at = metrics_bucket(
				metrics_bucket_middle(b) * (double)to_rate / (double)from_rate);
		to[at] += from[b];
	}
	return to;
}

static int add_regions(struct merge_figures *figures, const struct metrics *metrics,
	const struct merge_places *places)
{
	for (size_t i = 0; i < metrics->n_regions; i++) {
		struct metrics_region region = metrics->regions[i];

		region.node = node_of(places, region.node);
		if (region.outer != NONE)
			region.outer = node_of(places, metrics->regions[region.outer].node);
		if (region.lengths)
			region.lengths = copy_lengths(
				region.lengths, figures->sum.ticks_per_s, metrics->ticks_per_s);
		if ((metrics->regions[i].lengths && !region.lengths) ||
			merge_append(&figures->regions, &region, sizeof(region)) != 0) {
			free(region.lengths);
			return -1;
		}
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

/*
 * Another runtime can mean another implementation by the same number; then the implementation is
 * not known.
 */
static uint32_t impl_of(
	const struct merge_places *places, const struct profile *profile, uint32_t number)
{
	const char *name = profile_impl_name(profile, number);
	const char *others = profile_impl_name(places->all, number);

	return name && others && strcmp(name, others) == 0 ? number : 0;
}

static int add_others(struct merge_figures *figures, const struct merge_process *process,
	const struct merge_places *places)
{
	const struct metrics *metrics = process->metrics;

	for (size_t i = 0; i < metrics->n_locks; i++) {
		struct merge_lock lock = { metrics->locks[i], metrics->locks[i].wait_ns };

		lock.lock.node = node_of(places, lock.lock.node);
		lock.lock.wait_id = merge_modules_any(places->modules, lock.lock.wait_id);
		lock.lock.codeptr = merge_modules_any(places->modules, lock.lock.codeptr);
		lock.lock.impl = impl_of(places, process->profile, lock.lock.impl);
		if (merge_append(&figures->locks, &lock, sizeof(lock)) != 0)
			return -1;
	}
	for (size_t i = 0; i < metrics->n_tasks; i++) {
		struct metrics_task task = metrics->tasks[i];

		task.node = node_of(places, task.node);
		if (merge_append(&figures->tasks, &task, sizeof(task)) != 0)
			return -1;
	}
	for (size_t i = 0; i < metrics->n_targets; i++) {
		struct metrics_target target = metrics->targets[i];

		target.node = node_of(places, target.node);
		if (merge_append(&figures->targets, &target, sizeof(target)) != 0)
			return -1;
	}
	for (size_t i = 0; i < metrics->n_devices; i++)
		if (merge_append(&figures->devices, &metrics->devices[i],
			    sizeof(metrics->devices[i])) != 0)
			return -1;
	for (size_t i = 0; i < metrics->n_awaits; i++) {
		struct metrics_await await = metrics->awaits[i];

		await.task = node_of(places, await.task);
		await.awaited = node_of(places, await.awaited);
		if (merge_append(&figures->awaits, &await, sizeof(await)) != 0)
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

static void add_thread_figures(struct metrics_thread *to, const struct metrics_thread *from)
{
	to->useful_ns = add_saturated(to->useful_ns, from->useful_ns);
	to->overhead_ns = add_saturated(to->overhead_ns, from->overhead_ns);
	to->barrier_ns = add_saturated(to->barrier_ns, from->barrier_ns);
	to->task_ns = add_saturated(to->task_ns, from->task_ns);
	to->lock_ns = add_saturated(to->lock_ns, from->lock_ns);
	to->idle_ns = add_saturated(to->idle_ns, from->idle_ns);
	to->not_running_ns = add_saturated(to->not_running_ns, from->not_running_ns);
	to->blocked_ns = add_saturated(to->blocked_ns, from->blocked_ns);
	to->mpi_ns = add_saturated(to->mpi_ns, from->mpi_ns);
	to->device_ns = add_saturated(to->device_ns, from->device_ns);
	to->total_ns = add_saturated(to->total_ns, from->total_ns);
	to->blame_ns = add_saturated(to->blame_ns, from->blame_ns);
}

/*
 * Also adds the figures of processes that have no phases: all their time is in none. Native threads
 * have no part.
 */
static int add_phases(struct merge_figures *figures, const struct merge_process *process,
	const struct merge_places *places)
{
	static const struct metrics_phase nothing;
	const struct metrics *metrics = process->metrics;
	const struct metrics_phase *from = metrics->phases;
	struct metrics_phase whole = { .wall_ns = metrics->wall_ns,
		.capacity_ns = metrics->n_slots * metrics->wall_ns };
	size_t n = metrics->n_phases;

	if (!n) {
		for (size_t i = 0; i < metrics->n_threads; i++)
			if (!profile_is_beside(&process->profile->threads[i]))
				add_thread_figures(&whole.sum, &metrics->threads[i]);
		from = &whole;
		n = 1;
	}
	for (size_t i = 0; i < n; i++) {
		size_t at = metrics->n_phases ? places->phase[i] : 0;
		struct metrics_phase *to;

		while (figures->phases.n <= at)
			if (merge_append(&figures->phases, &nothing, sizeof(nothing)) != 0)
				return -1;
		to = (struct metrics_phase *)figures->phases.items + at;
		to->n += from[i].n;
		to->wall_ns = add_saturated(to->wall_ns, from[i].wall_ns);
		to->capacity_ns = add_saturated(to->capacity_ns, from[i].capacity_ns);
		add_thread_figures(&to->sum, &from[i].sum);
	}
	return 0;
}

int merge_figures_add(struct merge_figures *figures, const struct merge_process *process,
	const struct merge_places *places)
{
	const struct metrics *metrics = process->metrics;
	uint64_t begin_ns = process->profile->header.start_realtime_ns;
	struct merge_span span = { begin_ns, add_saturated(begin_ns, metrics->wall_ns),
		metrics->n_slots };
	struct metrics *sum = &figures->sum;

	sum->n_processes++;
	sum->has_waits |= metrics->has_waits;
	if (!sum->ticks_per_s)
		sum->ticks_per_s = metrics->ticks_per_s;
	if (metrics->n_slots > sum->most_slots)
		sum->most_slots = metrics->n_slots;
	sum->serial_ns = add_saturated(sum->serial_ns, metrics->serial_ns);
	sum->walls_ns = add_saturated(sum->walls_ns, metrics->wall_ns);
	sum->capacity_ns = add_saturated(sum->capacity_ns, metrics->n_slots * metrics->wall_ns);
	for (size_t i = 0; i < METRICS_N_CAUSES; i++) {
		sum->cause_ns[i] = add_saturated(sum->cause_ns[i], metrics->cause_ns[i]);
		sum->serial_cause_ns[i] =
			add_saturated(sum->serial_cause_ns[i], metrics->serial_cause_ns[i]);
	}
	if (merge_append(&figures->spans, &span, sizeof(span)) != 0 ||
		add_regions(figures, metrics, places) != 0 ||
		add_waits(figures, metrics, places) != 0 ||
		add_others(figures, process, places) != 0 ||
		add_phases(figures, process, places) != 0)
		return -1;
	merge_figures_fold(figures);
	return 0;
}

void merge_figures_release(struct merge_figures *figures)
{
	struct merge_list *const lists[] = { &figures->regions, &figures->waits, &figures->firsts,
		&figures->blame, &figures->threads, &figures->locks, &figures->tasks,
		&figures->targets, &figures->devices, &figures->awaits, &figures->events,
		&figures->spans, &figures->phases };
	struct metrics_region *regions = (struct metrics_region *)figures->regions.items;

	for (size_t i = 0; i < figures->regions.n; i++)
		free(regions[i].lengths);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		free(lists[i]->items);
	*figures = (struct merge_figures){ .sum = { 0 } };
}
