/* SPDX-License-Identifier: Apache-2.0 */
/* The work of each process by place, to be compared across processes; see merge_internal.h. */
#include <stdlib.h>

#include "attribution/merge/merge_internal.h"

/* Appends the work of node i, which is in region `region`; 0: in no region. */
static int add_node(struct merge_list *list, const struct tree *tree, uint32_t i, uint32_t region,
	const struct merge_places *places)
{
	struct tree_metrics self;
	struct metrics_share share = { places->node[region ? region : i], places->process, 0, 0 };

	if (!tree->nodes[i].self)
		return 0;
	self = tree_self(tree, i);
	share.work_ns = self.time_ns[PROFILE_WORK];
	share.samples = self.samples;
	if (!share.work_ns)
		return 0;
	return merge_append(list, &share, 1, sizeof(share)) ? 0 : -1;
}

static void fold_from(struct merge_list *list, size_t first)
{
	struct metrics_share *shares = list->items;

	if (list->n > first)
		list->n = first + metrics_fold(&shares[first], list->n - first, &metrics_shares);
}

int merge_shares_add(
	struct merge_figures *figures, const struct tree *tree, const struct merge_places *places)
{
	struct merge_list *list = &figures->shares;
	uint32_t *region =
		figures->has_too_many ? NULL : calloc(tree->n_nodes + 1, sizeof(*region));
	size_t first = list->n;
	int status = 0;

	if (!region)
		return figures->has_too_many ? 0 : -1;
	for (uint32_t i = 1; status == 0 && i < tree->n_nodes; i++) {
		region[i] = tree->nodes[i].kind == TREE_REGION ? i : region[tree->nodes[i].parent];
		status = add_node(list, tree, i, region[i], places);
	}
	free(region);
	fold_from(list, first);
	figures->has_too_many = list->n > MERGE_SHARES_MOST;
	if (figures->has_too_many) {
		free(list->items);
		*list = (struct merge_list){ 0 };
	}
	return status;
}
