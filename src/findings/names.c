/* SPDX-License-Identifier: Apache-2.0 */
/* From the attributed tree to the named tree; see names.h. */
#include "src/findings/names.h"

#include <stdlib.h>
#include <string.h>

#include "src/findings/names_lookup.h"

/* A node of the attributed tree, while the named tree is built. */
struct place {
	uint32_t hang; /* the named node that its children are added to */
	uint32_t own;  /* of a start-up frame with must_show: its named node */
	/* it is a frame, and so are all nodes above it up to the root, thread or program */
	uint8_t on_start;
	uint8_t is_start; /* a caller of main, or a thread's start-up */
	uint8_t has_main; /* main, or called by main, directly or not */
	/* a start-up frame with figures of its own, or above a node with must_show */
	uint8_t must_show;
};

struct builder {
	struct name_tree *names;
	const struct tree *tree;
	const struct profile *profile;
	const struct names_options *options;
	struct names_lookup sites;
	struct place *places;
};

static const char *frame_name(const struct builder *b, uint32_t i)
{
	return names_lookup_function(&b->sites, i)->name;
}

static int is_main(const struct builder *b, uint32_t i)
{
	static const char *const mains[] = { "main", "MAIN__", "_QQmain" };
	uint32_t module = b->tree->nodes[i].module;
	const char *name = frame_name(b, i);

	if (module >= b->profile->n_modules ||
		!(b->profile->modules[module].flags & PROFILE_MODULE_MAIN))
		return 0;
	for (size_t k = 0; k < sizeof(mains) / sizeof(mains[0]); k++)
		if (strcmp(name, mains[k]) == 0)
			return 1;
	return strncmp(name, "main.", 5) == 0;
}

/*
 * Whether the frame can be start-up code of the program or a thread: _start and the like, or any
 * code of libc or libpthread.
 */
static int is_startup_code(const struct builder *b, uint32_t i)
{
	static const char *const libraries[] = { "libc.so", "libc-2", "libpthread" };
	static const char *const names[] = { "_start", "start_thread", "clone", "clone3",
		"__clone3", "__libc_start_main" };
	uint32_t module = b->tree->nodes[i].module;
	const char *name = frame_name(b, i);

	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
		if (strcmp(name, names[k]) == 0)
			return 1;
	if (module >= b->profile->n_modules)
		return 0;
	const char *base = names_base(b->profile->modules[module].path);
	for (size_t k = 0; k < sizeof(libraries) / sizeof(libraries[0]); k++)
		if (strncmp(base, libraries[k], strlen(libraries[k])) == 0)
			return 1;
	return 0;
}

static void mark_callers(struct builder *b, uint32_t i)
{
	const struct tree_node *nodes = b->tree->nodes;

	for (i = nodes[i].parent; nodes[i].kind == TREE_FRAME; i = nodes[i].parent) {
		if (b->places[i].is_start)
			break;
		b->places[i].is_start = 1;
	}
}

static int has_figures(const struct tree *tree, uint32_t i)
{
	struct tree_metrics self = tree_self(tree, i);

	return tree_metrics_any(&self);
}

/* Marks the frames that started the program or a thread. The user view leaves them out. */
static void mark_startup(struct builder *b)
{
	for (uint32_t i = 1; i < b->tree->n_nodes; i++) {
		const struct tree_node *node = &b->tree->nodes[i];
		const struct tree_node *up = &b->tree->nodes[node->parent];
		const struct place *above = &b->places[node->parent];
		struct place *place = &b->places[i];
		int is_first = up->kind == TREE_ROOT || up->kind == TREE_THREAD ||
			       up->kind == TREE_PROGRAM;

		if (node->kind != TREE_FRAME || !(is_first || above->on_start))
			continue;
		place->on_start = 1;
		place->has_main = above->has_main || is_main(b, i);
		if (place->has_main && !above->has_main)
			mark_callers(b, i);
		else if ((is_first || above->is_start) && !place->has_main)
			place->is_start = is_startup_code(b, i);
	}
	for (uint32_t i = b->tree->n_nodes; i-- > 1;) {
		struct place *place = &b->places[i];
		if (!place->is_start)
			continue;
		place->must_show |= has_figures(b->tree, i);
		if (place->must_show)
			b->places[b->tree->nodes[i].parent].must_show = 1;
	}
}

/*
 * Adds a node for each label of an address, from number `first` on; each is the parent of the next.
 * Returns the last node.
 */
static uint32_t add_chain(
	struct builder *b, uint32_t parent, const struct names_lookup_entry *site, size_t first)
{
	for (size_t k = first; k < site->n && parent != NAMES_NONE; k++)
		parent = name_tree_child(b->names, parent, &b->sites.labels[site->first + k]);
	return parent;
}

/*
 * How many labels of a frame are the outlined body of its construct, which is no node of its own. A
 * frame with PROFILE_FRAME_OUTLINED can have another name after a tail call; it then keeps its
 * label.
 */
static size_t count_outlined(const struct builder *b, uint32_t parent, uint32_t i)
{
	const struct names_lookup_entry *site = names_lookup_of(&b->sites, i);
	uint8_t kind = b->names->nodes[parent].label->kind;
	size_t n = 0;

	if (b->options->view != TREE_USER || (!names_is_construct(kind)))
		return 0;
	if (b->tree->nodes[i].flags & PROFILE_FRAME_OUTLINED &&
		strncmp(b->sites.labels[site->first].name, "0x", 2) == 0)
		n = 1;
	while (n < site->n && names_is_outlined(b->sites.labels[site->first + n].name))
		n++;
	return n;
}

/* In the machine view a label has the address where the thread was or to which it returns. */
static uint32_t place_machine_frame(struct builder *b, uint32_t i)
{
	const struct tree_node *node = &b->tree->nodes[i];
	struct name_label label = *names_lookup_function(&b->sites, i);

	label.addr = node->addr;
	label.offset = node->module < b->profile->n_modules
			       ? node->addr - b->profile->modules[node->module].bias
			       : 0;
	return b->places[i].hang = name_tree_child(b->names, b->places[node->parent].hang, &label);
}

static uint32_t place_frame(struct builder *b, uint32_t i)
{
	const struct tree_node *node = &b->tree->nodes[i];
	const struct place *above = &b->places[node->parent];
	struct place *place = &b->places[i];

	if (b->options->view == TREE_MACHINE)
		return place_machine_frame(b, i);
	place->hang = above->hang;
	if (!place->is_start)
		return place->hang = add_chain(b, above->hang, names_lookup_of(&b->sites, i),
			       count_outlined(b, above->hang, i));
	if (!place->must_show)
		return place->hang;
	place->own = add_chain(
		b, above->is_start ? above->own : above->hang, names_lookup_of(&b->sites, i), 0);
	return place->own;
}

static struct name_place place_of(const struct builder *b, const struct names_lookup_entry *site)
{
	const struct name_label *label = &b->sites.labels[site->first + site->n - 1];

	return (struct name_place){ label->file, label->line };
}

/* Adds a wait below the function, if any, that ended with a jump into the runtime. */
static uint32_t place_wait(struct builder *b, uint32_t i, struct name_label *label)
{
	uint32_t parent = b->tree->nodes[i].parent, hang = b->places[i].hang;
	const struct names_lookup_entry *tail = names_tail_of(&b->sites, b->tree, i);
	struct name_place place = b->names->place_of[parent];

	if (tail) {
		hang = add_chain(b, hang, tail, 0);
		place = place_of(b, tail);
	}
	/* Waits in calls at different lines of one function are told apart. */
	label->file = place.file;
	label->line = place.line;
	return b->places[i].hang = name_tree_child(b->names, hang, label);
}

/* Adds node i to the named tree. Returns the node that gets its own figures. */
static uint32_t place_node(struct builder *b, uint32_t i)
{
	const struct tree_node *node = &b->tree->nodes[i];
	struct place *place = &b->places[i];
	struct name_label label;

	if (node->kind == TREE_FRAME)
		return place_frame(b, i);
	place->hang = b->places[node->parent].hang;
	if (names_label_node(&label, b->names, &b->sites, b->tree, i, place->hang) != 0)
		return NAMES_NONE;
	if (node->kind == TREE_WAIT && b->options->view == TREE_USER &&
		b->tree->nodes[node->parent].kind == TREE_FRAME &&
		!b->places[node->parent].is_start)
		return place_wait(b, i, &label);
	return place->hang = name_tree_child(b->names, place->hang, &label);
}

/*
 * Stores the line of node i: of a frame its innermost call, of a construct its own line, of any
 * other node the line of the node above, or of the function that ended with a jump into the
 * runtime.
 */
static void remember_place(struct builder *b, uint32_t i)
{
	const struct tree_node *node = &b->tree->nodes[i];
	struct name_place *place = &b->names->place_of[i];
	const struct names_lookup_entry *tail = names_tail_of(&b->sites, b->tree, i);

	if (node->kind == TREE_FRAME) {
		*place = place_of(b, names_lookup_of(&b->sites, i));
	} else if (tree_is_construct(node->kind)) {
		const struct name_label *label = b->names->nodes[b->names->node_of[i]].label;

		*place = (struct name_place){ label->file, label->line };
	} else {
		*place = tail ? place_of(b, tail) : b->names->place_of[node->parent];
	}
}

static int is_guessed(const struct tree_node *node)
{
	return node->kind == TREE_FRAME && node->flags & PROFILE_FRAME_GUESSED;
}

static int build(struct builder *b)
{
	b->places = calloc(b->tree->n_nodes, sizeof(*b->places));
	if (!b->places || name_tree_init(b->names, 1) != 0)
		return -1;
	b->names->node_of = calloc(b->tree->n_nodes, sizeof(*b->names->node_of));
	b->names->place_of = calloc(b->tree->n_nodes, sizeof(*b->names->place_of));
	if (!b->names->node_of || !b->names->place_of)
		return -1;
	if (names_lookup_find(&b->sites, b->names, b->tree, b->profile, b->options) != 0)
		return -1;
	if (b->options->view == TREE_USER)
		mark_startup(b);
	if (name_join(b->names, 0, &b->tree->figures, b->tree->nodes[0].self) != 0)
		return -1;
	b->names->place_of[0] = (struct name_place){ b->sites.empty, 0 };
	for (uint32_t i = 1; i < b->tree->n_nodes; i++) {
		uint32_t at = place_node(b, i);
		if (at == NAMES_NONE || b->places[i].hang == NAMES_NONE)
			return -1;
		b->names->node_of[i] = at;
		remember_place(b, i);
		if (name_join(b->names, at, &b->tree->figures, b->tree->nodes[i].self) != 0)
			return -1;
		if (is_guessed(&b->tree->nodes[i]))
			b->names->nodes[at].is_guessed = 1;
	}
	return 0;
}

int names_build(struct name_tree *names, const struct tree *tree, const struct profile *profile,
	const struct names_options *options, struct diag *diag)
{
	struct builder b = { .names = names, .tree = tree, .profile = profile, .options = options };
	int status;

	memset(names, 0, sizeof(*names));
	status = build(&b);
	names_lookup_release(&b.sites);
	free(b.places);
	if (status == 0)
		return 0;
	name_tree_release(names);
	return diag_set(diag, "cannot name the functions of the profile: out of memory");
}
