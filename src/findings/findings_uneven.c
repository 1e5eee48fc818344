/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places where a rank spent more time than others that waited in MPI; see findings.h. The places
 * with most additional time come first. Each takes from the time that a rank waited in MPI what the
 * rank spent less there, and leaves the rest for the next place. So no time is taken twice.
 */
#include "src/findings/findings.h"

#include <stdlib.h>

#include "src/findings/order.h"

enum {
	LEAST_PERCENT = 110, /* of the mean time; from there on a rank has more */
	ERRORS = 4,          /* standard errors of the number of samples that chance can explain */
};

/*
 * The time of one process at a place. A place is a number: of a region, then of a function outside
 * of regions, then of a call that sleeps; the last number is the lack of a CPU.
 */
struct part {
	uint32_t place;
	uint32_t process;
	uint64_t ns;        /* a thread's mean share of thread_ns */
	uint64_t thread_ns; /* of all threads of the team */
	uint64_t samples;   /* 0: the time was measured */
};

struct place {
	struct findings_uneven uneven;
	const struct part *parts;
	size_t n;
};

struct parts {
	struct part *all;
	size_t n;
};

/*
 * Whether all processes are ranks of one program, whose work can be compared. Samples of wall time
 * show sleep as work.
 */
static int is_comparable(const struct findings *figures)
{
	const struct profile *profile = figures->profile;
	const struct tree *tree = figures->tree;

	if (profile->header.clock_kind == PROFILE_CLOCK_WALL)
		return 0;
	if (tree->n_nodes > 1 && tree->nodes[1].kind == TREE_PROGRAM)
		return 0;
	for (size_t i = 0; i < profile->n_processes; i++)
		if (!profile->processes[i].rank ||
			(i && profile->processes[i].rank == profile->processes[i - 1].rank))
			return 0;
	return profile->n_processes > 1;
}

static int by_place(const void *left, const void *right)
{
	const struct part *a = left, *b = right;

	return ORDER({ a->place, b->place }, { a->process, b->process });
}

static void add_part(void *left, const void *right)
{
	struct part *to = left;
	const struct part *from = right;

	metrics_add(&to->ns, from->ns);
	metrics_add(&to->thread_ns, from->thread_ns);
	metrics_add(&to->samples, from->samples);
}

static uint32_t first_sleep(const struct findings *figures)
{
	return (uint32_t)(figures->n_regions + figures->n_serial);
}

static uint32_t no_cpu(const struct findings *figures)
{
	return first_sleep(figures) + (uint32_t)figures->n_sleeps;
}

/* The place of work at a node: its region or its function. UINT32_MAX: it has none. */
static uint32_t work_place(const struct findings *figures, uint32_t node)
{
	uint32_t name = findings_node(figures, node), serial;

	if (figures->region_of[node] != UINT32_MAX)
		return figures->region_of[node];
	serial = name == NAMES_NONE ? UINT32_MAX : figures->serial_of[name];
	return serial == UINT32_MAX ? UINT32_MAX : (uint32_t)figures->n_regions + serial;
}

/* The place of the sleep at a node. UINT32_MAX: it has none. */
static uint32_t sleep_place(const struct findings *figures, uint32_t node)
{
	struct findings_sleep sleep;

	if (!findings_sleep_at(&sleep, figures, node))
		return UINT32_MAX;
	for (size_t i = 0; i < figures->n_sleeps; i++)
		if (findings_compare_calls(&sleep, &figures->sleeps[i]) == 0)
			return first_sleep(figures) + (uint32_t)i;
	return UINT32_MAX;
}

/* The team whose threads share the time at a node. */
static uint32_t team_at(const struct findings *figures, uint32_t node)
{
	uint32_t region = figures->region_of[node];

	if (region == UINT32_MAX || !figures->regions[region].sum.max_team)
		return 1;
	return figures->regions[region].sum.max_team;
}

static void add(struct parts *parts, uint32_t place, struct part part, uint32_t team)
{
	part.place = place;
	part.ns = part.thread_ns / team;
	if (place != UINT32_MAX && part.ns)
		parts->all[parts->n++] = part;
}

/* Work and sleep. The shares are sorted by node, so each node is looked for once. */
static void add_shares(struct parts *parts, const struct findings *figures)
{
	const struct metrics_share *shares = figures->metrics->shares;
	uint32_t asleep = UINT32_MAX;

	for (size_t i = 0; i < figures->metrics->n_shares; i++) {
		const struct metrics_share *share = &shares[i];
		uint32_t team = team_at(figures, share->node);

		add(parts, work_place(figures, share->node),
			(struct part){ .process = share->process,
				.thread_ns = share->work_ns,
				.samples = share->samples },
			team);
		if (!share->asleep_ns)
			continue;
		if (asleep == UINT32_MAX || !i || shares[i - 1].node != share->node)
			asleep = sleep_place(figures, share->node);
		add(parts, asleep,
			(struct part){ .process = share->process, .thread_ns = share->asleep_ns },
			team);
	}
}

/* By process: how long its threads had no CPU in calls of MPI. NULL when out of memory. */
static uint64_t *find_no_cpu_in_mpi(const struct findings *figures)
{
	const struct profile *profile = figures->profile;
	const struct metrics *metrics = figures->metrics;
	uint64_t *ns = calloc(profile->n_processes + 1, sizeof(*ns));

	/* The calls, less the time in them with a CPU. */
	for (size_t i = 0; ns && i < metrics->n_shares; i++)
		metrics_add(&ns[metrics->shares[i].process], metrics->shares[i].mpi_ns);
	for (size_t i = 0; ns && i < profile->n_processes; i++) {
		const struct profile_process *process = &profile->processes[i];
		const struct metrics_thread *threads = &metrics->threads[process->first_thread];

		for (size_t k = 0; k < process->n_threads; k++)
			ns[i] -= ns[i] < threads[k].mpi_ns ? ns[i] : threads[k].mpi_ns;
	}
	return ns;
}

/*
 * How long the initial thread, which is a process' first, had no CPU outside of calls of MPI. A
 * rank without a CPU in MPI comes no later for it. NULL when out of memory.
 */
static uint64_t *find_no_cpu(const struct findings *figures)
{
	const struct profile *profile = figures->profile;
	uint64_t *ns = find_no_cpu_in_mpi(figures);

	for (size_t i = 0; ns && i < profile->n_processes; i++) {
		const struct profile_process *process = &profile->processes[i];
		const struct metrics_thread *first =
			&figures->metrics->threads[process->first_thread];
		uint64_t lacked_ns = process->n_threads ? first->not_running_ns : 0;

		ns[i] = lacked_ns > ns[i] ? lacked_ns - ns[i] : 0;
	}
	return ns;
}

/*
 * Whether the rank that lacked a CPU for longest has so much more work that this explains it: on a
 * crowded machine a thread waits for a CPU the longer, the more it works.
 */
static int is_by_work(const struct findings *figures, const uint64_t *lacked_ns)
{
	const struct profile *profile = figures->profile;
	double work_ns = 0.0, most_work_ns = 0.0, sum_ns = 0.0;
	size_t most = 0;

	for (size_t i = 0; i < profile->n_processes; i++) {
		uint32_t thread = profile->processes[i].first_thread;
		double useful_ns = (double)figures->metrics->threads[thread].useful_ns;

		work_ns += useful_ns;
		sum_ns += (double)lacked_ns[i];
		if (i == 0 || lacked_ns[i] > lacked_ns[most]) {
			most = i;
			most_work_ns = useful_ns;
		}
	}
	return work_ns > 0.0 &&
	       (double)lacked_ns[most] * 100.0 * work_ns < sum_ns * most_work_ns * LEAST_PERCENT;
}

/* All parts, sorted by place and process. Returns 0, or -1 when out of memory. */
static int make_parts(struct parts *parts, const struct findings *figures)
{
	static const struct metrics_kind kind = { sizeof(struct part), by_place, add_part,
		by_place };
	size_t most = 2 * figures->metrics->n_shares + figures->profile->n_processes;

	uint64_t *lacked_ns = find_no_cpu(figures);

	*parts = (struct parts){ calloc(most + 1, sizeof(*parts->all)), 0 };
	if (parts->all && lacked_ns) {
		add_shares(parts, figures);
		if (!is_by_work(figures, lacked_ns))
			for (uint32_t i = 0; i < figures->profile->n_processes; i++)
				add(parts, no_cpu(figures),
					(struct part){ .process = i, .thread_ns = lacked_ns[i] },
					1);
		parts->n = metrics_fold(parts->all, parts->n, &kind);
	}
	free(lacked_ns);
	return parts->all && lacked_ns ? 0 : -1;
}

static void set_code(struct findings_uneven *uneven, const struct findings *figures, uint32_t place)
{
	uneven->region = UINT32_MAX;
	if (place < figures->n_regions) {
		uneven->region = place;
		uneven->label = figures->regions[place].label;
		uneven->node = findings_node(figures, figures->regions[place].sum.node);
	} else if (place < first_sleep(figures)) {
		uneven->label = figures->serial[place - figures->n_regions].label;
		uneven->node = figures->serial[place - figures->n_regions].node;
	} else if (place < no_cpu(figures)) {
		const struct findings_sleep *sleep = &figures->sleeps[place - first_sleep(figures)];

		uneven->kind = FINDINGS_LATE_ASLEEP;
		uneven->label = sleep->caller;
		uneven->call = sleep->call;
		uneven->node = sleep->node;
	} else {
		uneven->kind = FINDINGS_LATE_NO_CPU;
	}
}

/* Whether a rank has so much more time than the mean that chance does not explain it. */
static int is_more(const struct part *most, double mean_ns, double mean_samples)
{
	double more = (double)most->samples - mean_samples;

	if ((double)most->ns * 100.0 < mean_ns * LEAST_PERCENT)
		return 0;
	return !most->samples ||
	       (more > 0.0 && more * more >= (double)ERRORS * ERRORS * (double)most->samples);
}

/* Makes a place of n parts. Returns whether its time is uneven. */
static int make_place(
	struct place *place, const struct findings *figures, const struct part *parts, size_t n)
{
	const struct part *most = parts;
	double n_ranks = (double)figures->profile->n_processes;
	double sum_ns = 0.0, thread_ns = 0.0, samples = 0.0;

	for (size_t i = 0; i < n; i++) {
		sum_ns += (double)parts[i].ns;
		thread_ns += (double)parts[i].thread_ns;
		samples += (double)parts[i].samples;
		if (parts[i].ns > most->ns)
			most = &parts[i];
	}
	*place = (struct place){ .parts = parts, .n = n };
	set_code(&place->uneven, figures, parts->place);
	place->uneven.process = most->process;
	place->uneven.most_ns = most->ns;
	place->uneven.mean_ns = (uint64_t)(sum_ns / n_ranks);
	place->uneven.most_thread_ns = most->thread_ns;
	place->uneven.mean_thread_ns = (uint64_t)(thread_ns / n_ranks);
	return is_more(most, sum_ns / n_ranks, samples / n_ranks);
}

static int by_more(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	return ORDER(
		{ b->uneven.most_ns - b->uneven.mean_ns, a->uneven.most_ns - a->uneven.mean_ns },
		{ a->parts->place, b->parts->place });
}

static int by_wait(const void *left, const void *right)
{
	const struct findings_uneven *a = left, *b = right;

	return ORDER({ b->wait_ns, a->wait_ns }, { a->kind, b->kind }, { a->node, b->node });
}

/* Takes what the place explains of the ranks' time in MPI. */
static void take_waits(struct place *place, uint64_t *mpi_ns, size_t n_processes)
{
	size_t at = 0;

	for (size_t i = 0; i < n_processes; i++) {
		uint64_t own_ns = 0, less_ns;

		if (at < place->n && place->parts[at].process == i)
			own_ns = place->parts[at++].ns;
		less_ns = own_ns < place->uneven.most_ns ? place->uneven.most_ns - own_ns : 0;
		if (less_ns > mpi_ns[i])
			less_ns = mpi_ns[i];
		mpi_ns[i] -= less_ns;
		place->uneven.wait_ns += less_ns;
	}
}

/*
 * By process: how long its thread with most time in MPI was there, with a CPU or without. NULL when
 * out of memory.
 */
static uint64_t *find_mpi(const struct findings *figures)
{
	const struct profile *profile = figures->profile;
	uint64_t *mpi_ns = find_no_cpu_in_mpi(figures);

	for (size_t i = 0; mpi_ns && i < profile->n_processes; i++) {
		const struct profile_process *process = &profile->processes[i];
		const struct metrics_thread *threads = figures->metrics->threads;
		uint64_t most_ns = 0;

		for (size_t k = 0; k < process->n_threads; k++)
			metrics_raise(&most_ns, threads[process->first_thread + k].mpi_ns);
		metrics_add(&mpi_ns[i], most_ns);
	}
	return mpi_ns;
}

static void add_places(
	struct findings *figures, struct place *places, size_t n_places, uint64_t *mpi_ns)
{
	qsort(places, n_places, sizeof(*places), by_more);
	for (size_t i = 0; i < n_places; i++) {
		take_waits(&places[i], mpi_ns, figures->profile->n_processes);
		if (places[i].uneven.wait_ns)
			figures->uneven[figures->n_uneven++] = places[i].uneven;
	}
	qsort(figures->uneven, figures->n_uneven, sizeof(*figures->uneven), by_wait);
}

/* Fills `places` with the uneven places. Returns how many there are. */
static size_t find_places(
	const struct findings *figures, struct place *places, const struct parts *parts)
{
	const struct part *all = parts->all;
	size_t n_places = 0;

	for (size_t first = 0, end; first < parts->n; first = end) {
		for (end = first + 1; end < parts->n && all[end].place == all[first].place; end++)
			;
		n_places +=
			(size_t)make_place(&places[n_places], figures, &all[first], end - first);
	}
	return n_places;
}

int findings_add_uneven(struct findings *figures)
{
	size_t n_most = (size_t)no_cpu(figures) + 2;
	struct parts parts = { NULL, 0 };
	struct place *places;
	uint64_t *mpi_ns;
	int status = -1;

	if (!is_comparable(figures))
		return 0;
	places = calloc(n_most, sizeof(*places));
	mpi_ns = find_mpi(figures);
	figures->uneven = calloc(n_most, sizeof(*figures->uneven));
	if (places && mpi_ns && figures->uneven && make_parts(&parts, figures) == 0) {
		add_places(figures, places, find_places(figures, places, &parts), mpi_ns);
		status = 0;
	}
	free(parts.all);
	free(places);
	free(mpi_ns);
	return status;
}
