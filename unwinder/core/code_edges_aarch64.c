/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first and the last instructions of a function on AArch64. Clang 14 says where the frame lies
 * only after the last instruction that sets it up, and leaves out the function's end. But these
 * instructions say it by themselves:
 *
 * - At a function's begin the stack pointer is the CFA, and x30 has the return address. So the
 *   instructions since the latest jump or call say what has become of them.
 * - At the return it is the same, and also at a jump to another function. So the instructions that
 *   lead straight there say what they are before. A jump to another function is told from a jump
 *   within the function by x30, which is loaded from the stack shortly before.
 */
#include "unwinder/core/code_state_aarch64.h"

#include "unwinder/core/rule.h"

/* How many instructions are followed at most, and how many before them are looked at. */
#define MAX_FOLLOWED 24

/* The CFA is assumed this far above the register that the frame is found by. */
#define ASSUMED (1 << 20)

enum function_end {
	END_NONE,
	END_RETURN,
	END_JUMP,
};

/* Whether x30 has got a value that did not come from the stack, as by a call. */
static int has_lost_link(const struct code_state *state)
{
	return !(state->is_here & code_state_bit(WALK_LINK)) &&
	       state->loaded_at[WALK_LINK - WALK_FP] == 0;
}

/*
 * Executes an instruction. Returns 0 if the next instruction may not be reached by it alone: after
 * a jump, a trap, bytes that are no instruction, or a call, which may never return.
 */
static int goes_on(struct code_state *state, uint32_t code)
{
	if (code >> 16 == 0 || (code & 0xffe0001f) == 0xd4200000 ||
		code_flow(code, 0, 0) != CODE_GOES_ON)
		return 0;
	code_state_change(state, code);
	return !has_lost_link(state);
}

/* RET by x30, RETAA, RETAB; or B, BR. */
static enum function_end end_of(uint32_t code)
{
	if (code == 0xd65f03c0 || (code | 0x400) == 0xd65f0fff)
		return END_RETURN;
	return code >> 26 == 0x05 || (code & 0xfffffc1f) == 0xd61f0000 ? END_JUMP : END_NONE;
}

/* Executes instructions up to the end of the function, if they lead straight there. */
static enum function_end follow(struct code_state *state, const uint8_t *at, const uint8_t *end)
{
	for (int n = 0; n < MAX_FOLLOWED && end - at >= CODE_INSTRUCTION_BYTES; n++) {
		uint32_t code = code_at(at);

		if (end_of(code) != END_NONE)
			return end_of(code);
		if (!goes_on(state, code))
			return END_NONE;
		at += CODE_INSTRUCTION_BYTES;
	}
	return END_NONE;
}

/* Whether the instructions that lead straight to `at` have loaded x30 from the stack. */
static int has_loaded_link(const uint8_t *begin, const uint8_t *at)
{
	for (int n = 0; n < MAX_FOLLOWED && at - begin >= CODE_INSTRUCTION_BYTES; n++) {
		struct code_state state = code_state_begin(WALK_SP, ASSUMED);

		if (!goes_on(&state, code_at(at -= CODE_INSTRUCTION_BYTES)))
			return 0;
		if (state.loaded_at[WALK_LINK - WALK_FP] != 0)
			return 1;
	}
	return 0;
}

/*
 * Finds where the caller's value lies, from the CFA on, before the instructions that led to this
 * state. Returns 0 if it is lost.
 */
static int find_loaded(
	const struct code_state *state, unsigned int reg, int32_t cfa, int32_t *place)
{
	int32_t at = state->loaded_at[reg - WALK_FP];

	*place = 0;
	if (state->is_here & code_state_bit(reg))
		return 1;
	*place = ASSUMED + at - cfa;
	return at != 0 && *place < 0;
}

/* Makes the rule by a register of the frame. Returns 0 if it cannot be made. */
static int rule_at_end(unsigned int reg, const uint8_t *begin, const uint8_t *at,
	const uint8_t *end, struct rule *rule)
{
	struct code_state state = code_state_begin(reg, ASSUMED);
	enum function_end result = follow(&state, at, end);
	int32_t cfa = ASSUMED - state.offset[WALK_SP - WALK_FP], fp, ra;

	if (result == END_NONE || !(state.copies & code_state_bit(WALK_SP)) ||
		!find_loaded(&state, WALK_FP, cfa, &fp) ||
		!find_loaded(&state, WALK_LINK, cfa, &ra))
		return 0;
	if (result == END_JUMP && ra == 0 && !has_loaded_link(begin, at))
		return 0;
	*rule = (struct rule){
		.kind = reg == WALK_SP ? RULE_SP : RULE_FP, .cfa = cfa, .fp = fp, .ra = ra
	};
	return 1;
}

/* The instruction that follows the last jump or call before `at`; NULL: it is too far away. */
static const uint8_t *block_before(const uint8_t *begin, const uint8_t *at)
{
	for (int n = 0; n < MAX_FOLLOWED && at - begin >= CODE_INSTRUCTION_BYTES; n++) {
		struct code_state state = code_state_begin(WALK_SP, ASSUMED);

		if (!goes_on(&state, code_at(at - CODE_INSTRUCTION_BYTES)))
			return at;
		at -= CODE_INSTRUCTION_BYTES;
	}
	return NULL;
}

/* Executes [from, to), which must make the stack deeper if anything. Returns 0 if it does not. */
static int set_up(struct code_state *state, const uint8_t *from, const uint8_t *to)
{
	for (; from < to; from += CODE_INSTRUCTION_BYTES) {
		int32_t distance = state->offset[WALK_SP - WALK_FP];

		code_state_change(state, code_at(from));
		if (!(state->copies & code_state_bit(WALK_SP)) ||
			state->offset[WALK_SP - WALK_FP] < distance)
			return 0;
	}
	return state->offset[WALK_SP - WALK_FP] > 0;
}

/* Finds where the caller's value was saved. Returns 0 if it is lost. */
static int find_saved(const struct code_state *state, unsigned int reg, int32_t *place)
{
	*place = state->saved_at[reg - WALK_FP];
	return *place != 0 || state->is_here & code_state_bit(reg);
}

static int rule_at_begin(const uint8_t *begin, const uint8_t *at, struct rule *rule)
{
	const uint8_t *from = block_before(begin, at);
	struct code_state state = code_state_begin(WALK_SP, 0);
	int32_t fp, ra;

	if (!from || !set_up(&state, from, at) || !find_saved(&state, WALK_FP, &fp) ||
		!find_saved(&state, WALK_LINK, &ra))
		return 0;
	*rule = (struct rule){
		.kind = RULE_SP, .cfa = state.offset[WALK_SP - WALK_FP], .fp = fp, .ra = ra
	};
	return 1;
}

int arch_rule_at_edge(
	const uint8_t *begin, const uint8_t *at, const uint8_t *end, struct rule *rule)
{
	if (rule->kind == RULE_SP && rule->cfa == 0)
		return rule_at_begin(begin, at, rule);
	return rule_at_end(WALK_SP, begin, at, end, rule) ||
	       rule_at_end(WALK_FP, begin, at, end, rule);
}
