/* SPDX-License-Identifier: Apache-2.0 */
/* Which frames are the runtime's; see frames.h. Part of the signal-safe core. */
#include "sampler/frames.h"

#include "profile/layout.h"

/* The frame that contains `pointer`, or path->n. Bounded by WALK_MAX_FRAMES. */
static uint32_t index_of(const struct walk_path *path, uint64_t pointer)
{
	uint32_t i = 0;

	while (i < path->n && path->frame[i].cfa <= pointer)
		i++;
	return i;
}

static int in_runtime(
	const struct frames_context *context, const struct walk_path *path, uint32_t i)
{
	return path->frame[i].ip >= context->runtime_lo && path->frame[i].ip < context->runtime_hi;
}

/* The frame that a frame pointer of OMPT stands for, or path->n if it stands for none. */
static uint32_t runtime_frame(
	const struct frames_context *context, const struct walk_path *path, uint64_t pointer)
{
	uint32_t i = pointer ? index_of(path, pointer) : path->n;

	return i < path->n && in_runtime(context, path, i) ? i : path->n;
}

/* One past the last frame of the context; path->n if the path does not show its end. */
static uint32_t find_cut(const struct frames_context *context, const struct walk_path *path)
{
	uint32_t i;

	switch (context->task) {
	case FRAMES_ON_STACK:
		return index_of(path, context->base_cfa - 1);
	case FRAMES_DEFERRED:
		i = runtime_frame(context, path, context->outer_enter);
		if (i == path->n)
			i = runtime_frame(context, path, context->exit_frame);
		return i < path->n ? i + 1 : i;
	default:
		return path->n;
	}
}

/* The innermost of the runtime frames that end the context at its outer side; `cut` if none. */
static uint32_t find_exit(
	const struct frames_context *context, const struct walk_path *path, uint32_t cut)
{
	uint32_t i = runtime_frame(context, path, context->exit_frame);

	if (context->task == FRAMES_ALL || cut == 0)
		return cut;
	if (i < cut)
		return i;
	if (context->task == FRAMES_ON_STACK && !in_runtime(context, path, cut - 1))
		return cut;
	if (context->exit_frame == 0)
		return 0;
	for (i = cut; i > 0 && in_runtime(context, path, i - 1);)
		i--;
	return i;
}

uint64_t frames_stop(const struct frames_context *context)
{
	switch (context->task) {
	case FRAMES_ON_STACK:
		return context->base_cfa - 1;
	case FRAMES_WORKER:
		return context->exit_frame ? context->exit_frame : UINT64_MAX;
	case FRAMES_DEFERRED:
		if (context->outer_enter > context->exit_frame)
			return context->outer_enter;
		return context->exit_frame ? context->exit_frame : UINT64_MAX;
	default:
		return UINT64_MAX;
	}
}

void frames_mark(const struct walk_path *path, const struct frames_context *context,
	struct frames_marks *marks)
{
	uint32_t cut = find_cut(context, path);
	uint32_t exit = find_exit(context, path, cut);
	uint32_t enter = runtime_frame(context, path, context->enter_frame);

	marks->n = cut;
	marks->is_cut_short = cut == path->n &&
			      (path->end != WALK_COMPLETE || context->task == FRAMES_ON_STACK) &&
			      !(context->task == FRAMES_WORKER && exit < cut);
	for (uint32_t i = 0; i < cut; i++) {
		marks->flags[i] = path->frame[i].how == WALK_EXACT ? PROFILE_FRAME_EXACT : 0;
		if (path->frame[i].how == WALK_GUESS)
			marks->flags[i] |= PROFILE_FRAME_GUESSED;
		if (i >= exit || (enter < exit && i <= enter))
			marks->flags[i] |= PROFILE_FRAME_RUNTIME;
	}
	if (exit > 0 && context->task != FRAMES_ALL && !marks->is_cut_short &&
		!(marks->flags[exit - 1] & PROFILE_FRAME_RUNTIME))
		marks->flags[exit - 1] |= PROFILE_FRAME_OUTLINED;
}
