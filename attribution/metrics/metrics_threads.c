/* SPDX-License-Identifier: Apache-2.0 */
/* The time of each thread's life, and which threads always wait at a region's barriers. */
#include <stdlib.h>

#include "attribution/metrics/metrics_internal.h"

/* How long a thread had no CPU in its life. */
static uint64_t off_of(const struct profile_thread *thread, uint64_t life_ns)
{
	uint64_t cpu_ns = thread->cpu_last_ns > thread->cpu_start_ns
				  ? thread->cpu_last_ns - thread->cpu_start_ns
				  : 0;

	return life_ns > cpu_ns ? life_ns - cpu_ns : 0;
}

/*
 * The part of the time off the CPU in the user's code in which the thread was ready to run. The
 * kernel counts the time ready to run for the whole life. Since waits are off the CPU, too, each
 * gets its share.
 */
static uint64_t delay_of(
	const struct profile_thread *thread, const struct metrics_part *part, uint64_t off_ns)
{
	uint64_t delay_ns = thread->run_delay_ns;

	if (off_ns > part->off_ns)
		delay_ns = (uint64_t)((unsigned __int128)delay_ns * part->off_ns / off_ns);
	return delay_ns < part->off_ns ? delay_ns : part->off_ns;
}

/*
 * The part of the time off the CPU for which a native thread had no clock. It belongs to the
 * thread's own code.
 */
static uint64_t unseen_of(const struct profile_thread *thread, const struct metrics_part *part)
{
	uint64_t unseen_ns = profile_is_native(thread) ? thread->unsampled_ns : 0;

	return unseen_ns < part->off_ns ? unseen_ns : part->off_ns;
}

/* The time in which a hidden helper executes no task is idle. */
static void find_idle(struct metrics_part *part)
{
	uint64_t *idle_ns = &part->waited_ns[METRICS_SERIAL];
	uint64_t busy_ns = add_saturated(part->executed_ns, part->barrier_ns);

	for (size_t c = 0; c < METRICS_N_CAUSES; c++)
		busy_ns = add_saturated(busy_ns, part->waited_ns[c]);
	if (part->whole_ns > busy_ns)
		*idle_ns = add_saturated(*idle_ns, part->whole_ns - busy_ns);
}

/*
 * No sample tells what the thread did since its last sample: that is a period, or two, as samples
 * come late.
 */
static void bound_thread(struct metrics_work *work, struct metrics_part *part, uint64_t most_ns)
{
	most_ns = add_saturated(most_ns, 2 * work->profile->header.period);
	metrics_bound_off_cpu(part, most_ns);
	work->off_ns = add_saturated(work->off_ns, most_ns);
}

static void cut_thread(struct metrics_work *work, size_t i)
{
	const struct profile_thread *thread = &work->profile->threads[i];
	struct metrics_part *part = &work->threads[i];
	struct metrics_thread *sum = &work->metrics->threads[i];
	uint64_t delay_ns, unseen_ns, off_ns;

	part->whole_ns = part->busy_ns = profile_life_ns(thread, work->metrics->wall_ns);
	off_ns = off_of(thread, part->whole_ns);
	if (profile_is_helper(thread) && work->metrics->has_waits)
		find_idle(part);
	metrics_distribute_part(part, work->profile);
	if (work->metrics->has_waits && !profile_is_beside(thread))
		bound_thread(work, part, add_saturated(off_ns, thread->unsampled_ns));
	unseen_ns = unseen_of(thread, part);
	part->off_ns -= unseen_ns;
	delay_ns = delay_of(thread, part, off_ns);
	*sum = metrics_sum_part(part);
	sum->useful_ns += unseen_ns;
	sum->not_running_ns = delay_ns;
	sum->blocked_ns -= unseen_ns + delay_ns;
}

void metrics_distribute_threads(struct metrics_work *work)
{
	const struct blame_scale *blame_scale = &work->tree->blame_scale;

	for (size_t i = 0; i < work->metrics->n_threads; i++)
		cut_thread(work, i);
	for (size_t p = 0; p < blame_scale->n_pools; p++) {
		const struct scale_blame_entry *entry =
			&blame_scale->entries[blame_scale->pools[p].first];

		for (size_t i = 0; i < blame_scale->pools[p].n_entries; i++, entry++) {
			uint32_t owner = work->profile->nodes[entry->node].owner;

			if (entry->is_blame)
				work->metrics->threads[owner].blame_ns += entry->ns;
		}
	}
}

/* The time that a member of a region's team waited at its barriers. */
struct member {
	uint32_t region;
	uint32_t thread;
	uint64_t wait_ns;
};

static int compare_members(const void *left, const void *right)
{
	const struct member *a = left, *b = right;

	if (a->region != b->region)
		return a->region < b->region ? -1 : 1;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

static size_t collect_members(const struct metrics_work *work, struct member *members)
{
	const struct profile *profile = work->profile;
	size_t n = 0, n_merged = 0;

	for (uint32_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];
		uint32_t of = node->kind == PROFILE_NODE_CONTEXT ? node->context : i;
		struct member member = { .thread = node->owner };

		if (of == METRICS_NONE ||
			(node->kind == PROFILE_NODE_CONTEXT
					? profile->nodes[of].kind != PROFILE_NODE_REGION
					: node->kind != PROFILE_NODE_WAIT ||
						  !metrics_is_barrier(node->wait)))
			continue;
		member.region = work->region_of[work->tree->place[of]];
		if (node->kind == PROFILE_NODE_WAIT)
			member.wait_ns = node->time_ns;
		if (member.region != METRICS_NONE)
			members[n++] = member;
	}
	qsort(members, n, sizeof(*members), compare_members);
	for (size_t i = 0; i < n; i++) {
		if (n_merged && !compare_members(&members[n_merged - 1], &members[i]))
			members[n_merged - 1].wait_ns =
				add_saturated(members[n_merged - 1].wait_ns, members[i].wait_ns);
		else
			members[n_merged++] = members[i];
	}
	return n_merged;
}

/* Sets the part of the imbalance that members waited longer than the member that waited least. */
static void set_persistent(struct metrics_work *work, const struct member *members, size_t n)
{
	struct metrics_region *region = &work->metrics->regions[members[0].region];
	uint64_t least_ns = UINT64_MAX, sum_ns = 0, above_ns = 0;

	for (size_t i = 0; i < n; i++) {
		if (members[i].wait_ns < least_ns)
			least_ns = members[i].wait_ns;
		sum_ns = add_saturated(sum_ns, members[i].wait_ns);
	}
	for (size_t i = 0; i < n; i++)
		above_ns = add_saturated(above_ns, members[i].wait_ns - least_ns);
	if (sum_ns)
		region->persistent_ns =
			(uint64_t)((unsigned __int128)region->cause_ns[METRICS_IMBALANCE] *
				   above_ns / sum_ns);
}

int metrics_find_persistent(struct metrics_work *work)
{
	struct member *members = calloc(work->profile->n_nodes + 1, sizeof(*members));
	size_t n;

	if (!members)
		return -1;
	n = collect_members(work, members);
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && members[end].region == members[first].region;
			end++)
			;
		set_persistent(work, members + first, end - first);
	}
	free(members);
	return 0;
}
