/* SPDX-License-Identifier: Apache-2.0 */
/* The call trees of two runs as one; see diff.h. */
#include "src/compare/diff.h"

#include <math.h>
#include <stdlib.h>

#include "src/compare/diff_internal.h"

enum { NONE = UINT32_MAX };

/* A node of the first run: its parent, its index in diff.functions, and its own index. */
struct found {
	uint32_t parent, function, node;
};

static int by_parent(const void *left, const void *right)
{
	const struct found *a = left, *b = right;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	return (a->function > b->function) - (a->function < b->function);
}

/* By place of a run: the index of its pair in diff.functions. NULL when out of memory. */
static uint32_t *index_places(const struct diff *diff, const struct diff_run *run, int is_after)
{
	uint32_t *of = calloc(run->n_places + 1, sizeof(*of));

	for (size_t i = 0; of && i < diff->n_functions; i++) {
		const struct diff_pair *pair = diff->functions[i];
		const struct diff_place *place = is_after ? pair->after : pair->before;

		if (place)
			of[place - run->places] = (uint32_t)i;
	}
	return of;
}

/* The first run's nodes become the first nodes, in the same order. Lists those but the root. */
static void take_before(struct diff *diff, const uint32_t *function_of, struct found *found)
{
	const struct diff_run *run = diff->before;

	for (uint32_t i = 0; i < run->n_paths; i++) {
		const struct diff_path *path = &run->paths[i];
		uint32_t function = i ? function_of[path->place] : NONE;

		diff->nodes[i] = (struct diff_node){ .parent = i ? path->parent : NONE,
			.function = function,
			.value.before_ns = path->total };
		if (i)
			found[i - 1] = (struct found){ path->parent, function, i };
	}
	diff->n_nodes = run->n_paths;
}

/* Adds the second run: its nodes that the first run has, and behind these the others. */
static void add_after(struct diff *diff, const uint32_t *function_of, const struct found *found,
	uint32_t *node_of)
{
	const struct diff_run *run = diff->after;

	diff->nodes[0].value.after_ns = run->paths[0].total;
	for (uint32_t i = 1; i < run->n_paths; i++) {
		struct found key = { node_of[run->paths[i].parent],
			function_of[run->paths[i].place], 0 };
		const struct found *same =
			bsearch(&key, found, diff->before->n_paths - 1, sizeof(*found), by_parent);

		node_of[i] = same ? same->node : (uint32_t)diff->n_nodes++;
		if (!same)
			diff->nodes[node_of[i]] = (struct diff_node){ .parent = key.parent,
				.function = key.function };
		diff->nodes[node_of[i]].value.after_ns = run->paths[i].total;
	}
}

/*
 * The variance of a node of this time: that of its samples. If the function differs by more between
 * repeated runs, the node differs in proportion.
 */
static double variance_of(
	const struct diff_run *run, const struct diff_place *place, uint64_t total)
{
	const struct diff_amounts *amounts = diff_amounts(place);
	double share = amounts->total ? (double)total / (double)amounts->total : 0;

	return fmax(run->period_ns * (double)total, amounts->total_variance * diff_square(share));
}

static void set_changes(struct diff *diff)
{
	static const struct diff_pair none;

	for (size_t i = 0; i < diff->n_nodes; i++) {
		const struct diff_node *node = &diff->nodes[i];
		const struct diff_pair *pair =
			node->function == NONE ? &none : diff->functions[node->function];
		struct diff_value *value = &diff->nodes[i].value;

		*value = diff_thread_value(diff, value->before_ns, value->after_ns,
			variance_of(diff->before, pair->before, value->before_ns),
			variance_of(diff->after, pair->after, value->after_ns));
	}
}

int diff_tree_make(struct diff *diff)
{
	size_t n_before = diff->before->n_paths, n_after = diff->after->n_paths;
	uint32_t *before = index_places(diff, diff->before, 0);
	uint32_t *after = index_places(diff, diff->after, 1);
	uint32_t *node_of = calloc(n_after, sizeof(*node_of));
	struct found *found = calloc(n_before, sizeof(*found));
	int status = -1;

	diff->nodes = calloc(n_before + n_after, sizeof(*diff->nodes));
	if (before && after && node_of && found && diff->nodes) {
		take_before(diff, before, found);
		qsort(found, n_before - 1, sizeof(*found), by_parent);
		add_after(diff, after, found, node_of);
		set_changes(diff);
		status = 0;
	}
	free(before);
	free(after);
	free(node_of);
	free(found);
	return status;
}
