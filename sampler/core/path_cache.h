/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of creation paths: the node of a construct that was created the same way before, without a
 * walk. A memo holds what the walk depended on, and the words of the stack that it read: if they are the
 * same again, so is the path. Not approximately; here is why.
 *
 * A capture (capture.c) that begins at the enter frame e, a frame pointer of the runtime on the thread's
 * own stack, is a function of
 *   (1) codeptr_ra, (2) the place in the tree and the task's frame pointers (struct path_place), and
 *   (3) what the walk reads: the words at e and e + 8, and for each frame what its rule says.
 * A memo is made only where each frame but the last is WALK_FRAME_PLAIN and in an object that stays
 * (walk_cfi.c): then its rule never changes, and the step reads nothing but, of the state (ip, sp, fp), of
 * the return address below its CFA, of the caller's frame pointer where it is saved, and,
 * WALK_FRAME_LOADS_CFA, of the word that holds the CFA. The last frame is of the same kind, or
 * WALK_FRAME_OUTERMOST, and its CFA follows from its state; what its step reads matters only if the path
 * ended because there was no return address. So by induction over the frames: the same e and the same words
 * lead from the same first state, (codeptr_ra, e + 16, word at e), through the same states. Words that no
 * state depends on need not be the same:
 *
 *   A frame's fp is live if its CFA follows from it (WALK_FRAME_BY_POINTER, WALK_FRAME_LOADS_CFA), or if it
 *   does not save it and the next frame's is live. Neither ip nor cfa of any frame depends on one that is
 *   not, and nothing else of a frame reaches the tree.
 *
 * So functions that keep anything else in the frame pointer do no harm. Nor does it matter where on the
 * stack all this lies: add d to e, to the exit frame and base CFA if there are any, and to the words that
 * hold a CFA or a live fp, and every CFA and every place of a word is d further. Rules add constants to
 * these, everything else compares them with each other: the CFAs with the frame pointers (frames.c), and
 * with the stack's bounds, which is why a memo knows how far out its last CFA lies. (0 is a frame pointer
 * that is missing: it is told apart.) A memo holds each as its distance from e, so that a recursion of
 * tasks has one. A thread's words of return addresses are compared as they are.
 *
 * That the words are the thread's own to read: they lie in [e, e + reach), e is not below the stack
 * pointer, and e + reach not beyond the stack. The node is the one that the path's insertion found
 * (path.h): it is never removed. In an object that stays, the module of a frame stays. Nothing that the
 * tool fixes when it starts is in a memo: the walker, the runtime's range, the thread's type. A thread's
 * memos go with its struct.
 *
 * What gets no memo: a capture without an enter frame, one whose path was cut short or has a guess, one
 * that had to be walked twice, one with frames that are odd, of signals, on other stacks or in objects that
 * can go, and one that needs more than PATH_CACHE_WORDS words.
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

/* What a capture depends on apart from the stack. */
struct path_cache_key {
	uint64_t codeptr_ra;
	uint64_t enter_frame; /* not 0 */
	const struct frames_context *frames;
	uint32_t context; /* node id of the current region or task */
};

/* A word of the stack: its place, in bytes from the enter frame, and what it has to be. */
struct path_cache_word {
	uint64_t value;
	uint32_t at;
};

/* One path. Places and distances are in bytes from the enter frame. All zero is none. */
struct memo {
	uint64_t codeptr_ra;
	int64_t exit_frame, base_cfa; /* distances, or PATH_CACHE_MISSING */
	uint32_t context;
	uint32_t task; /* enum frames_task */
	int to_base;
	uint32_t node;
	uint32_t user_cfa; /* of the path's first frame */
	uint32_t reach;    /* of its last */
	uint32_t n_equal;  /* words at the begin of the list that are what `value` says */
	uint32_t
		n_apart; /* words after these that are so far from the enter frame; both are multiples
			      of PATH_CACHE_AT_ONCE, the last word comes as often as need be */
	struct path_cache_word word[PATH_CACHE_WORDS + 2 * PATH_CACHE_AT_ONCE];
};

struct memos {
	uint32_t n_kept; /* so far */
	uint32_t oldest[PATH_CACHE_SETS];
	struct memo memo[PATH_CACHE_SETS][PATH_CACHE_WAYS];
};

/* The distance of what is not there. No two places on a stack lie so far apart. */
#define PATH_CACHE_MISSING INT64_MIN

/* Any thread. */
static inline int64_t path_cache_distance(uint64_t pointer, uint64_t enter_frame)
{
	return pointer ? (int64_t)(pointer - enter_frame) : PATH_CACHE_MISSING;
}

/*
 * Whether the stack holds the memo's words. A function of its own: inlined it has to keep its sum in memory.
 * Signal-safe.
 */
int path_cache_has_words(const struct memo *memo, uint64_t enter_frame);

/*
 * Whether a capture with this key would find the path of the memo. `bounds` is the live part of the thread's
 * own stack, which the stack pointer is on.
 * Signal-safe.
 */
static inline int path_cache_fits(
	const struct memo *memo, const struct path_cache_key *key, const struct walk_bounds *bounds)
{
	uint64_t enter_frame = key->enter_frame;

	/* A memo whose making failed has no construct either. */
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
 * The memo of the path that a capture with this key would find; NULL if that is not known. The CFA of its first
 * frame is enter_frame + user_cfa.
 * Signal-safe.
 */
const struct memo *path_cache_find(const struct memos *memos, const struct path_cache_key *key,
	const struct walk_bounds *bounds);

/*
 * Remembers the path of a capture with this key, walked from its enter frame, and its node, if that can be.
 * Signal-safe.
 */
void path_cache_keep(struct memos *memos, const struct path_cache_key *key,
	const struct walk_path *path, uint32_t node);

#endif
