/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits, and stays in regions and tasks, that had not ended when their thread or the profile ended:
 * they count up to that end. Each thread's record tells its state, and each region's record which
 * execution is open. The writer clears the state of all that it has counted itself (wait_finish in
 * sampler/threads/wait_finish.c), so nothing counts twice.
 */
#include <string.h>

#include "profile/reader/reader_internal.h"

/* More nested regions than any program has: a malformed file could make a ring of them. */
#define MAX_DEPTH 64

struct open_thread {
	struct profile *profile;
	const struct reader_work *work;
	const struct profile_now *now;
	uint64_t until; /* ticks: when the thread ended, or the profile if that was earlier */
	uint32_t owner;
	/* index into profile.nodes: the thread's root, or the PHASE node that it is in */
	uint32_t root;
	uint32_t region;  /* the thread's region, or READER_NONE */
	uint32_t context; /* the thread's context node for the region, or READER_NONE */
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

/* The WAIT node that the writer had chosen, if `id` is such a node; otherwise a new node. */
static uint32_t wait_node(struct open_thread *open, uint32_t id, uint8_t kind, uint64_t mutex)
{
	struct profile_tree_node *nodes = open->profile->nodes;
	uint32_t leaf = reader_node_of(open->profile, open->work, id, PROFILE_NODE_WAIT);
	uint32_t parent = open->root;

	if (leaf != READER_NONE && nodes[leaf].owner == open->owner && nodes[leaf].wait == kind)
		return leaf;
	if (open->context != READER_NONE && !profile_wait_is(kind, PROFILE_TIME_IDLE))
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
	return since > open->profile->header.start_ticks && since < open->until;
}

/*
 * Whether it waits for a mutex. Its writer sets mutex_until when it has counted the wait, or clears
 * the mutex at its end.
 */
static int has_open_mutex(const struct open_thread *open)
{
	const struct profile_now *now = open->now;

	return now->mutex && profile_is_mutex(now->mutex_kind) && !now->mutex_until &&
	       is_open_moment(open, now->mutex_since);
}

static void count_mutex(struct open_thread *open)
{
	const struct profile_now *now = open->now;
	uint64_t mutex = PROFILE_WAIT_ID(now->mutex);

	if (has_open_mutex(open))
		add_wait(open, wait_node(open, now->mutex_leaf, (uint8_t)now->mutex_kind, mutex),
			now->mutex_since, open->until);
}

/* When the region's execution ended that the thread was in at `moment`; `until` if it has not. */
static uint64_t region_end(const struct open_thread *open, uint64_t moment, uint64_t until)
{
	uint32_t record = open->region == READER_NONE ? READER_NONE
						      : open->profile->nodes[open->region].record;
	const struct reader_open *times = record == READER_NONE ? NULL : &open->work->open[record];

	if (!times || times->last_end < moment || times->last_end >= until)
		return until;
	return times->open_since && times->open_since <= moment ? until : times->last_end;
}

/*
 * Counts the wait that is not for a mutex, up to where a wait for a mutex began within it. At a
 * closing barrier the thread is idle from the end of the region on.
 */
static void count_wait(struct open_thread *open)
{
	const struct profile_now *now = open->now;
	uint64_t until = open->until, end;

	if (now->wait == PROFILE_NO_WAIT || now->wait >= PROFILE_N_WAITS ||
		profile_is_mutex(now->wait) || !is_open_moment(open, now->since))
		return;
	if (has_open_mutex(open) && now->mutex_since > now->since)
		until = now->mutex_since;
	end = now->wait == PROFILE_BARRIER_CLOSING ? region_end(open, now->since, until) : until;
	add_wait(open, wait_node(open, now->leaf, now->wait, 0), now->since, end);
	if (end < until)
		add_wait(open, wait_node(open, 0, PROFILE_IDLE_AFTER, 0), end, until);
}

/*
 * The index of the first child of the root among the sorted nodes. The other sorted children follow
 * it. If there is none, the node at the index is no child, or the index is n_sorted.
 */
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

/* The thread's CONTEXT node for a region or task, or READER_NONE. */
static uint32_t find_context(const struct open_thread *open, uint32_t region)
{
	const struct profile_tree_node *nodes = open->profile->nodes;

	for (uint32_t i = first_child(open);
		i < open->work->n_sorted && nodes[i].parent == open->root; i++) {
		if (nodes[i].kind == PROFILE_NODE_CONTEXT && nodes[i].context == region &&
			!(nodes[i].flags & PROFILE_UNSEEN))
			return i;
	}
	return READER_NONE;
}

static void add_stay(struct open_thread *open, uint32_t context, uint64_t since, uint64_t until)
{
	struct profile_tree_node *node = &open->profile->nodes[context];
	uint64_t ns = until > since ? reader_ns(open->profile, until - since) : 0;

	node->n += node->n < UINT32_MAX;
	node->time_ns += ns;
	if (ns > node->longest_ns)
		node->longest_ns = ns;
}

/* Since when the thread is in its region's present execution; 0: its record does not tell. */
static uint64_t member_since(const struct open_thread *open)
{
	const struct profile_now *now = open->now;

	return now->begun_region == now->region && now->begun_instance == now->instance &&
			       is_open_moment(open, now->begun)
		       ? now->begun
		       : 0;
}

/* Counts the stays in the region that the thread is in, and in the regions around it. */
static void count_stays(struct open_thread *open)
{
	const struct profile *profile = open->profile;
	uint64_t begun = member_since(open);
	uint32_t region = open->region;

	if (begun && open->context != READER_NONE)
		add_stay(open, open->context, begun, region_end(open, begun, open->until));
	for (int depth = 0; depth < MAX_DEPTH && region != READER_NONE; depth++) {
		uint32_t record = profile->nodes[region].record;
		uint32_t context = depth ? find_context(open, region) : open->context;
		uint64_t since = record == READER_NONE ? 0 : open->work->open[record].open_since;

		if (since && context != READER_NONE && (depth || !begun))
			add_stay(open, context, since, open->until);
		region = record == READER_NONE ? READER_NONE : profile->regions[record].outer;
	}
}

/* The thread's CONTEXT node for a region or task; made if there is none. */
static uint32_t make_context(struct open_thread *open, uint32_t of, uint32_t id)
{
	uint32_t context = find_context(open, of);

	if (context != READER_NONE)
		return context;
	context = add_node(open, open->root, PROFILE_NODE_CONTEXT);
	open->profile->nodes[context].context = of;
	open->profile->nodes[context].addr = id;
	return context;
}

static void find_region(struct open_thread *open)
{
	uint32_t id = open->now->region;
	uint32_t region = reader_node_of(open->profile, open->work, id, PROFILE_NODE_REGION);

	open->region = region;
	open->context = READER_NONE;
	if (region != READER_NONE)
		open->context = open->now->team ? make_context(open, region, id)
						: find_context(open, region);
}

/* Counts the execution of the explicit task that the thread is in, up to the wait that it is in. */
static void count_task(struct open_thread *open)
{
	const struct profile_open *noted = &open->profile->threads[open->owner].open;
	uint32_t id = noted->task, context;
	uint32_t task = reader_node_of(open->profile, open->work, id, PROFILE_NODE_TASK);
	uint64_t until = open->until;

	if (task == READER_NONE || !is_open_moment(open, noted->task_since))
		return;
	if (open->now->wait && is_open_moment(open, open->now->since))
		until = open->now->since;
	context = make_context(open, task, id);
	add_stay(open, context, noted->task_since, until);
	open->profile->nodes[context].n_stolen += noted->is_stolen != 0;
}

/* Counts the wait during which the thread began the task. */
static void count_wait_below(struct open_thread *open)
{
	const struct profile_open *noted = &open->profile->threads[open->owner].open;

	if (noted->task && noted->wait && noted->wait < PROFILE_N_WAITS &&
		!profile_is_mutex(noted->wait) && is_open_moment(open, noted->wait_since) &&
		noted->wait_until > noted->wait_since && noted->wait_until <= open->until)
		add_wait(open, wait_node(open, 0, noted->wait, 0), noted->wait_since,
			noted->wait_until);
}

/* Lets the rest count in the thread's phase, and adds its life since it entered the phase. */
static void count_phase(struct open_thread *open)
{
	struct profile *profile = open->profile;
	uint32_t root = reader_node_of(profile, open->work, open->now->root, PROFILE_NODE_PHASE);

	if (root == READER_NONE || profile->nodes[root].parent != open->root)
		return;
	open->root = root;
	if (is_open_moment(open, open->now->root_since))
		profile->nodes[root].time_ns +=
			reader_ns(profile, open->until - open->now->root_since);
}

void reader_count_open(struct profile *profile, const struct reader_work *work)
{
	struct open_thread open = { .profile = profile, .work = work };

	if (!work->last_ticks)
		return;
	for (uint32_t i = 0; i < profile->n_threads; i++) {
		if (work->root[i] == READER_NONE)
			continue;
		open.now = &profile->threads[i].now;
		open.owner = i;
		open.until = reader_end_of(profile, work, i);
		open.root = work->root[i];
		count_phase(&open);
		find_region(&open);
		if (open.now->team)
			count_stays(&open);
		count_task(&open);
		count_wait_below(&open);
		count_wait(&open);
		count_mutex(&open);
	}
}
