/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The path cache remembers creation paths. It finds the node of a construct that was created in the
 * same way before, without a walk. A memo (one remembered path) holds all that the walk depended
 * on, with the words of the stack that it read. If all these are the same again, the path is the
 * same too. This is exact, not approximate. Here is the proof.
 *
 * A capture (capture.c) begins at the enter frame e, a frame pointer of the runtime on the thread's
 * own stack. Its result is a function of
 *
 *   (1) codeptr_ra,
 *   (2) the place in the tree and the task's frame pointers (struct path_place), and
 *   (3) the words that the walk reads: the words at e and e + 8, and for each frame the words
 *       that its rule names.
 *
 * A memo is made only if each frame but the last is WALK_FRAME_PLAIN and in an object that stays
 * (walk_cfi.c). The rule of such a frame never changes. Its step reads only the state (ip, sp,
 * fp), the return address below its CFA, the word where the caller's frame pointer is saved,
 * if it is saved, and, with WALK_FRAME_LOADS_CFA, the word that holds the CFA. The last frame is of
 * the same kind or WALK_FRAME_OUTERMOST, and its CFA follows from its state. The words that its
 * step reads matter only if the path ended because there was no return address.
 *
 * The first state is (codeptr_ra, e + WALK_CFA_ABOVE_FP, word at e). Where WALK_CFA_ABOVE_FP is 0,
 * the distance from e to the user's frame depends on the function of the runtime. There a memo is
 * made of a walk that came through that function. It is assumed that the call before codeptr_ra
 * always calls the same function of the runtime; calls that a compiler makes do. By induction over
 * the frames, the same e and the same words lead from the same first state through the same states.
 * Words that no state depends on may differ:
 *
 *   A frame's fp is live if its CFA follows from it (WALK_FRAME_BY_POINTER,
 *   WALK_FRAME_LOADS_CFA), or if the frame does not save the fp and the next frame's fp is live.
 *   No ip and no CFA of any frame depends on an fp that is not live, and nothing else of a frame
 *   reaches the tree.
 *
 * So functions that keep another value in the frame pointer do no harm.
 *
 * It does not matter either where on the stack the frames are. Add d to e, to the exit frame and
 * the base CFA if they exist, and to the words that hold a CFA or a live fp. Then every CFA and
 * every place of a word moves by d as well. Rules add constants to these addresses. All other code
 * only compares the addresses with each other: the CFAs with the frame pointers (frames.c), and
 * with the stack's bounds. For the latter a memo knows how far out its last CFA is. (A frame
 * pointer of 0 is missing; a memo distinguishes it from a distance.) A memo holds each of these
 * addresses as its distance from e, so a recursion of tasks needs only one memo. Words that hold
 * return addresses are compared as they are. A signature in a return address depends on its
 * place on the stack, so such a memo is found only for the same place.
 *
 * A hit may read the words, because they belong to the thread's own stack: they are in [e, e +
 * reach), e is not below the stack pointer, and e + reach is not beyond the stack. The memo's node
 * is the node that the path's insertion found (path.h), and no node is ever removed. In an object
 * that stays, the module of a frame stays. A memo does not hold what the tool fixes when it starts:
 * the walker, the runtime's range, the thread's type. A thread's memos are cleared when it follows
 * a change of the phase, and before its struct serves another thread.
 *
 * A capture gets no memo if
 *
 * - it has no enter frame, or its codeptr_ra is doubtful (capture.h),
 * - its path was cut short or has a guess,
 * - it had to be walked twice, or from elsewhere than e, unless WALK_CFA_ABOVE_FP is 0,
 * - it has frames of Python's interpreter (python.h),
 * - it has frames that are odd, of signals, on other stacks or in objects that can be unloaded,
 * - it needs more than PATH_CACHE_WORDS words, or a word outside of [e, e + reach), or
 * - its path has no node, as the file has no space.
 */
#ifndef OMPPROF_SAMPLER_CORE_PATH_CACHE_H
#define OMPPROF_SAMPLER_CORE_PATH_CACHE_H

#include <stdint.h>

#include "sampler/core/frames.h"
#include "unwinder/core/walk.h"

enum {
	PATH_CACHE_SETS = 8, /* a power of two */
	PATH_CACHE_WAYS = 2, /* memos with the same construct and context */
	PATH_CACHE_WORDS = 64,
	PATH_CACHE_AT_ONCE = 4, /* words that are compared at once */
};

/* The values besides the stack that a capture depends on. */
struct path_cache_key {
	uint64_t codeptr_ra;
	uint64_t enter_frame; /* not 0 */
	const struct frames_context *frames;
	uint32_t context; /* node id of the current region or task */
};

/*
 * A word of the stack: its place, in bytes from the enter frame, and the value that it must have.
 */
struct path_cache_word {
	uint64_t value;
	uint32_t at;
};

/*
 * One path. Places and distances are in bytes from the enter frame. A memo of all zeros holds no
 * path.
 */
struct cached_path {
	uint64_t codeptr_ra;
	int64_t exit_frame, base_cfa; /* distances, or PATH_CACHE_MISSING */
	uint32_t context;
	uint32_t task; /* enum frames_task */
	int to_base;
	uint32_t node;
	uint32_t user_cfa; /* the first frame's CFA */
	uint32_t reach;    /* the last frame's CFA */
	uint32_t n_equal;  /* words at the begin of the list that are equal to `value` */
	/* words after these that hold the address enter frame + `value`; both numbers are multiples
	   of PATH_CACHE_AT_ONCE, and the last word is repeated as often as necessary */
	uint32_t n_apart;
	struct path_cache_word word[PATH_CACHE_WORDS + 2 * PATH_CACHE_AT_ONCE];
};

struct path_cache {
	uint32_t oldest[PATH_CACHE_SETS]; /* memos made in it; the remainder is replaced next */
	struct cached_path at[PATH_CACHE_SETS][PATH_CACHE_WAYS];
};

/* The distance of a missing frame pointer. No two places on a stack are this far apart. */
#define PATH_CACHE_MISSING INT64_MIN

/* How far `pointer` is from the enter frame; PATH_CACHE_MISSING if it is 0. Any thread. */
static inline int64_t path_cache_distance(uint64_t pointer, uint64_t enter_frame)
{
	return pointer ? (int64_t)(pointer - enter_frame) : PATH_CACHE_MISSING;
}

/*
 * Whether the stack holds the memo's words. It is a function of its own: inlined, it would have to
 * keep its sum in memory. Signal-safe.
 */
int path_cache_has_words(const struct cached_path *memo, uint64_t enter_frame);

/*
 * Whether a capture with this key would find the path of the memo. `bounds` is the live part of the
 * thread's own stack, and the stack pointer is on this stack. Signal-safe.
 */
static inline int path_cache_fits(const struct cached_path *memo, const struct path_cache_key *key,
	const struct walk_bounds *bounds)
{
	uint64_t enter_frame = key->enter_frame;

	/* A memo that could not be made has codeptr_ra 0 as well. */
	return key->codeptr_ra && memo->codeptr_ra == key->codeptr_ra &&
	       memo->context == key->context && memo->task == (uint32_t)key->frames->task &&
	       memo->to_base == key->frames->to_base && enter_frame % 8 == 0 &&
	       enter_frame >= bounds->lo && enter_frame < bounds->hi &&
	       memo->reach <= bounds->hi - enter_frame &&
	       memo->exit_frame == path_cache_distance(key->frames->exit_frame, enter_frame) &&
	       memo->base_cfa == path_cache_distance(key->frames->base_cfa, enter_frame) &&
	       path_cache_has_words(memo, enter_frame);
}

/*
 * The memo of the path that a capture with this key would find, or NULL if no memo is known for it.
 * The CFA of the path's first frame is enter_frame + user_cfa. Signal-safe.
 */
const struct cached_path *path_cache_find(const struct path_cache *memos,
	const struct path_cache_key *key, const struct walk_bounds *bounds);

/*
 * Remembers the path of a capture with this key, walked from its enter frame, and its node. Returns
 * the memo; NULL if the path can have none. Signal-safe.
 */
const struct cached_path *path_cache_keep(struct path_cache *memos,
	const struct path_cache_key *key, const struct walk_path *path, uint32_t node);

#endif
