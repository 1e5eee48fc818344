/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers constructs that would read the same; see names_lookup.h. */
#include <stdlib.h>

#include "src/findings/names_lookup.h"
#include "src/findings/order.h"

/* The constructs of a larger group are not compared with each other: each gets a number. */
enum { GROUP_MOST = 64 };

/* The call that begins a construct. */
struct call {
	struct names_lookup_entry *site;
	const struct name_label *at; /* where the call is */
	const char *body;            /* name of the outlined function, interned; NULL: not known */
	uint8_t kind;                /* enum tree_kind */
};

/* 0 if both calls are in the same line of the same function, and begin the same kind. */
static int compare_places(const struct call *a, const struct call *b)
{
	return ORDER(ORDER_STRINGS(a->at->module, b->at->module),
		ORDER_STRINGS(a->at->name, b->at->name), ORDER_STRINGS(a->at->file, b->at->file),
		{ a->at->line, b->at->line }, { a->kind, b->kind });
}

static int compare_calls(const void *left, const void *right)
{
	const struct call *a = left, *b = right;
	int order = compare_places(a, b);

	return order ? order : ORDER({ a->site->addr, b->site->addr });
}

/*
 * Whether two calls of one line begin the same construct: compilers repeat a call when they unroll
 * or inline. Then both have the same body. If a body is not known, both calls must be inlined.
 */
static int is_same(const struct call *a, const struct call *b)
{
	if (a->body && b->body)
		return a->body == b->body;
	return a->site->n > 1 && b->site->n > 1;
}

static void number_group(struct call *calls, size_t n)
{
	uint32_t last = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t number = 0;
		for (size_t k = 0; number == 0 && n <= GROUP_MOST && k < i; k++)
			if (is_same(&calls[k], &calls[i]))
				number = calls[k].site->twin;
		calls[i].site->twin = number ? number : ++last;
	}
	for (size_t i = 0; last == 1 && i < n; i++)
		calls[i].site->twin = 0;
}

static size_t collect(struct names_lookup *sites, const struct tree *tree, struct call *calls)
{
	size_t n = 0;

	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];
		struct names_lookup_entry *site;

		if (!tree_is_construct(node->kind) || node->addr == 0)
			continue;
		site = &sites->sites[sites->site_of[i]];
		if (!site->call) {
			calls[n].site = site;
			calls[n].at = &sites->labels[site->first + site->n - 1];
			calls[n].body = NULL;
			calls[n].kind = (uint8_t)node->kind;
			site->call = (uint32_t)++n;
		}
	}
	return n;
}

/*
 * Sets the body of each call. Sets construct_of[], by node, to the construct that its frames are
 * part of.
 */
static void find_bodies(struct names_lookup *sites, const struct tree *tree, struct call *calls,
	uint32_t *construct_of)
{
	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];
		uint32_t site, call;
		const char *name;

		construct_of[i] = node->kind == TREE_FRAME ? construct_of[node->parent] : i;
		if (node->kind != TREE_FRAME || !(node->flags & PROFILE_FRAME_OUTLINED))
			continue;
		site = sites->site_of[construct_of[i]];
		name = names_lookup_function(sites, i)->name;
		if (site == NAMES_NONE || !names_is_outlined(name))
			continue;
		call = sites->sites[site].call;
		if (call)
			calls[call - 1].body = name;
	}
}

int names_ambiguous_find(struct names_lookup *sites, const struct tree *tree)
{
	struct call *calls = malloc((sites->n_sites + 1) * sizeof(*calls));
	uint32_t *construct_of = malloc(tree->n_nodes * sizeof(*construct_of));
	size_t n, from = 0;

	if (!calls || !construct_of) {
		free(calls);
		free(construct_of);
		return -1;
	}
	n = collect(sites, tree, calls);
	find_bodies(sites, tree, calls, construct_of);
	free(construct_of);
	qsort(calls, n, sizeof(*calls), compare_calls);
	for (size_t i = 1; i <= n; i++) {
		if (i < n && compare_places(&calls[i], &calls[from]) == 0)
			continue;
		if (calls[from].at->line != 0)
			number_group(&calls[from], i - from);
		from = i;
	}
	free(calls);
	return 0;
}
