/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of the threads in each phase of the program. */
#include <stdlib.h>

#include "attribution/select/select_phase.h"
#include "attribution/metrics/metrics_internal.h"

/* Adds up the lives of the OpenMP threads by phase; phases[0] gets the time in no phase. */
static int add_lives(struct metrics_work *work)
{
	const struct profile *profile = work->profile;
	uint64_t *in_phases = calloc(profile->n_threads + 1, sizeof(*in_phases));

	if (!in_phases)
		return -1;
	for (size_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];
		struct metrics_part *part = &work->phases[node->phase];

		if (node->kind != PROFILE_NODE_PHASE ||
			profile_is_beside(&profile->threads[node->owner]))
			continue;
		metrics_add(&part->whole_ns, node->time_ns);
		metrics_add(&in_phases[node->owner], node->time_ns);
	}
	for (size_t i = 0; i < profile->n_threads; i++) {
		const struct profile_thread *thread = &profile->threads[i];

		if (!profile_is_beside(thread))
			metrics_add(&work->phases[0].whole_ns,
				select_outside(profile_life_ns(thread, work->metrics->wall_ns),
					in_phases[i]));
	}
	free(in_phases);
	return 0;
}

static void add_blame(struct metrics_work *work)
{
	const struct blame_scale *scale = &work->tree->blame_scale;

	for (size_t i = 0; i < metrics_n_entries(scale); i++) {
		const struct scale_blame_entry *entry = &scale->entries[i];
		uint32_t phase = work->profile->nodes[entry->node].phase;

		if (entry->is_blame && !entry->has_no_cpu)
			work->metrics->phases[phase].sum.blame_ns += entry->ns;
	}
}

static struct metrics_part *part_at(struct metrics_work *work, size_t i)
{
	return &work->phases[i];
}

static void cut_parts(struct metrics_work *work)
{
	size_t n = work->metrics->n_phases;

	for (size_t i = 0; i < n; i++) {
		struct metrics_part *part = &work->phases[i];

		part->busy_ns = part->whole_ns;
		metrics_distribute_part(part, work->profile);
	}
	if (work->metrics->has_waits)
		metrics_bound_parts(work, n, part_at);
}

static void make_phase(struct metrics_work *work, size_t i)
{
	const struct profile_phase_record *record = i ? &work->profile->phases[i - 1] : NULL;
	struct metrics_phase *phase = &work->metrics->phases[i];
	const struct metrics_part *part = &work->phases[i];
	uint64_t most_ns = work->metrics->wall_ns;

	if (record) {
		phase->n = record->n;
		phase->wall_ns = record->own_ns < most_ns ? record->own_ns : most_ns;
	}
	phase->sum = metrics_sum_part(part);
	phase->capacity_ns = phase->wall_ns * work->metrics->n_slots;
}

int metrics_begin_phases(struct metrics_work *work)
{
	if (!work->profile->n_phases)
		return 0;
	work->phases = calloc(work->profile->n_phases + 1, sizeof(*work->phases));
	return work->phases ? add_lives(work) : -1;
}

int metrics_distribute_phases(struct metrics_work *work)
{
	struct metrics *metrics = work->metrics;
	uint64_t in_phases_ns = 0;

	if (!work->phases)
		return 0;
	metrics->n_phases = work->profile->n_phases + 1;
	metrics->phases = calloc(metrics->n_phases, sizeof(*metrics->phases));
	if (!metrics->phases)
		return -1;
	cut_parts(work);
	for (size_t i = 0; i < metrics->n_phases; i++) {
		make_phase(work, i);
		metrics_add(&in_phases_ns, metrics->phases[i].wall_ns);
	}
	metrics->phases[0].wall_ns = select_outside(metrics->wall_ns, in_phases_ns);
	metrics->phases[0].capacity_ns = metrics->phases[0].wall_ns * metrics->n_slots;
	add_blame(work);
	return 0;
}
