/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Captures where a region, task or target region was created: the call path, taken in the callback
 * that announces the construct.
 */
#ifndef OMPPROF_SAMPLER_CORE_CAPTURE_H
#define OMPPROF_SAMPLER_CORE_CAPTURE_H

#include <omp-tools.h>
#include <stdint.h>

#include "sampler/core/thread.h"

/* The user frame in which a construct was encountered. */
struct creation {
	uint32_t node;     /* its node in the calling-context tree; 0 if unknown */
	uint64_t base_cfa; /* its CFA; 0 if unknown */
	uint64_t ip;       /* the return address in it: codeptr_ra if that is not 0 */
	/* the cached path that was used or made; NULL: none */
	const struct cached_path *cached_path;
	/*
	 * The frame pointer of the runtime's function that the user called, if the encountering
	 * task's enter frame is another frame; 0: it is not, or it is not known. It is looked for
	 * only if wants_enter is set: of an undeferred task libomp says the user's frame.
	 */
	uint64_t enter_frame;
	int wants_enter;
	int is_whole; /* the walk came to the end of the current task's frames */
	/*
	 * no user frame of the current task created it. The runtime did, as with a part of a
	 * taskloop that another thread splits
	 */
	int is_runtimes;
	int is_unseen; /* the whole path has no frame that created it: another thread did */
};

/*
 * Whether codeptr_ra is not an address in user code: it is 0, or an address within the runtime.
 * Any thread.
 */
int capture_is_doubtful(uint64_t codeptr_ra);

/* After the first CAPTURE_ALL_TIMED captures, one in CAPTURE_TIMED_OF is timed. */
enum { CAPTURE_ALL_TIMED = 64, CAPTURE_TIMED_OF = 64 };

/*
 * How many captures the ticks of capture n represent; 0: it is not timed. Only some are timed, as
 * reading the clock takes as long as a large part of a capture. The first captures are all timed.
 * After these, capture n is timed if n times the golden ratio is just above a whole number. Such
 * numbers are spread evenly, also among captures that come at equal intervals. Any thread.
 */
static inline uint64_t capture_weight(uint64_t n)
{
	if (n < CAPTURE_ALL_TIMED)
		return 1;
	return n * 0x9e3779b97f4a7c15ULL < UINT64_MAX / CAPTURE_TIMED_OF ? CAPTURE_TIMED_OF : 0;
}

/*
 * Makes the walker look for objects that were loaded or unloaded meanwhile, if there may be any.
 * `capture` does it before a walk, and without a walk where it is timed. Owning thread only.
 */
void capture_prepare(void);

/*
 * Finds the path in the path cache. If it is not there, walks from the calling callback (`here`) to
 * the user frame that contains codeptr_ra, and on to the outermost frame of the current task. If
 * codeptr_ra is 0, the user frame is the first frame outside the runtime and the tool. Inserts the
 * path from the user frame outwards under the current task's context. `frame` is the encountering
 * task's; if it is NULL the runtime is asked. Call with in_tool set. Owning thread only.
 */
void capture(struct thread *thread, uint64_t codeptr_ra, const ompt_frame_t *frame,
	const struct walk_registers *here, struct creation *creation);

/*
 * The same from the caller of this function: finds the path in the path cache, or walks and inserts
 * it. A codeptr_ra in the runtime is like 0. Returns the user frame's node. Without a user frame it
 * returns the node of the current task's context, and 0 without space. Call with in_tool set.
 * Owning thread only.
 */
uint32_t capture_here(struct thread *thread, uint64_t codeptr_ra);

#endif
