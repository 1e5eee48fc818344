/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walker along the chain of frame pointers, for programs that are built, with their libraries,
 * with -fno-omit-frame-pointer. It reads nothing but the stack.
 *
 * Its limits: the first frame may not have set up its own frame pointer yet, or may have given it
 * up. Then the chain begins with the caller's frame pointer, and the caller is missing from the
 * path. Code without frame pointers may hide its callers or end the path. The walker notices
 * neither. A signal handler's frame is not in the chain, so the interrupted function lacks one
 * caller, too.
 */
#include "unwinder/core/walk.h"

/*
 * Steps from the frame whose frame pointer is *fp to its caller, in *ip and *fp. Sets the frame's
 * CFA. Returns -1 to continue, or how the path ends.
 */
static int step(const struct walk_bounds *bounds, uint64_t previous_cfa, uint64_t *ip, uint64_t *fp,
	struct walk_frame *frame)
{
	const uint64_t *saved = (const uint64_t *)(uintptr_t)*fp;

	if (*fp == 0) /* the outermost frame has 0 by the ABI, 3.4.1 */
		return WALK_COMPLETE;
	if (*fp % 8 != 0 || *fp < bounds->lo || *fp >= bounds->hi || bounds->hi - *fp < 16)
		return WALK_OFF_STACK;
	if (*fp + 16 <= previous_cfa)
		return WALK_NO_PROGRESS;
	frame->cfa = *fp + 16;
	*fp = saved[0];
	*ip = arch_code_address(saved[1]);
	return *ip == 0 ? WALK_COMPLETE : -1;
}

static uint32_t walk(const struct walk_registers *start, const struct walk_bounds *bounds,
	uint64_t stop_cfa, struct walk_path *path)
{
	uint64_t ip = start->reg[WALK_IP];
	uint64_t fp = start->known >> WALK_FP & 1 ? start->reg[WALK_FP] : 1;
	/* A frame below the stack pointer is not in use any more. */
	uint64_t cfa = start->reg[WALK_SP];
	uint8_t how = start->is_return ? WALK_CALL : WALK_EXACT;
	int end = -1;

	walk_path_begin(path);
	while (end < 0 && path->n < WALK_MAX_FRAMES) {
		struct walk_frame *frame = &path->frame[path->n++];

		*frame = (struct walk_frame){ .ip = ip, .how = how };
		end = step(bounds, cfa, &ip, &fp, frame);
		cfa = frame->cfa;
		how = WALK_POINTER;
		if (end < 0 && cfa > stop_cfa)
			end = WALK_COMPLETE;
	}
	path->end = end < 0 ? WALK_LIMIT : (uint32_t)end;
	return path->n;
}

const struct walker walker_fp = { .name = "fp", .walk = walk };
