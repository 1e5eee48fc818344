/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that serial time is spent in; see figures.h. Work outside of any region and task
 * counts for the outermost function of the program that has no parallel region below it; a function
 * that has one counts with what is its own. Library functions count for their caller: those of
 * another object, and those declared below /usr. What native threads do beside OpenMP's is not serial.
 */
#include "src/figures.h"

#include <stdlib.h>
#include <string.h>

/* What is known of a node of the named tree. */
struct serial_node {
	uint32_t function; /* node that stands for the function that this one's work counts for */
	uint8_t is_serial; /* outside of regions and tasks, below the program's start */
	uint8_t has_region;
	uint8_t is_native;
};

static int is_function(const struct name_node *node)
{
	return node->label.kind == NAME_FUNCTION || node->label.kind == NAME_INLINED;
}

/* Programs of one run each have a node; what is right below it is outermost, as below the root. */
static int is_outermost(const struct name_tree *names, uint32_t i)
{
	uint32_t parent = names->nodes[i].parent;

	return parent == 0 || names->nodes[parent].label.kind == NAME_PROGRAM;
}

static int is_main(const char *name)
{
	return strcmp(name, "main") == 0 || strcmp(name, "MAIN__") == 0 ||
	       strncmp(name, "main.", 5) == 0;
}

/* Threads that are not OpenMP's begin elsewhere than in main. */
static int has_main(const struct name_tree *names)
{
	for (uint32_t i = 1; i < names->n_nodes; i++)
		if (is_outermost(names, i) && is_function(&names->nodes[i]) &&
			is_main(names->nodes[i].label.name))
			return 1;
	return 0;
}

/* Marks what native threads executed, up to their start functions. */
static void mark_native(const struct figures *figures, struct serial_node *marks)
{
	const struct tree *tree = figures->tree;

	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		uint32_t at;

		if (tree->nodes[i].kind != TREE_FRAME ||
			!(tree->nodes[i].flags & TREE_FRAME_NATIVE))
			continue;
		at = figures_node(figures, i);
		for (; at != NAMES_NONE && at != 0 && !marks[at].is_native;
			at = figures->names->nodes[at].parent)
			marks[at].is_native = 1;
	}
}

static int is_library(const struct name_label *label, const struct name_label *caller)
{
	return label->module != caller->module || strncmp(label->decl_file, "/usr/", 5) == 0;
}

static void mark_functions(const struct name_tree *names, struct serial_node *marks)
{
	int wants_main = has_main(names);

	for (uint32_t i = 1; i < names->n_nodes; i++) {
		const struct name_node *node = &names->nodes[i];
		uint32_t above = marks[node->parent].function;

		if (is_outermost(names, i)) {
			marks[i].is_serial = is_function(node) && !marks[i].is_native &&
					     (!wants_main || is_main(node->label.name));
			marks[i].function = i;
			continue;
		}
		marks[i].is_serial = marks[node->parent].is_serial &&
				     node->label.kind != NAME_REGION &&
				     node->label.kind != NAME_TASK;
		marks[i].function =
			is_function(node) && marks[above].has_region &&
					!is_library(&node->label, &names->nodes[above].label)
				? i
				: above;
	}
}

static int by_function(const void *left, const void *right)
{
	const struct figures_serial *a = left, *b = right;
	const struct name_label *x = a->label, *y = b->label;

	if (x->name != y->name)
		return (uintptr_t)x->name < (uintptr_t)y->name ? -1 : 1;
	if (x->decl_file != y->decl_file)
		return (uintptr_t)x->decl_file < (uintptr_t)y->decl_file ? -1 : 1;
	if (x->decl_line != y->decl_line)
		return x->decl_line < y->decl_line ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

static int is_same(const struct name_label *a, const struct name_label *b)
{
	return a->name == b->name && a->decl_file == b->decl_file && a->decl_line == b->decl_line;
}

/*
 * Which functions have a region below them, at one of their calls at least: nodes are of lines. Sorted
 * by function, `nodes` are all of the tree's.
 */
static void mark_regions(const struct name_tree *names, struct serial_node *marks,
	const struct figures_serial *nodes)
{
	size_t first = 0;
	uint8_t has_region = 0;

	for (uint32_t i = names->n_nodes; i-- > 1;) {
		marks[i].has_region |= names->nodes[i].label.kind == NAME_REGION;
		marks[names->nodes[i].parent].has_region |= marks[i].has_region;
	}
	for (size_t i = 0; i < names->n_nodes; i++) {
		has_region |= marks[nodes[i].node].has_region;
		if (i + 1 < names->n_nodes && is_same(nodes[i].label, nodes[i + 1].label))
			continue;
		for (; first <= i; first++)
			marks[nodes[first].node].has_region = has_region;
		has_region = 0;
	}
}

static int by_work(const void *left, const void *right)
{
	const struct figures_serial *a = left, *b = right;

	if (a->work_ns != b->work_ns)
		return a->work_ns > b->work_ns ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

static size_t merge(struct figures_serial *serial, size_t n_nodes)
{
	size_t n = 0;

	qsort(serial, n_nodes, sizeof(*serial), by_function);
	for (size_t i = 0; i < n_nodes; i++) {
		struct figures_serial *last = n ? &serial[n - 1] : NULL;

		if (!last || !is_same(last->label, serial[i].label)) {
			serial[n++] = serial[i];
			continue;
		}
		last->work_ns += serial[i].work_ns;
		if (serial[i].node_ns > last->node_ns) {
			last->node_ns = serial[i].node_ns;
			last->node = serial[i].node;
			last->label = serial[i].label;
		}
	}
	qsort(serial, n, sizeof(*serial), by_work);
	return n;
}

/* Lists each node that work counts for. Returns how many there are. */
static size_t list_work(struct figures *figures, const uint64_t *work_ns)
{
	const struct name_tree *names = figures->names;
	size_t n = 0;

	for (uint32_t i = 1; i < names->n_nodes; i++) {
		if (work_ns[i] == 0)
			continue;
		figures->serial[n].label = &names->nodes[i].label;
		figures->serial[n].node = i;
		figures->serial[n].work_ns = figures->serial[n].node_ns = work_ns[i];
		figures->serial_work_ns += work_ns[i];
		n++;
	}
	return n;
}

int figures_add_serial(struct figures *figures)
{
	const struct name_tree *names = figures->names;
	struct serial_node *marks = calloc(names->n_nodes, sizeof(*marks));
	uint64_t *work_ns = calloc(names->n_nodes, sizeof(*work_ns));
	int is_time = figures->profile->header.clock_kind != PROFILE_CLOCK_EVENT;
	int status = -1;

	figures->serial = calloc(names->n_nodes, sizeof(*figures->serial));
	if (marks && work_ns && figures->serial) {
		for (uint32_t i = 0; i < names->n_nodes; i++) {
			figures->serial[i].label = &names->nodes[i].label;
			figures->serial[i].node = i;
		}
		qsort(figures->serial, names->n_nodes, sizeof(*figures->serial), by_function);
		mark_native(figures, marks);
		mark_regions(names, marks, figures->serial);
		mark_functions(names, marks);
		for (uint32_t i = 1; i < names->n_nodes; i++)
			if (marks[i].is_serial && is_time)
				work_ns[marks[i].function] +=
					name_self(names, i).time_ns[PROFILE_WORK];
		figures->n_serial = merge(figures->serial, list_work(figures, work_ns));
		status = 0;
	}
	free(marks);
	free(work_ns);
	return status;
}
