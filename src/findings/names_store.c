/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The storage of a named tree: interned strings, labels, and nodes found by parent and label; see
 * names.h.
 */
#include "profile/shared/hash.h"
#include "src/findings/names.h"

#include <stdlib.h>
#include <string.h>

struct name_tree_strings {
	char **slots;
	size_t n_slots; /* a power of two */
	size_t n_used;
};

/* The slot of the text, or the free slot where it belongs. */
static char **strings_find(const struct name_tree_strings *strings, const char *text)
{
	size_t at = hash_mix(hash_text(HASH_START, text), 0) & (strings->n_slots - 1);

	while (strings->slots[at] && strcmp(strings->slots[at], text) != 0)
		at = (at + 1) & (strings->n_slots - 1);
	return &strings->slots[at];
}

static int strings_grow(struct name_tree_strings *strings)
{
	struct name_tree_strings larger = *strings;

	larger.n_slots = strings->n_slots ? strings->n_slots * 2 : 256;
	larger.slots = calloc(larger.n_slots, sizeof(*larger.slots));
	if (!larger.slots)
		return -1;
	for (size_t i = 0; i < strings->n_slots; i++)
		if (strings->slots[i])
			*strings_find(&larger, strings->slots[i]) = strings->slots[i];
	free(strings->slots);
	*strings = larger;
	return 0;
}

const char *name_tree_intern(struct name_tree *names, const char *text)
{
	struct name_tree_strings *strings = names->strings;
	char **slot;

	if (strings->n_used * 2 >= strings->n_slots && strings_grow(strings) != 0)
		return NULL;
	slot = strings_find(strings, text);
	if (!*slot) {
		*slot = strdup(text);
		strings->n_used += *slot != NULL;
	}
	return *slot;
}

static void strings_free(struct name_tree_strings *strings)
{
	if (!strings)
		return;
	for (size_t i = 0; i < strings->n_slots; i++)
		free(strings->slots[i]);
	free(strings->slots);
	free(strings);
}

enum { LABELS_CHUNK = 256 };

/*
 * The labels of nodes, each stored once: millions of nodes can share the labels of few functions.
 * They never move.
 */
struct name_tree_labels {
	struct name_label **chunks; /* of LABELS_CHUNK each */
	uint32_t *slots;            /* by hash: the label's number + 1; 0: free */
	size_t n_slots;             /* a power of two */
	size_t n;
};

static uint64_t labels_hash(const struct name_label *label)
{
	uint64_t hash = hash_mix(label->line, (uintptr_t)label->name);

	hash = hash_mix(hash, (uintptr_t)label->module);
	hash = hash_mix(hash, (uintptr_t)label->file);
	hash = hash_mix(hash, (uintptr_t)label->decl_file);
	hash = hash_mix(hash, (uintptr_t)label->function);
	hash = hash_mix(hash, label->addr);
	return hash_mix(hash, (uint64_t)label->decl_line << 8 | label->kind);
}

/* Compares all members; name_tree_child compares fewer. */
static int is_equal(const struct name_label *a, const struct name_label *b)
{
	return a->kind == b->kind && a->name == b->name && a->module == b->module &&
	       a->file == b->file && a->line == b->line && a->decl_file == b->decl_file &&
	       a->decl_line == b->decl_line && a->function == b->function && a->addr == b->addr &&
	       a->offset == b->offset;
}

static struct name_label *label_at(const struct name_tree_labels *labels, size_t number)
{
	return &labels->chunks[number / LABELS_CHUNK][number % LABELS_CHUNK];
}

/* The slot of the label, or the free slot where it belongs. */
static size_t labels_find(const struct name_tree_labels *labels, const struct name_label *label)
{
	size_t at = labels_hash(label) & (labels->n_slots - 1);

	while (labels->slots[at] && !is_equal(label_at(labels, labels->slots[at] - 1), label))
		at = (at + 1) & (labels->n_slots - 1);
	return at;
}

/* Doubles the slots. */
static int labels_rehash(struct name_tree_labels *labels)
{
	struct name_tree_labels larger = *labels;

	larger.n_slots = labels->n_slots ? 2 * labels->n_slots : 4 * LABELS_CHUNK;
	larger.slots = calloc(larger.n_slots, sizeof(*larger.slots));
	if (!larger.slots)
		return -1;
	for (uint32_t i = 0; i < labels->n; i++)
		larger.slots[labels_find(&larger, label_at(labels, i))] = i + 1;
	free(labels->slots);
	*labels = larger;
	return 0;
}

/* Adds a chunk; at most half of the slots stay full. */
static int labels_grow(struct name_tree_labels *labels)
{
	size_t n_chunks = labels->n / LABELS_CHUNK;
	struct name_label **chunks = realloc(labels->chunks, (n_chunks + 1) * sizeof(*chunks));

	if (!chunks)
		return -1;
	labels->chunks = chunks;
	if (labels->n_slots < 2 * (labels->n + LABELS_CHUNK) && labels_rehash(labels) != 0)
		return -1;
	chunks[n_chunks] = malloc(LABELS_CHUNK * sizeof(**chunks));
	return chunks[n_chunks] ? 0 : -1;
}

/* The stored label that equals `label`; strings are compared by address. NULL: out of memory. */
static const struct name_label *labels_intern(
	struct name_tree_labels *labels, const struct name_label *label)
{
	size_t at = labels->n_slots ? labels_find(labels, label) : 0;

	if (labels->n_slots && labels->slots[at])
		return label_at(labels, labels->slots[at] - 1);
	if (labels->n % LABELS_CHUNK == 0) {
		if (labels_grow(labels) != 0)
			return NULL;
		at = labels_find(labels, label);
	}
	*label_at(labels, labels->n) = *label;
	labels->slots[at] = (uint32_t)++labels->n;
	return label_at(labels, labels->n - 1);
}

static void labels_free(struct name_tree_labels *labels)
{
	if (!labels)
		return;
	for (size_t i = 0; i * LABELS_CHUNK < labels->n; i++)
		free(labels->chunks[i]);
	free(labels->chunks);
	free(labels->slots);
	free(labels);
}

static uint64_t hash_child(uint32_t parent, const struct name_label *label)
{
	uint64_t hash = hash_mix(parent, label->kind);

	hash = hash_mix(hash, (uintptr_t)label->name);
	hash = hash_mix(hash, (uintptr_t)label->module);
	hash = hash_mix(hash, (uintptr_t)label->file);
	return hash_mix(hash_mix(hash, label->line), label->addr);
}

static int same_label(const struct name_label *a, const struct name_label *b)
{
	return a->kind == b->kind && a->name == b->name && a->module == b->module &&
	       a->file == b->file && a->line == b->line && a->addr == b->addr;
}

/* The slot of the child, or the free slot where it belongs. */
static size_t table_find(
	const struct name_tree *names, uint32_t parent, const struct name_label *label)
{
	size_t at = hash_child(parent, label) & (names->table_size - 1);

	while (names->table[at] != NAMES_NONE) {
		const struct name_node *node = &names->nodes[names->table[at]];
		if (node->parent == parent && same_label(node->label, label))
			break;
		at = (at + 1) & (names->table_size - 1);
	}
	return at;
}

/* Makes room for one more node; at most half of the table is used. */
static int reserve(struct name_tree *names)
{
	size_t capacity = names->capacity ? names->capacity * 2 : 64;
	struct name_node *nodes;
	uint32_t *table;

	if (names->n_nodes < names->capacity)
		return 0;
	nodes = realloc(names->nodes, capacity * sizeof(*nodes));
	if (!nodes)
		return -1;
	names->nodes = nodes;
	table = malloc(capacity * 2 * sizeof(*table));
	if (!table)
		return -1;
	memset(table, 0xff, capacity * 2 * sizeof(*table));
	free(names->table);
	names->table = table;
	names->table_size = capacity * 2;
	names->capacity = capacity;
	for (uint32_t i = 1; i < names->n_nodes; i++)
		names->table[table_find(names, names->nodes[i].parent, names->nodes[i].label)] = i;
	return 0;
}

uint32_t name_tree_child(struct name_tree *names, uint32_t parent, const struct name_label *label)
{
	const struct name_label *own;
	size_t at;
	uint32_t index;

	if (reserve(names) != 0)
		return NAMES_NONE;
	at = table_find(names, parent, label);
	if (names->table[at] != NAMES_NONE)
		return names->table[at];
	own = labels_intern(names->labels, label);
	if (!own)
		return NAMES_NONE;
	index = names->n_nodes++;
	names->table[at] = index;
	names->nodes[index] = (struct name_node){
		.parent = parent,
		.first_child = NAMES_NONE,
		.next_sibling = names->nodes[parent].first_child,
		.repeats = 1,
		.label = own,
	};
	names->nodes[parent].first_child = index;
	return index;
}

int name_tree_relabel(struct name_tree *names, uint32_t node, const struct name_label *label)
{
	const struct name_label *own = labels_intern(names->labels, label);

	if (own)
		names->nodes[node].label = own;
	return own ? 0 : -1;
}

int name_tree_has_child(
	const struct name_tree *names, uint32_t parent, const struct name_label *label)
{
	return names->table[table_find(names, parent, label)] != NAMES_NONE;
}

int name_tree_init(struct name_tree *names, int own_strings)
{
	static const struct name_label root = { NAME_ROOT, "", "", "", 0, "", 0, "", 0, 0 };

	memset(names, 0, sizeof(*names));
	names->labels = calloc(1, sizeof(*names->labels));
	if (!names->labels)
		return -1;
	if (own_strings) {
		names->strings = calloc(1, sizeof(*names->strings));
		if (!names->strings)
			return -1;
	}
	if (reserve(names) != 0)
		return -1;
	names->nodes[0] = (struct name_node){
		.parent = NAMES_NONE,
		.first_child = NAMES_NONE,
		.next_sibling = NAMES_NONE,
		.repeats = 1,
		.label = &root,
	};
	names->n_nodes = 1;
	return 0;
}

void name_tree_release(struct name_tree *names)
{
	free(names->nodes);
	free(names->table);
	labels_free(names->labels);
	strings_free(names->strings);
	free(names->node_of);
	free(names->place_of);
	sparse_metrics_release(&names->figures);
	memset(names, 0, sizeof(*names));
}

struct name_label names_function_label(const struct name_label *label)
{
	struct name_label function = *label;

	if (names_is_code(label->kind)) {
		function.file = label->decl_file;
		function.line = label->decl_line;
	}
	return function;
}

int name_tree_fold(struct name_tree *folded, const struct name_tree *from)
{
	uint32_t *map = malloc(from->n_nodes * sizeof(*map));
	uint32_t *levels = calloc(from->n_nodes, sizeof(*levels));
	int status = -1;

	memset(folded, 0, sizeof(*folded));
	if (!map || !levels || name_tree_init(folded, 0) != 0)
		goto out;
	map[0] = 0;
	if (name_join(folded, 0, &from->figures, from->nodes[0].self) != 0)
		goto out;
	for (uint32_t i = 1; i < from->n_nodes; i++) {
		const struct name_node *node = &from->nodes[i];
		struct name_label label = names_function_label(node->label);
		uint32_t above = map[node->parent];

		levels[i] = 1;
		if (node->label->kind == NAME_FUNCTION && !label.addr && above != 0 &&
			same_label(folded->nodes[above].label, &label)) {
			map[i] = above;
			levels[i] = levels[node->parent] + 1;
		} else {
			map[i] = name_tree_child(folded, above, &label);
		}
		if (map[i] == NAMES_NONE)
			goto out;
		struct name_node *to = &folded->nodes[map[i]];
		if (to->repeats < levels[i])
			to->repeats = levels[i];
		to->is_guessed |= node->is_guessed;
		if (name_join(folded, map[i], &from->figures, node->self) != 0)
			goto out;
	}
	status = 0;
out:
	free(map);
	free(levels);
	if (status != 0)
		name_tree_release(folded);
	return status;
}

int name_totals_make(struct name_totals *totals, const struct name_tree *names)
{
	*totals = (struct name_totals){ .at = calloc(names->n_nodes, sizeof(*totals->at)) };
	if (!totals->at)
		return -1;
	for (size_t i = names->n_nodes; i-- > 0;) {
		const struct name_node *node = &names->nodes[i];

		if (sparse_metrics_join(
			    &totals->figures, &totals->at[i], &names->figures, node->self) != 0)
			return -1;
		if (i && sparse_metrics_join(&totals->figures, &totals->at[node->parent],
				 &totals->figures, totals->at[i]) != 0)
			return -1;
	}
	return 0;
}

void name_totals_release(struct name_totals *totals)
{
	sparse_metrics_release(&totals->figures);
	free(totals->at);
	*totals = (struct name_totals){ .at = NULL };
}
