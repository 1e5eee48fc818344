/* SPDX-License-Identifier: Apache-2.0 */
/* The regions of a tree, and their figures from the nodes and records of the profile. */
#include <stdlib.h>
#include <string.h>

#include "attribution/metrics/metrics_internal.h"

uint32_t metrics_holder(const struct tree *tree, uint32_t node)
{
	uint8_t kind = tree->nodes[node].kind;

	return node && (kind == TREE_WAIT || kind == TREE_RUNTIME) ? tree->nodes[node].parent
								   : node;
}

static size_t count_regions(const struct tree *tree)
{
	size_t n = 0;

	for (size_t i = 0; i < tree->n_nodes; i++)
		n += tree->nodes[i].kind == TREE_REGION;
	return n;
}

static void begin_region(struct metrics_work *work, uint32_t node, uint32_t outer)
{
	uint32_t index = (uint32_t)work->metrics->n_regions++;

	work->metrics->regions[index] = (struct metrics_region){
		.node = node,
		.outer = outer,
	};
	work->regions[index].top = outer == METRICS_NONE ? index : work->regions[outer].top;
	work->region_of[node] = index;
}

/* By thread number, how often it was the last to arrive at the barriers of a region. */
struct arrivals {
	uint64_t n_others;
	uint64_t n_last[32];
};

/* Adds a record to the region at its place in the tree. Returns 0, or -1 when out of memory. */
static int add_record(struct metrics_work *work, const struct profile_region_record *record,
	struct arrivals *arrivals)
{
	uint32_t index = work->region_of[work->tree->place[record->node]];
	struct metrics_region *region = &work->metrics->regions[index];
	struct metrics_work_region *beside = &work->regions[index];
	struct metrics_region more = {
		.n = record->n,
		.wall_ns = record->wall_ns,
		.min_ns = record->min_ns,
		.max_ns = record->max_ns,
		.min_team = record->n ? record->min_team : 0,
		.max_team = record->max_team,
		.n_barriers = record->n_barriers,
	};

	metrics_region_add(region, &more);
	metrics_add(&beside->team_wall_ns, record->team_wall_ns);
	beside->is_helpers |= profile_is_helper(
		&work->profile->threads[work->profile->nodes[record->node].owner]);
	metrics_add(&beside->part.imbalance_ns, record->imbalance_ns);
	metrics_add(&beside->part.release_ns, record->release_ns);
	metrics_add(&beside->part.starved_ns, record->starved_ns);
	arrivals[index].n_others += record->n_others;
	for (size_t i = 0; i < 32; i++)
		arrivals[index].n_last[i] += record->n_last[i];
	return metrics_lengths_add(&region->lengths, record->lengths);
}

/*
 * If node `i` is the stay of the thread that encountered a region, and the region has no record:
 * the wall time in the region. Otherwise 0.
 */
static uint64_t unrecorded_ns(const struct profile *profile, uint32_t i)
{
	const struct profile_tree_node *context = &profile->nodes[i], *region;

	if (context->kind != PROFILE_NODE_CONTEXT || context->context == METRICS_NONE)
		return 0;
	region = &profile->nodes[context->context];
	return region->kind == PROFILE_NODE_REGION && region->record == METRICS_NONE &&
			       region->owner == context->owner
		       ? context->time_ns
		       : 0;
}

static void add_unrecorded(struct metrics_work *work)
{
	for (uint32_t i = 0; i < work->profile->n_nodes; i++) {
		uint64_t ns = unrecorded_ns(work->profile, i);
		uint32_t place;

		if (!ns)
			continue;
		place = work->tree->place[work->profile->nodes[i].context];
		metrics_add(&work->metrics->regions[work->region_of[place]].wall_ns, ns);
	}
}

static void find_slowest(struct metrics_region *region, const struct arrivals *arrivals)
{
	uint64_t n = arrivals->n_others;

	for (uint32_t i = 0; i < 32; i++) {
		n += arrivals->n_last[i];
		if (arrivals->n_last[i] > arrivals->n_last[region->slowest])
			region->slowest = i;
	}
	if (n)
		region->n_slowest = (uint64_t)((unsigned __int128)region->n_barriers *
					       arrivals->n_last[region->slowest] / n);
}

static int add_records(struct metrics_work *work)
{
	const struct profile *profile = work->profile;
	struct metrics *metrics = work->metrics;
	struct arrivals *arrivals = calloc(metrics->n_regions + 1, sizeof(*arrivals));
	int status = arrivals ? 0 : -1;

	for (size_t i = 0; status == 0 && i < profile->n_regions; i++)
		status = add_record(work, &profile->regions[i], arrivals);
	for (size_t i = 0; status == 0 && i < profile->n_regions; i++) {
		uint32_t index = work->region_of[work->tree->place[profile->regions[i].node]];

		find_slowest(&metrics->regions[index], &arrivals[index]);
	}
	free(arrivals);
	return status;
}

int metrics_find_regions(struct metrics_work *work)
{
	struct metrics *metrics = work->metrics;
	const struct tree *tree = work->tree;
	size_t n = count_regions(tree) + 1;

	work->region_of = malloc((tree->n_nodes + 1) * sizeof(*work->region_of));
	work->regions = calloc(n, sizeof(*work->regions));
	metrics->regions = calloc(n, sizeof(*metrics->regions));
	if (!work->region_of || !work->regions || !metrics->regions)
		return -1;
	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		work->region_of[i] = i ? work->region_of[tree->nodes[i].parent] : METRICS_NONE;
		if (tree->nodes[i].kind == TREE_REGION)
			begin_region(work, i, work->region_of[i]);
	}
	if (add_records(work) != 0)
		return -1;
	add_unrecorded(work);
	for (size_t i = 0; i < metrics->n_regions; i++) {
		struct metrics_region *region = &metrics->regions[i];

		if (!region->n)
			region->n = tree_self(tree, region->node).n_executions;
		if (region->outer != METRICS_NONE)
			metrics_add(&work->regions[region->outer].inner_ns, region->wall_ns);
	}
	return 0;
}

static void add_samples(struct metrics_work *work, const struct profile_tree_node *node,
	struct metrics_part *part, uint32_t place)
{
	const struct tree_node *holder = &work->tree->nodes[place];
	uint8_t class = PROFILE_WORK;
	enum metrics_cause cause;
	uint64_t *sampled, time_ns = node->time_ns;

	if (holder->kind == TREE_WAIT || holder->kind == TREE_RUNTIME)
		class = holder->class;
	if (!part)
		return;
	cause = metrics_cause_of_class(class);
	/* A wait's delay is in the wait's own node. */
	metrics_add(&part->busy_delay_ns, node->delay_ns);
	if (tree_is_measured(work->profile, class)) {
		if (cause == METRICS_LOCK)
			metrics_add(&part->mutex_sampled_ns, node->time_ns);
		return;
	}
	if (work->profile->header.clock_kind == PROFILE_CLOCK_EVENT)
		return;
	/* By the wall clock, the time of samples contains the time without a CPU. */
	if (work->profile->header.clock_kind == PROFILE_CLOCK_WALL)
		time_ns -= node->delay_ns < time_ns ? node->delay_ns : time_ns;
	if (cause == METRICS_USEFUL && work->is_mpi[place])
		cause = METRICS_MPI;
	sampled = &part->sampled[cause];
	metrics_add(sampled, time_ns);
}

/* The cause of a wait. Sleep in the MPI library is time in MPI, also in calls without a timer. */
static enum metrics_cause cause_of(
	const struct metrics_work *work, const struct profile_tree_node *node)
{
	enum metrics_cause cause = metrics_cause_of_wait(node->wait);
	size_t i = (size_t)(node - work->profile->nodes);

	return cause == METRICS_BLOCKED && work->is_mpi[work->tree->place[i]] ? METRICS_MPI : cause;
}

/*
 * Adds an amount of a wait to sums by cause. In the part of a thread or phase, a barrier's wait in
 * a region is divided in the region's ratio: the part starved is TASK, and all else IMBALANCE.
 */
static void add_by_cause(const struct metrics_work *work, const struct profile_tree_node *node,
	uint32_t region, uint64_t ns, uint64_t *sums)
{
	if (metrics_is_barrier(node->wait) && region != METRICS_NONE) {
		const struct metrics_part *ratio = &work->regions[region].part;
		uint64_t weights[2] = { add_saturated(ratio->imbalance_ns, ratio->release_ns),
			ratio->starved_ns };
		uint64_t parts[2];

		metrics_distribute(ns, weights, parts, 2, 0);
		metrics_add(&sums[METRICS_IMBALANCE], parts[0]);
		metrics_add(&sums[METRICS_TASK], parts[1]);
		return;
	}
	metrics_add(&sums[cause_of(work, node)], ns);
}

/* The delay of a WAIT node that profile_waited_ns leaves out. */
static uint64_t delay_in(const struct profile_tree_node *node)
{
	return node->time_ns - profile_waited_ns(node);
}

static void add_wait(const struct metrics_work *work, const struct profile_tree_node *node,
	struct metrics_part *part, uint32_t region)
{
	if (!part)
		return;
	add_by_cause(work, node, region, node->time_ns, part->waited_ns);
	add_by_cause(work, node, region, delay_in(node), part->waited_delay_ns);
	metrics_add(&part->busy_delay_ns, node->delay_ns - delay_in(node));
	if (node->wait == PROFILE_REDUCTION)
		metrics_add(&part->reduction_ns, node->time_ns);
}

static void add_region_wait(
	struct metrics_work *work, const struct profile_tree_node *node, uint32_t region)
{
	struct metrics_part *part = &work->regions[region].part;

	if (!metrics_is_barrier(node->wait)) {
		add_wait(work, node, part, region);
		return;
	}
	metrics_add(&part->barrier_ns, node->time_ns);
	metrics_add(&part->barrier_delay_ns, delay_in(node));
	metrics_add(&part->busy_delay_ns, node->delay_ns - delay_in(node));
}

/* The part of a node's phase; NULL without phases, and for native threads and hidden helpers. */
static struct metrics_part *phase_of(
	const struct metrics_work *work, const struct profile_tree_node *node)
{
	if (!work->phases || profile_is_beside(&work->profile->threads[node->owner]))
		return NULL;
	return &work->phases[node->phase];
}

/* Adds time of tasks, or of waits for them, that only samples tell. */
static void add_unseen(
	struct metrics_work *work, const struct profile_tree_node *node, uint32_t region)
{
	uint64_t ns = node->time_ns;

	if (node->kind == PROFILE_NODE_WAIT)
		ns = profile_waited_ns(node);
	else if (work->profile->nodes[node->context].flags & PROFILE_TASK_UNDEFERRED)
		return;
	metrics_add(&work->metrics->threads[node->owner].unseen_ns, ns);
	if (region != METRICS_NONE)
		metrics_add(&work->metrics->regions[region].unseen_ns, ns);
}

/* Adds a stay in a region to the region, or in tasks to the thread. */
static void add_stay(struct metrics_work *work, const struct profile_tree_node *node,
	struct metrics_part *thread)
{
	uint8_t kind = work->profile->nodes[node->context].kind;

	if (kind == PROFILE_NODE_REGION) {
		struct metrics_region *stayed =
			&work->metrics->regions[work->region_of[work->tree->place[node->context]]];

		metrics_add(&stayed->thread_ns, node->time_ns);
	} else if (kind == PROFILE_NODE_TASK) {
		metrics_add(&thread->executed_ns, node->time_ns);
		if (node->flags & PROFILE_UNSEEN)
			add_unseen(work, node, work->region_of[work->tree->place[node->context]]);
	}
}

/*
 * Whether the node is a hidden helper's, outside of the regions that helpers encounter: it is in
 * nobody's capacity. A region that a helper encountered has a capacity of its own.
 */
static int is_helping(
	const struct metrics_work *work, const struct profile_tree_node *node, uint32_t region)
{
	return profile_is_helper(&work->profile->threads[node->owner]) &&
	       (region == METRICS_NONE || !work->regions[region].is_helpers);
}

/* Adds the part of a wait for which a thread without a CPU is to blame. */
static void add_held(struct metrics_part *part, const struct profile_tree_node *node,
	uint32_t region, uint64_t held_ns)
{
	if (part && region != METRICS_NONE && metrics_is_barrier(node->wait))
		metrics_add(&part->barrier_held_ns, held_ns);
	else if (part)
		metrics_add(&part->waited_held_ns[metrics_cause_of_wait(node->wait)], held_ns);
}

/* Adds the time without a CPU of a thread without a team. */
static void add_idle_delay(struct metrics_work *work, const struct profile_tree_node *node)
{
	if (profile_wait_is(node->wait, PROFILE_TIME_IDLE) &&
		!profile_is_beside(&work->profile->threads[node->owner]))
		metrics_add(&work->idle_delay_ns, delay_in(node));
}

static void add_node(struct metrics_work *work, uint32_t i)
{
	const struct profile_tree_node *node = &work->profile->nodes[i];
	uint32_t place = work->tree->place[i], region = work->region_of[place];
	struct metrics_part *thread = &work->threads[node->owner];
	struct metrics_part *part = region != METRICS_NONE ? &work->regions[region].part : NULL;
	struct metrics_part *phase = phase_of(work, node);

	if (!part && metrics_is_serial(work, node->owner))
		part = &work->serial;
	if (is_helping(work, node, region))
		part = NULL;
	if (node->kind == PROFILE_NODE_SAMPLES) {
		add_samples(work, node, thread, place);
		add_samples(work, node, part, place);
		add_samples(work, node, phase, place);
	} else if (node->kind == PROFILE_NODE_WAIT) {
		add_idle_delay(work, node);
		if (node->flags & PROFILE_UNSEEN) {
			metrics_add(&work->metrics->unseen_ns, profile_waited_ns(node));
			add_unseen(work, node, region);
		}
		add_wait(work, node, thread, region);
		add_wait(work, node, phase, region);
		if (region != METRICS_NONE && part)
			add_region_wait(work, node, region);
		else if (metrics_cause_of_wait(node->wait) != METRICS_SERIAL)
			add_wait(work, node, part, region);
		add_held(part, node, region, work->held_ns[i]);
	} else if (node->kind == PROFILE_NODE_TASK && region != METRICS_NONE) {
		work->metrics->regions[region].n_tasks += node->n;
	} else if (node->kind == PROFILE_NODE_CONTEXT && node->context != METRICS_NONE) {
		add_stay(work, node, thread);
	}
}

/* Adds a REGION node's wall time to the encountering thread's, if it is an outermost region. */
static void add_outermost(
	const struct metrics_work *work, uint32_t node, uint64_t ns, uint64_t *wall_ns)
{
	uint32_t region = work->region_of[work->tree->place[node]];
	uint64_t *sum = &wall_ns[work->profile->nodes[node].owner];

	if (work->metrics->regions[region].outer == METRICS_NONE)
		metrics_add(sum, ns);
}

int metrics_is_serial(const struct metrics_work *work, size_t i)
{
	const struct profile_thread *thread = &work->profile->threads[i];

	return i == work->serial_thread ||
	       (!profile_is_beside(thread) &&
		       (thread->type == 1 ||
			       (!thread->type && thread->tid == work->profile->header.pid)));
}

/*
 * Adds up the serial code's threads. If there are several, it is not known which regions ran at the
 * same time: the wall time in no region is at least what is left if none did.
 */
static void add_serial_threads(struct metrics_work *work, const uint64_t *wall_ns)
{
	struct metrics *metrics = work->metrics;
	uint64_t regions_ns = 0, outside_ns = 0;
	size_t n = 0;

	for (size_t i = 0; i < work->profile->n_threads; i++) {
		if (!metrics_is_serial(work, i))
			continue;
		n++;
		metrics_add(&regions_ns, wall_ns[i]);
		metrics_add(&outside_ns,
			metrics_less(profile_life_ns(&work->profile->threads[i], metrics->wall_ns),
				wall_ns[i]));
	}
	metrics->serial_ns = metrics_less(metrics->wall_ns, regions_ns);
	work->has_several = n > 1;
	work->outside_ns = n > 1 ? outside_ns : metrics->serial_ns;
	work->most_serial_ns =
		work->serial_thread == METRICS_NONE
			? metrics->wall_ns
			: metrics_less(metrics->wall_ns, wall_ns[work->serial_thread]);
}

/*
 * Finds the thread with most wall time in outermost regions; of equal threads the first initial
 * thread, or else the first. Returns 0, or -1 when out of memory.
 */
static int find_serial_thread(struct metrics_work *work)
{
	const struct profile *profile = work->profile;
	uint64_t *wall_ns = calloc(profile->n_threads + 1, sizeof(*wall_ns));

	if (!wall_ns)
		return -1;
	for (size_t i = 0; i < profile->n_regions; i++)
		add_outermost(work, profile->regions[i].node, profile->regions[i].wall_ns, wall_ns);
	for (uint32_t i = 0; i < profile->n_nodes; i++) {
		uint64_t ns = unrecorded_ns(profile, i);

		if (ns)
			add_outermost(work, profile->nodes[i].context, ns, wall_ns);
	}
	work->serial_thread = METRICS_NONE;
	for (uint32_t i = 0; i < profile->n_threads; i++) {
		uint32_t best = work->serial_thread;

		if (profile_is_beside(&profile->threads[i]))
			continue;
		if (best == METRICS_NONE || wall_ns[i] > wall_ns[best] ||
			(wall_ns[i] == wall_ns[best] && profile->threads[i].type == 1 &&
				profile->threads[best].type != 1))
			work->serial_thread = i;
	}
	add_serial_threads(work, wall_ns);
	free(wall_ns);
	return 0;
}

/* Divides the blame for a CPU of each pool among its waits. Returns 0, or -1 when out of memory. */
static int find_held(struct metrics_work *work)
{
	const struct blame_scale *scale = &work->tree->blame_scale;

	work->held_ns = calloc(work->profile->n_nodes + 1, sizeof(*work->held_ns));
	if (!work->held_ns)
		return -1;
	for (size_t p = 0; p < scale->n_pools; p++) {
		const struct scale_blame_pool *pool = &scale->pools[p];
		const struct scale_blame_entry *entries = &scale->entries[pool->first];
		struct scale_blame_shares shares = { .whole = pool->wait_ns };

		for (size_t i = 0; i < pool->n_entries; i++)
			if (entries[i].has_no_cpu)
				metrics_add(&shares.total, entries[i].ns);
		for (size_t i = 0; i < pool->n_entries; i++)
			if (!entries[i].is_blame)
				work->held_ns[entries[i].node] =
					scale_blame_share(&shares, entries[i].ns);
	}
	return 0;
}

int metrics_add_up(struct metrics_work *work)
{
	struct metrics *metrics = work->metrics;

	metrics->n_threads = work->profile->n_threads;
	metrics->threads = calloc(metrics->n_threads + 1, sizeof(*metrics->threads));
	work->threads = calloc(metrics->n_threads + 1, sizeof(*work->threads));
	if (!metrics->threads || !work->threads || find_serial_thread(work) || find_held(work))
		return -1;
	for (uint32_t i = 0; i < work->profile->n_nodes; i++)
		add_node(work, i);
	return 0;
}
