/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Captures where a region or task was created: the exact call path, taken in the callback that
 * announces it.
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
	uint64_t ip;       /* the return address in it: the construct's codeptr_ra */
	uint64_t user_ip;  /* where codeptr_ra is doubtful: the return address in the innermost user
			      frame */
	const struct memo *memo; /* that knew it; NULL: it was walked */
	int is_whole;            /* the walk came to the end of the current task's frames */
	int is_runtimes; /* no user frame of the current task created it, but the runtime: a part of
			      a taskloop that another thread splits */
};

/*
 * Whether codeptr_ra is not an address in user code: none, or one within the runtime.
 * Any thread.
 */
int capture_is_doubtful(uint64_t codeptr_ra);

/* Of the captures after the first CAPTURE_ALL_TIMED, one of CAPTURE_TIMED_OF is timed. */
enum { CAPTURE_ALL_TIMED = 64, CAPTURE_TIMED_OF = 64 };

/* How many captures the ticks of capture n stand for, 0 if it is not timed: reading the clock takes as
   long as much of a capture. The first are all timed, of the others those at which a multiple of the
   golden ratio is close to a whole number: evenly many of any that come at equal intervals. Any thread. */
static inline uint64_t capture_weight(uint64_t n)
{
	if (n < CAPTURE_ALL_TIMED)
		return 1;
	return n * 0x9e3779b97f4a7c15ULL < UINT64_MAX / CAPTURE_TIMED_OF ? CAPTURE_TIMED_OF : 0;
}

/*
 * Has the walker look for objects that came or went since, if there may be some. For captures without a walk it is done
 * with those that are timed.
 * Owning thread only.
 */
void capture_prepare(void);

/*
 * Walks from the calling callback (`here`) to the user frame that contains codeptr_ra (NULL: the
 * first frame outside the runtime and the tool) and on to the outermost frame of the current task,
 * and inserts that path under the current task's context. `frame` is the encountering task's, or NULL
 * if the runtime does not say. Call with in_tool set.
 * Owning thread only.
 */
void capture(struct thread *thread, uint64_t codeptr_ra, const ompt_frame_t *frame,
	const struct walk_registers *here, struct creation *creation);

/*
 * Walks from the caller to the user frame that contains codeptr_ra and inserts the path from there to
 * the outermost frame of the current task. Returns the user frame's node; where there is no such frame
 * that of the current task's context; 0 without space. Call with in_tool set.
 * Owning thread only.
 */
uint32_t capture_here(struct thread *thread, uint64_t codeptr_ra);

#endif
