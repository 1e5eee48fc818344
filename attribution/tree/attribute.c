/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a profile to the attributed tree; see tree.h. A node of the profile hangs from the base or
 * by one edge from another node: a context node from its construct, any other node from its parent.
 * resolve() follows these edges up to a node whose place is known, and then adds the nodes to the
 * output on the way down. It makes no difference which thread encountered the construct, nor how
 * deep constructs nest.
 */
#include <stdlib.h>

#include "attribution/tree/elide.h"
#include "attribution/tree/tree_builder.h"
#include "attribution/tree/scale_blame.h"
#include "attribution/tree/tree.h"

#define NONE UINT32_MAX

/*
 * With by_thread a construct's creation path is in the tree once per thread. A malformed file could
 * make this take any amount of memory. When the output is this much larger than the profile,
 * contexts are kept under their thread instead.
 */
#define MAX_GROWTH(n_nodes) (5 * (n_nodes) + 250000)

struct graft {
	const struct profile *profile;
	const struct tree_options *options;
	struct elision elision;
	struct tree_builder tree_builder;
	uint32_t *out; /* by node of the profile: its node of the tree */
	/*
	 * by node: begun() while resolve() is on its way up, done() when out[] is valid; any other
	 * value: not resolved yet in this group
	 */
	uint32_t *state;
	uint32_t *path;  /* the nodes on resolve()'s way up */
	uint32_t *order; /* nodes by group */
	uint32_t *place; /* tree.place */
	uint32_t group;  /* the thread whose nodes are being added; 0 if there is one group */
	uint32_t base;   /* the node of a thread's root: the tree's root, or the thread's node */
};

static int is_by_thread(const struct tree_options *options)
{
	return options->by_thread || options->view == TREE_MACHINE;
}

static int is_selected(
	const struct tree_selection *selection, uint32_t thread, enum profile_class class)
{
	return (!selection->threads || selection->threads[thread]) &&
	       selection->classes & 1u << class;
}

static uint32_t begun(const struct graft *graft)
{
	return 2 * graft->group + 1;
}

static uint32_t done(const struct graft *graft)
{
	return 2 * graft->group + 2;
}

/* The node that node `i` hangs from, or NONE if it hangs from the base. */
static uint32_t above(const struct graft *graft, uint32_t i)
{
	const struct profile_tree_node *node = &graft->profile->nodes[i];

	if (node->kind != PROFILE_NODE_CONTEXT)
		return node->parent;
	if (graft->options->view == TREE_MACHINE)
		return NONE;
	if (graft->tree_builder.tree.n_nodes > MAX_GROWTH(graft->profile->n_nodes))
		return NONE;
	return node->context;
}

static int is_construct(uint8_t kind)
{
	return kind == PROFILE_NODE_REGION || kind == PROFILE_NODE_TASK ||
	       kind == PROFILE_NODE_TARGET;
}

/*
 * The node of the tree that node `i` becomes, or counts in if the view leaves it out, given that of
 * the node above it.
 */
static uint32_t grow_node(struct graft *graft, uint32_t i, uint32_t parent)
{
	static const uint8_t kinds[] = {
		[PROFILE_NODE_FRAME] = TREE_FRAME,
		[PROFILE_NODE_REGION] = TREE_REGION,
		[PROFILE_NODE_TASK] = TREE_TASK,
		[PROFILE_NODE_TARGET] = TREE_TARGET,
		[PROFILE_NODE_TRUNCATED] = TREE_TRUNCATED,
	};
	const struct profile_tree_node *node = &graft->profile->nodes[i];
	struct tree_builder_child child = {
		.flags = node->flags, .module = graft->elision.module[i], .addr = node->addr
	};

	if (node->kind == PROFILE_NODE_THREAD || node->kind == PROFILE_NODE_CONTEXT ||
		node->kind == PROFILE_NODE_PHASE)
		return parent;
	if (graft->options->view == TREE_MACHINE && is_construct(node->kind))
		return parent;
	if (node->kind == PROFILE_NODE_FRAME) {
		child.flags &= (uint8_t)~PROFILE_FRAME_RUNTIME;
		if (graft->elision.is_in_mpi[i] && graft->options->view == TREE_USER)
			return parent;
		if (graft->elision.is_runtime[i]) {
			if (graft->options->view == TREE_USER)
				return parent;
			child.flags |= PROFILE_FRAME_RUNTIME;
		}
		if (profile_is_native(&graft->profile->threads[node->owner]))
			child.flags |= TREE_FRAME_NATIVE;
	}
	/* Target constructs at one address are different constructs if their kinds differ. */
	if (node->kind == PROFILE_NODE_TARGET)
		child.class = node->flags;
	child.kind = kinds[node->kind];
	return tree_builder_child(&graft->tree_builder, parent, &child);
}

/*
 * The way up came back to a node that is on it. At least one edge of this ring is a context's,
 * since parents come before children. The last such context is kept under the base, and the nodes
 * beyond it on the way are as if they had not been visited. Returns the length of the way that
 * remains; all of it hangs from the base.
 */
static size_t break_ring(struct graft *graft, size_t n)
{
	while (graft->profile->nodes[graft->path[--n]].kind != PROFILE_NODE_CONTEXT)
		graft->state[graft->path[n]] = 0;
	graft->out[graft->path[n]] = graft->base;
	graft->state[graft->path[n]] = done(graft);
	return n;
}

/*
 * The node of the tree that node `i` becomes or counts in. `i` has no figures of its own: it is no
 * node of samples, a wait, blame or an event.
 */
static uint32_t resolve(struct graft *graft, uint32_t i)
{
	uint32_t out = graft->base;
	size_t n = 0;

	for (uint32_t at = i; at != NONE; at = above(graft, at)) {
		if (graft->state[at] == done(graft)) {
			out = graft->out[at];
			break;
		}
		if (graft->state[at] == begun(graft)) {
			n = break_ring(graft, n);
			break;
		}
		graft->state[at] = begun(graft);
		graft->path[n++] = at;
	}
	while (n) {
		uint32_t at = graft->path[--n];

		out = grow_node(graft, at, out);
		graft->out[at] = out;
		graft->state[at] = done(graft);
	}
	return graft->out[i];
}

/* The class of a SAMPLES or COUNTS node. */
static uint8_t class_of(const struct graft *graft, const struct profile_tree_node *node)
{
	uint8_t class = (uint8_t)PROFILE_COUNTS_CLASS(node->addr);

	return class == PROFILE_WORK && graft->elision.is_runtime[node->parent] ? PROFILE_OVERHEAD
										: class;
}

/* The node of the tree that gets the figures of a SAMPLES, COUNTS or WAIT node of this class. */
static uint32_t holder_of(
	struct graft *graft, const struct profile_tree_node *counted, uint8_t class)
{
	uint32_t holder = resolve(graft, counted->parent);
	struct tree_builder_child leaf = { .kind = TREE_WAIT, .class = class, .module = NONE };

	if (class == PROFILE_WORK)
		return holder;
	if (graft->options->view != TREE_USER &&
		graft->profile->nodes[counted->parent].kind == PROFILE_NODE_FRAME)
		return holder;
	if (class == PROFILE_IDLE)
		holder = graft->base;
	if (class == PROFILE_OVERHEAD)
		leaf.kind = TREE_RUNTIME;
	return tree_builder_child(&graft->tree_builder, holder, &leaf);
}

/* Adds the figures of a node of the profile to the figures of `out`. */
static void count(struct graft *graft, const struct profile_tree_node *node, uint8_t class,
	uint32_t out, const struct tree_metrics *figures)
{
	tree_builder_count(&graft->tree_builder, out, figures,
		graft->tree_builder.tree.kept &&
			is_selected(graft->options->selection, node->owner, class));
}

static uint32_t add_samples(struct graft *graft, const struct profile_tree_node *node)
{
	uint8_t class = class_of(graft, node);
	uint32_t out = holder_of(graft, node, class);
	struct tree_metrics figures = { .samples = node->n, .events = node->events };

	if (tree_is_measured(graft->profile, class))
		figures.sampled_ns = node->time_ns;
	else
		figures.time_ns[class] = node->time_ns;
	count(graft, node, class, out, &figures);
	return out;
}

static uint32_t add_counts(struct graft *graft, const struct profile_tree_node *node)
{
	uint8_t class = class_of(graft, node);
	uint32_t out = holder_of(graft, node, class);
	struct tree_metrics figures = { .samples = 0 };

	for (uint32_t i = 0; i < PROFILE_COUNTERS_OF_NODE; i++)
		figures.counters[PROFILE_COUNTS_SET(node->addr) * PROFILE_COUNTERS_OF_NODE + i] =
			profile_count(node, i);
	count(graft, node, class, out, &figures);
	return out;
}

static uint32_t add_wait(struct graft *graft, const struct profile_tree_node *node)
{
	uint8_t class = (uint8_t)tree_wait_class(node->wait);
	uint32_t out = holder_of(graft, node, class);
	struct tree_metrics figures = { .n_waits = node->n };

	figures.wait_ns[node->wait] = profile_waited_ns(node);
	if (node->wait == PROFILE_MPI)
		figures.mpi_no_cpu_ns = node->time_ns - profile_waited_ns(node);
	if (class != PROFILE_OVERHEAD)
		figures.time_ns[class] = figures.wait_ns[node->wait];
	count(graft, node, class, out, &figures);
	return out;
}

/*
 * Blame is scaled later: here only its place is found. When out of memory, new nodes become the
 * root; run() then fails.
 */
static void add_node(struct graft *graft, uint32_t i)
{
	const struct profile_tree_node *node = &graft->profile->nodes[i];
	uint32_t out;

	if (node->kind == PROFILE_NODE_SAMPLES) {
		out = add_samples(graft, node);
	} else if (node->kind == PROFILE_NODE_WAIT) {
		out = add_wait(graft, node);
	} else if (node->kind == PROFILE_NODE_COUNTS) {
		out = add_counts(graft, node);
	} else if (node->kind == PROFILE_NODE_BLAME || node->kind == PROFILE_NODE_EVENT) {
		out = resolve(graft, node->parent);
	} else {
		out = resolve(graft, i);
		if (graft->options->view != TREE_MACHINE && is_construct(node->kind))
			tree_builder_count(&graft->tree_builder, out,
				&(struct tree_metrics){ .n_executions = node->n }, 0);
	}
	graft->place[i] = out;
}

static void add_by_thread(struct graft *graft, uint32_t *first)
{
	const struct profile *profile = graft->profile;

	for (size_t i = 0; i < profile->n_nodes; i++)
		first[profile->nodes[i].owner + 1]++;
	for (size_t t = 0; t < profile->n_threads; t++)
		first[t + 1] += first[t];
	for (uint32_t i = 0; i < profile->n_nodes; i++)
		graft->order[first[profile->nodes[i].owner]++] = i;
	/* From here on first[t] is the end of thread t's nodes. */
	for (uint32_t t = 0; t < profile->n_threads; t++) {
		struct tree_builder_child thread = {
			.kind = TREE_THREAD, .module = NONE, .addr = t
		};

		graft->group = t;
		graft->base = tree_builder_child(&graft->tree_builder, 0, &thread);
		for (uint32_t i = t ? first[t - 1] : 0; i < first[t]; i++)
			add_node(graft, graft->order[i]);
	}
}

static void add_all(struct graft *graft)
{
	for (uint32_t i = 0; i < graft->profile->n_nodes; i++)
		add_node(graft, i);
}

static int run(struct graft *graft)
{
	size_t n = graft->profile->n_nodes + 1;
	uint32_t *first = calloc(graft->profile->n_threads + 2, sizeof(*first));
	int is_ready;

	graft->out = calloc(n, sizeof(*graft->out));
	graft->state = calloc(n, sizeof(*graft->state));
	graft->path = calloc(n, sizeof(*graft->path));
	graft->order = calloc(n, sizeof(*graft->order));
	graft->place = calloc(n, sizeof(*graft->place));
	is_ready = first && graft->out && graft->state && graft->path && graft->order &&
		   graft->place && elide(&graft->elision, graft->profile) == 0;
	tree_builder_init(&graft->tree_builder);
	if (graft->options->selection)
		tree_builder_keep(&graft->tree_builder);
	is_ready = is_ready && !graft->tree_builder.is_out_of_memory;
	if (is_ready && is_by_thread(graft->options))
		add_by_thread(graft, first);
	else if (is_ready)
		add_all(graft);
	free(first);
	return is_ready && !graft->tree_builder.is_out_of_memory ? 0 : -1;
}

/* Makes the tree except for its blame. Returns 0, or -1 when out of memory. */
static int build(
	struct tree *tree, const struct profile *profile, const struct tree_options *options)
{
	struct graft graft = { .profile = profile, .options = options };
	int status = run(&graft);

	*tree = graft.tree_builder.tree;
	tree->place = graft.place;
	tree_builder_finish(&graft.tree_builder);
	elide_release(&graft.elision);
	free(graft.out);
	free(graft.state);
	free(graft.path);
	free(graft.order);
	if (status)
		tree_release(tree);
	return status;
}

static int add_blame_to(struct tree *tree, uint32_t *at, enum profile_wait kind, uint64_t ns)
{
	struct tree_metrics more = { .blame_ns = ns };

	more.blame_wait_ns[kind] = ns;
	return sparse_metrics_add(&tree->figures, at, &more);
}

static int add_blame(struct tree *tree, const struct profile *profile,
	const struct tree_options *options, const struct blame_scale *blame_scale)
{
	for (size_t p = 0; p < blame_scale->n_pools; p++) {
		const struct scale_blame_pool *pool = &blame_scale->pools[p];
		const struct scale_blame_entry *entry = &blame_scale->entries[pool->first];

		for (size_t i = 0; i < pool->n_entries; i++, entry++) {
			uint32_t out = tree->place[entry->node];

			/* Code is not to blame for a CPU that it did not get. */
			if (!entry->is_blame || entry->has_no_cpu)
				continue;
			if (add_blame_to(tree, &tree->nodes[out].self, pool->kind, entry->ns) != 0)
				return -1;
			if (tree->kept &&
				is_selected(options->selection, profile->nodes[entry->node].owner,
					PROFILE_WORK) &&
				add_blame_to(tree, &tree->kept[out], pool->kind, entry->ns) != 0)
				return -1;
		}
	}
	return 0;
}

/* The pools' regions are regions of the user view without threads, whatever the view is. */
static int scale_view(
	struct tree *tree, const struct profile *profile, const struct tree_options *options)
{
	static const struct tree_options plain = { .view = TREE_USER };
	struct tree user = { 0 };
	int status;

	if (options->view == TREE_USER && !options->by_thread)
		return scale_blame_make(&tree->blame_scale, profile, tree) ||
		       add_blame(tree, profile, options, &tree->blame_scale);
	if (options->user)
		return add_blame(tree, profile, options, &options->user->blame_scale);
	status = build(&user, profile, &plain) ||
		 scale_blame_make(&user.blame_scale, profile, &user) ||
		 add_blame(tree, profile, options, &user.blame_scale);
	tree_release(&user);
	return status;
}

int attribute(struct tree *tree, const struct profile *profile, const struct tree_options *options,
	struct diag *diag)
{
	if (build(tree, profile, options) == 0 && scale_view(tree, profile, options) == 0)
		return 0;
	tree_release(tree);
	return diag_set(diag, "cannot attribute the profile: out of memory");
}
