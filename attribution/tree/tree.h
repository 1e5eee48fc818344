/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The attributed tree: one calling-context tree for the whole process in terms of addresses, made
 * from a profile by attribute(). Threads' trees are merged; what a thread did inside a parallel
 * region or explicit task hangs under that region's or task's creation path; runtime frames are
 * marked and, in the user view, gone. Names, lines and inlining come later (src/findings/names.h).
 */
#ifndef OMPPROF_ATTRIBUTION_TREE_TREE_H
#define OMPPROF_ATTRIBUTION_TREE_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "attribution/tree/scale_blame.h"
#include "attribution/tree/sparse_metrics.h"
#include "profile/reader/reader.h"

enum tree_view {
	TREE_USER, /* runtime frames hidden, their time shown as wait or runtime leaves */
	TREE_FULL, /* every frame that was walked */
	TREE_MACHINE, /* that, under its thread, as it was walked: nothing hangs under a region or task */
};

enum tree_kind {
	TREE_ROOT,    /* exactly one, index 0 */
	TREE_FRAME,   /* a frame: addr, flags, module */
	TREE_REGION,  /* parallel region: addr = codeptr_ra */
	TREE_TASK,    /* explicit task site: addr = codeptr_ra */
	TREE_WAIT,    /* leaf: waiting or idle; `class` says which */
	TREE_RUNTIME, /* leaf: overhead of the runtime (class PROFILE_OVERHEAD) */
	TREE_THREAD,  /* only with tree_options.by_thread: addr = index into profile.threads */
	TREE_PROGRAM, /* only of several processes' programs: module = the executable */
	TREE_TRUNCATED, /* stands for frames that could not be unwound; addr = enum profile_walk_end */
	TREE_TARGET,    /* target construct: addr = codeptr_ra; class: enum profile_target_flags */
};

/* A construct, which has a place of its own in the source. */
static inline int tree_is_construct(uint8_t kind)
{
	return kind == TREE_REGION || kind == TREE_TASK || kind == TREE_TARGET;
}

/* Of a frame, beside enum profile_frame_flags: a native thread executed it (profile_is_native). */
enum { TREE_FRAME_NATIVE = 128 };

struct tree_node {
	uint32_t parent; /* index, always smaller than the node's own; UINT32_MAX for the root */
	uint32_t first_child;  /* index or UINT32_MAX */
	uint32_t next_sibling; /* index or UINT32_MAX */
	uint8_t kind;          /* enum tree_kind */
	uint8_t flags; /* enum profile_frame_flags and TREE_FRAME_NATIVE, or enum profile_region_flags */
	uint8_t class;   /* TREE_WAIT, TREE_RUNTIME: enum profile_class; TREE_TARGET: see there */
	uint32_t module; /* index into profile.modules, or UINT32_MAX */
	uint32_t self;   /* in tree.figures: see tree_self */
	uint64_t addr;
};

struct tree {
	struct tree_node *nodes;
	size_t n_nodes;
	size_t capacity;
	uint32_t *place; /* by index into profile.nodes: the node that it became or counts in */
	uint32_t *
		kept; /* by node: what a selection has of its self, in `figures`; NULL without one */
	struct sparse figures;
	struct blame_scale blame_scale; /* of the user view without by_thread; else empty */
};

/*
 * Samples, measured waits and blame of some threads and in some states. Blame is its thread's that ran
 * meanwhile, and of PROFILE_WORK. Executions are of no thread and no state.
 */
struct tree_selection {
	uint8_t *threads; /* by index into profile.threads: whether it is one; NULL: all are */
	uint32_t classes; /* bit k: enum profile_class k is one */
};

struct tree_options {
	enum tree_view view;
	int by_thread; /* a TREE_THREAD node per thread right under the root; TREE_MACHINE has them */
	const struct tree_selection *selection; /* makes tree.kept; or NULL */
	/* The user view of this profile, without by_thread: its settled blame is used, and not computed again. Or NULL. */
	const struct tree *user;
};

/*
 * Builds the attributed tree of `profile`. Every sample and every measured wait of the profile is in
 * exactly one node: the sum of self.samples, of self.wait_ns, and of self.time_ns and self.sampled_ns
 * over the tree equals the profile's. Blame is settled (scale_blame.h) and is the same in every view. Returns
 * 0, or -1 with the reason in *diag (out of memory). Release with tree_release.
 *
 * What hangs under a context node of the profile hangs under the region or task that it stands
 * for; if the file lacks that, or regions stand for each other in a ring, under the root (with
 * by_thread the thread). Equal nodes of one parent are one; frames are equal if address, module
 * and PROFILE_FRAME_EXACT are, their other flags add up: objects that were loaded one after the other at
 * the same place stay apart. A region's or task's executions count once,
 * with by_thread under the thread that began or created them.
 *
 * A work sample that was taken in a frame of the runtime (elide.h) is PROFILE_OVERHEAD, in both
 * views, so that both have the same sums by class. In the user view work belongs to the frame it
 * was taken in; waiting and overhead are leaves of the nearest frame, region or task that is
 * shown, and idle time is a leaf of the root (or thread). In the full view a sample belongs to its
 * frame whatever its class; only a sample that was taken outside any frame gets such a leaf. Measured
 * waits are where samples of their class would be. Samples in a reduction are overhead, so its measured
 * time is only in wait_ns, of the leaf for overhead.
 *
 * A selection changes neither the nodes nor their self: what it selects of each is in tree.kept, and
 * selections that have everything once have together what self has.
 *
 * In the machine view a frame hangs from the next one out that was walked, or else from its thread; the
 * walk of a region's or task's frames ends where these do. There are no nodes for regions and tasks.
 *
 * A tree can be as deep as the profile has nodes: walk it without recursion.
 */
int attribute(struct tree *tree, const struct profile *profile, const struct tree_options *options,
	struct diag *diag);

void tree_release(struct tree *tree);

/* Exclusive figures of node i. */
static inline struct tree_metrics tree_self(const struct tree *tree, size_t i)
{
	return sparse_metrics_get(&tree->figures, tree->nodes[i].self);
}

/* What a selection, which there is, has of them. */
static inline struct tree_metrics tree_kept(const struct tree *tree, size_t i)
{
	return sparse_metrics_get(&tree->figures, tree->kept[i]);
}

/* Whether there is any figure but executions. */
int tree_metrics_any(const struct tree_metrics *metrics);

/* Adds the figures of `from` to `to`. */
void tree_metrics_add(struct tree_metrics *to, const struct tree_metrics *from);

/* The class of samples that a measured wait has. */
enum profile_class tree_wait_class(enum profile_wait wait);

/* Whether the profile measures waits of this class, so that its samples' time does not count. */
int tree_is_measured(const struct profile *profile, enum profile_class class);

/* Thread time in all classes, ns: of waits as measured, if they are. */
uint64_t tree_metrics_time(const struct tree_metrics *metrics);

#endif
