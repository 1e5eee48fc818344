/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a thread remembers of paths that it has inserted into its tree, and of the constructs at their ends (struct thread):
 * path.h, capture.h and construct.h say what is done with it.
 */
#ifndef OMPPROF_SAMPLER_CORE_THREAD_PATH_H
#define OMPPROF_SAMPLER_CORE_THREAD_PATH_H

#include <stdint.h>
#include <string.h>

#include "profile/shared/layout.h"
#include "sampler/core/path_cache.h"
#include "sampler/core/modules.h"
#include "unwinder/core/walk.h"

enum { THREAD_N_SITES = 16 /* constructs whose nodes are remembered; a power of two */ };

/* The tree node that a frame was inserted as; see path.h. All zero is none. */
struct path_node {
	uint32_t parent;
	uint32_t node;
	uint8_t flags; /* of the node */
};

/* The latest insertion of a whole path, by places in the store; top 0 is none. */
struct path_run {
	uint32_t top;    /* the node under which its outermost frame is */
	uint32_t end;    /* one past that frame's place */
	uint32_t exit;   /* from here on the frames are the runtime's */
	uint32_t begin;  /* from here on those before are the user's */
	int is_outlined; /* the one before `exit` is the body of a region or task */
};

/* What is remembered of the insertion of paths; see path.h. All zero remembers nothing. */
struct path_note {
	uint32_t n_unknown;    /* nothing is said of so many first places of thread->path's store */
	uint32_t context;      /* the node that stands for this one under the thread's root is */
	uint32_t context_node; /* this one; both 0 at first */
	struct path_run run;
	struct modules_cursor cursor;
	struct path_node at[WALK_STORE_FRAMES]; /* by place in the store */
};

/* The note remembers nothing then; the nodes in it count for nothing. Any thread. */
static inline void path_note_clear(struct path_note *note)
{
	note->n_unknown = WALK_STORE_FRAMES;
	note->context = note->context_node = 0;
	memset(&note->run, 0, sizeof(note->run));
	memset(&note->cursor, 0, sizeof(note->cursor));
}

/* A REGION or TASK node that was made or found, and what it is known by. All zero is none. */
struct site_note {
	uint64_t addr;   /* of the construct */
	uint32_t parent; /* node of the frame that encountered it */
	uint32_t node;
	uint8_t kind;
	uint8_t flags;
};

/* The latest construct of a task whose node was found, and what that depended on. All zero is none. */
struct create_note {
	uint64_t addr;     /* of the construct */
	uint32_t creation; /* node of the frame that encountered it */
	uint32_t context;  /* node id of the task or region that did */
	int flags;         /* of OMPT */
	uint32_t node;
	struct profile_node *own; /* what stands for it under the thread's root */
	const struct memo *memo;  /* that knew the way to it; NULL none */
};

/* The creation paths and constructs of a thread: a part of struct thread. Its callbacks write it. */
struct thread_paths {
	struct create_note created;
	struct site_note sites[THREAD_N_SITES]; /* by a hash of addr and parent */
	struct memos memos;
};

/* Any thread. */
static inline void thread_paths_clear(struct thread_paths *paths)
{
	memset(paths, 0, sizeof(*paths));
}

#endif
