/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way out of code without call frame information: hand-written kernels, and code that was made
 * at run time. It is tried only for a frame that was interrupted there, never between calls. A word
 * must be proven to be the return address, by one of these proofs:
 *
 *  1. The function's own instructions say where its frame lies (code_rows.h). The word in the place
 *     of the return address is the address after a call, in code that has call frame information. A
 *     direct call leads to the function's first byte, or to a function with call frame information
 *     that may end by a jump to that byte. If the instructions say where the frame lies and this
 *     proof fails, the caller has no call frame information either, and no other proof is tried.
 *  2. The word at the stack pointer is the address after a direct call, in code that has call frame
 *     information, and the call leads to this piece of code. The function has not moved its stack
 *     pointer.
 *  3. The innermost frame of the previous path, or its caller, is still on the stack. A word below
 *     that frame's stack pointer is the address after a call in the same function. That call is not
 *     a direct call of other code, and the rule there gives the CFA that the frame had. For frames
 *     further out this would prove less, because they call this code through other functions.
 *  4. As proof 2, for the word above the word to which the frame pointer points. An indirect call
 *     is accepted, too, if the code before this instruction sets up a frame pointer.
 *
 * A word that passes proof 3 or 4 may be left over from a call that has returned, or may be the
 * return address of a caller's caller. The true return address lies between the stack pointer and
 * the word by which the remembered frame, or the frame pointer's frame, returns. So if one more
 * word between them is the address after a call, in any code, or if they are too many, nothing is
 * proven.
 *
 * Where a call leaves the return address in a register, proof 1 takes it from there until the
 * function has saved it. Proof 2 does likewise. Then the caller's rule must not need the stack
 * pointer, or no instruction between the function's first and the interrupted instruction moves it.
 * Proofs 3 and 4 are not tried there.
 *
 * The caller's frame is marked as guessed in any case. Without a proof the path is cut: words
 * further out are never searched for a likely return address.
 */
#include "unwinder/core/walk_state.h"

/*
 * How many plain frames of the previous path, from the innermost outwards, the third proof tries,
 * and among how many frames of any kind it looks for them.
 */
#define MAX_TRIED     2
#define MAX_LOOKED_AT 6

/* Bytes of arguments that a call may have pushed. */
#define MAX_ARGUMENT_BYTES 128

/* How many words are searched for another possible return address. */
#define MAX_RIVALS 256

/* Code in no object may call other code in no object that is closer than this. */
#define NEAR_BYTES (UINT64_C(16) << 20)

/* Bytes of an entry of a PLT. */
#define STUB_BYTES 16

/* Bytes of a function that are searched for the jump that ends it, or for a moved stack pointer. */
#define MAX_JUMPING_BYTES 4096

/* Bytes of code before the instruction that the fourth proof searches for a prologue. */
#define MAX_PROLOGUE_DISTANCE 4096

/* Code is copied and searched in pieces. Two pieces overlap by at least one instruction. */
#define WINDOW_BYTES   256
#define WINDOW_OVERLAP 16

/* The caller of the code in the gap, as a proof finds it. */
struct caller {
	uint64_t ra;
	uint64_t sp; /* the caller's stack pointer, which is the frame's CFA */
	uint64_t fp;
};

/*
 * Finds the gap that contains pc, [*lo, *hi), as far as it is known. Returns 0 if pc is in no gap.
 */
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

/*
 * The function that a direct call of `target` reaches: `target`, or the function to which an entry
 * of a PLT there jumps.
 */
static uint64_t resolve(struct walk_state *s, uint64_t target)
{
	uint64_t slot, lo, bytes, value;
	uint8_t code[STUB_BYTES];

	if (target - s->code_lo >= s->code_bytes)
		walk_select_code(s, target);
	lo = s->code_lo;
	bytes = s->code_bytes;
	/* Only code that has a rule is read: such code is certainly there. */
	if (!s->table || table_find(s->table, target)->kind == RULE_NONE)
		return target;
	if (remote_read(target, code, sizeof(code)) != 0)
		return target;
	slot = arch_stub_slot(code, target);
	if (slot - lo >= bytes || slot % 8 != 0 || remote_read(slot, &value, sizeof(value)) != 0)
		return target;
	return value;
}

/*
 * The piece of code that contains the frame's instruction. A call of the piece leads into [begin,
 * last].
 */
struct piece {
	uint64_t pc;
	uint64_t begin; /* the function's begin if it is known, or the gap's begin */
	uint64_t last;  /* the last address where a call may lead: the function's begin, or pc */
	int is_in_no_object;
};

enum call_site {
	ANY_CODE,
	KNOWN_CODE, /* code that has call frame information */
};

/*
 * Returns what arch_call_before returns for the call before `ra`, which may be any word; 0 if `ra`
 * is not in the code that `site` asks for.
 */
static int call_before(struct walk_state *s, uint64_t ra, enum call_site site, uint64_t *target)
{
	uint64_t begin;

	if (ra - 1 - s->code_lo >= s->code_bytes)
		walk_select_code(s, ra - 1);
	if (!s->table)
		return 0;
	/* Where there is a rule there is code. */
	begin = s->table->lo;
	if (table_find(s->table, ra - 1)->kind == RULE_NONE) {
		begin = s->table->text_lo;
		if (site == KNOWN_CODE || ra - 1 - begin >= s->table->text_bytes)
			return 0;
	}
	return walk_call_before(begin, ra, target);
}

/*
 * How the call before `ra` may lead into the piece: 1 if it is direct and leads there, 2 if it is
 * indirect. 0 if it leads elsewhere, or if there is no call before `ra` in code that has call frame
 * information.
 */
static int call_into(struct walk_state *s, uint64_t ra, const struct piece *piece)
{
	uint64_t target;
	int kind = call_before(s, ra, KNOWN_CODE, &target);

	if (kind != 1)
		return kind;
	target = resolve(s, target);
	return target >= piece->begin && target <= piece->last;
}

/* Whether the word is the address after a call in code in no object, within NEAR_BYTES of pc. */
static int is_after_call(struct walk_state *s, uint64_t pc, uint64_t word)
{
	uint64_t page = word & ~UINT64_C(4095), target;

	if (word - pc + NEAR_BYTES >= 2 * NEAR_BYTES || s->n_probes++ >= WALK_MAX_PROBES)
		return 0;
	return walk_call_before(page, word, &target) != 0;
}

/*
 * Whether a word may be the address after a call of any function: that function may have jumped
 * into the piece.
 */
static int is_rival(struct walk_state *s, const struct piece *piece, uint64_t word)
{
	uint64_t target;

	if (s->objects && !objects_find(s->objects, word))
		return piece->is_in_no_object && is_after_call(s, piece->pc, word);
	return call_before(s, word, ANY_CODE, &target) != 0;
}

/*
 * Whether `ra` is the only word from the stack pointer up to `end` that could be the return
 * address.
 */
static int has_no_rival(struct walk_state *s, const struct piece *piece, uint64_t ra, uint64_t end)
{
	uint64_t word;

	if (end < s->sp || end - s->sp > 8 * MAX_RIVALS)
		return 0;
	for (uint64_t at = s->sp; at < end; at += 8)
		if (walk_read(s, at, &word) != 0 || (word != ra && is_rival(s, piece, word)))
			return 0;
	return 1;
}

/* Finds the value of a register in the walk's frame. Returns 0 if it is not known. */
static int find_register(struct walk_state *s, unsigned int reg, uint64_t *value)
{
	const struct walk_registers *known = s->known;

	if (reg == WALK_SP) {
		*value = s->sp;
		return 1;
	}
	if (reg == WALK_FP) {
		*value = s->fp;
		return !s->is_fp_lost;
	}
	if (known->reg[WALK_IP] != s->ip || known->reg[WALK_SP] != s->sp ||
		!(known->known >> reg & 1))
		return 0;
	*value = known->reg[reg];
	return 1;
}

/* Finds the return address that a call has left in a register. Returns 0 if it is not known. */
static int find_link(struct walk_state *s, uint64_t *ra)
{
	return WALK_HAS_LINK && find_register(s, WALK_LINK, ra);
}

/* Whether the direct call before `ra` calls a function that may end by a jump to the piece. */
static int is_tail_call(struct walk_state *s, uint64_t ra, const struct piece *piece)
{
	uint8_t code[WINDOW_BYTES];
	struct cfi_fde fde;
	uint64_t target, n;

	if (call_before(s, ra, KNOWN_CODE, &target) != 1)
		return 0;
	target = resolve(s, target);
	if (walk_find_fde(s, target, &fde) != 0 || fde.begin != target)
		return 0;
	if (fde.end - fde.begin > MAX_JUMPING_BYTES)
		fde.end = fde.begin + MAX_JUMPING_BYTES;
	for (uint64_t at = fde.begin; at < fde.end; at += WINDOW_BYTES - WINDOW_OVERLAP) {
		n = fde.end - at < WINDOW_BYTES ? fde.end - at : WINDOW_BYTES;
		if (remote_read(at, code, n) == 0 &&
			arch_may_jump(code, code + n, at, piece->begin))
			return 1;
	}
	return 0;
}

/* Finds the return address by a row. Returns 0 if it is not known. */
static int find_return(struct walk_state *s, const struct code_row *row, struct caller *caller)
{
	uint64_t at = caller->sp + (uint64_t)(int64_t)row->ra;

	if (row->ra == CODE_ROW_LOST)
		return 0;
	if (row->ra ? walk_read(s, at, &caller->ra) != 0 : !find_link(s, &caller->ra))
		return 0;
	caller->ra = arch_code_address(caller->ra);
	return 1;
}

/* Proof 1: the row of the code says where its frame lies. */
static int by_code(struct walk_state *s, const struct piece *piece, const struct code_row *row,
	struct caller *caller)
{
	uint64_t value;

	if (row->fp == CODE_ROW_LOST || !find_register(s, row->reg, &value))
		return 0;
	caller->sp = value + (uint64_t)(int64_t)row->cfa;
	caller->fp = s->fp;
	if (row->fp ? walk_read(s, caller->sp + (uint64_t)(int64_t)row->fp, &caller->fp) != 0
		    : s->is_fp_lost)
		return 0;
	return caller->sp >= s->sp + (row->ra != 0) && find_return(s, row, caller) &&
	       (call_into(s, caller->ra, piece) != 0 || is_tail_call(s, caller->ra, piece));
}

/* The rule of the call before `ra`, or NULL. */
static const struct rule *rule_before(struct walk_state *s, uint64_t ra)
{
	if (ra - 1 - s->code_lo >= s->code_bytes)
		walk_select_code(s, ra - 1);
	return s->table ? table_find(s->table, ra - 1) : NULL;
}

/* Whether code in [from, to) may move the stack pointer, or is not readable. */
static int moves_sp(uint64_t from, uint64_t to)
{
	uint8_t code[WINDOW_BYTES];

	if (to - from > MAX_JUMPING_BYTES)
		return 1;
	for (uint64_t at = from; at < to; at += WINDOW_BYTES) {
		uint64_t n = to - at < WINDOW_BYTES ? to - at : WINDOW_BYTES;

		if (remote_read(at, code, n) != 0 || arch_moves_sp(code, code + n))
			return 1;
	}
	return 0;
}

/* Proof 2 for a return address in a register. */
static int by_link(struct walk_state *s, const struct piece *piece, struct caller *caller)
{
	const struct rule *rule;
	uint64_t target;

	if (s->is_fp_lost || !find_link(s, &caller->ra))
		return 0;
	caller->ra = arch_code_address(caller->ra);
	if (call_before(s, caller->ra, KNOWN_CODE, &target) != 1)
		return 0;
	target = resolve(s, target);
	if (target < piece->begin || target > piece->last)
		return 0;
	rule = rule_before(s, caller->ra);
	return rule && (rule->kind == RULE_FP || !moves_sp(target, piece->pc));
}

/* Proof 2: the word at the stack pointer follows a direct call of this code. */
static int by_direct_call(struct walk_state *s, const struct piece *piece, struct caller *caller)
{
	caller->sp = s->sp + WALK_CALL_BYTES;
	caller->fp = s->fp;
	if (WALK_HAS_LINK)
		return by_link(s, piece, caller);
	return walk_read(s, s->sp, &caller->ra) == 0 && call_into(s, caller->ra, piece) == 1;
}

/* Whether the rule before caller->ra gives the frame's CFA. */
static int is_same_frame(
	struct walk_state *s, const struct caller *caller, const struct walk_frame *frame)
{
	const struct rule *rule = rule_before(s, caller->ra);

	if (!rule)
		return 0;
	if (rule->kind == RULE_SP)
		return caller->sp + (uint64_t)(int64_t)rule->cfa == frame->cfa;
	return rule->kind == RULE_FP && caller->fp + (uint64_t)(int64_t)rule->cfa == frame->cfa;
}

/*
 * Whether the word at caller->sp - 8 is the address after a call in the frame's function, and the
 * rule there gives the same frame.
 */
static int is_call_in_frame(struct walk_state *s, const struct piece *piece,
	const struct walk_frame *frame, struct caller *caller)
{
	uint64_t at = frame->ip - (frame->how != WALK_EXACT);
	struct cfi_fde fde;

	return walk_read(s, caller->sp - 8, &caller->ra) == 0 &&
	       call_into(s, caller->ra, piece) != 0 &&
	       walk_find_fde(s, caller->ra - 1, &fde) == 0 && at >= fde.begin && at < fde.end &&
	       is_same_frame(s, caller, frame);
}

/*
 * Proof 3 for one remembered frame. The frame's function may have moved its stack pointer for the
 * call's arguments.
 */
static int by_frame(struct walk_state *s, const struct piece *piece, const struct walk_frame *frame,
	struct caller *caller)
{
	uint64_t sp = frame[-1].cfa, lowest = sp - MAX_ARGUMENT_BYTES;

	if (frame->cfa <= s->sp || sp > s->stack.hi)
		return 0;
	if (lowest < s->sp + 8 || lowest > sp)
		lowest = s->sp + 8;
	caller->fp = frame->fp;
	for (caller->sp = sp; caller->sp >= lowest; caller->sp -= 8)
		if (is_call_in_frame(s, piece, frame, caller))
			return has_no_rival(s, piece, caller->ra, frame->cfa - 8);
	return 0;
}

/* Proof 3: a remembered frame that is still on the stack called this code. */
static int by_memory(struct walk_state *s, const struct piece *piece, struct caller *caller)
{
	const struct walk_frame *frame = s->old_begin;

	/* Frames that are not plain belong to earlier walks of this code. A hole says how many
	   frames are missing. */
	for (int left = MAX_TRIED, i = 0; left > 0 && i < MAX_LOOKED_AT && frame < s->old_end;
		i++, frame++) {
		if (frame->flags & WALK_FRAME_HOLE)
			left -= frame->at;
		if (!(frame->flags & WALK_FRAME_PLAIN))
			continue;
		left--;
		if (by_frame(s, piece, frame, caller))
			return 1;
	}
	return 0;
}

/* Whether there is a prologue in [from, to), as far as that code is readable. */
static int sets_fp(uint64_t from, uint64_t to)
{
	uint8_t code[WINDOW_BYTES];

	for (uint64_t at = from; at < to; at += WINDOW_BYTES - WINDOW_OVERLAP) {
		uint64_t n = to - at < WINDOW_BYTES ? to - at : WINDOW_BYTES;

		if (remote_read(at, code, n) == 0 && arch_sets_fp(code, code + n))
			return 1;
	}
	return 0;
}

/* Proof 4: the return address is beside the word to which the frame pointer points. */
static int by_frame_pointer(struct walk_state *s, const struct piece *piece, struct caller *caller)
{
	uint64_t pc = piece->pc;
	uint64_t from = pc - piece->begin > MAX_PROLOGUE_DISTANCE ? pc - MAX_PROLOGUE_DISTANCE
								  : piece->begin;
	int kind;

	if (s->is_fp_lost || s->fp < s->sp || walk_read(s, s->fp, &caller->fp) != 0 ||
		walk_read(s, s->fp + 8, &caller->ra) != 0)
		return 0;
	caller->sp = s->fp + 16;
	kind = call_into(s, caller->ra, piece);
	if (kind == 0 || !has_no_rival(s, piece, caller->ra, s->fp))
		return 0;
	return kind == 1 || sets_fp(from, pc);
}

/*
 * Finds where the frame's code begins, and the row that describes its frame. NULL: there is no such
 * row.
 */
static const struct code_row *find_piece(struct walk_state *s, uint64_t gap, struct piece *piece)
{
	const struct code_row *row = NULL;
	uint64_t begin;

	*piece = (struct piece){
		.pc = s->ip,
		.begin = gap,
		.last = s->ip,
		.is_in_no_object = s->code_end == WALK_UNKNOWN_CODE,
	};
	if (s->table)
		row = table_code_row(s->table, s->ip, &begin);
	if (row)
		piece->begin = piece->last = begin;
	return row;
}

/* Tries the proofs. */
static int find_caller(struct walk_state *s, const struct piece *piece, const struct code_row *row,
	struct caller *caller)
{
	if (row)
		return by_code(s, piece, row, caller);
	return by_direct_call(s, piece, caller) ||
	       (!WALK_HAS_LINK &&
		       (by_memory(s, piece, caller) || by_frame_pointer(s, piece, caller)));
}

int walk_gap_step(struct walk_state *s, struct walk_frame *frame, int end)
{
	uint64_t pc = s->ip, lo, hi;
	const struct code_row *row;
	struct piece piece;
	struct caller caller;

	/* For code in no object, only this page is known to be there. */
	if (!find_gap(s, pc, &lo, &hi)) {
		if (end != WALK_UNKNOWN_CODE)
			return end;
		lo = pc & ~UINT64_C(4095);
	}
	row = find_piece(s, lo, &piece);
	if (!find_caller(s, &piece, row, &caller))
		return end;
	if (caller.sp < s->previous_cfa + !WALK_HAS_LINK || caller.sp > s->stack.hi)
		return end;
	frame->cfa = s->previous_cfa = caller.sp;
	if (s->is_foreign)
		frame->flags |= WALK_FRAME_FOREIGN;
	s->ip = caller.ra;
	s->sp = caller.sp;
	s->fp = caller.fp;
	s->is_fp_lost = 0;
	s->how = WALK_GUESS;
	s->full.known = 0;
	s->known = &s->full;
	s->n_guessed++;
	return STEP_CONTINUES;
}
