/* SPDX-License-Identifier: Apache-2.0 */
/* The time of each thread's life by cause, and the imbalance that is always on the same threads. */
#include "attribution/metrics/metrics_internal.h"

/* How much of its life a thread had no CPU, without its sleep in waits. */
static uint64_t off_of(const struct profile_thread *thread, uint64_t life_ns)
{
	uint64_t cpu_ns = thread->cpu_last_ns > thread->cpu_start_ns
				  ? thread->cpu_last_ns - thread->cpu_start_ns
				  : 0;

	return metrics_less(metrics_less(life_ns, cpu_ns), thread->more.waited_asleep_ns);
}

/*
 * The part of part->off_ns in which the thread was ready to run, of delay_ns: what the kernel
 * counts beyond the time without a CPU whose place is known. The kernel counts the whole life, and
 * waits are off the CPU, too: off_ns is all other time without a CPU.
 */
static uint64_t delay_of(uint64_t delay_ns, const struct metrics_part *part, uint64_t off_ns)
{
	if (off_ns > part->off_ns)
		delay_ns = (uint64_t)((unsigned __int128)delay_ns * part->off_ns / off_ns);
	return delay_ns < part->off_ns ? delay_ns : part->off_ns;
}

/* The part of part->off_ns for which a native thread had no clock: it is its own code's. */
static uint64_t unsampled_of(const struct profile_thread *thread, const struct metrics_part *part)
{
	uint64_t unsampled_ns = profile_is_native(thread) ? thread->unsampled_ns : 0;

	return unsampled_ns < part->off_ns ? unsampled_ns : part->off_ns;
}

/* Counts the time in which a hidden helper executes no task as idle. */
static void find_idle(struct metrics_part *part)
{
	uint64_t *idle_ns = &part->waited_ns[METRICS_SERIAL];
	uint64_t busy_ns = add_saturated(part->executed_ns, part->barrier_ns);

	for (size_t c = 0; c < METRICS_N_CAUSES; c++)
		metrics_add(&busy_ns, part->waited_ns[c]);
	if (part->whole_ns > busy_ns)
		metrics_add(idle_ns, part->whole_ns - busy_ns);
}

/*
 * Leaves the thread at most most_ns off the CPU; if it has not ended, and two periods: nothing is
 * known of the time after the last sample, and samples come late.
 */
static void bound_thread(struct metrics_work *work, size_t i, uint64_t most_ns)
{
	struct metrics_part *part = &work->threads[i];

	if (!(work->profile->threads[i].flags & PROFILE_THREAD_ENDED))
		metrics_add(&most_ns, 2 * work->profile->header.period);
	metrics_bound_off_cpu(part, most_ns);
	metrics_add(&work->off_ns, most_ns);
}

static void cut_thread(struct metrics_work *work, size_t i)
{
	const struct profile_thread *thread = &work->profile->threads[i];
	struct metrics_part *part = &work->threads[i];
	struct metrics_thread *sum = &work->metrics->threads[i];
	uint64_t ready_ns, delay_ns, unsampled_ns, off_ns, unseen_ns = sum->unseen_ns;

	part->whole_ns = part->busy_ns = profile_life_ns(thread, work->metrics->wall_ns);
	off_ns = off_of(thread, part->whole_ns);
	/* Measured sleep has no time in it in which the thread was ready. */
	off_ns -= part->waited_ns[METRICS_BLOCKED] < off_ns ? part->waited_ns[METRICS_BLOCKED]
							    : off_ns;
	if (profile_is_helper(thread) && work->metrics->has_waits)
		find_idle(part);
	metrics_distribute_part(part, work->profile);
	off_ns = metrics_less(off_ns, part->cause_ns[METRICS_NOT_RUNNING]);
	ready_ns = metrics_less(thread->run_delay_ns, part->cause_ns[METRICS_NOT_RUNNING]);
	if (work->metrics->has_waits && !profile_is_beside(thread))
		bound_thread(work, i, add_saturated(off_ns, thread->unsampled_ns));
	unsampled_ns = unsampled_of(thread, part);
	part->off_ns -= unsampled_ns;
	delay_ns = delay_of(ready_ns, part, off_ns);
	*sum = metrics_sum_part(part);
	sum->unseen_ns = unseen_ns;
	sum->useful_ns += unsampled_ns;
	sum->not_running_ns += delay_ns;
	sum->blocked_ns -= unsampled_ns + delay_ns;
	/* Where the thread's samples show no time off the CPU, a short region's still can. */
	if (!part->off_ns)
		delay_ns = ready_ns < off_ns ? ready_ns : off_ns;
	if (!profile_is_beside(thread))
		metrics_add(&work->unplaced_ns, delay_ns);
}

void metrics_distribute_threads(struct metrics_work *work)
{
	const struct blame_scale *scale = &work->tree->blame_scale;

	for (size_t i = 0; i < work->metrics->n_threads; i++)
		cut_thread(work, i);
	for (size_t i = 0; i < metrics_n_entries(scale); i++) {
		uint32_t owner = work->profile->nodes[scale->entries[i].node].owner;

		if (scale->entries[i].is_blame && !scale->entries[i].has_no_cpu)
			work->metrics->threads[owner].blame_ns += scale->entries[i].ns;
	}
}

/* Whether the node shows a member of a team: by a stay in a region or a wait at a barrier. */
static int is_membership(const struct profile *profile, const struct profile_tree_node *node)
{
	if (node->kind == PROFILE_NODE_CONTEXT)
		return node->context != METRICS_NONE &&
		       profile->nodes[node->context].kind == PROFILE_NODE_REGION;
	return node->kind == PROFILE_NODE_WAIT && metrics_is_barrier(node->wait);
}

/*
 * Fills members[] with the time that each member of a region's team waited at barriers. `node` is
 * an index into metrics.regions. Returns their number, sorted by region.
 */
static size_t collect_members(const struct metrics_work *work, struct metrics_blame *members)
{
	const struct profile *profile = work->profile;
	size_t n = 0;

	for (uint32_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];
		uint32_t of = node->kind == PROFILE_NODE_CONTEXT ? node->context : i, region;

		if (!is_membership(profile, node))
			continue;
		region = work->region_of[work->tree->place[of]];
		if (region != METRICS_NONE)
			members[n++] = (struct metrics_blame){
				.node = region,
				.thread = node->owner,
				.ns = node->kind == PROFILE_NODE_WAIT ? profile_waited_ns(node) : 0,
			};
	}
	return metrics_fold(members, n, &metrics_blames);
}

/* Sets the part of the imbalance that members waited longer than the member that waited least. */
static void set_persistent(struct metrics_work *work, const struct metrics_blame *members, size_t n)
{
	struct metrics_region *region = &work->metrics->regions[members[0].node];
	uint64_t least_ns = UINT64_MAX, sum_ns = 0, above_ns = 0;

	for (size_t i = 0; i < n; i++) {
		if (members[i].ns < least_ns)
			least_ns = members[i].ns;
		metrics_add(&sum_ns, members[i].ns);
	}
	for (size_t i = 0; i < n; i++)
		metrics_add(&above_ns, members[i].ns - least_ns);
	if (sum_ns)
		region->persistent_ns =
			(uint64_t)((unsigned __int128)region->cause_ns[METRICS_IMBALANCE] *
				   above_ns / sum_ns);
}

void metrics_find_persistent(struct metrics_work *work)
{
	const struct metrics_blame *members = work->scratch;
	size_t n = collect_members(work, work->scratch);

	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && members[end].node == members[first].node; end++)
			;
		set_persistent(work, members + first, end - first);
	}
}
