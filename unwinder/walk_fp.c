/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walker along the chain of frame pointers: for programs built with -fno-omit-frame-pointer.
 */
#include "unwinder/walk.h"

static int readable(const struct walk_bounds *bounds, uint64_t at)
{
	return at >= bounds->lo && at < bounds->hi && bounds->hi - at >= 16 && at % 8 == 0;
}

static uint32_t walk(const struct walk_registers *start, const struct walk_bounds *bounds,
	uint64_t stop_cfa, struct walk_path *path)
{
	uint64_t ip = start->reg[WALK_RIP];
	uint64_t fp = start->reg[WALK_RBP];
	uint64_t previous = 0;
	uint32_t how = WALK_EXACT;

	path->n = 0;
	path->end = WALK_LIMIT;
	while (path->n < WALK_MAX_FRAMES) {
		struct walk_frame *frame = &path->frame[path->n++];

		*frame = (struct walk_frame){ .ip = ip, .cfa = 0, .how = how };
		if (!readable(bounds, fp)) {
			path->end = fp == 0 ? WALK_COMPLETE : WALK_OFF_STACK;
			break;
		}
		frame->cfa = fp + 16;
		if (frame->cfa <= previous) {
			path->end = WALK_NO_PROGRESS;
			break;
		}
		previous = frame->cfa;
		ip = ((const uint64_t *)fp)[1];
		fp = ((const uint64_t *)fp)[0];
		how = WALK_POINTER;
		if (ip == 0 || previous > stop_cfa) {
			path->end = WALK_COMPLETE;
			break;
		}
	}
	return path->n;
}

const struct walker walker_fp = { .name = "fp", .walk = walk };
