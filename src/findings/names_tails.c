/* SPDX-License-Identifier: Apache-2.0 */
/* Finds functions that ended with a jump into the OpenMP runtime; see names_lookup.h. */
#include <stdlib.h>
#include <string.h>

#include "src/findings/names_lookup.h"

/* Whether node i is a wait that began in a call of the runtime, and the wait's caller is known. */
static int is_call(const struct tree *tree, uint32_t i)
{
	const struct tree_node *node = &tree->nodes[i], *up = &tree->nodes[node->parent];

	return node->kind == TREE_WAIT && node->class >= PROFILE_WAIT_BARRIER &&
	       node->class <= PROFILE_WAIT_LOCK && up->kind == TREE_FRAME &&
	       !(up->flags & PROFILE_FRAME_EXACT);
}

/* Adds the entry of a function that is known by its name alone. */
static int add_name(struct names_lookup *sites, struct name_tree *names,
	struct names_lookup_entry *entry, const struct symbol *function)
{
	entry->first = entry->place = (uint32_t)sites->n_labels;
	entry->n = 1;
	return names_lookup_add(sites, names, sites->empty, function);
}

/* Adds the entry of a function at an address; without a line if that of the jump is not known. */
static int add_function(struct names_lookup *sites, struct name_tree *names,
	struct names_lookup_entry *entry, const struct names_options *options,
	const struct symbol *function, struct symbols_at *at)
{
	entry->addr =
		sites->profile->modules[entry->module].bias + strtoull(function->name, NULL, 16);
	if (names_lookup_entry_fill(sites, names, entry, options, at) != 0)
		return -1;
	if (!function->line) {
		entry->n = 1;
		entry->place = entry->first;
		sites->labels[entry->first].line = 0;
	}
	return 0;
}

static int find_tail(struct names_lookup *sites, struct name_tree *names, uint32_t call,
	const struct names_options *options, struct symbols_at *at)
{
	struct names_lookup_entry *site = &sites->sites[call];
	const struct profile_module *module = &sites->profile->modules[site->module];
	struct names_lookup_entry *entry = &sites->sites[sites->n_sites];
	struct symbols_object object = names_object(module);
	struct symbol function;

	if (options->body(options->data, &object, site->addr + 1 - module->bias, NAMES_TAIL,
		    &function) <= 0)
		return 0;
	*entry = (struct names_lookup_entry){ .module = site->module };
	site->tail = (uint32_t)sites->n_sites++;
	return strncmp(function.name, "0x", 2) == 0
		       ? add_function(sites, names, entry, options, &function, at)
		       : add_name(sites, names, entry, &function);
}

int names_tails_find(struct names_lookup *sites, struct name_tree *names, const struct tree *tree,
	const struct names_options *options)
{
	struct symbols_at *at = malloc(sizeof(*at));
	int status = at ? 0 : -1;

	for (uint32_t i = 1; options->body && status == 0 && i < tree->n_nodes; i++) {
		uint32_t call;

		if (!is_call(tree, i))
			continue;
		call = sites->site_of[tree->nodes[i].parent];
		if (!sites->sites[call].tail && sites->sites[call].module < sites->n_modules)
			status = find_tail(sites, names, call, options, at);
	}
	free(at);
	return status;
}

const struct names_lookup_entry *names_tail_of(
	const struct names_lookup *sites, const struct tree *tree, uint32_t i)
{
	uint32_t tail = is_call(tree, i) ? names_lookup_of(sites, tree->nodes[i].parent)->tail : 0;

	return tail ? &sites->sites[tail] : NULL;
}
