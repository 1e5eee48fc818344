/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a run by kind; see own_events.h. */
#include "src/findings/own_events.h"

#include "src/findings/report_runtime.h"

/*
 * Callbacks of an acquisition with its release, of an execution of a region by one thread, and of
 * an undeferred task. GCC's libgomp lets also a team of one meet at the closing barrier.
 */
enum { OF_LOCK = 3, OF_SERIAL = 4, OF_SERIAL_GOMP = 6, OF_TASK = 3 };

/*
 * The most that was measured around a callback, in ns and in percent of the time in callbacks.
 * This time is longer where caches are cold; see docs/offline/own-cost.md. The third figure is a
 * usual callback in ns. Besides, an acquisition that waits has CONTENDED_NS, because the callbacks
 * of the holder make it wait longer. Deferred tasks of GCC's libgomp have GOMP_TASK_NS, because
 * each of their events is told beside a lock that the team's threads share.
 */
enum { CONTENDED_NS = 200, GOMP_TASK_NS = 200 };

/* A callback that only counts a task's event. */
enum { UNSEEN_CALLBACK_NS = 4 };

static const struct {
	unsigned around_ns, around_percent, callback_ns;
} costs[OWN_COST_N_KINDS] = {
	[OWN_COST_LOCKS] = { 10, 0, 4 },
	[OWN_COST_SERIAL] = { 10, 0, 22 },
	[OWN_COST_TEAMS] = { 20, 280, 15 },
	[OWN_COST_TASKS] = { 25, 0, 22 },
	[OWN_COST_UNDEFERRED] = { 20, 0, 40 },
};

static uint64_t at_most(uint64_t n, uint64_t most)
{
	return n < most ? n : most;
}

/* The callbacks of a region's executions and of its team's barriers. */
static void count_region(struct own_events *events, const struct profile_region_record *region)
{
	double team = region->wall_ns ? (double)region->team_wall_ns / (double)region->wall_ns
				      : region->max_team;
	double n = (double)region->n * (2 + 2 * team) + (double)region->n_barriers * 2 * team;

	if (region->max_team <= 1) {
		events->n[OWN_COST_SERIAL] += at_most(region->n, UINT32_MAX) *
					      (events->is_gomp ? OF_SERIAL_GOMP : OF_SERIAL);
		return;
	}
	events->n[OWN_COST_TEAMS] += own_events_bounded(n);
	events->n_meetings += region->n_barriers > region->n ? region->n_barriers : region->n;
}

/* The usual time in the callbacks of a kind. */
static double usual_ns_of(const struct own_events *events, int kind)
{
	int is_task = kind == OWN_COST_TASKS || kind == OWN_COST_UNDEFERRED;
	double unseen = is_task ? events->unseen : 0;

	return (double)events->n[kind] *
	       (costs[kind].callback_ns * (1 - unseen) + UNSEEN_CALLBACK_NS * unseen);
}

/* The most that was measured around a kind's callbacks, besides around_percent. */
static double around_ns_of(const struct own_events *events, int kind)
{
	double ns = (double)events->n[kind] * costs[kind].around_ns;

	if (kind == OWN_COST_LOCKS)
		ns += (double)events->n_contended * CONTENDED_NS;
	if (kind == OWN_COST_TASKS && events->is_gomp)
		ns = (double)events->n[kind] * GOMP_TASK_NS;
	return ns;
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

	*events = (struct own_events){ .is_gomp = report_has_provider(profile) };
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
	double usual_ns = own_events_usual_ns(events), n = 0, all_around_ns = 0;

	for (int i = 1; i < OWN_COST_N_KINDS; i++)
		n += (double)events->n[i];
	for (int i = 1; i < OWN_COST_N_KINDS && n > 0; i++) {
		double in_ns = (double)callback_ns * usual_ns_of(events, i) / usual_ns;
		double around_ns = (double)n_callbacks / n * around_ns_of(events, i) +
				   in_ns * costs[i].around_percent / 100;

		by_kind_ns[i] += own_events_bounded(in_ns + around_ns);
		all_around_ns += around_ns;
	}
	return own_events_bounded(all_around_ns);
}
