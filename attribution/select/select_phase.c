/* SPDX-License-Identifier: Apache-2.0 */
/* Reduces a profile to selected phases; see select_phase.h. */
#include "attribution/select/select_phase.h"

#include <stdlib.h>

#include "attribution/tree/add_saturated.h"

#define NONE UINT32_MAX

struct life {
	uint64_t phases_ns; /* in any phase */
	uint64_t kept_ns;   /* in the phases that are kept */
	/* of the samples that are kept, by enum profile_class */
	uint64_t sampled_ns[PROFILE_N_CLASSES];
};

struct cut {
	struct profile *profile;
	const uint8_t *keeps;
	struct life *lives; /* by thread */
};

uint64_t select_outside(uint64_t whole_ns, uint64_t in_phases_ns)
{
	return whole_ns > in_phases_ns ? whole_ns - in_phases_ns : 0;
}

uint64_t select_wall(const struct profile *profile)
{
	return profile_end_ns(&profile->header);
}

void select_clear_node(struct profile_tree_node *node)
{
	node->n = 0;
	node->time_ns = node->events = node->longest_ns = 0;
	/* In a REGION this is the index of its record. */
	if (node->kind != PROFILE_NODE_REGION)
		node->n_events = 0;
}

void select_clear_region(struct profile_region_record *record)
{
	*record = (struct profile_region_record){
		.node = record->node,
		.outer = record->outer,
		.min_team = record->min_team,
		.max_team = record->max_team,
	};
}

static int is_kept(const struct cut *cut, const struct profile_tree_node *node)
{
	return cut->keeps[node->phase];
}

/*
 * For an execution in several phases, the record has the time of the phase in which the execution
 * began. The time in another phase is the time that the encountering thread was in the region in
 * that phase.
 */
static void cut_region_node(struct cut *cut, const struct profile_tree_node *context)
{
	const struct profile *profile = cut->profile;
	const struct profile_tree_node *region;
	struct profile_region_record *record;

	if (context->context == NONE || !is_kept(cut, context))
		return;
	region = &profile->nodes[context->context];
	if (region->kind != PROFILE_NODE_REGION || region->record == NONE ||
		region->owner != context->owner || region->phase == context->phase)
		return;
	record = &cut->profile->regions[region->record];
	record->wall_ns = add_saturated(record->wall_ns, context->time_ns);
	record->team_wall_ns = add_saturated(record->team_wall_ns,
		context->time_ns * (record->max_team < 4096 ? record->max_team : 4096));
}

static void cut_record(const struct cut *cut, struct profile_region_record *record)
{
	const struct profile_region_record old = *record;

	if (is_kept(cut, &cut->profile->nodes[record->node])) {
		record->wall_ns = select_outside(old.wall_ns, old.elsewhere_ns);
		record->team_wall_ns = select_outside(old.team_wall_ns, old.team_elsewhere_ns);
		return;
	}
	select_clear_region(record);
}

/* Subtracts the tasks that a context created from the count of its task, or adds them again. */
static void move_created(
	struct profile *profile, const struct profile_tree_node *context, int is_back)
{
	struct profile_tree_node *task;
	uint64_t n = context->n_created;

	if (context->kind != PROFILE_NODE_CONTEXT || context->context == NONE || !n)
		return;
	task = &profile->nodes[context->context];
	if (task->kind != PROFILE_NODE_TASK)
		return;
	if (is_back)
		task->n += n < UINT32_MAX - task->n ? (uint32_t)n : UINT32_MAX - task->n;
	else
		task->n -= n < task->n ? (uint32_t)n : task->n;
}

static void add_lives(struct cut *cut)
{
	for (size_t i = 0; i < cut->profile->n_nodes; i++) {
		const struct profile_tree_node *node = &cut->profile->nodes[i];
		struct life *life = &cut->lives[node->owner];

		if (node->kind == PROFILE_NODE_PHASE) {
			life->phases_ns = add_saturated(life->phases_ns, node->time_ns);
			if (is_kept(cut, node))
				life->kept_ns = add_saturated(life->kept_ns, node->time_ns);
		} else if (node->kind == PROFILE_NODE_SAMPLES && is_kept(cut, node)) {
			life->sampled_ns[node->addr] =
				add_saturated(life->sampled_ns[node->addr], node->time_ns);
		}
	}
}

static uint64_t part_of(uint64_t amount, uint64_t part, uint64_t whole)
{
	return whole ? (uint64_t)((unsigned __int128)amount * part / whole) : 0;
}

static void cut_thread(const struct cut *cut, size_t i, uint64_t wall_ns)
{
	struct profile_thread *thread = &cut->profile->threads[i];
	const struct life *life = &cut->lives[i];
	uint64_t whole_ns = profile_life_ns(thread, wall_ns), kept_ns = life->kept_ns;
	uint64_t sampled_ns = 0;
	uint64_t cpu_ns = thread->cpu_last_ns > thread->cpu_start_ns
				  ? thread->cpu_last_ns - thread->cpu_start_ns
				  : 0;

	if (cut->keeps[0])
		kept_ns = add_saturated(kept_ns, select_outside(whole_ns, life->phases_ns));
	if (kept_ns > whole_ns)
		kept_ns = whole_ns;
	for (size_t k = 0; k < PROFILE_N_CLASSES; k++) {
		thread->time_ns[k] = life->sampled_ns[k];
		sampled_ns = add_saturated(sampled_ns, life->sampled_ns[k]);
	}
	cpu_ns = part_of(cpu_ns, kept_ns, whole_ns);
	if (cut->profile->header.clock_kind == PROFILE_CLOCK_CPU)
		cpu_ns = sampled_ns;
	thread->start_ns = thread->begun_ns = thread->lived_ns = thread->cpu_start_ns = 0;
	thread->end_ns = kept_ns ? kept_ns : 1; /* 0 is a life that has not ended */
	thread->cpu_last_ns = cpu_ns;
	thread->n_signals = 0;
	thread->handler_ticks = thread->capture_ticks = 0;
	thread->run_delay_ns = part_of(thread->run_delay_ns, kept_ns, whole_ns);
	thread->more.run_delay_at_ns = 0;
	thread->unsampled_ns = part_of(thread->unsampled_ns, kept_ns, whole_ns);
	thread->more.waited_asleep_ns = part_of(thread->more.waited_asleep_ns, kept_ns, whole_ns);
}

static void cut_nodes(struct cut *cut)
{
	struct profile *profile = cut->profile;

	for (size_t i = 0; i < profile->n_nodes; i++)
		move_created(profile, &profile->nodes[i], 0);
	for (size_t i = 0; i < profile->n_nodes; i++)
		if (!is_kept(cut, &profile->nodes[i]))
			select_clear_node(&profile->nodes[i]);
	for (size_t i = 0; i < profile->n_nodes; i++)
		move_created(profile, &profile->nodes[i], 1);
}

static void cut_wall_time(struct cut *cut)
{
	struct profile *profile = cut->profile;
	uint64_t whole_ns = select_wall(profile), phases_ns = 0, kept_ns = 0;

	for (size_t i = 0; i < profile->n_phases; i++) {
		struct profile_phase_record *phase = &profile->phases[i];

		phases_ns = add_saturated(phases_ns, phase->own_ns);
		if (cut->keeps[i + 1])
			kept_ns = add_saturated(kept_ns, phase->own_ns);
		else
			phase->n = phase->own_ns = 0;
	}
	if (cut->keeps[0])
		kept_ns = add_saturated(kept_ns, select_outside(whole_ns, phases_ns));
	if (kept_ns > whole_ns)
		kept_ns = whole_ns;
	profile->header.end_ns = profile->header.last_ns = kept_ns;
	profile->cut_ns = whole_ns - kept_ns;
}

int select_phases(struct profile *profile, const uint8_t *keeps)
{
	struct cut cut = { .profile = profile, .keeps = keeps };
	uint64_t wall_ns = select_wall(profile);

	cut.lives = calloc(profile->n_threads + 1, sizeof(*cut.lives));
	if (!cut.lives)
		return -1;
	add_lives(&cut);
	for (size_t i = 0; i < profile->n_regions; i++)
		cut_record(&cut, &profile->regions[i]);
	for (size_t i = 0; i < profile->n_nodes; i++)
		if (profile->nodes[i].kind == PROFILE_NODE_CONTEXT)
			cut_region_node(&cut, &profile->nodes[i]);
	cut_nodes(&cut);
	for (size_t i = 0; i < profile->n_threads; i++)
		cut_thread(&cut, i, wall_ns);
	cut_wall_time(&cut);
	profile_drop_timelines(profile);
	free(cut.lives);
	return 0;
}
