/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a profile, in the order in which they are made; see metrics.h. */
#include <stdlib.h>
#include <string.h>

#include "attribution/metrics/metrics_internal.h"
#include "attribution/tree/elide.h"

uint8_t *metrics_find_mpi(const struct tree *tree, const struct profile *profile)
{
	uint8_t *modules = calloc(profile->n_modules + 1, sizeof(*modules));
	uint8_t *is_mpi = modules ? calloc(tree->n_nodes + 1, sizeof(*is_mpi)) : NULL;

	for (size_t i = 0; is_mpi && i < profile->n_modules; i++)
		modules[i] = (uint8_t)elide_is_mpi(profile->modules[i].path);
	for (uint32_t i = 1; is_mpi && i < tree->n_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];

		is_mpi[i] = is_mpi[node->parent] ||
			    (node->kind == TREE_FRAME && node->module < profile->n_modules &&
				    modules[node->module]);
	}
	free(modules);
	return is_mpi;
}

/* Sets slots and wall time. Their product is bounded, so that sums stay within 64 bits. */
static void begin(struct metrics *metrics, const struct profile *profile)
{
	const struct profile_header *header = &profile->header;
	uint64_t wall_ns = profile_end_ns(header);
	uint32_t n_openmp = 0;

	*metrics = (struct metrics){
		.n_slots = 1,
		.n_cpus = header->n_cpus > header->around.machine_cpus
				  ? header->n_cpus
				  : header->around.machine_cpus,
		.has_waits = profile->waits != 0,
		.ticks_per_s = header->ticks_per_s,
	};
	for (size_t i = 0; i < profile->n_threads; i++)
		n_openmp += profile->threads[i].type == 1 || profile->threads[i].type == 2;
	for (size_t i = 0; i < profile->n_regions; i++) {
		if (profile->regions[i].max_team > metrics->n_slots)
			metrics->n_slots = profile->regions[i].max_team;
	}
	if (!metrics->has_waits && n_openmp > metrics->n_slots)
		metrics->n_slots = n_openmp;
	metrics->wall_ns = ((uint64_t)1 << 62) / metrics->n_slots;
	if (wall_ns < metrics->wall_ns)
		metrics->wall_ns = wall_ns;
	for (size_t i = 0; i < profile->n_nodes; i++)
		if (profile->nodes[i].kind == PROFILE_NODE_WAIT &&
			profile->nodes[i].wait == PROFILE_MPI)
			metrics_add(&metrics->ranks.mpi_ns, profile->nodes[i].time_ns);
}

struct ranked {
	uint64_t lost_ns;
	uint32_t index;
};

static int compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	return a->lost_ns != b->lost_ns ? metrics_order(b->lost_ns, a->lost_ns)
					: metrics_order(a->index, b->index);
}

/* Sorts the regions by loss, and adapts `outer`. Returns 0, or -1 when out of memory. */
static int sort_regions(struct metrics *metrics)
{
	uint32_t n = (uint32_t)metrics->n_regions;
	struct ranked *ranked = calloc((size_t)n + 1, sizeof(*ranked));
	uint32_t *place = calloc((size_t)n + 1, sizeof(*place));
	struct metrics_region *sorted = calloc((size_t)n + 1, sizeof(*sorted));

	if (ranked && place && sorted) {
		for (uint32_t i = 0; i < n; i++)
			ranked[i] = (struct ranked){ metrics_lost(&metrics->regions[i]), i };
		qsort(ranked, n, sizeof(*ranked), compare_ranked);
		for (uint32_t i = 0; i < n; i++) {
			sorted[i] = metrics->regions[ranked[i].index];
			place[ranked[i].index] = i;
		}
		for (uint32_t i = 0; i < n; i++)
			if (sorted[i].outer != METRICS_NONE)
				sorted[i].outer = place[sorted[i].outer];
		free(metrics->regions);
		metrics->regions = sorted;
	}
	free(ranked);
	free(place);
	if (metrics->regions == sorted)
		return 0;
	free(sorted);
	return -1;
}

static int make(struct metrics_work *work)
{
	work->is_mpi = metrics_find_mpi(work->tree, work->profile);
	if (!work->is_mpi || metrics_find_regions(work) || metrics_begin_phases(work) ||
		metrics_add_up(work))
		return -1;
	work->scratch = calloc(work->profile->n_nodes + 1, sizeof(*work->scratch));
	if (!work->scratch)
		return -1;
	metrics_distribute_threads(work);
	metrics_distribute_run(work);
	metrics_add_counts(work);
	/* There may be a million regions, and the steps below do not need work.regions. */
	free(work->regions);
	work->regions = NULL;
	metrics_find_persistent(work);
	return metrics_distribute_phases(work) || metrics_make_tasks(work) ||
			       metrics_make_targets(work) || metrics_make_locks(work) ||
			       metrics_make_waits(work) || metrics_make_events(work) ||
			       sort_regions(work->metrics)
		       ? -1
		       : 0;
}

int metrics_make(struct metrics *metrics, const struct profile *profile, const struct tree *tree,
	struct diag *diag)
{
	struct metrics_work work = { .metrics = metrics, .profile = profile, .tree = tree };
	int status;

	begin(metrics, profile);
	status = make(&work);
	free(work.region_of);
	free(work.is_mpi);
	free(work.regions);
	free(work.threads);
	free(work.phases);
	free(work.held_ns);
	free(work.scratch);
	if (status) {
		metrics_release(metrics);
		return diag_set(diag, "cannot compute the profile's figures: out of memory");
	}
	return 0;
}
