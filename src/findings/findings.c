/* SPDX-License-Identifier: Apache-2.0 */
/* Regions by their place in the source; see findings.h. */
#include "src/findings/findings.h"

#include <stdlib.h>
#include <string.h>

#include "src/findings/order.h"

int findings_compare_places(const struct name_label *a, const struct name_label *b)
{
	return ORDER(ORDER_STRINGS(a->name, b->name), ORDER_STRINGS(a->function, b->function),
		ORDER_STRINGS(a->file, b->file), { a->line, b->line });
}

uint32_t findings_node(const struct findings *figures, uint32_t tree_node)
{
	return tree_node < figures->tree->n_nodes ? figures->names->node_of[tree_node] : NAMES_NONE;
}

uint32_t findings_code(const struct findings *figures, uint32_t tree_node)
{
	const struct name_node *nodes = figures->names->nodes;
	uint32_t at = findings_node(figures, tree_node);

	while (at != NAMES_NONE && at != 0 &&
		(nodes[at].label->kind == NAME_WAIT || nodes[at].label->kind == NAME_RUNTIME))
		at = nodes[at].parent;
	return at;
}

const struct name_label *findings_label(const struct findings *figures, uint32_t tree_node)
{
	uint32_t at = findings_code(figures, tree_node);

	return at == NAMES_NONE ? NULL : figures->names->nodes[at].label;
}

struct name_place findings_place(const struct findings *figures, uint32_t tree_node)
{
	return tree_node < figures->tree->n_nodes ? figures->names->place_of[tree_node]
						  : (struct name_place){ "", 0 };
}

uint64_t findings_sum_causes(const uint64_t cause_ns[METRICS_N_CAUSES])
{
	uint64_t sum = 0;

	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		sum += cause_ns[i];
	return sum;
}

/* A region of the metrics, to be joined with others of the same place. */
struct candidate {
	const struct name_label *label;
	uint64_t lost_ns;
	uint32_t node;
	uint32_t index;
};

static int by_place(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;
	int order = findings_compare_places(a->label, b->label);

	return order ? order : ORDER({ b->lost_ns, a->lost_ns }, { a->node, b->node });
}

static int by_loss(const void *left, const void *right)
{
	const struct findings_region *a = left, *b = right;

	return ORDER({ b->lost_ns, a->lost_ns }, { b->sum.wall_ns, a->sum.wall_ns },
		{ a->sum.node, b->sum.node });
}

/* Several attributed nodes can have the same named node: it is listed once. */
static void add_node(struct findings_region *region, uint32_t node, uint8_t *is_listed)
{
	if (is_listed[node])
		return;
	is_listed[node] = 1;
	region->nodes[region->n_nodes++] = node;
}

/*
 * Drops regions without figures: they began only in pauses, or in what --phase or --time leaves
 * out. Returns how many regions are left.
 */
static size_t drop_empty(struct findings_region *regions, size_t n)
{
	size_t n_left = 0;

	for (size_t i = 0; i < n; i++) {
		const struct metrics_region *sum = &regions[i].sum;

		if (sum->n || sum->wall_ns || sum->thread_ns || regions[i].lost_ns ||
			sum->cause_ns[METRICS_USEFUL])
			regions[n_left++] = regions[i];
		else
			free(sum->lengths);
	}
	return n_left;
}

/* Returns the regions of the metrics, sorted by place, or NULL when out of memory. */
static struct candidate *sort_regions(const struct findings *figures)
{
	const struct metrics *metrics = figures->metrics;
	struct candidate *candidates = calloc(metrics->n_regions + 1, sizeof(*candidates));

	for (uint32_t i = 0; candidates && i < metrics->n_regions; i++) {
		const struct metrics_region *region = &metrics->regions[i];

		candidates[i] = (struct candidate){ findings_label(figures, region->node),
			metrics_lost(region), region->node, i };
	}
	if (candidates)
		qsort(candidates, metrics->n_regions, sizeof(*candidates), by_place);
	return candidates;
}

static size_t count_places(const struct candidate *candidates, size_t n)
{
	size_t n_places = 0;

	for (size_t i = 0; i < n; i++)
		n_places += !i || findings_compare_places(
					  candidates[i - 1].label, candidates[i].label) != 0;
	return n_places;
}

/*
 * Makes one region of candidates[0 .. n), which have the same place. Returns 0, or -1 when out of
 * memory.
 */
static int add_region(
	struct findings *figures, const struct candidate *candidates, size_t n, uint8_t *is_listed)
{
	const struct metrics_region *regions = figures->metrics->regions;
	struct findings_region *region = &figures->regions[figures->n_regions];
	const struct findings_region *last = figures->n_regions ? region - 1 : NULL;

	figures->n_regions++;
	*region = (struct findings_region){
		.sum = regions[candidates[0].index],
		.label = candidates[0].label,
		.lost_ns = candidates[0].lost_ns,
		.nodes = last ? last->nodes + last->n_nodes : figures->region_nodes,
		.task = UINT32_MAX,
		.await = UINT32_MAX,
	};
	region->sum.lengths = NULL;
	for (size_t i = 0; i < n; i++) {
		const struct metrics_region *other = &regions[candidates[i].index];

		if (metrics_lengths_add(&region->sum.lengths, other->lengths) != 0)
			return -1;
		if (i) {
			metrics_region_add(&region->sum, other);
			region->lost_ns += candidates[i].lost_ns;
		}
		add_node(region, findings_node(figures, candidates[i].node), is_listed);
	}
	return 0;
}

static int add_places(
	struct findings *figures, const struct candidate *candidates, uint8_t *is_listed)
{
	size_t n = figures->metrics->n_regions;

	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && findings_compare_places(candidates[first].label,
							 candidates[end].label) == 0;
			end++)
			;
		if (add_region(figures, &candidates[first], end - first, is_listed) != 0)
			return -1;
	}
	return 0;
}

static int find_regions(struct findings *figures)
{
	const struct tree *tree = figures->tree;
	uint32_t *of_name = malloc(figures->names->n_nodes * sizeof(*of_name));
	uint32_t *region_of = malloc((tree->n_nodes + 1) * sizeof(*region_of));

	figures->region_of = region_of;
	if (!of_name || !region_of) {
		free(of_name);
		return -1;
	}
	memset(of_name, 0xff, figures->names->n_nodes * sizeof(*of_name));
	for (uint32_t k = 0; k < figures->n_regions; k++)
		for (size_t i = 0; i < figures->regions[k].n_nodes; i++)
			of_name[figures->regions[k].nodes[i]] = k;
	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];

		region_of[i] = i ? region_of[node->parent] : UINT32_MAX;
		if (node->kind == TREE_REGION)
			region_of[i] = of_name[findings_node(figures, i)];
	}
	free(of_name);
	return 0;
}

static int add_regions(struct findings *figures)
{
	struct candidate *candidates = sort_regions(figures);
	uint8_t *is_listed = calloc(figures->names->n_nodes, sizeof(*is_listed));
	int status = -1;

	figures->region_nodes =
		calloc(figures->metrics->n_regions + 1, sizeof(*figures->region_nodes));
	if (candidates)
		figures->regions = calloc(count_places(candidates, figures->metrics->n_regions) + 1,
			sizeof(*figures->regions));
	if (candidates && figures->regions && figures->region_nodes && is_listed)
		status = add_places(figures, candidates, is_listed);
	free(candidates);
	free(is_listed);
	if (status != 0)
		return -1;
	figures->n_regions = drop_empty(figures->regions, figures->n_regions);
	qsort(figures->regions, figures->n_regions, sizeof(*figures->regions), by_loss);
	return find_regions(figures);
}

int findings_make(struct findings *figures, const struct findings_input *input, struct diag *diag)
{
	memset(figures, 0, sizeof(*figures));
	figures->profile = input->profile;
	figures->tree = input->tree;
	figures->names = input->names;
	figures->metrics = input->metrics;
	figures->run = input->run;
	if (add_regions(figures) == 0 && findings_add_tasks(figures) == 0 &&
		findings_add_targets(figures) == 0 && findings_sort_locks(figures) == 0 &&
		findings_add_waits(figures, input) == 0 && findings_add_constructs(figures) == 0 &&
		findings_add_locks(figures, input) == 0 && findings_add_serial(figures) == 0 &&
		findings_add_sleeps(figures) == 0 && findings_add_late(figures) == 0 &&
		findings_add_events(figures) == 0 && findings_add_uneven(figures) == 0)
		return 0;
	return diag_set(diag, "cannot name the figures of the profile: out of memory");
}

void findings_release(struct findings *figures)
{
	for (size_t i = 0; i < figures->n_regions; i++)
		free(figures->regions[i].sum.lengths);
	free(figures->regions);
	free(figures->region_nodes);
	free(figures->region_of);
	free(figures->tasks);
	free(figures->targets);
	free(figures->awaits);
	free(figures->waits);
	free(figures->wait_names);
	free(figures->causes);
	free(figures->constructs);
	free(figures->locks);
	free(figures->lock_keys);
	free(figures->serial);
	free(figures->serial_of);
	free(figures->uneven);
	free(figures->sleeps);
	free(figures->late);
	free(figures->events);
	free(figures->event_threads);
	memset(figures, 0, sizeof(*figures));
}
