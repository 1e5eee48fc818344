/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that serial time is spent in; see findings.h. Work outside of regions and tasks is
 * added to the outermost function of the program that has no parallel region below it. A function
 * with a region below it keeps only its own work, and that of library functions that it calls. A
 * library function is in another object than its caller, or is declared below /usr. Work of native
 * threads is left out.
 */
#include "src/findings/findings.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "src/findings/order.h"

struct serial_node {
	uint32_t function; /* the node to which this node's work is added */
	/* outside of regions and tasks, and on a path from main if any path begins with main */
	uint8_t is_serial;
	uint8_t has_region;
	uint8_t is_native;
};

/* In a tree of several programs each program has a node of its own below the root. */
static int is_outermost(const struct name_tree *names, uint32_t i)
{
	uint32_t parent = names->nodes[i].parent;

	return parent == 0 || names->nodes[parent].label->kind == NAME_PROGRAM;
}

static int is_main(const char *name)
{
	return strcmp(name, "main") == 0 || strcmp(name, "MAIN__") == 0 ||
	       strncmp(name, "main.", 5) == 0;
}

static int has_main(const struct name_tree *names)
{
	for (uint32_t i = 1; i < names->n_nodes; i++)
		if (is_outermost(names, i) && names_is_code(names->nodes[i].label->kind) &&
			is_main(names->nodes[i].label->name))
			return 1;
	return 0;
}

/* Marks frames of native threads and all nodes above these frames. */
static void mark_native(const struct findings *figures, struct serial_node *marks)
{
	const struct tree *tree = figures->tree;

	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		uint32_t at;

		if (tree->nodes[i].kind != TREE_FRAME ||
			!(tree->nodes[i].flags & TREE_FRAME_NATIVE))
			continue;
		at = findings_node(figures, i);
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
			marks[i].is_serial = names_is_code(node->label->kind) &&
					     !marks[i].is_native &&
					     (!wants_main || is_main(node->label->name));
			marks[i].function = i;
			continue;
		}
		marks[i].is_serial = marks[node->parent].is_serial &&
				     node->label->kind != NAME_REGION &&
				     node->label->kind != NAME_TASK;
		marks[i].function =
			names_is_code(node->label->kind) && marks[above].has_region &&
					!is_library(node->label, names->nodes[above].label)
				? i
				: above;
	}
}

static int compare_functions(const void *left, const void *right)
{
	const struct name_label *a = left, *b = right;

	return ORDER(ORDER_STRINGS(a->name, b->name), ORDER_STRINGS(a->decl_file, b->decl_file),
		{ a->decl_line, b->decl_line });
}

static int by_function(const void *left, const void *right)
{
	const struct findings_serial *a = left, *b = right;
	int order = compare_functions(a->label, b->label);

	return order ? order : ORDER({ a->node, b->node });
}

static void keep(void *label)
{
	(void)label;
}

/*
 * Marks all nodes of a function if there is a region below at least one of them: each line of a
 * function has nodes of its own. Returns 0, or -1 when out of memory.
 */
static int mark_regions(const struct name_tree *names, struct serial_node *marks)
{
	void *functions = NULL; /* labels of functions that have a region below them, for tsearch */
	int status = 0;

	for (uint32_t i = names->n_nodes; i-- > 1;) {
		marks[i].has_region |= names->nodes[i].label->kind == NAME_REGION;
		marks[names->nodes[i].parent].has_region |= marks[i].has_region;
	}
	for (uint32_t i = 0; status == 0 && i < names->n_nodes; i++)
		if (marks[i].has_region &&
			!tsearch(names->nodes[i].label, &functions, compare_functions))
			status = -1;
	for (uint32_t i = 0; status == 0 && i < names->n_nodes; i++)
		marks[i].has_region =
			tfind(names->nodes[i].label, &functions, compare_functions) != NULL;
	tdestroy(functions, keep);
	return status;
}

static int by_work(const void *left, const void *right)
{
	const struct findings_serial *a = left, *b = right;

	return ORDER({ b->work_ns, a->work_ns }, { a->node, b->node });
}

static size_t merge(struct findings_serial *serial, size_t n_nodes)
{
	size_t n = 0;

	qsort(serial, n_nodes, sizeof(*serial), by_function);
	for (size_t i = 0; i < n_nodes; i++) {
		struct findings_serial *last = n ? &serial[n - 1] : NULL;

		if (!last || compare_functions(last->label, serial[i].label) != 0) {
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

/* Lists the nodes that have work. Returns 0, or -1 when out of memory. */
static int list_work(struct findings *figures, const uint64_t *work_ns)
{
	const struct name_tree *names = figures->names;
	size_t n = 0;

	for (uint32_t i = 1; i < names->n_nodes; i++)
		n += work_ns[i] != 0;
	figures->serial = calloc(n + 1, sizeof(*figures->serial));
	if (!figures->serial)
		return -1;
	for (uint32_t i = 1; i < names->n_nodes; i++) {
		if (work_ns[i] == 0)
			continue;
		figures->serial[figures->n_serial++] =
			(struct findings_serial){ .label = names->nodes[i].label,
				.node = i,
				.work_ns = work_ns[i],
				.node_ns = work_ns[i] };
		figures->serial_work_ns += work_ns[i];
	}
	return 0;
}

static int by_label(const void *left, const void *right)
{
	const struct findings_serial *a = left, *b = right;

	return compare_functions(a->label, b->label);
}

/* The index of the function with this label; UINT32_MAX if it has no serial work. */
static uint32_t find(
	const struct findings *figures, void *const *functions, const struct name_label *label)
{
	struct findings_serial key = { .label = label };
	struct findings_serial *const *found = tfind(&key, functions, by_label);

	return found ? (uint32_t)(*found - figures->serial) : UINT32_MAX;
}

/* Makes figures->serial_of. Returns 0, or -1 when out of memory. */
static int index_nodes(
	struct findings *figures, const struct serial_node *marks, const uint64_t *work_ns)
{
	const struct name_tree *names = figures->names;
	uint32_t *of = calloc(names->n_nodes + 1, sizeof(*of));
	void *functions = NULL;
	int status = of ? 0 : -1;

	figures->serial_of = of;
	for (uint32_t i = 0; status == 0 && i < figures->n_serial; i++)
		if (!tsearch(&figures->serial[i], &functions, by_label))
			status = -1;
	for (uint32_t i = 0; status == 0 && i < names->n_nodes; i++)
		of[i] = work_ns[i] ? find(figures, &functions, names->nodes[i].label) : UINT32_MAX;
	for (uint32_t i = names->n_nodes; status == 0 && i-- > 1;)
		of[i] = marks[i].is_serial ? of[marks[i].function] : UINT32_MAX;
	tdestroy(functions, keep);
	return status;
}

int findings_add_serial(struct findings *figures)
{
	const struct name_tree *names = figures->names;
	struct serial_node *marks = calloc(names->n_nodes, sizeof(*marks));
	uint64_t *work_ns = calloc(names->n_nodes, sizeof(*work_ns));
	int is_time = figures->profile->header.clock_kind != PROFILE_CLOCK_EVENT;
	int status = -1;

	if (marks && work_ns && mark_regions(names, marks) == 0) {
		mark_native(figures, marks);
		mark_functions(names, marks);
		for (uint32_t i = 1; i < names->n_nodes; i++)
			if (marks[i].is_serial && is_time)
				work_ns[marks[i].function] +=
					name_self(names, i).time_ns[PROFILE_WORK];
		status = list_work(figures, work_ns);
	}
	if (status == 0) {
		figures->n_serial = merge(figures->serial, figures->n_serial);
		status = index_nodes(figures, marks, work_ns);
	}
	free(marks);
	free(work_ns);
	return status;
}
