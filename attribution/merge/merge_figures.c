/* SPDX-License-Identifier: Apache-2.0 */
/* Adds and joins the figures of several processes; see merge.h. */
#include <stdlib.h>
#include <string.h>

#include "attribution/merge/merge_internal.h"

#define NONE UINT32_MAX

static uint32_t node_of(const struct merge_places *places, uint32_t node)
{
	return node == NONE ? NONE : places->node[node];
}

/*
 * Executions by length in ticks of another rate: a bucket's executions go where its middle is. The
 * caller frees the result; NULL when out of memory.
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
			!merge_append(&figures->regions, &region, 1, sizeof(region))) {
			free(region.lengths);
			return -1;
		}
	}
	return 0;
}

struct metrics_blame *merge_append_wait(
	struct merge_figures *figures, const struct metrics_wait *wait)
{
	struct merge_wait placed = { *wait, figures->blame.n };

	if (!merge_append(&figures->waits, &placed, 1, sizeof(placed)))
		return NULL;
	return merge_append(&figures->blame, wait->causes, wait->n_causes, sizeof(*wait->causes));
}

static int add_waits(struct merge_figures *figures, const struct metrics *metrics,
	const struct merge_places *places)
{
	for (size_t i = 0; i < metrics->n_waits; i++) {
		struct metrics_wait wait = metrics->waits[i];
		struct metrics_blame *causes;

		wait.node = node_of(places, wait.node);
		wait.region = node_of(places, wait.region);
		wait.wait_id = merge_modules_any(places->modules, wait.wait_id);
		causes = merge_append_wait(figures, &wait);
		if (!causes)
			return -1;
		for (size_t k = 0; k < wait.n_causes; k++) {
			causes[k].node = node_of(places, causes[k].node);
			causes[k].thread += places->first_thread;
		}
	}
	return 0;
}

/* The implementation's number, or 0 if the merged profile has another name for this number. */
static uint32_t impl_of(
	const struct merge_places *places, const struct profile *profile, uint32_t number)
{
	const char *name = profile_impl_name(profile, number);
	const char *others = profile_impl_name(places->all, number);

	return name && others && strcmp(name, others) == 0 ? number : 0;
}

static int add_locks(struct merge_figures *figures, const struct merge_process *process,
	const struct merge_places *places)
{
	struct metrics_lock *locks = merge_append(&figures->locks, process->metrics->locks,
		process->metrics->n_locks, sizeof(*locks));

	if (!locks)
		return -1;
	for (size_t i = 0; i < process->metrics->n_locks; i++) {
		locks[i].most_ns = locks[i].wait_ns;
		locks[i].node = node_of(places, locks[i].node);
		locks[i].wait_id = merge_modules_any(places->modules, locks[i].wait_id);
		locks[i].codeptr = merge_modules_any(places->modules, locks[i].codeptr);
		locks[i].impl = impl_of(places, process->profile, locks[i].impl);
	}
	return 0;
}

static int add_others(struct merge_figures *figures, const struct metrics *from,
	const struct merge_places *places)
{
	struct metrics_task *tasks =
		merge_append(&figures->tasks, from->tasks, from->n_tasks, sizeof(*tasks));
	struct metrics_target *targets =
		merge_append(&figures->targets, from->targets, from->n_targets, sizeof(*targets));
	struct metrics_await *awaits =
		merge_append(&figures->awaits, from->awaits, from->n_awaits, sizeof(*awaits));
	struct metrics_event *events =
		merge_append(&figures->events, from->events, from->n_events, sizeof(*events));

	if (!tasks || !targets || !awaits || !events ||
		!merge_append(&figures->devices, from->devices, from->n_devices,
			sizeof(*from->devices)) ||
		!merge_append(
			&figures->threads, from->threads, from->n_threads, sizeof(*from->threads)))
		return -1;
	for (size_t i = 0; i < from->n_tasks; i++)
		tasks[i].node = node_of(places, tasks[i].node);
	for (size_t i = 0; i < from->n_targets; i++)
		targets[i].node = node_of(places, targets[i].node);
	for (size_t i = 0; i < from->n_awaits; i++) {
		awaits[i].task = node_of(places, awaits[i].task);
		awaits[i].awaited = node_of(places, awaits[i].awaited);
	}
	for (size_t i = 0; i < from->n_events; i++) {
		events[i].node = node_of(places, events[i].node);
		events[i].thread += places->first_thread;
	}
	return 0;
}

/* A process without phases adds all its time to no phase. */
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
				metrics_thread_add(&whole.sum, &metrics->threads[i]);
		from = &whole;
		n = 1;
	}
	for (size_t i = 0; i < n; i++) {
		size_t at = metrics->n_phases ? places->phase[i] : 0;
		struct metrics_phase *to;

		while (figures->phases.n <= at)
			if (!merge_append(&figures->phases, &nothing, 1, sizeof(nothing)))
				return -1;
		to = (struct metrics_phase *)figures->phases.items + at;
		to->n += from[i].n;
		metrics_add(&to->wall_ns, from[i].wall_ns);
		metrics_add(&to->capacity_ns, from[i].capacity_ns);
		metrics_thread_add(&to->sum, &from[i].sum);
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
	metrics_add(&sum->unseen_ns, metrics->unseen_ns);
	if (!sum->ticks_per_s)
		sum->ticks_per_s = metrics->ticks_per_s;
	if (metrics->n_slots > sum->most_slots)
		sum->most_slots = metrics->n_slots;
	metrics_add(&sum->serial_ns, metrics->serial_ns);
	metrics_add(&sum->idle_blocked_ns, metrics->idle_blocked_ns);
	metrics_add(&sum->walls_ns, metrics->wall_ns);
	metrics_add(&sum->capacity_ns, metrics->n_slots * metrics->wall_ns);
	for (size_t i = 0; i < METRICS_N_CAUSES; i++) {
		metrics_add(&sum->cause_ns[i], metrics->cause_ns[i]);
		metrics_add(&sum->serial_cause_ns[i], metrics->serial_cause_ns[i]);
	}
	if (!merge_append(&figures->spans, &span, 1, sizeof(span)) ||
		add_regions(figures, metrics, places) != 0 ||
		add_waits(figures, metrics, places) != 0 ||
		add_locks(figures, process, places) != 0 ||
		add_others(figures, metrics, places) != 0 ||
		add_phases(figures, process, places) != 0 ||
		merge_shares_add(figures, process, places) != 0 ||
		merge_collectives_add(&figures->collectives, process, places) != 0)
		return -1;
	merge_figures_fold(figures);
	return 0;
}

void merge_figures_release(struct merge_figures *figures)
{
	struct merge_list *const lists[] = { &figures->regions, &figures->waits, &figures->blame,
		&figures->threads, &figures->locks, &figures->tasks, &figures->targets,
		&figures->devices, &figures->awaits, &figures->events, &figures->shares,
		&figures->spans, &figures->phases };
	struct metrics_region *regions = (struct metrics_region *)figures->regions.items;

	for (size_t i = 0; i < figures->regions.n; i++)
		free(regions[i].lengths);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		free(lists[i]->items);
	merge_collectives_release(&figures->collectives);
	*figures = (struct merge_figures){ .sum = { 0 } };
}
