/* SPDX-License-Identifier: Apache-2.0 */
/* The time of each process by place, to be compared across processes; see merge_internal.h. */
#include <stdlib.h>

#include "attribution/merge/merge_internal.h"

static int append(struct merge_list *list, const struct metrics_share *share)
{
	if (!share->work_ns && !share->asleep_ns && !share->mpi_ns)
		return 0;
	return merge_append(list, share, 1, sizeof(*share)) ? 0 : -1;
}

/* Appends the work and the sleep of node i, which is in region `region`; 0: in no region. */
static int add_node(struct merge_list *list, const struct tree *tree, uint32_t i, uint32_t region,
	const struct merge_places *places)
{
	struct metrics_share work = { .node = places->node[region ? region : i],
		.process = places->process };
	struct metrics_share sleep = { .node = places->node[i], .process = places->process };
	struct tree_metrics self;

	if (!tree->nodes[i].self)
		return 0;
	self = tree_self(tree, i);
	work.work_ns = self.time_ns[PROFILE_WORK];
	work.samples = work.work_ns ? self.samples : 0;
	sleep.asleep_ns = self.wait_ns[PROFILE_BLOCKED];
	return append(list, &work) == 0 && append(list, &sleep) == 0 ? 0 : -1;
}

/* Appends all nodes outside of the MPI library. Returns 0, or -1 when out of memory. */
static int add_nodes(struct merge_list *list, const struct tree *tree,
	const struct profile *profile, const struct merge_places *places)
{
	uint32_t *region = calloc(tree->n_nodes + 1, sizeof(*region));
	uint8_t *is_mpi = metrics_find_mpi(tree, profile);
	int status = region && is_mpi ? 0 : -1;

	for (uint32_t i = 1; status == 0 && i < tree->n_nodes; i++) {
		region[i] = tree->nodes[i].kind == TREE_REGION ? i : region[tree->nodes[i].parent];
		if (!is_mpi[i])
			status = add_node(list, tree, i, region[i], places);
	}
	free(region);
	free(is_mpi);
	return status;
}

static void fold_from(struct merge_list *list, size_t first)
{
	struct metrics_share *shares = list->items;

	if (list->n > first)
		list->n = first + metrics_fold(&shares[first], list->n - first, &metrics_shares);
}

int merge_shares_add(struct merge_figures *figures, const struct merge_process *process,
	const struct merge_places *places)
{
	const struct tree *tree = process->user_tree ? process->user_tree : process->tree;
	struct merge_list *list = &figures->shares;
	const struct metrics_share calls = { .process = places->process,
		.mpi_ns = process->metrics->ranks.mpi_ns };
	size_t first = list->n;

	if (figures->has_too_many)
		return 0;
	if (append(list, &calls) != 0 || add_nodes(list, tree, process->profile, places) != 0)
		return -1;
	fold_from(list, first);
	figures->has_too_many = list->n > MERGE_SHARES_MOST;
	if (figures->has_too_many) {
		free(list->items);
		*list = (struct merge_list){ 0 };
	}
	return 0;
}
