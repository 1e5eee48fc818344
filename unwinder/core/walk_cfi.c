/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walker by call frame information. For each frame, the rule at its instruction gives the CFA,
 * the return address and the caller's frame pointer. The rule comes from the object's table
 * (table.h), or is interpreted in place. RULE_INTERPRETED needs all registers (walk_step.c). Code
 * without rules is left only by proof (walk_gap.c).
 *
 * The memory. A walk leaves its frames in the path, and the next walk uses them. The state of a
 * walk at a frame is (ip, how, sp, fp), and sp is the CFA of the frame before; for the innermost
 * frame, the entry before it in the store has that CFA. A frame is WALK_FRAME_PLAIN if its step was
 * made by a plain rule. A plain rule uses nothing but that state and at most three words:
 * - the return address, in the word where the architecture puts it,
 * - the caller's frame pointer at cfa + at; at is 0 if it was not saved,
 * - if the function realigned its stack (WALK_FRAME_LOADS_CFA): the CFA at fp + at, and the
 *   caller's frame pointer at fp.
 *
 * Assume that the walk's state equals the state of a remembered plain frame, and that these words
 * still hold what the frame's cfa and the next frame's ip and fp say. Then a step would lead to the
 * state of the next remembered frame, (ip, WALK_CALL, cfa, fp): the rule is the same, because
 * tables never change and an object that can be unloaded was found to be still there
 * (objects_is_here). By induction the remembered frames are the walk's own frames as long as this
 * holds. The cost is a look at one to three words a frame. Two things end the induction:
 * - A word has changed. Then the walk steps from that frame, and may meet later frames again.
 * - A frame is not plain: it is the frame of a signal; or its rule needs another register than sp
 *   and fp (the loader's resolver, prologues that realign); or it was guessed; or it is on another
 *   stack than the thread's own; or its object can be unloaded and has no table.
 * Frames further out than the end of a walk stay remembered if the walk's last frame leads to them
 * or was one of them. After a path that was cut come the frames that may be met again. A frame with
 * WALK_FRAME_HOLE lies between, because nothing leads from the path to them.
 *
 * Remembered frames are at the end of the store, with the outermost frame last, and kept frames
 * stay there. New frames are written some places before them or, if there are many, at the begin of
 * the store, and are later moved to where the kept frames begin.
 */
#include <string.h>

#include "unwinder/core/walk_state.h"

/* No remembered frame helps. Differs from STEP_CONTINUES and every enum walk_end. */
#define KEEP_NONE (-2)

/* Up to this many new frames are moved by a loop, not by memmove. */
#define FEW_FRAMES 8

/* Up to this many new frames are written directly before the remembered frames. */
#define NEAR_FRAMES 64

/* The result of a walk: `n` new frames at `fresh`, then the kept frames [kept, kept_end). */
struct findings {
	struct walk_path *path;
	uint64_t stop_cfa;
	struct walk_frame *fresh;
	uint32_t n, room;
	struct walk_frame *kept, *kept_end; /* NULL: none */
	/* the first remembered frame further out than the path, or NULL */
	struct walk_frame *beyond;
	uint32_t is_same; /* the kept frames have not changed */
};

static struct walk_frame *store_end(struct walk_path *path)
{
	return path->store + WALK_STORE_FRAMES;
}

/*
 * Checks a CFA. It may be on another stack, or on a part of a foreign stack that was not read yet:
 * the state is moved there. Returns 0 or how the path ends.
 */
static int check_cfa(struct walk_state *s, const struct rule *rule, uint64_t cfa)
{
	if (cfa % 8 != 0)
		return WALK_OFF_STACK;
	if (cfa < s->stack.lo || cfa > s->stack.hi) {
		if (!s->is_foreign)
			return WALK_OFF_STACK;
		if (cfa > s->stack.hi && walk_extend_stack(s, cfa))
			return 0;
		/* A function that runs on one piece of a stack can have been called on another
		   piece. */
		return rule->kind == RULE_SP ? WALK_OFF_STACK : walk_enter_stack(s, cfa - 8);
	}
	return cfa < s->previous_cfa + WALK_CALL_BYTES ? WALK_NO_PROGRESS : 0;
}

/* Finds the CFA by a plain rule. Returns 0 or how the path ends. */
static int find_cfa(struct walk_state *s, uint64_t pc, const struct rule *rule, uint64_t *cfa)
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

/* Finds the return address by a plain rule. Returns 0 or how the path ends. */
static int find_return(struct walk_state *s, const struct rule *rule, uint64_t cfa, uint64_t *ra)
{
	const struct walk_registers *known = s->known;

	if (rule->ra != 0)
		return walk_read(s, cfa + (uint64_t)(int64_t)rule->ra, ra);
	if (!WALK_HAS_LINK || s->how != WALK_EXACT || known->reg[WALK_IP] != s->ip ||
		known->reg[WALK_SP] != s->sp || !(known->known >> WALK_LINK & 1))
		return WALK_BAD_CFI;
	*ra = known->reg[WALK_HAS_LINK ? WALK_LINK : 0];
	return 0;
}

/*
 * Whether a frame is plain after this rule was applied to it. Then the words that the rule needed
 * lie where struct walk_frame can describe them, and inside the frame, so that they are readable as
 * long as the frame lives.
 */
static int is_plain(struct walk_state *s, const struct rule *rule, uint64_t cfa)
{
	uint64_t lowest = s->sp - WALK_RED_ZONE_BYTES;
	uint64_t at = cfa + (uint64_t)(int64_t)rule->fp;

	if (!s->is_remembered || s->is_foreign || s->is_fp_lost || cfa <= s->sp ||
		rule->ra != (WALK_HAS_LINK ? rule->fp + 8 : -8))
		return 0;
	if (rule->kind == RULE_LOADED)
		return rule->flags == RULE_FP_AT_FP && rule->fp == 0 && s->fp >= lowest &&
		       s->fp + (uint64_t)(int64_t)rule->cfa >= lowest;
	return !(rule->flags & RULE_FP_AT_FP) && (rule->fp == 0 || at >= lowest);
}

static inline __attribute__((always_inline)) uint8_t by_pointer(const struct rule *rule)
{
	return rule->kind == RULE_FP ? WALK_FRAME_BY_POINTER : 0;
}

/*
 * Steps by a plain rule to the caller's state and fills the rest of *frame. Returns STEP_CONTINUES
 * or how the path ends.
 */
static int plain_step(
	struct walk_state *s, uint64_t pc, const struct rule *rule, struct walk_frame *frame)
{
	uint64_t cfa, ra, fp_at;
	int end = find_cfa(s, pc, rule, &cfa);
	int was_foreign = (int)s->is_foreign;

	if (!end)
		end = check_cfa(s, rule, cfa);
	if (rule->flags & RULE_OUTERMOST) {
		frame->cfa = end ? 0 : cfa;
		if (!end && s->is_remembered && !s->is_foreign && !s->is_fp_lost &&
			rule->kind != RULE_LOADED)
			frame->flags = WALK_FRAME_OUTERMOST | by_pointer(rule);
		return WALK_COMPLETE;
	}
	if (!end)
		end = find_return(s, rule, cfa, &ra);
	if (end)
		return end;
	frame->cfa = cfa;
	if (!was_foreign && is_plain(s, rule, cfa)) {
		frame->flags = WALK_FRAME_PLAIN | by_pointer(rule);
		frame->at = rule->fp;
		if (rule->kind == RULE_LOADED) {
			frame->flags |= WALK_FRAME_LOADS_CFA;
			frame->at = rule->cfa;
		}
	}
	if (s->is_foreign)
		frame->flags |= WALK_FRAME_FOREIGN;
	if (rule->fp != 0 || rule->flags & RULE_FP_AT_FP) {
		fp_at = (rule->flags & RULE_FP_AT_FP ? s->fp : cfa) + (uint64_t)(int64_t)rule->fp;
		s->is_fp_lost = walk_read(s, fp_at, &s->fp) != 0;
		if (s->is_fp_lost)
			frame->flags &= (uint8_t)~WALK_FRAME_PLAIN;
	}
	s->previous_cfa = cfa;
	s->ip = arch_code_address(ra);
	s->sp = cfa;
	s->how = WALK_CALL;
	return STEP_CONTINUES;
}

/*
 * Finds the rule at pc, which is in the state's code. Without a table it is made in *interpreted.
 * Returns 0 or an enum walk_end.
 */
static int find_rule(
	struct walk_state *s, uint64_t pc, const struct rule **rule, struct rule *interpreted)
{
	*rule = interpreted;
	if (!s->table)
		return walk_interpret(s, pc, interpreted);
	*rule = table_find_again(s->table, pc, s->seen);
	return (*rule)->kind == RULE_NONE ? WALK_NO_CFI : 0;
}

/*
 * Whether the state's instruction comes after a call. If so, and the call has no rule, code without
 * rules may have ended with it: then the rule of the state's instruction is another function's.
 */
static int is_after_call(struct walk_state *s)
{
	uint64_t target;

	return walk_call_before(s->code_lo, s->ip, &target) != 0;
}

/*
 * Whether the state's instruction is no return address. A coroutine's first function returns to the
 * first byte of an exit function, which nobody has called: any word may be in the place of its
 * return address.
 */
static int is_not_called(struct walk_state *s)
{
	struct cfi_fde fde;

	return walk_find_fde(s, s->ip - 1, &fde) != 0;
}

/* Whether the rule at the state's instruction may be that of other parts of the function. */
static int may_be_of_other_parts(const struct walk_state *s, const struct rule *rule)
{
	return WALK_HAS_LINK && s->how == WALK_EXACT && !rule->flags &&
	       (rule->kind == RULE_SP || rule->kind == RULE_FP);
}

/*
 * Begins a frame with the walk's state and steps by whatever rule applies. Returns STEP_CONTINUES
 * or how the path ends.
 */
static int add_frame(struct walk_state *s, struct walk_frame *frame)
{
	/* A call that does not return may be the last instruction of its function: look inside the
	   call. */
	uint64_t pc = s->ip - (s->how != WALK_EXACT);
	struct rule interpreted;
	const struct rule *rule;
	int end, is_begin = 0;

	if (pc - s->code_lo >= s->code_bytes)
		walk_select_code(s, pc);
	*frame = (struct walk_frame){
		.ip = s->ip,
		.fp = s->fp,
		.object = (uint16_t)s->object,
		.how = (uint8_t)s->how,
		.flags = s->is_fp_lost ? WALK_FRAME_FP_LOST : 0,
	};
	end = find_rule(s, pc, &rule, &interpreted);
	if (end == WALK_NO_CFI && s->how == WALK_CALL && !is_after_call(s) &&
		find_rule(s, s->ip, &rule, &interpreted) == 0) {
		is_begin = 1;
		pc = s->ip;
		end = 0;
	}
	if (ARCH_LEAVES_SIGNALS &&
		(end == WALK_NO_CFI || end == WALK_UNKNOWN_CODE || rule->flags & RULE_SIGNAL) &&
		walk_signal_step(s, frame, &end))
		return end;
	if (!end && may_be_of_other_parts(s, rule)) {
		interpreted = *rule;
		walk_rule_at_edge(s, &interpreted);
		rule = &interpreted;
	}
	if (!end)
		end = rule->kind == RULE_INTERPRETED ? walk_interpreted_step(s, pc, frame)
						     : plain_step(s, pc, rule, frame);
	else if (s->how == WALK_EXACT && (end == WALK_NO_CFI || end == WALK_UNKNOWN_CODE))
		end = walk_gap_step(s, frame, end);
	if (is_begin)
		frame->flags &= WALK_FRAME_FOREIGN;
	if (end == STEP_CONTINUES && (s->ip == 0 || (is_begin && is_not_called(s))))
		return WALK_COMPLETE;
	return end;
}

static inline __attribute__((always_inline)) int is_stop(
	const struct findings *f, const struct walk_frame *frame)
{
	return frame->cfa > f->stop_cfa && !(frame->flags & WALK_FRAME_FOREIGN);
}

/* Moves the new frames to the begin of the store, where there is more room. */
static void move_to_begin(struct findings *f)
{
	struct walk_frame *begin = f->path->store + 1;

	memmove(begin, f->fresh, f->n * sizeof(*begin));
	f->fresh = begin;
	f->room = WALK_MAX_FRAMES;
}

/* Whether the object of a remembered frame is still there. */
static int is_object_here(struct walk_state *s, const struct walk_frame *frame)
{
	uint64_t pc = frame->ip - (frame->how != WALK_EXACT);

	if (pc - s->code_lo >= s->code_bytes || s->object != frame->object)
		walk_select_code(s, pc);
	return s->table && s->object == frame->object;
}

/* Whether the words that led from a remembered frame to the next frame still lead there. */
static inline __attribute__((always_inline)) int is_unchanged(
	struct walk_state *s, const struct walk_frame *frame)
{
	const char *cfa = (const char *)(uintptr_t)frame->cfa;
	const char *fp = (const char *)(uintptr_t)frame->fp;
	int64_t ra_at = walk_return_at(frame);

	if ((frame->flags & (WALK_FRAME_PLAIN | WALK_FRAME_LOADS_CFA)) == WALK_FRAME_PLAIN) {
		if (frame->cfa > s->stack.hi ||
			arch_code_address(*(const uint64_t *)(cfa + ra_at)) != frame[1].ip ||
			(frame->at && *(const uint64_t *)(cfa + frame->at) != frame[1].fp))
			return 0;
	} else if (!(frame->flags & WALK_FRAME_PLAIN) || frame->cfa > s->stack.hi ||
		   frame->fp > s->stack.hi - 8 ||
		   *(const uint64_t *)(fp + frame->at) != frame->cfa ||
		   *(const uint64_t *)(cfa + ra_at) != frame[1].ip ||
		   *(const uint64_t *)fp != frame[1].fp) {
		return 0;
	}
	return frame->object == 0 || is_object_here(s, frame);
}

/* Appends remembered frames to the new frames. Returns 0 if the path has WALK_MAX_FRAMES then. */
static int copy_frames(
	struct findings *f, const struct walk_frame *from, const struct walk_frame *to)
{
	uint32_t n = (uint32_t)(to - from);

	if (f->n + n >= f->room)
		move_to_begin(f);
	if (n > f->room - f->n)
		n = f->room - f->n;
	memcpy(f->fresh + f->n, from, n * sizeof(*from));
	f->n += n;
	return f->n < WALK_MAX_FRAMES;
}

/* Sets the state to that of a remembered frame to which a verified frame leads. */
static void take_state(struct walk_state *s, const struct walk_frame *frame)
{
	s->previous_cfa = s->sp = frame[-1].cfa;
	s->ip = frame->ip;
	s->fp = frame->fp;
	s->how = frame->how;
	s->is_fp_lost = 0;
}

/*
 * Whether a frame in the state of the last remembered frame certainly ends the path. Then its CFA
 * follows from the state alone, and the frame is the outermost or far enough out. No word has to be
 * read.
 */
static int is_certain_end(
	const struct walk_state *s, const struct findings *f, const struct walk_frame *last)
{
	uint8_t kind =
		last->flags & (WALK_FRAME_PLAIN | WALK_FRAME_LOADS_CFA | WALK_FRAME_OUTERMOST);

	if (last->object != 0 || last->cfa > s->stack.hi)
		return 0;
	return kind == WALK_FRAME_OUTERMOST ||
	       (kind == WALK_FRAME_PLAIN && last->cfa > f->stop_cfa);
}

/*
 * The walk has reached the outermost remembered frame. The result of its step is not remembered, so
 * the step is made again, unless the end is certain. If the step ends the path, all frames are kept
 * in their places.
 */
static int keep_to_last(struct walk_state *s, struct findings *f, struct walk_frame *last)
{
	struct walk_frame again;
	int end;

	if (is_certain_end(s, f, last)) {
		f->kept = s->old;
		f->kept_end = s->old_end;
		f->is_same = 1;
		return WALK_COMPLETE;
	}
	if (last > s->old)
		take_state(s, last);
	end = add_frame(s, &again);
	if (end == STEP_CONTINUES && is_stop(f, &again))
		end = WALK_COMPLETE;
	if (end != STEP_CONTINUES) {
		f->is_same = again.cfa == last->cfa && again.object == last->object &&
			     again.object != WALK_NO_OBJECT && again.how == last->how &&
			     again.flags == last->flags;
		*last = again;
		f->kept = s->old;
		f->kept_end = s->old_end;
		return end;
	}
	if (!copy_frames(f, s->old, last))
		return WALK_LIMIT;
	f->fresh[f->n++] = again;
	s->old = s->old_end;
	return STEP_CONTINUES;
}

/*
 * The walk's state equals that of the remembered frame s->old. Continues along the remembered
 * frames. Returns how the path ends, or STEP_CONTINUES with the state of a frame further out, or
 * KEEP_NONE.
 */
static int keep_frames(struct walk_state *s, struct findings *f)
{
	struct walk_frame *frame = s->old, *last = s->old_end - 1;

	while (frame < last && is_unchanged(s, frame)) {
		if (frame->cfa > f->stop_cfa) {
			f->kept = s->old;
			f->kept_end = f->beyond = frame + 1;
			f->is_same = 1;
			return WALK_COMPLETE;
		}
		frame++;
	}
	if (frame < last && frame == s->old) {
		s->old++;
		return KEEP_NONE;
	}
	if (frame == last)
		return keep_to_last(s, f, frame);
	if (frame > s->old)
		take_state(s, frame);
	if (!copy_frames(f, s->old, frame))
		return WALK_LIMIT;
	s->old = frame + 1;
	return STEP_CONTINUES;
}

/* Skips the remembered frames that are further in than sp. A walk skips each frame once. */
static inline __attribute__((always_inline)) struct walk_frame *pass_old(
	struct walk_state *s, uint64_t sp)
{
	struct walk_frame *old = s->old;

	while (old < s->old_end && (old[-1].cfa < sp || old->flags & WALK_FRAME_FOREIGN))
		old++;
	s->old = old;
	return old;
}

/* Whether a remembered frame has this state and the walk can continue from it. */
static inline __attribute__((always_inline)) int has_state(
	const struct walk_frame *old, uint64_t ip, uint32_t how, uint64_t sp, uint64_t fp)
{
	return old->ip == ip && old->fp == fp && old[-1].cfa == sp && old->how == how &&
	       old->flags & (WALK_FRAME_PLAIN | WALK_FRAME_OUTERMOST);
}

/* Whether the walk's state equals that of a remembered frame. Then s->old is that frame. */
static int is_met(struct walk_state *s)
{
	const struct walk_frame *old;

	if (s->is_foreign)
		return 0;
	old = pass_old(s, s->sp);
	return old < s->old_end && !s->is_fp_lost && has_state(old, s->ip, s->how, s->sp, s->fp);
}

/* How add_simple_frames ended. */
enum simple_end {
	SIMPLE_OTHER, /* before a frame that is not simple, or without room */
	SIMPLE_STOP,  /* after the last frame of the path */
	SIMPLE_MET,   /* with the state of the remembered frame s->old */
};

/*
 * Steps as long as frames are ordinary: on the thread's own stack, in the walk's current object,
 * with a simple rule and a known frame pointer. Does what add_frame does, but faster.
 */
static enum simple_end add_simple_frames(struct walk_state *s, struct findings *f)
{
	const struct table *table = s->table;
	struct walk_recent_rules *seen = s->seen;
	uint64_t ip = s->ip, sp = s->sp, fp = s->fp, hi = s->stack.hi, next_old = 0;
	struct walk_frame *frame = f->fresh + f->n, *end = f->fresh + f->room;
	enum simple_end result = SIMPLE_OTHER;
	uint32_t how = s->how;

	for (; frame < end; frame++) {
		const struct rule *rule;
		uint64_t cfa;

		if (sp >= next_old) {
			const struct walk_frame *old = pass_old(s, sp);

			next_old = UINT64_MAX;
			if (old < s->old_end) {
				next_old = old[-1].cfa > sp ? old[-1].cfa : old->cfa;
				if (has_state(old, ip, how, sp, fp)) {
					result = SIMPLE_MET;
					break;
				}
			}
		}
		rule = table_find_again(table, ip - (how != WALK_EXACT), seen);
		if (!(rule->flags & RULE_SIMPLE))
			break;
		cfa = (rule->kind == RULE_SP ? sp : fp) + (uint64_t)(int64_t)rule->cfa;
		if (cfa - sp - 1 >= hi - sp || cfa % 8 != 0 ||
			(rule->fp && cfa + (uint64_t)(int64_t)rule->fp < sp))
			break;
		*frame = (struct walk_frame){
			.ip = ip,
			.cfa = cfa,
			.fp = fp,
			.at = rule->fp,
			.object = (uint16_t)s->object,
			.how = (uint8_t)how,
			.flags = WALK_FRAME_PLAIN | by_pointer(rule),
		};
		ip = *(const uint64_t *)(uintptr_t)(cfa - 8);
		if (rule->fp)
			fp = *(const uint64_t *)(uintptr_t)(cfa + (uint64_t)(int64_t)rule->fp);
		how = WALK_CALL;
		sp = cfa;
		if (cfa > f->stop_cfa || ip == 0) {
			frame++;
			result = SIMPLE_STOP;
			break;
		}
	}
	f->n = (uint32_t)(frame - f->fresh);
	s->ip = ip;
	s->sp = sp;
	s->fp = fp;
	s->how = how;
	/* The first frame's CFA may lie below sp, in the red zone. Every later CFA is greater. */
	if (how != WALK_EXACT)
		s->previous_cfa = sp;
	return result;
}

/* Calls add_simple_frames if the next frame may be simple. */
static enum simple_end add_ordinary_frames(struct walk_state *s, struct findings *f)
{
	uint64_t pc = s->ip - (s->how != WALK_EXACT);

	if (s->is_foreign || s->is_fp_lost)
		return SIMPLE_OTHER;
	if (pc - s->code_lo >= s->code_bytes)
		walk_select_code(s, pc);
	if (!s->table || !s->is_remembered)
		return SIMPLE_OTHER;
	return add_simple_frames(s, f);
}

/* Adds one frame of any kind. Returns STEP_CONTINUES or how the path ends. */
static __attribute__((noinline)) int add_other_frame(struct walk_state *s, struct findings *f)
{
	struct walk_frame *frame;
	int end;

	if (f->n >= f->room && f->room < WALK_MAX_FRAMES)
		move_to_begin(f);
	if (f->n >= f->room)
		return WALK_LIMIT;
	frame = f->fresh + f->n++;
	end = add_frame(s, frame);
	return end == STEP_CONTINUES && is_stop(f, frame) ? WALK_COMPLETE : end;
}

/* Returns how the path ends. Every round adds at least one frame, or skips a remembered frame. */
static int walk_frames(struct walk_state *s, struct findings *f)
{
	int end = STEP_CONTINUES;

	while (end == STEP_CONTINUES) {
		enum simple_end simple = add_ordinary_frames(s, f);

		if (simple == SIMPLE_STOP) {
			end = WALK_COMPLETE;
			break;
		}
		end = KEEP_NONE;
		if (simple == SIMPLE_MET || is_met(s)) {
			end = keep_frames(s, f);
			if (f->kept)
				return end;
		}
		if (end == KEEP_NONE)
			end = add_other_frame(s, f);
	}
	/* The frame to which the last frame leads may be remembered. */
	if (end == WALK_COMPLETE && f->fresh[f->n - 1].cfa > f->stop_cfa && is_met(s))
		f->beyond = s->old;
	return end;
}

/*
 * A path that was cut does not contradict frames further out, but it does not lead to them either.
 * A frame between them represents the hole. Returns where the remembered frames begin, including
 * the hole.
 */
static struct walk_frame *make_hole(struct walk_state *s, struct findings *f)
{
	struct walk_frame *hole = s->old - 1;

	if (s->old == s->old_end || f->n + (uint32_t)(s->old_end - s->old) + 1 > WALK_MAX_FRAMES)
		return s->old_end;
	*hole = (struct walk_frame){
		.cfa = hole->cfa,
		.flags = WALK_FRAME_HOLE,
		.at = (int32_t)(s->old - s->old_begin),
	};
	return hole;
}

/* Moves the new frames to where the kept frames begin, and describes the result in the path. */
static void finish(
	struct walk_state *s, struct findings *f, const struct walk_registers *start, int end)
{
	struct walk_path *path = f->path;
	struct walk_frame *last = store_end(path);
	struct walk_frame *to = f->kept ? f->kept : f->beyond ? f->beyond : last;
	uint32_t n_kept = f->kept ? (uint32_t)(f->kept_end - f->kept) : 0;
	uint32_t n_beyond;

	if (to == last && end != WALK_COMPLETE && end != WALK_LIMIT)
		to = make_hole(s, f);
	n_beyond = (uint32_t)(last - to) - n_kept;
	path->n = f->n + n_kept;
	path->n_kept = f->is_same ? n_kept : 0;
	path->n_beyond = n_beyond;
	if (path->n + n_beyond > WALK_MAX_FRAMES) {
		/* No frame further out is remembered, and the path ends early if it is too long. */
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
	if (f->n > FEW_FRAMES)
		memmove(path->frame, f->fresh, f->n * sizeof(*last));
	for (uint32_t i = f->n <= FEW_FRAMES ? f->n : 0; i > 0; i--) /* further out in the store */
		path->frame[i - 1] = f->fresh[i - 1];
	path->frame[-1].cfa = start->reg[WALK_SP];
	path->n_guessed = s->n_guessed;
	path->end = (uint32_t)end;
}

static void begin(struct walk_state *s, struct findings *f, const struct walk_registers *start,
	const struct walk_bounds *bounds)
{
	struct walk_path *path = f->path;

	s->ip = start->reg[WALK_IP];
	s->sp = start->reg[WALK_SP];
	s->fp = start->reg[WALK_FP];
	s->how = start->is_return ? WALK_CALL : WALK_EXACT;
	s->is_fp_lost = !(start->known >> WALK_FP & 1);
	s->own = bounds;
	s->own_cfa = 0;
	s->previous_cfa = 0;
	s->is_foreign = 1;
	s->n_probes = 0;
	s->code_lo = 0;
	s->code_bytes = 0;
	s->table = NULL;
	s->known = start;
	s->n_guessed = 0;
	s->image_lo = 0;
	s->copy.hdr = 0;
	s->copy.fde.end = 0;
	s->old_end = store_end(path);
	s->old = path->frame;
	/* Another walker has filled the path, or no walker has. */
	if (!path->frame || path->frame + path->n + path->n_beyond != s->old_end)
		s->old = s->old_end;
	s->old_begin = s->old;
	f->fresh = s->old - 2 - NEAR_FRAMES;
	f->room = NEAR_FRAMES;
}

static uint32_t walk_with(const struct objects *objects, uint32_t is_direct,
	const struct walk_registers *start, const struct walk_bounds *bounds, uint64_t stop_cfa,
	struct walk_path *path)
{
	struct findings f = { .path = path, .stop_cfa = stop_cfa };
	struct walk_state s;
	int end;

	begin(&s, &f, start, bounds);
	s.objects = objects;
	s.seen = &path->seen;
	s.is_direct = is_direct;
	end = walk_enter_stack(&s, s.sp);
	if (end) {
		f.fresh[f.n++] = (struct walk_frame){ .ip = s.ip, .how = (uint8_t)s.how };
		s.old = s.old_end;
	} else {
		end = walk_frames(&s, &f);
	}
	finish(&s, &f, start, end);
	return path->n;
}

uint32_t walk_cfi(const struct walk_registers *start, const struct walk_bounds *bounds,
	uint64_t stop_cfa, struct walk_path *path)
{
	unsigned int counter;
	const struct objects *objects = objects_enter(&path->place, &counter);
	uint32_t n;

	if (objects && path->seen.serial != objects->serial) {
		memset(&path->seen, 0, sizeof(path->seen));
		path->seen.serial = objects->serial;
	}
	n = walk_with(objects, 0, start, bounds, stop_cfa, path);

	objects_leave(counter);
	return n;
}

static uint32_t walk_in_place(const struct walk_registers *start, const struct walk_bounds *bounds,
	uint64_t stop_cfa, struct walk_path *path)
{
	walk_path_begin(path);
	return walk_with(NULL, 1, start, bounds, stop_cfa, path);
}

const struct walker walker_cfi_in_place = { .name = "cfi-in-place", .walk = walk_in_place };
