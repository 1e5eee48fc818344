/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Out of code without call frame information: hand-written kernels, code made at run time. Only in a
 * frame that was interrupted there, never between calls, and only by one of these proofs that some word
 * is its return address, tried in this order:
 *
 *  1. The word at the stack pointer is the address after a direct call, from code that has call frame
 *     information, to this piece of code: the function has not moved its stack pointer.
 *  2. The same for the word above the one that the frame pointer points to.
 *  3. The innermost frame of the path before, or its caller, is still on the stack, and says where its
 *     function's calls leave their return address: below the stack pointer that the frame had. The word
 *     there is the address after a call in the same function, which is not a direct one to elsewhere,
 *     and the rule there gives the same CFA as the frame had. Of frames further out this would prove
 *     less: they call this code through others.
 *  4. As 2, after a call that is not direct, if the code before this instruction sets up a frame pointer.
 *
 * The caller's frame is marked as guessed in any case. The stack is not searched: each proof looks at
 * one word, the third at one for each of a few frames.
 */
#include "unwinder/walk_state.h"

/* Frames of the path before, from the innermost, that the third proof tries. */
#define MAX_TRIED     2
#define MAX_LOOKED_AT 6

/* Bytes of a call, or more. */
#define LONGEST_CALL 16

/* Bytes of code before the instruction in which the fourth looks for a prologue. */
#define MAX_PROLOGUE_DISTANCE 4096

/* What leads out of the gap. */
struct way {
	uint64_t ra;
	uint64_t sp; /* the caller's, and so the frame's CFA */
	uint64_t fp;
};

/* The gap in the code that pc is in, [*lo, *hi); as far as is known. Returns 0 if it is in none. */
static int find_gap(struct walk_state *s, uint64_t pc, uint64_t *lo, uint64_t *hi)
{
	if (pc - s->code_lo >= s->code_bytes)
		walk_select_code(s, pc);
	if (!s->table)
		return 0;
	if (!table_gap(s->table, pc, lo, hi))
		return 0;
	if (*lo < s->code_lo)
		*lo = s->code_lo;
	return 1;
}

/* Where a direct call of `target` leads to: through the PLT to the function itself. */
static uint64_t resolve(struct walk_state *s, uint64_t target)
{
	uint64_t slot, lo, bytes;

	if (target - s->code_lo >= s->code_bytes)
		walk_select_code(s, target);
	lo = s->code_lo;
	bytes = s->code_bytes;
	/* Only code that has a rule is looked at: it is there. */
	if (!s->table || table_find(s->table, target)->kind == RULE_NONE)
		return target;
	slot = arch_stub_slot((const uint8_t *)(uintptr_t)target, target);
	if (slot - lo >= bytes || slot % 8 != 0 || !walk_is_readable(s, slot))
		return target;
	return *(const uint64_t *)(uintptr_t)slot;
}

/*
 * How the call before `ra` may lead into the gap [lo, hi) before pc: 1 if it is direct and does, 2 if it
 * is not direct, 0 if it does not or there is none, or no call frame information.
 */
static int call_into(struct walk_state *s, uint64_t ra, uint64_t pc, uint64_t lo)
{
	const uint8_t *at = (const uint8_t *)(uintptr_t)ra;
	uint64_t target, begin;
	int kind;

	/* Where there is a rule there is code. */
	if (ra - 1 - s->code_lo >= s->code_bytes)
		walk_select_code(s, ra - 1);
	if (!s->table || table_find(s->table, ra - 1)->kind == RULE_NONE)
		return 0;
	begin = ra - s->table->lo > LONGEST_CALL ? ra - LONGEST_CALL : s->table->lo;
	kind = arch_call_before((const uint8_t *)(uintptr_t)begin, at, ra, &target);
	if (kind != 1)
		return kind;
	target = resolve(s, target);
	return target >= lo && target <= pc;
}

/* The first and the second proof. */
static int by_direct_call(struct walk_state *s, uint64_t pc, uint64_t lo, struct way *way)
{
	uint64_t word;

	if (walk_read(s, s->sp, &way->ra) == 0 && call_into(s, way->ra, pc, lo) == 1) {
		way->sp = s->sp + 8;
		way->fp = s->fp;
		return 1;
	}
	if (s->is_fp_lost || s->fp < s->sp || walk_read(s, s->fp, &word) != 0 ||
		walk_read(s, s->fp + 8, &way->ra) != 0 || call_into(s, way->ra, pc, lo) != 1)
		return 0;
	way->sp = s->fp + 16;
	way->fp = word;
	return 1;
}

/* Whether the rule before way->ra gives the frame's CFA. */
static int is_same_frame(
	struct walk_state *s, const struct way *way, const struct walk_frame *frame)
{
	const struct rule *rule;

	if (way->ra - 1 - s->code_lo >= s->code_bytes)
		walk_select_code(s, way->ra - 1);
	if (!s->table)
		return 0;
	rule = table_find(s->table, way->ra - 1);
	if (rule->kind == RULE_SP)
		return way->sp + (uint64_t)(int64_t)rule->cfa == frame->cfa;
	return rule->kind == RULE_FP && way->fp + (uint64_t)(int64_t)rule->cfa == frame->cfa;
}

/* The third proof. */
static int by_memory(struct walk_state *s, uint64_t pc, uint64_t lo, struct way *way)
{
	const struct walk_frame *frame = s->old_begin;
	struct cfi_fde fde;

	/* Frames that are not plain are this code's own before; a hole says how many are missing. */
	for (int left = MAX_TRIED, i = 0; left > 0 && i < MAX_LOOKED_AT && frame < s->old_end;
		i++, frame++) {
		uint64_t at = frame->ip - (frame->how != WALK_EXACT);

		if (frame->flags & WALK_FRAME_HOLE)
			left -= frame->at;
		if (!(frame->flags & WALK_FRAME_PLAIN))
			continue;
		left--;
		way->sp = frame[-1].cfa; /* the stack pointer that the frame had */
		way->fp = frame->fp;
		if (way->sp - 8 >= s->sp && walk_read(s, way->sp - 8, &way->ra) == 0 &&
			call_into(s, way->ra, pc, lo) != 0 &&
			walk_find_fde(s, way->ra - 1, &fde) == 0 && at >= fde.begin &&
			at < fde.end && is_same_frame(s, way, frame))
			return 1;
	}
	return 0;
}

/* The fourth proof. */
static int by_prologue(struct walk_state *s, uint64_t pc, uint64_t lo, struct way *way)
{
	uint64_t from = pc - lo > MAX_PROLOGUE_DISTANCE ? pc - MAX_PROLOGUE_DISTANCE : lo;

	if (s->is_fp_lost || s->fp < s->sp || walk_read(s, s->fp, &way->fp) != 0 ||
		walk_read(s, s->fp + 8, &way->ra) != 0 || call_into(s, way->ra, pc, lo) != 2)
		return 0;
	way->sp = s->fp + 16;
	return walk_is_readable(s, pc & ~UINT64_C(4095)) &&
	       arch_sets_fp((const uint8_t *)(uintptr_t)from, (const uint8_t *)(uintptr_t)pc);
}

int walk_gap_step(struct walk_state *s, struct walk_frame *frame, int end)
{
	uint64_t pc = s->ip, lo, hi;
	struct way way;

	/* Of code in no object no more is known than that this page is there. */
	if (!find_gap(s, pc, &lo, &hi)) {
		if (end != WALK_UNKNOWN_CODE)
			return end;
		lo = pc & ~UINT64_C(4095);
	}
	if (!by_direct_call(s, pc, lo, &way) && !by_memory(s, pc, lo, &way) &&
		!by_prologue(s, pc, lo, &way))
		return end;
	if (way.sp <= s->previous_cfa || way.sp > s->hi)
		return end;
	frame->cfa = s->previous_cfa = way.sp;
	if (s->is_foreign)
		frame->flags |= WALK_FRAME_FOREIGN;
	s->ip = way.ra;
	s->sp = way.sp;
	s->fp = way.fp;
	s->is_fp_lost = 0;
	s->how = WALK_GUESS;
	s->full.known = 0;
	s->known = &s->full;
	s->n_guessed++;
	return STEP_ON;
}
