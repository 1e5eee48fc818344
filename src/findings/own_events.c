/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a run by kind; see own_events.h. */
#include "src/findings/own_events.h"

/*
 * Callbacks of an acquisition with its release, of an execution of a region by one thread, and of
 * an undeferred task.
 */
enum { OF_LOCK = 3, OF_SERIAL = 4, OF_TASK = 3 };

/*
 * Around a callback: so many ns, and so many percent of the time in callbacks, which is longer
 * where caches are cold. The third figure is a usual callback in ns. Besides, an acquisition that
 * waits has CONTENDED_NS, because the callbacks of the holder make it wait longer; and a callback
 * of a barrier within a region BARRIER_NS, because all members wait for lines that each wrote.
 */
enum { CONTENDED_NS = 100, BARRIER_NS = 25 };

/* A callback that only counts a task's event. */
enum { UNSEEN_CALLBACK_NS = 4 };

static const struct {
	unsigned around_ns, around_percent, callback_ns;
	unsigned unseen_ns; /* around a callback that only counts */
} costs[OWN_COST_N_KINDS] = {
	[OWN_COST_LOCKS] = { 1, 0, 4 },
	[OWN_COST_SERIAL] = { 6, 0, 22 },
	[OWN_COST_TEAMS] = { 10, 140, 15 },
	[OWN_COST_TASKS] = { 10, 0, 22, 4 },
	[OWN_COST_UNDEFERRED] = { 3, 0, 40, 8 },
};

static uint64_t at_most(uint64_t n, uint64_t most)
{
	return n < most ? n : most;
}

static uint64_t bounded(double ns)
{
	return ns < (double)PROFILE_MOST_NS ? (uint64_t)ns : PROFILE_MOST_NS;
}

/* The callbacks of a region's executions and of its team's barriers. */
static void count_region(struct own_events *events, const struct profile_region_record *region)
{
	double team = region->wall_ns ? (double)region->team_wall_ns / (double)region->wall_ns
				      : region->max_team;
	double n = (double)region->n * (2 + 2 * team) + (double)region->n_barriers * 2 * team;

	if (region->max_team <= 1) {
		events->n[OWN_COST_SERIAL] += at_most(region->n, UINT32_MAX) * OF_SERIAL;
		return;
	}
	events->n[OWN_COST_TEAMS] += bounded(n);
	events->n_meetings += region->n_barriers > region->n ? region->n_barriers : region->n;
	/* Each execution has one barrier at its end. */
	if (region->n_barriers > region->n)
		events->n_barriers += bounded((double)(region->n_barriers - region->n) * 2 * team);
}

/* The time of a kind's events: seen_ns each, or unseen_ns if an event was only counted. */
static double time_of(
	const struct own_events *events, int kind, unsigned seen_ns, unsigned unseen_ns)
{
	int is_task = kind == OWN_COST_TASKS || kind == OWN_COST_UNDEFERRED;
	double unseen = is_task ? events->unseen : 0;

	return (double)events->n[kind] * (seen_ns * (1 - unseen) + unseen_ns * unseen);
}

/* The usual time in the callbacks of a kind. */
static double usual_ns_of(const struct own_events *events, int kind)
{
	return time_of(events, kind, costs[kind].callback_ns, UNSEEN_CALLBACK_NS);
}

static double share_unseen(const struct own_events *events, const struct profile *profile)
{
	double n = (double)(events->n[OWN_COST_TASKS] + events->n[OWN_COST_UNDEFERRED]), sum = 0;

	for (size_t i = 0; i < profile->n_threads; i++)
		sum += (double)profile->threads[i].more.n_unseen;
	return sum < n ? sum / n : n > 0;
}

static uint64_t count_undeferred(const struct profile *profile)
{
	uint64_t n = 0;

	for (size_t i = 0; i < profile->n_nodes; i++)
		if (profile->nodes[i].kind == PROFILE_NODE_TASK &&
			profile->nodes[i].flags & PROFILE_TASK_UNDEFERRED)
			n += profile->nodes[i].n;
	return n * OF_TASK;
}

void own_events_count(
	struct own_events *events, const struct profile *profile, uint64_t n_callbacks)
{
	uint64_t left = n_callbacks;

	*events = (struct own_events){ 0 };
	for (size_t i = 0; i < profile->n_locks; i++) {
		const struct profile_lock_record *lock = &profile->locks[i];

		events->n[OWN_COST_LOCKS] += at_most(lock->n_acquired, left) * OF_LOCK;
		events->n_contended += at_most(lock->n_contended, left);
	}
	for (size_t i = 0; i < profile->n_regions; i++)
		count_region(events, &profile->regions[i]);
	events->n[OWN_COST_UNDEFERRED] = count_undeferred(profile);
	/* Records can count more: if events were lost, or the file is damaged. */
	for (int i = 1; i < OWN_COST_N_KINDS; i++) {
		events->n[i] = at_most(events->n[i], left);
		left -= events->n[i];
	}
	events->n[OWN_COST_TASKS] += left;
	events->unseen = share_unseen(events, profile);
}

double own_events_usual_ns(const struct own_events *events)
{
	double ns = 0;

	for (int i = 1; i < OWN_COST_N_KINDS; i++)
		ns += usual_ns_of(events, i);
	return ns;
}

uint64_t own_events_add(const struct own_events *events, uint64_t n_callbacks, uint64_t callback_ns,
	uint64_t by_kind_ns[OWN_COST_N_KINDS])
{
	double usual_ns = own_events_usual_ns(events), n = 0, around_ns, all_around_ns = 0;

	for (int i = 1; i < OWN_COST_N_KINDS; i++)
		n += (double)events->n[i];
	for (int i = 1; i < OWN_COST_N_KINDS && n > 0; i++) {
		double part = usual_ns_of(events, i) / usual_ns;
		double in_ns = (double)callback_ns * part;

		around_ns = time_of(events, i, costs[i].around_ns, costs[i].unseen_ns);
		if (i == OWN_COST_LOCKS)
			around_ns += (double)events->n_contended * CONTENDED_NS;
		if (i == OWN_COST_TEAMS)
			around_ns += (double)events->n_barriers * BARRIER_NS;
		around_ns *= (double)n_callbacks / n;
		around_ns += in_ns * costs[i].around_percent / 100;
		by_kind_ns[i] += bounded(in_ns + around_ns);
		all_around_ns += around_ns;
	}
	return bounded(all_around_ns);
}
