/* SPDX-License-Identifier: Apache-2.0 */
/* Applies filters to a report whose figures have been made; see report.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/filter.h"
#include "src/report/report_internal.h"

/* The selected figures of node i. Its executions stay: they belong to no thread or state. */
static struct tree_metrics left_of(const struct report *report, const uint8_t *hits, uint32_t i)
{
	const struct tree *tree = &report->tree;
	struct tree_metrics left = { .samples = 0 };

	if (filter_selects(report->filter, hits[i]))
		left = tree->kept ? tree_kept(tree, i) : tree_self(tree, i);
	left.n_executions = tree_self(tree, i).n_executions;
	return left;
}

static int drop_executions_of(struct sparse *figures, uint32_t *at)
{
	struct tree_metrics self = sparse_metrics_get(figures, *at);

	if (!self.n_executions)
		return 0;
	self.n_executions = 0;
	return sparse_metrics_set(figures, at, &self);
}

/* Removes the executions of nodes that have no selected figures, and no node below with any. */
static int drop_executions(struct report *report)
{
	struct name_tree *names = &report->names;
	struct tree *tree = &report->tree;
	uint8_t *has_any = calloc(names->n_nodes, sizeof(*has_any));
	int status = has_any ? 0 : -1;

	for (size_t i = names->n_nodes; status == 0 && i-- > 0;) {
		struct tree_metrics self = name_self(names, i);

		has_any[i] |= (uint8_t)tree_metrics_any(&self);
		if (!has_any[i])
			status = drop_executions_of(&names->figures, &names->nodes[i].self);
		else if (i)
			has_any[names->nodes[i].parent] = 1;
	}
	for (size_t i = 0; status == 0 && i < tree->n_nodes; i++)
		if (!has_any[names->node_of[i]])
			status = drop_executions_of(&tree->figures, &tree->nodes[i].self);
	free(has_any);
	return status;
}

static int filter_nodes(struct report *report)
{
	struct name_tree *names = &report->names;
	struct tree_metrics *shown = &report->totals.shown;
	struct tree *tree = &report->tree;
	uint8_t *hits = filter_match_tree(report->filter, names, tree);
	int status = hits ? 0 : -1;

	*shown = (struct tree_metrics){ .samples = 0 };
	sparse_metrics_release(&names->figures);
	for (size_t i = 0; i < names->n_nodes; i++)
		names->nodes[i].self = 0;
	for (uint32_t i = 0; status == 0 && i < tree->n_nodes; i++) {
		struct tree_metrics left = left_of(report, hits, i);

		report->rows.found |= hits[i];
		status = sparse_metrics_set(&tree->figures, &tree->nodes[i].self, &left);
		if (status == 0)
			status = name_add(names, names->node_of[i], &left);
		tree_metrics_add(shown, &left);
	}
	free(hits);
	return status == 0 ? drop_executions(report) : -1;
}

/* Data for the choice of rows. */
struct choice {
	struct report *report;
	uint8_t *hits; /* by node of figures.names */
	/* by node of figures.names: index into figures.regions, or UINT32_MAX */
	uint32_t *of_named;
};

static int selects_named(const struct choice *choice, uint32_t named)
{
	return filter_selects_region(
		choice->report->filter, named == NAMES_NONE ? 0 : choice->hits[named]);
}

/* A region has one row for all paths to it; it is selected if one of them is. */
static void choose_regions(const struct choice *choice)
{
	const struct findings *figures = &choice->report->figures;
	struct report_rows *rows = &choice->report->rows;

	for (uint32_t i = 0; i < figures->n_regions; i++) {
		const struct findings_region *region = &figures->regions[i];
		size_t n = 0;

		for (size_t k = 0; k < region->n_nodes; k++) {
			n += (size_t)selects_named(choice, region->nodes[k]);
			choice->of_named[region->nodes[k]] = i;
		}
		rows->regions[i] = n > 0;
		rows->n_mixed += n > 0 && n < region->n_nodes;
	}
}

static int selects_class(const struct filter *filter, enum profile_wait kind)
{
	return !(filter->given & FILTER_STATE) || filter->classes & 1u << tree_wait_class(kind);
}

/* Whether --region, if it is given, selects the region of a wait. Mutexes belong to no region. */
static int is_in_regions(const struct choice *choice, const struct metrics_wait *wait)
{
	uint32_t named = findings_node(&choice->report->figures, wait->region);
	uint32_t region = named == NAMES_NONE ? UINT32_MAX : choice->of_named[named];

	if (!(choice->report->filter->given & FILTER_REGION))
		return 1;
	if (findings_is_mutex(wait->kind))
		return 0;
	return region == UINT32_MAX ? selects_named(choice, named)
				    : choice->report->rows.regions[region];
}

static void choose_waits(const struct choice *choice)
{
	const struct filter *filter = choice->report->filter;
	const struct metrics *metrics = &choice->report->metrics;
	const struct findings *figures = &choice->report->figures;
	struct report_rows *rows = &choice->report->rows;

	for (size_t i = 0; i < figures->n_waits; i++) {
		const struct metrics_wait *wait = &figures->waits[i].sum;
		int is_left = selects_class(filter, wait->kind);

		rows->waits[i] = is_left && is_in_regions(choice, wait);
		rows->n_uncut += is_left && wait->wait_ns && filter->given & FILTER_REGION &&
				 findings_is_mutex(wait->kind);
	}
	for (size_t i = 0; i < figures->n_constructs; i++) {
		const struct findings_construct *construct = &figures->constructs[i];

		rows->constructs[i] = construct->wait != UINT32_MAX
					      ? rows->waits[construct->wait]
					      : selects_class(filter, construct->kind) &&
							!(filter->given & FILTER_REGION);
	}
	for (size_t i = 0; i < metrics->n_waits; i++)
		rows->metrics_waits[i] = selects_class(filter, metrics->waits[i].kind) &&
					 is_in_regions(choice, &metrics->waits[i]);
}

/* `region` is an index into figures.regions, or UINT32_MAX for code in no region. */
static uint8_t selects_region(const struct choice *choice, uint32_t region)
{
	return region == UINT32_MAX ? (uint8_t)selects_named(choice, NAMES_NONE)
				    : choice->report->rows.regions[region];
}

static void choose_others(const struct choice *choice)
{
	const struct report *report = choice->report;
	const struct findings *figures = &report->figures;
	const struct report_rows *rows = &report->rows;

	for (size_t i = 0; i < figures->n_locks; i++)
		rows->locks[i] = (uint8_t)selects_class(report->filter, figures->locks[i].sum.kind);
	for (size_t i = 0; i < figures->n_tasks; i++)
		rows->tasks[i] = selects_region(choice, figures->tasks[i].region);
	for (size_t i = 0; i < figures->n_targets; i++)
		rows->targets[i] = selects_region(choice, figures->targets[i].region);
	for (size_t i = 0; i < figures->n_events; i++)
		rows->events[i] = selects_region(choice, figures->events[i].region);
	for (size_t i = 0; i < report->metrics.n_threads && i < report->profile.n_threads; i++)
		rows->threads[i] = !(report->filter->given & FILTER_THREAD) ||
				   (uint8_t)filter_has_thread(report->filter, &report->profile, i);
}

static int allocate_rows(struct report *report)
{
	struct report_rows *rows = &report->rows;
	const struct findings *figures = &report->figures;

	rows->regions = calloc(figures->n_regions + 1, 1);
	rows->waits = calloc(figures->n_waits + 1, 1);
	rows->constructs = calloc(figures->n_constructs + 1, 1);
	rows->metrics_waits = calloc(report->metrics.n_waits + 1, 1);
	rows->locks = calloc(figures->n_locks + 1, 1);
	rows->tasks = calloc(figures->n_tasks + 1, 1);
	rows->targets = calloc(figures->n_targets + 1, 1);
	rows->events = calloc(figures->n_events + 1, 1);
	rows->threads = calloc(report->metrics.n_threads + 1, 1);
	return rows->regions && rows->waits && rows->constructs && rows->metrics_waits &&
			       rows->locks && rows->tasks && rows->targets && rows->events &&
			       rows->threads
		       ? 0
		       : -1;
}

static int choose_rows(struct report *report)
{
	const struct name_tree *names = report->figures.names;
	struct choice choice = { .report = report,
		.hits = filter_match(report->filter, FILTER_REGION, names),
		.of_named = malloc((names->n_nodes + 1) * sizeof(*choice.of_named)) };
	int status = -1;

	if (choice.hits && choice.of_named && allocate_rows(report) == 0) {
		memset(choice.of_named, 0xff, names->n_nodes * sizeof(*choice.of_named));
		choose_regions(&choice);
		choose_waits(&choice);
		choose_others(&choice);
		status = 0;
	}
	free(choice.hits);
	free(choice.of_named);
	return status;
}

void report_rows_release(struct report_rows *rows)
{
	free(rows->regions);
	free(rows->waits);
	free(rows->constructs);
	free(rows->metrics_waits);
	free(rows->locks);
	free(rows->tasks);
	free(rows->targets);
	free(rows->events);
	free(rows->threads);
	*rows = (struct report_rows){ NULL };
}

int report_filter(struct report *report, const struct filter *filter, struct diag *diag)
{
	report->filter = filter;
	report->totals.shown = report->totals.all;
	if (!filter || !filter->given)
		return 0;
	if (filter_nodes(report) != 0 || choose_rows(report) != 0)
		return diag_set(diag, "cannot filter the profile: out of memory");
	return 0;
}

int report_shows_outside(const struct report *report)
{
	return !report->filter || filter_selects_region(report->filter, 0);
}

const struct tree_metrics *report_whole(const struct report *report)
{
	return report->filter && report->filter->is_relative ? &report->totals.shown
							     : &report->totals.all;
}
