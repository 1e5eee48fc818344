/* SPDX-License-Identifier: Apache-2.0 */
/* Which frames are the runtime's; see frames.h. Part of the signal-safe core. */
#include "sampler/core/frames.h"

/*
 * The frame that contains `pointer`: the first frame whose CFA is greater; or path->n. CFAs grow
 * outwards. Exceptions are frames on another stack, which are innermost, and a last frame whose CFA
 * is not known. The search begins at the outer end, where the frame most often is, as a walk goes
 * no further. Bounded by path->n.
 */
static uint32_t index_of(const struct walk_path *path, uint64_t pointer)
{
	uint32_t n = path->n, i;

	if (n > 0 && path->frame[n - 1].cfa == 0)
		n--;
	for (i = n; i > 0; i--) {
		const struct walk_frame *frame = &path->frame[i - 1];

		if (frame->flags & WALK_FRAME_FOREIGN || frame->cfa <= pointer)
			break;
	}
	return i < n ? i : path->n;
}

static int in_runtime(
	const struct frames_context *context, const struct walk_path *path, uint32_t i)
{
	return runtime_code_has(context->runtime, path->frame[i].ip);
}

/* Whether the runtime's code can be told from the user's. */
static int has_range(const struct frames_context *context)
{
	return runtime_code_is_known(context->runtime);
}

/*
 * Whether `pointer` can point into frame i. Where the runtime's code is not known, it has to be the
 * frame pointer exactly. The frame pointer of a runtime function that has returned can now be the
 * frame pointer of the outlined function, if both were called from the same place. But then the
 * encountering frame is next, which is never so if the runtime is the caller.
 */
static int is_valid(const struct frames_context *context, const struct walk_path *path, uint32_t i,
	uint64_t pointer)
{
	if (has_range(context))
		return in_runtime(context, path, i);
	return frames_has_fp(&path->frame[i], pointer) &&
	       !(context->task == FRAMES_ON_STACK && i + 1 < path->n &&
		       path->frame[i + 1].cfa >= context->base_cfa);
}

/* The frame to which a frame pointer of OMPT points, or path->n if it points to none. */
static uint32_t runtime_frame(
	const struct frames_context *context, const struct walk_path *path, uint64_t pointer)
{
	uint32_t i = pointer ? index_of(path, pointer) : path->n;

	return i < path->n && is_valid(context, path, i, pointer) ? i : path->n;
}

/*
 * The frame to which the exit frame points, or path->n. All frames from it to the encountering
 * frame have to be the runtime's. A stale exit frame that falls into a live call of the runtime has
 * user frames there.
 */
static uint32_t exit_of(const struct frames_context *context, const struct walk_path *path)
{
	uint32_t exit = runtime_frame(context, path, context->exit_frame);

	if (context->task != FRAMES_ON_STACK || !has_range(context))
		return exit;
	for (uint32_t i = exit; i < path->n && path->frame[i].cfa < context->base_cfa; i++) {
		if (!in_runtime(context, path, i))
			return path->n;
	}
	return exit;
}

/* One past the last frame of the context; path->n if the path does not go beyond it. */
static uint32_t find_cut(
	const struct frames_context *context, const struct walk_path *path, uint32_t exit)
{
	switch (context->task) {
	case FRAMES_ON_STACK:
		return index_of(path, context->base_cfa - 1);
	case FRAMES_DEFERRED:
		return exit < path->n ? exit + 1 : path->n;
	default:
		return path->n;
	}
}

/*
 * The innermost of the runtime frames at the context's outer side, if there is no valid exit frame;
 * `cut` if there are none. 0 if the task has no exit frame at all: it has not begun its body.
 */
static uint32_t guess_exit(
	const struct frames_context *context, const struct walk_path *path, uint32_t cut)
{
	uint32_t i = cut;

	if (context->task == FRAMES_ALL || cut == 0)
		return cut;
	if (context->task == FRAMES_ON_STACK && !in_runtime(context, path, cut - 1))
		return cut;
	if (context->exit_frame == 0)
		return 0;
	while (i > 0 && in_runtime(context, path, i - 1))
		i--;
	return i;
}

uint64_t frames_stop(const struct frames_context *context)
{
	if (context->task == FRAMES_ALL)
		return context->outer_cfa ? context->outer_cfa - 1 : UINT64_MAX;
	if (context->task == FRAMES_ON_STACK && !has_range(context))
		return context->base_cfa - 1;
	if (context->exit_frame && !context->to_base)
		return context->exit_frame;
	return context->task == FRAMES_ON_STACK ? context->base_cfa - 1 : UINT64_MAX;
}

int frames_is_stale(const struct walk_path *path, const struct frames_context *context)
{
	return context->task == FRAMES_ON_STACK && has_range(context) && context->exit_frame &&
	       !context->to_base && path->end == WALK_COMPLETE && path->n > 0 &&
	       !in_runtime(context, path, path->n - 1);
}

void frames_mark(const struct walk_path *path, const struct frames_context *context,
	struct frames_marks *marks)
{
	uint32_t found = exit_of(context, path);
	uint32_t cut = find_cut(context, path, found);
	uint32_t exit = found < cut ? found : guess_exit(context, path, cut);
	uint32_t enter = runtime_frame(context, path, context->enter_frame);
	int is_whole = cut < path->n || found < cut ||
		       (path->end == WALK_COMPLETE && context->task != FRAMES_ON_STACK);

	if (context->task == FRAMES_ALL) {
		exit = cut;
		is_whole = path->end == WALK_COMPLETE;
	}
	marks->n = cut;
	marks->exit = exit;
	marks->n_inner = enter < exit ? enter + 1 : 0;
	marks->is_cut_short = !is_whole;
	marks->is_outlined = context->task != FRAMES_ALL && is_whole && exit > marks->n_inner;
}

int frames_is_in_runtime(const struct walk_path *path, const struct frames_context *context,
	const struct frames_marks *marks)
{
	uint32_t exit = exit_of(context, path);

	if (!has_range(context))
		return 1;
	for (uint32_t i = 0; i < marks->n; i++) {
		if (i > 0 && (i == exit || frames_is_runtimes(marks, i)))
			return 0;
		if (frames_is_runtimes(marks, i) || in_runtime(context, path, i))
			return 1;
	}
	return marks->is_cut_short != 0;
}
