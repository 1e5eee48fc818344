/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The attributed tree: one calling-context tree for the whole process in terms of addresses.
 * attribute() makes it from a profile. The threads' trees are merged. The paths of a thread inside
 * a construct (a parallel region, explicit task or target construct) hang under its creation path.
 * The runtime's frames are marked, and hidden in the user view. Names, lines and inlining are added
 * later (src/findings/names.h).
 */
#ifndef OMPPROF_ATTRIBUTION_TREE_TREE_H
#define OMPPROF_ATTRIBUTION_TREE_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "attribution/tree/scale_blame.h"
#include "attribution/tree/sparse_metrics.h"
#include "profile/reader/reader.h"

enum tree_view {
	TREE_USER, /* the runtime's frames hidden, their time shown as wait or runtime leaves */
	TREE_FULL, /* every frame that was walked */
	/* every frame under its thread, as it was walked: nothing hangs under a construct */
	TREE_MACHINE,
};

enum tree_kind {
	TREE_ROOT,      /* the root, index 0 */
	TREE_FRAME,     /* a frame: addr, flags, module */
	TREE_REGION,    /* parallel region: addr = codeptr_ra */
	TREE_TASK,      /* explicit task site: addr = codeptr_ra */
	TREE_WAIT,      /* leaf: waiting or idle, by `class` */
	TREE_RUNTIME,   /* leaf: overhead of the runtime (class PROFILE_OVERHEAD) */
	TREE_THREAD,    /* with by_thread, or in TREE_MACHINE: addr = index into profile.threads */
	TREE_PROGRAM,   /* only if processes ran different programs: module = the executable */
	TREE_TRUNCATED, /* the frames that could not be walked; addr = enum profile_walk_end */
	TREE_TARGET,    /* target construct: addr = codeptr_ra; class: enum profile_target_flags */
};

/* Whether nodes of the kind are constructs, which have a place of their own in the source. */
static inline int tree_is_construct(uint8_t kind)
{
	return kind == TREE_REGION || kind == TREE_TASK || kind == TREE_TARGET;
}

/*
 * A flag of a frame, beside enum profile_frame_flags: a native thread executed it
 * (profile_is_native).
 */
enum { TREE_FRAME_NATIVE = 128 };

struct tree_node {
	uint32_t parent; /* index, always smaller than the node's own; UINT32_MAX for the root */
	uint32_t first_child;  /* index or UINT32_MAX */
	uint32_t next_sibling; /* index or UINT32_MAX */
	uint8_t kind;          /* enum tree_kind */
	/*
	 * of a frame enum profile_frame_flags and TREE_FRAME_NATIVE; of a region or task enum
	 * profile_region_flags; of a target construct as `class`
	 */
	uint8_t flags;
	/* TREE_WAIT, TREE_RUNTIME: enum profile_class; TREE_TARGET: enum profile_target_flags */
	uint8_t class;
	uint32_t module; /* index into profile.modules, or UINT32_MAX */
	uint32_t self;   /* in tree.figures: see tree_self */
	uint64_t addr;
};

struct tree {
	struct tree_node *nodes;
	size_t n_nodes;
	size_t capacity;
	/* by index into profile.nodes: the node that it became or that has its figures */
	uint32_t *place;
	/* by node: the selected part of its self, in `figures`; NULL without a selection */
	uint32_t *kept;
	struct sparse figures;
	struct blame_scale blame_scale; /* of the user view without by_thread; otherwise empty */
};

/*
 * A selection of samples, measured waits and blame by thread and state. Blame belongs to the thread
 * that ran meanwhile, and to PROFILE_WORK. Executions belong to no thread and no state.
 */
struct tree_selection {
	uint8_t *threads; /* by index into profile.threads: whether it is selected; NULL: all are */
	uint32_t classes; /* bit k: enum profile_class k is selected */
};

struct tree_options {
	enum tree_view view;
	/* a TREE_THREAD node per thread directly under the root; always so in TREE_MACHINE */
	int by_thread;
	const struct tree_selection *selection; /* makes tree.kept; may be NULL */
	/*
	 * The user view of this profile, without by_thread, whose scaled blame is used instead of
	 * being computed again; may be NULL.
	 */
	const struct tree *user;
};

/*
 * Builds the attributed tree of `profile`. Every sample and every measured wait of the profile is
 * in exactly one node. So the sums of self.samples, of self.wait_ns, and of self.time_ns and
 * self.sampled_ns over the tree equal the profile's. Blame is scaled (scale_blame.h) and is the
 * same in every view. Returns 0, or -1 with the reason in *diag (out of memory). Release with
 * tree_release.
 *
 * The paths under a context node of the profile hang under the construct of the context. They hang
 * under the root (with by_thread under the thread) if the file lacks the construct, if contexts
 * form a ring, or if the tree has become far larger than the profile. Equal nodes of one parent
 * become one node. Frames are equal if address, module and PROFILE_FRAME_EXACT are equal; their
 * other flags are ORed. So objects that were loaded one after the other at the same place stay
 * apart. The executions of a construct count once; with by_thread they count under the thread that
 * began or created them.
 *
 * A work sample in a frame of the runtime (elide.h) is PROFILE_OVERHEAD in every view, so that all
 * views have the same sums by class. In the user view, work belongs to the frame that it was taken
 * in. Waiting and overhead are leaves of the nearest frame or construct that is shown, and idle
 * time is a leaf of the root (or thread). In the other views a sample belongs to its frame whatever
 * its class; only a sample outside any frame gets such a leaf. Measured waits are where samples of
 * their class would be. Samples in a reduction are overhead, so its measured time is only in
 * wait_ns, where overhead belongs.
 *
 * A selection changes neither the nodes nor their self. The selected part of each node is in
 * tree.kept. Selections that together have everything once add up to self.
 *
 * In the machine view a frame hangs from its caller in the walked path, or else from its thread.
 * The frames inside a construct were walked only as far as the construct, so the outermost of them
 * hangs from the thread. There are no nodes for constructs.
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

/* The selected part of the figures of node i. The tree must have a selection. */
static inline struct tree_metrics tree_kept(const struct tree *tree, size_t i)
{
	return sparse_metrics_get(&tree->figures, tree->kept[i]);
}

/* Whether there are samples, events, waits, blame or time, also of samples in measured waits. */
int tree_metrics_any(const struct tree_metrics *metrics);

/* Adds the figures of `from` to `to`. */
void tree_metrics_add(struct tree_metrics *to, const struct tree_metrics *from);

/* The class of samples that a measured wait has. */
enum profile_class tree_wait_class(enum profile_wait wait);

/*
 * Whether the profile measures waits of this class: then the time of its samples counts only in
 * sampled_ns. 0 for work and overhead.
 */
int tree_is_measured(const struct profile *profile, enum profile_class class);

/* Thread time in all classes, ns; of measured waits, but reductions, as it was measured. */
uint64_t tree_metrics_time(const struct tree_metrics *metrics);

#endif
