/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walker by call frame information, read in place: the loader says which object holds an address
 * (_dl_find_object: no lock, no allocation, glibc 2.35), cfi.h says what its .eh_frame means.
 * Nothing is prepared or kept between walks.
 *
 * Code without call frame information ends the path, with one exception: in the first frame a
 * frame pointer is tried, if it leads to a proven return address. The stack is never searched.
 */
#include "unwinder/walk.h"

#include "unwinder/cfi.h"

#include <dlfcn.h>

/* Bytes below the stack pointer that code may use: System V ABI, 3.2.2. */
#define RED_ZONE_BYTES 128

/* step() goes on. Apart from enum walk_end. */
#define STEP_ON (-1)

struct walk_state {
	struct walk_registers registers; /* of the current frame */
	struct walk_bounds bounds;
	uint64_t previous_cfa;
	uint32_t n_guessed;
	uintptr_t object_lo; /* the object that `image` is of */
	uintptr_t object_hi;
	int object_end; /* 0, or the enum walk_end of a pc in this object */
	struct cfi_image image;
};

/* Makes s->image that of the object at pc. Returns 0 or an enum walk_end. */
static int find_object(struct walk_state *s, uint64_t pc)
{
	struct dl_find_object found;

	if (pc >= s->object_lo && pc < s->object_hi)
		return s->object_end;
	if (_dl_find_object((void *)(uintptr_t)pc, &found) != 0)
		return WALK_UNKNOWN_CODE;
	s->object_lo = (uintptr_t)found.dlfo_map_start;
	s->object_hi = (uintptr_t)found.dlfo_map_end;
	s->object_end = WALK_NO_CFI;
	if (found.dlfo_eh_frame)
		s->object_end = cfi_image_init(&s->image, found.dlfo_map_start,
			s->object_hi - s->object_lo, s->object_lo, (uintptr_t)found.dlfo_eh_frame);
	return s->object_end;
}

/*
 * Whether a call instruction ends at `at`, by the bytes from `begin` on: a near call, direct
 * (E8) or through a register or memory (FF /2), Intel SDM volume 2, CALL.
 */
static int follows_call(const uint8_t *begin, const uint8_t *at)
{
	/* Length of FF /2 by its mod and rm fields; rm 4 has a SIB byte, mod 0 rm 5 is rip + disp. */
	for (int length = 2; length <= 7 && at - begin >= length; length++) {
		const uint8_t *call = at - length;
		unsigned int mod = call[1] >> 6, rm = call[1] & 7;
		int expected = 2 + (mod != 3 && rm == 4) +
			       (mod == 1          ? 1
				       : mod == 2 ? 4
						  : 0) +
			       (mod == 0 && rm == 5 ? 4 : 0);

		if (length == 5 && call[0] == 0xe8)
			return 1;
		if (call[0] == 0xff && (call[1] >> 3 & 7) == 2 && expected == length)
			return 1;
	}
	return 0;
}

/* Whether `ip` follows a call inside a function that has call frame information. */
static int is_proven_return(struct walk_state *s, uint64_t ip)
{
	struct cfi_fde fde;
	const uint8_t *base;

	if (find_object(s, ip - 1) != 0 || cfi_find(&s->image, ip - 1, &fde) != 0)
		return 0;
	base = s->image.data - s->image.address;
	return fde.begin >= s->object_lo && ip <= s->object_hi &&
	       follows_call(base + fde.begin, base + ip);
}

/* Leaves code without CFI by its frame pointer. Returns STEP_ON, or `end` if that is not proven. */
static int guess_step(struct walk_state *s, struct walk_frame *frame, int end)
{
	uint64_t fp = s->registers.reg[WALK_RBP];
	uint64_t saved_fp, ip;

	if (!(s->registers.known >> WALK_RBP & 1) || fp < s->registers.reg[WALK_RSP])
		return end;
	if (cfi_read_stack(&s->bounds, fp, &saved_fp) != 0 ||
		cfi_read_stack(&s->bounds, fp + 8, &ip) != 0 || !is_proven_return(s, ip))
		return end;
	frame->cfa = fp + 16;
	s->registers.reg[WALK_RIP] = ip;
	s->registers.reg[WALK_RSP] = fp + 16;
	s->registers.reg[WALK_RBP] = saved_fp;
	s->registers.known = 1u << WALK_RIP | 1u << WALK_RSP | 1u << WALK_RBP;
	return STEP_ON;
}

/*
 * From the current frame to its caller: sets frame->cfa and the registers. Returns STEP_ON or how
 * the path ends.
 */
static int step(struct walk_state *s, struct walk_frame *frame, int *is_signal)
{
	/* A call that does not return may be the last of its function: look inside the call. */
	uint64_t pc = frame->how == WALK_EXACT ? frame->ip : frame->ip - 1;
	struct cfi_fde fde;
	struct cfi_row row;
	int is_outermost, end;

	*is_signal = 0;
	end = find_object(s, pc);
	if (!end)
		end = cfi_find(&s->image, pc, &fde);
	if (end)
		return end;
	end = cfi_row_at(&s->image, &fde, pc, &row);
	if (!end)
		end = cfi_step(
			&s->image, &row, &s->bounds, &s->registers, &frame->cfa, &is_outermost);
	if (end)
		return end;
	*is_signal = s->image.cie.is_signal;
	return is_outermost ? WALK_COMPLETE : STEP_ON;
}

/* Takes a frame's CFA if it is right. Returns 0 or how the path ends. */
static int accept_cfa(struct walk_state *s, struct walk_frame *frame)
{
	uint64_t cfa = frame->cfa;
	int end = 0;

	if (cfa % 8 != 0 || cfa < s->bounds.lo || cfa > s->bounds.hi)
		end = WALK_OFF_STACK;
	else if (cfa <= s->previous_cfa)
		end = WALK_NO_PROGRESS;
	if (end)
		frame->cfa = 0;
	else
		s->previous_cfa = cfa;
	return end;
}

static void state_init(
	struct walk_state *s, const struct walk_registers *start, const struct walk_bounds *bounds)
{
	uintptr_t lowest = (start->reg[WALK_RSP] - RED_ZONE_BYTES) & ~(uintptr_t)7;

	s->registers = *start;
	s->bounds = *bounds;
	/* Below that no frame keeps anything, and the pages may never have been touched. */
	if (lowest > s->bounds.lo)
		s->bounds.lo = lowest;
	s->previous_cfa = 0;
	s->n_guessed = 0;
	s->object_lo = 0;
	s->object_hi = 0;
}

/* One frame: fills it and moves on. Returns STEP_ON or how the path ends. */
static int add_frame(struct walk_state *s, struct walk_frame *frame, uint8_t *how, int is_first)
{
	int is_signal = 0, wrong;
	int end;

	*frame = (struct walk_frame){ .ip = s->registers.reg[WALK_RIP], .how = *how };
	end = step(s, frame, &is_signal);
	*how = is_signal ? WALK_EXACT : WALK_CALL;
	if (is_first && (end == WALK_NO_CFI || end == WALK_UNKNOWN_CODE)) {
		end = guess_step(s, frame, end);
		*how = WALK_GUESS;
		s->n_guessed += end == STEP_ON;
	}
	if (end != STEP_ON && end != WALK_COMPLETE) {
		frame->cfa = 0;
		return end;
	}
	wrong = accept_cfa(s, frame);
	if (end == WALK_COMPLETE)
		return WALK_COMPLETE;
	if (wrong)
		return wrong;
	return s->registers.reg[WALK_RIP] == 0 ? WALK_COMPLETE : STEP_ON;
}

static uint32_t walk(const struct walk_registers *start, const struct walk_bounds *bounds,
	uint64_t stop_cfa, struct walk_path *path)
{
	struct walk_state s;
	uint8_t how = start->is_return ? WALK_CALL : WALK_EXACT;
	int end = STEP_ON;

	walk_path_begin(path);
	state_init(&s, start, bounds);
	while (end == STEP_ON && path->n < WALK_MAX_FRAMES) {
		end = add_frame(&s, &path->frame[path->n], &how, path->n == 0);
		if (end == STEP_ON && path->frame[path->n].cfa > stop_cfa)
			end = WALK_COMPLETE;
		path->n++;
	}
	path->n_guessed = s.n_guessed;
	path->end = end == STEP_ON ? WALK_LIMIT : (uint32_t)end;
	return path->n;
}

const struct walker walker_cfi = { .name = "cfi", .walk = walk };
