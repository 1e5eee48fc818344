/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What had not ended when the program was killed: each thread's record tells what it was at, and the
 * header when it was last known to be alive. Waits and stays in regions count up to then.
 */
#include <string.h>

#include "profile/reader_parts.h"

/* Regions within regions of a thread; a file could make a ring of them. */
#define MAX_DEPTH 64

struct open_thread {
	struct profile *profile;
	const struct reader_work *work;
	const struct profile_now *now;
	uint32_t owner;
	uint32_t root;    /* index into profile.nodes: its own, or that of its phase */
	uint32_t region;  /* that it was in, or READER_NONE */
	uint32_t context; /* its context node for that region, or READER_NONE */
};

static uint32_t add_node(struct open_thread *open, uint32_t parent, uint8_t kind)
{
	struct profile *profile = open->profile;

	profile->nodes[profile->n_nodes] = (struct profile_tree_node){
		.parent = parent,
		.phase = profile->nodes[parent].phase,
		.context = READER_NONE,
		.owner = open->owner,
		.kind = kind,
	};
	return (uint32_t)profile->n_nodes++;
}

/* The node that the writer would have added to if it is a WAIT of the kind, otherwise a new one. */
static uint32_t wait_node(struct open_thread *open, uint32_t id, uint8_t kind, uint64_t mutex)
{
	struct profile_tree_node *nodes = open->profile->nodes;
	uint32_t leaf = id && id < open->work->n_ids ? open->work->index_of_id[id] : READER_NONE;
	uint32_t parent = open->root;

	if (leaf != READER_NONE && nodes[leaf].kind == PROFILE_NODE_WAIT &&
		nodes[leaf].owner == open->owner && nodes[leaf].wait == kind)
		return leaf;
	if (open->context != READER_NONE &&
		(kind < PROFILE_IDLE_BEFORE || kind > PROFILE_IDLE_AFTER))
		parent = open->context;
	leaf = add_node(open, parent, PROFILE_NODE_WAIT);
	nodes[leaf].wait = kind;
	nodes[leaf].addr = mutex;
	return leaf;
}

static void add_wait(struct open_thread *open, uint32_t leaf, uint64_t since, uint64_t until)
{
	struct profile_tree_node *node = &open->profile->nodes[leaf];
	uint64_t ns = reader_ns(open->profile, until - since);

	reader_add_to_timeline(open->profile, leaf, since, until);
	node->n += node->n < UINT32_MAX;
	node->time_ns += ns;
	if (ns > node->longest_ns)
		node->longest_ns = ns;
	open->profile->n_open_waits++;
}

static int is_open_moment(const struct open_thread *open, uint64_t since)
{
	return since > open->profile->header.start_ticks && since < open->work->last_ticks;
}

static int has_open_mutex(const struct open_thread *open)
{
	const struct profile_now *now = open->now;

	return profile_is_mutex(now->mutex_kind) && !now->mutex_until &&
	       is_open_moment(open, now->mutex_since);
}

static void count_mutex(struct open_thread *open)
{
	const struct profile_now *now = open->now;
	uint64_t mutex = PROFILE_WAIT_ID(now->mutex);

	if (has_open_mutex(open))
		add_wait(open, wait_node(open, now->mutex_leaf, (uint8_t)now->mutex_kind, mutex),
			now->mutex_since, open->work->last_ticks);
}

/* Where the closing barrier's end was, if the region has ended meanwhile; otherwise `until`. */
static uint64_t closing_end(const struct open_thread *open, uint64_t until)
{
	uint32_t record = open->region == READER_NONE ? READER_NONE
						      : open->profile->nodes[open->region].record;
	uint64_t last_end = record == READER_NONE ? 0 : open->work->open[record].last_end;

	return open->now->wait == PROFILE_BARRIER_CLOSING && last_end > open->now->since &&
			       last_end < until
		       ? last_end
		       : until;
}

/* The wait that is not for a mutex; one for a mutex begins within it. */
static void count_wait(struct open_thread *open)
{
	const struct profile_now *now = open->now;
	uint64_t until = open->work->last_ticks, end;

	if (now->wait == PROFILE_NO_WAIT || now->wait >= PROFILE_N_WAITS ||
		profile_is_mutex(now->wait) || !is_open_moment(open, now->since))
		return;
	if (has_open_mutex(open) && now->mutex_since > now->since)
		until = now->mutex_since;
	end = closing_end(open, until);
	add_wait(open, wait_node(open, now->leaf, now->wait, 0), now->since, end);
	if (end < until)
		add_wait(open, wait_node(open, 0, PROFILE_IDLE_AFTER, 0), end, until);
}

/* The first node below the thread's root; its siblings follow it. */
static uint32_t first_child(const struct open_thread *open)
{
	const struct profile_tree_node *nodes = open->profile->nodes;
	uint32_t low = 0, high = open->work->n_sorted;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (nodes[middle].parent == READER_NONE || nodes[middle].parent < open->root)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The thread's context node for a region. */
static uint32_t find_context(const struct open_thread *open, uint32_t region)
{
	const struct profile_tree_node *nodes = open->profile->nodes;

	for (uint32_t i = first_child(open);
		i < open->work->n_sorted && nodes[i].parent == open->root; i++) {
		if (nodes[i].kind == PROFILE_NODE_CONTEXT && nodes[i].context == region)
			return i;
	}
	return READER_NONE;
}

/* The stays in the regions that the thread is in, from the inside out. */
static void count_stays(struct open_thread *open)
{
	struct profile *profile = open->profile;
	uint32_t region = open->region;

	for (int depth = 0; depth < MAX_DEPTH && region != READER_NONE; depth++) {
		uint32_t record = profile->nodes[region].record;
		uint32_t context = depth ? find_context(open, region) : open->context;
		uint64_t since = record == READER_NONE ? 0 : open->work->open[record].open_since;

		if (since && context != READER_NONE) {
			uint64_t ns = reader_ns(profile, open->work->last_ticks - since);

			profile->nodes[context].n += profile->nodes[context].n < UINT32_MAX;
			profile->nodes[context].time_ns += ns;
			if (ns > profile->nodes[context].longest_ns)
				profile->nodes[context].longest_ns = ns;
		}
		region = record == READER_NONE ? READER_NONE : profile->regions[record].outer;
	}
}

static void find_region(struct open_thread *open)
{
	const struct profile *profile = open->profile;
	uint32_t id = open->now->region;
	uint32_t region = id && id < open->work->n_ids ? open->work->index_of_id[id] : READER_NONE;

	open->region = open->context = READER_NONE;
	if (region == READER_NONE || profile->nodes[region].kind != PROFILE_NODE_REGION)
		return;
	open->region = region;
	open->context = find_context(open, region);
	if (open->context != READER_NONE || !open->now->team)
		return;
	open->context = add_node(open, open->root, PROFILE_NODE_CONTEXT);
	profile->nodes[open->context].context = region;
	profile->nodes[open->context].addr = id;
}

/* What the thread does belongs to the phase that it is in, and its life since it is. */
static void count_phase(struct open_thread *open)
{
	struct profile *profile = open->profile;
	uint32_t id = open->now->root, root;

	root = id && id < open->work->n_ids ? open->work->index_of_id[id] : READER_NONE;
	if (root == READER_NONE || profile->nodes[root].kind != PROFILE_NODE_PHASE ||
		profile->nodes[root].parent != open->root)
		return;
	open->root = root;
	if (is_open_moment(open, open->now->root_since))
		profile->nodes[root].time_ns +=
			reader_ns(profile, open->work->last_ticks - open->now->root_since);
}

void reader_count_open(struct profile *profile, const struct reader_work *work)
{
	struct open_thread open = { .profile = profile, .work = work };

	if (!work->last_ticks)
		return;
	for (uint32_t i = 0; i < profile->n_threads; i++) {
		if (work->root[i] == READER_NONE || profile->threads[i].end_ns)
			continue;
		open.now = &profile->threads[i].now;
		open.owner = i;
		open.root = work->root[i];
		count_phase(&open);
		find_region(&open);
		if (open.now->team)
			count_stays(&open);
		count_wait(&open);
		count_mutex(&open);
	}
}
