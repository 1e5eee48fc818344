/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owners of frames: which frames of a walked path belong to the current task, and which of
 * these are the runtime's. This follows from the OMPT frame pointers of the current task and from
 * what the thread's own callbacks know. Pure functions, used by the handler and by the capture of
 * creation paths.
 *
 * A frame pointer of OMPT (exit_frame, enter_frame; OpenMP 5.1, 4.4.4) is an address inside the
 * frame of a runtime function: index i with frame[i - 1].cfa <= pointer < frame[i].cfa. The flags
 * that runtimes attach to it are not trusted. Instead a pointer counts only if it falls into a
 * frame whose code lies in the runtime. Serialized regions and undeferred tasks fail this test:
 * user code calls their body directly, and the pointer is left over from a runtime function that
 * has returned.
 *
 * If the runtime is a part of the executable, its code is not known, and the code of a frame does
 * not tell. Then a pointer counts if it is the frame pointer, CFA - WALK_CFA_ABOVE_FP, of a frame
 * that the encountering frame has not called: the body of a serialized region can lie where the
 * runtime's frame was.
 *
 * A walk has to go no further out than a valid exit frame: beyond it lies the way from the
 * encountering task, or from the interrupted task, into the current task. The walk goes to the
 * encountering frame if the exit frame is not valid. It also goes there if the runtime's code is
 * not known: only the whole path then shows whether the exit frame is valid.
 */
#ifndef OMPPROF_SAMPLER_CORE_FRAMES_H
#define OMPPROF_SAMPLER_CORE_FRAMES_H

#include <stdint.h>

#include "profile/shared/layout.h"
#include "sampler/core/runtime_code.h"
#include "unwinder/core/walk.h"

/* How the current task came onto this thread's stack. */
enum frames_task {
	FRAMES_ALL,      /* no known context, as in an initial task, in a thread that is not
			    OpenMP's, or after the region's end: the whole stack is its own */
	FRAMES_ON_STACK, /* implicit task of the thread that encountered the region, undeferred
			    task, target region: frames from base_cfa on are the encountering
			    task's */
	FRAMES_WORKER,   /* implicit task of a worker: the stack begins in the runtime */
	FRAMES_DEFERRED, /* explicit task: below it lie the runtime and the interrupted task */
};

struct frames_context {
	enum frames_task task;
	uint64_t exit_frame;  /* of the current task; 0 none */
	uint64_t enter_frame; /* of the current task; 0 none */
	uint64_t base_cfa;    /* FRAMES_ON_STACK */
	uint64_t outer_cfa;   /* FRAMES_ALL: of the outermost frame; 0: at the stack's end */
	int to_base;          /* FRAMES_ON_STACK: walk to base_cfa, as exit_frame may be stale */
	const struct ompprof_runtime_code *runtime; /* NULL or empty if it is not known */
};

/* The result of frames_mark; frames_flags says what it means for one frame. */
struct frames_marks {
	uint32_t n;       /* frames that belong to the context: 0 .. n - 1 */
	uint32_t exit;    /* frames exit .. n - 1 are the runtime's, which called the task's body */
	uint32_t n_inner; /* number of innermost frames of the runtime, which user code called */
	int is_cut_short; /* the path ended before the context's outermost frame */
	int is_outlined;  /* the user's outermost frame, exit - 1, is the task's body */
};

/* Whether `pointer` is the frame's frame pointer. Signal-safe. */
static inline int frames_has_fp(const struct walk_frame *frame, uint64_t pointer)
{
	if (WALK_CFA_ABOVE_FP)
		return frame->cfa - WALK_CFA_ABOVE_FP == pointer;
	return frame->fp == pointer && !(frame->flags & WALK_FRAME_FP_LOST);
}

/* How far out a walk for this context has to go: the stop_cfa of walker.walk. Signal-safe. */
uint64_t frames_stop(const struct frames_context *context);

/*
 * Whether `path`, walked as far as frames_stop says, ended at a stale exit frame. Then to_base has
 * to be set, and the walk has to be repeated. Signal-safe.
 */
int frames_is_stale(const struct walk_path *path, const struct frames_context *context);

/* Marks `path`. Linear in path->n. Signal-safe. */
void frames_mark(const struct walk_path *path, const struct frames_context *context,
	struct frames_marks *marks);

/*
 * Whether frame i of the marked path is the runtime's: it called the task's body (from the exit
 * frame on), or user code called it (innermost). Signal-safe.
 */
static inline int frames_is_runtimes(const struct frames_marks *marks, uint32_t i)
{
	return i >= marks->exit || i < marks->n_inner;
}

/* The flags of frame i of the marked path: enum profile_frame_flags. Signal-safe. */
static inline uint8_t frames_flags(
	const struct walk_path *path, const struct frames_marks *marks, uint32_t i)
{
	uint8_t flags = path->frame[i].how == WALK_EXACT ? PROFILE_FRAME_EXACT : 0;

	if (path->frame[i].how == WALK_GUESS)
		flags |= PROFILE_FRAME_GUESSED;
	if (frames_is_runtimes(marks, i))
		flags |= PROFILE_FRAME_RUNTIME;
	if (marks->is_outlined && i + 1 == marks->exit)
		flags |= PROFILE_FRAME_OUTLINED;
	return flags;
}

/*
 * Whether the innermost code of `path`, which frames_mark gave `marks`, is the runtime's or called
 * by the runtime: a frame of the runtime is further in than the runtime's call of the task's body.
 * 1 in doubt. Linear in marks->n. Signal-safe.
 */
int frames_is_in_runtime(const struct walk_path *path, const struct frames_context *context,
	const struct frames_marks *marks);

#endif
