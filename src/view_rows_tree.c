/* SPDX-License-Identifier: Apache-2.0 */
/* Printing of a tree, small branches cut; see view_rows.h. */
#include "src/view_rows.h"

#include <stdlib.h>
#include <string.h>

#include "src/report_text.h"

/* From this level of indentation on, chains are not indented; see indent(). */
enum { CHAIN_LEVEL = 8 };

/* A node that is shown. Sorted, the children of a node are neighbours. */
struct shown {
	uint32_t parent;
	uint32_t index;
	uint64_t key;
	uint64_t amount;
};

struct plan {
	const struct rows_tree *tree;
	struct shown *shown;
	size_t n_shown;
	uint32_t *depth; /* by node; 0 is the root and what is hidden */
	size_t *first;   /* by node: its first child in `shown`, or SIZE_MAX */
	size_t *stack;   /* position in `shown` by depth */
	uint32_t *level; /* by node: of indentation, see indent() */
	size_t *opener;  /* by level: position in `shown` of the node that began it */
};

static int by_amount(const void *left, const void *right)
{
	const struct shown *a = left, *b = right;

	if (a->amount != b->amount)
		return a->amount > b->amount ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static int by_parent(const void *left, const void *right)
{
	const struct shown *a = left, *b = right;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->key != b->key)
		return a->key > b->key ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/*
 * Chooses the nodes to show. One that is shown has its parent shown, because a parent's amount is
 * never less than its child's and its index is smaller.
 */
static void choose(struct plan *plan)
{
	const struct rows_tree *tree = plan->tree;
	const struct report *report = tree->report;
	uint64_t whole = report_metric(report, &report->totals.shown, METRIC_TOTAL);
	double least = (double)whole * tree->limit_permyriad / 10000.0;

	for (uint32_t i = 1; i < tree->names->n_nodes; i++) {
		const struct name_node *node = &tree->names->nodes[i];
		uint64_t amount = report_metric(report, &tree->totals[i], METRIC_TOTAL);
		uint32_t above = plan->depth[node->parent];

		if ((node->parent != 0 && above == 0) || above >= tree->max_depth ||
			(double)amount < least || !rows_has_figures(&tree->totals[i]))
			continue;
		plan->depth[i] = above + 1;
		plan->shown[plan->n_shown++] = (struct shown){ node->parent, i,
			rows_key(report, tree->sort, SORT_TOTAL, &tree->totals[i], &node->self),
			amount };
	}
	qsort(plan->shown, plan->n_shown, sizeof(*plan->shown), by_amount);
	if (plan->n_shown > tree->n_rows)
		plan->n_shown = tree->n_rows;
	qsort(plan->shown, plan->n_shown, sizeof(*plan->shown), by_parent);
	for (size_t k = plan->n_shown; k-- > 0;)
		plan->first[plan->shown[k].parent] = k;
}

static int has_next(const struct plan *plan, size_t at)
{
	const struct shown *shown = plan->shown;

	return at + 1 < plan->n_shown && shown[at + 1].parent == shown[at].parent;
}

/*
 * Every level of the tree is a level of indentation at first. Further in, a node that is its
 * parent's only one stays at its parent's: long chains of calls would leave the screen.
 */
static void indent(struct plan *plan, size_t at)
{
	const struct shown *shown = &plan->shown[at];
	uint32_t above = plan->level[shown->parent];
	int is_only = plan->first[shown->parent] == at && !has_next(plan, at);

	if (is_only && above >= CHAIN_LEVEL) {
		plan->level[shown->index] = above;
		return;
	}
	plan->level[shown->index] = above + 1;
	plan->opener[above + 1] = at;
}

/*
 * "| " for each level that goes on, "+-" for a node that begins a level. The left end is cut when
 * that takes more than `columns`.
 */
static void make_prefix(const struct plan *plan, size_t at, char *prefix, size_t columns)
{
	uint32_t level = plan->level[plan->shown[at].index], from = 2;
	int begins = plan->opener[level] == at;

	prefix[0] = '\0';
	if (level <= 1)
		return;
	if ((level - 1) * 2 > columns) {
		from = level - columns / 2 + 2;
		strcpy(prefix, ": ");
	}
	for (; from < level + !begins; from++)
		strcat(prefix, has_next(plan, plan->opener[from]) ? "| " : "  ");
	if (begins)
		strcat(prefix, "+-");
}

static void put_node(struct terminal *terminal, const struct plan *plan, size_t at)
{
	const struct rows_tree *tree = plan->tree;
	uint32_t index = plan->shown[at].index;
	size_t columns = (terminal->width - 32) / 4 * 2;
	char prefix[256];
	struct row row = {
		.total = &tree->totals[index],
		.self = &tree->names->nodes[index].self,
		.prefix = prefix,
		.node = &tree->names->nodes[index],
	};

	make_prefix(plan, at, prefix, columns);
	rows_put(terminal, tree->report, tree->columns, &row);
}

/* Depth first with a stack of its own: a tree may be deeper than this program's stack allows. */
static size_t walk(struct terminal *terminal, struct plan *plan)
{
	size_t at = plan->first[0], n = 0;

	while (at != SIZE_MAX) {
		uint32_t index = plan->shown[at].index;
		uint32_t depth = plan->depth[index];

		plan->stack[depth] = at;
		indent(plan, at);
		put_node(terminal, plan, at);
		n++;
		at = plan->first[index];
		for (; at == SIZE_MAX && depth > 0; depth--)
			if (has_next(plan, plan->stack[depth]))
				at = plan->stack[depth] + 1;
	}
	return n;
}

long rows_print_tree(struct terminal *terminal, const struct rows_tree *tree)
{
	size_t n_nodes = tree->names->n_nodes, n_empty = 0;
	struct plan plan = {
		.tree = tree,
		.shown = malloc(n_nodes * sizeof(*plan.shown)),
		.depth = calloc(n_nodes, sizeof(*plan.depth)),
		.first = malloc(n_nodes * sizeof(*plan.first)),
		.stack = calloc(n_nodes + 1, sizeof(*plan.stack)),
		.level = calloc(n_nodes, sizeof(*plan.level)),
		.opener = calloc(n_nodes + 1, sizeof(*plan.opener)),
	};
	long n_cut = -1;

	if (plan.shown && plan.depth && plan.first && plan.stack && plan.level && plan.opener) {
		memset(plan.first, 0xff, n_nodes * sizeof(*plan.first));
		choose(&plan);
		for (size_t i = 1; i < n_nodes; i++)
			n_empty += !rows_has_figures(&tree->totals[i]);
		n_cut = (long)(n_nodes - 1 - n_empty - walk(terminal, &plan));
	}
	free(plan.shown);
	free(plan.depth);
	free(plan.first);
	free(plan.stack);
	free(plan.level);
	free(plan.opener);
	return n_cut;
}
