/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places where a rank has more work than others that waited in MPI; see findings.h. The places with
 * most additional work come first. Each takes from the time that a rank waited in MPI what the rank
 * has less of the work, and leaves the rest for the next place. So no time is taken twice.
 */
#include "src/findings/findings.h"

#include <stdlib.h>

#include "src/findings/order.h"

enum {
	LEAST_PERCENT = 110, /* of the mean work; from there on a rank has more */
	ERRORS = 4,          /* standard errors of the number of samples that chance can explain */
};

/* A place, and its shares. */
struct place {
	struct findings_uneven uneven;
	const struct metrics_share *shares;
	size_t n;
	uint32_t team;
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

/* A number for the place of a node: of its region, or of its function. UINT32_MAX: it has none. */
static uint32_t number_of(const struct findings *figures, uint32_t node)
{
	uint32_t name = findings_node(figures, node), serial;

	if (figures->region_of[node] != UINT32_MAX)
		return figures->region_of[node];
	serial = name == NAMES_NONE ? UINT32_MAX : figures->serial_of[name];
	return serial == UINT32_MAX ? UINT32_MAX : (uint32_t)figures->n_regions + serial;
}

/* The shares by the number of their place. NULL when out of memory. */
static struct metrics_share *sort_shares(const struct findings *figures, size_t *n)
{
	const struct metrics *metrics = figures->metrics;
	struct metrics_share *shares = calloc(metrics->n_shares + 1, sizeof(*shares));

	*n = 0;
	for (size_t i = 0; shares && i < metrics->n_shares; i++) {
		shares[*n] = metrics->shares[i];
		shares[*n].node = number_of(figures, metrics->shares[i].node);
		*n += shares[*n].node != UINT32_MAX;
	}
	if (shares)
		*n = metrics_fold(shares, *n, &metrics_shares);
	return shares;
}

static void set_code(struct place *place, const struct findings *figures, uint32_t number)
{
	struct findings_uneven *uneven = &place->uneven;
	const struct findings_region *region = &figures->regions[number];
	const struct findings_serial *serial;

	if (number < figures->n_regions) {
		uneven->region = number;
		uneven->label = region->label;
		uneven->node = findings_node(figures, region->sum.node);
		place->team = region->sum.max_team ? region->sum.max_team : 1;
		return;
	}
	serial = &figures->serial[number - figures->n_regions];
	uneven->region = UINT32_MAX;
	uneven->label = serial->label;
	uneven->node = serial->node;
	place->team = 1;
}

/* Whether a rank has so much more work than the mean that chance does not explain it. */
static int is_more(const struct metrics_share *most, double mean_ns, double mean_samples)
{
	double more = (double)most->samples - mean_samples;

	return (double)most->work_ns * 100.0 >= mean_ns * LEAST_PERCENT && more > 0.0 &&
	       more * more >= (double)ERRORS * ERRORS * (double)most->samples;
}

/* Makes a place of n shares. Returns whether its work is uneven. */
static int make_place(struct place *place, const struct findings *figures,
	const struct metrics_share *shares, size_t n)
{
	const struct metrics_share *most = shares;
	double n_ranks = (double)figures->profile->n_processes, sum_ns = 0.0, samples = 0.0;

	for (size_t i = 0; i < n; i++) {
		sum_ns += (double)shares[i].work_ns;
		samples += (double)shares[i].samples;
		if (shares[i].work_ns > most->work_ns)
			most = &shares[i];
	}
	*place = (struct place){ .shares = shares, .n = n };
	set_code(place, figures, shares->node);
	place->uneven.process = most->process;
	place->uneven.most_ns = most->work_ns / place->team;
	place->uneven.mean_ns = (uint64_t)(sum_ns / n_ranks / place->team);
	return is_more(most, sum_ns / n_ranks, samples / n_ranks);
}

static int by_more(const void *left, const void *right)
{
	const struct findings_uneven *a = &((const struct place *)left)->uneven;
	const struct findings_uneven *b = &((const struct place *)right)->uneven;

	return ORDER({ b->most_ns - b->mean_ns, a->most_ns - a->mean_ns }, { a->node, b->node });
}

static int by_wait(const void *left, const void *right)
{
	const struct findings_uneven *a = left, *b = right;

	return ORDER({ b->wait_ns, a->wait_ns }, { a->node, b->node });
}

/* Takes what the place explains of the ranks' time in MPI. */
static void take_waits(struct place *place, uint64_t *mpi_ns, size_t n_processes)
{
	size_t at = 0;

	for (size_t i = 0; i < n_processes; i++) {
		uint64_t own_ns = 0, less_ns;

		if (at < place->n && place->shares[at].process == i)
			own_ns = place->shares[at++].work_ns / place->team;
		less_ns = own_ns < place->uneven.most_ns ? place->uneven.most_ns - own_ns : 0;
		if (less_ns > mpi_ns[i])
			less_ns = mpi_ns[i];
		mpi_ns[i] -= less_ns;
		place->uneven.wait_ns += less_ns;
	}
}

/* By process: how long its thread with most time in MPI was there. NULL when out of memory. */
static uint64_t *find_mpi(const struct findings *figures)
{
	const struct profile *profile = figures->profile;
	uint64_t *mpi_ns = calloc(profile->n_processes + 1, sizeof(*mpi_ns));

	for (size_t i = 0; mpi_ns && i < profile->n_processes; i++) {
		const struct profile_process *process = &profile->processes[i];
		const struct metrics_thread *threads = figures->metrics->threads;

		for (size_t k = 0; k < process->n_threads; k++)
			metrics_raise(&mpi_ns[i], threads[process->first_thread + k].mpi_ns);
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

/* Fills `places` with the places of uneven work. Returns how many there are. */
static size_t find_places(const struct findings *figures, struct place *places,
	const struct metrics_share *shares, size_t n)
{
	size_t n_places = 0;

	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && shares[end].node == shares[first].node; end++)
			;
		n_places +=
			(size_t)make_place(&places[n_places], figures, &shares[first], end - first);
	}
	return n_places;
}

int findings_add_uneven(struct findings *figures)
{
	size_t n_codes = figures->n_regions + figures->n_serial, n;
	struct metrics_share *shares;
	struct place *places;
	uint64_t *mpi_ns;
	int status = -1;

	if (!is_comparable(figures))
		return 0;
	shares = sort_shares(figures, &n);
	places = calloc(n_codes + 1, sizeof(*places));
	mpi_ns = find_mpi(figures);
	figures->uneven = calloc(n_codes + 1, sizeof(*figures->uneven));
	if (shares && places && mpi_ns && figures->uneven) {
		add_places(figures, places, find_places(figures, places, shares, n), mpi_ns);
		status = 0;
	}
	free(shares);
	free(places);
	free(mpi_ns);
	return status;
}
