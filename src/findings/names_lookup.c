/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up the addresses of an attributed tree, each once; see names_lookup.h. */
#include "src/findings/names_lookup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/shared/array.h"
#include "src/findings/order.h"
#include "src/symbols/symbols_python.h"

/* An address, and a node that has it. */
struct request {
	uint64_t addr;
	uint32_t module;
	uint32_t node;
};

static int compare_requests(const void *left, const void *right)
{
	const struct request *a = left, *b = right;

	return ORDER({ a->module, b->module }, { a->addr, b->addr }, { a->node, b->node });
}

static size_t collect(struct request *requests, const struct tree *tree)
{
	size_t n = 0;

	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];
		int is_call = tree_is_construct(node->kind);

		if (node->kind == TREE_FRAME)
			is_call = !(node->flags & PROFILE_FRAME_EXACT);
		else if (!is_call)
			continue;
		requests[n].addr = node->addr - (is_call && node->addr != 0);
		requests[n].module = node->module;
		requests[n++].node = i;
	}
	return n;
}

int names_lookup_add(struct names_lookup *sites, struct name_tree *names, const char *module,
	const struct symbol *symbol)
{
	struct name_label *label;

	if (ARRAY_GROW(sites->labels, sites->n_labels, sites->labels_capacity) != 0)
		return -1;
	label = &sites->labels[sites->n_labels++];
	label->kind = symbol->is_inlined ? NAME_INLINED : NAME_FUNCTION;
	label->name = name_tree_intern(names, symbol->name);
	label->module = module;
	label->file = name_tree_intern(names, symbol->file ? symbol->file : "");
	label->line = symbol->line;
	label->decl_file = name_tree_intern(names, symbol->decl_file ? symbol->decl_file : "");
	label->decl_line = symbol->decl_line;
	label->function = sites->empty;
	label->addr = label->offset = 0;
	return label->name && label->file && label->decl_file ? 0 : -1;
}

/*
 * The label that says where a construct is: the innermost one. clang inlines the host's version of
 * a target construct next to its call of the runtime. The construct is where that was inlined.
 */
static size_t construct_label(
	const struct names_lookup *sites, const struct names_lookup_entry *site)
{
	static const char version[] = "__omp_offloading_";
	size_t at = site->first + site->n - 1;

	while (at > site->first &&
		strncmp(sites->labels[at].name, version, sizeof(version) - 1) == 0)
		at--;
	return at;
}

int names_lookup_entry_fill(struct names_lookup *sites, struct name_tree *names,
	struct names_lookup_entry *site, const struct names_options *options, struct symbols_at *at)
{
	const char *path = sites->empty;
	char text[32];

	at->n = 0;
	if (site->module < sites->n_modules) {
		const struct profile_module *module = &sites->profile->modules[site->module];
		struct symbols_object object = names_object(module);

		path = sites->modules[site->module];
		options->lookup(options->data, &object, site->addr - module->bias, at);
	}
	if (at->n == 0) {
		snprintf(text, sizeof(text), "0x%" PRIx64, site->addr);
		at->symbol[at->n++] = (struct symbol){ .name = text };
	}
	site->first = sites->n_labels;
	site->n = at->n;
	for (size_t k = at->n; k-- > 0;)
		if (names_lookup_add(sites, names, path, &at->symbol[k]) != 0)
			return -1;
	site->place = construct_label(sites, site);
	return 0;
}

/* The module that a label names: the file of a Python function, or the object. */
static const char *intern_module(struct name_tree *names, const struct profile_module *module)
{
	char file[sizeof(module->path)];

	if (!(module->flags & PROFILE_MODULE_PYTHON))
		return name_tree_intern(names, module->path);
	snprintf(file, sizeof(file), "%.*s", (int)symbols_python_split(module->path).file_bytes,
		module->path);
	return name_tree_intern(names, file);
}

static int intern_modules(
	struct names_lookup *sites, struct name_tree *names, const struct profile *profile)
{
	sites->empty = name_tree_intern(names, "");
	sites->modules = calloc(profile->n_modules + 1, sizeof(*sites->modules));
	if (!sites->empty || !sites->modules)
		return -1;
	sites->n_modules = profile->n_modules;
	for (size_t i = 0; i < profile->n_modules; i++) {
		sites->modules[i] = intern_module(names, &profile->modules[i]);
		if (!sites->modules[i])
			return -1;
	}
	return 0;
}

static int look_all_up(struct names_lookup *sites, struct name_tree *names,
	const struct names_options *options, struct request *requests, size_t n)
{
	struct symbols_at *at = malloc(sizeof(*at));
	int status = at ? 0 : -1;

	for (size_t k = 0; status == 0 && k < n; k++) {
		struct names_lookup_entry *site = &sites->sites[sites->n_sites];
		if (k == 0 || requests[k].addr != requests[k - 1].addr ||
			requests[k].module != requests[k - 1].module) {
			site->addr = requests[k].addr;
			site->module = requests[k].module;
			status = names_lookup_entry_fill(sites, names, site, options, at);
			sites->n_sites++;
		}
		sites->site_of[requests[k].node] = sites->n_sites - 1;
	}
	free(at);
	return status;
}

static void find_callers(struct names_lookup *sites, const struct tree *tree)
{
	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];
		int is_runtime =
			node->kind == TREE_FRAME && names_is_runtime(sites->profile, node->module);

		sites->caller_of[i] = is_runtime ? sites->caller_of[node->parent] : i;
	}
}

int names_lookup_find(struct names_lookup *sites, struct name_tree *names, const struct tree *tree,
	const struct profile *profile, const struct names_options *options)
{
	struct request *requests = malloc(tree->n_nodes * sizeof(*requests));
	int status = -1;
	size_t n;

	memset(sites, 0, sizeof(*sites));
	sites->profile = profile;
	sites->site_of = malloc(tree->n_nodes * sizeof(*sites->site_of));
	sites->caller_of = malloc(tree->n_nodes * sizeof(*sites->caller_of));
	sites->sites = calloc(tree->n_nodes, sizeof(*sites->sites));
	if (requests && sites->site_of && sites->caller_of && sites->sites &&
		intern_modules(sites, names, profile) == 0) {
		memset(sites->site_of, 0xff, tree->n_nodes * sizeof(*sites->site_of));
		find_callers(sites, tree);
		n = collect(requests, tree);
		qsort(requests, n, sizeof(*requests), compare_requests);
		status = look_all_up(sites, names, options, requests, n);
		if (status == 0)
			status = names_ambiguous_find(sites, names, tree, options);
		if (status == 0 && options->view == TREE_USER)
			status = names_tails_find(sites, names, tree, options);
	}
	free(requests);
	return status;
}

void names_lookup_release(struct names_lookup *sites)
{
	free(sites->sites);
	free(sites->labels);
	free(sites->site_of);
	free(sites->caller_of);
	free(sites->modules);
	memset(sites, 0, sizeof(*sites));
}

const struct names_lookup_entry *names_lookup_of(const struct names_lookup *sites, uint32_t i)
{
	return &sites->sites[sites->site_of[i]];
}

const struct name_label *names_lookup_function(const struct names_lookup *sites, uint32_t i)
{
	return &sites->labels[names_lookup_of(sites, i)->first];
}
