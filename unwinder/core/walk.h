/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a register context to a call path. The sampler calls a walker in its signal handler, with
 * the interrupted registers, and in callbacks, with the caller's registers. A walker is one `const
 * struct walker`. It knows nothing of OpenMP, trees or profiles.
 *
 * Termination and safety do not depend on correct call frame information. Every read of the stack
 * is inside [bounds.lo, bounds.hi), or on another stack whose pages the kernel says are readable.
 * Every CFA on one stack must be at least WALK_CALL_BYTES above the CFA before it. Every loop has a
 * written bound. Wrong or hostile rules end a path; they never fault or loop.
 */
#ifndef OMPPROF_UNWINDER_CORE_WALK_H
#define OMPPROF_UNWINDER_CORE_WALK_H

#include <stddef.h>
#include <stdint.h>

#include "unwinder/core/arch.h"

/* The most frames of a path. A walk that reaches this bound ends with WALK_LIMIT. */
#define WALK_MAX_FRAMES 512

/* The thread's own stack, [lo, hi). */
struct walk_bounds {
	uintptr_t lo;
	uintptr_t hi;
};

/* How a frame was found. */
enum walk_how {
	WALK_EXACT = 0,   /* ip is where execution stopped, in the first frame or in a frame that
			     a signal interrupted. Its line is the line of ip. */
	WALK_CALL = 1,    /* ip is a return address, found by CFI. Look the line up at ip - 1. */
	WALK_POINTER = 2, /* ip is a return address, found by the chain of frame pointers */
	WALK_GUESS = 3,   /* ip is a return address that was guessed where CFI is missing */
};

/* How a path ended. The values are the same as in enum profile_walk_end. */
enum walk_end {
	WALK_COMPLETE = 0,
	WALK_NO_CFI = 1,
	WALK_BAD_CFI = 2,
	WALK_OFF_STACK = 3,
	WALK_NO_PROGRESS = 4,
	WALK_LIMIT = 5,
	WALK_UNKNOWN_CODE = 6,
};

struct walk_frame {
	uint64_t ip;     /* instruction address, see `how` */
	uint64_t cfa;    /* 0: unknown, only in the last frame of a path */
	uint64_t fp;     /* the frame pointer in this frame */
	int32_t at;      /* offset of a word that the step needed; see walk_cfi.c */
	uint16_t object; /* 0: the object is never unloaded; else its id, or WALK_NO_OBJECT */
	uint8_t how;     /* enum walk_how */
	uint8_t flags;   /* enum walk_frame_flags */
};

/* Where the return address lies, from the CFA, if the frame is WALK_FRAME_PLAIN. Signal-safe. */
static inline int64_t walk_return_at(const struct walk_frame *frame)
{
	return WALK_HAS_LINK ? frame->at + 8 : -8;
}

/* `object` of code in no object, or in an object that the walker does not know. */
#define WALK_NO_OBJECT UINT16_MAX

enum walk_frame_flags {
	WALK_FRAME_FOREIGN = 1,   /* on another stack than the thread's own */
	WALK_FRAME_PLAIN = 2,     /* its step can be repeated from memory; see walk_cfi.c */
	WALK_FRAME_LOADS_CFA = 4, /* with PLAIN: the CFA is in the word at fp + at */
	WALK_FRAME_FP_LOST = 8,   /* fp is not known */
	WALK_FRAME_HOLE = 16,     /* no frame: `at` remembered frames are missing here */
	WALK_FRAME_OUTERMOST = 32,
	/* with PLAIN or OUTERMOST: the CFA follows from fp, not from the stack pointer */
	WALK_FRAME_BY_POINTER = 64,
};

/* Entries in a path's store: for the remembered frames, and for the frames that a walk adds. */
#define WALK_STORE_FRAMES (2 * WALK_MAX_FRAMES + 4)

/* Words of struct walk_recent_rules; a power of two. */
#define WALK_RECENT_RULES 512

/*
 * A thread's cache of rules that it looked up in tables (table.h). A word holds an address and the
 * number of its rule, and its index is a hash of the address; 0 is an empty word. Threads do not
 * share a cache, since a line that several threads write is slow for all of them.
 */
struct walk_recent_rules {
	uint64_t serial; /* of the struct objects that has the tables */
	uint64_t word[WALK_RECENT_RULES];
};

/*
 * A path, and the walker's memory of it. frame[0] is the innermost frame. A path of zeros is empty.
 * The next walk of the same thread is given the path of the walk before, and keeps the part that is
 * still true.
 */
struct walk_path {
	struct walk_frame *frame; /* n frames, within `store` */
	uint32_t n;
	uint32_t end; /* enum walk_end */
	/* outermost frames that this walk left as they were, at the same addresses in `store`,
	   together with all that follows them there */
	uint32_t n_kept;
	uint32_t n_guessed; /* frames that have WALK_GUESS */

	/* The walker's own: */
	uint32_t n_beyond; /* remembered frames further out than the path */
	uint32_t place;    /* of the thread, for objects_enter */
	struct walk_recent_rules seen;
	struct walk_frame store[WALK_STORE_FRAMES];
};

/* Empties the path, for a walker that writes frames from the start of the store. Signal-safe. */
static inline void walk_path_begin(struct walk_path *path)
{
	path->frame = path->store;
	path->n = 0;
	path->n_kept = 0;
	path->n_guessed = 0;
	path->n_beyond = 0;
}

struct walker {
	const char *name;

	/* Prepares the walker for this process, when the tool starts and outside any handler.
	   Returns 0, or -1 if this walker cannot work here. NULL: there is nothing to prepare. */
	int (*init)(void);

	/* Prepares objects that were loaded since the last call. Called now and then, and cheap if
	   there are none. NULL: there is nothing to prepare. Not in a handler. Any thread. */
	void (*refresh)(void);

	/* Walks from `start` outwards and fills `path`. The walk ends with WALK_COMPLETE at the
	   outermost frame, or after a frame on the thread's own stack whose CFA is greater than
	   `stop_cfa` (UINT64_MAX: never). Otherwise it ends where it cannot continue. The
	   instruction pointer and the stack pointer of `start` must be known. Returns path->n.
	   Signal-safe. */
	uint32_t (*walk)(const struct walk_registers *start, const struct walk_bounds *bounds,
		uint64_t stop_cfa, struct walk_path *path);
};

/*
 * The `walk` of walker_cfi. Uses the tables that objects_start has made, if it has been called.
 * Signal-safe.
 */
uint32_t walk_cfi(const struct walk_registers *start, const struct walk_bounds *bounds,
	uint64_t stop_cfa, struct walk_path *path);

extern const struct walker walker_cfi;          /* with tables, after init */
extern const struct walker walker_cfi_in_place; /* without tables, for comparison */
extern const struct walker walker_fp;

#endif
