/* SPDX-License-Identifier: Apache-2.0 */
/* Makes functions and lines with their figures from the attributed tree; see annotate.h. */
#include "src/annotate/annotate.h"

#include <stdlib.h>
#include <string.h>

#include "profile/shared/array.h"

struct annotate_figures annotate_figures_of(
	const struct report *report, const struct tree_metrics *metrics)
{
	return (struct annotate_figures){
		.amount = report_metric(report, metrics, METRIC_TOTAL),
		.work_ns = report_metric(report, metrics, METRIC_WORK),
		.wait_ns = report_metric(report, metrics, METRIC_WAIT),
		.overhead_ns = report_metric(report, metrics, METRIC_OVERHEAD),
		.blame_ns = report_metric(report, metrics, METRIC_BLAME),
		.samples = report_metric(report, metrics, METRIC_SAMPLES),
	};
}

void annotate_add(struct annotate_figures *to, const struct annotate_figures *from)
{
	to->amount += from->amount;
	to->work_ns += from->work_ns;
	to->wait_ns += from->wait_ns;
	to->overhead_ns += from->overhead_ns;
	to->blame_ns += from->blame_ns;
	to->samples += from->samples;
}

int annotate_is_zero(const struct annotate_figures *figures)
{
	return !figures->amount && !figures->work_ns && !figures->wait_ns &&
	       !figures->overhead_ns && !figures->blame_ns && !figures->samples;
}

static int is_code(const struct tree_node *node)
{
	return node->kind == TREE_FRAME || tree_is_construct(node->kind);
}

uint32_t annotate_code_of(const struct tree *tree, uint32_t i)
{
	const struct tree_node *node = &tree->nodes[i];

	if (node->kind == TREE_WAIT || node->kind == TREE_RUNTIME)
		i = node->parent;
	return i != UINT32_MAX && is_code(&tree->nodes[i]) ? i : NAMES_NONE;
}

static uint32_t add_place(struct annotate *a, enum annotate_by by, const struct name_label *owner,
	const char *file, uint32_t line)
{
	const char *empty = a->sites.empty;
	struct name_label place = { .kind = NAME_FUNCTION,
		.name = empty,
		.module = empty,
		.file = file,
		.decl_file = empty,
		.function = empty };
	struct name_label outer = place;
	uint32_t node;

	if (by == ANNOTATE_FUNCTIONS) {
		outer.name = owner->name;
		outer.module = owner->module;
		outer.file = owner->decl_file[0] ? owner->decl_file : owner->file;
	}
	node = name_tree_child(&a->places, 0, &outer);
	if (node == NAMES_NONE)
		return NAMES_NONE;
	if (!a->places.nodes[node].label->decl_line && owner->decl_line) {
		outer = *a->places.nodes[node].label;
		outer.decl_line = owner->decl_line;
		if (name_tree_relabel(&a->places, node, &outer) != 0)
			return NAMES_NONE;
	}
	place.line = line;
	return name_tree_child(&a->places, node, &place);
}

static int push_line(struct annotate *a, uint32_t line)
{
	if (line == NAMES_NONE || ARRAY_GROW(a->lines, a->n_lines, a->lines_capacity) != 0)
		return -1;
	a->lines[a->n_lines++] = line;
	return 0;
}

/*
 * Returns the construct whose body's code frame i begins with, or NULL. The named tree has no
 * node for the function that a compiler made of the body. Sets *n to the number of the frame's
 * labels that belong to the body.
 */
static const struct name_label *find_construct(const struct annotate *a, uint32_t i, size_t *n)
{
	const struct name_tree *names = &a->report->names;
	size_t n_labels = names_lookup_of(&a->sites, i)->n, n_named = 0;
	uint32_t at = names->node_of[i];

	while (names->nodes[at].label->kind == NAME_INLINED && n_named < n_labels) {
		at = names->nodes[at].parent;
		n_named++;
	}
	if (!names_is_construct(names->nodes[at].label->kind))
		return NULL;
	*n = n_labels - n_named;
	return names->nodes[at].label;
}

/* The function that contains a construct, with the label that the function itself has. */
static struct name_label function_of(const struct name_label *construct)
{
	struct name_label label = *construct;

	label.kind = NAME_FUNCTION;
	label.name = construct->function[0] ? construct->function : construct->name;
	label.decl_line = 0;
	return label;
}

/* Adds the lines of an address. The first n_body labels belong to the construct. */
static int push_site(struct annotate *a, enum annotate_by by, const struct names_lookup_entry *site,
	const struct name_label *construct, size_t n_body)
{
	const struct name_label *labels = &a->sites.labels[site->first];

	for (size_t k = 0; k < site->n; k++) {
		struct name_label owner = labels[k];

		if (k < n_body)
			owner = function_of(construct);
		if (push_line(a, add_place(a, by, &owner, labels[k].file, labels[k].line)) != 0)
			return -1;
	}
	return 0;
}

static int push_frame(struct annotate *a, enum annotate_by by, uint32_t i)
{
	size_t n_body = 0;
	const struct name_label *construct = find_construct(a, i, &n_body);

	return push_site(a, by, names_lookup_of(&a->sites, i), construct, n_body);
}

/* Adds the lines of the function that ended with a jump into the runtime and so has no frame. */
static int push_tail(struct annotate *a, enum annotate_by by, uint32_t i)
{
	const struct names_lookup_entry *tail = names_tail_of(&a->sites, &a->report->tree, i);

	return tail ? push_site(a, by, tail, NULL, 0) : 0;
}

static int push_construct(struct annotate *a, enum annotate_by by, uint32_t i)
{
	uint32_t node = a->report->names.node_of[i];
	const struct name_label *label = a->report->names.nodes[node].label;
	struct name_label owner = function_of(label);

	if (!label->module[0])
		return 0;
	return push_line(a, add_place(a, by, &owner, label->file, label->line));
}

/* Finds the places of each node of the tree. Returns 0 or -1. */
static int find_lines(struct annotate *a, enum annotate_by by)
{
	const struct tree *tree = &a->report->tree;

	a->first = calloc(tree->n_nodes + 1, sizeof(*a->first));
	if (!a->first || name_tree_init(&a->places, 0) != 0)
		return -1;
	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		int status = 0;

		a->first[i] = a->n_lines;
		if (tree->nodes[i].kind == TREE_FRAME)
			status = push_frame(a, by, i);
		else if (is_code(&tree->nodes[i]))
			status = push_construct(a, by, i);
		else
			status = push_tail(a, by, i);
		if (status != 0)
			return -1;
	}
	a->first[tree->n_nodes] = a->n_lines;
	return 0;
}

/* The place of node i's own figures, or NAMES_NONE. */
static uint32_t own_line(const struct annotate *a, uint32_t i)
{
	uint32_t code = a->first[i] < a->first[i + 1] ? i : annotate_code_of(&a->report->tree, i);

	return code == NAMES_NONE || a->first[code] == a->first[code + 1]
		       ? NAMES_NONE
		       : a->lines[a->first[code + 1] - 1];
}

static int add_construct(struct annotate *a, uint32_t i, uint32_t line)
{
	if (ARRAY_GROW(a->constructs, a->n_constructs, a->constructs_capacity) != 0)
		return -1;
	a->constructs[a->n_constructs++] = (struct annotate_construct){
		.line = line,
		.label = a->report->names.nodes[a->report->names.node_of[i]].label,
		.n = tree_self(&a->report->tree, i).n_executions,
	};
	return 0;
}

static int by_line_and_name(const void *left, const void *right)
{
	const struct annotate_construct *a = left, *b = right;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return strcmp(a->label->name, b->label->name);
}

/* Adds up constructs with the same name and line, which different paths have reached. */
static void merge_constructs(struct annotate *a)
{
	size_t n = 0;

	if (a->n_constructs)
		qsort(a->constructs, a->n_constructs, sizeof(*a->constructs), by_line_and_name);
	for (size_t i = 0; i < a->n_constructs; i++) {
		if (n > 0 && by_line_and_name(&a->constructs[n - 1], &a->constructs[i]) == 0)
			a->constructs[n - 1].n += a->constructs[i].n;
		else
			a->constructs[n++] = a->constructs[i];
	}
	a->n_constructs = n;
}

static int add_self(struct annotate *a)
{
	const struct tree *tree = &a->report->tree;

	a->self = calloc(a->places.n_nodes, sizeof(*a->self));
	if (!a->self)
		return -1;
	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		struct tree_metrics own = tree_self(tree, i);
		const struct annotate_figures figures = annotate_figures_of(a->report, &own);
		uint32_t line = own_line(a, i);

		if (line == NAMES_NONE)
			continue;
		annotate_add(&a->self[line], &figures);
		annotate_add(&a->self[a->places.nodes[line].parent], &figures);
		if (tree_is_construct(tree->nodes[i].kind) && add_construct(a, i, line) != 0)
			return -1;
	}
	merge_constructs(a);
	return 0;
}

/* By node of the tree: its figures with the nodes below. NULL when out of memory. */
static struct annotate_figures *sum_tree(const struct report *report)
{
	const struct tree *tree = &report->tree;
	struct annotate_figures *sums = malloc(tree->n_nodes * sizeof(*sums));

	if (!sums)
		return NULL;
	for (size_t i = 0; i < tree->n_nodes; i++) {
		struct tree_metrics own = tree_self(tree, i);

		sums[i] = annotate_figures_of(report, &own);
	}
	for (size_t i = tree->n_nodes; i-- > 1;)
		annotate_add(&sums[tree->nodes[i].parent], &sums[i]);
	return sums;
}

/* Enters node i: adds its figures to each of its places that no node above it has. */
static void enter(
	struct annotate *a, uint32_t *n_active, uint32_t i, const struct annotate_figures *sums)
{
	for (size_t k = a->first[i]; k < a->first[i + 1]; k++) {
		uint32_t line = a->lines[k], owner = a->places.nodes[line].parent;

		if (n_active[line]++ == 0)
			annotate_add(&a->total[line], &sums[i]);
		if (n_active[owner]++ == 0)
			annotate_add(&a->total[owner], &sums[i]);
	}
}

static void leave(const struct annotate *a, uint32_t *n_active, uint32_t i)
{
	for (size_t k = a->first[i]; k < a->first[i + 1]; k++) {
		n_active[a->lines[k]]--;
		n_active[a->places.nodes[a->lines[k]].parent]--;
	}
}

/* Walks depth first without recursion, because a tree may be as deep as it has nodes. */
static int add_totals(struct annotate *a)
{
	const struct tree_node *nodes = a->report->tree.nodes;
	struct annotate_figures *sums = sum_tree(a->report);
	uint32_t *n_active = calloc(a->places.n_nodes, sizeof(*n_active));
	uint32_t at = 0;

	a->total = calloc(a->places.n_nodes, sizeof(*a->total));
	while (sums && n_active && a->total && at != UINT32_MAX) {
		enter(a, n_active, at, sums);
		if (nodes[at].first_child != UINT32_MAX) {
			at = nodes[at].first_child;
			continue;
		}
		leave(a, n_active, at);
		while (at != 0 && nodes[at].next_sibling == UINT32_MAX) {
			at = nodes[at].parent;
			leave(a, n_active, at);
		}
		at = at == 0 ? UINT32_MAX : nodes[at].next_sibling;
	}
	free(n_active);
	free(sums);
	return at == UINT32_MAX ? 0 : -1;
}

int annotate_make(struct annotate *annotate, struct report *report,
	const struct names_options *options, enum annotate_by by)
{
	memset(annotate, 0, sizeof(*annotate));
	annotate->report = report;
	if (names_lookup_find(&annotate->sites, &report->names, &report->tree, &report->profile,
		    options) != 0)
		return -1;
	if (find_lines(annotate, by) != 0 || add_self(annotate) != 0)
		return -1;
	return add_totals(annotate);
}

void annotate_release(struct annotate *annotate)
{
	names_lookup_release(&annotate->sites);
	name_tree_release(&annotate->places);
	free(annotate->self);
	free(annotate->total);
	free(annotate->first);
	free(annotate->lines);
	free(annotate->constructs);
	memset(annotate, 0, sizeof(*annotate));
}
