/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a register context to a call path. The sampler calls a walker in its signal handler (from
 * the interrupted registers) and in callbacks (from the caller's own). A walker is one file
 * walk_*.c and one `const struct walker`. It knows nothing of OpenMP, trees or files.
 *
 * Termination and safety do not rest on correct call frame information: every read of the stack
 * is inside [bounds.lo, bounds.hi), or on another stack whose pages the kernel says can be read, every
 * CFA on one stack must be greater than the one before, and every loop has a written bound. Wrong or
 * hostile rules end a path, they never fault or loop.
 */
#ifndef OMPPROF_UNWINDER_CORE_WALK_H
#define OMPPROF_UNWINDER_CORE_WALK_H

#include <stddef.h>
#include <stdint.h>

#include "unwinder/core/arch.h"

/* Frames per path. A walk that meets this bound ends with WALK_LIMIT. */
#define WALK_MAX_FRAMES 512

/* The memory a walk may read: the thread's stack, [lo, hi). */
struct walk_bounds {
	uintptr_t lo;
	uintptr_t hi;
};

/* How a frame was found. */
enum walk_how {
	WALK_EXACT = 0,   /* ip is where execution stood: the first frame, or one that a signal
			     interrupted; look its line up at ip */
	WALK_CALL = 1,    /* ip is a return address by CFI; look its line up at ip - 1 */
	WALK_POINTER = 2, /* ip is a return address by the frame-pointer chain */
	WALK_GUESS = 3,   /* ip is a return address that was guessed where CFI is missing */
};

/* How a path ended. Same values as enum profile_walk_end. */
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
	uint64_t ip;  /* instruction address, see `how` */
	uint64_t cfa; /* canonical frame address: the stack pointer before the call to this frame's
			 function; 0 if unknown (only in the last frame of a path that ended early) */
	uint64_t
		fp; /* this and the rest but `how` and WALK_FRAME_FOREIGN: the walker's own memory */
	int32_t at;      /* where a word lies that the step needed; see walk_cfi.c */
	uint16_t object; /* 0: in an object that stays; else its id, or WALK_NO_OBJECT */
	uint8_t how;     /* enum walk_how */
	uint8_t flags;   /* enum walk_frame_flags */
};

/* The object of code in none, and in those that the walker knows nothing of. */
#define WALK_NO_OBJECT UINT16_MAX

enum walk_frame_flags {
	WALK_FRAME_FOREIGN =
		1, /* not on the thread's own stack: cfa cannot be compared with one there */
	WALK_FRAME_PLAIN = 2,
	WALK_FRAME_LOADS_CFA = 4,
	WALK_FRAME_FP_LOST = 8,
	WALK_FRAME_HOLE = 16,
	WALK_FRAME_OUTERMOST = 32,
	WALK_FRAME_BY_POINTER =
		64, /* of PLAIN and OUTERMOST: the CFA follows from fp, not from where
				       the frame before ends */
};

/* Places of a path's store: for the frames it remembers, and for those that a walk adds. */
#define WALK_STORE_FRAMES (2 * WALK_MAX_FRAMES + 4)

/* A power of two. */
#define WALK_SEEN 512

/*
 * What a thread looked up lately in tables (table.h): at a hash of the address, that and the number of its rule, 0
 * nothing. It is the thread's own, as what several threads write to costs them all.
 */
struct walk_seen {
	uint64_t serial; /* of the list of objects that the tables are of */
	uint64_t word[WALK_SEEN];
};

/*
 * A path, and the walker's memory of it. frame[0] is the innermost. All zero is an empty path, which
 * can be passed to a walk; a path that a walk has filled is passed to the next walk of the same
 * thread, which keeps what is still true of it.
 */
struct walk_path {
	struct walk_frame *frame; /* n of them, within `store` */
	uint32_t n;
	uint32_t end; /* enum walk_end */
	uint32_t
		n_kept; /* outermost frames that are what and where they were before this walk, and so
			       is what lies behind them in the store */
	uint32_t n_guessed;    /* frames with WALK_GUESS */
	uint32_t n_beyond;     /* the walker's own: frames further out that it remembers, */
	uint32_t place;        /* where it counts this thread's walks, */
	struct walk_seen seen; /* and what it looked up */
	struct walk_frame store[WALK_STORE_FRAMES];
};

/* Empties the path, for a walker that writes it from the start of the store. Signal-safe. */
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

	/*
	 * Prepares the walker for this process: at tool start, outside any handler. Returns 0, or
	 * -1 if this walker cannot work here. May be NULL: nothing to prepare.
	 */
	int (*init)(void);

	/*
	 * Looks whether there is more to be prepared, as objects come and go. Called now and then;
	 * cheap if not. May be NULL.
	 * Not in a handler. Any thread.
	 */
	void (*refresh)(void);

	/*
	 * Walks from `start` outwards until the outermost frame, until a frame whose CFA is greater
	 * than `stop_cfa` has been added (UINT64_MAX: never), or until it cannot go on; fills
	 * `path` (end is WALK_COMPLETE for the first two). A frame on another stack than the
	 * thread's own does not count for stop_cfa. `start` must have the instruction and
	 * stack pointers known. Returns path->n.
	 * Signal-safe.
	 */
	uint32_t (*walk)(const struct walk_registers *start, const struct walk_bounds *bounds,
		uint64_t stop_cfa, struct walk_path *path);
};

extern const struct walker walker_cfi;          /* with tables, once init has been called */
extern const struct walker walker_cfi_in_place; /* without, to compare with */
extern const struct walker walker_fp;

#endif
