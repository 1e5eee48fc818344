/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread's data on the paths that it has inserted into its tree, and on the constructs at their
 * ends (struct thread). path.h, capture.h and construct.h say how the data are used.
 */
#ifndef OMPPROF_SAMPLER_CORE_THREAD_PATH_H
#define OMPPROF_SAMPLER_CORE_THREAD_PATH_H

#include <stdint.h>
#include <string.h>

#include "profile/shared/layout.h"
#include "sampler/core/path_cache.h"
#include "sampler/core/modules.h"
#include "unwinder/core/walk.h"

/* Powers of two. */
enum {
	THREAD_N_SITES = 16,       /* constructs whose nodes are remembered */
	THREAD_N_CREATED = 32,     /* the same of constructs that created tasks */
	THREAD_CREATED_SHIFT = 27, /* 32, less the bits of the number before */
};

/* The tree node of a frame; see path.h. All zero: no node. */
struct path_node {
	uint32_t parent;
	uint32_t node;
	uint8_t flags; /* of the node */
};

/* The latest insertion of a whole path, by places in the store. No insertion if `top` is 0. */
struct path_run {
	uint32_t top;    /* the node right above its outermost frame */
	uint32_t end;    /* the place after that of the outermost frame */
	uint32_t exit;   /* from this place on the frames are the runtime's */
	uint32_t begin;  /* from this place up to `exit` they are the user's */
	int is_outlined; /* the frame before `exit` is a region's or task's body */
};

/* The note about the insertion of paths; see path.h. It is empty if all is zero. */
struct path_note {
	uint32_t n_unknown;    /* nothing is known of so many places at the begin of the store */
	uint32_t context;      /* the latest context (node id); 0: none yet */
	uint32_t context_node; /* the node that represents it under the thread's root */
	struct path_run run;
	struct modules_cursor cursor;
	struct path_node at[WALK_STORE_FRAMES]; /* by place in the store */
};

/* Empties the note; the nodes in it are then not used. Any thread. */
static inline void path_note_clear(struct path_note *note)
{
	note->n_unknown = WALK_STORE_FRAMES;
	note->context = note->context_node = 0;
	memset(&note->run, 0, sizeof(note->run));
	memset(&note->cursor, 0, sizeof(note->cursor));
}

/* A REGION, TASK or TARGET node that was made or found, and its key. All zero: no node. */
struct site_note {
	uint64_t addr;   /* of the construct */
	uint32_t parent; /* node of the frame that encountered it */
	uint32_t node;
	uint8_t kind;
	uint8_t flags;
};

/*
 * A construct that created a task and whose node was found, and the values that the node depends
 * on. All zero: no construct.
 */
struct create_note {
	uint64_t addr; /* of the construct */
	/* node of the frame that encountered it; 0: its task is in a task of the same site */
	uint32_t creation;
	uint32_t context; /* node id of the task or region that encountered it */
	int flags;        /* flags of OMPT */
	uint32_t node;
	struct profile_node *own; /* the node that represents it under the thread's root */
	const struct cached_path *cached_path; /* the memo that led to it; NULL: none */
	/* from the callback's frame to the memo's enter frame; 0: the task's own is right */
	uint64_t to_enter;
};

/*
 * The creation paths and constructs of a thread: a part of struct thread. The thread's callbacks
 * write it.
 */
struct thread_paths {
	struct create_note created[THREAD_N_CREATED]; /* by a hash of the construct */
	const struct create_note *latest; /* of the latest task; NULL: it has none, or no task */
	struct site_note sites[THREAD_N_SITES]; /* by a hash of addr and parent */
	struct path_cache cache;
};

#endif
