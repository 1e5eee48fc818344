/* SPDX-License-Identifier: Apache-2.0 */
/* Blame as samples estimate it; see blame.h. Part of the signal-safe core. */
#include "sampler/core/blame.h"

#include <stddef.h>

#include "profile/core/cct.h"
#include "profile/core/writer.h"
#include "sampler/core/depend.h"
#include "sampler/core/run_delay.h"
#include "sampler/core/runtime_code.h"
#include "sampler/core/thread_board.h"

enum {
	MAX_TEAMS = 4,     /* teams that are looked at: the thread's own, and those around it */
	MAX_STEPS = 10000, /* steps from a task's node to the node of its region */
	MAX_SITES = 4,     /* constructs of a team's waits that are told apart */
};

/* Threads that wait at one construct. */
struct seen_wait {
	uint32_t site; /* see PROFILE_TEAM_ID */
	uint32_t kind; /* enum profile_wait */
	uint32_t n;
	uint64_t late; /* ticks: see late_of */
};

/* A team that the sampled thread works for. */
struct seen_team {
	/* NULL: a hidden helper works for the team, of which only the context is known */
	const struct region *region;
	uint32_t context; /* of the region */
	uint32_t instance;
	/* size; for a helper: its threads that were seen, without the sampled thread */
	uint32_t n_threads;
	uint32_t n_waiting;
	struct seen_wait at[MAX_SITES];
	uint32_t n_sites;
	uint32_t by_kind[PROFILE_N_WAITS]; /* threads that wait elsewhere */
	uint64_t late[PROFILE_N_WAITS];    /* ticks, of these threads: see late_of */
	int others_turn; /* a member other than the sampled thread is in an ordered region */
};

/* The state that another thread publishes at one moment. */
struct seen_thread {
	const struct profile_now *now;
	const struct region *region; /* its team's; NULL: none */
	uint32_t instance;
	uint32_t wait;
};

/* The other threads, as a sample sees them. */
struct seen_threads {
	struct seen_team team[MAX_TEAMS];
	uint32_t n_teams;
	uint32_t n_idle;
	uint32_t n_working;
	uint32_t held[THREAD_MAX_HELD]; /* threads that wait for this mutex of the sampled thread */
	uint64_t held_late[THREAD_MAX_HELD];
	uint64_t now, delay; /* ticks; for so many the sampled thread had no CPU, or slept */
};

/* A path's charge, in ns: others waited for its work, or for the thread to get a CPU or wake up. */
struct charge {
	uint8_t flags;
	uint8_t late; /* the flag of late_ns */
	uint64_t key;
	double work_ns, late_ns;
};

/*
 * The region in which a task was created: the first REGION node on the way outwards from the task's
 * node. A CONTEXT node leads to the node that it names. 0: there is none.
 */
static uint32_t region_around(uint32_t node)
{
	for (uint32_t i = 0; node && i < MAX_STEPS; i++) {
		const struct profile_node *at = writer_node(node);

		if (at->kind == PROFILE_NODE_REGION)
			return node;
		node = at->kind == PROFILE_NODE_CONTEXT ? (uint32_t)at->addr : at->parent;
	}
	return 0;
}

/*
 * The outermost task that a hidden helper executes; other tasks and regions may have begun in it.
 * NULL: none.
 */
static const struct task *helpers_task(const struct thread *thread)
{
	for (uint32_t i = 0; i < thread_n_entries(thread); i++) {
		if (!thread->tasks.at[i].is_implicit)
			return &thread->tasks.at[i];
	}
	return NULL;
}

/*
 * Adds the team for which a hidden helper executes a task: all threads that are in the task's
 * region now.
 */
static void find_helped(struct thread *thread, struct seen_threads *seen)
{
	const struct task *task;
	uint32_t context;

	if (!(thread->record->flags & PROFILE_THREAD_HELPER) || seen->n_teams == MAX_TEAMS)
		return;
	task = helpers_task(thread);
	if (!task)
		return;
	if (thread->sample.helped_for != task->context) {
		thread->sample.helped_for = task->context;
		thread->sample.helped_region = region_around(task->context);
	}
	context = thread->sample.helped_region;
	/* The samples of other helpers of the region read it. */
	BOARD_WRITE(thread->record->now.helped, context);
	if (context)
		seen->team[seen->n_teams++] = (struct seen_team){ .context = context };
}

/* The teams that the thread works for, innermost first. */
static void find_teams(const struct thread *thread, struct seen_threads *seen)
{
	const struct profile_now *now = &thread->record->now;
	const struct region *region = board_region(now);
	uint32_t instance = now->instance;

	while (region && seen->n_teams < MAX_TEAMS && !board_is_over(region, instance)) {
		struct seen_team *team = &seen->team[seen->n_teams++];

		team->region = region;
		team->context = BOARD_READ(region->team.context);
		team->instance = instance;
		team->n_threads = __atomic_load_n(&region->team.n_threads, __ATOMIC_RELAXED);
		/*
		 * The region can end meanwhile. Then the values above and below can be of
		 * its next execution, and the blame of this one sample can go there, too.
		 */
		instance = BOARD_READ(region->outer_generation);
		region = BOARD_READ(region->outer);
	}
}

/*
 * Whether the other thread is in this team now. Where a helper works for the team, its threads are
 * the region's members and the other helpers that do not wait.
 */
static int is_in(const struct seen_team *team, const struct seen_thread *other)
{
	if (team->region)
		return team->region == other->region && team->instance == other->instance;
	if (BOARD_READ(other->now->helped) == team->context)
		return !other->wait;
	return other->region && BOARD_READ(other->now->region) == team->context &&
	       !board_is_over(other->region, other->instance);
}

static int is_idle(const struct seen_thread *other)
{
	if (BOARD_READ(other->now->is_idle))
		return 1;
	return other->region && other->wait == PROFILE_BARRIER_CLOSING &&
	       board_is_over(other->region, other->instance);
}

/*
 * The construct at which a thread waits for its team; 0: not known. If the last call of a region's
 * function is a tail call, it returns to the runtime, and the wait has no frame.
 */
static uint32_t site_of(const struct seen_thread *other)
{
	uint64_t site = BOARD_READ(other->now->site);

	return other->wait == PROFILE_BARRIER_CLOSING ||
			       profile_wait_is(other->wait, PROFILE_TIME_MUTEX) ||
			       runtime_code_has(tool.runtime_code, site)
		       ? 0
		       : (uint32_t)site;
}

static void add_waiting(struct seen_team *team, uint32_t wait, uint32_t site, uint64_t late)
{
	uint32_t i = 0;

	team->n_waiting++;
	while (i < team->n_sites && (team->at[i].site != site || team->at[i].kind != wait))
		i++;
	if (!site || i == MAX_SITES) {
		team->by_kind[wait]++;
		team->late[wait] += late;
		return;
	}
	if (i == team->n_sites)
		team->at[team->n_sites++] = (struct seen_wait){ .site = site, .kind = wait };
	team->at[i].n++;
	team->at[i].late += late;
}

/*
 * The ticks for which a thread that waits since then has waited for the sampled thread to get a
 * CPU, or to wake up. The thread had none, or slept, until just now.
 */
static uint64_t late_of(const struct seen_threads *seen, uint64_t since)
{
	uint64_t waited = seen->now > since ? seen->now - since : 0;

	return since == 0 || waited > seen->delay ? seen->delay : waited;
}

static void look_at_teams(struct seen_threads *seen, const struct seen_thread *other)
{
	uint32_t wait = other->wait;

	for (uint32_t i = 0; i < seen->n_teams; i++) {
		struct seen_team *team = &seen->team[i];

		if (!is_in(team, other))
			continue;
		team->n_threads += !team->region;
		if (wait && !profile_wait_is(wait, PROFILE_TIME_IDLE) &&
			!profile_wait_is(wait, PROFILE_TIME_TARGET) && wait != PROFILE_MPI)
			add_waiting(team, wait, site_of(other),
				late_of(seen, BOARD_READ(other->now->since)));
		if (BOARD_READ(other->now->held) & 1ULL << PROFILE_ORDERED)
			team->others_turn = 1;
	}
}

/* The mutexes that the thread holds, as far as they have entries. */
static uint32_t n_held_by(const struct thread *thread)
{
	return thread->mutexes.n_held < THREAD_MAX_HELD ? thread->mutexes.n_held : THREAD_MAX_HELD;
}

static void look_at_mutexes(
	const struct thread *thread, struct seen_threads *seen, const struct seen_thread *other)
{
	uint32_t n = n_held_by(thread);
	uint64_t since, until;

	if (!profile_wait_is(other->wait, PROFILE_TIME_MUTEX))
		return;
	for (uint32_t i = 0; i < n; i++) {
		const struct held_mutex *held = &thread->mutexes.held[i];

		if (!held->slot || !board_asks(other->now, held->wait_id, &since, &until))
			continue;
		seen->held[i]++;
		seen->held_late[i] += late_of(seen, since);
	}
}

static void look_at(
	const struct thread *thread, struct seen_threads *seen, const struct profile_now *now)
{
	struct seen_thread other = { .now = now, .wait = BOARD_ACQUIRE(now->wait) };

	other.region = board_team(now, &other.instance);
	if (is_idle(&other)) {
		seen->n_idle++;
		return;
	}
	seen->n_working += other.wait == 0 || other.wait == PROFILE_MPI;
	look_at_teams(seen, &other);
	look_at_mutexes(thread, seen, &other);
}

/*
 * Looks at all other threads, or at BOARD_LOOK places of the list. Returns how many threads each
 * thread that was seen represents: the places in the list for each place that was looked at. Some
 * places can be empty.
 */
static double look_around(struct thread *thread, struct seen_threads *seen)
{
	uint32_t n_listed = board_n_listed(), first = 0, n = n_listed;

	if (n > BOARD_LOOK) {
		if (!thread->sample.random)
			thread->sample.random = (uint64_t)(uintptr_t)thread;
		first = (uint32_t)(clock_random(&thread->sample.random) >> 32) % n_listed;
		n = BOARD_LOOK;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct profile_now *other = board_at((first + i) % n_listed);

		if (other && other != &thread->record->now)
			look_at(thread, seen, other);
	}
	return n_listed > BOARD_LOOK ? (double)n_listed / BOARD_LOOK : 1.0;
}

/*
 * Whether a wait of this kind is for the other members of a team. Threads wait for a reduction in
 * the barrier that follows it.
 */
static int is_for_the_team(uint32_t wait)
{
	return wait != PROFILE_REDUCTION &&
	       (wait == PROFILE_ORDERED || !profile_wait_is(wait, PROFILE_TIME_MUTEX));
}

static void put(struct thread *thread, uint32_t node, const struct charge *charge)
{
	if (charge->work_ns > 0)
		cct_add_blame(
			&thread->cct, node, charge->flags, charge->key, (uint64_t)charge->work_ns);
	if (charge->late_ns > 0)
		cct_add_blame(&thread->cct, node, charge->flags | charge->late, charge->key,
			(uint64_t)charge->late_ns);
}

/* Charges the path for the threads that wait at one construct of a team. */
static void charge_site(struct thread *thread, uint32_t node, const struct seen_team *team,
	const struct seen_wait *wait, const struct charge *each)
{
	uint8_t by_dependence = depend_is_awaited(thread) ? PROFILE_BLAME_DEPENDENCE : 0;

	put(thread, node,
		&(struct charge){ wait->kind == PROFILE_ORDERED ? 0 : by_dependence, each->late,
			PROFILE_WAIT_KEY(wait->kind, PROFILE_TEAM_ID(team->context, wait->site)),
			each->work_ns * wait->n, each->late_ns * (double)wait->late });
}

/*
 * Charges the path for the threads that wait in one team. Returns the number of its members that
 * work.
 */
static double charge_team(struct thread *thread, uint32_t node, const struct seen_team *team,
	double scale, const struct charge *each)
{
	int has_turn = (thread->record->now.held & 1ULL << PROFILE_ORDERED) != 0;
	double n_threads = team->region ? team->n_threads : 1 + team->n_threads * scale;
	double n_working = n_threads - team->n_waiting * scale;

	if (n_working < 1)
		n_working = 1;
	for (uint32_t kind = 1; kind < PROFILE_N_WAITS && team->n_waiting; kind++) {
		double sharers = n_working;

		if (!team->by_kind[kind] || !is_for_the_team(kind))
			continue;
		if (kind == PROFILE_ORDERED && has_turn)
			sharers = 1;
		else if (kind == PROFILE_ORDERED && team->others_turn)
			continue;
		charge_site(thread, node, team,
			&(struct seen_wait){ 0, kind, team->by_kind[kind], team->late[kind] },
			&(struct charge){ .late = each->late,
				.work_ns = each->work_ns * scale / sharers,
				.late_ns = each->late_ns * scale / sharers });
	}
	for (uint32_t i = 0; i < team->n_sites; i++)
		charge_site(thread, node, team, &team->at[i],
			&(struct charge){ .late = each->late,
				.work_ns = each->work_ns * scale / n_working,
				.late_ns = each->late_ns * scale / n_working });
	return n_working;
}

/* `each` has the charge for a thread that waits, and for a tick in which the thread was late. */
static void charge_all(struct thread *thread, uint32_t node, const struct seen_threads *seen,
	double scale, const struct charge *each)
{
	uint32_t n_held = n_held_by(thread);
	struct charge share = *each;
	double n_idle = seen->n_idle * scale / (1 + seen->n_working * scale);

	for (uint32_t i = 0; i < seen->n_teams; i++) {
		double n = charge_team(thread, node, &seen->team[i], scale, &share);

		share.work_ns /= n;
		share.late_ns /= n;
	}
	for (uint32_t i = 0; i < n_held; i++) {
		const struct held_mutex *held = &thread->mutexes.held[i];

		if (seen->held[i])
			put(thread, node,
				&(struct charge){ PROFILE_BLAME_SAMPLED, each->late,
					PROFILE_WAIT_KEY(held->kind, held->slot->record->wait_id),
					each->work_ns * seen->held[i] * scale,
					each->late_ns * (double)seen->held_late[i] * scale });
	}
	if (seen->n_idle)
		put(thread, node,
			&(struct charge){ 0, each->late, PROFILE_WAIT_KEY(PROFILE_IDLE_BETWEEN, 0),
				each->work_ns * n_idle,
				each->late_ns * (double)seen->delay * n_idle });
}

/* The length of a tick. */
static double ns_of_tick(void)
{
	return (double)RUN_DELAY_LEAST_NS / tool.thresholds.run_delay;
}

static void look_and_charge(
	struct thread *thread, uint32_t node, struct seen_threads *seen, const struct charge *each)
{
	double scale;

	if (!thread->life.is_openmp)
		return;
	find_teams(thread, seen);
	find_helped(thread, seen);
	scale = look_around(thread, seen);
	charge_all(thread, node, seen, scale, each);
}

void blame_sample(struct thread *thread, uint32_t node, uint64_t time_ns, uint64_t delay_ns)
{
	struct charge each = {
		.late = PROFILE_BLAME_NO_CPU, .work_ns = (double)time_ns, .late_ns = ns_of_tick()
	};
	struct seen_threads seen = { .n_teams = 0 };

	if (delay_ns) {
		seen.now = tool_time();
		seen.delay = (uint64_t)((double)delay_ns / ns_of_tick());
	}
	look_and_charge(thread, node, &seen, &each);
}

void blame_sleep(struct thread *thread, uint32_t node, uint64_t begin, uint64_t end)
{
	struct charge each = { .late = PROFILE_BLAME_ASLEEP, .late_ns = ns_of_tick() };
	struct seen_threads seen = { .now = end, .delay = end - begin };

	look_and_charge(thread, node, &seen, &each);
}
