/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walker by call frame information. For each frame the rule that holds at its instruction, from the
 * object's table (table.h) or else interpreted in place, gives the CFA, the return address and the
 * caller's frame pointer; odd rules are interpreted with all registers (walk_step.c), and code without
 * any is left only by proof (walk_gap.c).
 *
 * The memory. A walk leaves its frames in the path, and the next one uses them as follows. The state of
 * a walk at a frame is (ip, how, sp, fp). A frame is WALK_FRAME_PLAIN if its step was made by a plain
 * rule, which uses nothing but that state, the rule at ip, and at most three words of the stack: the
 * return address at cfa + ra_at, the caller's frame pointer at cfa + fp_at (where it was saved at all)
 * and, in a function that realigned its stack, the CFA at fp + cfa_at. So:
 *
 *   If the state of the walk is that of a remembered plain frame, the rule at its ip is still the same,
 *   and these words still hold what they held, that is, what the frame's cfa and the next frame's ip and
 *   fp say, then a step would lead to the next remembered frame's state, (ip, WALK_CALL, cfa, fp).
 *
 * By induction the remembered frames are the walk's own for as long as this holds, at the cost of a look
 * at one to three words a frame. The rule is the same as tables never change, and as an object that can
 * be unloaded has been found to be still there (objects_is_here). What ends it is
 * - a word that has changed: the frame there is stepped, and later frames can be met again,
 * - a frame that is not plain: one of a signal, one whose rule needs another register than sp and fp
 *   (the loader's resolver, prologues that realign), one that was guessed, or on a stack other than the
 *   thread's own, or in an object without a table.
 * Frames further out than where a walk stops are remembered on: the last frame's step leads to them as
 * before, or they are met again by their state only.
 *
 * Where the frames lie: new ones are written to the first half of the store and moved to where the kept
 * ones begin; kept ones stay. The outermost remembered frame is the last of the store.
 */
#include "unwinder/walk_cfi.h"

#include <string.h>

#include "unwinder/walk_state.h"

/* How the loop goes on after the memory has been asked. Apart from enum walk_end. */
#define KEEP_NONE (-2)

/* What a walk has found: `n` new frames in the store, then the kept ones [kept, kept_end). */
struct findings {
	struct walk_path *path;
	uint64_t stop_cfa;
	uint32_t n;
	struct walk_frame *kept, *kept_end; /* NULL: none */
	uint32_t is_same;                   /* kept frames are as they were */
	struct walk_frame *beyond;          /* the first remembered frame further out */
};

static struct walk_frame *store_end(struct walk_path *path)
{
	return path->store + 2 * WALK_MAX_FRAMES;
}

/* Takes a CFA if it is right. Returns 0 or how the path ends. */
static inline __attribute__((always_inline)) int check_cfa(struct walk_state *s, uint64_t cfa)
{
	if (cfa % 8 != 0 || cfa < s->lo || cfa > s->hi) {
		if (!s->is_foreign || cfa % 8 != 0 || cfa < s->lo || !walk_extend_stack(s, cfa))
			return WALK_OFF_STACK;
	}
	if (cfa <= s->previous_cfa)
		return WALK_NO_PROGRESS;
	return 0;
}

/* The CFA by a plain rule. Returns 0 or how the path ends. */
static inline __attribute__((always_inline)) int find_cfa(
	struct walk_state *s, uint64_t pc, const struct rule *rule, uint64_t *cfa)
{
	uint64_t offset = (uint64_t)(int64_t)rule->cfa;

	if (rule->kind == RULE_SP) {
		*cfa = s->sp + offset;
		return 0;
	}
	if (rule->kind == RULE_STUB) {
		*cfa = s->sp + offset + ((pc & 15) >= rule->stub ? 8 : 0);
		return 0;
	}
	if (s->is_fp_lost)
		return WALK_BAD_CFI;
	*cfa = s->fp + offset;
	return rule->kind == RULE_LOADED ? walk_read(s, *cfa, cfa) : 0;
}

/* Whether a word is where the frame may keep something, so that it can be read as long as the frame
   lives. */
static inline __attribute__((always_inline)) int is_above(
	const struct walk_frame *frame, uint64_t at)
{
	return at >= frame->sp - WALK_RED_ZONE_BYTES;
}

/* The caller's frame pointer by a plain rule. Sets frame->fp_at; clears its PLAIN if that cannot. */
static inline __attribute__((always_inline)) void restore_fp(
	struct walk_state *s, const struct rule *rule, uint64_t cfa, struct walk_frame *frame)
{
	uint64_t at;

	if (rule->fp == 0 && !(rule->flags & RULE_FP_AT_FP))
		return;
	at = (rule->flags & RULE_FP_AT_FP ? s->fp : cfa) + (uint64_t)(int64_t)rule->fp;
	frame->fp_at = (int32_t)(at - cfa);
	if (at == cfa || (uint64_t)(int64_t)frame->fp_at != at - cfa || !is_above(frame, at))
		frame->flags &= (uint8_t)~WALK_FRAME_PLAIN;
	s->is_fp_lost = walk_read(s, at, &s->fp) != 0;
	if (s->is_fp_lost)
		frame->flags &= (uint8_t)~WALK_FRAME_PLAIN;
}

/*
 * Steps by a rule that is plain: the state becomes that of the caller. Returns STEP_ON or how the path
 * ends. `frame` has been begun.
 */
static inline __attribute__((always_inline)) int plain_step(
	struct walk_state *s, uint64_t pc, const struct rule *rule, struct walk_frame *frame)
{
	uint64_t cfa, ra;
	int end = find_cfa(s, pc, rule, &cfa);

	if (!end)
		end = check_cfa(s, cfa);
	if (end)
		return rule->flags & RULE_OUTERMOST ? WALK_COMPLETE : end;
	frame->cfa = cfa;
	if (rule->flags & RULE_OUTERMOST)
		return WALK_COMPLETE;
	if (WALK_LINK != WALK_NO_REGISTER && rule->ra == 0) {
		if (frame->how != WALK_EXACT || s->full.reg[WALK_IP] != s->ip)
			return WALK_BAD_CFI;
		ra = s->full.reg[WALK_LINK != WALK_NO_REGISTER ? WALK_LINK : 0];
	} else if (walk_read(s, cfa + (uint64_t)(int64_t)rule->ra, &ra) != 0) {
		frame->cfa = 0;
		return WALK_OFF_STACK;
	}
	frame->ra_at = rule->ra;
	frame->cfa_at = rule->cfa;
	if (s->is_remembered && !s->is_foreign && !frame->flags && rule->ra != 0 &&
		is_above(frame, cfa + (uint64_t)(int64_t)rule->ra))
		frame->flags = rule->kind == RULE_LOADED ? WALK_FRAME_PLAIN | WALK_FRAME_LOADS_CFA
							 : WALK_FRAME_PLAIN;
	restore_fp(s, rule, cfa, frame);
	if (s->is_foreign)
		frame->flags |= WALK_FRAME_FOREIGN;
	s->previous_cfa = cfa;
	s->ip = arch_code_address(ra);
	s->sp = cfa;
	s->how = WALK_CALL;
	return STEP_ON;
}

/* Any step. */
static int step(struct walk_state *s, uint64_t pc, struct walk_frame *frame)
{
	const struct rule *rule;
	struct rule interpreted;
	struct cfi_row row;
	int end = 0;

	if (s->table) {
		rule = table_find(s->table, pc);
	} else {
		rule = &interpreted;
		end = walk_interpret(s, pc, &interpreted, &row);
	}
	if (!end && rule->kind == RULE_NONE)
		end = WALK_NO_CFI;
	if (!end && rule->kind != RULE_ODD)
		return plain_step(s, pc, rule, frame);
	frame->flags = 0;
	if (!end)
		end = walk_odd_step(s, pc, frame);
	else if (frame->how == WALK_EXACT && (end == WALK_NO_CFI || end == WALK_UNKNOWN_CODE))
		end = walk_gap_step(s, frame, end);
	return end;
}

/* Begins a frame with the walk's state and steps. Returns STEP_ON or how the path ends. */
static inline __attribute__((always_inline)) int add_frame(
	struct walk_state *s, struct walk_frame *frame)
{
	/* A call that does not return may be the last of its function: look inside the call. */
	uint64_t pc = s->ip - (s->how != WALK_EXACT);
	const struct rule *rule;
	int end;

	if (pc - s->code_lo >= s->code_bytes)
		walk_select_code(s, pc);
	*frame = (struct walk_frame){
		.ip = s->ip,
		.sp = s->sp,
		.fp = s->fp,
		.object = s->object,
		.how = s->how,
		.flags = s->is_fp_lost ? WALK_FRAME_FP_LOST : 0,
	};
	rule = s->table ? table_find(s->table, pc) : NULL;
	if (rule && rule->kind - 1u < RULE_ODD - 1u) /* nearly all */
		end = plain_step(s, pc, rule, frame);
	else
		end = step(s, pc, frame);
	if (end == STEP_ON && s->ip == 0)
		return WALK_COMPLETE;
	return end;
}

static inline __attribute__((always_inline)) int is_stop(
	const struct findings *f, const struct walk_frame *frame)
{
	return frame->cfa > f->stop_cfa && !(frame->flags & WALK_FRAME_FOREIGN);
}

/* Whether the object that a remembered frame was in is still there. */
static int is_object_here(struct walk_state *s, const struct walk_frame *frame)
{
	uint64_t pc = frame->ip - (frame->how != WALK_EXACT);

	if (pc - s->code_lo >= s->code_bytes || s->object != frame->object)
		walk_select_code(s, pc);
	return s->table && s->object == frame->object;
}

/* Whether the words that led from a remembered frame to the next still lead there. */
static inline __attribute__((always_inline)) int is_unchanged(
	struct walk_state *s, const struct walk_frame *frame)
{
	const uint64_t *ra =
		(const uint64_t *)(uintptr_t)(frame->cfa + (uint64_t)(int64_t)frame->ra_at);
	const uint64_t *fp =
		(const uint64_t *)(uintptr_t)(frame->cfa + (uint64_t)(int64_t)frame->fp_at);

	if (!(frame->flags & WALK_FRAME_PLAIN) || frame->cfa > s->hi)
		return 0;
	if (arch_code_address(*ra) != frame[1].ip || (frame->fp_at && *fp != frame[1].fp))
		return 0;
	if (frame->flags & WALK_FRAME_LOADS_CFA &&
		*(const uint64_t *)(uintptr_t)(frame->fp + (uint64_t)(int64_t)frame->cfa_at) !=
			frame->cfa)
		return 0;
	return frame->object == 0 || is_object_here(s, frame);
}

/* Copies remembered frames behind the new ones, as far as there is room. Returns 0 if there was not. */
static int copy_frames(
	struct findings *f, const struct walk_frame *from, const struct walk_frame *to)
{
	uint32_t n = (uint32_t)(to - from);
	uint32_t room = WALK_MAX_FRAMES - f->n;

	if (n > room)
		n = room;
	memcpy(&f->path->store[f->n], from, n * sizeof(*from));
	f->n += n;
	return f->n < WALK_MAX_FRAMES;
}

/* Makes the state that of a remembered frame, whose caller's side is not verified. */
static void take_state(struct walk_state *s, const struct walk_frame *frame)
{
	s->previous_cfa = frame->sp;
	s->ip = frame->ip;
	s->sp = frame->sp;
	s->fp = frame->fp;
	s->how = frame->how;
	s->is_fp_lost = (frame->flags & WALK_FRAME_FP_LOST) != 0;
}

/*
 * The outermost remembered frame has been reached. Its own step was not remembered: it is made, and if it
 * ends the path all is kept where it is.
 */
static int keep_to_last(struct walk_state *s, struct findings *f, struct walk_frame *last)
{
	struct walk_frame again;
	int end = add_frame(s, &again);

	if (end == STEP_ON && is_stop(f, &again))
		end = WALK_COMPLETE;
	if (end == STEP_ON) {
		if (!copy_frames(f, s->old, last))
			return WALK_LIMIT;
		f->path->store[f->n++] = again;
		s->old = s->old_end;
		return f->n < WALK_MAX_FRAMES ? STEP_ON : WALK_LIMIT;
	}
	f->is_same = again.cfa == last->cfa;
	*last = again;
	f->kept = s->old;
	f->kept_end = s->old_end;
	return end;
}

/*
 * The walk's state is that of the remembered frame s->old: goes on along the remembered frames. Returns
 * how the path ends, STEP_ON with the state at another frame, or KEEP_NONE with nothing changed but that
 * s->old is left behind.
 */
static int keep_frames(struct walk_state *s, struct findings *f)
{
	struct walk_frame *frame = s->old, *last = s->old_end - 1;

	while (frame < last && is_unchanged(s, frame)) {
		if (is_stop(f, frame)) {
			f->kept = s->old;
			f->kept_end = f->beyond = frame + 1;
			f->is_same = 1;
			return WALK_COMPLETE;
		}
		frame++;
	}
	if (frame == s->old && frame < last) {
		s->old++;
		return KEEP_NONE;
	}
	if (frame > s->old)
		take_state(s, frame);
	if (frame == last)
		return keep_to_last(s, f, frame);
	if (!copy_frames(f, s->old, frame))
		return WALK_LIMIT;
	s->old = frame + 1;
	return STEP_ON;
}

/* Whether the walk's state is that of a remembered frame, which is s->old then. */
static inline __attribute__((always_inline)) int is_met(struct walk_state *s)
{
	struct walk_frame *old = s->old;

	if (s->is_foreign)
		return 0;
	while (old < s->old_end && old->sp < s->sp) /* each is left behind once in a walk */
		old++;
	s->old = old;
	return old < s->old_end && old->sp == s->sp && old->ip == s->ip && old->fp == s->fp &&
	       old->how == s->how && old->flags & WALK_FRAME_PLAIN && !s->is_fp_lost;
}

static int walk_frames(struct walk_state *s, struct findings *f)
{
	int end = STEP_ON;

	while (f->n < WALK_MAX_FRAMES) {
		struct walk_frame *frame;

		if (is_met(s)) {
			end = keep_frames(s, f);
			if (end >= 0)
				return end;
			if (end == STEP_ON)
				continue;
		}
		frame = &f->path->store[f->n++];
		end = add_frame(s, frame);
		if (end != STEP_ON)
			return end;
		if (is_stop(f, frame)) {
			/* What it leads to may be remembered. */
			f->beyond = is_met(s) ? s->old : store_end(f->path);
			return WALK_COMPLETE;
		}
	}
	return WALK_LIMIT;
}

/* Moves the new frames to where the kept ones begin, and says what there is. */
static void finish(struct walk_state *s, struct findings *f, int end)
{
	struct walk_path *path = f->path;
	struct walk_frame *last = store_end(path);
	struct walk_frame *to = f->kept ? f->kept : f->beyond;
	uint32_t n_kept = f->kept ? (uint32_t)(f->kept_end - f->kept) : 0;

	/* A path that was cut says nothing against the frames further out; it does not lead to them. */
	if (!to)
		to = end == WALK_COMPLETE || end == WALK_LIMIT ? last : s->old;
	path->n = f->n + n_kept;
	path->n_beyond = (uint32_t)(last - to) - n_kept;
	path->n_kept = f->is_same ? n_kept : 0;
	if (path->n + path->n_beyond > WALK_MAX_FRAMES) {
		/* Only the path is remembered, and of that only as much as there is room for. */
		if (path->n > WALK_MAX_FRAMES) {
			n_kept -= path->n - WALK_MAX_FRAMES;
			path->n = WALK_MAX_FRAMES;
			end = WALK_LIMIT;
		}
		if (n_kept)
			memmove(last - n_kept, f->kept, n_kept * sizeof(*last));
		to = last - n_kept;
		path->n_beyond = 0;
		path->n_kept = 0;
	}
	path->frame = to - f->n;
	memmove(path->frame, path->store, f->n * sizeof(*last));
	path->n_guessed = s->n_guessed;
	path->end = (uint32_t)end;
}

static void begin(struct walk_state *s, const struct walk_registers *start,
	const struct walk_bounds *bounds, struct walk_path *path)
{
	s->ip = start->reg[WALK_IP];
	s->sp = start->reg[WALK_SP];
	s->fp = start->reg[WALK_FP];
	s->how = start->is_return ? WALK_CALL : WALK_EXACT;
	s->is_fp_lost = !(start->known >> WALK_FP & 1);
	s->own = bounds;
	s->n_probes = 0;
	s->code_lo = 0;
	s->code_bytes = 0;
	s->full = *start;
	s->n_guessed = 0;
	s->image_lo = 0;
	s->old_end = store_end(path);
	s->old = path->frame;
	/* Another walker, or nobody, has filled it. */
	if (!path->frame || path->frame + path->n + path->n_beyond != s->old_end)
		s->old = s->old_end;
	s->old_begin = s->old;
}

static uint32_t walk_with(const struct objects *objects, const struct walk_registers *start,
	const struct walk_bounds *bounds, uint64_t stop_cfa, struct walk_path *path)
{
	struct findings f = { .path = path, .stop_cfa = stop_cfa };
	struct walk_state s;
	int end;

	begin(&s, start, bounds, path);
	s.objects = objects;
	end = walk_enter_stack(&s, s.sp);
	if (end) {
		path->store[f.n++] = (struct walk_frame){ .ip = s.ip, .how = s.how };
		s.old = s.old_end;
	} else {
		end = walk_frames(&s, &f);
	}
	finish(&s, &f, end);
	return path->n;
}

uint32_t walk_cfi(const struct walk_registers *start, const struct walk_bounds *bounds,
	uint64_t stop_cfa, struct walk_path *path)
{
	unsigned int counter;
	const struct objects *objects = objects_enter(&counter);
	uint32_t n = walk_with(objects, start, bounds, stop_cfa, path);

	objects_leave(counter);
	return n;
}

static uint32_t walk_in_place(const struct walk_registers *start, const struct walk_bounds *bounds,
	uint64_t stop_cfa, struct walk_path *path)
{
	walk_path_begin(path);
	return walk_with(NULL, start, bounds, stop_cfa, path);
}

const struct walker walker_cfi_in_place = { .name = "cfi-in-place", .walk = walk_in_place };
