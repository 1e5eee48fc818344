/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the nodes that all formats write from a report's named tree; see export.h. */
#include <stdlib.h>
#include <string.h>

#include "profile/shared/array.h"
#include "src/export/export_names.h"

struct maker {
	struct export *export;
	struct export_names *names;
	size_t capacity;
};

static struct export_node *add(struct maker *maker, uint32_t parent)
{
	struct export *export = maker->export;
	struct export_node *node;

	if (ARRAY_GROW(export->nodes, export->n_nodes, maker->capacity) != 0)
		return NULL;
	node = &export->nodes[export->n_nodes++];
	memset(node, 0, sizeof(*node));
	node->parent = parent;
	node->region = node->thread = EXPORT_NONE;
	node->name = node->function = node->file = node->decl_file = node->module = "";
	if (parent != EXPORT_NONE) {
		node->region = export->nodes[parent].region;
		node->thread = export->nodes[parent].thread;
		node->depth = (uint16_t)(export->nodes[parent].depth + 1);
	}
	return node;
}

static void add_time(uint64_t *self, unsigned class, uint64_t ns)
{
	self[EXPORT_TIME] += ns;
	self[class == PROFILE_WORK          ? EXPORT_WORK
		: class == PROFILE_OVERHEAD ? EXPORT_OVERHEAD
					    : EXPORT_WAIT] += ns;
}

static int is_state(const struct name_node *from)
{
	return from->label->kind == NAME_WAIT || from->label->kind == NAME_RUNTIME;
}

/* The class that has all the time; PROFILE_N_CLASSES if several have some, or none. */
static unsigned only_class(const struct tree_metrics *self)
{
	unsigned only = PROFILE_N_CLASSES;

	for (unsigned i = 0; i < PROFILE_N_CLASSES; i++) {
		if (!self->time_ns[i])
			continue;
		if (only != PROFILE_N_CLASSES)
			return PROFILE_N_CLASSES;
		only = i;
	}
	return only;
}

/* Adds a leaf for time that is no work. Returns its index, or EXPORT_NONE: out of memory. */
static uint32_t add_leaf(struct maker *maker, uint32_t parent, unsigned class, uint64_t ns)
{
	struct export_node *leaf = add(maker, parent);

	if (!leaf)
		return EXPORT_NONE;
	leaf->kind = class == PROFILE_OVERHEAD ? NAME_RUNTIME : NAME_WAIT;
	leaf->class = (uint8_t) class;
	leaf->name = leaf->function = names_state_word(class);
	add_time(leaf->self, class, ns);
	return (uint32_t)(maker->export->n_nodes - 1);
}

/*
 * Adds a named node's own figures to node `at`; waits and overhead go to leaves below it, unless
 * the named node is itself such a leaf. Returns 0, or -1 when out of memory.
 */
static int add_figures(struct maker *maker, uint32_t node, uint32_t at)
{
	const struct name_tree *names = &maker->export->report->names;
	const struct name_node *from = &names->nodes[node];
	struct tree_metrics figures = name_self(names, node), *self = &figures;
	struct export *export = maker->export;
	unsigned only = only_class(self);
	uint32_t sampled = at; /* the node that gets the samples */

	for (unsigned i = 0; i < PROFILE_N_CLASSES; i++) {
		if (!self->time_ns[i])
			continue;
		if (i == PROFILE_WORK || is_state(from)) {
			add_time(export->nodes[at].self, i, self->time_ns[i]);
			continue;
		}
		uint32_t leaf = add_leaf(maker, at, i, self->time_ns[i]);
		if (leaf == EXPORT_NONE)
			return -1;
		if (only == i)
			sampled = leaf;
	}
	export->nodes[sampled].self[EXPORT_SAMPLES] += self->samples;
	export->nodes[sampled].self[EXPORT_EVENTS] += self->events;
	export->nodes[at].self[EXPORT_BLAME] += self->blame_ns;
	if (is_state(from) && only != PROFILE_N_CLASSES)
		export->nodes[at].class = (uint8_t)only;
	return 0;
}

static int add_node(struct maker *maker, uint32_t i)
{
	const struct name_node *from = &maker->export->report->names.nodes[i];
	uint32_t parent =
		from->parent == NAMES_NONE ? EXPORT_NONE : maker->export->place[from->parent];
	struct export_node *node;

	if (parent != EXPORT_NONE && maker->export->nodes[parent].depth >= EXPORT_MOST_DEPTH - 1) {
		maker->export->place[i] = parent;
		return add_figures(maker, i, parent);
	}
	node = add(maker, parent);
	if (!node)
		return -1;
	maker->export->place[i] = (uint32_t)(maker->export->n_nodes - 1);
	node->kind = from->label->kind;
	node->class = from->label->kind == NAME_RUNTIME ? PROFILE_OVERHEAD : PROFILE_WORK;
	node->line = from->label->line;
	node->decl_line = from->label->decl_line;
	node->address = from->label->addr;
	if (node->kind == NAME_REGION)
		node->region = maker->export->place[i];
	if (export_names_fill(maker->names, node, from->label) != 0)
		return -1;
	return add_figures(maker, i, maker->export->place[i]);
}

/* Only the attributed tree knows which nodes are threads. */
static void find_threads(struct maker *maker)
{
	const struct report *report = maker->export->report;
	struct export_node *nodes = maker->export->nodes;

	if (!report->names.node_of)
		return;
	for (size_t i = 0; i < report->tree.n_nodes; i++) {
		const struct tree_node *node = &report->tree.nodes[i];

		if (node->kind == TREE_THREAD && node->addr < report->profile.n_threads)
			nodes[maker->export->place[report->names.node_of[i]]].thread =
				(uint32_t)node->addr;
	}
	for (size_t i = 1; i < maker->export->n_nodes; i++)
		if (nodes[i].thread == EXPORT_NONE)
			nodes[i].thread = nodes[nodes[i].parent].thread;
}

static int make(struct maker *maker)
{
	struct export *export = maker->export;
	const struct name_tree *names = &export->report->names;

	export->place = malloc((names->n_nodes + 1) * sizeof(*export->place));
	if (!export->place)
		return -1;
	for (uint32_t i = 0; i < names->n_nodes; i++)
		if (add_node(maker, i) != 0)
			return -1;
	find_threads(maker);
	for (size_t i = 0; i < export->n_nodes; i++)
		for (size_t k = 0; k < EXPORT_N_METRICS; k++)
			export->totals[k] += export->nodes[i].self[k];
	return 0;
}

int export_make(struct export *export, const struct report *report,
	const struct export_options *options, struct diag *diag)
{
	struct export_names names;
	struct maker maker = { .export = export, .names = &names };
	int status;

	memset(export, 0, sizeof(*export));
	export->report = report;
	export->by_thread =
		options->by_thread || options->format->is_by_thread || report->view == TREE_MACHINE;
	export->are_inlined_folded = options->fold_inlined;
	export->metric = options->metric >= 0 ? (enum export_metric)options->metric
			 : report->is_event   ? EXPORT_EVENTS
					      : EXPORT_TIME;
	status = name_tree_init(&export->strings, 1);
	if (export_names_init(&names, export) != 0)
		status = -1;
	if (status == 0)
		status = make(&maker);
	export_names_release(&names);
	return status == 0 ? 0 : diag_set(diag, "cannot export the profile: out of memory");
}

void export_release(struct export *export)
{
	free(export->nodes);
	free(export->place);
	name_tree_release(&export->strings);
	memset(export, 0, sizeof(*export));
}

int export_merge(
	const struct export *export, struct name_tree *merged, uint64_t **values, struct diag *diag)
{
	uint32_t *place = malloc((export->n_nodes + 1) * sizeof(*place));
	int status = name_tree_init(merged, 0);

	*values = calloc(export->n_nodes + 1, sizeof(**values));
	if (!place || !*values)
		status = -1;
	for (uint32_t i = 0; i < export->n_nodes && status == 0; i++) {
		const struct export_node *node = &export->nodes[i];
		struct name_label label = *merged->nodes[0].label;

		label.kind = node->kind == NAME_INLINED ? NAME_FUNCTION : node->kind;
		label.name = node->name;
		place[i] = i ? name_tree_child(merged, place[node->parent], &label) : 0;
		if (place[i] == NAMES_NONE)
			status = -1;
		else
			(*values)[place[i]] += node->self[export->metric];
	}
	free(place);
	return status == 0 ? 0 : diag_set(diag, "cannot export the profile: out of memory");
}
