/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a walk by call frame information. Three files share it: walk_cfi.c (the loop and the
 * memory), walk_step.c (steps that are not ordinary) and walk_gap.c (code without call frame
 * information).
 */
#ifndef OMPPROF_UNWINDER_CORE_WALK_STATE_H
#define OMPPROF_UNWINDER_CORE_WALK_STATE_H

#include <stdint.h>

#include "unwinder/core/cfi.h"
#include "unwinder/core/objects.h"
#include "unwinder/core/remote.h"
#include "unwinder/core/rule.h"
#include "unwinder/core/walk.h"

/* The walk continues. Differs from every value of enum walk_end. */
#define STEP_CONTINUES (-1)

/*
 * How often one walk may ask the kernel whether memory is readable: pages of stacks that are not
 * the thread's own, code in no object, and, without tables, unwind data.
 */
#define WALK_MAX_PROBES 1024

struct walk_state {
	/* The current frame: the values that its rule may need. */
	uint64_t ip, sp, fp;
	uint32_t how;
	uint32_t is_fp_lost;

	struct walk_bounds stack; /* of the current frame, as far as words may be read */
	/* the latest CFA on this stack; the next must be at least WALK_CALL_BYTES above it */
	uint64_t previous_cfa;
	uint32_t is_foreign; /* the stack is not the thread's own */
	uint64_t own_cfa;    /* previous_cfa when the walk left the thread's own stack; 0: it
			          has not left it */
	uint32_t n_probes;
	const struct walk_bounds *own;

	/* The code at ip: an object in [code_lo, code_lo + code_bytes). */
	uint64_t code_lo, code_bytes;
	struct walk_recent_rules *seen;
	const struct table *table; /* NULL: there is no usable table */
	int code_end;              /* 0, or how a path ends in this code, if it has no table */
	uint32_t object;           /* becomes walk_frame.object */
	uint32_t is_remembered;    /* frames in this code may be remembered */
	/* for comparison: unwind data of any object is read in place, without tables */
	uint32_t is_direct;
	const struct objects *objects; /* NULL: all unwind data is read in place */

	/* All registers of the last frame where they were known, for RULE_INTERPRETED: in `full`,
	   or still in the walk's `start`. The instruction and stack pointers among them say which
	   frame that is. */
	const struct walk_registers *known;
	struct walk_registers full;

	/* The remembered frames, and the first of them that is not further in than the current
	   frame. */
	struct walk_frame *old_begin, *old, *old_end;

	uint32_t n_guessed;
	uint64_t image_lo; /* begin of the object that `image` is of; 0: none */
	int image_end;
	struct cfi_image image;
	struct remote_copy copy; /* the data of `image`, if image_lo is 0 */
};

/* Makes the code at pc the state's code, with its table if the table is usable now. Signal-safe. */
void walk_select_code(struct walk_state *s, uint64_t pc);

/*
 * Finds the rule at pc where there is no table, by interpretation in place. Returns 0 or an enum
 * walk_end. Signal-safe.
 */
int walk_interpret(struct walk_state *s, uint64_t pc, struct rule *rule);

/*
 * *rule is the rule at the state's instruction. Corrects it if the instructions around prove that
 * the function has just begun or is about to end. Signal-safe.
 */
void walk_rule_at_edge(struct walk_state *s, struct rule *rule);

/*
 * Finds the frame description of pc in place and makes s->image the image of its object. Returns 0
 * or an enum walk_end. Signal-safe.
 */
int walk_find_fde(struct walk_state *s, uint64_t pc, struct cfi_fde *fde);

/*
 * Steps by the rule of pc, which is RULE_INTERPRETED and may need all registers. To find them,
 * walks once more from the last frame where they were known. Returns STEP_CONTINUES with the
 * caller's state, or how the path ends; sets frame->cfa. Signal-safe.
 */
int walk_interpreted_step(struct walk_state *s, uint64_t pc, struct walk_frame *frame);

/*
 * If s->ip is in the kernel's return from a signal handler, steps to the interrupted code and
 * returns 1; *end is STEP_CONTINUES or how the path ends. Returns 0 for other code. Signal-safe.
 */
int walk_signal_step(struct walk_state *s, struct walk_frame *frame, int *end);

/*
 * Leaves code without call frame information, if a return address is proven. Returns STEP_CONTINUES
 * with the caller's state, or `end`. Signal-safe.
 */
int walk_gap_step(struct walk_state *s, struct walk_frame *frame, int end);

/*
 * Moves the state to the stack that contains sp: the thread's own, or an unknown stack as far as
 * the kernel says that its pages are readable. Returns 0, WALK_OFF_STACK, or WALK_NO_PROGRESS if
 * the walk has been there before. Signal-safe.
 */
int walk_enter_stack(struct walk_state *s, uint64_t sp);

/*
 * Does what arch_call_before does with code of this process before `ra`, but not before `begin`.
 * Returns 0 if the code cannot be read. Signal-safe.
 */
int walk_call_before(uint64_t begin, uint64_t ra, uint64_t *target);

/*
 * Raises the end of a foreign stack to `end` or above, as far as the pages are readable. Returns
 * whether it reached `end`. Signal-safe.
 */
int walk_extend_stack(struct walk_state *s, uint64_t end);

/*
 * Reads the word at `at` if it is aligned and on the stack. Returns 0 or WALK_OFF_STACK.
 * Signal-safe.
 */
static inline __attribute__((always_inline)) int walk_read(
	struct walk_state *s, uint64_t at, uint64_t *value)
{
	if (at % 8 != 0 || at - s->stack.lo >= s->stack.hi - s->stack.lo || s->stack.hi - at < 8) {
		if (!s->is_foreign || at % 8 != 0 || at < s->stack.lo ||
			!walk_extend_stack(s, at + 8))
			return WALK_OFF_STACK;
	}
	*value = *(const uint64_t *)(uintptr_t)at;
	return 0;
}

#endif
