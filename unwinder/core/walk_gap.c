/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Out of code without call frame information: hand-written kernels, code made at run time. Only in a
 * frame that was interrupted there, never between calls, and only by one of these proofs that some word
 * is its return address:
 *
 *  1. The function's own instructions say where its frame lies (code_rows.h), and the word where the
 *     return address would be is the address after a call, from code that has call frame information; a
 *     direct call leads to the function's first byte, or to a function with call frame information
 *     that may end by a jump there. Where they say so and it is not, the caller has
 *     no call frame information either, and none of the others is tried.
 *  2. The word at the stack pointer is the address after a direct call, from code that has call frame
 *     information, to this piece of code: the function has not moved its stack pointer.
 *  3. The innermost frame of the path before, or its caller, is still on the stack. A word below its
 *     stack pointer then is the address after a call in the same function, which is not a direct one to
 *     elsewhere, and the rule there gives the same CFA as the frame had. Of frames further out this would
 *     prove less: they call this code through others.
 *  4. The same as 2 for the word above the one that the frame pointer points to; or after a call that is
 *     not direct, if the code before this instruction sets up a frame pointer.
 *
 * A word that passes 3 or 4 may be left over from a call that has returned, or be that of a caller's
 * caller. The true return address lies between the stack pointer and the word that the remembered frame,
 * or the frame pointer's, returns by; so all words there are looked at, and if one more is the address
 * after a call, from whatever code, nothing is proven. Where it would be too many words neither.
 *
 * The caller's frame is marked as guessed in any case. Where nothing is proven the path is cut: words
 * further out are never searched for what might do.
 */
#include "unwinder/core/walk_state.h"

/* Frames of the path before, from the innermost, that the third proof tries. */
#define MAX_TRIED     2
#define MAX_LOOKED_AT 6

/* Bytes of arguments that a call may have pushed. */
#define MAX_ARGUMENT_BYTES 128

/* Words that are looked at for another that could be the return address. */
#define MAX_RIVALS 256

/* Code in no object that is closer may call each other. */
#define NEAR_BYTES (UINT64_C(16) << 20)

/* Bytes of a call, or more, and of an entry of a PLT. */
#define LONGEST_CALL 16
#define STUB_BYTES   16

/* Bytes of a function in which a jump that ends it is looked for. */
#define MAX_JUMPING_BYTES 4096

/* Bytes of code before the instruction in which the fourth looks for a prologue. */
#define MAX_PROLOGUE_DISTANCE 4096

/* Code is looked through in pieces that are copied, and that overlap by no less than an instruction that
   is looked for. */
#define WINDOW_BYTES   256
#define WINDOW_OVERLAP 16

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
	uint64_t slot, lo, bytes, value;
	uint8_t code[STUB_BYTES];

	if (target - s->code_lo >= s->code_bytes)
		walk_select_code(s, target);
	lo = s->code_lo;
	bytes = s->code_bytes;
	/* Only code that has a rule is looked at: it is there. */
	if (!s->table || table_find(s->table, target)->kind == RULE_NONE)
		return target;
	if (remote_read(target, code, sizeof(code)) != 0)
		return target;
	slot = arch_stub_slot(code, target);
	if (slot - lo >= bytes || slot % 8 != 0 || remote_read(slot, &value, sizeof(value)) != 0)
		return target;
	return value;
}

/* The piece of code that a frame stands in: a call of it leads into [begin, pc]. */
struct piece {
	uint64_t pc;
	uint64_t begin; /* of the function, if that is known, or of the gap */
	uint64_t last;  /* where a call may lead at last: the function's begin, or pc */
	int is_in_no_object;
};

enum caller {
	ANY_CODE,
	KNOWN_CODE, /* that has call frame information */
};

/* What arch_call_before says of the call before `ra`, which may be any word; 0 if it is not in such code. */
static int call_before(struct walk_state *s, uint64_t ra, enum caller caller, uint64_t *target)
{
	uint8_t code[LONGEST_CALL];
	uint64_t begin, n;

	if (ra - 1 - s->code_lo >= s->code_bytes)
		walk_select_code(s, ra - 1);
	if (!s->table)
		return 0;
	/* Where there is a rule there is code. */
	begin = s->table->lo;
	if (table_find(s->table, ra - 1)->kind == RULE_NONE) {
		begin = s->table->text_lo;
		if (caller == KNOWN_CODE || ra - 1 - begin >= s->table->text_bytes)
			return 0;
	}
	n = ra - begin > LONGEST_CALL ? LONGEST_CALL : ra - begin;
	return remote_read(ra - n, code, n) == 0 ? arch_call_before(code, code + n, ra, target) : 0;
}

/*
 * How the call before `ra` may lead into the piece: 1 if it is direct and does, 2 if it is not direct,
 * 0 if it does not or there is none, or not in code that has call frame information.
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

/* Whether there is code in no object where the word points to, behind a call. */
static int is_after_call(struct walk_state *s, uint64_t pc, uint64_t word)
{
	uint64_t page = word & ~UINT64_C(4095), n = word - page, target;
	uint8_t code[LONGEST_CALL];

	if (n > LONGEST_CALL)
		n = LONGEST_CALL;
	if (word - pc + NEAR_BYTES >= 2 * NEAR_BYTES || s->n_probes++ >= WALK_MAX_PROBES ||
		remote_read(word - n, code, n) != 0)
		return 0;
	return arch_call_before(code, code + n, word, &target) != 0;
}

/* Whether a word may be the address after a call: of whatever, which may have jumped into the piece. */
static int is_rival(struct walk_state *s, const struct piece *piece, uint64_t word)
{
	uint64_t target;

	if (s->objects && !objects_find(s->objects, word))
		return piece->is_in_no_object && is_after_call(s, piece->pc, word);
	return call_before(s, word, ANY_CODE, &target) != 0;
}

/* Whether no word from the stack pointer up to `end` but `ra` could be the return address. */
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

/* The value of a register in the walk's frame. Returns 0 if it is not known. */
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

/* Whether the direct call before `ra` is of a function that may end by a jump to the piece. */
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

/* The first proof. */
static int by_code(struct walk_state *s, const struct piece *piece, const struct code_row *row,
	struct way *way)
{
	uint64_t value;

	if (!row || row->fp == CODE_ROW_FP_LOST || !find_register(s, row->reg, &value))
		return 0;
	way->sp = value + (uint64_t)(int64_t)row->cfa;
	way->fp = s->fp;
	if (row->fp ? walk_read(s, way->sp + (uint64_t)(int64_t)row->fp, &way->fp) != 0
		    : s->is_fp_lost)
		return 0;
	return way->sp > s->sp && walk_read(s, way->sp - WALK_CALL_BYTES, &way->ra) == 0 &&
	       (call_into(s, way->ra, piece) != 0 || is_tail_call(s, way->ra, piece));
}

/* The second proof. */
static int by_direct_call(struct walk_state *s, const struct piece *piece, struct way *way)
{
	way->sp = s->sp + 8;
	way->fp = s->fp;
	return walk_read(s, s->sp, &way->ra) == 0 && call_into(s, way->ra, piece) == 1;
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

/* Whether the word at way->sp - 8 is the address after a call in the frame's function, and from there the
   frame is what it was. */
static int is_call_in_frame(struct walk_state *s, const struct piece *piece,
	const struct walk_frame *frame, struct way *way)
{
	uint64_t at = frame->ip - (frame->how != WALK_EXACT);
	struct cfi_fde fde;

	return walk_read(s, way->sp - 8, &way->ra) == 0 && call_into(s, way->ra, piece) != 0 &&
	       walk_find_fde(s, way->ra - 1, &fde) == 0 && at >= fde.begin && at < fde.end &&
	       is_same_frame(s, way, frame);
}

/* The third proof for one frame: its function may have moved its stack pointer for the call's arguments. */
static int by_frame(struct walk_state *s, const struct piece *piece, const struct walk_frame *frame,
	struct way *way)
{
	uint64_t sp = frame[-1].cfa, lowest = sp - MAX_ARGUMENT_BYTES;

	if (frame->cfa <= s->sp || sp > s->hi)
		return 0;
	if (lowest < s->sp + 8 || lowest > sp)
		lowest = s->sp + 8;
	way->fp = frame->fp;
	for (way->sp = sp; way->sp >= lowest; way->sp -= 8)
		if (is_call_in_frame(s, piece, frame, way))
			return has_no_rival(s, piece, way->ra, frame->cfa - 8);
	return 0;
}

/* The third proof. */
static int by_memory(struct walk_state *s, const struct piece *piece, struct way *way)
{
	const struct walk_frame *frame = s->old_begin;

	/* Frames that are not plain are this code's own before; a hole says how many are missing. */
	for (int left = MAX_TRIED, i = 0; left > 0 && i < MAX_LOOKED_AT && frame < s->old_end;
		i++, frame++) {
		if (frame->flags & WALK_FRAME_HOLE)
			left -= frame->at;
		if (!(frame->flags & WALK_FRAME_PLAIN))
			continue;
		left--;
		if (by_frame(s, piece, frame, way))
			return 1;
	}
	return 0;
}

/* Whether a prologue stands in [from, to), as far as that can be read. */
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

/* The fourth proof. */
static int by_frame_pointer(struct walk_state *s, const struct piece *piece, struct way *way)
{
	uint64_t pc = piece->pc;
	uint64_t from = pc - piece->begin > MAX_PROLOGUE_DISTANCE ? pc - MAX_PROLOGUE_DISTANCE
								  : piece->begin;
	int kind;

	if (s->is_fp_lost || s->fp < s->sp || walk_read(s, s->fp, &way->fp) != 0 ||
		walk_read(s, s->fp + 8, &way->ra) != 0)
		return 0;
	way->sp = s->fp + 16;
	kind = call_into(s, way->ra, piece);
	if (kind == 0 || !has_no_rival(s, piece, way->ra, s->fp))
		return 0;
	return kind == 1 || sets_fp(from, pc);
}

/* Where the frame's code begins, and what it says of the frame; NULL for nothing. */
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

int walk_gap_step(struct walk_state *s, struct walk_frame *frame, int end)
{
	uint64_t pc = s->ip, lo, hi;
	const struct code_row *row;
	struct piece piece;
	struct way way;

	/* Of code in no object no more is known than that this page is there. */
	if (!find_gap(s, pc, &lo, &hi)) {
		if (end != WALK_UNKNOWN_CODE)
			return end;
		lo = pc & ~UINT64_C(4095);
	}
	row = find_piece(s, lo, &piece);
	if (row ? !by_code(s, &piece, row, &way)
		: !by_direct_call(s, &piece, &way) && !by_memory(s, &piece, &way) &&
				!by_frame_pointer(s, &piece, &way))
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
