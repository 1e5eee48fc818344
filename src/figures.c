/* SPDX-License-Identifier: Apache-2.0 */
/* Regions and task sites by their place in the source; see figures.h. */
#include "src/figures.h"

#include <stdlib.h>
#include <string.h>

/* Strings are interned, so that their addresses tell whether they are the same. */
int figures_compare_places(const struct name_label *a, const struct name_label *b)
{
	if (a->name != b->name)
		return (uintptr_t)a->name < (uintptr_t)b->name ? -1 : 1;
	if (a->function != b->function)
		return (uintptr_t)a->function < (uintptr_t)b->function ? -1 : 1;
	if (a->file != b->file)
		return (uintptr_t)a->file < (uintptr_t)b->file ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

uint32_t figures_node(const struct figures *figures, uint32_t tree_node)
{
	return tree_node < figures->tree->n_nodes ? figures->names->node_of[tree_node] : NAMES_NONE;
}

const struct name_label *figures_label(const struct figures *figures, uint32_t tree_node)
{
	const struct name_node *nodes = figures->names->nodes;
	uint32_t at = figures_node(figures, tree_node);

	if (at == NAMES_NONE)
		return NULL;
	while (at != 0 &&
		(nodes[at].label.kind == NAME_WAIT || nodes[at].label.kind == NAME_RUNTIME))
		at = nodes[at].parent;
	return &nodes[at].label;
}

struct name_place figures_place(const struct figures *figures, uint32_t tree_node)
{
	return tree_node < figures->tree->n_nodes ? figures->names->place_of[tree_node]
						  : (struct name_place){ "", 0 };
}

uint64_t figures_capacity(const struct metrics_region *region)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < METRICS_N_CAUSES; i++)
		sum += region->cause_ns[i];
	return sum;
}

static uint64_t lost_ns(const struct metrics_region *region)
{
	return figures_capacity(region) - region->cause_ns[METRICS_USEFUL];
}

static int by_place(const void *left, const void *right)
{
	const struct figures_region *a = left, *b = right;
	int order = figures_compare_places(a->label, b->label);

	if (order != 0)
		return order;
	if (a->lost_ns != b->lost_ns)
		return a->lost_ns > b->lost_ns ? -1 : 1;
	return a->sum.node < b->sum.node ? -1 : a->sum.node > b->sum.node;
}

static int by_loss(const void *left, const void *right)
{
	const struct figures_region *a = left, *b = right;

	if (a->lost_ns != b->lost_ns)
		return a->lost_ns > b->lost_ns ? -1 : 1;
	if (a->sum.wall_ns != b->sum.wall_ns)
		return a->sum.wall_ns > b->sum.wall_ns ? -1 : 1;
	return a->sum.node < b->sum.node ? -1 : a->sum.node > b->sum.node;
}

/* The named node of a region is listed once, though several attributed ones may be it. */
static void add_node(struct figures_region *region, uint32_t node, uint8_t *is_listed)
{
	if (is_listed[node])
		return;
	is_listed[node] = 1;
	region->nodes[region->n_nodes++] = node;
}

/* Of regions that were begun in pauses alone, or in phases that are not shown, there is nothing. Returns how many are
   left. */
static size_t drop_empty(struct figures_region *regions, size_t n)
{
	size_t n_left = 0;

	for (size_t i = 0; i < n; i++) {
		const struct metrics_region *sum = &regions[i].sum;

		if (sum->n || sum->wall_ns || sum->thread_ns || regions[i].lost_ns ||
			sum->cause_ns[METRICS_USEFUL])
			regions[n_left++] = regions[i];
	}
	return n_left;
}

int figures_add_regions(struct figures *figures)
{
	const struct metrics *metrics = figures->metrics;
	struct figures_region *regions = calloc(metrics->n_regions + 1, sizeof(*regions));
	uint8_t *is_listed = calloc(figures->names->n_nodes, sizeof(*is_listed));
	size_t n = 0;

	figures->regions = regions;
	figures->region_nodes = calloc(metrics->n_regions + 1, sizeof(*figures->region_nodes));
	if (!regions || !figures->region_nodes || !is_listed) {
		free(is_listed);
		return -1;
	}
	for (size_t i = 0; i < metrics->n_regions; i++) {
		regions[i].sum = metrics->regions[i];
		regions[i].label = figures_label(figures, regions[i].sum.node);
		regions[i].lost_ns = lost_ns(&regions[i].sum);
	}
	qsort(regions, metrics->n_regions, sizeof(*regions), by_place);
	for (size_t i = 0; i < metrics->n_regions; i++) {
		struct figures_region *last = n ? &regions[n - 1] : NULL;
		uint32_t node = figures_node(figures, regions[i].sum.node);

		if (last && figures_compare_places(last->label, regions[i].label) == 0) {
			metrics_region_add(&last->sum, &regions[i].sum);
			last->lost_ns += regions[i].lost_ns;
		} else {
			regions[n] = regions[i];
			last = &regions[n++];
			last->nodes = figures->region_nodes + i;
			last->task = last->await = UINT32_MAX;
		}
		add_node(last, node, is_listed);
	}
	free(is_listed);
	n = drop_empty(regions, n);
	qsort(regions, n, sizeof(*regions), by_loss);
	figures->n_regions = n;
	return 0;
}

int figures_make(struct figures *figures, const struct figures_input *input, struct diag *diag)
{
	memset(figures, 0, sizeof(*figures));
	figures->profile = input->profile;
	figures->tree = input->tree;
	figures->names = input->names;
	figures->metrics = input->metrics;
	if (figures_add_regions(figures) == 0 && figures_add_tasks(figures) == 0 &&
		figures_add_targets(figures) == 0 && figures_sort_locks(figures) == 0 &&
		figures_add_waits(figures, input) == 0 && figures_add_locks(figures, input) == 0 &&
		figures_add_serial(figures) == 0 && figures_add_events(figures) == 0)
		return 0;
	return diag_set(diag, "cannot name the figures of the profile: out of memory");
}

void figures_release(struct figures *figures)
{
	free(figures->regions);
	free(figures->region_nodes);
	free(figures->tasks);
	free(figures->targets);
	free(figures->awaits);
	free(figures->waits);
	free(figures->wait_names);
	free(figures->causes);
	free(figures->locks);
	free(figures->lock_keys);
	free(figures->serial);
	free(figures->events);
	free(figures->event_threads);
	memset(figures, 0, sizeof(*figures));
}
