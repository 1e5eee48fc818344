/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the places of constructs, and numbers constructs of one place; see names_lookup.h. */
#include <stdlib.h>
#include <string.h>

#include "src/findings/names_lookup.h"
#include "src/findings/order.h"

/* The constructs of a larger group are not compared with each other: each gets a number. */
enum { GROUP_MOST = 64 };

enum { BODIES_MOST = 8 };

/* The call that begins a construct. */
struct call {
	struct names_lookup_entry *site;
	const struct name_label *at; /* the place of the construct */
	/* names of outlined functions, interned */
	const char *bodies[BODIES_MOST];
	uint32_t n_bodies;
	struct symbol body; /* of bodies[0]; name NULL: not looked up */
	uint32_t module;    /* of bodies[0] */
	uint8_t kind;       /* enum tree_kind */
	uint8_t is_read;    /* the code before the call tells the body */
	uint8_t is_tail;    /* it is not the call that begins the construct */
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
	if (a->n_bodies && b->n_bodies)
		return a->bodies[0] == b->bodies[0];
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
			calls[n] = (struct call){ .site = site, .kind = (uint8_t)node->kind };
			site->call = (uint32_t)++n;
		}
	}
	return n;
}

/* Adds the name of an outlined function. Returns whether it is the first of the call. */
static int add_body(struct call *call, const char *name)
{
	for (uint32_t i = 0; i < call->n_bodies; i++)
		if (call->bodies[i] == name)
			return 0;
	if (call->n_bodies < BODIES_MOST)
		call->bodies[call->n_bodies++] = name;
	return call->n_bodies == 1;
}

static int ask(const struct names_lookup *sites, const struct names_options *options,
	const struct names_lookup_entry *site, int is_code, struct symbol *body)
{
	const struct profile_module *module;
	struct symbols_object object;

	if (!options->body || site->module >= sites->n_modules)
		return 0;
	module = &sites->profile->modules[site->module];
	object = names_object(module);
	return options->body(options->data, &object, site->addr - module->bias + (uint64_t)!is_code,
		is_code ? NAMES_AROUND : NAMES_PASSED, body);
}

/* Reads the bodies from the calls. Returns 0 or -1 (out of memory). */
static int read_calls(struct names_lookup *sites, struct name_tree *names,
	const struct names_options *options, struct call *calls, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct call *call = &calls[i];
		int found = ask(sites, options, call->site, 0, &call->body);

		call->is_tail = found < 0;
		call->is_read = found > 0;
		call->module = call->site->module;
		if (found <= 0) {
			call->body.name = NULL;
			continue;
		}
		call->bodies[0] = name_tree_intern(names, call->body.name);
		if (!call->bodies[0])
			return -1;
		call->n_bodies = 1;
	}
	return 0;
}

/*
 * Finds the bodies of calls by their frames, where the call does not tell. Sets construct_of[], by
 * node, to the construct that its frames are part of.
 */
static void find_bodies(struct names_lookup *sites, const struct tree *tree,
	const struct names_options *options, struct call *calls, uint32_t *construct_of)
{
	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];
		uint32_t site;
		struct call *call;
		const char *name;

		construct_of[i] = node->kind == TREE_FRAME ? construct_of[node->parent] : i;
		if (node->kind != TREE_FRAME || !(node->flags & PROFILE_FRAME_OUTLINED))
			continue;
		site = sites->site_of[construct_of[i]];
		name = names_lookup_function(sites, i)->name;
		if (site == NAMES_NONE || !sites->sites[site].call || !names_is_outlined(name))
			continue;
		call = &calls[sites->sites[site].call - 1];
		if (call->is_read || !add_body(call, name))
			continue;
		call->module = names_lookup_of(sites, i)->module;
		if (ask(sites, options, names_lookup_of(sites, i), 1, &call->body) <= 0)
			call->body.name = NULL;
	}
}

/* Sets the place of each construct. Returns 0 or -1 (out of memory). */
static int find_places(
	struct names_lookup *sites, struct name_tree *names, struct call *calls, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct call *call = &calls[i];
		int is_gccs = call->n_bodies && strstr(call->bodies[0], "._omp_fn.") != NULL;

		call->site->n_bodies = call->is_tail ? call->n_bodies : 1;
		if (!call->body.name || !call->body.line || !(is_gccs || call->is_tail))
			continue;
		call->body.decl_file = "";
		if (names_lookup_add(sites, names, sites->modules[call->module], &call->body) != 0)
			return -1;
		call->site->place = (uint32_t)sites->n_labels - 1;
	}
	for (size_t i = 0; i < n; i++)
		calls[i].at = &sites->labels[calls[i].site->place];
	return 0;
}

static void number_all(struct call *calls, size_t n)
{
	size_t from = 0;

	qsort(calls, n, sizeof(*calls), compare_calls);
	for (size_t i = 1; i <= n; i++) {
		if (i < n && compare_places(&calls[i], &calls[from]) == 0)
			continue;
		if (calls[from].at->line != 0)
			number_group(&calls[from], i - from);
		from = i;
	}
}

int names_ambiguous_find(struct names_lookup *sites, struct name_tree *names,
	const struct tree *tree, const struct names_options *options)
{
	struct call *calls = malloc((sites->n_sites + 1) * sizeof(*calls));
	uint32_t *construct_of = malloc(tree->n_nodes * sizeof(*construct_of));
	int status = -1;
	size_t n;

	if (calls && construct_of) {
		n = collect(sites, tree, calls);
		status = read_calls(sites, names, options, calls, n);
		if (status == 0)
			find_bodies(sites, tree, options, calls, construct_of);
		if (status == 0)
			status = find_places(sites, names, calls, n);
		if (status == 0)
			number_all(calls, n);
	}
	free(calls);
	free(construct_of);
	return status;
}
