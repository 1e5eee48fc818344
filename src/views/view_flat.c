/* SPDX-License-Identifier: Apache-2.0 */
/* Functions wherever they were called from; see view_flat.h. */
#include "src/views/view_flat.h"

#include <stdlib.h>
#include <string.h>

#include "src/findings/names_lookup.h"
#include "src/findings/order.h"

struct ranked {
	uint64_t key;
	uint32_t node;
};

static int by_key(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	return ORDER({ b->key, a->key }, { a->node, b->node });
}

struct name_label flat_label(const struct name_label *label)
{
	struct name_label function = names_function_label(label);

	if (function.kind == NAME_INLINED)
		function.kind = NAME_FUNCTION;
	if (function.kind == NAME_WAIT) {
		function.file = "";
		function.line = 0;
	}
	return function;
}

int flat_by_function(struct name_label *label, struct name_tree *flat, const struct name_node *node)
{
	(void)flat;
	*label = flat_label(node->label);
	return 0;
}

int flat_by_line(struct name_label *label, struct name_tree *flat, const struct name_node *node)
{
	(void)flat;
	*label = *node->label;
	if (!names_is_code(label->kind))
		return 0;
	label->kind = NAME_FUNCTION;
	label->decl_file = "";
	label->decl_line = 0;
	return 0;
}

/*
 * Returns the entry of the line of node i, if it is a frame in a construct's own body, which the
 * named tree has in the construct's node. Returns 0 for other nodes, NAMES_NONE when out of memory.
 */
static uint32_t find_body_line(struct flat *flat, const struct report *report, uint32_t i)
{
	const struct name_node *node = &report->names.nodes[report->names.node_of[i]];
	const struct name_place *place = &report->names.place_of[i];
	struct name_label label = *node->label;

	if (report->tree.nodes[i].kind != TREE_FRAME || !place->line ||
		(!names_is_construct(label.kind)))
		return 0;
	label = (struct name_label){ .kind = NAME_FUNCTION,
		.name = label.function[0] ? label.function : label.name,
		.module = label.module,
		.file = place->file,
		.line = place->line,
		.decl_file = "",
		.function = "" };
	return name_tree_child(&flat->names, 0, &label);
}

/*
 * Gives figures to the entries of lines. The first call, without totals, adds own figures; the
 * second adds bodies' figures to the totals.
 */
static int split_bodies(struct flat *flat, const struct report *report)
{
	for (uint32_t i = 1; i < report->tree.n_nodes; i++) {
		const struct sparse *from = &report->tree.figures;
		uint32_t self = report->tree.nodes[i].self;
		struct name_totals *totals = &flat->totals;
		uint32_t entry = find_body_line(flat, report, i);

		if (entry == NAMES_NONE)
			return -1;
		if (entry == 0)
			entry = flat->function_of[report->names.node_of[i]];
		else if (totals->at &&
			 sparse_metrics_join(&totals->figures, &totals->at[entry], from, self) != 0)
			return -1;
		if (!totals->at && name_join(&flat->names, entry, from, self) != 0)
			return -1;
	}
	return 0;
}

int flat_by_module(struct name_label *label, struct name_tree *flat, const struct name_node *node)
{
	*label = flat_label(node->label);
	if (!label->module[0] || (!names_is_code(label->kind) && !names_is_construct(label->kind)))
		return 0;
	*label = (struct name_label){ .kind = NAME_FUNCTION,
		.name = name_tree_intern(flat, names_base(label->module)),
		.module = label->module,
		.file = "",
		.decl_file = "",
		.function = "" };
	return label->name ? 0 : -1;
}

static int gather(struct flat *flat, const struct report *report, flat_labeler *labeler)
{
	const struct name_tree *tree = &report->names;

	flat->function_of = calloc(tree->n_nodes, sizeof(*flat->function_of));
	if (!flat->function_of || name_tree_init(&flat->names, 1) != 0)
		return -1;
	if (name_join(&flat->names, 0, &tree->figures, tree->nodes[0].self) != 0)
		return -1;
	for (uint32_t i = 1; i < tree->n_nodes; i++) {
		struct tree_metrics self = name_self(tree, i);
		struct name_label label;
		uint32_t function = NAMES_NONE;

		if (labeler(&label, &flat->names, &tree->nodes[i]) == 0)
			function = name_tree_child(&flat->names, 0, &label);
		if (function == NAMES_NONE)
			return -1;
		flat->function_of[i] = function;
		if (labeler == flat_by_line)
			continue;
		if (names_is_code(label.kind))
			self.n_executions = 0;
		if (name_add(&flat->names, function, &self) != 0)
			return -1;
	}
	return labeler == flat_by_line ? split_bodies(flat, report) : 0;
}

static int rank(struct flat *flat, const struct report *report)
{
	size_t n = flat->names.n_nodes;
	struct ranked *ranked = malloc(n * sizeof(*ranked));

	flat->order = malloc(n * sizeof(*flat->order));
	if (!ranked || !flat->order) {
		free(ranked);
		return -1;
	}
	for (uint32_t i = 1; i < n; i++) {
		struct tree_metrics self = name_self(&flat->names, i);

		ranked[i - 1].node = i;
		ranked[i - 1].key = report_metric(report, &self, METRIC_TOTAL);
	}
	qsort(ranked, n - 1, sizeof(*ranked), by_key);
	for (size_t i = 0; i + 1 < n; i++)
		flat->order[i] = ranked[i].node;
	flat->n_order = n - 1;
	free(ranked);
	return 0;
}

/*
 * Adds up each function with all its callees. A call within another call of the function is already
 * in that call's sum. Walks the tree depth first.
 */
static int add_active(
	struct flat *flat, const struct name_tree *tree, const struct name_totals *inclusive)
{
	uint32_t *n_active = calloc(flat->names.n_nodes, sizeof(*n_active));
	struct name_totals *totals = &flat->totals;
	int status = n_active ? 0 : -1;
	uint32_t at = 0;

	while (status == 0 && at != NAMES_NONE) {
		uint32_t function = flat->function_of[at];

		if (n_active[function]++ == 0)
			status = sparse_metrics_join(&totals->figures, &totals->at[function],
				&inclusive->figures, inclusive->at[at]);
		if (tree->nodes[at].first_child != NAMES_NONE) {
			at = tree->nodes[at].first_child;
			continue;
		}
		n_active[function]--;
		while (at != 0 && tree->nodes[at].next_sibling == NAMES_NONE) {
			at = tree->nodes[at].parent;
			n_active[flat->function_of[at]]--;
		}
		at = at == 0 ? NAMES_NONE : tree->nodes[at].next_sibling;
	}
	free(n_active);
	return status;
}

static int add_up(struct flat *flat, const struct name_tree *tree)
{
	struct name_totals inclusive;
	int status = name_totals_make(&inclusive, tree);

	flat->totals.at = calloc(flat->names.n_nodes, sizeof(*flat->totals.at));
	if (status == 0)
		status = flat->totals.at ? add_active(flat, tree, &inclusive) : -1;
	name_totals_release(&inclusive);
	return status;
}

int flat_make(struct flat *flat, const struct report *report, flat_labeler *labeler)
{
	memset(flat, 0, sizeof(*flat));
	if (gather(flat, report, labeler) != 0 || add_up(flat, &report->names) != 0)
		return -1;
	if (labeler == flat_by_line && split_bodies(flat, report) != 0)
		return -1;
	return rank(flat, report);
}

void flat_release(struct flat *flat)
{
	name_tree_release(&flat->names);
	name_totals_release(&flat->totals);
	free(flat->function_of);
	free(flat->order);
	memset(flat, 0, sizeof(*flat));
}
