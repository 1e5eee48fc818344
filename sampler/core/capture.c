/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creation paths; see capture.h. Built with the signal-safe core, but called outside the handler.
 */
#include "sampler/core/capture.h"

#include <stddef.h>

#include "sampler/core/path_cache.h"
#include "sampler/core/path.h"
#include "sampler/core/tool.h"

/*
 * Takes the user frame's registers straight from the enter frame. The enter frame is the frame
 * pointer of the runtime's entry function: at this address lies the caller's frame pointer, and
 * above it the return address. The registers are right only if the address is in the live part of
 * the stack (`bounds`) and the return address is codeptr_ra. Returns 0, or -1.
 */
static int jump_to_user(const struct walk_bounds *bounds, uint64_t codeptr_ra, uint64_t enter_frame,
	struct walk_registers *user)
{
	const uint64_t *slot = (const uint64_t *)enter_frame;

	if (!WALK_CFA_ABOVE_FP || !codeptr_ra || enter_frame % 8 != 0 || enter_frame < bounds->lo ||
		enter_frame >= bounds->hi - WALK_CFA_ABOVE_FP ||
		arch_code_address(slot[1]) != codeptr_ra)
		return -1;
	user->reg[WALK_IP] = codeptr_ra;
	user->is_return = 1;
	user->reg[WALK_SP] = enter_frame + WALK_CFA_ABOVE_FP;
	user->reg[WALK_FP] = slot[0];
	user->known = WALK_BIT(WALK_IP) | WALK_BIT(WALK_SP) | WALK_BIT(WALK_FP);
	return 0;
}

static int in_runtime(uint64_t ip)
{
	return runtime_code_has(tool.runtime_code, ip);
}

/*
 * How many of the path's frames can be the user's. On the stack of a thread that the runtime
 * created, the frames outside the runtime's outermost frame are the C library's, which starts
 * threads.
 */
static uint32_t n_candidates(const struct thread *thread, const struct path_place *place)
{
	const struct walk_path *path = &thread->path;
	uint32_t n = path->n;

	if (!runtime_code_is_known(tool.runtime_code) || !thread_is_runtimes(thread) ||
		path->end != WALK_COMPLETE || place->frames.task == FRAMES_ON_STACK)
		return n;
	while (n > 0 && !in_runtime(path->frame[n - 1].ip))
		n--;
	return n;
}

/* Whether frame i may be the user frame that is looked for. */
static int is_user(const struct walk_path *path, uint32_t i, uint64_t codeptr_ra)
{
	uint64_t ip = path->frame[i].ip;

	if (codeptr_ra)
		return ip == codeptr_ra;
	return !in_runtime(ip) && !(ip >= tool.tool_lo && ip < tool.tool_hi);
}

/*
 * For architectures on which jump_to_user cannot begin at the enter frame. Whether a walk from
 * there would find the frames from i on: frame i - 1 is the runtime's function that was called.
 */
static int is_entered(
	const struct walk_path *path, uint32_t i, uint64_t codeptr_ra, uint64_t enter_frame)
{
	return !WALK_CFA_ABOVE_FP && i > 0 && codeptr_ra && enter_frame &&
	       frames_has_fp(&path->frame[i - 1], enter_frame);
}

static void drop_inner(struct walk_path *path, uint32_t n)
{
	path->n -= n;
	path->frame += n;
}

/*
 * Walks from the user frame, whose registers come from an enter frame. Returns 0 if this is the
 * path to the end of the task's frames; *is_direct says whether it was the only walk. Else returns
 * -1.
 */
static int walk_from_enter(struct thread *thread, const struct walk_registers *user,
	const struct walk_bounds *bounds, struct path_place *place, int *is_direct)
{
	int to_base = place->frames.to_base;

	path_walk(thread, place, user, bounds);
	if (thread->path.end != WALK_COMPLETE)
		return -1;
	*is_direct = place->frames.to_base == to_base;
	return 0;
}

/*
 * Walks from here to the user frame. Returns the frame pointer of the function that it called, if
 * that keeps one; 0 if it is not known, or if there is no user frame. Sets *n to the number of
 * frames inside the user frame.
 */
static uint64_t walk_from_here(struct thread *thread, uint64_t codeptr_ra,
	const struct walk_registers *here, const struct walk_bounds *bounds,
	struct path_place *place, uint32_t *n)
{
	const struct walk_path *path = &thread->path;
	uint32_t i = 0, most;

	path_walk(thread, place, here, bounds);
	most = n_candidates(thread, place);
	while (i < most && !is_user(path, i, codeptr_ra))
		i++;
	*n = i < most ? i : UINT32_MAX;
	return i < most && i > 0 ? path->frame[i - 1].cfa - WALK_CFA_ABOVE_FP : 0;
}

/*
 * Leaves the path from the user frame outwards in thread->path. *is_direct says whether it found
 * what a walk from an enter frame finds, and was the only walk. If that is not the given enter
 * frame, it is creation->enter_frame. Returns 0, or -1 if there is no user frame.
 */
static int walk_from_user(struct thread *thread, uint64_t codeptr_ra, uint64_t enter_frame,
	const struct walk_registers *here, struct path_place *place, struct creation *creation,
	int *is_direct)
{
	struct walk_bounds bounds = { here->reg[WALK_SP], thread->stack.hi };
	struct walk_registers user;
	uint64_t found;
	uint32_t n;
	int to_base = place->frames.to_base;

	creation->is_whole = *is_direct = 0;
	if (here->reg[WALK_SP] < thread->stack.lo || here->reg[WALK_SP] >= thread->stack.hi)
		return -1;
	creation->is_whole = 1;
	if (jump_to_user(&bounds, codeptr_ra, enter_frame, &user) == 0 &&
		walk_from_enter(thread, &user, &bounds, place, is_direct) == 0)
		return 0;
	found = walk_from_here(thread, codeptr_ra, here, &bounds, place, &n);
	if (found && creation->wants_enter &&
		jump_to_user(&bounds, codeptr_ra, found, &user) == 0) {
		if (walk_from_enter(thread, &user, &bounds, place, is_direct) == 0) {
			creation->enter_frame = found;
			return 0;
		}
		walk_from_here(thread, codeptr_ra, here, &bounds, place, &n);
	}
	creation->is_whole = thread->path.end == WALK_COMPLETE;
	if (n == UINT32_MAX)
		return -1;
	*is_direct = creation->is_whole && place->frames.to_base == to_base &&
		     is_entered(&thread->path, n, codeptr_ra, enter_frame);
	drop_inner(&thread->path, n);
	return 0;
}

int capture_is_doubtful(uint64_t codeptr_ra)
{
	return codeptr_ra == 0 || in_runtime(codeptr_ra);
}

/* Whether a frame of thread->path belongs to the user and to the current task. */
static int has_user(struct thread *thread, const struct path_place *place)
{
	struct frames_marks *marks = &thread->sample.marks;
	uint32_t n = n_candidates(thread, place);

	frames_mark(&thread->path, &place->frames, marks);
	for (uint32_t i = 0; i < marks->n && i < n; i++) {
		if (!frames_is_runtimes(marks, i) && is_user(&thread->path, i, 0))
			return 1;
	}
	return 0;
}

void capture_prepare(void)
{
	if (tool.walker->refresh)
		tool.walker->refresh();
}

/* Captures from the path cache, without a walk. Returns 0, or -1 if the path is not known. */
static int capture_from_cache(struct thread *thread, const struct path_cache_key *key,
	const struct walk_registers *here, struct creation *creation)
{
	struct walk_bounds bounds = { here->reg[WALK_SP], thread->stack.hi };

	if (bounds.lo < thread->stack.lo)
		return -1;
	creation->cached_path = path_cache_find(&thread->paths.cache, key, &bounds);
	if (!creation->cached_path)
		return -1;
	creation->node = creation->cached_path->node;
	creation->base_cfa = key->enter_frame + creation->cached_path->user_cfa;
	creation->is_whole = 1;
	return 0;
}

/* Whether the latest path may serve later creations that look the same on the stack. */
static int is_for_cache(const struct thread *thread, int is_direct)
{
	return is_direct && !thread->sample.marks.is_cut_short && !thread->sample.has_python;
}

static void capture_by_walk(struct thread *thread, struct path_cache_key *key,
	const struct walk_registers *here, struct path_place *place, struct creation *creation)
{
	int is_doubtful = capture_is_doubtful(key->codeptr_ra), is_users = 0, is_direct;

	if (walk_from_user(thread, key->codeptr_ra, key->enter_frame, here, place, creation,
		    &is_direct) == 0) {
		creation->ip = thread->path.frame[0].ip;
		creation->base_cfa = thread->path.frame[0].cfa;
		is_users = is_doubtful && has_user(thread, place);
	}
	creation->is_runtimes = is_doubtful && !is_users;
	if (!creation->base_cfa || creation->is_runtimes)
		return;
	creation->node = path_insert(thread, place);
	thread->record->n_cut_captures += thread->sample.marks.is_cut_short != 0;
	thread->record->n_guessed_captures += (uint64_t)path_is_guessed(thread);
	if (creation->enter_frame)
		key->enter_frame = creation->enter_frame;
	if (creation->node && !is_doubtful && is_for_cache(thread, is_direct))
		creation->cached_path =
			path_cache_keep(&thread->paths.cache, key, &thread->path, creation->node);
}

void capture(struct thread *thread, uint64_t codeptr_ra, const ompt_frame_t *frame,
	const struct walk_registers *here, struct creation *creation)
{
	uint64_t n = thread->record->n_captures++;
	uint64_t begin = capture_weight(n) ? tool_ticks() : 0;
	struct path_place place;
	struct path_cache_key key = {
		.codeptr_ra = codeptr_ra,
		.enter_frame = frame ? (uint64_t)frame->enter_frame.ptr : 0,
		.frames = &place.frames,
	};

	*creation = (struct creation){ .ip = codeptr_ra, .wants_enter = creation->wants_enter };
	path_find_place(thread, frame, &place);
	place.frames.enter_frame = 0;
	key.context = place.context;
	if (capture_from_cache(thread, &key, here, creation) != 0) {
		capture_prepare();
		capture_by_walk(thread, &key, here, &place, creation);
	} else if (begin) {
		capture_prepare();
	}
	if (begin)
		tool_add_ticks(&thread->record->capture_ticks, n, begin, capture_weight(n));
}

uint32_t capture_here(struct thread *thread, uint64_t codeptr_ra)
{
	struct walk_registers here;
	struct path_place place;
	struct creation creation = { 0 };
	struct path_cache_key key = { .frames = &place.frames };
	uint32_t node;
	int is_direct;

	walk_registers_here(&here);
	path_find_place(thread, NULL, &place);
	key.codeptr_ra = capture_is_doubtful(codeptr_ra) ? 0 : codeptr_ra;
	key.enter_frame = place.frames.enter_frame;
	key.context = place.context;
	place.frames.enter_frame = 0;
	if (key.codeptr_ra && capture_from_cache(thread, &key, &here, &creation) == 0)
		return creation.node;
	if (walk_from_user(thread, key.codeptr_ra, key.enter_frame, &here, &place, &creation,
		    &is_direct) != 0)
		return path_root(thread, &place);
	node = path_insert(thread, &place);
	if (node && is_for_cache(thread, is_direct))
		path_cache_keep(&thread->paths.cache, &key, &thread->path, node);
	return node;
}
