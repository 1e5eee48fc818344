/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nodes of a profile: ids become indices, and parents come before children. A node that no root
 * reaches (its parent is missing, or its ancestors form a ring) is left out, but if it is a leaf
 * with figures it is kept directly under its thread's root. All but what is done for each segment
 * is linear in the file's size.
 */
#include <stdlib.h>
#include <string.h>

#include "profile/reader/reader_internal.h"

/* The nodes in the order of the file, by their "raw" index, and their new places. */
struct sorter {
	/* link_children turns their parents into raw indices, or READER_NONE */
	struct reader_raw_node *raw;
	uint32_t n;
	uint32_t *raw_of_id; /* by node id: raw index + 1, 0 if there is no such node */
	size_t n_ids;
	uint32_t *first_child; /* by raw index */
	uint32_t *next_sibling;
	uint32_t *order;    /* new index -> raw index */
	uint32_t *place;    /* raw index -> new index, or READER_NONE */
	uint32_t n_reached; /* entries of order */
	/* by index into profile.threads: new index of its first root, or READER_NONE */
	uint32_t *root;
};

static void release_sorter(struct sorter *sorter)
{
	free(sorter->raw);
	free(sorter->raw_of_id);
	free(sorter->first_child);
	free(sorter->next_sibling);
	free(sorter->order);
	free(sorter->place);
	free(sorter->root);
}

/* Counts the nodes, and adds a record for each owner that profile.threads lacks. */
static int complete_threads(
	struct profile *profile, const struct reader_input *input, struct sorter *sorter)
{
	uint32_t *owners = calloc((size_t)input->n_segments + 1, sizeof(*owners));
	struct reader_records records;
	size_t n_owners = 0;
	int status;

	if (!owners)
		return -1;
	for (uint32_t i = 1; i < input->n_segments; i++) {
		if (!reader_records(input, i, PROFILE_SEGMENT_NODES, &records, &profile->n_dropped))
			continue;
		sorter->n += (uint32_t)records.n;
		/* reader_adopt gives nodes to the first thread, so there must be a thread. */
		if (records.n && (!(records.owner & PROFILE_OWNER_DEVICE) || !profile->n_threads))
			owners[n_owners++] = records.owner;
	}
	qsort(owners, n_owners, sizeof(*owners), reader_compare_u32);
	status = reader_add_threads(profile, owners, n_owners);
	free(owners);
	return status;
}

static int alloc_sorter(
	struct sorter *sorter, const struct profile *profile, const struct reader_input *input)
{
	size_t n = (size_t)sorter->n + 1;

	sorter->n_ids = input->size / PROFILE_NODE_BYTES;
	sorter->raw = calloc(n, sizeof(*sorter->raw));
	sorter->raw_of_id = calloc(sorter->n_ids + 1, sizeof(*sorter->raw_of_id));
	sorter->first_child = malloc(n * sizeof(*sorter->first_child));
	sorter->next_sibling = malloc(n * sizeof(*sorter->next_sibling));
	sorter->order = malloc(n * sizeof(*sorter->order));
	sorter->place = malloc(n * sizeof(*sorter->place));
	sorter->root = malloc((profile->n_threads + 1) * sizeof(*sorter->root));
	if (!sorter->raw || !sorter->raw_of_id || !sorter->first_child || !sorter->next_sibling ||
		!sorter->order || !sorter->place || !sorter->root)
		return -1;
	memset(sorter->first_child, 0xff, n * sizeof(*sorter->first_child));
	memset(sorter->place, 0xff, n * sizeof(*sorter->place));
	memset(sorter->root, 0xff, (profile->n_threads + 1) * sizeof(*sorter->root));
	return 0;
}

static int is_wait(uint8_t kind)
{
	return kind == PROFILE_NODE_WAIT || kind == PROFILE_NODE_BLAME;
}

static int is_leaf(uint8_t kind)
{
	return kind == PROFILE_NODE_SAMPLES || kind == PROFILE_NODE_EVENT ||
	       kind == PROFILE_NODE_COUNTS || is_wait(kind);
}

static int is_known(const struct profile *profile, uint8_t kind, uint64_t addr)
{
	if (is_wait(kind))
		return profile->has_ticks && PROFILE_WAIT_KIND(addr) > PROFILE_NO_WAIT &&
		       PROFILE_WAIT_KIND(addr) < PROFILE_N_WAITS;
	if (kind == PROFILE_NODE_EVENT)
		return PROFILE_EVENT_KIND(addr) > PROFILE_NO_EVENT &&
		       PROFILE_EVENT_KIND(addr) < PROFILE_N_EVENTS;
	if (kind == PROFILE_NODE_COUNTS)
		return PROFILE_COUNTS_CLASS(addr) < PROFILE_N_CLASSES &&
		       PROFILE_COUNTS_SET(addr) < PROFILE_MOST_COUNTERS / PROFILE_COUNTERS_OF_NODE;
	return kind >= PROFILE_NODE_THREAD && kind <= PROFILE_NODE_PHASE;
}

static struct reader_raw_node read_raw_node(
	const struct profile *profile, const unsigned char *bytes, uint32_t owner)
{
	struct profile_node node;

	memcpy(&node, bytes, sizeof(node));
	return (struct reader_raw_node){
		.bytes = bytes,
		.parent = node.parent,
		.owner = owner,
		.kind = node.kind,
		.is_known = (uint8_t)is_known(profile, node.kind, node.addr),
	};
}

static void read_raw(
	struct profile *profile, const struct reader_input *input, struct sorter *sorter)
{
	struct reader_records records;
	size_t unused = 0;
	uint32_t n = 0;

	for (uint32_t i = 1; i < input->n_segments; i++) {
		uint32_t owner;

		if (!reader_records(input, i, PROFILE_SEGMENT_NODES, &records, &unused))
			continue;
		owner = READER_NONE;
		if (!(records.owner & PROFILE_OWNER_DEVICE))
			owner = (uint32_t)reader_find_thread(profile, records.owner);
		for (size_t j = 0; j < records.n; j++) {
			sorter->raw[n] =
				read_raw_node(profile, records.first + j * records.bytes, owner);
			sorter->raw_of_id[records.offset / PROFILE_NODE_BYTES + j] = ++n;
		}
	}
}

static uint32_t raw_of_id(const struct sorter *sorter, uint64_t id)
{
	return id && id < sorter->n_ids ? sorter->raw_of_id[id] - 1 : READER_NONE;
}

/* Turns parent ids into raw indices, and links each node to its parent; a leaf has no children. */
static void link_children(struct sorter *sorter)
{
	for (uint32_t i = sorter->n; i-- > 0;) {
		struct reader_raw_node *node = &sorter->raw[i];
		uint32_t parent = raw_of_id(sorter, node->parent);

		node->parent = READER_NONE;
		if (node->kind == PROFILE_NODE_THREAD || !node->is_known || parent == READER_NONE ||
			is_leaf(sorter->raw[parent].kind))
			continue;
		node->parent = parent;
		sorter->next_sibling[i] = sorter->first_child[parent];
		sorter->first_child[parent] = i;
	}
}

static void place_node(struct sorter *sorter, uint32_t raw)
{
	sorter->place[raw] = sorter->n_reached;
	sorter->order[sorter->n_reached++] = raw;
}

/* Gives places breadth first, from the threads' roots on. */
static void sort_nodes(struct sorter *sorter)
{
	for (uint32_t i = 0; i < sorter->n; i++) {
		if (sorter->raw[i].kind != PROFILE_NODE_THREAD)
			continue;
		place_node(sorter, i);
		if (sorter->root[sorter->raw[i].owner] == READER_NONE)
			sorter->root[sorter->raw[i].owner] = sorter->place[i];
	}
	for (uint32_t done = 0; done < sorter->n_reached; done++) {
		uint32_t child = sorter->first_child[sorter->order[done]];

		for (; child != READER_NONE; child = sorter->next_sibling[child])
			place_node(sorter, child);
	}
}

static int is_of_team(uint8_t wait)
{
	return !profile_is_mutex(wait) && !profile_is_device(wait) &&
	       !profile_wait_is(wait, PROFILE_TIME_IDLE);
}

/* For profile_tree_node.context: the new index; READER_NONE if there is no such node. */
static uint32_t context_of(const struct sorter *sorter, const struct profile_tree_node *node)
{
	int is_context = node->kind == PROFILE_NODE_CONTEXT;
	uint32_t raw;

	if (node->kind == PROFILE_NODE_EVENT && node->event == PROFILE_EVENT_AWAITED_TASK) {
		raw = raw_of_id(sorter, node->addr);
		return raw != READER_NONE && sorter->raw[raw].kind == PROFILE_NODE_TASK
			       ? sorter->place[raw]
			       : READER_NONE;
	}
	if (!is_context && (node->kind != PROFILE_NODE_BLAME || !is_of_team(node->wait)))
		return READER_NONE;
	raw = raw_of_id(sorter, is_context ? node->addr : PROFILE_TEAM_REGION(node->addr));
	if (raw == READER_NONE ||
		(sorter->raw[raw].kind != PROFILE_NODE_REGION &&
			!(is_context && (sorter->raw[raw].kind == PROFILE_NODE_TASK ||
						sorter->raw[raw].kind == PROFILE_NODE_TARGET))))
		return READER_NONE;
	return sorter->place[raw];
}

static void set_context(const struct sorter *sorter, struct profile_tree_node *node)
{
	node->context = context_of(sorter, node);
	if (node->kind == PROFILE_NODE_BLAME && is_of_team(node->wait))
		node->addr = PROFILE_TEAM_SITE(node->addr);
	else if ((node->kind == PROFILE_NODE_BLAME && !profile_is_mutex(node->wait)) ||
		 (node->kind == PROFILE_NODE_EVENT && node->event == PROFILE_EVENT_AWAITED_TASK))
		node->addr = 0;
}

/* The phase of a node: its own if it is a PHASE node, else its parent's, which is known already. */
static uint16_t phase_of(const struct profile *profile, const struct profile_tree_node *node)
{
	if (node->kind == PROFILE_NODE_PHASE) {
		size_t phase = reader_find_phase(profile, node->addr);

		return phase < profile->n_phases ? (uint16_t)(phase + 1) : 0;
	}
	return node->parent == READER_NONE ? 0 : profile->nodes[node->parent].phase;
}

static void copy_reached(struct profile *profile, const struct sorter *sorter)
{
	for (uint32_t i = 0; i < sorter->n_reached; i++) {
		struct profile_tree_node *node = &profile->nodes[i];

		*node = reader_node(profile, &sorter->raw[sorter->order[i]]);
		if (node->parent != READER_NONE)
			node->parent = sorter->place[node->parent];
		set_context(sorter, node);
		node->phase = phase_of(profile, node);
		if (node->kind == PROFILE_NODE_THREAD)
			node->addr = profile->threads[node->owner].index;
	}
	profile->n_nodes = sorter->n_reached;
}

/* Adds n_created of the contexts to the n of their tasks. */
static void add_created(struct profile *profile)
{
	for (size_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];
		struct profile_tree_node *task;

		if (node->kind != PROFILE_NODE_CONTEXT || !node->n_created ||
			node->context == READER_NONE)
			continue;
		task = &profile->nodes[node->context];
		if (task->kind == PROFILE_NODE_TASK)
			task->n += node->n_created < UINT32_MAX - task->n
					   ? (uint32_t)node->n_created
					   : UINT32_MAX - task->n;
	}
}

/* Leaves that no root reaches get their thread's root as parent; it is made if there is none. */
static void keep_lost_leaves(struct profile *profile, struct sorter *sorter)
{
	for (uint32_t i = 0; i < sorter->n; i++) {
		const struct reader_raw_node *raw = &sorter->raw[i];
		uint32_t *root = &sorter->root[raw->owner];
		struct profile_tree_node node;

		if (sorter->place[i] != READER_NONE || raw->kind == READER_NO_NODE ||
			(is_wait(raw->kind) && !profile->has_ticks))
			continue;
		profile->n_dropped++;
		if (!is_leaf(raw->kind) || !raw->is_known)
			continue;
		node = reader_node(profile, raw);
		if (*root == READER_NONE) {
			*root = (uint32_t)profile->n_nodes;
			profile->nodes[profile->n_nodes++] = (struct profile_tree_node){
				.addr = profile->threads[node.owner].index,
				.parent = READER_NONE,
				.context = READER_NONE,
				.owner = node.owner,
				.kind = PROFILE_NODE_THREAD,
			};
		}
		node.parent = *root;
		set_context(sorter, &node);
		profile->nodes[profile->n_nodes++] = node;
	}
}

/* Hands over to later steps the indices of ids, and the roots. */
static void hand_over(struct sorter *sorter, struct reader_work *work)
{
	work->n_sorted = sorter->n_reached;
	work->n_ids = sorter->n_ids;
	work->index_of_id = sorter->raw_of_id;
	for (size_t id = 0; id < sorter->n_ids; id++) {
		uint32_t raw = raw_of_id(sorter, id);

		work->index_of_id[id] = raw == READER_NONE ? READER_NONE : sorter->place[raw];
	}
	sorter->raw_of_id = NULL;
	work->root = sorter->root;
	sorter->root = NULL;
}

/* The order of the nodes is known: frees the links, which can be large. */
static void drop_links(struct sorter *sorter)
{
	free(sorter->first_child);
	free(sorter->next_sibling);
	sorter->first_child = sorter->next_sibling = NULL;
}

int reader_read_nodes(struct profile *profile, struct reader_work *work)
{
	const struct reader_input *input = work->input;
	struct sorter sorter = { 0 };
	int status = -1;

	if (complete_threads(profile, input, &sorter) || alloc_sorter(&sorter, profile, input))
		goto out;
	read_raw(profile, input, &sorter);
	reader_adopt(profile,
		&(struct reader_raw){ sorter.raw, sorter.n, sorter.raw_of_id, sorter.n_ids });
	link_children(&sorter);
	sort_nodes(&sorter);
	drop_links(&sorter);
	profile->nodes =
		calloc((size_t)sorter.n + (1 + READER_OPEN_NODES) * (profile->n_threads + 1),
			sizeof(*profile->nodes));
	if (!profile->nodes)
		goto out;
	copy_reached(profile, &sorter);
	add_created(profile);
	keep_lost_leaves(profile, &sorter);
	hand_over(&sorter, work);
	status = 0;
out:
	release_sorter(&sorter);
	return status;
}
